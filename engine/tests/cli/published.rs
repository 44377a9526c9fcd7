//! Published tables and settings from the experiment file to the pages that people read.

use crate::program::Folder;
use std::fs;
use table::Frame;

/// Two tables over the same runs, and claims under three settings.
const TABLES: &str = r#"(
    format: 1,
    name: "tables",
    study: "mine",
    title: "Published tables",
    source: "none",
    base: (
        machine: Flat(nodes: 64),
        workload: (source: LublinFeitelson(), jobs: Some(200), load: Some((target: 0.8))),
        policy: Fcfs,
    ),
    axes: {"policy": [Fcfs, Easy()], "load": [0.6, 0.8]},
    zip: [(
        name: "setting",
        labels: ["as is", "short bound", "late"],
        fields: {
            "bound_s": [10.0, 1.0, 10.0],
            "shadow?": [Placement, Placement, Count],
        },
    )],
    replications: 3,
    settings: ["setting"],
    claims: [
        (
            id: "T1",
            statement: "EASY shortens the wait by more than nothing.",
            source: "nowhere",
            modes: ["model"],
            predicates: [Value(
                value: Reduction(metric: "mean_wait_s", of: {"policy": "Easy"}, over: {"policy": "Fcfs"}),
                for_each: ["load"],
                above: 0.0,
            )],
        ),
        (
            id: "T2",
            statement: "All jobs are short.",
            source: "nowhere",
            predicates: [Value(
                value: Ratio(metric: "jobs[run_time <= 600 s]", over_metric: Some("jobs")),
                only: {"policy": "Easy"},
                for_each: ["load"],
                low: Some(1.0),
            )],
        ),
    ],
    tables: [(
        id: "table1",
        title: "Table 1: waits",
        source: "nowhere, Table 1",
        heading: "Load",
        only: {"setting": "as is"},
        scale: 100.0,
        unit: "%",
        columns: [
            (label: "Reduction", value: Reduction(metric: "mean_wait_s", of: {"policy": "Easy"}, over: {"policy": "Fcfs"})),
            (label: "Short jobs", value: Ratio(metric: "jobs[run_time <= 600 s]", over_metric: Some("jobs"), of: {"policy": "Fcfs"}, over: {"policy": "Fcfs"})),
        ],
        rows: [
            (label: "low", of: {"load": "0.6"}, published: ["50%", "64 %"]),
            (label: "high", of: {"load": "0.8"}, published: ["?!", ""]),
        ],
        marks: [(row: "high", column: "Reduction", mark: Illegible, reason: "a stain")],
    )],
    table_figures: [(
        id: "bars",
        title: "Reductions",
        tables: [("table1", "waits")],
        columns: [("Reduction", "EASY")],
        published: true,
        y_label: "reduction [%]",
    )],
    schedules: [
        (id: "day", title: "A day", only: {"policy": "Easy", "load": "0.80"}, to_s: Some(86400), colour: Wait),
        (id: "never", title: "Never", from_s: Some(1e9)),
    ],
    figures: [(
        id: "sizes",
        title: "Sizes",
        kind: Cumulative,
        x: "size",
        y: "jobs",
        y_label: "share of the jobs",
        series: ["load"],
        only: {"setting": "as is", "policy": "Fcfs"},
    )],
)"#;

#[test]
fn published_tables_are_measured_cell_by_cell() {
    let folder = Folder::new();
    folder.write("e.ron", TABLES);
    let called = folder.call("run e.ron").done();
    let page = fs::read_to_string(folder.path("results/mine/tables/tables/table1.md")).unwrap();
    for text in [
        "| Load |  | Reduction | Short jobs |",
        "| low | measured |",
        "| 50%",
        "(illegible)",
        "a stain",
        "n − 1",
    ] {
        assert!(page.contains(text), "{text} is not in\n{page}");
    }
    let cells = Frame::read_parquet(&folder.path("results/mine/tables/published.parquet")).unwrap();
    assert_eq!(cells.len(), 4);
    let measured = cells.real("measured").unwrap();
    let shares: Vec<f64> = [1, 3].iter().map(|row| measured[*row].unwrap()).collect();
    assert!(shares.iter().all(|share| (1.0..100.0).contains(share)), "{shares:?}");
    assert_eq!(cells.real("published").unwrap().to_vec(), [Some(50.0), Some(64.0), None, None]);
    let scorecard = fs::read_to_string(folder.path("results/scorecard.md")).unwrap();
    assert!(scorecard.contains("](mine/tables/tables/table1.md)"), "{scorecard}");
    assert!(called.out.contains("mine/tables/tables/table1.md: "), "{}", called.out);
    for figure in ["bars-model.svg", "sizes-model.svg", "day-model.svg"] {
        assert!(folder.path(&format!("results/mine/figures/{figure}")).is_file(), "{figure}");
    }
    let picture = fs::read_to_string(folder.path("results/mine/figures/day-model.svg")).unwrap();
    for text in ["A day", "mine/tables: ", "policy = Easy", "load = 0.8", "replication = 0"] {
        assert!(picture.contains(text), "{text} is not in the picture");
    }
    let warning = "the schedule `never` is not drawn: nothing happens in that time";
    assert!(called.err.contains(warning), "{}", called.err);
    let wrong = TABLES.replace("from_s: Some(1e9)", "only: {\"polcy\": \"Easy\"}");
    folder.write("wrong.ron", &wrong);
    folder.call("plan wrong.ron").refused(&["polcy"]);
    let again = folder.call("run e.ron").done();
    assert!(again.err.contains("up to date"), "{}", again.err);
    assert_eq!(again.out, called.out);
}

#[test]
fn claims_are_tested_under_each_setting_apart() {
    let folder = Folder::new();
    folder.write("e.ron", TABLES);
    let called = folder.call("run e.ron").done();
    assert!(called.out.contains("T1  model: 3 of 3 settings"), "{}", called.out);
    assert!(
        called.out.contains("T2  model: 0 of 3 settings; not in as is; short bound; late"),
        "{}",
        called.out
    );
    let claims = Frame::read_parquet(&folder.path("results/mine/tables/claims.parquet")).unwrap();
    assert_eq!(claims.len(), 2 * 3 * 2, "two claims, three settings, two loads");
    let page = fs::read_to_string(folder.path("results/mine/tables/tables/settings.md")).unwrap();
    for text in ["| short bound | ✓ | ✗ |", "| **holds in** | 3/3 | 0/3 |"] {
        assert!(page.contains(text), "{text} is not in\n{page}");
    }
}

#[test]
fn what_a_table_names_must_be_there() {
    let refused = |from: &str, to: &str, words: &[&str]| {
        assert!(TABLES.contains(from), "{from}");
        let folder = Folder::new();
        folder.write("e.ron", TABLES.replacen(from, to, 1));
        folder.call("plan e.ron").refused(words);
    };
    refused(
        "jobs[run_time <= 600 s]",
        "job[run_time <= 600 s]",
        &["unknown metric `job` of groups", "did you mean `jobs`?"],
    );
    refused("jobs[run_time <= 600 s]", "jobs[runtime <= 600 s]", &["jobs are not grouped by `runtime`"]);
    refused(
        "\"load\": \"0.6\"",
        "\"load\": \"0.7\"",
        &["the column `load` has no value `0.7`; known: 0.6, 0.8"],
    );
    refused(
        "only: {\"setting\": \"as is\"},\n        scale",
        "only: {\"seting\": \"as is\"},\n        scale",
        &["unknown column `seting`"],
    );
    refused(
        "[\"50%\", \"64 %\"]",
        "[\"50%\"]",
        &["the row `low` of table `table1` has 1 published cells for 2 columns"],
    );
    refused("\"64 %\"", "\"many\"", &["prints `many`, which is no number: add a mark that says why"]);
    refused(
        "marks: [(",
        "marks: [(row: \"hihg\", column: \"Reduction\", mark: Doubtful, reason: \"none\"), (",
        &["has no cell `hihg`, `Reduction` to mark"],
    );
    refused(
        "[(\"table1\", \"waits\")]",
        "[(\"table2\", \"waits\")]",
        &["there is no table `table2`; known: table1"],
    );
    refused("settings: [\"setting\"]", "settings: [\"set\"]", &["unknown column `set`"]);
    refused(
        "modes: [\"model\"]",
        "modes: [\"modle\"]",
        &["there is no mode `modle`; known: trace, twin, model"],
    );
    refused("\"shadow?\"", "\"shadow\"", &["policy Fcfs has no `shadow`"]);
    refused(
        "x: \"size\"",
        "x: \"sizes\"",
        &[
            "jobs are not grouped by `sizes`; known: run_time, coarse_run_time, size, memory, work, class, host",
        ],
    );
}
