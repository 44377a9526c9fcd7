//! A job as the workload describes it and as a policy may see it.

use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// One job of a workload. Times are ticks; `size` is in nodes (processors, where a log counts those).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The job's number in its log, or its position in a generated workload; reported, never used for ordering.
    pub id: u64,
    /// When the job enters the queue.
    pub submit: Time,
    /// How long it runs at full rate; known to the kernel only, never to a policy. Positive.
    pub run_time: Span,
    /// The requested time, after the workload's rules for missing and short estimates. Positive.
    pub estimate: Span,
    /// Requested nodes, at least 1.
    pub size: u32,
    /// Requested memory in kilobytes, 0 where the workload gives none: per node; on a machine of hosts, of the whole job on its host.
    pub memory_kb: u64,
    /// The memory that it really uses at its peak, in kilobytes, counted as `memory_kb` is; 0: what it requested. Known to the kernel
    /// only, never to a policy.
    pub peak_memory_kb: u64,
}

impl Job {
    /// The memory that it really uses at its peak, in kilobytes.
    pub fn peak_kb(&self) -> u64 {
        if self.peak_memory_kb == 0 { self.memory_kb } else { self.peak_memory_kb }
    }
}

/// What a policy may know of a job: everything but its run time and the memory that it really uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The job's number in its log.
    pub id: u64,
    /// Position in the arrival order (submit time, then log order), from 0; the last tie-break everywhere.
    pub arrival: u64,
    /// When the job entered the queue.
    pub submit: Time,
    /// The estimate the run's [`EstimateSource`](crate::EstimateSource) lets policies see.
    pub estimate: Span,
    /// Requested nodes.
    pub size: u32,
    /// Requested memory in kilobytes, 0 where the workload gives none: per node; on a machine of hosts, of the whole job on its host.
    pub memory_kb: u64,
}

/// A job in the system: its place in the kernel's slab, valid from submission until it leaves. Slots are reused, so a slot
/// is no order; use [`Request::arrival`] for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobSlot(pub u32);

/// The rate at which a running job progresses, as a share of full speed in units of 2⁻³². A contended or loading job has a
/// rate below [`Rate::FULL`]; at [`Rate::STALLED`] it holds its nodes without progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(pub u64);

impl Rate {
    /// Full speed: one tick of run time per tick.
    pub const FULL: Rate = Rate(1 << 32);
    /// No progress.
    pub const STALLED: Rate = Rate(0);
}
