//! From weights to jobs: a systematic sample of the exact number, then random exchanges until the demands are met.

use super::pool::Pool;
use crate::rng::Rng;

/// How far a class's demand may stay from the wanted one, relatively.
const NEAR: f64 = 0.01;

/// Exchanges that are tried per job, and at least.
const TRIES_PER_JOB: usize = 20;
const LEAST_TRIES: usize = 20_000;

/// `count` candidates of a pool by index. With `capped`, the sum of T is held down to what it is expected to be as well.
pub fn choose(pool: &Pool, cumulative: &[f64], count: usize, capped: bool, rng: &mut Rng) -> Vec<usize> {
    let mut chosen = systematic(cumulative, count, rng);
    exchange(pool, cumulative, &mut chosen, capped, rng);
    chosen
}

/// A candidate drawn by weight.
pub fn one(cumulative: &[f64], rng: &mut Rng) -> usize {
    at(cumulative, rng.unit())
}

fn at(cumulative: &[f64], score: f64) -> usize {
    cumulative.partition_point(|sum| *sum <= score).min(cumulative.len() - 1)
}

/// Evenly spaced scores from one random start: each candidate is taken as often as its weight says, rounded up or down.
fn systematic(cumulative: &[f64], count: usize, rng: &mut Rng) -> Vec<usize> {
    let start = rng.unit();
    (0..count).map(|taken| at(cumulative, (start + taken as f64) / count as f64)).collect()
}

/// Puts candidates drawn by weight in the places of chosen ones, wherever that brings the demands nearer to the wanted ones.
fn exchange(pool: &Pool, cumulative: &[f64], chosen: &mut [usize], capped: bool, rng: &mut Rng) {
    let count = chosen.len() as f64;
    let mut means = [0.0; 3];
    for &at in chosen.iter() {
        for (mean, demand) in means.iter_mut().zip(pool.demand(at)) {
            *mean += demand / count;
        }
    }
    let miss = |[processors, memory, hours]: [f64; 3]| {
        let over = if capped { hours - 1.0 } else { 0.0 };
        (processors - 1.0).abs().max((memory - 1.0).abs()).max(over)
    };
    let tries = (TRIES_PER_JOB * chosen.len()).max(LEAST_TRIES);
    for _ in 0..tries {
        if chosen.is_empty() || miss(means) <= NEAR {
            return;
        }
        let place = rng.below(chosen.len() as u64) as usize;
        let candidate = one(cumulative, rng);
        let (old, new) = (pool.demand(chosen[place]), pool.demand(candidate));
        let mut then = means;
        for ((mean, old), new) in then.iter_mut().zip(old).zip(new) {
            *mean += (new - old) / count;
        }
        if miss(then) < miss(means) {
            chosen[place] = candidate;
            means = then;
        }
    }
}
