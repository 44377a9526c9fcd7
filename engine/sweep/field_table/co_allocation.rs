//! Fields of the policy `CoAllocation`.

use super::part;
use crate::check;
use crate::field::{Field, FieldKind, Shape};
use sim::PolicySpec;

pub(super) static ROWS: &[Field] = &[
    Field {
        name: "sharing",
        path: "policy.sharing",
        kind: FieldKind::Text,
        values: "Nothing, Migration or Splitting",
        unit: "",
        default: "Splitting",
        doc: "What clusters of a mini-grid do for each other's jobs: nothing, run them wholly, or also run parts of them; of CoAllocation.",
        source: "Jones 2004, Job Scheduling",
        stage: 1,
        shape: Shape::Free,
        access: part!(check::anything, "policy", policy, PolicySpec::CoAllocation { sharing, .. } => sharing),
    },
    Field {
        name: "queue",
        path: "policy.queue",
        kind: FieldKind::Text,
        values: "Scan, Strict or StrictPerCluster",
        unit: "",
        default: "Scan",
        doc: "How far the list of waiting jobs is walked: to its end, to the first that does not fit, or for each home to its first that does not; of CoAllocation.",
        source: "assumption: Jones 2004 says FCFS Scan",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::anything, "policy", policy, PolicySpec::CoAllocation { queue, .. } => queue),
    },
    Field {
        name: "pick",
        path: "policy.pick",
        kind: FieldKind::Text,
        values: "FirstCome or LargestFits",
        unit: "",
        default: "FirstCome",
        doc: "Which of the jobs that fit starts; LargestFits needs the queue Scan; of CoAllocation.",
        source: "assumption: Jones 2004 says Best Fit",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::anything, "policy", policy, PolicySpec::CoAllocation { pick, .. } => pick),
    },
    Field {
        name: "home_first",
        path: "policy.home_first",
        kind: FieldKind::Text,
        values: "true or false",
        unit: "",
        default: "true",
        doc: "Whether a job runs at home wherever it fits there, else where it fits best; of CoAllocation.",
        source: "assumption: Jones 2004 is silent",
        stage: 1,
        shape: Shape::Free,
        access: part!(check::anything, "policy", policy, PolicySpec::CoAllocation { home_first, .. } => home_first),
    },
    Field {
        name: "split",
        path: "policy.split",
        kind: FieldKind::Text,
        values: "LargestThenBestFit, LargestFirst, FewestIdle or Even",
        unit: "",
        default: "LargestThenBestFit",
        doc: "Which clusters a split job gets nodes of; of CoAllocation.",
        source: "assumption: Jones 2004 is silent",
        stage: 1,
        shape: Shape::Free,
        access: part!(check::anything, "policy", policy, PolicySpec::CoAllocation { split, .. } => split),
    },
];
