//! Where jobs come from: logs in Standard Workload Format, synthetic models and twins, and what is done to them before a run.
//! All randomness of the project lives here.

mod spec;

pub use spec::{
    EstimateFloor, Load, LoadBy, MissingEstimate, Mode, NegativeSubmit, NoRunTime, Rules, SizeField, Source, TooLarge, Variant,
    WorkloadSpec,
};
