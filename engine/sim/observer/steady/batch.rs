//! What is kept of some jobs that arrived one after another, and of the time until the next of them arrived.

use crate::observer::measures::Observation;
use crate::observer::sharing::Sharing;
use hdrhistogram::Histogram;

/// Sums over a batch. Times are exact integers, so it does not matter how batches were merged.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// Jobs that have ended.
    pub jobs: u64,
    pub killed: u64,
    pub backfilled: u64,
    pub wait: i128,
    pub run: i128,
    pub response: i128,
    /// Σ response², in square ticks; it stays at the largest number if it gets there.
    pub response_squares: u128,
    pub slowdown: f64,
    pub bounded: f64,
    pub relative: f64,
    pub max_wait: i64,
    pub max_response: i64,
    pub max_bounded: f64,
    pub waits: Distribution,
    pub responses: Distribution,
    pub sharing: Sharing,
    pub stretch: Stretch,
}

/// The time from the arrival of a batch's first job to that of the next batch's.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Stretch {
    /// Its length in ticks.
    pub ticks: i128,
    /// ∫ busy nodes, in node-ticks.
    pub busy: i128,
    /// ∫ waiting jobs, in job-ticks.
    pub waiting: i128,
    /// Σ size · run time of the jobs that arrived in it, in node-ticks.
    pub work: i128,
    /// ∫ share of the links' bandwidth in use, in ticks.
    pub links: f64,
    /// The most jobs that waited after a pass.
    pub longest_queue: usize,
}

impl Batch {
    pub fn add(&mut self, job: &Observation, killed: bool, backfilled: bool) {
        self.jobs += 1;
        self.killed += u64::from(killed);
        self.backfilled += u64::from(backfilled);
        self.wait += i128::from(job.wait.0);
        self.run += i128::from(job.run.0);
        self.response += i128::from(job.response.0);
        let square = u128::from(job.response.0.unsigned_abs()).pow(2);
        self.response_squares = self.response_squares.saturating_add(square);
        self.slowdown += job.slowdown;
        self.bounded += job.bounded;
        self.relative += job.relative;
        self.max_wait = self.max_wait.max(job.wait.0);
        self.max_response = self.max_response.max(job.response.0);
        self.max_bounded = self.max_bounded.max(job.bounded);
        self.waits.add(job.wait.0);
        self.responses.add(job.response.0);
    }

    /// Takes the following batch in.
    pub fn merge(&mut self, next: &Batch) {
        self.jobs += next.jobs;
        self.killed += next.killed;
        self.backfilled += next.backfilled;
        self.wait += next.wait;
        self.run += next.run;
        self.response += next.response;
        self.response_squares = self.response_squares.saturating_add(next.response_squares);
        self.slowdown += next.slowdown;
        self.bounded += next.bounded;
        self.relative += next.relative;
        self.max_wait = self.max_wait.max(next.max_wait);
        self.max_response = self.max_response.max(next.max_response);
        self.max_bounded = self.max_bounded.max(next.max_bounded);
        self.waits.merge(&next.waits);
        self.responses.merge(&next.responses);
        self.sharing.merge(&next.sharing);
        self.stretch.merge(&next.stretch);
    }

    /// The mean response in ticks; none without jobs.
    pub fn mean_response(&self) -> Option<f64> {
        (self.jobs > 0).then(|| self.response as f64 / self.jobs as f64)
    }
}

impl Stretch {
    fn merge(&mut self, next: &Stretch) {
        self.ticks += next.ticks;
        self.busy += next.busy;
        self.waiting += next.waiting;
        self.work += next.work;
        self.links += next.links;
        self.longest_queue = self.longest_queue.max(next.longest_queue);
    }
}

/// Significant decimal digits of a quantile: it is never below the exact one, and above it by less than 0.1 %.
const DIGITS: u8 = 3;

/// How times are distributed: counts of intervals whose width is below a thousandth of their values. Nothing before the first value.
#[derive(Clone, Debug, Default)]
pub(super) struct Distribution(Option<Histogram<u32>>);

impl Distribution {
    pub fn add(&mut self, ticks: i64) {
        if self.0.is_none() {
            self.0 = Histogram::new(DIGITS).ok();
        }
        if let Some(counts) = &mut self.0 {
            // It widens itself to any number of ticks.
            let taken = counts.record(u64::try_from(ticks).unwrap_or(0));
            debug_assert!(taken.is_ok(), "{ticks}");
        }
    }

    fn merge(&mut self, next: &Distribution) {
        match (&mut self.0, &next.0) {
            (Some(counts), Some(more)) => {
                let taken = counts.add(more);
                debug_assert!(taken.is_ok());
            }
            (None, more) => self.0.clone_from(more),
            (Some(_), None) => {}
        }
    }

    /// The nearest-rank percentile in ticks; none without values. The rank is counted in whole numbers: as a share it would be rounded to the
    /// next one now and then.
    pub fn percentile(&self, percent: u64) -> Option<i64> {
        let counts = self.0.as_ref()?;
        let rank = (u128::from(counts.len()) * u128::from(percent)).div_ceil(100).max(1);
        let mut passed = 0;
        let found = counts.iter_recorded().find(|step| {
            passed += u128::from(step.count_since_last_iteration());
            passed >= rank
        })?;
        i64::try_from(found.value_iterated_to()).ok()
    }

    /// Counters that it takes.
    #[cfg(test)]
    pub fn counters(&self) -> usize {
        self.0.as_ref().map_or(0, Histogram::distinct_values)
    }
}

/// Batches of equally many arrivals, the last one not yet full. There are never more than `most` of them: if another would be needed,
/// neighbours are merged and all are twice as long.
#[derive(Clone, Debug)]
pub(super) struct Series {
    most: usize,
    /// Arrivals in a batch.
    length: u64,
    pub batches: Vec<Batch>,
}

impl Series {
    /// `least`: so many batches are kept at least, as soon as there are so many arrivals.
    pub fn new(least: u32) -> Series {
        Series { most: 2 * least.max(1) as usize, length: 1, batches: Vec::new() }
    }

    /// Arrivals in a full batch.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The batch of an arrival, by its number from 0. The place of an earlier one may change by this.
    pub fn of(&mut self, arrival: u64) -> &mut Batch {
        while arrival / self.length >= self.most as u64 {
            self.double();
        }
        let index = (arrival / self.length) as usize;
        if index >= self.batches.len() {
            self.batches.resize_with(index + 1, Batch::default);
        }
        &mut self.batches[index]
    }

    fn double(&mut self) {
        self.length *= 2;
        let mut old = std::mem::take(&mut self.batches).into_iter();
        while let Some(mut batch) = old.next() {
            if let Some(next) = old.next() {
                batch.merge(&next);
            }
            self.batches.push(batch);
        }
    }
}
