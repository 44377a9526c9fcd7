//! The Standard Workload Format, version 2.2, of the Parallel Workloads Archive.

mod error;

pub use error::SwfError;
