//! One simulation run of a parallel job scheduler, as a pure function.
//!
//! This crate has no input or output, no threads, no randomness, no wall clock and no statics: the same jobs under the same
//! [`Setup`] give the same result, bit for bit, on every machine. See `engine/ARCHITECTURE.md`.

pub mod allocator;
pub mod cluster;
mod error;
pub mod job;
pub mod kernel;
pub mod metrics;
pub mod observer;
pub mod policy;
pub mod speedup;
mod student;
pub mod time;

pub use allocator::AllocatorSpec;
pub use cluster::communication::{CommunicationModel, Penalized, Step3};
pub use cluster::machine::{Capacity, HostSpec, MachineSpec};
pub use cluster::memory::MemorySpec;
pub use error::SimError;
pub use job::{Communication, Job};
pub use kernel::{EstimateSource, Passes, RunReport, Setup, simulate};
pub use metrics::{MeasureSpec, Outcome};
pub use observer::steady::{Steady, WarmUp};
pub use policy::PolicySpec;
pub use speedup::Speedup;
pub use time::{Span, Time};
