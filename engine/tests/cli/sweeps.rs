//! `plan`, `run`, `reproduce`.

use super::EXPERIMENT;
use crate::program::{Answer, Folder};
use serde_json::Value;
use std::process::Stdio;
use table::Frame;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder
}

fn plan(folder: &Folder, rest: &str) -> Value {
    let out = folder.call(&format!("plan e.ron --json {rest}")).done().out;
    assert_eq!(out.lines().count(), 1);
    serde_json::from_str(&out).unwrap()
}

/// The tables, figures and scorecard below `out`, without the store.
fn results(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.starts_with("results/")).collect()
}

#[test]
fn a_sweep_is_planned_run_and_not_run_again() {
    let folder = folder();
    let before = plan(&folder, "");
    assert_eq!([&before["runs"], &before["cached"], &before["missing"]], [12, 0, 12]);
    assert_eq!(before["expected_s"], Value::Null);
    assert_eq!(folder.names(), ["e.ron"], "planning writes nothing");

    let first = folder.call("run e.ron").done();
    assert!(first.out.starts_with("Scorecard: mine"), "{}", first.out);
    assert!(first.out.contains("EASY waits less than FCFS.") && first.out.contains("holds"), "{}", first.out);
    assert!(first.out.lines().all(|line| line.chars().count() <= 80), "{}", first.out);
    let tables = ["claims", "comparisons", "groups", "published", "runs", "summary"];
    let mut expected: Vec<String> =
        tables.iter().map(|table| format!("results/mine/quick/{table}.parquet")).collect();
    expected.extend(
        [
            "results/",
            "results/mine/",
            "results/mine/figures/",
            "results/mine/figures/waits-model.svg",
            "results/mine/quick/",
            "results/mine/quick/manifest.json",
            "results/scorecard.md",
        ]
        .map(str::to_owned),
    );
    expected.sort();
    assert_eq!(results(&folder), expected);
    let runs = Frame::read_parquet(&folder.path("results/mine/quick/runs.parquet")).unwrap();
    assert_eq!(runs.len(), 12);
    assert!(runs.metadata["experiment_hash"].starts_with("blake3:"));

    let store: Vec<String> =
        folder.names().into_iter().filter(|name| name.starts_with(".backsweep")).collect();
    let bytes = std::fs::read(folder.path("results/mine/quick/summary.parquet")).unwrap();
    let second = folder.call("run e.ron").done();
    assert_eq!(second.out, first.out);
    assert!(second.err.contains("all 12 runs answered by the store; nothing to run"), "{}", second.err);
    let after: Vec<String> =
        folder.names().into_iter().filter(|name| name.starts_with(".backsweep")).collect();
    assert_eq!(store, after, "the store has not grown");
    assert_eq!(std::fs::read(folder.path("results/mine/quick/summary.parquet")).unwrap(), bytes);

    let planned = plan(&folder, "--set load=0.6,0.9");
    assert_eq!([&planned["runs"], &planned["cached"], &planned["missing"]], [12, 6, 6]);
    assert!(planned["expected_s"].as_f64().unwrap() > 0.0);
    let text = folder.call("plan e.ron").done().out;
    assert!(text.contains("mine/quick") && text.contains("nothing to run"), "{text}");
}

#[test]
fn options_of_a_run() {
    let folder = folder();
    let line = "run e.ron --set 'policy=Easy()' --set replications=1 --jobs 1 --out out --store kept --progress none";
    let answer = folder.call(line).done();
    let runs = Frame::read_parquet(&folder.path("out/mine/quick/runs.parquet")).unwrap();
    assert_eq!(runs.len(), 2);
    assert!(folder.path("kept").is_dir() && !folder.path(".backsweep").exists());
    // The claim needs the policy that was set aside.
    assert!(answer.out.contains("cannot be tested"), "{}", answer.out);
}

#[test]
fn progress_can_be_json() {
    let folder = folder();
    let answer = folder.call("run e.ron --progress json").done();
    let events: Vec<Value> = answer.err.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let number = |name: &str| events.iter().filter(|event| event["event"] == name).count();
    assert_eq!((number("planned"), number("run_finished"), number("finished")), (1, 12, 1));
    assert_eq!(events[0]["missing"], 12);
}

#[test]
fn quiet_means_quiet() {
    let folder = folder();
    let answer = folder.call("run e.ron -q").done();
    assert_eq!(answer.err, "");
    assert!(answer.out.starts_with("Scorecard"));
    let colored = folder.call("run e.ron -q --color always").done();
    assert!(colored.out.contains("\x1b["));
}

#[test]
fn failed_runs_are_rows_and_exit_code_1() {
    let folder = Folder::new();
    // Two jobs at one instant have no load that could be scaled, and one of the two cases asks for that.
    let job = |n| format!("{n} 0 -1 10 2 -1 -1 2 10 -1 1 -1 -1 -1 -1 -1 -1 -1\n");
    folder.write("log.swf", job(1) + &job(2));
    let experiment = EXPERIMENT
        .replace(
            "source: LublinFeitelson(), jobs: Some(200), load: Some((target: 0.8))",
            "source: File(path: \"log.swf\")",
        )
        .replace("[0.6, 0.8]", "[None, 0.8]");
    folder.write("e.ron", experiment);
    let answer = folder.call("run e.ron");
    assert_eq!(answer.code, Some(1), "{}", answer.err);
    assert!(answer.err.contains("2 runs failed"), "{}", answer.err);
    assert!(answer.err.contains("all jobs are submitted at the same instant"), "{}", answer.err);
    let runs = Frame::read_parquet(&folder.path("results/mine/quick/runs.parquet")).unwrap();
    let failed =
        runs.text("status").unwrap().iter().filter(|status| status.as_deref() == Some("failed")).count();
    assert_eq!((runs.len(), failed), (4, 2));
    assert!(folder.path("results/scorecard.md").is_file());
    let bytes = std::fs::read(folder.path("results/mine/quick/runs.parquet")).unwrap();
    // They stay failed rows, until they are to be run again.
    let planned = plan(&folder, "");
    assert_eq!([&planned["cached"], &planned["failed"], &planned["missing"]], [2, 2, 0]);
    let second = folder.call("run e.ron");
    assert_eq!(second.code, Some(1), "{}", second.err);
    assert!(second.err.contains("2 of 4 runs answered by the store; nothing to run"), "{}", second.err);
    assert!(second.err.contains("2 runs failed before; --retry-failed runs them again"), "{}", second.err);
    assert_eq!(std::fs::read(folder.path("results/mine/quick/runs.parquet")).unwrap(), bytes);
    let again = folder.call("run e.ron --retry-failed --retry 1 --progress json");
    assert_eq!((again.code, again.err.matches("run_retried").count()), (Some(1), 1), "{}", again.err);
    // With --fail-fast nothing is written.
    let fast = folder.call("run e.ron --retry-failed --fail-fast --jobs 1 --out fast");
    assert_eq!(fast.code, Some(1));
    assert!(fast.err.contains("stopped at the first failure"), "{}", fast.err);
    assert!(!folder.path("fast").exists());
}

#[test]
fn logs_that_are_not_at_hand_are_named() {
    let folder = Folder::new();
    let source = "source: Log(name: \"HPC2N-2002-2.2-cln\")";
    let experiment = EXPERIMENT
        .replace("source: LublinFeitelson()", source)
        .replace("exclude: []", "modes: [Trace, Twin]");
    folder.write("e.ron", &experiment);
    let answer = folder.call("plan e.ron --json").done();
    let planned: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!([&planned["runs"], &planned["skipped"]], [12, 4]);
    assert!(
        answer.err.starts_with("trace mode skipped: no folder with HPC2N-2002-2.2-cln;"),
        "{}",
        answer.err
    );
    assert_eq!(answer.err.lines().count(), 1);
    std::fs::create_dir(folder.path("logs")).unwrap();
    let answer = folder.call("plan e.ron --traces logs").done();
    let notice =
        "trace mode skipped: no HPC2N-2002-2.2-cln in logs; `backsweep trace fetch HPC2N-2002-2.2-cln`\n";
    assert_eq!(answer.err, notice);
    // A file that only has the name is no log.
    folder.write("logs/HPC2N-2002-2.2-cln.swf", "1 2 3\n");
    folder.call("run e.ron --traces logs").refused(&["is not `HPC2N-2002-2.2-cln`", "hint"]);
    folder.write("e.ron", experiment.replace("modes: [Trace, Twin]", "modes: [Trace]"));
    folder.call("run e.ron").refused(&["nothing to run", "trace fetch HPC2N-2002-2.2-cln"]);
    assert_eq!(folder.names(), ["e.ron", "logs/", "logs/HPC2N-2002-2.2-cln.swf"]);
}

#[test]
fn a_study_is_reproduced_from_anywhere() {
    let folder = Folder::new();
    let first = folder.call("reproduce smoke --scale smoke").done();
    assert!(first.out.starts_with("Scorecard: smoke"), "{}", first.out);
    assert!(folder.path("results/smoke/smoke/runs.parquet").is_file());
    assert!(folder.read("results/scorecard.md").contains("## smoke"));
    let second = folder.call("reproduce smoke --scale smoke").done();
    assert!(second.err.contains("answered by the store; nothing to run"), "{}", second.err);
    assert_eq!(first.out, second.out);
}

#[test]
fn nobody_reads_stdout() {
    let folder = Folder::new();
    let line = "workload generate lublin-feitelson --nodes 64 --n-jobs 20000 -o -";
    let mut child = folder.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let answer = Answer::of(&child.wait_with_output().unwrap());
    assert_eq!((answer.code, answer.err.as_str()), (Some(0), ""));
}

#[test]
fn help_has_examples_and_fits() {
    let folder = Folder::new();
    for verb in [
        "",
        "reproduce",
        "run",
        "plan",
        "provenance",
        "report",
        "status",
        "simulate",
        "trace fetch",
        "trace inspect",
        "workload generate",
    ] {
        let help = folder.call(&format!("{verb} --help")).done().out;
        let examples =
            help.split_once("Example").unwrap_or_else(|| panic!("no example in the help of `{verb}`")).1;
        assert!(examples.contains("backsweep "), "{help}");
        assert!(examples.lines().all(|line| line.chars().count() <= 80), "{examples}");
    }
    assert!(folder.call("--version").done().out.starts_with("backsweep "));
    assert_eq!(folder.call("").code, Some(2));
}

#[test]
fn the_time_of_each_study_is_told() {
    let folder = Folder::new();
    folder
        .write("a.ron", EXPERIMENT)
        .write("b.ron", EXPERIMENT.replace("\"mine\"", "\"yours\"").replace("nodes: 64", "nodes: 32"));
    let answer = folder.call("run a.ron b.ron --progress none").done();
    let lines: Vec<&str> = answer.err.lines().filter(|line| line.contains("of one core")).collect();
    assert_eq!(lines.len(), 3, "{}", answer.err);
    assert!(
        lines[0].starts_with("  mine        12 runs, ") && lines[1].starts_with("  yours       12 runs, "),
        "{lines:?}"
    );
    assert!(lines[2].starts_with("  together "), "{lines:?}");
    let alone = folder.call("run a.ron --set load=0.7 --progress none").done();
    assert!(!alone.err.contains("of one core"), "{}", alone.err);
}
