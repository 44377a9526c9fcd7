//! The parameters of a twin: tables fitted to one log, and how a table is read.
//!
//! Generates: nothing by itself; [`super::generate`] reads it. A further log is added by fitting its tables, not by code.

use super::normal;

/// The probabilities at which [`BatchClass::lengths`] are tabulated.
pub const LENGTH_PROBABILITIES: [f64; 9] = [0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 1.0];

/// The probabilities at which [`BatchClass::run_times_s`] are tabulated.
pub const RUN_TIME_PROBABILITIES: [f64; 16] =
    [0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995, 1.0];

/// The probabilities at which [`Gaps::gaps_s`] are tabulated.
pub const GAP_PROBABILITIES: [f64; 8] = [0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 1.0];

/// Number of equally likely estimates per [`EstimateClass`].
pub const ESTIMATES: usize = 12;

/// Number of equally likely amounts per [`MemoryClass`].
pub const AMOUNTS: usize = 20;

/// What is fitted to one log. All counts and shares are of the log's usable jobs: those with run time > 0, processors > 0
/// and submit ≥ 0; size is field 8, else 5; a missing estimate, or one below the run time, is the run time.
#[derive(Clone, Debug, PartialEq)]
pub struct TwinModel {
    /// The log's canonical name and version in the Parallel Workloads Archive.
    pub name: &'static str,
    /// Processors of the machine, which a twin calls nodes like the log's users do: no job is larger.
    pub nodes: u32,
    /// Usable jobs in the log; the default length of the twin.
    pub jobs: u64,
    /// Seconds from the first to the last submission of those jobs.
    pub span_s: u32,
    /// The log's offered load Σ size · run time / (nodes · span); what the twin should reach by itself.
    pub offered_load: f64,
    /// The kinds of batches.
    pub batches: &'static [BatchClass],
    /// Estimates by run time, in ascending order of run time; the last class is open.
    pub estimates: &'static [EstimateClass],
    /// Batch starts per hour of the day relative to the mean; hour 0 begins at the log's first submission.
    pub hours: [f64; 24],
    /// Batch starts per day of the week relative to the mean; day 0 begins at the log's first submission.
    pub days: [f64; 7],
    /// How the rate of batch starts varies from week to week.
    pub weeks: WeekVariation,
    /// What the log's submit times are.
    pub submission: Submission,
    /// Jobs that the log records but its machine cannot have run.
    pub flurries: &'static [Flurry],
    /// The memory of the jobs, where the log gives it and a study needs it.
    pub memory: Option<&'static Memory>,
}

/// A kind of batch. A batch is the jobs of one user and one size, each submitted at most an hour after the one before.
#[derive(Clone, Debug, PartialEq)]
pub struct BatchClass {
    /// Which batches these are.
    pub label: &'static str,
    /// How many the log has.
    pub batches: u32,
    /// The sizes and how many of the class's jobs have each.
    pub sizes: &'static [SizeShare],
    /// Quantiles of the number of jobs in a batch, at [`LENGTH_PROBABILITIES`]; interpolated in the logarithm and rounded.
    pub lengths: [f64; LENGTH_PROBABILITIES.len()],
    /// Quantiles of the jobs' run times in seconds, at [`RUN_TIME_PROBABILITIES`]; interpolated in the logarithm.
    pub run_times_s: [u32; RUN_TIME_PROBABILITIES.len()],
    /// Intraclass correlation of the normal scores of the run times of a batch's jobs: 0 as unlike as any, 1 all equal. It
    /// is 1 for single jobs, whose run times are then drawn from strata.
    pub likeness: f64,
    /// The gaps between the submissions of a batch's jobs.
    pub gaps: &'static Gaps,
}

/// A size and its frequency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeShare {
    /// Nodes.
    pub size: u32,
    /// Jobs of this size, or nearer to it than to any other size of the class.
    pub jobs: u32,
}

/// Gaps between successive submissions within a batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Gaps {
    /// Quantiles in seconds, at [`GAP_PROBABILITIES`]; interpolated in the logarithm of the gap plus one second.
    pub gaps_s: [u32; GAP_PROBABILITIES.len()],
    /// Intraclass correlation of the normal scores of the gaps of a batch.
    pub likeness: f64,
}

/// The estimates of jobs in one class of run times.
#[derive(Clone, Debug, PartialEq)]
pub struct EstimateClass {
    /// The class's upper bound of the run time in seconds, exclusive.
    pub below_s: u32,
    /// Share of jobs whose estimate equals the run time (missing or too short in the log).
    pub equal_share: f64,
    /// Of the other jobs, the (i + ½)/12 quantiles of the estimates in seconds: the popular round values show as
    /// repetitions. All zero where the log has no such jobs.
    pub estimates_s: [u32; ESTIMATES],
}

/// The memory of jobs, per processor: of field 10, else field 7.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// Intraclass correlation of the normal scores of the memory of a batch's jobs, among those of one class.
    pub likeness: f64,
    /// By size, then run time, both ascending.
    pub classes: &'static [MemoryClass],
}

/// The memory of jobs of some sizes and run times.
#[derive(Clone, Debug, PartialEq)]
pub struct MemoryClass {
    /// The largest size.
    pub up_to_size: u32,
    /// The class's upper bound of the run time in seconds, exclusive.
    pub below_s: u32,
    /// The (i + ½)/20 quantiles in kilobytes: the popular round values show as repetitions.
    pub amounts_kb: [u32; AMOUNTS],
}

/// Log-normal week factors with mean 1, first-order autoregressive in the logarithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeekVariation {
    /// Standard deviation of the logarithm; 0 for no variation.
    pub sigma: f64,
    /// Correlation of the logarithms of successive weeks.
    pub carry_over: f64,
}

/// What the submit times of a log are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Submission {
    /// The instants at which users submitted.
    AsDemanded,
    /// The instants at which the original machine started the jobs: demand is held back until nodes are free.
    AtStart {
        /// Nodes that the original machine had in use at most, normally: not all nodes are in service.
        in_service: u32,
    },
}

/// Alike jobs at one instant, together larger than the machine, so that the log's own schedule cannot be replayed without
/// waits. Their estimates equal their run times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flurry {
    /// Seconds after the first submission.
    pub after_s: u32,
    /// Number of jobs.
    pub jobs: u32,
    /// Size of the smallest; the others are spread evenly.
    pub smallest: u32,
    /// Size of the largest.
    pub largest: u32,
    /// Run time of each in seconds.
    pub run_time_s: u32,
}

/// A quantile function: logarithms of values at ascending probabilities from 0 to 1, linear between them.
#[derive(Clone, Debug)]
pub(super) struct Quantiles {
    probabilities: &'static [f64],
    logarithms: Vec<f64>,
}

impl Quantiles {
    /// A table of positive values.
    pub(super) fn new(probabilities: &'static [f64], values: impl Iterator<Item = f64>) -> Quantiles {
        Quantiles { probabilities, logarithms: values.map(libm::log).collect() }
    }

    /// The value below which a share `u` of the distribution lies; `u` in [0, 1].
    pub(super) fn at(&self, u: f64) -> f64 {
        let last = self.logarithms.len() - 1;
        let right = self.probabilities.partition_point(|p| *p <= u).clamp(1, last);
        let (from, to) = (self.probabilities[right - 1], self.probabilities[right]);
        let (low, high) = (self.logarithms[right - 1], self.logarithms[right]);
        libm::exp(low + (high - low) * (u - from) / (to - from))
    }
}

/// Uniform scores of the members of a group whose normal scores have the intraclass correlation `likeness`: the Gaussian
/// copula that keeps the marginal distribution as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Likeness {
    common: f64,
    own: f64,
}

impl Likeness {
    pub(super) fn new(likeness: f64) -> Likeness {
        Likeness { common: libm::sqrt(likeness), own: libm::sqrt(1.0 - likeness) }
    }

    /// The uniform score of a member, from the normal scores of its group and of its own.
    pub(super) fn score(self, group: f64, member: f64) -> f64 {
        normal::distribution(self.common * group + self.own * member)
    }
}
