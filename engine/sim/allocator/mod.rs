//! Allocators: which nodes a job gets. An allocator decides where, never when or how many.

use serde::{Deserialize, Serialize};

/// An allocator as an experiment writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum AllocatorSpec {
    /// The lowest-numbered free nodes ("non-contiguous" in Pascual & Miguel-Alonso 2008, §III).
    #[default]
    FirstFree,
    /// The first aligned block of the job's level in a k-ary n-tree that has enough free nodes.
    Contiguous {
        /// How many levels above the job's own are searched when its own level has no room (0 in the paper; 1 is its
        /// future work).
        #[serde(default)]
        relax: u32,
    },
}

impl AllocatorSpec {
    /// The names that experiments may use, for error messages.
    pub const NAMES: &'static [&'static str] = &["FirstFree", "Contiguous"];
}
