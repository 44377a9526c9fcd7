//! The thread that looks after the runs in flight: how long a run may take, how much memory the process takes, and progress.

use super::Runner;
use super::shared::lock;
use super::sweep::{Sweep, source_name};
use crate::event::{LongestRun, Progress};
use crate::{RunSpec, SweepEvent};
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two looks.
const TICK: Duration = Duration::from_millis(50);

/// Says that all is over.
#[derive(Debug, Default)]
pub(super) struct Over {
    over: Mutex<bool>,
    news: Condvar,
}

impl Over {
    /// All is over.
    pub fn tell(&self) {
        *lock(&self.over) = true;
        self.news.notify_all();
    }

    /// Waits so long; whether all is over.
    fn within(&self, time: Duration) -> bool {
        let over = lock(&self.over);
        if *over {
            return true;
        }
        *self.news.wait_timeout(over, time).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl<R: Runner> Sweep<'_, R> {
    /// Looks after the runs until all is over.
    pub fn watch(&self, over: &Over) {
        let options = self.options;
        let mut reported = Instant::now();
        if options.max_memory.is_some() && self.runner.resident().is_none() {
            let text = "this system does not tell how much memory a process takes: --max-memory bounds the workloads only";
            self.tell(SweepEvent::Warning { text: text.to_owned() });
        }
        while !over.within(TICK.min(options.progress_interval)) {
            if self.stop.is_abandoned() {
                self.flights.abandon();
            }
            if let Some(limit) = options.run_timeout {
                self.flights.end_late(limit);
            }
            if let Some(limit) = options.max_memory {
                self.watch_memory(limit);
            }
            if reported.elapsed() >= options.progress_interval {
                reported = Instant::now();
                self.report_progress();
            }
        }
    }

    /// Above the limit no run is begun. What is kept for later runs is given back first; if that is not enough, the youngest run
    /// is given up, to be tried again alone.
    fn watch_memory(&self, limit: u64) {
        let Some(resident) = self.runner.resident() else { return };
        let was_tight = self.tight.swap(resident > limit, Ordering::Relaxed);
        if resident <= limit {
            return;
        }
        match was_tight {
            false => self.runner.forget(),
            true => self.flights.end_youngest(resident),
        }
    }

    /// Tells how far it is.
    pub fn report_progress(&self) {
        let count = |count: &std::sync::atomic::AtomicUsize| count.load(Ordering::Relaxed);
        let (here, elsewhere) = (self.counts.here(), count(&self.counts.elsewhere));
        let elapsed_s = self.begin.elapsed().as_secs_f64();
        let flights = self.flights.all();
        let range = lock(&self.forecast).range_s(self.threads);
        // What has taken long may take as long again.
        let oldest_s = flights.first().map_or(0.0, |flight| flight.begun.elapsed().as_secs_f64());
        let range = range.map(|(low, high)| (low, high.max(oldest_s)));
        // As much as until now, others will take off our hands.
        let share = if here > 0 { here as f64 / (here + elsewhere) as f64 } else { 1.0 };
        let longest = flights.first().map(|flight| {
            let task = &self.tasks[flight.task];
            LongestRun {
                key: task.key,
                what: what(&task.spec),
                running_s: flight.begun.elapsed().as_secs_f64(),
            }
        });
        self.tell(SweepEvent::Progress(Progress {
            done: here + elsewhere,
            total: self.tasks.len(),
            failed: count(&self.counts.failed),
            elsewhere,
            in_flight: flights.len(),
            runs_per_s: if elapsed_s > 0.0 { here as f64 / elapsed_s } else { 0.0 },
            eta_low_s: range.map(|(low, _)| low * share),
            eta_high_s: range.map(|(_, high)| high * share),
            longest,
        }));
    }
}

/// A run in a few words.
fn what(spec: &RunSpec) -> String {
    let case = &spec.case;
    let policy = format!("{:?}", case.policy);
    let policy = policy.split_whitespace().next().unwrap_or_default();
    let mut text = format!("{policy} on {}", source_name(spec));
    if let Some(load) = &case.workload.load {
        text += &format!(", load {}", load.target);
    }
    text + &format!(", replication {}", spec.replication)
}
