//! `store`: listing, verifying, repairing, removing, merging.

use super::EXPERIMENT;
use crate::program::Folder;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// A folder with a store of twelve runs in two segments.
fn answered() -> Folder {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder.call("run e.ron --set load=0.6").done();
    folder.call("run e.ron").done();
    folder
}

fn json(folder: &Folder, line: &str) -> Value {
    serde_json::from_str(&folder.call(line).out).unwrap()
}

fn segments(folder: &Folder) -> Vec<PathBuf> {
    let names = folder.names();
    let names = names.iter().filter(|name| name.starts_with(".backsweep/store/seg-"));
    names.map(|name| folder.path(name)).collect()
}

#[test]
fn a_store_is_listed_and_verified() {
    let folder = answered();
    let listed = json(&folder, "store ls --json");
    assert_eq!([&listed["rows"], &listed["runs"], &listed["ok"], &listed["failed"]], [12, 12, 12, 0]);
    let segment = &listed["segments"][0];
    assert_eq!([&segment["rows"], &segment["format"]], [6, 2]);
    assert!(segment["families"].as_object().unwrap().len() > 3);
    let text = folder.call("store ls").done().out;
    assert!(text.contains("12 runs in 2 segments") && text.contains(" ago"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let before = folder.names();
    assert_eq!(json(&folder, "store verify --json")["sound"], true);
    assert!(folder.call("store verify").done().out.ends_with("nothing is wrong\n"));
    assert_eq!(folder.names(), before, "nothing is touched");
    folder.call("store ls --store nowhere").refused(&["there is no store nowhere", "--store"]);
}

#[test]
fn what_is_damaged_is_found_set_aside_and_run_again() {
    let folder = answered();
    let segment = &segments(&folder)[1];
    let sound = fs::read(segment).unwrap();
    let mut altered = sound.clone();
    altered[sound.len() / 2] ^= 1;
    fs::write(segment, &altered).unwrap();
    let found = folder.call("store verify");
    assert_eq!(found.code, Some(1));
    assert!(found.out.contains("unusable") && found.out.contains("torn or altered"), "{}", found.out);
    assert_eq!(json(&folder, "store verify --json")["unusable"][0]["reason"], "it is torn or altered");
    let repaired = folder.call("store repair").done().out;
    assert!(repaired.contains("moved to quarantine/") && repaired.contains("run again"), "{repaired}");
    assert_eq!(folder.call("store repair").done().out, "nothing to repair\n");
    assert!(folder.call("store ls").done().out.contains("1 file in quarantine/"));
    assert_eq!(json(&folder, "plan e.ron --json")["missing"], 6);
    folder.call("run e.ron").done();
    assert_eq!(json(&folder, "plan e.ron --json")["missing"], 0);
    // It was the disk's fault, and the disk is well again.
    let name = segment.file_name().unwrap().to_str().unwrap();
    fs::write(folder.path(&format!(".backsweep/store/quarantine/{name}")), sound).unwrap();
    assert!(folder.call("store repair").done().out.contains("sound, taken back"));
    let found = json(&folder, "store verify --json");
    assert_eq!(
        [&found["sound"], &found["duplicates"], &found["quarantined"]],
        [&true.into(), &Value::from(6), &0.into()]
    );
}

#[test]
fn merging_changes_no_table() {
    let folder = answered();
    let table = || fs::read(folder.path("results/mine/quick/runs.parquet")).unwrap();
    let before = table();
    assert_eq!(folder.call("store compact --dry-run").done().out, "2 segments would become 1\n");
    assert_eq!(segments(&folder).len(), 2);
    assert!(folder.call("store compact").done().out.starts_with("2 segments became 1, "));
    assert_eq!(segments(&folder).len(), 1);
    assert_eq!(folder.call("store compact").done().out, "1 segment, none to merge\n");
    assert_eq!(json(&folder, "store verify --json")["rows"], 12);
    folder.call("run e.ron").done();
    assert_eq!(table(), before);
}

#[test]
fn garbage_is_only_collected_on_demand() {
    let folder = answered();
    folder.call("store gc").refused(&["nothing says what may go", "--older-than"]);
    folder.call("store gc --max-size 5").refused(&["is no size"]);
    folder.call("store gc --older-than soon").refused(&["is no length of time"]);
    // All that the experiment asks for stays, whatever is said about size.
    let all = folder.call("store gc --keep e.ron --max-size 1B --delete").done();
    assert!(all.out.starts_with("0 rows removed"), "{}", all.out);
    folder.call("store gc --older-than 1h --delete").done();
    assert_eq!(json(&folder, "plan e.ron --json")["missing"], 0);

    let line = "store gc --keep e.ron --set load=0.6";
    let dry = folder.call(line).done();
    assert!(dry.out.contains("6 rows would go") && dry.err.contains("--delete"), "{}{}", dry.out, dry.err);
    assert_eq!(json(&folder, "plan e.ron --json")["missing"], 0);
    assert!(folder.call(&format!("{line} --delete")).done().out.contains("6 rows removed"));
    assert_eq!(json(&folder, "plan e.ron --json")["missing"], 6);
    assert_eq!(json(&folder, "plan e.ron --set load=0.6 --json")["missing"], 0);
    folder.call("store gc --max-size 1B --delete").done();
    assert_eq!(segments(&folder).len(), 0);
}
