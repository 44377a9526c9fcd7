//! Jobs per second of the policies of moldable jobs, on the first jobs of the CTC SP2 log (or its twin) at an effective load of 0.9.
#![allow(clippy::expect_used, missing_docs)]

mod inputs;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inputs::{ctc, flat, run};
use sim::policy::fair_share::with_factors;
use std::hint::black_box;
use workload::Parallelism;

fn on_ctc(c: &mut Criterion) {
    let scenarios = [("P", Parallelism::System), ("R", Parallelism::OfRequest { low: 1.0, high: 2.0 })];
    for (scenario, parallelism) in scenarios {
        let (label, jobs) = ctc(parallelism, 20_000);
        let mut group = c.benchmark_group(format!("CTC {label}, {scenario}"));
        group.sample_size(10).throughput(Throughput::Elements(jobs.len() as u64));
        for (overbooking, efficiency) in [(1.0, 0.0), (1.0, 1.0), (4.0, 0.0), (4.0, 1.0)] {
            let setup = flat(512, with_factors(overbooking, efficiency));
            let name = format!("fair share, ObF {overbooking}, EF {efficiency}");
            group.bench_function(name, |b| b.iter(|| run(&setup, black_box(&jobs))));
        }
        group.finish();
    }
}

criterion_group!(benches, on_ctc);
criterion_main!(benches);
