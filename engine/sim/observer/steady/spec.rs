//! What a steady-state measurement is to do.

use crate::cluster::machine::MachineSpec;
use serde::{Deserialize, Serialize};

/// How the steady state of a run is measured: its first jobs, as many as the workload says, while others go on arriving until the last of
/// them has ended. Their memory is that of `2 * batches` batches, whatever their number. *Assumption*: Jones et al. 2004
/// is silent; batch means are those of Law & Kelton, "Simulation Modeling and Analysis", 9.5.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Steady {
    /// How much of the beginning does not count.
    pub warm_up: WarmUp,
    /// At least so many batches of jobs are told apart, at most twice as many; 2 … [`Steady::MOST_BATCHES`].
    pub batches: u32,
    /// The run is *unstable*, and ends, once more jobs wait than this many per cluster (a machine without clusters is one); at least 1.
    pub backlog_cap: u32,
}

impl Steady {
    /// The most that `batches` may be: each batch takes a few hundred kilobytes.
    pub const MOST_BATCHES: u32 = 1024;

    /// So many jobs may wait on this machine.
    pub fn backlog(&self, machine: &MachineSpec) -> usize {
        self.backlog_cap as usize * machine.clusters() as usize
    }
}

impl Default for Steady {
    fn default() -> Self {
        Steady { warm_up: WarmUp::default(), batches: 32, backlog_cap: 300 }
    }
}

/// How much of the beginning of a run does not count, in whole batches of equally many arrivals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum WarmUp {
    /// As many batches, up to half of them, as make the standard error of the mean response over the rest smallest (White, "An Effective
    /// Truncation Heuristic for Bias Reduction in Simulation Output", Simulation 69(6), 1997). Ties cut less.
    #[default]
    Mser,
    /// This share of the batches, rounded to a whole number of them; 0 or more, below 1.
    Share(f64),
    /// Nothing is cut.
    Nothing,
}
