//! The command line's contract.

mod bad_input;
mod dictionary;
mod disks;
mod explain;
mod gantt;
#[cfg(unix)]
mod interrupts;
mod language;
mod limits;
mod packaging;
mod provenance;
mod published;
mod report;
mod result_sets;
mod schedules;
mod shards;
#[cfg(unix)]
mod slurm;
mod status;
mod store;
mod streams;
mod sweeps;
mod traces;

/// Four jobs whose schedules on four nodes are easily found by hand; the second job needs the whole machine.
pub const LOG: &str = "\
; Version: 2.2
; MaxProcs: 4
1 0 -1 10 2 -1 -1 2 10 -1 1 -1 -1 -1 -1 -1 -1 -1
2 1 -1 10 4 -1 -1 4 12 -1 1 -1 -1 -1 -1 -1 -1 -1
3 2 -1 5 2 -1 -1 2 5 -1 1 -1 -1 -1 -1 -1 -1 -1
4 3.5 -1 20 2 -1 -1 2 20 -1 1 -1 -1 -1 -1 -1 -1 -1
";

/// A small grid of twelve quick runs with a claim and a figure.
pub const EXPERIMENT: &str = r#"(
    format: 1,
    name: "quick",
    study: "mine",
    title: "A quick grid",
    source: "none",
    base: (
        machine: Flat(nodes: 64),
        workload: (source: LublinFeitelson(), jobs: Some(200), load: Some((target: 0.8))),
        policy: Fcfs,
    ),
    axes: {
        "policy": [Fcfs, Easy()],
        "load": [0.6, 0.8],
    },
    exclude: [],
    replications: 3,
    comparisons: [(id: "gain", metrics: ["mean_wait_s"], baseline: {"policy": "Fcfs"})],
    claims: [(
        id: "C1",
        statement: "EASY waits less than FCFS.",
        source: "folklore",
        predicates: [Ordering(
            metric: "mean_wait_s",
            lower: {"policy": "Easy"},
            upper: {"policy": "Fcfs"},
            for_each: ["load"],
        )],
    )],
    figures: [(
        id: "waits",
        title: "Mean waits",
        kind: Lines,
        x: "load",
        y: "mean_wait_s",
        y_label: "mean wait, s",
        series: ["policy"],
    )],
)
"#;

/// Two runs: a quick one, and one that takes minutes because its queue grows without end. The quick one has fewer jobs.
pub const ENDLESS: &str = r#"(
    format: 1,
    name: "endless",
    study: "mine",
    title: "A run without end",
    source: "none",
    base: (
        machine: Flat(nodes: 64),
        workload: (source: LublinFeitelson(), jobs: Some(20), load: Some((target: 3.0))),
        policy: Priority(order: Arrival, reservations: All),
    ),
    axes: { "n_jobs": [20, 40000] },
    replications: 1,
)"#;
