//! `status`: on stores that are absent, whole, being written to, or left by a killed process.

use super::EXPERIMENT;
use crate::program::{Answer, Folder};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder
}

fn look(folder: &Folder, rest: &str) -> Value {
    let out = folder.call(&format!("status --json {rest}")).done().out;
    assert_eq!(out.lines().count(), 1, "{out}");
    serde_json::from_str(&out).unwrap()
}

fn numbers(look: &Value, names: &[&str]) -> Vec<u64> {
    names.iter().map(|name| look[name].as_u64().unwrap_or_else(|| panic!("no {name} in {look}"))).collect()
}

#[test]
fn a_store_that_is_not_there_is_said_and_not_made() {
    let folder = folder();
    let text = folder.call("status").done().out;
    assert_eq!(text, "there is no store at .backsweep/store: nothing was run there yet\n");
    let text = folder.call("status e.ron --store elsewhere").done().out;
    assert!(text.contains("no store at elsewhere") && text.contains("not begun"), "{text}");
    assert_eq!(look(&folder, "")["exists"], false);
    assert_eq!(folder.names(), ["e.ron"]);
    folder.call("status --scale smoke").refused(&["FILE.ron"]);
    folder.call("status none.ron").refused(&["none.ron"]);
    folder.call("status e.ron --watch=0").refused(&["at least 0.1"]);
}

#[test]
fn a_store_and_an_experiment_are_counted() {
    let folder = folder();
    folder.call("run e.ron --set load=0.6").done();
    let text = folder.call("status e.ron").done().out;
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for part in [
        "6 runs in 1 segment",
        "mine/quick",
        "too little of it was written lately to tell a rate",
        "expected work: ",
        ", process ",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let json = look(&folder, "e.ron");
    assert_eq!(numbers(&json, &["runs", "ok", "failed", "segments"]), [6, 6, 0, 1]);
    let quick = &json["experiments"][0];
    assert_eq!(numbers(quick, &["runs", "ok", "failed", "missing", "skipped"]), [12, 6, 0, 6, 0]);
    assert!(quick["expected_s"].as_f64().unwrap() > 0.0);
    let whole = folder.call("status e.ron --set load=0.6 --watch").done().out;
    assert!(whole.contains("every run is answered"), "watching ends where nothing is left:\n{whole}");
}

#[test]
fn failed_runs_are_told_with_their_messages() {
    let folder = Folder::new();
    // Two jobs at one instant have no load that could be scaled.
    let job = |n| format!("{n} 0 -1 10 2 -1 -1 2 10 -1 1 -1 -1 -1 -1 -1 -1 -1\n");
    folder.write("log.swf", job(1) + &job(2));
    let source = "source: LublinFeitelson(), jobs: Some(200), load: Some((target: 0.8))";
    let experiment =
        EXPERIMENT.replace(source, "source: File(path: \"log.swf\")").replace("[0.6, 0.8]", "[None, 0.8]");
    folder.write("e.ron", experiment);
    assert_eq!(folder.call("run e.ron").code, Some(1));
    let text = folder.call("status e.ron").done().out;
    for part in ["4 runs, 2 ok, 2 failed", "2 with: ", "submitted at the same instant", "--retry-failed"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let json = look(&folder, "e.ron");
    assert_eq!(numbers(&json["experiments"][0], &["runs", "ok", "failed", "missing"]), [4, 2, 2, 0]);
    assert_eq!(json["messages"][0]["runs"], 2);
}

/// A sweep that goes on for long, after its first flush.
fn writing(folder: &Folder) -> Child {
    let line = "run e.ron --set replications=20000 --set n_jobs=50 --jobs 1 --progress json";
    let mut command = folder.command(line);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut events = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(events.any(|event| event.contains(r#""event":"flushed""#)), "the sweep ended before it wrote");
    // Somebody must go on reading, else the sweep would wait.
    std::thread::spawn(move || events.for_each(drop));
    child
}

#[test]
fn others_may_write_and_be_killed_meanwhile() {
    let folder = folder();
    let mut child = writing(&folder);
    let rest = "e.ron --set replications=20000 --set n_jobs=50";
    let during = look(&folder, rest);
    let pid = u64::from(child.id());
    let writers = during["writers"].as_array().unwrap();
    assert!(writers.len() == 1 && writers[0]["pid"].as_u64() == Some(pid), "{during}");
    child.kill().unwrap();
    child.wait().unwrap();
    let after = look(&folder, rest);
    let counts = |look: &Value| numbers(&look["experiments"][0], &["runs", "ok", "missing"]);
    let (one, other) = (counts(&during), counts(&after));
    assert!(one[1] > 0 && one[1] <= other[1] && other[1] + other[2] == 80_000, "{one:?} {other:?}");
    // It has written what it has written; who reads cannot know that it is dead.
    assert_eq!(after["writers"][0]["pid"].as_u64(), Some(pid));
    let answer: Answer = folder.call(&format!("status {rest}")).done();
    assert!(!answer.err.contains("warning"), "{}", answer.err);
    assert!(answer.out.contains(&format!("process {pid}")), "{}", answer.out);
}
