//! Planning: grid points and keys per second.
#![allow(clippy::expect_used, missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use sweep::{Experiment, KeyMaker, Overrides};
use workload::TraceDir;

/// 100 loads x 100 speed-ups x 2 allocators x 5 replications.
const GRID: &str = r#"(
    format: 1,
    name: "bench",
    study: "bench",
    title: "a grid of 100,000 runs",
    source: "none",
    base: (
        machine: Tree(arity: 4, levels: 4),
        workload: (source: LublinFeitelson(), jobs: 100),
        policy: Fcfs,
    ),
    axes: {
        "load": Range(from: 0.01, to: 1.0, step: 0.01),
        "speedup": Range(from: 0.0, to: 0.99, step: 0.01),
        "allocator": [FirstFree, Contiguous()],
    },
    replications: 5,
    seed: 1,
)"#;

fn planning(c: &mut Criterion) {
    let experiment = Experiment::parse("bench.ron", GRID, &Overrides::default()).expect("a valid experiment");
    let mut group = c.benchmark_group("plan 100,000 runs");
    group.sample_size(10).throughput(Throughput::Elements(experiment.len() as u64));
    group.bench_function("points", |b| b.iter(|| black_box(&experiment).runs().count()));
    group.bench_function("points and keys", |b| {
        b.iter(|| {
            let traces = TraceDir::none();
            let mut keys = KeyMaker::with_traces(&traces);
            experiment.runs().map(|run| keys.task(run.spec).expect("a key").key.0[0] as usize).sum::<usize>()
        });
    });
}

criterion_group!(benches, planning);
criterion_main!(benches);
