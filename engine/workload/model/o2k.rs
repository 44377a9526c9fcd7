//! O2K: the workload of the space-shared NCSA Origin 2000.
//!
//! Generates: rigid jobs with processors, memory of the whole job, requested time, run time and peak memory, in whole seconds; for a
//! month, a warm-up before and arrivals after it. Jobs may run longer than requested, by an hour at most.
//!
//! Source: Chiang 2001, chapter 4. The *raw* model is what chapter 4 describes, weekday peaks of October to December 2000; each
//! module names its table and family: `o2k/arrival.rs` (§4.3), `o2k/processors.rs` (§4.4.1), `o2k/memory.rs` (Fig. 29b),
//! `o2k/requested.rs` (Table 9, Fig. 33), `o2k/actual.rs` (Table 10), `o2k/peak.rs` (Table 11). A *calibrated* month has as many jobs
//! of each class as Table 6 counts (`o2k/table_6.rs`), with its processor and memory demands: per class, a pool of 30 candidates
//! per job from the raw model is reweighted (`o2k/pool.rs`), sampled and exchanged (`o2k/exchange.rs`).
//!
//! Parameters: month; raw or calibrated; days before and after; CV of the gaps (A: 1.3); share of the vst jobs that ran on dedicated
//! hosts and are dropped (A: 0.65, which gives the 4–9 % of demand that §4.1 states); occupancy of the mt and lt limits (A: 0.9);
//! arrivals per hour outside of weekday peaks (A: the middles of printed ranges, and 4 on weekend nights).
//! The months ran under these limits, which a draw without them would exceed. A marks what the dissertation does not state.
//!
//! Differs: job sizes and times do not depend on the period of arrival, as §4.4 and §4.5 find them alike. The warm-up and the time
//! after are of the month's own kind, not of its neighbours. No users, repetitions or processor utilization. The distributions
//! within a class are tilted ones of late 2000, also for 1999. Ties of submission: as drawn.
//!
//! Cost: a calibrated month draws some 500,000 candidates; the rest is small.

mod actual;
mod arrival;
mod calibrate;
mod class;
pub mod comparison;
mod draft;
mod draw;
mod exchange;
mod memory;
mod month;
mod peak;
mod pool;
mod processors;
mod requested;
mod shapes;
mod table_6;

pub use month::Month;

use crate::rng::{Rng, Stream};
use crate::{Source, WorkloadError};
use arrival::{Gaps, Rates, Rhythm};
use calibrate::Calibrated;
use class::of_column;
use draft::Draft;
use draw::{Distributions, Streams};
use peak::PeakMemory;
use serde::{Deserialize, Serialize};
use sim::{Job, Span, Time};

/// Processors of the eight space-shared hosts (Table 1).
pub const O2K_PROCESSORS: u32 = 960;

/// What the jobs of a month follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum O2kFit {
    /// Table 6: the month's jobs and demands by class.
    #[default]
    Calibrated,
    /// The distributions of chapter 4 as they are, as many jobs as the month had.
    Raw,
}

/// All parameters of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// The month.
    pub month: Month,
    /// Raw or calibrated.
    pub fit: O2kFit,
    /// Days of arrivals before the month.
    pub warm_up_days: u32,
    /// Days of arrivals after the month.
    pub after_days: u32,
    /// Coefficient of variation of the gaps in operational time, 1 to 2 (§4.4.4).
    pub gap_variation: f64,
    /// Share of the jobs of class vst that ran on dedicated hosts and are dropped, 0 to 1.
    pub dedicated_share: f64,
    /// Most Σ T of the classes mt and lt, as a share of what their limits allow, above 0 and at most 1. The months of late 2000 ran
    /// without limits.
    pub occupancy: f64,
    /// Arrivals per hour on weekdays from 18 to 24 h, where 30 arrive from 8 to 18 h.
    pub intermediate_rate: f64,
    /// Arrivals per hour on weekdays from 0 to 8 h.
    pub low_rate: f64,
    /// Arrivals per hour on weekends from 0 to 8 h, where 9 arrive from 8 to 24 h.
    pub weekend_low_rate: f64,
}

/// The default of [`Parameters::warm_up_days`] (§3.4).
pub fn warm_up_days() -> u32 {
    7
}

/// The default of [`Parameters::after_days`]. *Assumption*: long enough that the month's end is not light.
pub fn after_days() -> u32 {
    14
}

/// The default of [`Parameters::gap_variation`]. *Assumption* within the printed range.
pub fn gap_variation() -> f64 {
    1.3
}

/// The default of [`Parameters::dedicated_share`]. *Assumption*: 3.9 to 9.1 % of the demand over the six months, as stated.
pub fn dedicated_share() -> f64 {
    0.65
}

/// The default of [`Parameters::occupancy`]. *Assumption*.
pub fn occupancy() -> f64 {
    0.9
}

/// The default of [`Parameters::intermediate_rate`]. *Assumption*: the middle of the printed 15–20.
pub fn intermediate_rate() -> f64 {
    17.5
}

/// The default of [`Parameters::low_rate`]. *Assumption*: the middle of the printed 5–10.
pub fn low_rate() -> f64 {
    7.5
}

/// The default of [`Parameters::weekend_low_rate`]. *Assumption*.
pub fn weekend_low_rate() -> f64 {
    4.0
}

impl Parameters {
    /// A calibrated month with the defaults.
    pub fn of(month: Month) -> Parameters {
        Parameters {
            month,
            fit: O2kFit::Calibrated,
            warm_up_days: warm_up_days(),
            after_days: after_days(),
            gap_variation: gap_variation(),
            dedicated_share: dedicated_share(),
            occupancy: occupancy(),
            intermediate_rate: intermediate_rate(),
            low_rate: low_rate(),
            weekend_low_rate: weekend_low_rate(),
        }
    }

    /// Those of a source, if it is this model.
    pub fn of_source(source: &Source) -> Option<Parameters> {
        let Source::O2k {
            month,
            fit,
            warm_up_days,
            after_days,
            gap_variation,
            dedicated_share,
            occupancy,
            intermediate_rate,
            low_rate,
            weekend_low_rate,
        } = *source
        else {
            return None;
        };
        Some(Parameters {
            month,
            fit,
            warm_up_days,
            after_days,
            gap_variation,
            dedicated_share,
            occupancy,
            intermediate_rate,
            low_rate,
            weekend_low_rate,
        })
    }

    /// The source with these.
    pub fn source(self) -> Source {
        let Parameters {
            month,
            fit,
            warm_up_days,
            after_days,
            gap_variation,
            dedicated_share,
            occupancy,
            intermediate_rate,
            low_rate,
            weekend_low_rate,
        } = self;
        Source::O2k {
            month,
            fit,
            warm_up_days,
            after_days,
            gap_variation,
            dedicated_share,
            occupancy,
            intermediate_rate,
            low_rate,
            weekend_low_rate,
        }
    }

    /// Checks the ranges.
    ///
    /// # Errors
    /// [`WorkloadError::BadParameter`].
    pub fn validate(&self) -> Result<(), WorkloadError> {
        let refuse = |field, value: f64, expected: &str| {
            Err(WorkloadError::BadParameter {
                field,
                value: value.to_string(),
                expected: expected.to_owned(),
            })
        };
        let days = |field, days: u32| match days {
            ..=366 => Ok(()),
            _ => refuse(field, f64::from(days), "at most 366 days"),
        };
        days("warm_up_days", self.warm_up_days)?;
        days("after_days", self.after_days)?;
        if !(1.0..=2.0).contains(&self.gap_variation) {
            return refuse("gap_variation", self.gap_variation, "1 to 2");
        }
        if !(0.0..=1.0).contains(&self.dedicated_share) {
            return refuse("dedicated_share", self.dedicated_share, "0 to 1");
        }
        if !(self.occupancy > 0.0 && self.occupancy <= 1.0) {
            return refuse("occupancy", self.occupancy, "above 0 and at most 1");
        }
        let rates = [
            ("intermediate_rate", self.intermediate_rate),
            ("low_rate", self.low_rate),
            ("weekend_low_rate", self.weekend_low_rate),
        ];
        match rates.into_iter().find(|(_, rate)| !(*rate > 0.0 && rate.is_finite())) {
            Some((field, rate)) => refuse(field, rate, "above 0"),
            None => Ok(()),
        }
    }

    fn rates(&self) -> Rates {
        Rates { intermediate: self.intermediate_rate, low: self.low_rate, weekend_low: self.weekend_low_rate }
    }
}

/// A job of the model that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arrived {
    /// Seconds after the first of the month.
    at_s: i64,
    draft: Draft,
    peak_kb: u64,
}

/// The source for messages.
pub fn title(source: &Source) -> String {
    match Parameters::of_source(source) {
        Some(Parameters { month, fit: O2kFit::Calibrated, .. }) => format!("O2K model, {month}"),
        Some(Parameters { month, fit: O2kFit::Raw, .. }) => format!("raw O2K model, {month}"),
        None => "O2K model".to_owned(),
    }
}

/// The jobs of a month, or the first so many of them; time zero is the beginning of the warm-up.
///
/// # Errors
/// As for [`Parameters::validate`]; another source has no jobs of this model.
pub fn generate(source: &Source, count: Option<u64>, seed: u64) -> Result<Vec<Job>, WorkloadError> {
    let Some(parameters) = Parameters::of_source(source) else { return Ok(Vec::new()) };
    parameters.validate()?;
    let start_s = i64::from(parameters.warm_up_days) * 24 * 3_600;
    let job = |(id, Arrived { at_s, draft, peak_kb }): (u64, Arrived)| Job {
        id,
        submit: Time::from_secs(start_s + at_s),
        run_time: Span::from_secs(i64::from(draft.actual_s)),
        estimate: Span::from_secs(i64::from(draft.requested_s)),
        size: draft.processors,
        memory_kb: 1_024 * u64::from(draft.memory_mb),
        peak_memory_kb: peak_kb,
        ..Job::default()
    };
    let count = count.map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(usize::MAX));
    Ok((1..).zip(arrived(&parameters, seed)).take(count).map(job).collect())
}

/// The jobs in order of arrival.
fn arrived(parameters: &Parameters, seed: u64) -> Vec<Arrived> {
    let Parameters { month, warm_up_days, after_days, .. } = *parameters;
    let gaps = Gaps::new(parameters.gap_variation);
    let mut arrivals = Rng::new(seed, Stream::Arrivals);
    let mut order = Rng::new(seed, Stream::Classes);
    let mut dropping = Rng::new(seed, Stream::Dropping);
    let mut peak_rng = Rng::new(seed, Stream::PeakMemory);
    let peaks = PeakMemory::new();
    let mut source = Drafts::new(parameters, seed);
    let count = table_6::of(month).jobs as usize;
    let weight = Rhythm::new(month, parameters.rates(), 0, month.days()).weight();
    let mut jobs = Vec::new();
    let stretches = [
        (-i64::from(warm_up_days), 0),
        (0, month.days()),
        (month.days(), month.days() + i64::from(after_days)),
    ];
    for (stretch, (from, until)) in stretches.into_iter().enumerate() {
        let rhythm = Rhythm::new(month, parameters.rates(), from, until);
        let share = rhythm.weight() / weight;
        let drafts = if stretch == 1 {
            shuffled(source.month(count), &mut order)
        } else {
            source.more(libm::round(count as f64 * share) as usize, &mut order)
        };
        let instants = rhythm.arrivals(drafts.len(), &gaps, &mut arrivals);
        jobs.extend(instants.into_iter().zip(drafts).map(|(at_s, draft)| {
            let peak_kb = peaks.draw(&draft, &mut peak_rng);
            Arrived { at_s, draft, peak_kb }
        }));
    }
    // Every job has its draw, so that another share drops more or fewer of the same ones.
    jobs.retain(|job| {
        let score = dropping.unit();
        of_column(job.draft.class()).0 != 0 || score >= parameters.dedicated_share
    });
    jobs
}

/// Where the jobs come from.
enum Drafts {
    Raw(Box<Distributions>, Box<Streams>),
    Calibrated(Calibrated),
}

impl Drafts {
    fn new(parameters: &Parameters, seed: u64) -> Drafts {
        match parameters.fit {
            O2kFit::Raw => {
                Drafts::Raw(Box::new(Distributions::new(parameters.month)), Box::new(Streams::new(seed, 0)))
            }
            O2kFit::Calibrated => {
                Drafts::Calibrated(Calibrated::new(parameters.month, parameters.occupancy, seed))
            }
        }
    }

    fn month(&mut self, count: usize) -> Vec<Draft> {
        match self {
            Drafts::Raw(distributions, streams) => (0..count).map(|_| distributions.draw(streams)).collect(),
            Drafts::Calibrated(calibrated) => calibrated.jobs(),
        }
    }

    fn more(&mut self, count: usize, which: &mut Rng) -> Vec<Draft> {
        match self {
            Drafts::Raw(..) => self.month(count),
            Drafts::Calibrated(calibrated) => calibrated.more(count, which),
        }
    }
}

/// In random order (Fisher–Yates).
fn shuffled(mut drafts: Vec<Draft>, rng: &mut Rng) -> Vec<Draft> {
    for last in (1..drafts.len()).rev() {
        drafts.swap(last, rng.below(last as u64 + 1) as usize);
    }
    drafts
}

#[cfg(test)]
#[path = "o2k/tests.rs"]
mod tests;
