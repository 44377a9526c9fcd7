//! Workloads without end: runs that hold no jobs, runs that are unstable, and what is refused.

use crate::program::Folder;
use serde_json::Value;
use table::Frame;

/// One of the two loads is more than the machine can do.
const STREAM: &str = r#"(
    format: 1,
    name: "stream",
    study: "mine",
    title: "A stream",
    source: "nowhere",
    base: (
        machine: Flat(nodes: 2),
        workload: (source: Poisson(smallest: 1, largest: 1), jobs: 3000),
        policy: Fcfs,
        measure: (steady: Some((backlog_cap: 50))),
    ),
    axes: {"arrival_load": [0.5, 0.7, 1.5]},
    replications: 2,
    claims: [
        (
            id: "S1",
            statement: "More load, more response.",
            source: "queueing theory",
            predicates: [
                Ordering(metric: "mean_response_s", lower: {"arrival_load": "0.5"}, upper: {"arrival_load": "0.7"}),
                Ordering(metric: "mean_response_s", lower: {"arrival_load": "0.7"}, upper: {"arrival_load": "1.5"}),
            ],
        ),
    ],
    figures: [
        (id: "responses", title: "Responses", kind: Lines, x: "arrival_load", y: "mean_response_s", y_label: "s", series: []),
    ],
)
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("s.ron", STREAM);
    folder
}

#[test]
fn an_unstable_run_is_an_answer() {
    let folder = folder();
    let answer = folder.call("run s.ron").done();
    assert!(answer.out.contains("holds"), "{}", answer.out);
    assert!(answer.out.lines().all(|line| line.chars().count() <= 80), "{}", answer.out);

    let runs = Frame::read_parquet(&folder.path("results/mine/stream/runs.parquet")).unwrap();
    let status: Vec<&str> =
        runs.text("status").unwrap().iter().map(|cell| cell.as_deref().unwrap()).collect();
    assert_eq!(status, ["ok", "ok", "ok", "ok", "unstable", "unstable"]);
    let message = runs.text("message").unwrap()[4].as_deref().unwrap();
    assert!(message.starts_with("more than 50 jobs wait at "), "{message}");
    assert_eq!(runs.text("message").unwrap()[0], None);
    let metric = |name: &str| runs.real(name).unwrap().into_owned();
    assert!(metric("unstable_at_s")[4].unwrap() > 1.0 && metric("unstable_at_s")[0].is_none());
    assert_eq!(metric("mean_response_s")[4], None);
    assert!(metric("response_half_width_s")[0].unwrap() > 0.0);
    assert_eq!(metric("jobs")[0].unwrap() + metric("warm_up_jobs")[0].unwrap(), 3000.0);

    let summary = Frame::read_parquet(&folder.path("results/mine/stream/summary.parquet")).unwrap();
    let rows = summary.filter(&[("metric".to_owned(), "mean_response_s".to_owned())].into()).unwrap();
    let unstable: Vec<i64> = rows.iter().map(|row| summary.int("unstable").unwrap()[*row].unwrap()).collect();
    assert_eq!(unstable, [0, 0, 2]);
    let means: Vec<bool> = rows.iter().map(|row| summary.real("mean").unwrap()[*row].is_some()).collect();
    assert_eq!(means, [true, true, false]);

    let claims = Frame::read_parquet(&folder.path("results/mine/stream/claims.parquet")).unwrap();
    let cell = |name: &str, row: usize| claims.text(name).unwrap()[row].as_deref().unwrap().to_owned();
    assert_eq!([cell("verdict", 0), cell("verdict", 1)], ["holds", "holds"]);
    assert!(
        cell("reason", 1).contains("a run is unstable; so in 2 of 2 replications"),
        "{}",
        cell("reason", 1)
    );
    assert_eq!(claims.real("measured").unwrap()[1], None);
    let figure = folder.read("results/mine/figures/responses-model.svg");
    assert!(figure.contains("unstable"), "the legend says what the arrow is");

    // It is answered, and nothing is wrong with it.
    let again = folder.call("run s.ron").done();
    assert!(again.err.contains("all 6 runs answered by the store"), "{}", again.err);
    assert_eq!(again.out, answer.out);
    let status: Value = serde_json::from_str(&folder.call("status s.ron --json").done().out).unwrap();
    assert_eq!([&status["ok"], &status["failed"]], [6, 0]);
}

#[test]
fn a_stream_is_drawn_without_end_and_its_first_jobs_can_be_looked_at() {
    let folder = folder();
    let log = folder.call("workload generate poisson --nodes 100 --n-jobs 50 --seed 3 -o -").done().out;
    assert_eq!(log.lines().filter(|line| !line.starts_with(';')).count(), 50);
    folder.call("workload generate poisson --nodes 100 -o -").refused(&["without end", "--n-jobs"]);
    // The same jobs, simulated to the end of the last.
    let first = folder
        .call("simulate --model poisson --nodes 100 --n-jobs 50 --seed 3 --policy fcfs --jobs-out -")
        .done();
    assert_eq!(first.out.lines().count(), 51);
    folder.write(
        "case.ron",
        "(machine: Flat(nodes: 100), workload: (source: Poisson(), jobs: 2000), policy: Fcfs, measure: (steady: Some(())))",
    );
    let metrics = folder.call("simulate --case case.ron --seed 3 --metrics-out -").done().out;
    let metrics: Value = serde_json::from_str(&metrics).unwrap();
    assert!(metrics["response_half_width_s"].as_f64().is_some() && metrics["makespan_s"].is_null());
    folder.call("simulate --case case.ron --load 0.5").refused(&["simulated as it is drawn", "arrival_load"]);
}

#[test]
fn what_a_stream_cannot_have_is_refused_before_the_first_run() {
    let folder = folder();
    let refused = |from: &str, to: &str, parts: &[&str]| {
        assert!(STREAM.contains(from));
        folder.write("t.ron", STREAM.replace(from, to));
        folder.call("plan t.ron").refused(parts);
    };
    refused(", jobs: 3000", "", &["without end", "how many are measured"]);
    refused("measure: (steady: Some((backlog_cap: 50))),", "", &["without end", "steady"]);
    refused("jobs: 3000", "jobs: 3000, load: Some((target: 0.9))", &["`load`", "arrival_load"]);
    refused("jobs: 3000", "jobs: 3000, speedup: 0.2", &["`speedup`", "mean_run_time_s"]);
    refused("jobs: 3000", "jobs: 3000, moldable: Some(Downey())", &["`moldable`", "as it is drawn"]);
    refused("jobs: 3000", "jobs: 3000, requested: B", &["`requested`", "as it is drawn"]);
    refused("jobs: 3000", "jobs: 3000, memory: Some(Drawn())", &["`memory_model`", "as it is drawn"]);
    refused("largest: 1", "largest: 3", &["up to 3 nodes", "a job can have 2"]);
    refused("backlog_cap: 50", "backlog_cap: 0", &["backlog"]);
    refused("backlog_cap: 50", "batches: 1", &["batches"]);
    refused("backlog_cap: 50", "warm_up: Share(1.5)", &["1.5"]);
    refused("steady:", "submitted_from_s: Some(5.0), steady:", &["submitted_from_s", "steady state"]);
}
