#![allow(clippy::unwrap_used)]

use super::row::Checksum;
use super::segment::{
    KEY_BUILD, KEY_CHECKSUM, KEY_GROUP_METRICS, KEY_METRICS, KEY_VERSION, batch, encode, write_parquet,
};
use super::*;
use crate::test_case::{outcome, task};
use parquet::file::metadata::KeyValue;
use sim::metrics::{GroupMetrics, Metrics};
use std::fs::File;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

fn row(nodes: u32, value: f64) -> StoredRun {
    StoredRun::new(&task(nodes, 0), Ok(outcome(value)), 0.5).unwrap()
}

fn failed(nodes: u32) -> StoredRun {
    StoredRun::new(&task(nodes, 0), Err("out of luck".into()), 0.1).unwrap()
}

fn with_rows(rows: &[StoredRun]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = StoreWriter::open(folder.path()).unwrap().write(rows).unwrap().unwrap();
    (folder, path)
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn rows_come_back_as_written() {
    let mut other = row(3, 2.5);
    other.content = Some([9; 32]);
    let rows = [row(1, 1.0), failed(2), other];
    let (folder, path) = with_rows(&rows);
    assert_eq!(files(folder.path()), [path.file_name().unwrap().to_str().unwrap()]);
    let mut store = Store::open(folder.path(), Access::Read).unwrap();
    assert_eq!(store.take_warnings(), Vec::<String>::new());
    assert_eq!(store.len(), 3);
    assert_eq!(store.status(&rows[0].key), Some(Status::Ok));
    assert_eq!(store.status(&rows[1].key), Some(Status::Failed));
    assert!(!store.answers(&rows[1].key));
    let keys = [rows[2].key, RunKey([0; 32]), rows[0].key, rows[1].key, rows[0].key];
    let found = store.fetch(&keys).unwrap();
    assert_eq!(found[0].as_ref(), Some(&rows[2]));
    assert_eq!(found[1], None);
    assert_eq!(found[2].as_ref(), Some(&rows[0]));
    assert_eq!(found[3].as_ref(), Some(&rows[1]));
    assert_eq!(found[4].as_ref(), Some(&rows[0]));
    // 0.5 s for 100 jobs, and the task has 100 jobs.
    assert_eq!(store.costs().expected_s(&task(1, 0).spec).unwrap(), Some(0.5));
}

#[test]
fn no_store_is_an_empty_store_and_reading_does_not_make_one() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("store");
    let store = Store::open(&path, Access::Read).unwrap();
    assert!(store.is_empty() && !path.exists());
    assert_eq!(StoreWriter::open(&path).unwrap().write(&[]).unwrap(), None);
    assert_eq!(files(&path), Vec::<String>::new());
}

#[test]
fn a_killed_writer_leaves_nothing_that_counts() {
    let (folder, path) = with_rows(&[row(1, 1.0)]);
    let name = path.file_name().unwrap().to_str().unwrap();
    let fresh = folder.path().join(format!(".{name}x.tmp"));
    let old = folder.path().join(format!(".{name}y.tmp"));
    let foreign = folder.path().join("notes.tmp");
    for file in [&fresh, &old, &foreign] {
        fs::write(file, b"half of a seg").unwrap();
    }
    for file in [&old, &foreign] {
        let long_ago = SystemTime::now() - Duration::from_secs(7200);
        File::options().write(true).open(file).unwrap().set_modified(long_ago).unwrap();
    }
    let mut store = Store::open(folder.path(), Access::Write).unwrap();
    assert_eq!((store.len(), store.take_warnings().len()), (1, 0));
    assert!(old.exists(), "opening a store to read it must not clean up");
    StoreWriter::open(folder.path()).unwrap();
    assert!(fresh.exists() && !old.exists() && foreign.exists());
}

/// Opens a store with one segment of these bytes under this name, and checks that it is not trusted.
fn assert_set_aside(name: &str, bytes: &[u8], reason: &str) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    let mut reader = Store::open(folder.path(), Access::Read).unwrap();
    assert!(reader.is_empty() && reader.take_warnings()[0].contains(reason), "{name}");
    assert_eq!(files(folder.path()), [name]);
    let mut store = Store::open(folder.path(), Access::Write).unwrap();
    let warnings = store.take_warnings();
    assert!(store.is_empty() && warnings.len() == 1 && warnings[0].contains(reason), "{warnings:?}");
    assert_eq!(files(folder.path()), [QUARANTINE]);
    assert_eq!(files(&folder.path().join(QUARANTINE)), [name]);
    assert_eq!(Store::open(folder.path(), Access::Write).unwrap().take_warnings(), Vec::<String>::new());
}

#[test]
fn torn_and_altered_segments_are_set_aside() {
    let (_folder, path) = with_rows(&[row(1, 1.0), row(2, 2.0)]);
    let name = path.file_name().unwrap().to_str().unwrap();
    let bytes = fs::read(&path).unwrap();
    let end = bytes.len();
    for length in [0, 1, 4, 100, end / 4, end / 2, end - 500, end - 9, end - 8, end - 4, end - 1] {
        assert_set_aside(name, &bytes[..length], "torn or altered");
    }
    for at in (0..end).step_by(97).chain(end - 12..end) {
        let mut altered = bytes.clone();
        altered[at] ^= 1 << (at % 8);
        assert_set_aside(name, &altered, "torn or altered");
    }
    assert_set_aside("results.parquet", &bytes, "it is no segment");
    assert_set_aside("seg-1-a-2-3.parquet", b"PAR1", "torn or altered");
}

/// Even where the name fits the bytes, the decoder's view of them must be whole.
#[test]
fn the_checksum_guards_what_the_name_cannot() {
    let named = |bytes: &[u8]| writer::segment_name(1, "host", 1, bytes);
    let (rows, others) = ([row(1, 1.0)], [row(1, 2.0)]);
    let metadata = |rows: &[StoredRun], version: &str| {
        let (metrics, groups) = (Metrics::NAMES.join(","), GroupMetrics::NAMES.join(","));
        let mut checksum = Checksum::new(&metrics, &groups);
        rows.iter().for_each(|row| checksum.add(row));
        let sum = checksum.finish();
        let pairs = [
            (KEY_VERSION, version.to_owned()),
            (KEY_BUILD, "0".to_owned()),
            (KEY_METRICS, metrics),
            (KEY_GROUP_METRICS, groups),
            (KEY_CHECKSUM, sum),
        ];
        pairs.map(|(key, value)| KeyValue::new(key.to_owned(), value)).to_vec()
    };
    let sound = write_parquet(&batch(&rows).unwrap(), metadata(&rows, "1")).unwrap();
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(named(&sound)), &sound).unwrap();
    assert_eq!(Store::open(folder.path(), Access::Read).unwrap().len(), 1);

    let forged = write_parquet(&batch(&rows).unwrap(), metadata(&others, "1")).unwrap();
    assert_set_aside(&named(&forged), &forged, "checksum does not match");
    let unnamed = write_parquet(&batch(&rows).unwrap(), Vec::new()).unwrap();
    assert_set_aside(&named(&unnamed), &unnamed, "lacks the metadata");
    let odd = write_parquet(&batch(&rows).unwrap(), metadata(&rows, "one")).unwrap();
    assert_set_aside(&named(&odd), &odd, "format version is unknown");
    let narrow =
        write_parquet(&batch(&rows).unwrap().project(&[0, 1]).unwrap(), metadata(&rows, "1")).unwrap();
    assert_set_aside(&named(&narrow), &narrow, "columns are not those");
    assert_set_aside(&named(b"no Parquet"), b"no Parquet", "cannot be used");

    let later = write_parquet(&batch(&rows).unwrap(), metadata(&rows, "2")).unwrap();
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(named(&later)), &later).unwrap();
    let mut store = Store::open(folder.path(), Access::Write).unwrap();
    assert!(store.is_empty() && store.take_warnings()[0].contains("later version"));
    assert_eq!(files(folder.path()), [named(&later)], "a later version's segment is sound and stays");
}

#[test]
fn a_quarantine_that_cannot_be_made_is_no_error() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(QUARANTINE), b"in the way").unwrap();
    fs::write(folder.path().join("seg-x.parquet"), b"x").unwrap();
    let mut store = Store::open(folder.path(), Access::Write).unwrap();
    assert!(store.take_warnings()[0].contains("ignored"));
    assert_eq!(files(folder.path()), [QUARANTINE, "seg-x.parquet"]);
}

#[test]
fn a_folder_without_write_permission_can_be_read() {
    let (folder, path) = with_rows(&[row(1, 1.0)]);
    fs::write(folder.path().join("seg-x.parquet"), b"x").unwrap();
    let before = files(folder.path());
    for target in [&path, &folder.path().to_owned()] {
        let mut permissions = fs::metadata(target).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(target, permissions).unwrap();
    }
    let mut store = Store::open(folder.path(), Access::Read).unwrap();
    assert_eq!((store.len(), store.take_warnings().len()), (1, 1));
    assert!(store.fetch(&[row(1, 1.0).key]).unwrap()[0].is_some());
    assert_eq!(files(folder.path()), before);
}

#[test]
fn a_store_that_cannot_be_written_is_told_at_once() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, b"").unwrap();
    let problem = StoreWriter::open(&file.join("store")).unwrap_err();
    assert!(matches!(problem, SweepError::StoreWrite { .. }));
    assert!(matches!(Store::open(&file, Access::Read), Err(SweepError::StoreRead { .. })));
}

#[test]
fn writers_share_a_store_and_duplicates_are_harmless() {
    let folder = TempDir::new().unwrap();
    std::thread::scope(|scope| {
        for part in 0..4 {
            let folder = folder.path();
            scope.spawn(move || {
                let writer = StoreWriter::open(folder).unwrap();
                for n in 0..10 {
                    writer.write(&[row(1 + part * 10 + n, 1.0), row(1000, 1.0)]).unwrap();
                    // All at once, with the same name.
                    writer.write(&[row(1000, 1.0)]).unwrap();
                    StoreWriter::open(folder).unwrap();
                    assert!(Store::open(folder, Access::Read).unwrap().take_warnings().is_empty());
                }
            });
        }
    });
    let mut store = Store::open(folder.path(), Access::Read).unwrap();
    assert_eq!((store.len(), store.take_warnings().len()), (41, 0));
}

#[test]
fn different_results_under_one_key_are_reported_and_the_first_is_kept() {
    let folder = TempDir::new().unwrap();
    let segment = |seconds: u64, rows: &[StoredRun]| {
        let bytes = encode(rows).unwrap();
        fs::write(folder.path().join(writer::segment_name(seconds, "host", 1, &bytes)), &bytes).unwrap();
    };
    segment(1, &[row(1, 1.0), row(2, 1.0)]);
    segment(2, &[StoredRun { wall_s: 9.0, ..row(1, 1.0) }, row(2, 1.5)]);
    let mut store = Store::open(folder.path(), Access::Read).unwrap();
    let warnings = store.take_warnings();
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].starts_with("nondeterminism") && warnings[0].contains(&row(2, 1.0).key.to_string()));
    let kept = store.fetch(&[row(2, 1.0).key]).unwrap();
    assert_eq!(kept[0].as_ref().unwrap().result, Ok(outcome(1.0)));
}

#[test]
fn an_outcome_wins_over_a_failure_in_either_order() {
    for (first, second) in [(failed(1), row(1, 1.0)), (row(1, 1.0), failed(1))] {
        let (folder, _) = with_rows(&[first]);
        let mut store = Store::open(folder.path(), Access::Read).unwrap();
        StoreWriter::open(folder.path()).unwrap().write(&[second]).unwrap();
        assert_eq!(store.refresh().unwrap(), 1);
        assert_eq!(store.refresh().unwrap(), 0);
        assert_eq!((store.len(), store.status(&row(1, 1.0).key)), (1, Some(Status::Ok)));
        assert_eq!(store.fetch(&[row(1, 1.0).key]).unwrap()[0].as_ref().unwrap().result, Ok(outcome(1.0)));
        assert!(store.take_warnings().is_empty());
    }
}

#[test]
fn metrics_are_found_by_name() {
    let mut run = row(1, 1.0);
    let Ok(outcome) = &mut run.result else { return };
    // Written by a build that had the metrics in reverse order, lacked the last, and had another.
    outcome.metrics.0 = outcome.metrics.0.iter().rev().skip(1).copied().chain([Some(77.0)]).collect();
    let metrics = Metrics::NAMES.iter().rev().skip(1).copied().chain(["mood"]).collect::<Vec<_>>().join(",");
    let groups = GroupMetrics::NAMES.join(",");
    let mut checksum = Checksum::new(&metrics, &groups);
    checksum.add(&run);
    let sum = checksum.finish();
    let pairs = [
        (KEY_VERSION, "1".to_owned()),
        (KEY_METRICS, metrics),
        (KEY_GROUP_METRICS, groups),
        (KEY_CHECKSUM, sum),
    ];
    let metadata = pairs.map(|(key, value)| KeyValue::new(key.to_owned(), value)).to_vec();
    let bytes = write_parquet(&batch(std::slice::from_ref(&run)).unwrap(), metadata).unwrap();
    let mut found = Vec::new();
    decode(Bytes::from(bytes), &mut |run| found.push(run)).unwrap();
    let mut expected = crate::test_case::outcome(1.0);
    *expected.metrics.0.last_mut().unwrap() = None;
    assert_eq!(found[0].result, Ok(expected));
}

#[test]
fn a_vanished_segment_is_told() {
    let (folder, path) = with_rows(&[row(1, 1.0)]);
    let store = Store::open(folder.path(), Access::Read).unwrap();
    fs::remove_file(path).unwrap();
    assert!(matches!(store.fetch(&[row(1, 1.0).key]), Err(SweepError::SegmentLost { .. })));
}
