//! A job as the workload describes it and as a policy may see it.

use crate::speedup::{Speedup, TimeOn};
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};

/// One job of a workload. Times are ticks; `size` is in nodes (processors, where a log counts those).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// The job's number in its log, or its position in a generated workload; reported, never used for ordering.
    pub id: u64,
    /// When the job enters the queue.
    pub submit: Time,
    /// How long it runs at full rate, on the requested nodes; known to the kernel only, never to a policy. Positive.
    pub run_time: Span,
    /// The requested time, on the requested nodes, after the workload's rules for missing and short estimates. Positive.
    pub estimate: Span,
    /// Requested nodes, at least 1.
    pub size: u32,
    /// Requested memory in kilobytes, 0 where the workload gives none: per node; on a machine of hosts, of the whole job on its host.
    pub memory_kb: u64,
    /// The memory that it really uses at its peak, in kilobytes, counted as `memory_kb` is; 0: what it requested. Known to the kernel
    /// only, never to a policy.
    pub peak_memory_kb: u64,
    /// The cluster at which it was submitted, by its place among those of the machine, from 0; without meaning on other machines.
    #[serde(default, skip_serializing_if = "is_default")]
    pub home: u32,
    /// How its processes communicate.
    #[serde(default, skip_serializing_if = "is_default")]
    pub communication: Communication,
    /// How its speed grows with its nodes, where a policy may choose their number; none: the job is rigid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speedup: Option<Speedup>,
    /// The run time before the workload was scaled to a load, for groups of jobs only; zero: it was not scaled.
    #[serde(default, skip_serializing_if = "Span::is_zero")]
    pub unscaled_run_time: Span,
}

impl Job {
    /// How long it runs at full rate on `n` nodes; a rigid job's run time, whatever `n`.
    pub fn run_time_on(&self, n: u32) -> Span {
        TimeOn::new(self.run_time, self.size, self.speedup).on(n)
    }

    /// The run time before the workload was scaled to a load, on the requested nodes.
    pub fn unscaled(&self) -> Span {
        if self.unscaled_run_time == Span::ZERO { self.run_time } else { self.unscaled_run_time }
    }

    /// The rigid job that it is on `n` nodes: with the run time and the estimate there.
    pub fn molded(&self, n: u32) -> Job {
        let estimate = TimeOn::new(self.estimate, self.size, self.speedup).on(n);
        Job { size: n, run_time: self.run_time_on(n), estimate, speedup: None, ..*self }
    }

    /// The memory that it really uses at its peak, in kilobytes.
    pub fn peak_kb(&self) -> u64 {
        if self.peak_memory_kb == 0 { self.memory_kb } else { self.peak_memory_kb }
    }
}

/// What the processes of a job exchange: all with all, at an equal rate. Source: Jones et al. 2004, "Models" and "Residual Execution Time".
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Communication {
    /// T_C / T_E: the share of its run time in which it communicates, from 0 to 1, as long as no link holds it up.
    pub share: f64,
    /// PPBW: what each of its nodes sends and receives then, in the unit of the links' bandwidth; 0 or more.
    pub bandwidth: f64,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What a policy may know of a job: everything but its run time and the memory that it really uses.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    /// The cluster at which it was submitted, by its place among those of the machine, from 0; without meaning on other machines.
    pub home: u32,
    /// How its processes communicate.
    pub communication: Communication,
    /// How its speed grows with its nodes, where their number may be chosen; none: the job is rigid.
    pub speedup: Option<Speedup>,
}

impl Request {
    /// The estimate for a run on `n` nodes; a rigid job's estimate, whatever `n`.
    pub fn estimate_on(&self, n: u32) -> Span {
        self.estimates().on(n)
    }

    /// The estimates for runs on any number of nodes, for whoever asks for many.
    pub fn estimates(&self) -> TimeOn {
        TimeOn::new(self.estimate, self.size, self.speedup)
    }
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
