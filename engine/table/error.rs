//! What can be wrong with a table.

use crate::frame::CellType;
use std::path::PathBuf;

/// What can be wrong with a table or its file.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A column is asked for that the table lacks.
    #[error("unknown column `{name}`; the table has {}", listed(.known))]
    UnknownColumn {
        /// The name asked for.
        name: String,
        /// The table's columns, in order.
        known: Vec<String>,
    },
    /// A column has another type than the caller needs.
    #[error("column `{column}` holds {found}, not {wanted}")]
    WrongType {
        /// The column.
        column: String,
        /// What it holds.
        found: CellType,
        /// What was needed.
        wanted: CellType,
    },
    /// Two columns of one table have the same name.
    #[error("two columns are named `{column}`")]
    DuplicateColumn {
        /// The name.
        column: String,
    },
    /// A column is longer or shorter than the first one.
    #[error("column `{column}` has {found} rows where the table has {expected}")]
    UnequalLength {
        /// The column.
        column: String,
        /// Its length.
        found: usize,
        /// The length of the table's first column.
        expected: usize,
    },
    /// An infinite number, which no reader of the tables could use.
    #[error("column `{column}` has the infinite value {value} in row {row}")]
    Infinite {
        /// The column.
        column: String,
        /// The row, from 0.
        row: usize,
        /// The value.
        value: f64,
    },
    /// A filter's value cannot be a value of its column.
    #[error("column `{column}` holds {holds}, which `{value}` is not")]
    BadFilterValue {
        /// The column.
        column: String,
        /// What the column holds.
        holds: CellType,
        /// The value as the filter has it.
        value: String,
    },
    /// Two runs claim to be the same replication of the same case, so that nothing can be averaged or paired.
    #[error("replication {replication} of the case {case} is in the runs table twice")]
    DuplicateRun {
        /// The case's columns and values.
        case: String,
        /// The replication.
        replication: i64,
    },
    /// A replication number is missing, so that nothing can be paired.
    #[error("row {row} of the runs table has no replication number")]
    NoReplication {
        /// The row, from 0.
        row: usize,
    },
    /// A baseline fixes a column that is neither an axis nor the mode.
    #[error("the baseline of comparison `{comparison}` fixes `{column}`, which is not an axis; the axes are {}", listed(.axes))]
    BaselineNotAnAxis {
        /// The comparison.
        comparison: String,
        /// The column.
        column: String,
        /// The axis columns.
        axes: Vec<String>,
    },
    /// A table without columns cannot be a Parquet file that other programs read.
    #[error("cannot write `{}`: the table has no columns", path.display())]
    NoColumns {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("cannot {doing} `{}`", path.display())]
    Io {
        /// What was tried, such as `read`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not Parquet, or is damaged.
    #[error("cannot {doing} `{}` as Parquet", path.display())]
    Parquet {
        /// What was tried, such as `read`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: ::parquet::errors::ParquetError,
    },
    /// A Parquet column has a type that tables do not use.
    #[error("column `{column}` of `{}` has the type {found}; tables hold text, real numbers, whole numbers and flags", path.display())]
    ForeignType {
        /// The file.
        path: PathBuf,
        /// The column.
        column: String,
        /// Its type.
        found: String,
    },
    /// The file was written under another schema version, or by another program.
    #[error("`{}` has schema version {found}; this build reads {known}", path.display())]
    SchemaVersion {
        /// The file.
        path: PathBuf,
        /// What it says, or `none`.
        found: String,
        /// What this build reads.
        known: u32,
    },
    /// The file's content breaks a rule of tables.
    #[error("`{}` is not a valid table", path.display())]
    InvalidFile {
        /// The file.
        path: PathBuf,
        /// The rule.
        source: Box<TableError>,
    },
}

fn listed(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
