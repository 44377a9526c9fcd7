//! Placements per second on a fragmented machine of 4096 nodes.
#![allow(clippy::expect_used, missing_docs)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use sim::allocator::Asked;
use sim::cluster::Cluster;
use sim::cluster::node_set::Placement;
use sim::{AllocatorSpec, MachineSpec};
use std::hint::black_box;

fn placements(c: &mut Criterion) {
    let machine = MachineSpec::Tree { arity: 4, levels: 6, installed: None };
    let mut group = c.benchmark_group("place on 4096 nodes, a third free");
    for (name, spec) in
        [("first free", AllocatorSpec::FirstFree), ("contiguous", AllocatorSpec::Contiguous { relax: 0 })]
    {
        let allocator = spec.build(&machine).expect("they fit the machine");
        let mut cluster = Cluster::new(&machine, !allocator.counts_only()).expect("a machine");
        let busy = Placement::of(
            (0..4096).filter(|node| (node * 2_654_435_761_u64) % 97 < 64).map(|node| node as u32),
        );
        assert!(cluster.occupy(&busy), "the nodes were free");
        for size in [1, 4, 16, 64] {
            group.bench_with_input(BenchmarkId::new(name, size), &size, |b, &size| {
                b.iter(|| allocator.place(&Asked::nodes(black_box(size), &Placement::empty()), &cluster));
            });
        }
    }
}

criterion_group!(benches, placements);
criterion_main!(benches);
