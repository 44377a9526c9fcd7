//! One scheduling event of the iterative search by the length of the queue: moldable jobs on 512 processors, all of them busy. The direct
//! transcription of the printed algorithm, which makes the whole schedule anew for every trial, beside the one that is used.
#![allow(missing_docs)]

#[path = "../engine/sim/tests/naive/sizes.rs"]
mod direct;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use direct::Waiting;
use sim::policy::iterative::plan::{Planner, Sizes};
use sim::speedup::TimeOn;
use sim::{Span, Speedup, Time};
use std::hint::black_box;

const PROCESSORS: u32 = 512;

/// Numbers in 0..1, the same in every run.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// From when on how many processors are free: running jobs of 1 to 64 processors that end within ten hours.
fn busy(draws: &mut Draws) -> Vec<(Time, i64)> {
    let mut ends = Vec::new();
    let mut left = i64::from(PROCESSORS);
    while left > 0 {
        let size = ((draws.next().powi(3) * 64.0) as i64 + 1).min(left);
        left -= size;
        ends.push(((draws.next() * 36_000.0) as i64 + 1, size));
    }
    ends.sort_unstable();
    let mut free = 0;
    let mut steps = vec![(Time::ZERO, 0)];
    for (end, size) in ends {
        free += size;
        match steps.last_mut() {
            Some(last) if last.0 == Time::from_secs(end) => last.1 = free,
            _ => steps.push((Time::from_secs(end), free)),
        }
    }
    steps
}

/// Estimates of a minute to 18 hours on 1 to 64 processors; the parallelism is that of the system, or one to two times the size.
fn job(draws: &mut Draws, of_system: bool) -> TimeOn {
    let size = 1 << (draws.next() * 7.0) as u32;
    let estimate = Span::from_secs_f64(60.0 + draws.next().powi(3) * 64_800.0);
    let of_request = f64::from(size) * (1.0 + draws.next());
    let parallelism = if of_system { f64::from(PROCESSORS) } else { of_request };
    TimeOn::new(estimate, size, Some(Speedup { parallelism, sigma: draws.next() * 2.0 }))
}

fn one_event(c: &mut Criterion) {
    let mut group = c.benchmark_group("iterative");
    group.sample_size(10);
    for (scenario, of_system) in [("P", true), ("R", false)] {
        for length in [10, 20, 40, 80, 160, 320] {
            let mut draws = Draws(length as u64 + 7);
            let free = busy(&mut draws);
            let jobs: Vec<TimeOn> = (0..length).map(|_| job(&mut draws, of_system)).collect();
            let queue = vec![Sizes { least: 1, most: PROCESSORS }; length];
            let mut planner = Planner::default();
            group.bench_function(BenchmarkId::new(format!("{scenario}, fast"), length), |b| {
                b.iter(|| planner.plan(black_box(&free), &queue, |job, n| jobs[job].on(n), |_| ()).len());
            });
            let times = |job: &TimeOn| (1..=PROCESSORS).map(|n| job.on(n).0).collect();
            let waiting: Vec<Waiting> =
                jobs.iter().map(|job| Waiting { least: 1, times: times(job) }).collect();
            let steps: Vec<(i64, i64)> = free.iter().map(|(at, nodes)| (at.0, *nodes)).collect();
            group.bench_function(BenchmarkId::new(format!("{scenario}, direct"), length), |b| {
                b.iter(|| direct::plan(black_box(&steps), &waiting).1.len());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, one_event);
criterion_main!(benches);
