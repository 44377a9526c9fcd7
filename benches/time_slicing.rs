//! Jobs per second of time slicing with node memory, by allocator: 10,000 jobs of the Lublin-Feitelson model on 128 nodes as in
//! the thesis, and SDSC-BLUE on 1152 nodes (the log where `BACKSWEEP_TRACES` has it, else its twin).
#![allow(clippy::expect_used, missing_docs)]

mod inputs;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inputs::{flat, run};
use sim::allocator::Fit;
use sim::{AllocatorSpec, EstimateSource, Job, MemorySpec, PolicySpec, Setup};
use std::hint::black_box;
use workload::{
    Load, LoadBy, LoadMeasure, MemoryModel, MemoryVector, Mode, Source, TraceDir, Variant, WorkloadSpec,
};

const SDSC_BLUE: &str = "SDSC-BLUE-2000-4.2-cln";

fn with_memory(mut spec: WorkloadSpec, nodes: u32, traces: &TraceDir) -> Vec<Job> {
    let vector = || MemoryVector::Default;
    spec.memory =
        Some(MemoryModel::Drawn { long: vector(), medium: vector(), short: vector(), node_kb: 400 });
    workload::build(&spec, nodes, 1, traces).expect("the workload builds").jobs
}

fn synthetic() -> Vec<Job> {
    let mut spec =
        WorkloadSpec::new(Source::LublinFeitelson { variant: Variant::Single, medium_offset: 2.5 });
    spec.jobs = Some(10_000);
    spec.load = Some(Load { target: 0.825, by: LoadBy::Arrivals, measure: LoadMeasure::Offered });
    with_memory(spec, 128, &TraceDir::none())
}

fn sdsc_blue() -> (&'static str, Vec<Job>) {
    let traces = TraceDir::new(std::env::var_os("BACKSWEEP_TRACES").map(Into::into));
    let (label, mode) = if traces.has(SDSC_BLUE) { ("log", Mode::Trace) } else { ("twin", Mode::Twin) };
    let spec = WorkloadSpec::new(Source::Log { name: SDSC_BLUE.into(), mode });
    (label, with_memory(spec, 1152, &traces))
}

fn sliced(nodes: u32, allocator: AllocatorSpec) -> Setup {
    let policy: PolicySpec = PolicySpec::TimeSlicing {
        interval_s: 3600,
        shares: sim::policy::Shares::default(),
        adaptive: false,
        backfill: sim::policy::SliceBackfill::ProtectAll,
        non_type: true,
        short_below_s: 600,
        long_above_s: 10_800,
    };
    let memory = Some(MemorySpec::default());
    Setup { allocator, memory, estimates: EstimateSource::Actual, ..flat(nodes, policy) }
}

fn two_stage(first: Fit, second: Fit) -> AllocatorSpec {
    AllocatorSpec::MemoryAware {
        first,
        second,
        unfit_nodes: sim::allocator::UnfitNodes::default(),
        time_until_fit: sim::allocator::TimeUntilFit::default(),
    }
}

fn allocators() -> [(&'static str, AllocatorSpec); 4] {
    [
        ("first free", AllocatorSpec::FirstFree),
        ("intelligent", AllocatorSpec::IntelligentNodeSelection),
        ("best fit, worst fit", two_stage(Fit::BestFit, Fit::WorstFit)),
        ("worst fit, worst fit", two_stage(Fit::WorstFit, Fit::WorstFit)),
    ]
}

fn on_the_model(c: &mut Criterion) {
    let jobs = synthetic();
    let mut group = c.benchmark_group("time slicing, 10,000 jobs on 128 nodes");
    group.sample_size(10).throughput(Throughput::Elements(jobs.len() as u64));
    for (name, allocator) in allocators() {
        let setup = sliced(128, allocator);
        group.bench_function(name, |b| b.iter(|| run(&setup, black_box(&jobs))));
    }
}

fn on_sdsc_blue(c: &mut Criterion) {
    let (label, jobs) = sdsc_blue();
    let mut group = c.benchmark_group(format!("time slicing, SDSC-BLUE {label}"));
    group.sample_size(10).throughput(Throughput::Elements(jobs.len() as u64));
    for (name, allocator) in allocators() {
        let setup = sliced(1152, allocator);
        group.bench_function(name, |b| b.iter(|| run(&setup, black_box(&jobs))));
    }
}

criterion_group!(benches, on_the_model, on_sdsc_blue);
criterion_main!(benches);
