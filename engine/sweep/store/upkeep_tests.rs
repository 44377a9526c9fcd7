//! Verifying, repairing, merging and collecting garbage, where nothing goes wrong with the disk.
#![allow(clippy::unwrap_used)]

use super::compact::merge_all;
use super::info::segment_name;
use super::rewrite::Workshop;
use super::segment::{Origin, encode};
use super::tests::{failed, files, row};
use super::*;
use std::fs;
use std::time::Duration;
use tempfile::TempDir;

/// Writes a segment of that time, and returns its name.
fn segment(folder: &Path, seconds: u64, rows: &[StoredRun]) -> String {
    let bytes = encode(rows, &Origin::present().unwrap(), "host").unwrap();
    let name = segment_name(seconds, "host", 1, &bytes);
    fs::write(folder.join(&name), bytes).unwrap();
    name
}

fn merge(folder: &Path, rows: usize) -> Compaction {
    merge_all(&Workshop::new(folder), false, rows).unwrap()
}

#[test]
fn contradictions_survive_merging_until_they_are_dropped() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    segment(folder, 1, &[row(1, 1.0), row(2, 2.0)]);
    segment(folder, 2, &[row(1, 1.5), row(3, 3.0)]);
    segment(folder, 3, &[row(1, 1.5), row(1, 1.0)]);
    assert_eq!(verify(folder).unwrap().contradictions.len(), 2);
    assert_eq!(merge(folder, 100).dropped, 2);
    let found = verify(folder).unwrap();
    assert_eq!((found.segments, found.rows, found.runs, found.contradictions.len()), (1, 4, 3, 1));
    assert_eq!((found.contradictions[0].key, found.is_sound()), (row(1, 1.0).key, false));
    let mut store = Store::open(folder, Access::Read).unwrap();
    assert!(store.take_warnings()[0].starts_with("nondeterminism"));
    let kept = store.fetch(&[row(1, 1.0).key]).unwrap();
    assert_eq!(kept[0].as_ref().unwrap().result, row(1, 1.0).result, "the earliest, as before");

    // A later one is noticed beside the merged segment too.
    segment(folder, 9, &[row(2, 2.5)]);
    assert_eq!(verify(folder).unwrap().contradictions.len(), 2);
    let done = repair(folder, false).unwrap();
    assert_eq!((done.contradicted.len(), done.dropped), (2, false));
    assert_eq!(repair(folder, true).unwrap().contradicted.len(), 2);
    let found = verify(folder).unwrap();
    assert_eq!((found.runs, found.is_sound()), (1, true));
    assert!(Store::open(folder, Access::Read).unwrap().answers(&row(3, 3.0).key));
}

#[test]
fn merging_keeps_origins_apart_and_rows_as_old_as_they_are() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    segment(folder, 1, &[row(1, 1.0)]);
    segment(folder, 7, &[row(2, 2.0), failed(3)]);
    // Of another build, and with another order of metrics: never mixed with the others.
    let other = Origin { build: "0.0.9".into(), ..Origin::present().unwrap() };
    for (seconds, n) in [(2, 8), (3, 9)] {
        let bytes = encode(&[row(n, 9.0)], &other, "host").unwrap();
        fs::write(folder.join(segment_name(seconds, "host", 1, &bytes)), bytes).unwrap();
    }
    let before = Store::open(folder, Access::Read).unwrap();
    let done = merge(folder, 100);
    assert_eq!((done.before, done.after, done.merged, done.dropped), (4, 2, 4, 0));
    let store = Store::open(folder, Access::Read).unwrap();
    let told: Vec<_> =
        store.segments().iter().map(|info| (info.written_unix, info.rows, info.build.clone())).collect();
    assert_eq!(told, [(3, 2, "0.0.9".to_owned()), (7, 3, BUILD.to_owned())]);
    assert_eq!(store.count(), (4, 1));
    // Who had the old segments in the index finds the rows in the new ones.
    let keys: Vec<RunKey> = [1, 2, 8, 9].map(|n| row(n, 1.0).key).to_vec();
    assert!(before.fetch(&keys).unwrap().iter().all(Option::is_some));
    assert_eq!(merge(folder, 100).merged, 0);
}

#[test]
fn large_segments_are_left_and_small_ones_fill_up() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    for n in 0..7 {
        segment(folder, u64::from(n), &[row(10 * n + 1, 1.0), row(10 * n + 2, 1.0)]);
    }
    assert_eq!(merge_all(&Workshop::new(folder), true, 4).unwrap().after, 4);
    assert_eq!(files(folder).len(), 7);
    let done = merge(folder, 4);
    assert_eq!((done.before, done.after, done.merged), (7, 4, 6));
    assert_eq!(verify(folder).unwrap().rows, 14);
}

#[test]
fn garbage_goes_by_age_and_size_and_reachability() {
    let fill = || {
        let folder = TempDir::new().unwrap();
        let old = segment(folder.path(), 1, &[row(1, 1.0), row(2, 2.0)]);
        let now = writer::unix_seconds();
        let new = segment(folder.path(), now, &[row(3, 3.0)]);
        (folder, old, new)
    };
    let keep = |nodes: &[u32]| Some(nodes.iter().map(|n| row(*n, 1.0).key).collect());
    let hour = Some(Duration::from_secs(3600));
    let cases: [(GcRules, usize); 6] = [
        (GcRules { older_than: hour, ..GcRules::default() }, 1),
        (GcRules { older_than: hour, keep: keep(&[2]), ..GcRules::default() }, 2),
        (GcRules { keep: keep(&[1, 2]), ..GcRules::default() }, 2),
        (GcRules { max_bytes: Some(1), ..GcRules::default() }, 0),
        (GcRules { max_bytes: Some(u64::MAX), ..GcRules::default() }, 3),
        (GcRules { max_bytes: Some(1), keep: keep(&[1, 3]), ..GcRules::default() }, 2),
    ];
    for (rules, left) in cases {
        let (folder, old, new) = fill();
        let dry = collect_garbage(folder.path(), &rules, true).unwrap();
        assert_eq!(verify(folder.path()).unwrap().rows, 3, "a dry run removes nothing");
        let done = collect_garbage(folder.path(), &rules, false).unwrap();
        assert_eq!((done.rows(), &done.removed, &done.rewritten), (dry.rows(), &dry.removed, &dry.rewritten));
        let found = verify(folder.path()).unwrap();
        assert_eq!((found.rows, 3 - done.rows(), found.is_sound()), (left, left, true), "{rules:?}");
        assert!(done.removed.iter().all(|(name, _)| [&old, &new].contains(&name)));
    }
    // The oldest go first, and no more than must.
    let (folder, old, new) = fill();
    let room = fs::metadata(folder.path().join(&new)).unwrap().len();
    let rules = GcRules { max_bytes: Some(room), ..GcRules::default() };
    let done = collect_garbage(folder.path(), &rules, false).unwrap();
    assert_eq!((done.removed, done.bytes_after), (vec![(old, 2)], room));
}
