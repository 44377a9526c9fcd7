//! What happens to jobs.

/// The order is that of the log within an instant; it is mostly, but not always, that in which things happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    Finish,
    /// It lost memory to another job and will run so many seconds longer.
    SwapOut,
    /// It runs and makes progress.
    Run,
    Preempt,
    /// It begins to load for so many seconds.
    Load,
}

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    pub at: i64,
    pub job: u64,
    pub what: What,
    /// Of loads and runs.
    pub nodes: Vec<usize>,
    /// Of loads and swaps; what is left to run when a job runs; else 0.
    pub seconds: i64,
}
