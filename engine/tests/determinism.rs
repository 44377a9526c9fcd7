//! The same question gives the same bytes: on one thread and two, from runs and from the store, however the file is ordered.

use crate::program::Folder;
use std::collections::BTreeMap;
use std::fs;
use table::{Frame, Table};

const SMOKE: &str = include_str!("../../experiments/smoke/smoke.ron");
const PLACEMENT: &str = include_str!("../../experiments/pascual/placement.ron");

/// What it includes.
const PARTS: [(&str, &str); 2] = [
    ("parts/base.ron", include_str!("../../experiments/pascual/parts/base.ron")),
    ("parts/logs.ron", include_str!("../../experiments/pascual/parts/logs.ron")),
];

/// Every file below a folder with its bytes, by name; without manifests, which say when and where.
pub fn bytes_below(folder: &Folder, below: &str) -> BTreeMap<String, Vec<u8>> {
    let prefix = format!("{below}/");
    let names =
        folder.names().into_iter().filter(|name| !name.ends_with('/') && !name.ends_with("/manifest.json"));
    let own = names.filter_map(|name| Some((name.strip_prefix(&prefix)?.to_owned(), name)));
    own.map(|(short, name)| (short, fs::read(folder.path(&name)).unwrap())).collect()
}

/// Asserts that two folders hold the same files with the same bytes.
#[track_caller]
pub fn assert_same(folder: &Folder, one: &str, other: &str) {
    let (one, other) = (bytes_below(folder, one), bytes_below(folder, other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{name} differs");
    }
}

/// Asserts that one thread, two threads and the store give the same, and returns the folder with the results in `one`.
fn same_on_any_thread(experiment: &str, options: &str, expected: &[&str]) -> Folder {
    let folder = Folder::new();
    folder.write("e.ron", experiment);
    fs::create_dir(folder.path("parts")).unwrap();
    for (name, text) in PARTS {
        folder.write(name, text);
    }
    let call = |rest: &str| folder.call(&format!("run e.ron {options} {rest}")).done();
    let one = call("--jobs 1 --store s1 --out one");
    let two = call("--jobs 2 --store s2 --out two");
    let again = call("--jobs 2 --store s1 --out again");
    assert!(again.err.contains("nothing to run"), "{}", again.err);
    assert!(!one.out.is_empty() && one.out == two.out && one.out == again.out);
    assert_same(&folder, "one", "two");
    assert_same(&folder, "one", "again");
    let names: Vec<String> = bytes_below(&folder, "one").into_keys().collect();
    for name in expected {
        assert!(names.iter().any(|found| found.starts_with(name)), "no {name} in {names:?}");
    }
    folder
}

#[test]
fn the_smoke_grid_is_the_same_on_any_thread_and_from_the_store() {
    let expected =
        ["smoke/smoke/runs.parquet", "smoke/smoke/claims.parquet", "smoke/figures/wait", "scorecard.md"];
    same_on_any_thread(SMOKE, "--set n_jobs=300 --set replications=2", &expected);
}

#[test]
fn placement_on_twins_is_the_same_on_any_thread_and_from_the_store() {
    let options = "--set n_jobs=300 --set replications=2 --set speedup=0.0,0.3";
    let expected = ["pascual/placement/comparisons.parquet", "pascual/figures/"];
    let folder = same_on_any_thread(PLACEMENT, options, &expected);
    let runs = Frame::read_parquet(&folder.path("one/pascual/placement/runs.parquet")).unwrap();
    // The logs are not at hand: their runs say so, and the twins' all have an outcome.
    let wanted = |mode: Option<&str>| if mode == Some("trace") { "skipped" } else { "ok" };
    let (modes, statuses) = (runs.text("mode").unwrap(), runs.text("status").unwrap());
    let pairs = modes.iter().zip(statuses);
    assert!(pairs.clone().all(|(mode, status)| status.as_deref() == Some(wanted(mode.as_deref()))));
    assert!(pairs.clone().any(|(mode, _)| mode.as_deref() == Some("trace")));
}

#[test]
fn the_order_of_axes_decides_nothing() {
    let axes = ["\"load\": [0.6, 0.75],", "\"policy\": [Fcfs, Easy(), Conservative()],"];
    let written = format!("{}\n        {}", axes[0], axes[1]);
    assert!(SMOKE.contains(&written));
    let turned = SMOKE.replace(&written, &format!("{}\n        {}", axes[1], axes[0]));
    let folder = Folder::new();
    folder.write("a.ron", SMOKE).write("b.ron", turned);
    let options = "--set n_jobs=200 --set replications=2 --store store";
    folder.call(&format!("run a.ron {options} --out a")).done();
    let second = folder.call(&format!("run b.ron {options} --out b")).done();
    assert!(second.err.contains("nothing to run"), "{}", second.err);
    for table in Table::ALL {
        let read = |side: &str| {
            Frame::read_parquet(&folder.path(&format!("{side}/smoke/smoke/{}", table.file_name()))).unwrap()
        };
        let (a, b) = (read("a"), read("b"));
        // The experiment has no published tables.
        assert_eq!(a.is_empty(), table == Table::Published);
        // The metadata differ in the hash of the file's text, and in nothing else.
        assert_eq!(a.columns, b.columns, "{}", table.name());
        assert_ne!(a.metadata["experiment_hash"], b.metadata["experiment_hash"]);
    }
}

#[test]
fn a_log_is_its_content_wherever_it_lies() {
    let folder = Folder::new();
    fs::create_dir(folder.path("far")).unwrap();
    let source = |path: &str| format!("source: File(path: \"{path}\")");
    let experiment = crate::cli::EXPERIMENT.replace("source: LublinFeitelson()", &source("log.swf"));
    folder
        .write("a.ron", &experiment)
        .write("b.ron", experiment.replace(&source("log.swf"), &source("far/away.swf")));
    folder.write("log.swf", crate::cli::LOG).write("far/away.swf", crate::cli::LOG);
    folder.call("run a.ron --store s --out a").done();
    let same = folder.call("run b.ron --store s --out b").done();
    assert!(same.err.contains("nothing to run"), "{}", same.err);
    folder.write("far/away.swf", crate::cli::LOG.replace("4 3.5 ", "4 4.5 "));
    let other = folder.call("plan b.ron --store s --json").done();
    let plan: serde_json::Value = serde_json::from_str(&other.out).unwrap();
    assert_eq!((plan["cached"].as_u64(), plan["missing"].as_u64()), (Some(0), plan["runs"].as_u64()));
}
