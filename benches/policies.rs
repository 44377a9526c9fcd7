//! Jobs per second of every policy, on the HPC2N log (or its twin) and on a deep queue; and of a plain EASY that walks the
//! queue, in the same run, for the ratio.
#![allow(clippy::expect_used, missing_docs)]

mod inputs;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use inputs::{deep_queue, flat, hpc2n, run, tree};
use sim::job::JobSlot;
use sim::kernel::{Pass, simulate_with};
use sim::policy::{EarlyEnd, Order, Overrun, Policy, Reservations};
use sim::{Job, PolicySpec, Setup, Time};
use std::hint::black_box;

const EASY: PolicySpec =
    PolicySpec::Easy { overrun: Overrun::KillBackfilled, shadow: sim::policy::Shadow::Placement };
const CONSERVATIVE: PolicySpec = PolicySpec::Conservative { early_end: EarlyEnd::Compress };
const REPLAN: PolicySpec = PolicySpec::Conservative { early_end: EarlyEnd::Replan };

/// EASY as its description reads: sort the running jobs, walk the queue.
struct PlainEasy;

impl PlainEasy {
    fn shadow(pass: &Pass<'_>, size: u32) -> (Time, u32) {
        let mut ends: Vec<(Time, u32)> =
            pass.running().map(|job| (pass.expected_end(job), pass.request(job).size)).collect();
        ends.sort_unstable();
        let mut free = pass.cluster().free_count();
        let mut shadow = Time::NEVER;
        for (end, nodes) in ends {
            if end > shadow {
                break;
            }
            free += nodes;
            if free >= size {
                shadow = end;
            }
        }
        (shadow, free - size)
    }
}

impl Policy for PlainEasy {
    fn name(&self) -> &'static str {
        "plain EASY"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        while let Some(head) = pass.head() {
            if !pass.start(head) {
                break;
            }
        }
        let Some(head) = pass.head() else { return };
        let (shadow, mut extra) = PlainEasy::shadow(pass, pass.request(head).size);
        let later: Vec<JobSlot> = pass.waiting().skip(1).collect();
        for job in later {
            let (size, estimate) = (pass.request(job).size, pass.request(job).estimate);
            let ends_in_time = pass.now() + estimate <= shadow;
            if ends_in_time || size <= extra {
                let started = pass.start(job);
                if started && !ends_in_time {
                    extra -= size;
                }
            }
        }
    }
}

fn plain(setup: &Setup, jobs: &[Job]) -> u64 {
    simulate_with(Box::new(PlainEasy), setup, jobs.iter().copied(), &mut ()).expect("the run ends").passes
}

fn on_hpc2n(c: &mut Criterion) {
    let (label, jobs) = hpc2n();
    let mut group = c.benchmark_group(format!("HPC2N {label}"));
    group.sample_size(10).throughput(Throughput::Elements(jobs.len() as u64));
    for (name, policy) in
        [("FCFS", PolicySpec::Fcfs), ("EASY", EASY), ("conservative", CONSERVATIVE), ("replan", REPLAN)]
    {
        let setup = flat(240, policy);
        group.bench_function(name, |b| b.iter(|| run(&setup, black_box(&jobs))));
    }
    let setup = flat(240, EASY);
    group.bench_function("EASY, plain reference", |b| b.iter(|| plain(&setup, black_box(&jobs))));
    let sjf = PolicySpec::Priority { order: Order::ShortestFirst, reservations: Reservations::AtMost(1) };
    let setup = flat(240, sjf);
    group.bench_function("SJF backfill, 1 reservation", |b| b.iter(|| run(&setup, black_box(&jobs))));
    for (name, policy) in [("FCFS", PolicySpec::Fcfs), ("EASY", EASY)] {
        let setup = tree(4, 4, 240, policy);
        group.bench_function(format!("{name}, contiguous"), |b| b.iter(|| run(&setup, black_box(&jobs))));
    }
}

fn on_a_deep_queue(c: &mut Criterion) {
    let jobs = deep_queue();
    let mut group = c.benchmark_group("deep queue");
    group.sample_size(10).throughput(Throughput::Elements(jobs.len() as u64));
    for (name, policy) in [("FCFS", PolicySpec::Fcfs), ("EASY", EASY), ("conservative", CONSERVATIVE)] {
        let setup = flat(256, policy);
        group.bench_function(name, |b| b.iter(|| run(&setup, black_box(&jobs))));
    }
    let setup = flat(256, EASY);
    group.bench_function("EASY, plain reference", |b| b.iter(|| plain(&setup, black_box(&jobs))));
}

criterion_group!(benches, on_hpc2n, on_a_deep_queue);
criterion_main!(benches);
