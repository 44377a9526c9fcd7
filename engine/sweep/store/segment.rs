//! A segment of the store: rows as the bytes of one Parquet file, and back.
//!
//! Schema version 1. Columns: `key` and `model` (32 bytes), `content` (32 bytes or null), `cost_class` (u64), `spec` (canonical
//! JSON), `status` (`ok` or `failed`), `message` (of a failed run), `wall_s`, `metrics` (list of f64), `groups` (list of grouping,
//! group, list of f64). What the numbers mean is named in the file's metadata, so that metrics can be added without a new
//! version. The metadata also holds the build and a checksum over all rows and names.

use super::row::{Checksum, StoredRun};
use crate::error::SweepError;
use arrow_array::builder::{
    FixedSizeBinaryBuilder, Float64Builder, ListBuilder, StringBuilder, StructBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use sim::metrics::{GroupMetrics, Metrics};
use std::sync::Arc;

/// Version of the segment schema; readers refuse later ones.
pub(super) const VERSION: u32 = 1;
pub(super) const KEY_VERSION: &str = "backsweep.segment";
pub(super) const KEY_BUILD: &str = "backsweep.build";
pub(super) const KEY_METRICS: &str = "backsweep.metrics";
pub(super) const KEY_GROUP_METRICS: &str = "backsweep.group_metrics";
pub(super) const KEY_CHECKSUM: &str = "backsweep.checksum";

/// The version of this program, for metadata; never part of a key.
pub const BUILD: &str = env!("CARGO_PKG_VERSION");

/// The columns of a segment.
pub(super) fn schema() -> SchemaRef {
    let hash = || DataType::FixedSizeBinary(32);
    Arc::new(Schema::new(vec![
        Field::new("key", hash(), false),
        Field::new("spec", DataType::Utf8, false),
        Field::new("content", hash(), true),
        Field::new("model", hash(), false),
        Field::new("cost_class", DataType::UInt64, false),
        Field::new("status", DataType::Utf8, false),
        Field::new("message", DataType::Utf8, true),
        Field::new("wall_s", DataType::Float64, false),
        Field::new("metrics", values_type(), true),
        Field::new("groups", DataType::List(group_item()), true),
    ]))
}

fn values_type() -> DataType {
    DataType::List(value_item())
}

fn value_item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Float64, true))
}

fn group_fields() -> Fields {
    Fields::from(vec![
        Field::new("grouping", DataType::Utf8, false),
        Field::new("group", DataType::Utf8, false),
        Field::new("values", values_type(), false),
    ])
}

fn group_item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Struct(group_fields()), false))
}

/// The bytes of a segment file with these rows.
pub(super) fn encode(rows: &[StoredRun]) -> Result<Vec<u8>, SweepError> {
    let metrics = Metrics::NAMES.join(",");
    let group_metrics = GroupMetrics::NAMES.join(",");
    let mut checksum = Checksum::new(&metrics, &group_metrics);
    rows.iter().for_each(|row| checksum.add(row));
    let pair = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    let metadata = vec![
        pair(KEY_VERSION, VERSION.to_string()),
        pair(KEY_BUILD, BUILD.to_owned()),
        pair(KEY_METRICS, metrics),
        pair(KEY_GROUP_METRICS, group_metrics),
        pair(KEY_CHECKSUM, checksum.finish()),
    ];
    write_parquet(&batch(rows)?, metadata)
}

pub(super) fn write_parquet(batch: &RecordBatch, metadata: Vec<KeyValue>) -> Result<Vec<u8>, SweepError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).map_err(encoding)?))
        .set_key_value_metadata(Some(metadata))
        .build();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).map_err(encoding)?;
    writer.write(batch).map_err(encoding)?;
    writer.close().map_err(encoding)?;
    Ok(bytes)
}

fn encoding(problem: impl std::fmt::Display) -> SweepError {
    SweepError::Encode { reason: problem.to_string() }
}

/// The rows as Arrow columns.
pub(super) fn batch(rows: &[StoredRun]) -> Result<RecordBatch, SweepError> {
    let status = |row: &StoredRun| if row.result.is_ok() { "ok" } else { "failed" };
    let columns: Vec<ArrayRef> = vec![
        hashes(rows, |row| Some(&row.key.0))?,
        texts(rows, |row| Some(&row.spec)),
        hashes(rows, |row| row.content.as_ref())?,
        hashes(rows, |row| Some(&row.model))?,
        Arc::new(rows.iter().map(|row| Some(row.cost_class)).collect::<arrow_array::UInt64Array>()),
        texts(rows, |row| Some(status(row))),
        texts(rows, |row| row.result.as_ref().err().map(String::as_str)),
        Arc::new(rows.iter().map(|row| Some(row.wall_s)).collect::<arrow_array::Float64Array>()),
        metrics(rows),
        groups(rows)?,
    ];
    RecordBatch::try_new(schema(), columns).map_err(encoding)
}

fn hashes<'a>(
    rows: &'a [StoredRun],
    hash: impl Fn(&'a StoredRun) -> Option<&'a [u8; 32]>,
) -> Result<ArrayRef, SweepError> {
    let mut column = FixedSizeBinaryBuilder::with_capacity(rows.len(), 32);
    for row in rows {
        match hash(row) {
            Some(hash) => column.append_value(hash).map_err(encoding)?,
            None => column.append_null(),
        }
    }
    Ok(Arc::new(column.finish()))
}

fn texts<'a>(rows: &'a [StoredRun], text: impl Fn(&'a StoredRun) -> Option<&'a str>) -> ArrayRef {
    Arc::new(rows.iter().map(text).collect::<arrow_array::StringArray>())
}

fn metrics(rows: &[StoredRun]) -> ArrayRef {
    let mut column = ListBuilder::new(Float64Builder::new()).with_field(value_item());
    for row in rows {
        if let Ok(outcome) = &row.result {
            outcome.metrics.0.iter().for_each(|value| column.values().append_option(*value));
        }
        column.append(row.result.is_ok());
    }
    Arc::new(column.finish())
}

fn groups(rows: &[StoredRun]) -> Result<ArrayRef, SweepError> {
    let missing = || encoding("a builder of the groups column has the wrong type");
    let values = ListBuilder::new(Float64Builder::new()).with_field(value_item());
    let item = StructBuilder::new(
        group_fields(),
        vec![Box::new(StringBuilder::new()), Box::new(StringBuilder::new()), Box::new(values)],
    );
    let mut column = ListBuilder::new(item).with_field(group_item());
    for row in rows {
        for group in row.result.iter().flat_map(|outcome| &outcome.groups) {
            let item = column.values();
            item.field_builder::<StringBuilder>(0).ok_or_else(missing)?.append_value(&group.grouping);
            item.field_builder::<StringBuilder>(1).ok_or_else(missing)?.append_value(&group.group);
            let values = item.field_builder::<ListBuilder<Float64Builder>>(2).ok_or_else(missing)?;
            group.values.iter().for_each(|value| values.values().append_option(*value));
            values.append(true);
            item.append(true);
        }
        column.append(row.result.is_ok());
    }
    Ok(Arc::new(column.finish()))
}
