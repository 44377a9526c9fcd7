//! What a sweep tells while it runs. The CLI turns it into bars, lines or JSON.

use crate::RunKey;
use serde::Serialize;

/// One thing that happened. As JSON: an object whose `event` names it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SweepEvent {
    /// What is to be done is known.
    Planned {
        /// Runs in the grid.
        runs: usize,
        /// Of these, answered by the store.
        cached: usize,
        /// Of these, failed before and not to be run again.
        failed: usize,
        /// Of these, to be run.
        missing: usize,
        /// Expected work of the missing runs in seconds of one thread, where earlier runs allow a guess.
        expected_s: Option<f64>,
    },
    /// A workload was generated or read.
    WorkloadReady {
        /// Its source.
        source: String,
        /// Runs that need it.
        runs: usize,
        /// Memory it takes.
        bytes: usize,
    },
    /// A run begins.
    RunStarted {
        /// Its key.
        key: RunKey,
    },
    /// A run has ended.
    RunFinished {
        /// Its key.
        key: RunKey,
        /// Whether it has an outcome.
        ok: bool,
        /// Why it has none.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// Seconds it took.
        wall_s: f64,
    },
    /// A run, or the making of its jobs, has failed and is tried again.
    RunRetried {
        /// Its key.
        key: RunKey,
        /// Which further attempt comes now, from 1.
        attempt: u32,
        /// Why the last one failed.
        message: String,
    },
    /// How far it is; every second, and once in the end.
    Progress(Progress),
    /// Rows are safe on disk.
    Flushed {
        /// How many.
        rows: usize,
    },
    /// Something to know that stops nothing.
    Warning {
        /// What.
        text: String,
    },
    /// The sweep is over.
    Finished(ExecutionSummary),
}

/// How far a sweep is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// Runs that need no more work: carried out, or answered by other processes since it was planned.
    pub done: usize,
    /// Runs that were to be done.
    pub total: usize,
    /// Of those done, without an outcome.
    pub failed: usize,
    /// Of those done, answered by other processes.
    pub elsewhere: usize,
    /// Runs that are being carried out.
    pub in_flight: usize,
    /// Runs that this process has carried out per second.
    pub runs_per_s: f64,
    /// The least and the most that it will take from now, in seconds; nothing before the first run is over.
    pub eta_low_s: Option<f64>,
    /// See `eta_low_s`.
    pub eta_high_s: Option<f64>,
    /// The run that has been in flight for the longest time.
    pub longest: Option<LongestRun>,
}

/// The run that has been in flight for the longest time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LongestRun {
    /// Its key.
    pub key: RunKey,
    /// What it is, in a few words.
    pub what: String,
    /// For how many seconds.
    pub running_s: f64,
}

/// How a sweep ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExecutionSummary {
    /// Runs with an outcome.
    pub ok: usize,
    /// Runs without one.
    pub failed: usize,
    /// Runs that other processes have answered meanwhile.
    pub elsewhere: usize,
    /// Runs that were not begun or not finished, because the sweep was stopped.
    pub left: usize,
    /// Whether it was stopped from outside.
    pub interrupted: bool,
}
