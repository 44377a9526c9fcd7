//! What a run costs beyond its simulation: 20,000 runs that do nothing, from the plan to rows on disk.
#![allow(clippy::expect_used, missing_docs)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use sim::Outcome;
use sweep::{
    Access, ExecuteOptions, Experiment, Halt, KeyMaker, Overrides, RunSpec, Runner, StopFlag, Store,
    StoreWriter, Task, Unfinished, execute,
};
use workload::TraceDir;

const GRID: &str = r#"(
    format: 1,
    name: "bench",
    study: "bench",
    title: "20,000 runs",
    source: "none",
    base: (
        machine: Flat(nodes: 64),
        workload: (source: LublinFeitelson(), jobs: 100),
        policy: Fcfs,
    ),
    axes: {"load": Range(from: 0.5, to: 0.9, count: 5), "policy": [Fcfs, Easy()]},
    replications: 2000,
    seed: 1,
)"#;

/// Gives every run the same outcome.
struct Nothing(Outcome);

impl Runner for Nothing {
    type Workload = ();

    fn build(&self, _: &RunSpec) -> Result<(), String> {
        Ok(())
    }

    fn bytes(&self, (): &()) -> usize {
        0
    }

    fn run(&self, _: &RunSpec, (): &(), _: &Halt) -> Result<Outcome, Unfinished> {
        Ok(self.0.clone())
    }
}

fn tasks() -> Vec<Task> {
    let experiment = Experiment::parse("bench.ron", GRID, &Overrides::default()).expect("a valid experiment");
    let traces = TraceDir::none();
    let mut keys = KeyMaker::with_traces(&traces);
    experiment.runs().map(|run| keys.task(run.spec).expect("a key")).collect()
}

fn overhead(c: &mut Criterion) {
    let setup = sim::Setup {
        machine: sim::MachineSpec::Flat { nodes: 64 },
        policy: sim::PolicySpec::Fcfs,
        allocator: sim::AllocatorSpec::FirstFree,
        memory: None,
        passes: sim::Passes::PerInstant,
        estimates: sim::EstimateSource::Requested,
    };
    let outcome = sim::metrics::measure(&setup, &[], &sim::MeasureSpec::default()).expect("an empty run");
    let (tasks, runner) = (tasks(), Nothing(outcome));
    let folder = std::env::temp_dir().join(format!("backsweep-bench-executor-{}", std::process::id()));
    let mut group = c.benchmark_group("execute 20,000 runs that do nothing");
    group.sample_size(10).throughput(Throughput::Elements(tasks.len() as u64));
    let empty = || {
        let _ = std::fs::remove_dir_all(&folder);
        let writer = StoreWriter::open(&folder).expect("a writable folder");
        (tasks.clone(), writer, Store::open(&folder, Access::Write).expect("a store"))
    };
    for jobs in [1, 2] {
        let options = ExecuteOptions { jobs: Some(jobs), ..ExecuteOptions::default() };
        group.bench_function(format!("{jobs} at a time"), |b| {
            b.iter_batched(
                empty,
                |(tasks, writer, mut store)| {
                    let stop = StopFlag::default();
                    let summary = execute(tasks, &runner, &writer, &mut store, &options, &|_| {}, &stop);
                    assert_eq!(summary.expect("a writable store").ok, 20_000);
                },
                BatchSize::PerIteration,
            );
        });
    }
    let _ = std::fs::remove_dir_all(&folder);
}

criterion_group!(benches, overhead);
criterion_main!(benches);
