//! Tables: rows written, read and summarised per second.
#![allow(clippy::expect_used, missing_docs)]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use table::{Column, Frame, summarise};

const ROWS: usize = 100_000;
const METRICS: [&str; 4] = ["mean_wait_s", "mean_response_s", "utilization", "makespan_s"];

/// 20,000 cases of five replications.
fn runs() -> Frame {
    let mut columns = vec![
        Column::constant("study", "bench", ROWS),
        Column::constant("experiment", "bench", ROWS),
        Column::constant("mode", "model", ROWS),
        Column::real("load", (0..ROWS).map(|row| Some((row / 5) as f64 * 1e-4)).collect()),
        Column::int("replication", (0..ROWS).map(|row| i64::try_from(row % 5).ok()).collect()),
        Column::constant("status", "ok", ROWS),
    ];
    for (at, metric) in METRICS.iter().enumerate() {
        columns.push(Column::real(
            metric,
            (0..ROWS).map(|row| Some((row * 7919 % (1009 + at)) as f64)).collect(),
        ));
    }
    Frame::from_columns(columns).expect("equal lengths")
}

fn tables(c: &mut Criterion) {
    let runs = runs();
    let axes = ["load".to_owned()];
    let path = std::env::temp_dir().join(format!("backsweep-bench-{}.parquet", std::process::id()));
    let mut group = c.benchmark_group("tables of 100,000 runs");
    group.sample_size(10).throughput(Throughput::Elements(ROWS as u64));
    group.bench_function("write", |b| b.iter(|| runs.write_parquet(&path).expect("room")));
    group.bench_function("read", |b| b.iter(|| Frame::read_parquet(&path).expect("a table").len()));
    group.bench_function("summarise", |b| b.iter(|| summarise(&runs, &axes, &METRICS).expect("sound").len()));
    let _ = std::fs::remove_file(&path);
}

criterion_group!(benches, tables);
criterion_main!(benches);
