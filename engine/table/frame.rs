//! A table in memory: named columns of equal length.

use std::collections::BTreeMap;
use std::sync::Arc;

/// The cells of one column. A missing value is `None`; a NaN never enters a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Categories and text.
    Text(Vec<Option<Arc<str>>>),
    /// Numbers; durations are seconds.
    Real(Vec<Option<f64>>),
    /// Whole numbers.
    Int(Vec<Option<i64>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name; durations end in `_s`.
    pub name: String,
    /// Values.
    pub cells: Cells,
}

/// A table: columns of equal length and key-value metadata (schema version, experiment hash, build, trace hashes).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Columns in order.
    pub columns: Vec<Column>,
    /// Written into the Parquet file's key-value metadata.
    pub metadata: BTreeMap<String, String>,
}
