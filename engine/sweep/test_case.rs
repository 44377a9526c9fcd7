//! Cases and tasks for tests.
#![allow(clippy::unwrap_used)]

use crate::{Case, KeyMaker, RunSpec, Task};
use sim::metrics::{GroupMetrics, Metrics};
use sim::{MachineSpec, Outcome};
use workload::{Source, Variant};

/// A small case on a generated workload.
pub fn case() -> Case {
    let mut case = Case::of_source(Source::LublinFeitelson { variant: Variant::Single, medium_offset: 2.5 });
    case.machine = MachineSpec::Flat { nodes: 64 };
    case.workload.jobs = Some(100);
    case
}

/// The small case with so many nodes, as a task of replication `replication`.
pub fn task(nodes: u32, replication: u32) -> Task {
    let case = Case { machine: MachineSpec::Flat { nodes }, ..case() };
    KeyMaker::new(|_| Ok(None))
        .task(RunSpec { case: case.into(), replication, seed: u64::from(replication) + 7 })
        .unwrap()
}

/// An outcome of 100 jobs, all other metrics derived from `value`, one of them missing.
pub fn outcome(value: f64) -> Outcome {
    let mut metrics: Vec<Option<f64>> = (0..Metrics::NAMES.len()).map(|n| Some(value + n as f64)).collect();
    metrics[0] = Some(100.0);
    metrics[3] = None;
    // A stable run.
    let unstable = Metrics::NAMES.iter().position(|name| *name == "unstable_at_s");
    if let Some(at) = unstable {
        metrics[at] = None;
    }
    let group = |grouping: &str, group: &str| GroupMetrics {
        grouping: grouping.into(),
        group: group.into(),
        values: (0..GroupMetrics::NAMES.len()).map(|n| (n != 2).then_some(value * n as f64)).collect(),
    };
    Outcome { metrics: Metrics(metrics), groups: vec![group("run_time", "<= 600 s"), group("size", "> 64")] }
}
