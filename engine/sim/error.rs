//! What can go wrong in one run.

use crate::time::Time;
use thiserror::Error;

/// Why a simulation could not be run or finished.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SimError {
    /// The machine's numbers make no sense.
    #[error("bad machine: {reason}")]
    Machine {
        /// What is wrong.
        reason: String,
    },
    /// The policy's or allocator's parameters make no sense, or do not fit the machine.
    #[error("bad setup: {reason}")]
    Setup {
        /// What is wrong, and what would do.
        reason: String,
    },
    /// The workload holds a job the kernel cannot take.
    #[error("job {job}: {reason}")]
    BadJob {
        /// The job's number.
        job: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// Jobs wait, but no event is left that could start them.
    #[error("{policy} stalled at {now}: {waiting} jobs wait (first: job {first}), and no event is left")]
    Stalled {
        /// The policy's name.
        policy: &'static str,
        /// When.
        now: Time,
        /// How many jobs wait or are suspended.
        waiting: usize,
        /// The number of the first of them in arrival order.
        first: u64,
    },
    /// The policy goes on and on, but no job ends.
    #[error("{policy} makes no headway at {now}: {passes} passes since a job last came or went")]
    NoHeadway {
        /// The policy's name.
        policy: &'static str,
        /// When.
        now: Time,
        /// Passes since the last submission or end.
        passes: u64,
    },
    /// An observer asked the run to end.
    #[error("stopped at {now}")]
    Stopped {
        /// When, in the time of the simulation.
        now: Time,
    },
    /// A policy asked for something that its verbs do not allow.
    #[error("{policy} did something illegal with job {job} at {now}: {reason}")]
    Illegal {
        /// The policy's name.
        policy: &'static str,
        /// The job's number.
        job: u64,
        /// When.
        now: Time,
        /// What was wrong.
        reason: &'static str,
    },
}
