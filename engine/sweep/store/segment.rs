//! A segment of the store: rows as the bytes of one Parquet file, and back.
//!
//! Columns: [`columns`]. What the numbers mean is named in the file's metadata, so that metrics can be added without a new format.
//! The metadata also holds where the rows are from and a checksum over all of it.

use super::columns::{SegmentColumn, columns, group_fields, group_item, value_item};
use super::row::{Checksum, StoredRun};
use crate::error::SweepError;
use crate::fingerprint;
use arrow_array::builder::{
    FixedSizeBinaryBuilder, Float64Builder, ListBuilder, StringBuilder, StructBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use sim::metrics::{GroupMetrics, Metrics};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Version of the segment format; readers read this and earlier ones, and refuse later ones.
pub(super) const VERSION: u32 = 2;
pub(super) const KEY_VERSION: &str = "backsweep.segment";
pub(super) const KEY_BUILD: &str = "backsweep.build";
pub(super) const KEY_HOST: &str = "backsweep.host";
pub(super) const KEY_FAMILIES: &str = "backsweep.families";
pub(super) const KEY_METRICS: &str = "backsweep.metrics";
pub(super) const KEY_GROUP_METRICS: &str = "backsweep.group_metrics";
pub(super) const KEY_RESTAMPED: &str = "backsweep.restamped_from";
pub(super) const KEY_CHECKSUM: &str = "backsweep.checksum";

/// The keys of a segment's metadata and what stands there.
pub const SEGMENT_METADATA: [(&str, &str); 8] = [
    (KEY_VERSION, "version of the format; 1 lacks the last two columns, the host and the families"),
    (KEY_BUILD, "version of the program that carried the runs out"),
    (KEY_HOST, "host that wrote the segment"),
    (KEY_FAMILIES, "JSON object: the hash of each part of the program that decides results"),
    (KEY_METRICS, "names of the metrics, in the order of the column, separated by commas"),
    (KEY_GROUP_METRICS, "names of the metrics of groups, likewise"),
    (
        KEY_RESTAMPED,
        "the segments of an earlier model whose rows were found to hold for this one too; absent elsewhere",
    ),
    (KEY_CHECKSUM, "blake3 over rows and metadata"),
];

/// The version of this program, for metadata; never part of a key.
pub const BUILD: &str = env!("CARGO_PKG_VERSION");

/// What must be known of rows to read them, and what tells where they are from: all of a segment's metadata but host and
/// checksum. Segments that agree in it can be merged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Origin {
    /// The version of the program that carried the runs out.
    pub build: String,
    /// The hashes of the model's families as a JSON object; none in format 1.
    pub families: String,
    /// Names of the metrics, separated by commas.
    pub metrics: String,
    /// Names of the metrics of groups, separated by commas.
    pub group_metrics: String,
    /// The segments whose rows were found to hold for a later model too; none of rows as they were made.
    pub restamped_from: Option<String>,
}

impl Origin {
    /// That of the rows this program makes.
    pub fn present() -> Result<Origin, SweepError> {
        let hashes = fingerprint::families().map(|(family, hash)| (family, hash.to_string()));
        let families = serde_json::to_string(&hashes.collect::<BTreeMap<_, _>>()).map_err(encoding)?;
        Ok(Origin {
            build: BUILD.to_owned(),
            families,
            metrics: Metrics::NAMES.join(","),
            group_metrics: GroupMetrics::NAMES.join(","),
            restamped_from: None,
        })
    }

    /// Which of the metrics is the number of jobs.
    pub fn jobs_at(&self) -> Option<usize> {
        self.metrics.split(',').position(|name| name == "jobs")
    }
}

/// The columns of a segment in a format that this build reads.
pub(super) fn schema(format: u32) -> SchemaRef {
    let of_format = columns().into_iter().filter(|column| column.since <= format);
    let field = |column: SegmentColumn| Field::new(column.name, column.data_type, !column.null.is_empty());
    Arc::new(Schema::new(of_format.map(field).collect::<Vec<_>>()))
}

/// The bytes of a segment file with these rows.
pub(super) fn encode(rows: &[StoredRun], origin: &Origin, host: &str) -> Result<Vec<u8>, SweepError> {
    let mut checksum = Checksum::new(VERSION, origin, host);
    rows.iter().for_each(|row| checksum.add(row));
    write_parquet(&batch(rows, origin)?, metadata(VERSION, origin, host, checksum.finish()))
}

/// The metadata of a segment.
pub(super) fn metadata(format: u32, origin: &Origin, host: &str, checksum: String) -> Vec<KeyValue> {
    let pair = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
    let restamped = origin.restamped_from.iter().map(|from| pair(KEY_RESTAMPED, from));
    let others = [
        pair(KEY_VERSION, &format.to_string()),
        pair(KEY_BUILD, &origin.build),
        pair(KEY_HOST, host),
        pair(KEY_FAMILIES, &origin.families),
        pair(KEY_METRICS, &origin.metrics),
        pair(KEY_GROUP_METRICS, &origin.group_metrics),
        pair(KEY_CHECKSUM, &checksum),
    ];
    others.into_iter().chain(restamped).collect()
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

pub(super) fn encoding(problem: impl std::fmt::Display) -> SweepError {
    SweepError::Encode { reason: problem.to_string() }
}

/// The rows as Arrow columns.
pub(super) fn batch(rows: &[StoredRun], origin: &Origin) -> Result<RecordBatch, SweepError> {
    let status = |row: &StoredRun| if row.result.is_ok() { "ok" } else { "failed" };
    let jobs = origin.jobs_at();
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
        payloads(rows)?,
        Arc::new(rows.iter().map(|row| row.metric(jobs)).collect::<arrow_array::Float64Array>()),
    ];
    RecordBatch::try_new(schema(VERSION), columns).map_err(encoding)
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

fn payloads(rows: &[StoredRun]) -> Result<ArrayRef, SweepError> {
    let mut column = FixedSizeBinaryBuilder::with_capacity(rows.len(), 16);
    rows.iter().try_for_each(|row| column.append_value(row.payload())).map_err(encoding)?;
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
