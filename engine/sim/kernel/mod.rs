//! The event loop and the only mutable door to it.

mod event;
mod links;
mod loading;
mod malleable;
mod moldable;
mod pass;
mod run;
mod state;
mod test_run;

pub use pass::Pass;
pub use run::{RunReport, simulate, simulate_with};
pub use state::{Entry, Phase};
pub use test_run::TestRun;

use crate::{AllocatorSpec, MachineSpec, MemorySpec, PolicySpec};
use serde::{Deserialize, Serialize};

/// How many scheduling passes an instant gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Passes {
    /// One pass per instant, after all its finishes, then all its submissions.
    #[default]
    PerInstant,
    /// One pass per event, submissions before finishes at the same instant (the habit of pyss and other simulators).
    PerEvent,
}

/// Which estimate policies see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EstimateSource {
    /// The requested time.
    #[default]
    Requested,
    /// The actual run time: perfect estimates.
    Actual,
}

/// Everything but the jobs that decides a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The machine.
    pub machine: MachineSpec,
    /// The policy.
    pub policy: PolicySpec,
    /// The allocator.
    pub allocator: AllocatorSpec,
    /// The memory of every node; absent: unlimited, and jobs run as soon as they start.
    pub memory: Option<MemorySpec>,
    /// Passes per instant.
    pub passes: Passes,
    /// Estimates seen.
    pub estimates: EstimateSource,
}
