//! The store: rows written, opened and fetched per second.
#![allow(clippy::expect_used, missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::path::PathBuf;
use sweep::{Access, Experiment, KeyMaker, Overrides, RunKey, Store, StoreWriter, StoredRun};
use workload::TraceDir;

const ROWS: usize = 20_000;

const GRID: &str = r#"(
    format: 1,
    name: "bench",
    study: "bench",
    title: "20,000 runs that differ in their load",
    source: "none",
    base: (
        machine: Flat(nodes: 64),
        workload: (source: LublinFeitelson(), jobs: 100),
        policy: Fcfs,
    ),
    axes: {"load": Range(from: 0.5, to: 0.9, count: 2)},
    replications: 10000,
    seed: 1,
)"#;

fn rows() -> Vec<StoredRun> {
    let experiment = Experiment::parse("bench.ron", GRID, &Overrides::default()).expect("a valid experiment");
    let traces = TraceDir::none();
    let mut keys = KeyMaker::with_traces(&traces);
    let setup = sim::Setup {
        machine: sim::MachineSpec::Flat { nodes: 64 },
        policy: sim::PolicySpec::Fcfs,
        allocator: sim::AllocatorSpec::FirstFree,
        memory: None,
        passes: sim::Passes::PerInstant,
        estimates: sim::EstimateSource::Requested,
    };
    let outcome = sim::metrics::measure(&setup, &[], &sim::MeasureSpec::default()).expect("an empty run");
    experiment
        .runs()
        .map(|run| {
            let task = keys.task(run.spec).expect("a key");
            StoredRun::new(&task, Ok(outcome.clone()), 0.1).expect("a row")
        })
        .collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("backsweep-bench-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn store(c: &mut Criterion) {
    let rows = rows();
    let mut group = c.benchmark_group("store");
    group.sample_size(10).throughput(Throughput::Elements(ROWS as u64));
    let written = folder("write");
    let fill = |folder: &std::path::Path| {
        let writer = StoreWriter::open(folder).expect("a writable folder");
        for segment in rows.chunks(500) {
            writer.write(segment).expect("room");
        }
    };
    group.bench_function("write in segments of 500", |b| b.iter(|| fill(&written)));
    let _ = std::fs::remove_dir_all(&written);
    // Every iteration above has added its segments; what is opened holds each row once.
    fill(&written);
    group.bench_function("open", |b| b.iter(|| Store::open(&written, Access::Read).expect("a store").len()));
    let keys: Vec<RunKey> = rows.iter().map(|row| row.key).collect();
    let opened = Store::open(&written, Access::Read).expect("a store");
    group.bench_function("fetch", |b| b.iter(|| opened.fetch(&keys).expect("rows").len()));
    let _ = std::fs::remove_dir_all(&written);
}

criterion_group!(benches, store);
criterion_main!(benches);
