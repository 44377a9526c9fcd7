//! The Standard Workload Format, version 2.2, of the Parallel Workloads Archive: 18 white-space separated fields per line,
//! comments after `;`.

pub mod archive;
mod clean;
mod error;
mod read;
mod record;
mod report;
mod scan;
mod writer;

pub use archive::TraceDir;
pub use clean::{Cleaner, clean};
pub use error::SwfError;
pub use read::{hashes, open, read, uncompressed, visit};
pub use record::{FIELDS, Header, Log, Record};
pub use report::{CleaningReport, Fate, Finding};
pub use scan::{ScanError, parse, scan};
pub use writer::{LoggedJob, write};

#[cfg(test)]
mod tests;
