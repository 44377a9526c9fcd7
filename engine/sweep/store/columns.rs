//! The columns of a segment of the store: what the writer writes, the reader expects and the data dictionary shows.

use arrow_schema::{DataType, Field, Fields};
use std::sync::Arc;

/// A column of a segment.
#[derive(Clone, Debug, PartialEq)]
pub struct SegmentColumn {
    /// Name; durations end in `_s`.
    pub name: &'static str,
    /// Type.
    pub data_type: DataType,
    /// The first format that has it.
    pub since: u32,
    /// When a cell is missing; empty where none ever is.
    pub null: &'static str,
    /// Meaning.
    pub description: &'static str,
}

impl SegmentColumn {
    /// Its type in words.
    pub fn type_name(&self) -> String {
        match &self.data_type {
            DataType::Utf8 => "text".to_owned(),
            DataType::Float64 => "number".to_owned(),
            DataType::UInt64 => "whole number, unsigned".to_owned(),
            DataType::FixedSizeBinary(bytes) => format!("{bytes} bytes"),
            DataType::List(item) if item.data_type() == &DataType::Float64 => "list of numbers".to_owned(),
            _ => "list of structs".to_owned(),
        }
    }
}

/// The columns in order; those of every format are the first ones of all later formats.
pub fn columns() -> Vec<SegmentColumn> {
    let hash = || DataType::FixedSizeBinary(32);
    let first =
        |name, data_type, null, description| SegmentColumn { name, data_type, since: 1, null, description };
    let second =
        |name, data_type, null, description| SegmentColumn { name, data_type, since: 2, null, description };
    vec![
        first("key", hash(), "", "run key, as run_key of the runs table"),
        first("spec", DataType::Utf8, "", "the run's specification as canonical JSON"),
        first("content", hash(), "of generated jobs", "blake3 of the log's uncompressed bytes"),
        first("model", hash(), "", "hash of the families that the run uses"),
        first(
            "cost_class",
            DataType::UInt64,
            "",
            "hash of source, policy and allocator: runs of one class take about as long per job",
        ),
        first("status", DataType::Utf8, "", "ok or failed"),
        first("message", DataType::Utf8, "if the status is ok", "why the run failed"),
        first("wall_s", DataType::Float64, "", "how long the simulation took, in seconds"),
        first(
            "metrics",
            values_type(),
            "if the run failed",
            "the metrics of the runs table, in the order that the metadata names",
        ),
        first(
            "groups",
            DataType::List(group_item()),
            "if the run failed",
            "the rows of the groups table: grouping, group, values",
        ),
        // Opening a store decodes these in place of all metrics.
        second("payload", DataType::FixedSizeBinary(16), "", "hash of status, message, metrics and groups"),
        second("jobs", DataType::Float64, "if the run failed", "the metric jobs"),
    ]
}

fn values_type() -> DataType {
    DataType::List(value_item())
}

pub(super) fn value_item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Float64, true))
}

pub(super) fn group_fields() -> Fields {
    Fields::from(vec![
        Field::new("grouping", DataType::Utf8, false),
        Field::new("group", DataType::Utf8, false),
        Field::new("values", values_type(), false),
    ])
}

pub(super) fn group_item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Struct(group_fields()), false))
}
