//! Availability profiles: what is free when, if every job ends as estimated.
//!
//! [`CountProfile`] counts free nodes and serves the backfilling policies on machines where only the number matters.
//! [`NodeProfile`] knows which nodes are free, for allocators that care where. Both are step functions of future time, built
//! from intervals that jobs and reservations hold. [`naive`] keeps the slow, obvious twins that tests compare them with.

mod count;
mod gaps;
pub mod naive;
mod node;
mod steps;

#[cfg(test)]
mod lockstep;

pub use count::CountProfile;
pub use gaps::Gaps;
pub use node::NodeProfile;
