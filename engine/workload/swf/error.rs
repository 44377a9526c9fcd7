//! Faults of a log, with their place.

/// Why a text is no log in Standard Workload Format: where, what stands there, what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SwfError {
    /// A field is not what the format wants.
    #[error("line {line}, column {column}: `{text}`: expected {expected}")]
    BadField {
        /// Line, from 1.
        line: u64,
        /// Column of the field's first byte, from 1.
        column: usize,
        /// Number of the field in the format, 1 to 18.
        field: usize,
        /// The offending text, shortened where it is long.
        text: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// A record has more or fewer than 18 fields.
    #[error("line {line}, column {column}: {found} fields, expected 18: `{text}`")]
    FieldCount {
        /// Line, from 1.
        line: u64,
        /// Column where the missing field was expected, or where the first surplus one stands, from 1.
        column: usize,
        /// Number of fields found.
        found: usize,
        /// The line, shortened where it is long.
        text: String,
    },
    /// A line has no end.
    #[error("line {line}: longer than {limit} bytes, so this is no log")]
    LongLine {
        /// Line, from 1.
        line: u64,
        /// The longest line accepted, in bytes.
        limit: usize,
    },
    /// The log has no record at all.
    #[error("no job records: {}", if *.comments == 0 { "the file is empty" } else { "the file has only comments" })]
    Empty {
        /// Number of comment lines.
        comments: usize,
    },
}

impl SwfError {
    /// Line (from 1) and column (from 1) of the fault, where it has one.
    pub fn place(&self) -> Option<(u64, usize)> {
        match self {
            SwfError::BadField { line, column, .. } | SwfError::FieldCount { line, column, .. } => {
                Some((*line, *column))
            }
            SwfError::LongLine { line, .. } => Some((*line, 1)),
            SwfError::Empty { .. } => None,
        }
    }
}
