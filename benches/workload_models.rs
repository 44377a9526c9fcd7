//! Jobs per second of the generators, and bytes per second of the SWF reader against a plain one in the same run.
#![allow(clippy::expect_used, missing_docs)]

mod inputs;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inputs::{HPC2N, hpc2n};
use std::hint::black_box;
use workload::model::o2k::{Month, O2kFit, Parameters};
use workload::swf::LoggedJob;
use workload::{Source, TraceDir, Variant, WorkloadSpec};

fn generators(c: &mut Criterion) {
    let mut group = c.benchmark_group("generate 100,000 jobs");
    group.sample_size(10).throughput(Throughput::Elements(100_000));
    let twin = |name: &str| Source::Log { name: name.into(), mode: workload::Mode::Twin };
    let sources = [
        (
            "Lublin-Feitelson",
            Source::LublinFeitelson { variant: Variant::BatchAndInteractive, medium_offset: 2.5 },
        ),
        ("HPC2N twin", twin(HPC2N)),
        ("LLNL Thunder twin", twin("LLNL-Thunder-2007-1.1-cln")),
    ];
    for (name, source) in sources {
        let mut spec = WorkloadSpec::new(source);
        spec.jobs = Some(100_000);
        group.bench_function(name, |b| {
            b.iter(|| {
                workload::build(black_box(&spec), 4096, 1, &TraceDir::none()).expect("it builds").jobs.len()
            });
        });
    }
}

/// February 2000 with a week before and two after it.
fn months(c: &mut Criterion) {
    let mut group = c.benchmark_group("generate a month of O2K");
    group.sample_size(10);
    for (name, fit) in [("calibrated", O2kFit::Calibrated), ("raw", O2kFit::Raw)] {
        let spec = WorkloadSpec::new(Parameters { fit, ..Parameters::of(Month::Feb2000) }.source());
        group.bench_function(name, |b| {
            b.iter(|| {
                workload::build(black_box(&spec), 960, 1, &TraceDir::none()).expect("it builds").jobs.len()
            });
        });
    }
}

/// A reader as one would write it in a hurry.
fn plain_reader(text: &[u8]) -> usize {
    let text = std::str::from_utf8(text).expect("text");
    let lines = text.lines().filter(|line| !line.starts_with(';'));
    lines
        .map(|line| {
            line.split_whitespace()
                .map(|field| field.parse::<f64>().expect("a number"))
                .collect::<Vec<f64>>()
                .len()
        })
        .sum()
}

fn reader(c: &mut Criterion) {
    let (label, jobs) = hpc2n();
    let mut text = Vec::new();
    workload::swf::write(&mut text, &[("Version", "2.2")], jobs.into_iter().map(LoggedJob::from))
        .expect("memory");
    let mut group = c.benchmark_group(format!("read SWF, HPC2N {label}"));
    group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("parse", |b| {
        b.iter(|| workload::swf::parse(black_box(&text)).expect("valid").records.len())
    });
    group.bench_function("plain reference", |b| b.iter(|| plain_reader(black_box(&text))));
}

criterion_group!(benches, generators, months, reader);
criterion_main!(benches);
