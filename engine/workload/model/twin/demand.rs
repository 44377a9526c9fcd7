//! The jobs that users submit: batches planned an epoch at a time, expanded in the order of their starts.
//!
//! Generates: an endless stream of jobs ordered by (submit, batch, position in the batch). An epoch has the log's span and
//! its number of batches of each class; the properties of the batches of a class are a Latin hypercube: each property takes
//! one value from each of `batches` equally likely strata, in independent random orders. So marginal distributions, and with
//! them shares and load, are met up to the randomness inside the strata. Starts are a Poisson process given its count,
//! thinned by hour, day and week. Cost: O(log n) per job for the merge, n = jobs pending.

use super::model::{
    AMOUNTS, BatchClass, ESTIMATES, EstimateClass, GAP_PROBABILITIES, LENGTH_PROBABILITIES, Likeness, Memory,
    MemoryClass, Quantiles, RUN_TIME_PROBABILITIES, TwinModel,
};
use super::normal;
use crate::rng::{Rng, Stream};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const SECONDS_PER_HOUR: u32 = 3_600;
const HOURS_PER_DAY: usize = 24;
const DAYS_PER_WEEK: usize = 7;

/// A job on its way out. The order of the fields is the order of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Draft {
    pub(super) submit_s: i64,
    pub(super) batch: u64,
    pub(super) position: u32,
    pub(super) run_time_s: u32,
    pub(super) estimate_s: u32,
    pub(super) size: u32,
    pub(super) memory_kb: u32,
}

impl Draft {
    /// A job of no batch and no known memory, whose estimate is its run time.
    pub(super) fn lone(submit_s: i64, position: u32, run_time_s: u32, size: u32) -> Draft {
        Draft { submit_s, batch: u64::MAX, position, run_time_s, estimate_s: run_time_s, size, memory_kb: 0 }
    }
}

/// One planned batch: its scores are what its jobs have in common.
#[derive(Clone, Copy, Debug)]
struct Batch {
    start_s: f64,
    class: usize,
    jobs: u32,
    size: u32,
    /// Normal score of the run times.
    run_time: f64,
    /// Uniform score that decides whether estimates equal run times.
    equal: f64,
    /// Uniform score of the estimates.
    estimate: f64,
    /// Normal score of the memory; 0 where the twin has none.
    memory: f64,
}

/// A class with its tables made ready.
struct Class {
    spec: &'static BatchClass,
    lengths: Quantiles,
    run_times: Quantiles,
    run_time_likeness: Likeness,
    gaps: Quantiles,
    gap_likeness: Likeness,
}

impl Class {
    fn new(spec: &'static BatchClass) -> Class {
        Class {
            spec,
            lengths: Quantiles::new(&LENGTH_PROBABILITIES, spec.lengths.iter().copied()),
            run_times: Quantiles::new(
                &RUN_TIME_PROBABILITIES,
                spec.run_times_s.iter().map(|s| f64::from(*s)),
            ),
            run_time_likeness: Likeness::new(spec.likeness),
            // shifted by one second, because gaps of zero have no logarithm
            gaps: Quantiles::new(&GAP_PROBABILITIES, spec.gaps.gaps_s.iter().map(|s| f64::from(*s) + 1.0)),
            gap_likeness: Likeness::new(spec.gaps.likeness),
        }
    }

    fn size_at(&self, u: f64) -> u32 {
        let total: f64 = self.spec.sizes.iter().map(|s| f64::from(s.jobs)).sum();
        let mut left = u * total;
        for share in self.spec.sizes {
            if left < f64::from(share.jobs) {
                return share.size;
            }
            left -= f64::from(share.jobs);
        }
        self.spec.sizes.last().map_or(1, |share| share.size)
    }
}

/// The random streams, one per property, so that a change of one shifts no other.
struct Streams {
    starts: Rng,
    weeks: Rng,
    batches: Rng,
    sizes: Rng,
    run_times: Rng,
    estimates: Rng,
    memory: Rng,
}

/// The endless stream of jobs as demanded.
pub(super) struct Demand {
    model: &'static TwinModel,
    classes: Vec<Class>,
    streams: Streams,
    /// Batches of the current epoch, the next one last.
    planned: Vec<Batch>,
    epochs: u32,
    week: f64,
    batches: u64,
    pending: BinaryHeap<Reverse<Draft>>,
}

impl Demand {
    pub(super) fn new(model: &'static TwinModel, seed: u64) -> Demand {
        let stream = |purpose| Rng::new(seed, purpose);
        let mut streams = Streams {
            starts: stream(Stream::Arrivals),
            weeks: stream(Stream::Cycles),
            batches: stream(Stream::Users),
            sizes: stream(Stream::Sizes),
            run_times: stream(Stream::RunTimes),
            estimates: stream(Stream::Estimates),
            memory: stream(Stream::Memory),
        };
        let week = streams.weeks.standard_normal();
        let classes = model.batches.iter().map(Class::new).collect();
        Demand {
            model,
            classes,
            streams,
            planned: Vec::new(),
            epochs: 0,
            week,
            batches: 0,
            pending: BinaryHeap::new(),
        }
    }

    /// Plans the next epoch: its batches, in the order of their starts.
    fn plan(&mut self) {
        let origin = f64::from(self.epochs) * f64::from(self.model.span_s);
        self.epochs += 1;
        let clock = Clock::new(self.model, &mut self.week, &mut self.streams.weeks);
        for (index, class) in self.classes.iter().enumerate() {
            let count = class.spec.batches;
            let lengths = strata(count, &mut self.streams.batches);
            let sizes = strata(count, &mut self.streams.sizes);
            let run_times = strata(count, &mut self.streams.run_times);
            let equal = strata(count, &mut self.streams.estimates);
            let estimates = strata(count, &mut self.streams.estimates);
            let memories = self.model.memory.map(|_| strata(count, &mut self.streams.memory));
            for batch in 0..count as usize {
                self.planned.push(Batch {
                    start_s: origin + clock.at(self.streams.starts.unit()),
                    class: index,
                    jobs: libm::round(class.lengths.at(lengths[batch])) as u32,
                    size: class.size_at(sizes[batch]),
                    run_time: normal::quantile(run_times[batch]),
                    equal: equal[batch],
                    estimate: estimates[batch],
                    memory: memories.as_ref().map_or(0.0, |scores| normal::quantile(scores[batch])),
                });
            }
        }
        // a stable sort: equal starts stay in the order of planning
        self.planned.sort_by(|a, b| b.start_s.total_cmp(&a.start_s));
    }

    /// Draws the jobs of a batch.
    fn expand(&mut self, batch: &Batch) {
        let class = &self.classes[batch.class];
        let group = self.streams.batches.standard_normal();
        let mut submit_s = libm::floor(batch.start_s) as i64;
        for position in 0..batch.jobs {
            if position > 0 {
                let own = self.streams.batches.standard_normal();
                submit_s += libm::floor(class.gaps.at(class.gap_likeness.score(group, own)) - 1.0) as i64;
            }
            let own = self.streams.run_times.standard_normal();
            let score = class.run_time_likeness.score(batch.run_time, own);
            let run_time_s = libm::round(class.run_times.at(score)).max(1.0) as u32;
            let estimate_s = estimate(self.model.estimates, run_time_s, batch);
            let memory_kb = self.model.memory.map_or(0, |table| {
                let own = self.streams.memory.standard_normal();
                let score = Likeness::new(table.likeness).score(batch.memory, own);
                memory(table, batch.size, run_time_s, score)
            });
            self.pending.push(Reverse(Draft {
                submit_s,
                batch: self.batches,
                position,
                run_time_s,
                estimate_s,
                size: batch.size,
                memory_kb,
            }));
        }
        self.batches += 1;
    }
}

impl Iterator for Demand {
    type Item = Draft;

    fn next(&mut self) -> Option<Draft> {
        loop {
            let Some(next) = self.planned.last().copied() else {
                self.plan();
                continue;
            };
            match self.pending.peek() {
                // a batch that starts later in the same second has a higher number, so it comes after
                Some(Reverse(job)) if (job.submit_s as f64) <= next.start_s => {
                    return self.pending.pop().map(|Reverse(job)| job);
                }
                _ => {
                    self.planned.pop();
                    self.expand(&next);
                }
            }
        }
    }
}

/// The estimate of a job of this run time: the run time itself, or one of the class's estimates that are long enough, by
/// the batch's scores, so that the jobs of a batch have the same estimate where their run times allow it.
fn estimate(classes: &[EstimateClass], run_time_s: u32, batch: &Batch) -> u32 {
    let open = classes.len() - 1;
    let class = &classes[classes.partition_point(|c| c.below_s <= run_time_s).min(open)];
    let too_short = class.estimates_s.partition_point(|estimate| *estimate < run_time_s);
    if batch.equal < class.equal_share || too_short == ESTIMATES {
        return run_time_s;
    }
    let enough = &class.estimates_s[too_short..];
    enough[(batch.estimate * enough.len() as f64) as usize]
}

/// The memory of a job of this size and run time at a uniform score, in kilobytes.
fn memory(table: &Memory, size: u32, run_time_s: u32, score: f64) -> u32 {
    let holds = |class: &&MemoryClass| size <= class.up_to_size && run_time_s < class.below_s;
    let at = ((score * AMOUNTS as f64) as usize).min(AMOUNTS - 1);
    table.classes.iter().find(holds).map_or(0, |class| class.amounts_kb[at])
}

/// `count` uniform values in (0, 1), one from each of `count` equal strata, in random order.
fn strata(count: u32, rng: &mut Rng) -> Vec<f64> {
    let mut values: Vec<f64> =
        (0..count).map(|i| (f64::from(i) + 1.0 - rng.positive_unit()) / f64::from(count)).collect();
    for i in (1..values.len()).rev() {
        let other = rng.below(i as u64 + 1) as usize;
        values.swap(i, other);
    }
    // zero has no normal score
    for value in &mut values {
        *value = value.max(f64::MIN_POSITIVE);
    }
    values
}

/// The distribution of batch starts over an epoch.
struct Clock {
    /// Weight up to the end of each hour.
    cumulated: Vec<f64>,
    /// Length of the last hour, which the epoch's end may cut short, in seconds.
    last_s: f64,
}

impl Clock {
    fn new(model: &TwinModel, week: &mut f64, rng: &mut Rng) -> Clock {
        let hours = model.span_s.div_ceil(SECONDS_PER_HOUR) as usize;
        let last_s = f64::from(model.span_s) - f64::from(SECONDS_PER_HOUR) * (hours - 1) as f64;
        let variation = &model.weeks;
        let renewal = libm::sqrt(1.0 - variation.carry_over * variation.carry_over);
        let mut factor = 1.0;
        let mut total = 0.0;
        let mut cumulated = Vec::with_capacity(hours);
        for hour in 0..hours {
            if hour % (HOURS_PER_DAY * DAYS_PER_WEEK) == 0 {
                *week = variation.carry_over * *week + renewal * rng.standard_normal();
                factor = libm::exp(variation.sigma * (*week - variation.sigma / 2.0));
            }
            let length = if hour + 1 == hours { last_s / f64::from(SECONDS_PER_HOUR) } else { 1.0 };
            let day = hour / HOURS_PER_DAY % DAYS_PER_WEEK;
            total += length * factor * model.hours[hour % HOURS_PER_DAY] * model.days[day];
            cumulated.push(total);
        }
        Clock { cumulated, last_s }
    }

    /// Seconds into the epoch by which a share `u` of its batches has started.
    fn at(&self, u: f64) -> f64 {
        let last = self.cumulated.len() - 1;
        let weight = u * self.cumulated[last];
        let hour = self.cumulated.partition_point(|c| *c <= weight).min(last);
        let before = if hour == 0 { 0.0 } else { self.cumulated[hour - 1] };
        let length = if hour == last { self.last_s } else { f64::from(SECONDS_PER_HOUR) };
        let share = (weight - before) / (self.cumulated[hour] - before);
        hour as f64 * f64::from(SECONDS_PER_HOUR) + length * share
    }
}
