//! What can go wrong with many runs.

use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a sweep, or a step of it, failed. A failed run is no error of the sweep; it is a row with a message.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SweepError {
    /// The store's folder cannot be made or written to.
    #[error("cannot write to the store {}", path.display())]
    StoreWrite {
        /// The folder, or the segment in it.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The store's folder exists and cannot be listed.
    #[error("cannot read the store {}", path.display())]
    StoreRead {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A segment that was read before is gone or has changed since.
    #[error("the segment {} of the store can no longer be read: {reason}; run the command again", path.display())]
    SegmentLost {
        /// The segment.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Rows could not be encoded as Parquet.
    #[error("cannot encode results: {reason}")]
    Encode {
        /// What the encoder says.
        reason: String,
    },
    /// A log that a run needs cannot be read.
    #[error(transparent)]
    Workload(#[from] workload::WorkloadError),
    /// A specification has no canonical text.
    #[error("a run specification has no canonical form")]
    Canonical {
        /// The reason.
        source: serde_json::Error,
    },
    /// A text is no run key.
    #[error("`{text}` is no run key (64 hexadecimal digits)")]
    KeyText {
        /// The text.
        text: String,
    },
    /// A text is no run specification.
    #[error("`{text}` is no run specification")]
    SpecText {
        /// The text.
        text: String,
        /// The reason.
        source: serde_json::Error,
    },
    /// The worker threads cannot be started.
    #[error("cannot start {threads} worker threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// The reason.
        reason: String,
    },
    /// A folder for tables cannot be made.
    #[error("cannot make the folder {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The tables cannot be computed or written.
    #[error(transparent)]
    Table(#[from] table::TableError),
}

/// An error with its causes, in one line.
pub fn chain(problem: &dyn std::error::Error) -> String {
    let mut text = problem.to_string();
    let mut cause = problem.source();
    while let Some(deeper) = cause {
        let words = deeper.to_string();
        // Some errors print their cause themselves.
        if !text.contains(&words) {
            text = format!("{text}: {words}");
        }
        cause = deeper.source();
    }
    text
}
