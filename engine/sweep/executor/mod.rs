//! Executes runs on all cores and brings their rows to the store, next to other processes that do the same.

mod again;
mod backlog;
mod cost;
mod flight;
mod forecast;
mod keeper;
mod kept;
mod memory;
mod order;
mod queue;
mod shared;
mod simulator;
mod stop;
mod sweep;
mod watch;

pub use again::carry_out;
pub use cost::{CostModel, cost_class};
pub use memory::resident;
pub use simulator::{RunJobs, Simulator};
pub use stop::{Halt, StopFlag};

use crate::error::SweepError;
use crate::store::{Store, StoreWriter};
use crate::{ExecutionSummary, RunKey, RunSpec, Shard, SweepEvent, Task};
use sim::Outcome;
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// What carries out a run. The sweep knows only this; [`Simulator`] is the real one.
pub trait Runner: Sync {
    /// Jobs that several runs may share.
    type Workload: Send + Sync;

    /// Makes the jobs of a run. Runs that agree in workload, nodes and seed get the same.
    ///
    /// # Errors
    /// Why it cannot; every run that needs them fails with this message.
    fn build(&self, spec: &RunSpec) -> Result<Self::Workload, String>;

    /// Memory that the jobs take, in bytes.
    fn bytes(&self, workload: &Self::Workload) -> usize;

    /// Runs. The result must depend on the specification and the jobs alone. `halt` is to be asked often, and the run given up
    /// once it says so.
    ///
    /// # Errors
    /// Why the run has no outcome.
    fn run(&self, spec: &RunSpec, workload: &Self::Workload, halt: &Halt) -> Result<Outcome, Unfinished>;

    /// Memory that the jobs of a run will take at least, in bytes, as far as that is known before they are made.
    fn foreseen_bytes(&self, _spec: &RunSpec) -> usize {
        0
    }

    /// Gives back the memory that is kept for later runs.
    fn forget(&self) {}

    /// Memory that the process takes, in bytes; `None` where the system does not tell.
    fn resident(&self) -> Option<u64> {
        resident()
    }
}

/// Why a run has no outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// It was given up because it was asked to.
    Halted,
    /// It failed with this message.
    Failed(String),
}

/// How to execute; no option can change a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecuteOptions {
    /// Worker threads; one per core where absent.
    pub jobs: Option<usize>,
    /// Whether the first failed run ends the sweep.
    pub fail_fast: bool,
    /// How often a run or a workload that failed is tried again before it counts as failed.
    pub retries: u32,
    /// The longest that a run may take; then it counts as failed.
    pub run_timeout: Option<Duration>,
    /// Bytes that the process should not exceed.
    pub max_memory: Option<u64>,
    /// When the sweep must be over: runs that are expected to take longer than until then are not begun.
    pub deadline: Option<Instant>,
    /// Which part of the runs is done first; the others when these are done.
    pub shard: Option<Shard>,
    /// Any number that is another one in another process.
    pub salt: u64,
    /// Bytes that workloads in memory should not exceed; one is always allowed.
    pub memory_budget: usize,
    /// Rows that are written at once.
    pub flush_rows: usize,
    /// The longest that a row waits to be written.
    pub flush_interval: Duration,
    /// Between two reports of progress.
    pub progress_interval: Duration,
}

impl Default for ExecuteOptions {
    fn default() -> Self {
        ExecuteOptions {
            jobs: None,
            fail_fast: false,
            retries: 0,
            run_timeout: None,
            max_memory: None,
            deadline: None,
            shard: None,
            salt: 0,
            memory_budget: 2 << 30,
            flush_rows: 500,
            flush_interval: Duration::from_secs(5),
            progress_interval: Duration::from_secs(1),
        }
    }
}

impl ExecuteOptions {
    /// Bytes that workloads in memory should not exceed: half of what the process may take.
    fn workload_budget(&self) -> usize {
        let half = self.max_memory.map(|bytes| usize::try_from(bytes / 2).unwrap_or(usize::MAX));
        half.map_or(self.memory_budget, |half| half.min(self.memory_budget))
    }
}

/// Runs the tasks, longest expected first, and writes their rows. A task that occurs twice is run once. A run that fails or
/// panics becomes a failed row, and the others go on. A task that another process answers meanwhile is not begun, unless it
/// had failed before and has failed again. With a shard, runs of other shards are begun when the own ones are done. In the end
/// `store` holds all rows.
///
/// # Errors
/// Where rows cannot be written (what was flushed before stays), or threads cannot be started.
pub fn execute<R: Runner>(
    tasks: Vec<Task>,
    runner: &R,
    writer: &StoreWriter,
    store: &mut Store,
    options: &ExecuteOptions,
    on_event: &(dyn Fn(SweepEvent) + Sync),
    stop: &StopFlag,
) -> Result<ExecutionSummary, SweepError> {
    sweep::execute(distinct(tasks), runner, writer, store, options, on_event, stop)
}

fn distinct(mut tasks: Vec<Task>) -> Vec<Task> {
    let mut seen: HashSet<RunKey> = HashSet::with_capacity(tasks.len());
    tasks.retain(|task| seen.insert(task.key));
    tasks
}

#[cfg(test)]
mod company_tests;
#[cfg(test)]
mod limits_tests;
#[cfg(test)]
mod tests;
