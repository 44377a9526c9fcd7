//! Killed at any moment, a sweep goes on where its last flush was: nothing to unlock, nothing torn is trusted.

mod campaign;
mod upkeep_campaign;

use crate::determinism::{assert_same, bytes_below};
use crate::program::Folder;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// Some hundred runs of a few milliseconds, so that a sweep is flushed on its way.
const EXPERIMENT: &str = r#"(
    format: 1,
    name: "many",
    study: "mine",
    title: "Many quick runs",
    source: "none",
    base: (
        machine: Flat(nodes: 64),
        workload: (source: LublinFeitelson(), jobs: Some(20), load: Some((target: 0.8))),
        policy: Fcfs,
    ),
    axes: { "policy": [Fcfs, Easy()], "load": Range(from: 0.5, to: 0.9, step: 0.1) },
    replications: 120,
    comparisons: [(id: "gain", metrics: ["mean_wait_s"], baseline: {"policy": "Fcfs"})],
    figures: [(id: "waits", title: "Waits", kind: Lines, x: "load", y: "mean_wait_s", y_label: "wait, s", series: ["policy"])],
)"#;
const RUNS: u64 = 1200;
/// Rows after which a sweep writes what it has.
const FLUSH_ROWS: u64 = 500;

/// Starts a sweep and kills it after the first event that `moment` takes; whether it was still alive.
fn kill_at(folder: &Folder, moment: impl Fn(usize, &str) -> bool) -> bool {
    let mut command = folder.command("run e.ron --jobs 2 --progress json --store s --out out");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let events = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    for (number, event) in events.enumerate() {
        if moment(number, &event) {
            child.kill().unwrap();
            break;
        }
    }
    !child.wait().unwrap().success()
}

/// Runs answered by the store, as `plan` counts them.
fn cached(folder: &Folder) -> u64 {
    let answer = folder.call("plan e.ron --store s --json").done();
    let plan: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(plan["runs"].as_u64(), Some(RUNS));
    plan["cached"].as_u64().unwrap()
}

/// What a killed process may have left where it was writing.
fn is_unfinished(name: &str) -> bool {
    name.rsplit('/').next().unwrap().starts_with('.') && name.ends_with(".tmp")
}

/// Asserts that `out` holds the files of the undisturbed sweep, byte by byte, beside pieces that killed processes left.
#[track_caller]
fn assert_same_tables(folder: &Folder, whole: &str, out: &str) {
    let (whole, found) = (bytes_below(folder, whole), bytes_below(folder, out));
    let finished: Vec<&String> = found.keys().filter(|name| !is_unfinished(name)).collect();
    assert_eq!(finished, whole.keys().collect::<Vec<_>>());
    for (name, bytes) in &whole {
        assert!(bytes == &found[name], "{name} differs from that of an undisturbed sweep");
    }
}

/// A folder in which the experiment has run undisturbed, its results in `whole`.
fn with_whole_results() -> Folder {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder.call("run e.ron --jobs 2 --store other --out whole").done();
    folder
}

#[test]
fn a_killed_sweep_loses_nothing_that_was_flushed() {
    let folder = with_whole_results();
    let mut before = 0;
    let mut killed = 0;
    let moments: [fn(usize, &str) -> bool; 6] = [
        |number, _| number == 0,
        |number, _| number == 3,
        |number, _| number == 700,
        |_, event| event.contains(r#""event":"flushed""#),
        |number, _| number == 333,
        |_, event| event.contains(r#""event":"finished""#),
    ];
    for (number, moment) in moments.into_iter().enumerate() {
        killed += usize::from(kill_at(&folder, moment));
        let now = cached(&folder);
        assert!(now >= before, "{before} runs were kept, then {now}");
        if number == 3 {
            assert!((FLUSH_ROWS..RUNS).contains(&now), "{now} runs were kept after the first flush");
        }
        before = now;
    }
    assert!(killed >= 4, "only {killed} sweeps were still alive when they were killed");
    assert!(!folder.names().iter().any(|name| name.contains("quarantine")), "whole segments only");

    // Pieces as other crashes would leave them, in places where names are looked for.
    let piece = b"PAR1 and nothing else";
    folder.write("s/.seg-00000000000-host-1-0123456789abcdef.parquet-0000000000000000.tmp", piece);
    fs::create_dir_all(folder.path("out/mine/many")).unwrap();
    folder.write("out/mine/many/.runs.parquet.1-0.tmp", piece);
    let last = folder.call("run e.ron --jobs 2 --store s --out out").done();
    assert!(!last.err.contains("warning"), "{}", last.err);
    assert_eq!(cached(&folder), RUNS);

    assert_same_tables(&folder, "whole", "out");
}

#[test]
fn a_torn_segment_is_set_aside_and_its_runs_are_computed_again() {
    let folder = with_whole_results();
    let segment = |folder: &Folder| {
        let mut names = folder.names().into_iter();
        names.find(|name| name.starts_with("other/seg-")).expect("the store has a segment")
    };
    let name = segment(&folder);
    let bytes = fs::read(folder.path(&name)).unwrap();
    fs::write(folder.path(&name), &bytes[..bytes.len() / 2]).unwrap();

    // To look does not touch.
    let plan = folder.call("plan e.ron --store other --json").done();
    assert!(plan.err.contains("torn or altered"), "{}", plan.err);
    assert!(folder.path(&name).exists());

    let again = folder.call("run e.ron --store other --out again").done();
    let own = name.strip_prefix("other/").unwrap();
    for part in ["warning", own, "torn or altered", "moved to quarantine/"] {
        assert!(again.err.contains(part), "{part} is not in\n{}", again.err);
    }
    assert!(folder.path(&format!("other/quarantine/{own}")).exists());
    assert_same(&folder, "whole", "again");

    let quiet = folder.call("run e.ron --store other --out again").done();
    assert!(quiet.err.contains("nothing to run") && !quiet.err.contains("warning"), "{}", quiet.err);
}
