//! Where jobs come from: logs in Standard Workload Format, synthetic models and twins, and what is done to them before a run.
//! All randomness of the project lives here.

mod assemble;
mod error;
mod hosted;
pub mod model;
pub mod rng;
mod spec;
pub mod statistics;
pub mod swf;
pub mod transform;

pub use assemble::{Workload, build, content_hash, is_stream, stream};
pub use error::WorkloadError;
pub use spec::{
    EstimateFloor, Load, LoadBy, LoadMeasure, MemoryField, MemoryModel, MemoryVector, MissingEstimate, Mode,
    Moldable, NegativeSubmit, NoRunTime, Parallelism, RequestedTime, Rules, SizeField, Source, TooLarge,
    Variant, WorkloadSpec,
};
pub use swf::{CleaningReport, TraceDir};
