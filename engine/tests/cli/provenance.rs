//! `provenance`, and what tables and manifests say of where they are from.

use super::EXPERIMENT;
use crate::program::Folder;
use serde_json::Value;
use std::fs;
use table::{Frame, Table};

const RUNS: &str = "results/mine/quick/runs.parquet";
const MANIFEST: &str = "results/mine/quick/manifest.json";

/// A folder with results.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder.call("run e.ron --set replications=2 --set load=0.6,0.8").done();
    folder
}

fn manifest(folder: &Folder) -> Value {
    serde_json::from_str(&folder.read(MANIFEST)).unwrap()
}

#[test]
fn every_table_says_what_decided_it() {
    let folder = folder();
    for table in Table::ALL {
        let path = format!("results/mine/quick/{}", table.file_name());
        let metadata = Frame::read_parquet(&folder.path(&path)).unwrap().metadata;
        let said = |key: &str| metadata.get(key).map(String::as_str);
        assert_eq!([said("study"), said("experiment")], [Some("mine"), Some("quick")]);
        assert_eq!([said("set:replications"), said("set:load")], [Some("2"), Some("0.6,0.8")]);
        assert_eq!(said("experiment_hash").unwrap().len(), "blake3:".len() + 64);
        assert!(said("model:core").is_some() && said("build").is_some(), "{metadata:?}");
    }
}

#[test]
fn the_manifest_says_what_when_and_where() {
    let folder = folder();
    let manifest = manifest(&folder);
    let words: Vec<&str> =
        manifest["invocation"]["command"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(words[1..], ["run", "e.ron", "--set", "replications=2", "--set", "load=0.6,0.8"]);
    assert_eq!(manifest["question"]["set"]["load"], "0.6,0.8");
    assert_eq!(manifest["question"]["file"], "e.ron");
    let runs = &manifest["runs"];
    let counts = ["planned", "answered", "executed", "failed", "skipped"].map(|name| runs[name].as_u64());
    assert_eq!(counts, [8, 0, 8, 0, 0].map(Some));
    let segments = manifest["store"]["segments"].as_object().unwrap();
    assert_eq!(segments.values().filter_map(|share| share["runs"].as_u64()).sum::<u64>(), 8);
    for (name, share) in segments {
        assert!(folder.path(&format!(".backsweep/store/{name}")).is_file());
        assert_eq!(share["host"], manifest["invocation"]["host"]);
    }
    let files = manifest["files"].as_object().unwrap();
    assert_eq!(files.len(), 8, "six tables, a figure and the scorecard");
    for (name, facts) in files {
        let bytes = fs::read(folder.path("results/mine/quick").join(name)).unwrap();
        assert_eq!(facts["bytes"].as_u64(), Some(bytes.len() as u64), "{name}");
        assert_eq!(facts["blake3"].as_str(), Some(blake3::hash(&bytes).to_hex().as_str()), "{name}");
    }
}

#[test]
fn tables_segments_figures_and_the_scorecard_have_a_provenance() {
    let folder = folder();
    let text = folder.call(&format!("provenance {RUNS}")).done().out;
    // Where a command is broken, and how wide a path is, depends on where the program lies.
    let fits = |line: &str| line.chars().count() <= 80 || !line.trim().contains(' ') || line.contains('/');
    assert!(text.lines().all(fits), "{text}");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts = [
        "table 8 rows,",
        "mine/quick",
        "load=0.6,0.8",
        "sim/policy/easy",
        "lists this file with this hash",
        "run e.ron --set replications=2",
        "8 planned: 0 answered before, 8 since, 0 skipped; 0 failed",
        "8 runs in 1 segment",
    ];
    for part in parts {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let segment = folder.names().into_iter().find(|name| name.contains("/seg-")).unwrap();
    let text = folder.call(&format!("provenance {segment}")).done().out;
    for part in ["segment     8 rows,", "as they were written", "process "] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(text.lines().skip(1).all(|line| line.chars().count() <= 80), "{text}");
    for file in ["results/mine/figures/waits-model.svg", "results/scorecard.md"] {
        let text = folder.call(&format!("provenance {file}")).done().out;
        assert!(text.contains("lists this file with this hash"), "{text}");
    }
    let json = folder.call(&format!("provenance --json {RUNS} {segment}")).done().out;
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!([&lines[0]["kind"], &lines[1]["kind"]], ["table", "segment"]);
    assert_eq!([&lines[0]["rows"], &lines[1]["rows"]], [8, 8]);
    assert_eq!([&lines[0]["manifest"], &lines[1]["manifest"]], ["matches", "unlisted"]);
    assert_eq!(lines[0]["facts"], manifest(&folder));
    assert_eq!(lines[0]["metadata"]["set:replications"], "2");
}

#[test]
fn a_schedule_says_which_run_it_is_of() {
    let folder = Folder::new();
    folder.write("log.swf", super::LOG);
    folder.call("simulate --swf log.swf --nodes 4 --policy easy --jobs-out jobs.parquet").done();
    let text = folder.call("provenance jobs.parquet").done().out;
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    for part in ["4 rows, 5 columns", "run key", "none around lists this file", "sim/policy/easy"] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let line = folder.call("provenance jobs.parquet --json").done().out;
    let found: Value = serde_json::from_str(&line).unwrap();
    let run: Value = serde_json::from_str(found["metadata"]["run"].as_str().unwrap()).unwrap();
    let hash = blake3::hash(super::LOG.as_bytes()).to_hex();
    assert!(run.to_string().contains(hash.as_str()) && !run.to_string().contains("log.swf"), "{run}");
}

#[test]
fn a_manifest_of_other_files_is_found_out() {
    let folder = folder();
    // A sound table, but not the one that the manifest was written for.
    folder.call("run e.ron --set replications=1 --out other").done();
    fs::copy(folder.path("other/mine/quick/runs.parquet"), folder.path(RUNS)).unwrap();
    let doubtful = folder.call(&format!("provenance {RUNS}"));
    assert_eq!(doubtful.code, Some(1));
    assert!(
        doubtful.out.contains("DOES NOT MATCH") && doubtful.out.contains("table       4 rows,"),
        "{}",
        doubtful.out
    );
    folder.write(MANIFEST, "{\"manifest\": 1, ");
    let torn = folder.call(&format!("provenance {RUNS} --json"));
    assert_eq!(torn.code, Some(1));
    assert_eq!(serde_json::from_str::<Value>(&torn.out).unwrap()["manifest"], "unusable");
    // A file of that name elsewhere may be anybody's.
    fs::copy(folder.path(RUNS), folder.path("alone.parquet")).unwrap();
    fs::create_dir(folder.path("web")).unwrap();
    folder.write("web/manifest.json", "{}");
    folder.call("provenance alone.parquet").done();
    fs::remove_file(folder.path(MANIFEST)).unwrap();
    let alone = folder.call(&format!("provenance {RUNS}")).done();
    assert!(alone.out.contains("none around lists this file"), "{}", alone.out);
}

#[test]
fn what_has_no_provenance_is_refused() {
    let folder = folder();
    folder.write("text.parquet", "no Parquet").write("text.txt", "nothing");
    let bytes = fs::read(folder.path(RUNS)).unwrap();
    folder.write("torn.parquet", &bytes[..bytes.len() / 2]);
    // The key by which a table is known, spelt otherwise.
    let at = bytes.windows(14).position(|window| window == b"schema_version").unwrap();
    let mut foreign = bytes.clone();
    foreign[at..at + 14].copy_from_slice(b"another_matter");
    folder.write("foreign.parquet", foreign);
    folder.call("provenance none.parquet").refused(&["none.parquet: there is no such file"]);
    folder.call("provenance results").refused(&["results: it is a folder", "hint"]);
    folder.call("provenance text.parquet").refused(&["cannot read `text.parquet` as Parquet"]);
    folder.call("provenance torn.parquet").refused(&["cannot read `torn.parquet` as Parquet"]);
    folder.call("provenance text.txt").refused(&["it is no Parquet file", "no manifest.json"]);
    folder.call("provenance foreign.parquet").refused(&["a Parquet file of another program"]);
    // One bad name, and nothing is printed of the others.
    folder.call(&format!("provenance {RUNS} none.parquet")).refused(&["no such file"]);
}
