#![allow(clippy::unwrap_used)]
use super::batch::{Batch, Series};
use crate::observer::measures::Observation;
use crate::time::Span;
use proptest::prelude::*;

fn job(ticks: i64) -> Observation {
    let (wait, run, response) = (Span(ticks / 3), Span(ticks - ticks / 3), Span(ticks));
    Observation {
        wait,
        run,
        response,
        slowdown: 1.5,
        bounded: 1.25,
        relative: 1.25,
        overhead: Span::ZERO,
        work: i128::from(ticks),
    }
}

/// Jobs into batches, in the order in which they end.
fn fed(least: u32, jobs: &[(u64, i64)]) -> Series {
    let mut series = Series::new(least);
    for (arrival, ticks) in jobs {
        series.of(*arrival).add(&job(*ticks), false, ticks % 2 == 0);
    }
    series
}

fn sums(batch: &Batch) -> (u64, u64, i128, i128, u128, i64, [Option<i64>; 3]) {
    let quantiles = [1, 50, 95].map(|percent| batch.responses.percentile(percent));
    let Batch { jobs, backfilled, response, wait, response_squares, max_response, .. } = *batch;
    (jobs, backfilled, response, wait, response_squares, max_response, quantiles)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn merged_batches_are_those_of_one_pass_with_longer_ones(
        ticks in prop::collection::vec(0i64..5_000_000_000, 1..300),
        shift in 0usize..40,
    ) {
        // Jobs end out of order.
        let mut jobs: Vec<(u64, i64)> = ticks.iter().enumerate().map(|(at, ticks)| (at as u64, *ticks)).collect();
        let shift = shift.min(jobs.len() - 1);
        jobs[shift..].reverse();
        let merged = fed(4, &jobs);
        prop_assert!(merged.batches.len() <= 8);
        let length = usize::try_from(merged.length()).unwrap();
        prop_assert!(length == 1 || ticks.len() > 4 * length);
        let plain: Vec<Batch> = ticks.chunks(length).map(|chunk| {
            let mut batch = Batch::default();
            chunk.iter().for_each(|ticks| batch.add(&job(*ticks), false, ticks % 2 == 0));
            batch
        }).collect();
        let both = |batches: &[Batch]| batches.iter().map(sums).collect::<Vec<_>>();
        prop_assert_eq!(both(&merged.batches), both(&plain));
    }

    #[test]
    fn quantiles_are_never_below_the_exact_ones_and_hardly_above(
        ticks in prop::collection::vec(prop_oneof![0i64..3000, 0i64..90_000_000, 0i64..1_000_000_000_000_000], 1..200),
        percent in 1usize..=100,
    ) {
        let mut batch = Batch::default();
        ticks.iter().for_each(|ticks| batch.add(&job(*ticks), false, false));
        let mut ascending = ticks;
        ascending.sort_unstable();
        let exact = ascending[(ascending.len() * percent).div_ceil(100) - 1];
        let told = batch.responses.percentile(percent as u64).unwrap();
        prop_assert!(told >= exact && (told - exact) as f64 <= 0.001 * exact as f64, "{} for {}", told, exact);
    }
}

#[test]
fn memory_does_not_grow_with_the_number_of_jobs() {
    let counters = |jobs: u64| {
        let series =
            fed(8, &(0..jobs).map(|at| (at, 1 + (at as i64 * 7919) % 60_000_000)).collect::<Vec<_>>());
        let each = series.batches.iter().map(|batch| batch.responses.counters() + batch.waits.counters());
        (series.batches.len(), each.max().unwrap())
    };
    let (few, many) = (counters(16_000), counters(256_000));
    assert_eq!(few, many);
    assert!(many.0 <= 16);
}
