//! Placements per second: on a fragmented machine of 4096 nodes, and on one whose nodes have memory and suspended tenants; and
//! loads per second that displace them.
#![allow(clippy::expect_used, missing_docs)]

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use sim::allocator::{Asked, Fit, TimeUntilFit, UnfitNodes};
use sim::cluster::Cluster;
use sim::cluster::memory::Tenants;
use sim::cluster::node_set::Placement;
use sim::job::JobSlot;
use sim::{AllocatorSpec, MachineSpec, MemorySpec, Span};
use std::hint::black_box;

/// About two thirds of the nodes, scattered.
fn scattered(nodes: u32) -> Placement {
    Placement::of(
        (0..u64::from(nodes))
            .filter(|node| (node * 2_654_435_761_u64) % 97 < 64)
            .filter_map(|node| u32::try_from(node).ok()),
    )
}

fn placements(c: &mut Criterion) {
    let machine = MachineSpec::Tree { arity: 4, levels: 6, installed: None };
    let mut group = c.benchmark_group("place on 4096 nodes, a third free");
    for (name, spec) in
        [("first free", AllocatorSpec::FirstFree), ("contiguous", AllocatorSpec::Contiguous { relax: 0 })]
    {
        let allocator = spec.build(&machine).expect("they fit the machine");
        let mut cluster = Cluster::new(&machine, !allocator.counts_only()).expect("a machine");
        assert!(cluster.occupy(&scattered(4096)), "the nodes were free");
        for size in [1, 4, 16, 64] {
            group.bench_with_input(BenchmarkId::new(name, size), &size, |b, &size| {
                b.iter(|| allocator.place(&Asked::nodes(black_box(size), &Placement::empty()), &cluster));
            });
        }
    }
}

const NODES: u32 = 1152;
/// Every job needs so many of a node's 400 kB.
const NEEDS: [u64; 10] = [120, 120, 120, 160, 160, 200, 200, 240, 400, 400];

/// Jobs of 24 scattered nodes, of which each node has about three; the younger ones are resident.
fn populate(tenants: &mut Tenants) {
    for job in 0..150_u32 {
        let nodes = Placement::of((0..24).map(|k| (job * 131 + k * 47) % NODES));
        tenants.allocate(JobSlot(job), NEEDS[job as usize % NEEDS.len()], &nodes);
        tenants.settle(JobSlot(job), &nodes);
    }
}

fn memory_aware(first: Fit, second: Fit) -> AllocatorSpec {
    let (unfit_nodes, time_until_fit) = (UnfitNodes::default(), TimeUntilFit::default());
    AllocatorSpec::MemoryAware { first, second, unfit_nodes, time_until_fit }
}

fn placements_by_memory(c: &mut Criterion) {
    let machine = MachineSpec::Flat { nodes: NODES };
    let mut group = c.benchmark_group("place on 1152 nodes with tenants, a third free");
    for (name, spec) in [
        ("first free", AllocatorSpec::FirstFree),
        ("intelligent", AllocatorSpec::IntelligentNodeSelection),
        ("best fit, worst fit", memory_aware(Fit::BestFit, Fit::WorstFit)),
        ("worst fit, worst fit", memory_aware(Fit::WorstFit, Fit::WorstFit)),
    ] {
        let allocator = spec.build(&machine).expect("they fit the machine");
        let cluster = Cluster::new(&machine, true).expect("a machine");
        let mut cluster = cluster.with_tenants(Some(MemorySpec::default())).expect("memory");
        populate(cluster.tenants_mut().expect("it has tenants"));
        assert!(cluster.occupy(&scattered(NODES)), "the nodes were free");
        let outlook = |job: JobSlot| (Span(i64::from(job.0 * 7919 % 1000)), u64::from(job.0));
        for size in [1, 16, 128] {
            group.bench_with_input(BenchmarkId::new(name, size), &size, |b, &size| {
                let avoid = Placement::empty();
                b.iter(|| {
                    let asked =
                        Asked { size: black_box(size), memory_kb: 160, avoid: &avoid, outlook: &outlook };
                    allocator.place(&asked, &cluster)
                });
            });
        }
    }
}

/// A job that comes, loads, which displaces others, and goes: what the memory model costs per job.
fn loads(c: &mut Criterion) {
    let mut full = Tenants::new(NODES, Some(MemorySpec::default()));
    populate(&mut full);
    let mut group = c.benchmark_group("allocate, load and release on 1152 nodes");
    for size in [1, 16, 128] {
        let nodes = Placement::of((0..size).map(|k| (k * 89) % NODES));
        group.bench_function(BenchmarkId::from_parameter(size), |b| {
            b.iter_batched_ref(
                || full.clone(),
                |tenants| {
                    let job = JobSlot(1000);
                    tenants.allocate(job, 240, &nodes);
                    black_box(tenants.load_time(job, &nodes));
                    black_box(tenants.settle(job, &nodes));
                    tenants.release(job, &nodes);
                },
                BatchSize::LargeInput,
            );
        });
    }
}

criterion_group!(benches, placements, placements_by_memory, loads);
criterion_main!(benches);
