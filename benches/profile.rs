//! The availability profile against its naive twin, on the same sequence of operations in the same run.
#![allow(clippy::expect_used, missing_docs)]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use sim::cluster::profile::{CountProfile, naive};
use sim::{Span, Time};
use std::hint::black_box;

/// (size, duration) of so many reservations on 256 nodes, from a fixed sequence.
fn reservations(number: usize) -> Vec<(u32, Span)> {
    let mut draw: u64 = 99;
    let mut next = || {
        draw ^= draw << 13;
        draw ^= draw >> 7;
        draw ^= draw << 17;
        draw
    };
    (0..number).map(|_| (1 << (next() % 9), Span::from_secs(60 + (next() % 172_800) as i64))).collect()
}

macro_rules! plan {
    ($profile:ty, $reservations:expr) => {{
        let mut profile = <$profile>::new(256, Time::ZERO);
        for &(size, duration) in $reservations {
            let start = profile.earliest(Time::ZERO, duration, size);
            profile.hold(start, start + duration, size);
        }
        profile.steps().count()
    }};
}

fn planning(c: &mut Criterion) {
    let mut group = c.benchmark_group("plan a queue from scratch");
    group.sample_size(10);
    for number in [100, 1000, 5000] {
        let queue = reservations(number);
        group.bench_with_input(BenchmarkId::new("profile", number), &queue, |b, queue| {
            b.iter(|| plan!(CountProfile, black_box(queue)));
        });
        group.bench_with_input(BenchmarkId::new("naive twin", number), &queue, |b, queue| {
            b.iter(|| plan!(naive::NaiveProfile, black_box(queue)));
        });
    }
}

criterion_group!(benches, planning);
criterion_main!(benches);
