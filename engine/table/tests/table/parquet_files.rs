//! Parquet files: what is in them, what survives, and what is refused.

use crate::generate;
use arrow_array::{Float32Array, Float64Array, RecordBatch};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, LogicalType, Type};
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use proptest::prelude::*;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use table::{CellType, Cells, Column, Frame, PendingFile, SCHEMA_VERSION, TableError};
use tempfile::tempdir;

fn sample(rows: usize) -> Frame {
    let mut frame = Frame::from_columns(vec![
        Column::text("policy", (0..rows).map(|row| Some(Arc::from(["Fcfs", "Easy"][row % 2]))).collect()),
        Column::real(
            "mean_wait_s",
            (0..rows).map(|row| (row % 7 != 0).then_some(row as f64 / 3.0)).collect(),
        ),
        Column::int("replication", (0..rows).map(|row| i64::try_from(row).ok()).collect()),
        Column::flag("scale_estimates", (0..rows).map(|row| Some(row % 3 == 0)).collect()),
    ])
    .unwrap();
    frame.metadata.insert("experiment_hash".into(), "00ff".into());
    frame
}

fn metadata(path: &Path) -> ParquetMetaData {
    SerializedFileReader::new(File::open(path).unwrap()).unwrap().metadata().clone()
}

fn names_in(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_table_comes_back_as_it_was(frame in generate::frame()) {
        let directory = tempdir().unwrap();
        let (first, second) = (directory.path().join("a.parquet"), directory.path().join("b.parquet"));
        frame.write_parquet(&first).unwrap();
        let back = Frame::read_parquet(&first).unwrap();
        prop_assert_eq!(&back, &frame);
        back.write_parquet(&second).unwrap();
        prop_assert_eq!(fs::read(first).unwrap(), fs::read(second).unwrap());
        prop_assert_eq!(names_in(directory.path()), ["a.parquet", "b.parquet"]);
    }
}

#[test]
fn the_file_keeps_the_conventions() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("runs.parquet");
    sample(122_881).write_parquet(&path).unwrap();
    let metadata = metadata(&path);
    let file = metadata.file_metadata();
    assert_eq!(file.created_by(), Some("backsweep"));
    let pairs: Vec<(&str, Option<&str>)> = file
        .key_value_metadata()
        .unwrap()
        .iter()
        .map(|pair| (pair.key.as_str(), pair.value.as_deref()))
        .collect();
    let version = SCHEMA_VERSION.to_string();
    assert_eq!(pairs, [("experiment_hash", Some("00ff")), ("schema_version", Some(version.as_str()))]);
    let rows: Vec<i64> = metadata.row_groups().iter().map(|group| group.num_rows()).collect();
    assert_eq!(rows, [122_880, 1]);
    let columns = file.schema_descr();
    let types: Vec<Type> = columns.columns().iter().map(|column| column.physical_type()).collect();
    assert_eq!(types, [Type::BYTE_ARRAY, Type::DOUBLE, Type::INT64, Type::BOOLEAN]);
    assert_eq!(columns.column(0).logical_type_ref(), Some(&LogicalType::String));
    assert!(columns.columns().iter().all(|column| column.self_type().is_optional()));
    let group = metadata.row_group(0);
    assert!(group.columns().iter().all(|column| matches!(column.compression(), Compression::ZSTD(_))));
    let dictionary =
        |index| group.column(index).encodings().any(|encoding| encoding == Encoding::RLE_DICTIONARY);
    assert_eq!([0, 1, 2, 3].map(dictionary), [true, false, false, false]);
    assert_eq!(Frame::read_parquet(&path).unwrap(), sample(122_881));
}

#[test]
fn tables_without_rows_and_columns_without_values_work() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("t.parquet");
    let types = [CellType::Text, CellType::Real, CellType::Int, CellType::Flag];
    for rows in [0, 3] {
        let columns = types.map(|kind| Column { name: kind.to_string(), cells: Cells::missing(kind, rows) });
        let frame = Frame::from_columns(columns.to_vec()).unwrap();
        frame.write_parquet(&path).unwrap();
        assert_eq!(Frame::read_parquet(&path).unwrap(), frame);
    }
}

#[test]
fn a_column_whose_name_has_a_dot_is_one_column() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("t.parquet");
    let frame =
        Frame::from_columns(vec![Column::constant("a.b", "x", 2), Column::int("a", vec![None; 2])]).unwrap();
    frame.write_parquet(&path).unwrap();
    assert_eq!(Frame::read_parquet(&path).unwrap(), frame);
}

#[test]
fn missing_directories_are_made_and_old_files_replaced() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("pascual/placement/runs.parquet");
    sample(3).write_parquet(&path).unwrap();
    sample(5).write_parquet(&path).unwrap();
    assert_eq!(Frame::read_parquet(&path).unwrap().len(), 5);
    assert_eq!(names_in(path.parent().unwrap()), ["runs.parquet"]);
}

#[test]
fn an_invalid_table_leaves_the_old_file_alone() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("runs.parquet");
    sample(3).write_parquet(&path).unwrap();
    let mut spoilt = sample(3);
    spoilt.columns[1].cells = Cells::Real(vec![Some(f64::INFINITY); 3]);
    assert!(matches!(spoilt.write_parquet(&path), Err(TableError::Infinite { .. })));
    spoilt.columns[1].cells = Cells::Real(vec![None; 2]);
    assert!(matches!(spoilt.write_parquet(&path), Err(TableError::UnequalLength { .. })));
    let error = Frame::new().write_parquet(&path).unwrap_err();
    assert!(error.to_string().ends_with("runs.parquet`: the table has no columns"), "{error}");
    assert_eq!(Frame::read_parquet(&path).unwrap(), sample(3));
    assert_eq!(names_in(directory.path()), ["runs.parquet"]);
}

#[test]
fn a_failed_write_leaves_nothing_behind() {
    let directory = tempdir().unwrap();
    let taken = directory.path().join("taken.parquet");
    fs::create_dir(&taken).unwrap();
    let error = sample(3).write_parquet(&taken).unwrap_err();
    assert!(matches!(&error, TableError::Io { path, .. } if *path == taken), "{error}");
    assert_eq!(names_in(directory.path()), ["taken.parquet"], "no temporary file stays");
    let file = directory.path().join("file");
    fs::write(&file, "x").unwrap();
    let error = sample(3).write_parquet(&file.join("runs.parquet")).unwrap_err();
    assert!(error.to_string().starts_with("cannot create the directory of `"), "{error}");
    assert_eq!(names_in(directory.path()), ["file", "taken.parquet"]);
}

#[test]
fn a_pending_file_is_hidden_until_committed_and_gone_if_dropped() {
    let directory = tempdir().unwrap();
    let target = directory.path().join("seg.parquet");
    let mut dropped = PendingFile::create(&target).unwrap();
    dropped.write_all(b"half").unwrap();
    let names = names_in(directory.path());
    assert!(names.len() == 1 && names[0].starts_with('.') && !names[0].ends_with(".parquet"), "{names:?}");
    drop(dropped);
    assert_eq!(names_in(directory.path()), [""; 0]);
    let mut committed = PendingFile::create(&target).unwrap();
    committed.write_all(b"whole").unwrap();
    committed.commit().unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"whole");
    assert_eq!(names_in(directory.path()), ["seg.parquet"]);
}

#[test]
fn what_a_crashed_process_left_is_not_in_the_way() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("t.parquet");
    let left = |number| directory.path().join(format!(".t.parquet.{}-{number}.tmp", std::process::id()));
    for number in 0..2_000 {
        fs::write(left(number), "left").unwrap();
    }
    sample(3).write_parquet(&path).unwrap();
    assert_eq!(Frame::read_parquet(&path).unwrap(), sample(3));
    assert_eq!(fs::read_to_string(left(1_999)).unwrap(), "left");
}

#[test]
fn files_that_are_no_tables_are_refused_by_name() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("runs.parquet");
    let refused = || Frame::read_parquet(&path).unwrap_err();
    assert!(matches!(refused(), TableError::Io { doing: "read", path: named, .. } if named == path));
    sample(1000).write_parquet(&path).unwrap();
    let whole = fs::read(&path).unwrap();
    for torn in [&whole[..0], b"job,submit_s\n1,0\n", &whole[..whole.len() / 2], &whole[..whole.len() - 1]] {
        fs::write(&path, torn).unwrap();
        let error = refused();
        assert!(matches!(&error, TableError::Parquet { path: named, .. } if *named == path), "{error}");
        assert!(error.to_string().ends_with("runs.parquet` as Parquet"), "{error}");
    }
}

#[test]
fn foreign_files_are_refused_by_what_is_wrong_with_them() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("foreign.parquet");
    let write = |batch: &RecordBatch, version: Option<&str>| {
        let pairs =
            version.map(|version| vec![KeyValue::new("schema_version".to_owned(), version.to_owned())]);
        let properties = WriterProperties::builder().set_key_value_metadata(pairs).build();
        let mut writer =
            ArrowWriter::try_new(File::create(&path).unwrap(), batch.schema(), Some(properties)).unwrap();
        writer.write(batch).unwrap();
        writer.close().unwrap();
        Frame::read_parquet(&path)
    };
    let batch = |array: arrow_array::ArrayRef| RecordBatch::try_from_iter([("x", array)]).unwrap();
    let version = SCHEMA_VERSION.to_string();
    let finite = batch(Arc::new(Float64Array::from(vec![1.5, f64::NAN])));
    let error = write(&finite, None).unwrap_err().to_string();
    assert!(error.ends_with(&format!("has schema version none; this build reads {version}")), "{error}");
    let error = write(&finite, Some("99")).unwrap_err();
    assert!(matches!(&error, TableError::SchemaVersion { found, .. } if found == "99"), "{error}");
    let narrow = batch(Arc::new(Float32Array::from(vec![1.5])));
    let error = write(&narrow, Some(&version)).unwrap_err();
    assert!(
        matches!(&error, TableError::ForeignType { column, found, .. } if column == "x" && found == "Float32")
    );
    let infinite = batch(Arc::new(Float64Array::from(vec![f64::INFINITY])));
    let error = write(&infinite, Some(&version)).unwrap_err();
    assert!(matches!(&error, TableError::InvalidFile { path: named, .. } if *named == path), "{error}");
    assert_eq!(*write(&finite, Some(&version)).unwrap().real("x").unwrap(), [Some(1.5), None]);
}
