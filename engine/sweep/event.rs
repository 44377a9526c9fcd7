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

/// How a sweep ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExecutionSummary {
    /// Runs with an outcome.
    pub ok: usize,
    /// Runs without one.
    pub failed: usize,
    /// Runs that were not begun, because the sweep was stopped.
    pub left: usize,
    /// Whether it was stopped from outside.
    pub interrupted: bool,
}
