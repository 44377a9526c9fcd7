//! The event loop alone: one node per job, no queue; with and without observers.
#![allow(clippy::expect_used, missing_docs)]

mod inputs;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inputs::{flat, run};
use sim::observer::job_log::JobLog;
use sim::observer::measures::Measures;
use sim::{Job, MeasureSpec, PolicySpec, Span, Time, simulate};
use std::hint::black_box;

fn loop_alone(c: &mut Criterion) {
    let jobs: Vec<Job> = (0..200_000i64)
        .map(|n| Job {
            id: n as u64,
            submit: Time::from_secs(n),
            run_time: Span::from_secs(50 + n % 37),
            estimate: Span::from_secs(100),
            size: 1,
            memory_kb: 0,
            ..Job::default()
        })
        .collect();
    let setup = flat(128, PolicySpec::Fcfs);
    let mut group = c.benchmark_group("kernel");
    group.sample_size(20).throughput(Throughput::Elements(jobs.len() as u64));
    group.bench_function("no observer", |b| b.iter(|| run(&setup, black_box(&jobs))));
    group.bench_function("job log", |b| {
        b.iter(|| {
            let mut log = JobLog::default();
            simulate(&setup, jobs.iter().copied(), &mut log).expect("the run ends");
            log.lines.len()
        });
    });
    group.bench_function("measures", |b| {
        b.iter(|| {
            let mut measures = Measures::new(&setup, &MeasureSpec::default());
            simulate(&setup, jobs.iter().copied(), &mut measures).expect("the run ends");
            measures.outcome()
        });
    });
}

criterion_group!(benches, loop_alone);
criterion_main!(benches);
