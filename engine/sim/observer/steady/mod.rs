//! Steady state: the metrics of an endless stream of jobs, in memory that does not grow with their number. Rules and formulas:
//! `engine/GLOSSARY.md`, "Steady state".

mod batch;
mod spec;
mod warm_up;

pub use spec::{Steady, WarmUp};

use self::batch::{Batch, Series};
use super::measures::Observation;
use super::sharing::Links;
use super::{JobRecord, Observer};
use crate::cluster::Cluster;
use crate::kernel::Setup;
use crate::metrics::{MeasureSpec, Metrics, Outcome, WaitReading};
use crate::time::{Span, TICKS_PER_SECOND, Time};

/// Measures the first so many arrivals, and has seen enough when all of them have ended or too many jobs wait.
#[derive(Clone, Debug)]
pub struct SteadyState {
    steady: Steady,
    bound: Span,
    wait: WaitReading,
    /// How many arrivals are measured.
    wanted: u64,
    /// How many of them have ended.
    ended: u64,
    /// More waiting jobs than this are too many.
    backlog: usize,
    unstable_at: Option<Time>,
    series: Series,
    nodes: u32,
    /// Whether the machine is one of clusters, and whether the links between them are contended.
    grid: (bool, bool),
    /// The last arrival that is measured, as long as no later one has come.
    current: Option<u64>,
    /// Since when what follows has been true.
    since: Time,
    busy: u32,
    waiting: usize,
    links: Links,
}

impl SteadyState {
    /// Nothing seen yet of `wanted` arrivals.
    pub fn new(setup: &Setup, steady: Steady, wanted: u64, spec: &MeasureSpec) -> SteadyState {
        SteadyState {
            steady,
            bound: Span::from_secs_f64(spec.bound_s),
            wait: spec.wait,
            wanted,
            ended: 0,
            backlog: steady.backlog(&setup.machine),
            unstable_at: None,
            series: Series::new(steady.batches),
            nodes: 0,
            grid: (false, false),
            current: None,
            since: Time::ZERO,
            busy: 0,
            waiting: 0,
            links: Links::default(),
        }
    }

    /// Books the time up to now to the batch that is arriving.
    fn book(&mut self, now: Time) {
        if let Some(arrival) = self.current {
            let ticks = i128::from((now - self.since).0);
            let stretch = &mut self.series.of(arrival).stretch;
            stretch.ticks += ticks;
            stretch.links += self.links.share_ticks(ticks);
            stretch.busy += i128::from(self.busy) * ticks;
            stretch.waiting += self.waiting as i128 * ticks;
        }
        self.since = now;
    }

    /// What came out. Of a run that was unstable, only how many jobs had ended and when that was.
    pub fn outcome(self) -> Outcome {
        let metrics = match self.unstable_at {
            Some(at) => Metrics::of(|name| match name {
                "jobs" => Some(self.ended as f64),
                "unstable_at_s" => Some(at.as_secs_f64()),
                _ => None,
            }),
            None => self.metrics(),
        };
        Outcome { metrics, groups: Vec::new() }
    }

    fn metrics(&self) -> Metrics {
        let batches = &self.series.batches;
        // The last batch is most often not full; it counts as far as it goes, but not as a batch.
        let full = usize::try_from(self.ended / self.series.length()).unwrap_or(usize::MAX);
        let means: Vec<f64> = batches.iter().take(full).filter_map(Batch::mean_response).collect();
        let cut = warm_up::cut(self.steady.warm_up, &means);
        let mut all = Batch::default();
        batches[cut.min(batches.len())..].iter().for_each(|batch| all.merge(batch));
        let ticks = TICKS_PER_SECOND as f64;
        let half_width = warm_up::half_width(&means[cut..]).map(|half| half / ticks);
        let warm_up = cut as u64 * self.series.length();
        Metrics::of(|name| match name {
            "response_half_width_s" => half_width,
            "warm_up_jobs" => Some(warm_up as f64),
            "link_utilization" if !self.grid.1 => None,
            "migrated_share" | "split_share" | "mean_split_slowdown" if !self.grid.0 => None,
            name => all.value(name, self.nodes),
        })
    }
}

impl Batch {
    /// A metric of the jobs and the stretch of time of a batch, on a machine of so many nodes.
    fn value(&self, name: &str, nodes: u32) -> Option<f64> {
        let per = |value: f64, by: f64| (by > 0.0).then(|| value / by);
        let (ticks, jobs) = (TICKS_PER_SECOND as f64, self.jobs as f64);
        let mean_s = |sum: i128| per(sum as f64 / ticks, jobs);
        let seconds = |at: Option<i64>| at.map(|at| Span(at).as_secs_f64());
        let some = |value: i64| seconds((self.jobs > 0).then_some(value));
        let stretch = &self.stretch;
        let node_ticks = f64::from(nodes) * stretch.ticks as f64;
        match name {
            "jobs" => Some(jobs),
            "killed" => Some(self.killed as f64),
            "backfilled" => Some(self.backfilled as f64),
            "mean_wait_s" => mean_s(self.wait),
            "median_wait_s" => seconds(self.waits.percentile(50)),
            "p95_wait_s" => seconds(self.waits.percentile(95)),
            "p99_wait_s" => seconds(self.waits.percentile(99)),
            "max_wait_s" => some(self.max_wait),
            "mean_run_s" => mean_s(self.run),
            "mean_response_s" => mean_s(self.response),
            "response_sd_s" => self.response_sd().map(|sd| sd / ticks),
            "p95_response_s" => seconds(self.responses.percentile(95)),
            "max_response_s" => some(self.max_response),
            "mean_slowdown" => per(self.slowdown, jobs),
            "mean_bounded_slowdown" => per(self.bounded, jobs),
            "max_bounded_slowdown" => (self.jobs > 0).then_some(self.max_bounded),
            "mean_relative_response" => per(self.relative, jobs),
            "utilization" => per(stretch.busy as f64, node_ticks),
            "offered_load" => per(stretch.work as f64, node_ticks),
            "mean_queue_length" => per(stretch.waiting as f64, stretch.ticks as f64),
            "max_queue_length" => Some(stretch.longest_queue as f64),
            "link_utilization" => per(stretch.links, stretch.ticks as f64),
            name => self.sharing.value(name),
        }
    }

    /// The standard deviation of the responses in ticks, divisor n − 1; none below two jobs.
    fn response_sd(&self) -> Option<f64> {
        let jobs = self.jobs as f64;
        let mean = self.mean_response().filter(|_| self.jobs > 1)?;
        let variance = (self.response_squares as f64 / jobs - mean * mean).max(0.0);
        Some((variance * jobs / (jobs - 1.0)).sqrt())
    }
}

impl Observer for SteadyState {
    fn begin(&mut self, cluster: &Cluster) {
        self.nodes = cluster.nodes();
        self.grid = (cluster.mini_grid().is_some(), cluster.link_use().is_some());
    }

    fn submitted(&mut self, now: Time, record: &JobRecord<'_>) {
        self.book(now);
        self.current = Some(record.arrival).filter(|arrival| *arrival < self.wanted);
        if let Some(arrival) = self.current {
            let work = i128::from(record.job.size) * i128::from(record.job.run_time.0);
            self.series.of(arrival).stretch.work += work;
        }
    }

    fn ended(&mut self, now: Time, record: &JobRecord<'_>) {
        if record.arrival < self.wanted {
            self.ended += 1;
            let observation = Observation::of(now, record, self.bound, self.wait);
            let batch = self.series.of(record.arrival);
            batch.add(&observation, record.killed, record.backfilled);
            batch.sharing.add(now, record);
        }
    }

    fn passed(&mut self, now: Time, waiting: usize, cluster: &Cluster) {
        self.book(now);
        (self.busy, self.waiting) = (cluster.nodes() - cluster.free_count(), waiting);
        self.links.look(cluster);
        if let Some(arrival) = self.current {
            let longest = &mut self.series.of(arrival).stretch.longest_queue;
            *longest = waiting.max(*longest);
        }
        if waiting > self.backlog && self.unstable_at.is_none() {
            self.unstable_at = Some(now);
        }
    }

    fn has_seen_enough(&self) -> bool {
        self.ended == self.wanted || self.unstable_at.is_some()
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
