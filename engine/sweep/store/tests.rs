#![allow(clippy::unwrap_used)]

use super::decode::decode;
use super::info::segment_name;
use super::row::Checksum;
use super::segment::{Origin, batch, encode, metadata, write_parquet};
use super::*;
use crate::test_case::{outcome, task};
use bytes::Bytes;
use sim::metrics::Metrics;
use std::fs::{self, File};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

pub(super) fn row(nodes: u32, value: f64) -> StoredRun {
    StoredRun::new(&task(nodes, 0), Ok(outcome(value)), 0.5).unwrap()
}

pub(super) fn failed(nodes: u32) -> StoredRun {
    StoredRun::new(&task(nodes, 0), Err("out of luck".into()), 0.1).unwrap()
}

fn with_rows(rows: &[StoredRun]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = StoreWriter::open(folder.path()).unwrap().write(rows).unwrap().unwrap();
    (folder, path)
}

pub(super) fn files(folder: &Path) -> Vec<String> {
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
    assert_set_aside("seg-1-a-2.parquet", &bytes, "it is no segment");
    assert_set_aside("seg-1-a-2-3.parquet", b"PAR1", "torn or altered");
}

/// The checksum of rows in a format.
fn sum(format: u32, rows: &[StoredRun], origin: &Origin) -> String {
    let mut checksum = Checksum::new(format, origin, "host");
    rows.iter().for_each(|row| checksum.add(row));
    checksum.finish()
}

/// Even where the name fits the bytes, the decoder's view of them must be whole.
#[test]
fn the_checksum_guards_what_the_name_cannot() {
    let named = |bytes: &[u8]| segment_name(1, "host", 1, bytes);
    let (rows, others) = ([row(1, 1.0)], [row(1, 2.0)]);
    let origin = Origin::present().unwrap();
    let metadata = |rows: &[StoredRun], format: u32| metadata(format, &origin, "host", sum(2, rows, &origin));
    let batch = |rows: &[StoredRun]| batch(rows, &origin).unwrap();
    let sound = write_parquet(&batch(&rows), metadata(&rows, 2)).unwrap();
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(named(&sound)), &sound).unwrap();
    assert_eq!(Store::open(folder.path(), Access::Read).unwrap().len(), 1);
    assert_eq!(read_segment(&sound).unwrap(), rows);

    // Opening believes the name; nobody gets to see the rows all the same.
    let forged = write_parquet(&batch(&rows), metadata(&others, 2)).unwrap();
    assert!(read_segment(&forged).unwrap_err().to_string().contains("checksum does not match"));
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(named(&forged)), &forged).unwrap();
    let store = Store::open(folder.path(), Access::Read).unwrap();
    assert!(matches!(store.fetch(&[rows[0].key]), Err(SweepError::SegmentLost { .. })));

    let unnamed = write_parquet(&batch(&rows), Vec::new()).unwrap();
    assert_set_aside(&named(&unnamed), &unnamed, "lacks the metadata");
    let odd = write_parquet(&batch(&rows), metadata(&rows, 0)).unwrap();
    assert_set_aside(&named(&odd), &odd, "format version is unknown");
    let narrow = write_parquet(&batch(&rows).project(&[0, 1]).unwrap(), metadata(&rows, 2)).unwrap();
    assert_set_aside(&named(&narrow), &narrow, "columns are not those");
    assert_set_aside(&named(b"no Parquet"), b"no Parquet", "cannot be used");

    let later = write_parquet(&batch(&rows), metadata(&rows, 3)).unwrap();
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(named(&later)), &later).unwrap();
    let mut store = Store::open(folder.path(), Access::Write).unwrap();
    assert!(store.is_empty() && store.take_warnings()[0].contains("later version"));
    assert_eq!(files(folder.path()), [named(&later)], "a later version's segment is sound and stays");
}

/// The bytes of a segment of format 1.
fn first_format(rows: &[StoredRun]) -> Vec<u8> {
    let origin = Origin { families: String::new(), ..Origin::present().unwrap() };
    let pairs = metadata(1, &origin, "", sum(1, rows, &origin));
    let columns: Vec<usize> = (0..10).collect();
    let known =
        pairs.into_iter().filter(|pair| !["backsweep.host", "backsweep.families"].contains(&&*pair.key));
    write_parquet(&batch(rows, &origin).unwrap().project(&columns).unwrap(), known.collect()).unwrap()
}

#[test]
fn segments_of_the_first_format_are_read() {
    let rows = [row(1, 1.0), failed(2)];
    let bytes = first_format(&rows);
    assert_eq!(read_segment(&bytes).unwrap(), rows);
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(segment_name(7, "host", 3, &bytes)), &bytes).unwrap();
    // The same runs again, as they are written now: no contradiction.
    StoreWriter::open(folder.path()).unwrap().write(&rows).unwrap();
    let mut store = Store::open(folder.path(), Access::Read).unwrap();
    assert_eq!((store.len(), store.take_warnings()), (2, Vec::new()));
    assert_eq!(store.fetch(&[rows[0].key]).unwrap()[0].as_ref(), Some(&rows[0]));
    let segments = store.segments();
    let [old, new] = &segments[..] else { panic!("{segments:?}") };
    assert_eq!((old.format, old.written_unix, old.host.as_str(), old.pid, old.rows), (1, 7, "host", 3, 2));
    assert_eq!((old.bytes, old.families.len()), (bytes.len() as u64, 0));
    assert_eq!((new.format, new.pid, new.rows, new.build.as_str()), (2, std::process::id(), 2, BUILD));
    let families = crate::fingerprint::families().map(|(name, hash)| (name.to_owned(), hash.to_string()));
    assert_eq!(*new.families, families.collect::<BTreeMap<_, _>>());
    let mut seen = Vec::new();
    store.scan(&mut |info, run| seen.push((info.format, run))).unwrap();
    let expected = [(1, &rows[0]), (1, &rows[1]), (2, &rows[0]), (2, &rows[1])];
    assert!(seen.iter().map(|(format, run)| (*format, run)).eq(expected));
    // Without outcomes, of either format.
    let mut heads = 0;
    store
        .scan_heads(&mut |info, head| {
            assert_eq!((info.format, head), (expected[heads].0, expected[heads].1.head()));
            heads += 1;
        })
        .unwrap();
    assert_eq!(heads, expected.len());
}

/// What a store is opened with must be what its rows say.
#[test]
fn columns_in_short_are_compared_with_the_rows() {
    let rows = [row(1, 1.0), failed(2)];
    let origin = Origin::present().unwrap();
    let sound = batch(&rows, &origin).unwrap();
    let others = batch(&[row(1, 2.0), failed(2)], &origin).unwrap();
    let pairs = || metadata(2, &origin, "host", sum(2, &rows, &origin));
    let with = |at: usize, column: arrow_array::ArrayRef| {
        let mut columns = sound.columns().to_vec();
        columns[at] = column;
        write_parquet(&arrow_array::RecordBatch::try_new(sound.schema(), columns).unwrap(), pairs()).unwrap()
    };
    assert!(read_segment(&with(0, Arc::clone(sound.column(0)))).is_ok());
    let jobs = Arc::new(arrow_array::Float64Array::from(vec![Some(100.0), Some(100.0)]));
    for forged in [with(10, Arc::clone(others.column(10))), with(11, jobs)] {
        assert!(read_segment(&forged).unwrap_err().to_string().contains("in short"));
    }
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
        let bytes = encode(rows, &Origin::present().unwrap(), "host").unwrap();
        fs::write(folder.path().join(segment_name(seconds, "host", 1, &bytes)), &bytes).unwrap();
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
    let origin = Origin { metrics, ..Origin::present().unwrap() };
    let bytes = encode(std::slice::from_ref(&run), &origin, "host").unwrap();
    let mut found = Vec::new();
    decode(Bytes::from(bytes), &mut |run| found.push(run)).unwrap();
    let mut expected = crate::test_case::outcome(1.0);
    *expected.metrics.0.last_mut().unwrap() = None;
    assert_eq!(found[0].result, Ok(expected));
}

#[test]
fn rows_are_found_where_another_process_has_moved_them() {
    let (folder, path) = with_rows(&[row(1, 1.0), row(2, 2.0)]);
    let mut store = Store::open(folder.path(), Access::Read).unwrap();
    let writer = StoreWriter::open(folder.path()).unwrap();
    writer.write(&[row(1, 1.0), row(2, 2.0), row(3, 3.0)]).unwrap();
    fs::remove_file(path).unwrap();
    let found = store.fetch(&[row(2, 2.0).key]).unwrap();
    assert_eq!(found[0].as_ref().unwrap().result, Ok(outcome(2.0)));
    let mut seen = Vec::new();
    store.scan(&mut |_, run| seen.push(run)).unwrap();
    assert_eq!(seen, [row(1, 1.0), row(2, 2.0), row(3, 3.0)]);
    assert_eq!(store.refresh().unwrap(), 3);
    assert_eq!((store.len(), store.segments().len(), store.take_warnings()), (3, 1, Vec::new()));
    assert!(store.fetch(&[row(1, 1.0).key]).unwrap()[0].is_some());
    // What was removed and is nowhere else counts as never run.
    let name = store.segments()[0].name.clone();
    fs::remove_file(folder.path().join(name)).unwrap();
    assert_eq!((store.refresh().unwrap(), store.len()), (0, 0));
}

#[test]
fn a_vanished_segment_is_told() {
    let (folder, path) = with_rows(&[row(1, 1.0)]);
    let store = Store::open(folder.path(), Access::Read).unwrap();
    fs::remove_file(path).unwrap();
    assert!(matches!(store.fetch(&[row(1, 1.0).key]), Err(SweepError::SegmentLost { .. })));
}
