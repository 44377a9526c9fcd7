//! A case is one grid point; a run is a case with a replication.

use serde::{Deserialize, Serialize};
use sim::{AllocatorSpec, EstimateSource, MachineSpec, MeasureSpec, Passes, PolicySpec};
use workload::WorkloadSpec;

/// One grid point without its seed: everything that decides a result. New fields must be skipped when at their default, so
/// that old keys stay valid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The machine.
    pub machine: MachineSpec,
    /// The workload.
    pub workload: WorkloadSpec,
    /// The policy.
    pub policy: PolicySpec,
    /// The allocator.
    #[serde(default)]
    pub allocator: AllocatorSpec,
    /// Passes per instant.
    #[serde(default)]
    pub passes: Passes,
    /// The estimates that policies see.
    #[serde(default)]
    pub estimates: EstimateSource,
    /// What is measured.
    #[serde(default)]
    pub measure: MeasureSpec,
}

/// A case with its replication: the unit of work, and what a run key is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// The grid point.
    pub case: Case,
    /// Replication number from 0; a log has only number 0.
    pub replication: u32,
    /// The seed of all random streams: derived from the experiment's master seed and the replication alone, so that the same
    /// replication of every case sees the same jobs (common random numbers). 0 where nothing is random.
    pub seed: u64,
}
