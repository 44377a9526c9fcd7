//! Fields of the policy `ClassPriority`.

use super::part;
use crate::check;
use crate::field::{Field, FieldKind, Shape};
use sim::PolicySpec;
use sim::policy::class_priority::{SizeClass, TimeClass};

/// vst, st, mt and lt as they are by default.
const TIME_CLASSES: &str = "[(name: \"vst\", up_to_s: 18000, drain_after_s: 43200, goes_first: true), (name: \"st\", up_to_s: 180000, drain_after_s: 162000), (name: \"mt\", up_to_s: 720000, drain_after_s: 648000, at_most: 48), (name: \"lt\", up_to_s: 1440000, drain_after_s: 1296000, at_most: 20)]";
/// sj, mj and lj as they are by default.
const SIZE_CLASSES: &str = "[(name: \"sj\", processors: 8, memory_mb: 2048), (name: \"mj\", processors: 16, memory_mb: 4096), (name: \"lj\", processors: 64, memory_mb: 16384)]";

pub(super) static ROWS: &[Field] = &[
    Field {
        name: "time_classes",
        path: "policy.time_classes",
        kind: FieldKind::List,
        values: "a list of (name: .., up_to_s: S, drain_after_s: Some(S), at_most: Some(N), goes_first: ..)",
        unit: "",
        default: TIME_CLASSES,
        doc: "Classes of requested run times, shortest first: how many of its jobs run at a time, after what wait a host is drained for one, whether they go first; of ClassPriority.",
        source: "Chiang 2001, Tables 3 and 4",
        stage: 1,
        shape: Shape::Value,
        access: part!(|classes: &Vec<TimeClass>| check::time_classes(classes), "policy", policy, PolicySpec::ClassPriority { time_classes, .. } => time_classes),
    },
    Field {
        name: "job_size_classes",
        path: "policy.size_classes",
        kind: FieldKind::List,
        values: "a list of (name: .., processors: N, memory_mb: M)",
        unit: "",
        default: SIZE_CLASSES,
        doc: "Classes of sizes, smallest first, of which the largest goes first; 1 MB = 1024 kB; of ClassPriority.",
        source: "Chiang 2001, Table 3",
        stage: 1,
        shape: Shape::Value,
        access: part!(|classes: &Vec<SizeClass>| check::job_size_classes(classes), "policy", policy, PolicySpec::ClassPriority { size_classes, .. } => size_classes),
    },
    Field {
        name: "host_limits",
        path: "policy.host_limits",
        kind: FieldKind::List,
        values: "a list of (host: .., at_most: [(\"size class\", N), ..])",
        unit: "",
        default: "[]",
        doc: "How many jobs of a size class a host runs at a time, 0: none ever; without limit where not given; of ClassPriority.",
        source: "Chiang 2001, Table 4",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::anything, "policy", policy, PolicySpec::ClassPriority { host_limits, .. } => host_limits),
    },
    Field {
        name: "drain_seed",
        path: "policy.drain_seed",
        kind: FieldKind::Int,
        values: "a whole number, 0 or more",
        unit: "",
        default: "0",
        doc: "Seed of the draws of hosts that are drained; of ClassPriority.",
        source: "Chiang 2001, 3.1 (randomly chosen host)",
        stage: 1,
        shape: Shape::Free,
        access: part!(check::anything, "policy", policy, PolicySpec::ClassPriority { drain_seed, .. } => drain_seed),
    },
];
