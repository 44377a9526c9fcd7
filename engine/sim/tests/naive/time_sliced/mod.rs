//! Time slicing with node memory, slowly: everything is worked out anew at every instant, from lists that are searched from
//! end to end. All times are seconds, all amounts of memory per node.

mod choice;
mod log;
mod memory;
mod pass;
mod plan;
mod world;

pub use choice::{Fit, Place};
pub use log::{Event, What};
pub use world::run;

/// Classes of jobs by their run times, in the order of their slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    Long,
    Medium,
    Short,
}

pub const BY_SLICE: [Class; 3] = [Class::Long, Class::Medium, Class::Short];
pub const SHORTER_FIRST: [Class; 3] = [Class::Short, Class::Medium, Class::Long];

/// A job to run.
#[derive(Clone, Debug)]
pub struct Work {
    pub id: u64,
    pub submit: i64,
    pub width: usize,
    pub run: i64,
    pub memory: i64,
}

/// What the schedule depends on besides the jobs.
#[derive(Clone, Debug)]
pub struct Rules {
    pub nodes: usize,
    /// Of the long, the medium and the short slice; their sum is one.
    pub shares: [f64; 3],
    pub interval: i64,
    pub adaptive: bool,
    pub easy: bool,
    pub non_type: bool,
    pub short_below: i64,
    pub long_above: i64,
    pub place: Place,
    pub capacity: i64,
    /// Seconds to fill a node's memory.
    pub transfer: i64,
    /// Displaced jobs are charged as the thesis's program does it, and not as its text does.
    pub last_displaced: bool,
}

impl Rules {
    pub fn class(&self, run: i64) -> Class {
        if run < self.short_below {
            Class::Short
        } else if run > self.long_above {
            Class::Long
        } else {
            Class::Medium
        }
    }

    /// Seconds to move so much memory, begun ones counted.
    pub fn seconds(&self, memory: i64) -> i64 {
        (memory * self.transfer + self.capacity - 1) / self.capacity
    }
}

/// What became of one job.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    pub id: u64,
    pub start: i64,
    pub end: i64,
    /// Seconds of loading, those of interrupted loads included.
    pub load: i64,
    pub swap: i64,
    pub suspensions: u32,
    pub nodes: Vec<usize>,
}

/// A whole run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// In arrival order.
    pub lines: Vec<Line>,
    /// In order of time, then of the jobs, then of what happens to one job in turn.
    pub log: Vec<Event>,
    /// The slices that began while there were jobs to come or in the system.
    pub slices: Vec<(i64, Class)>,
}
