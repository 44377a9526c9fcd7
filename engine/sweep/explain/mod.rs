//! Explanations: why the store does not answer a run, what the nearest stored run is, and which rows of an older model could be
//! used again.

mod compare;
mod count;
mod filter;
mod parts;
mod past;
mod reason;
mod stale;
#[cfg(test)]
mod tests;

pub use compare::{Comparison, Description, Pair};
pub use count::{DetailCount, ReasonCount, Reasons};
pub use filter::Filter;
pub use past::Past;
pub use reason::{Explainer, ModelChange, Reason};
pub use stale::{Change, Jobs, LeftOut, Sampled, StaleRuns, untouched};
