//! The parameters of co-allocation. The slides name schemes and policies; these are readings of them.

use crate::error::SimError;
use crate::policy::PolicySpec;
use serde::{Deserialize, Serialize};

/// All parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What clusters do for each other's jobs.
    pub sharing: Sharing,
    /// How far the list is walked.
    pub queue: QueueRule,
    /// Which of the jobs that fit starts.
    pub pick: Pick,
    /// Whether a job runs at home wherever it fits there.
    pub home_first: bool,
    /// Which clusters a split job gets nodes of.
    pub split: SplitRule,
}

impl Settings {
    /// Those of a specification.
    ///
    /// # Errors
    /// [`SimError::Setup`] where it is not one of co-allocation, or as for [`check`](super::check).
    pub fn of(spec: &PolicySpec) -> Result<Settings, SimError> {
        let &PolicySpec::CoAllocation { sharing, queue, pick, home_first, split } = spec else {
            return Err(SimError::Setup { reason: "this policy does not co-allocate".into() });
        };
        super::check(queue, pick)?;
        Ok(Settings { sharing, queue, pick, home_first, split })
    }
}

/// What clusters do for each other's jobs. Source: Jones et al. 2004, "Job Scheduling" and "Simulation".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sharing {
    /// Nothing: a job runs on its home cluster ("no sharing").
    Nothing,
    /// A job may run wholly on another cluster ("migration only").
    Migration,
    /// A job that no cluster can hold may also be split over several ("co-allocation").
    #[default]
    Splitting,
}

/// How far the list of waiting jobs is walked. *Assumption*: the slides say "FCFS Scan".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueueRule {
    /// To its end; every job that fits starts.
    #[default]
    Scan,
    /// To the first job that does not fit; without sharing, of each home.
    Strict,
    /// For each home to its first job that does not fit.
    StrictPerCluster,
}

/// Which of the jobs that fit starts. *Assumption*: the slides list "Best Fit" beside "FCFS Scan" and do not say what fits what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pick {
    /// The first of the list.
    #[default]
    FirstCome,
    /// The largest; ties: the first of the list.
    LargestFits,
}

/// Which clusters a split job gets nodes of; ties: the lower number. *Assumption*: the slides are silent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SplitRule {
    /// All of the cluster with the most free nodes until one can hold the rest; of those the one with the fewest.
    #[default]
    LargestThenBestFit,
    /// The clusters with the most free nodes.
    LargestFirst,
    /// The clusters with the fewest free nodes, but some.
    FewestIdle,
    /// The fewest clusters that can do it, in equal parts as far as they have the nodes.
    Even,
}
