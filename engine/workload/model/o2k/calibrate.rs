//! A month's jobs: as many of each class as Table 6 counts, with its demands, under a cap on long jobs.

use super::class::{CLASSES, SIZE_CLASSES, column, of_column};
use super::draft::Draft;
use super::draw::{Distributions, Streams};
use super::exchange;
use super::month::Month;
use super::pool::Pool;
use super::table_6::{self, GIGABYTES, PROCESSORS};
use crate::rng::Rng;

/// Candidates per job of a class, and at least per class.
const CANDIDATES_PER_JOB: usize = 30;
const LEAST_CANDIDATES: usize = 3_000;

/// A demand printed as 0 % is below a half; a quarter is taken.
const ROUNDED_TO_NOTHING: f64 = 0.25;

/// Jobs of the classes mt and lt that ran at once at most (Table 4), by class of time. The scheduler of late 2000 had no such limits.
pub fn limits(month: Month) -> [Option<f64>; 4] {
    if month.is_late() { [None; 4] } else { [None, None, Some(48.0), Some(20.0)] }
}

/// Restraints per hour between which the one that keeps a cap is sought.
const MOST_RESTRAINT: f64 = 1.0;

/// How near the time of a class comes to its cap.
const CAP_PRECISION: f64 = 0.002;

/// A month after calibration: the jobs that were chosen, and where more of the same kind come from.
#[derive(Clone, Debug)]
pub struct Calibrated {
    /// By class: pool, sums of weights, jobs.
    classes: Vec<Class>,
}

#[derive(Clone, Debug)]
struct Class {
    pool: Pool,
    cumulative: Vec<f64>,
    jobs: Vec<Draft>,
    selection: Rng,
}

impl Calibrated {
    /// Calibrates a month. Σ T of the classes mt and lt stays below `occupancy` times what their limits allow.
    pub fn new(month: Month, occupancy: f64, seed: u64) -> Calibrated {
        let distributions = Distributions::new(month);
        let table = table_6::of(month);
        let mut streams: Vec<Streams> = (0..CLASSES).map(|class| Streams::new(seed, part(class))).collect();
        let mut pools: Vec<Pool> = streams
            .iter_mut()
            .enumerate()
            .map(|(class, streams)| {
                let (count, processor_demand, memory_demand) = table.classes[class];
                let candidates = (CANDIDATES_PER_JOB * count as usize).max(LEAST_CANDIDATES);
                let jobs = (0..candidates).map(|_| distributions.draw_of_class(class, streams)).collect();
                let mean = |percent: f64, capacity: f64| {
                    percent.max(ROUNDED_TO_NOTHING) / 100.0 * capacity * month.hours() / f64::from(count)
                };
                Pool::new(jobs, [mean(processor_demand, PROCESSORS), mean(memory_demand, GIGABYTES)])
            })
            .collect();
        for (time, limit) in limits(month).into_iter().enumerate() {
            let most_hours = limit.map(|limit| occupancy * limit * month.hours());
            let counts = |size: usize| f64::from(table.classes[column(time, size)].0);
            restrain(&mut pools, time, most_hours, counts);
        }
        let classes = pools.into_iter().zip(streams).enumerate().map(|(class, (pool, streams))| {
            let mut selection = streams.selection;
            let cumulative = pool.cumulative();
            let count = table.classes[class].0 as usize;
            let capped = limits(month)[of_column(class).0].is_some();
            let chosen = exchange::choose(&pool, &cumulative, count, capped, &mut selection);
            let jobs = chosen.into_iter().map(|at| pool.jobs[at]).collect();
            Class { pool, cumulative, jobs, selection }
        });
        Calibrated { classes: classes.collect() }
    }

    /// The month's jobs, by class.
    pub fn jobs(&self) -> Vec<Draft> {
        self.classes.iter().flat_map(|class| class.jobs.iter().copied()).collect()
    }

    /// `count` further jobs: classes by their numbers of jobs, jobs by their weights.
    pub fn more(&mut self, count: usize, which: &mut Rng) -> Vec<Draft> {
        let counts: Vec<f64> = self.classes.iter().map(|class| class.jobs.len() as f64).collect();
        let draw = |_| {
            let class = &mut self.classes[which.pick(&counts)];
            class.pool.jobs[exchange::one(&class.cumulative, &mut class.selection)]
        };
        (0..count).map(draw).collect()
    }
}

/// The part of the random numbers that a class draws from; part 0 is for what is drawn for all jobs.
const fn part(class: usize) -> u8 {
    1 + class as u8
}

/// Tilts the pools of a class of time, under the smallest restraint that keeps the cap, if there is one.
fn restrain(pools: &mut [Pool], time: usize, most_hours: Option<f64>, counts: impl Fn(usize) -> f64) {
    let mut hours = |restraint: f64| -> f64 {
        (0..SIZE_CLASSES.len()).map(|size| counts(size) * pools[column(time, size)].tilt(restraint)).sum()
    };
    let free = hours(0.0);
    let Some(most) = most_hours.filter(|most| free > *most) else { return };
    // Σ T falls with the restraint; regula falsi (Illinois) on ln Σ T, which is smoother.
    let excess = |hours: f64| libm::log(hours / most);
    let (mut low, mut at_low) = (0.0, excess(free));
    let (mut high, mut at_high) = (1.0 / 64.0, excess(hours(1.0 / 64.0)));
    while at_high > 0.0 && high < MOST_RESTRAINT {
        (low, at_low) = (high, at_high);
        high *= 2.0;
        at_high = excess(hours(high));
    }
    if at_high > 0.0 {
        return;
    }
    for _ in 0..40 {
        let middle = low + (high - low) * at_low / (at_low - at_high);
        let there = excess(hours(middle));
        if there.abs() < CAP_PRECISION {
            return;
        }
        if there > 0.0 {
            (low, at_low) = (middle, there);
            at_high /= 2.0;
        } else {
            (high, at_high) = (middle, there);
            at_low /= 2.0;
        }
    }
}

/// Hours that the chosen jobs of a class of time run altogether.
pub fn hours_of(jobs: &[Draft], time: usize) -> f64 {
    jobs.iter().filter(|job| of_column(job.class()).0 == time).map(Draft::hours).sum()
}
