//! Poisson arrivals, one stream per cluster, without end.
//!
//! Generates: jobs that arrive at each cluster as a Poisson process, with uniform sizes, exponential or constant run times, exact estimates
//! and an all-to-all exchange in a share of their run time; one after another, as they are asked for.
//! Source: Jones, Pang, Stanzione and Ligon 2004, "Simulation": a Poisson stream per cluster, sizes U[10, 90] of 100 nodes, exponential
//! service times, 70 % computation and 30 % communication. The mean run time (the unit of time) and the load are assumptions.
//! Parameters: the fields of `Source::Poisson`. Rate of a cluster: `arrival_load` · its nodes / (mean size · `mean_run_time_s`).
//! Differs: times are rounded to ticks, of gaps with the remainder carried on; a run time is at least a tick. A machine without clusters is
//! one cluster. Ties: jobs that arrive in one tick come in the order of their clusters.
//! Cost: O(log clusters) per job, three random numbers; memory for one job per cluster.

use crate::rng::{Rng, Stream};
use crate::{Source, WorkloadError};
use serde::{Deserialize, Serialize};
use sim::time::{MAX_SECONDS, TICKS_PER_SECOND};
use sim::{Capacity, Communication, Job, Span, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How run times are distributed around their mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunTimes {
    /// Exponentially.
    #[default]
    Exponential,
    /// All are the mean.
    Constant,
}

/// The parameters of `Source::Poisson`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Share of its own cluster's nodes that the jobs of a stream need on average; above 0.
    pub arrival_load: f64,
    /// Mean run time in seconds; above 0.
    pub mean_run_time_s: f64,
    /// Nodes of the smallest job, at least 1.
    pub smallest: u32,
    /// Nodes of the largest job, at least `smallest`.
    pub largest: u32,
    /// T_C / T_E, 0 … 1.
    pub communication_share: f64,
    /// PPBW, 0 or more.
    pub bandwidth_per_node: f64,
    /// How run times are distributed.
    pub runs: RunTimes,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            arrival_load: arrival_load(),
            mean_run_time_s: mean_run_time_s(),
            smallest: smallest(),
            largest: largest(),
            communication_share: communication_share(),
            bandwidth_per_node: bandwidth_per_node(),
            runs: RunTimes::default(),
        }
    }
}

impl Parameters {
    /// Those of a source; `None` of one that is another model.
    pub fn of_source(source: &Source) -> Option<Parameters> {
        let Source::Poisson {
            arrival_load,
            mean_run_time_s,
            smallest,
            largest,
            communication_share,
            bandwidth_per_node,
            runs,
        } = *source
        else {
            return None;
        };
        Some(Parameters {
            arrival_load,
            mean_run_time_s,
            smallest,
            largest,
            communication_share,
            bandwidth_per_node,
            runs,
        })
    }

    /// The source with these parameters.
    pub fn source(self) -> Source {
        let Parameters {
            arrival_load,
            mean_run_time_s,
            smallest,
            largest,
            communication_share,
            bandwidth_per_node,
            runs,
        } = self;
        Source::Poisson {
            arrival_load,
            mean_run_time_s,
            smallest,
            largest,
            communication_share,
            bandwidth_per_node,
            runs,
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`WorkloadError::BadParameter`] for the first that makes no sense.
    pub fn validate(&self) -> Result<(), WorkloadError> {
        let refuse = |field, value: String, expected: &str| {
            Err(WorkloadError::BadParameter { field, value, expected: expected.to_owned() })
        };
        let above_zero = |value: f64| value.is_finite() && value > 0.0;
        if !above_zero(self.arrival_load) {
            return refuse("arrival_load", self.arrival_load.to_string(), "a number above 0");
        }
        if !above_zero(self.mean_run_time_s) || self.mean_run_time_s > LONGEST_MEAN_S {
            let expected = format!("above 0, at most {LONGEST_MEAN_S} s");
            return refuse("mean_run_time_s", self.mean_run_time_s.to_string(), &expected);
        }
        if self.smallest == 0 {
            return refuse("smallest", self.smallest.to_string(), "at least 1 node");
        }
        if self.largest < self.smallest {
            let expected = format!("at least the {} nodes of `smallest`", self.smallest);
            return refuse("largest", self.largest.to_string(), &expected);
        }
        if !(0.0..=1.0).contains(&self.communication_share) {
            return refuse("communication_share", self.communication_share.to_string(), "0 to 1");
        }
        if !(self.bandwidth_per_node.is_finite() && self.bandwidth_per_node >= 0.0) {
            return refuse("bandwidth_per_node", self.bandwidth_per_node.to_string(), "a number, 0 or more");
        }
        Ok(())
    }

    /// Mean time between two arrivals at a cluster of so many nodes, in ticks.
    fn mean_gap(&self, nodes: u32) -> f64 {
        let mean_size = (f64::from(self.smallest) + f64::from(self.largest)) / 2.0;
        let load = self.arrival_load * f64::from(nodes);
        mean_size * self.mean_run_time_s / load * TICKS_PER_SECOND as f64
    }
}

/// No random number is further out than 40 means.
const LONGEST_MEAN_S: f64 = (MAX_SECONDS / 40) as f64;

pub(crate) fn arrival_load() -> f64 {
    0.7
}

pub(crate) fn mean_run_time_s() -> f64 {
    1.0
}

pub(crate) fn smallest() -> u32 {
    10
}

pub(crate) fn largest() -> u32 {
    90
}

pub(crate) fn communication_share() -> f64 {
    0.3
}

pub(crate) fn bandwidth_per_node() -> f64 {
    1.0
}

/// All streams, merged by time. Endless until times become larger than a simulation can tell.
#[derive(Clone, Debug)]
pub struct Poisson {
    parameters: Parameters,
    clusters: Vec<Arrivals>,
    /// The next arrival of each cluster, the earliest on top, ties to the lowest cluster.
    next: BinaryHeap<Reverse<(Time, u32)>>,
    taken: u64,
}

/// The stream of one cluster.
#[derive(Clone, Debug)]
struct Arrivals {
    mean_gap: f64,
    now: Time,
    /// The part of a tick by which the last arrival was later than `now`.
    remainder: f64,
    gaps: Rng,
    sizes: Rng,
    run_times: Rng,
}

impl Poisson {
    /// A stream for each of `clusters` clusters of `nodes` nodes. The seed and a cluster's number decide its jobs, not how many clusters there are.
    ///
    /// # Errors
    /// [`WorkloadError::BadParameter`].
    pub fn new(
        parameters: Parameters,
        clusters: u32,
        nodes: u32,
        seed: u64,
    ) -> Result<Poisson, WorkloadError> {
        parameters.validate()?;
        let mean_gap = parameters.mean_gap(nodes);
        let mut arrivals: Vec<Arrivals> =
            (0..clusters).map(|cluster| Arrivals::new(mean_gap, seed, cluster)).collect();
        let next = (0..).zip(&mut arrivals).map(|(cluster, stream)| Reverse((stream.advance(), cluster)));
        let next = next.collect();
        Ok(Poisson { parameters, clusters: arrivals, next, taken: 0 })
    }
}

/// The streams of a `Source::Poisson` for a machine.
///
/// # Errors
/// [`WorkloadError::BadParameter`], also where the largest job is larger than the machine can hold.
pub fn of_source(source: &Source, machine: Capacity<'_>, seed: u64) -> Result<Poisson, WorkloadError> {
    let parameters = Parameters::of_source(source).unwrap_or_default();
    if parameters.largest > machine.largest_job() {
        let expected = format!("at most the {} nodes that a job can have", machine.largest_job());
        let value = parameters.largest.to_string();
        return Err(WorkloadError::BadParameter { field: "largest", value, expected });
    }
    let clusters = machine.clusters.max(1);
    Poisson::new(parameters, clusters, machine.nodes / clusters, seed)
}

impl Arrivals {
    fn new(mean_gap: f64, seed: u64, cluster: u32) -> Arrivals {
        Arrivals {
            mean_gap,
            now: Time::ZERO,
            remainder: 0.0,
            gaps: Rng::of_part(seed, cluster, Stream::Arrivals),
            sizes: Rng::of_part(seed, cluster, Stream::Sizes),
            run_times: Rng::of_part(seed, cluster, Stream::RunTimes),
        }
    }

    /// The time of the next arrival.
    fn advance(&mut self) -> Time {
        let exact = self.remainder + self.gaps.exponential(self.mean_gap);
        let whole = libm::floor(exact);
        self.remainder = exact - whole;
        // A conversion from floating point stays at the largest number.
        self.now = self.now.saturating_add(Span(whole as i64));
        self.now
    }

    fn size(&mut self, smallest: u32, largest: u32) -> u32 {
        let sizes = u64::from(largest - smallest) + 1;
        smallest + u32::try_from(self.sizes.below(sizes)).unwrap_or(0)
    }

    fn run_time(&mut self, runs: RunTimes, mean_s: f64) -> Span {
        let seconds = match runs {
            RunTimes::Exponential => self.run_times.exponential(mean_s),
            RunTimes::Constant => mean_s,
        };
        Span::from_secs_f64(seconds).max(Span::TICK)
    }
}

impl Iterator for Poisson {
    type Item = Job;

    fn next(&mut self) -> Option<Job> {
        let mut top = self.next.peek_mut()?;
        let Reverse((submit, home)) = *top;
        let Parameters { smallest, largest, runs, mean_run_time_s, .. } = self.parameters;
        let stream = self.clusters.get_mut(home as usize)?;
        let size = stream.size(smallest, largest);
        let run_time = stream.run_time(runs, mean_run_time_s);
        *top = Reverse((stream.advance(), home));
        self.taken += 1;
        let communication = Communication {
            share: self.parameters.communication_share,
            bandwidth: self.parameters.bandwidth_per_node,
        };
        Some(Job {
            id: self.taken,
            submit,
            run_time,
            estimate: run_time,
            size,
            home,
            communication,
            ..Job::default()
        })
    }
}

#[cfg(test)]
#[path = "poisson_tests.rs"]
mod tests;
