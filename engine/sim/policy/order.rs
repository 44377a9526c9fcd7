//! The order in which waiting jobs are considered, and how many of those that cannot start get a reservation.

use crate::error::SimError;
use crate::job::Request;
use crate::time::Time;
use serde::{Deserialize, Serialize};

/// The order in which priority backfilling considers waiting jobs; ties always go to the earlier arrival. The last five are the weighted
/// sums of Chiang 2001, Table 12.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Order {
    /// Arrival order (FCFS).
    #[default]
    Arrival,
    /// Shortest estimate first (SJF).
    ShortestFirst,
    /// Largest expansion factor (wait + estimate)/estimate first (LXF).
    LargestExpansionFirst,
    /// Fewest nodes first.
    SmallestFirst,
    /// Most nodes first.
    LargestFirst,
    /// Largest weighted sum first (Chiang 2001, §3.2.1, Table 13): of the wait in hours, the expansion factor, the nodes, the memory, which
    /// is counted in shares of the machine's average memory per processor, and the larger of nodes and memory.
    Weighted {
        /// Weight of the wait in hours.
        #[serde(default)]
        wait: f64,
        /// Weight of the expansion factor.
        #[serde(default)]
        expansion: f64,
        /// Weight of the requested nodes.
        #[serde(default)]
        nodes: f64,
        /// Weight of the requested memory; on hosts only.
        #[serde(default, skip_serializing_if = "is_zero")]
        memory: f64,
        /// Weight of the larger of requested nodes and memory; on hosts only.
        #[serde(default, skip_serializing_if = "is_zero")]
        larger: f64,
    },
    /// Priority-backfill: wait 1, expansion 5, nodes 0.2.
    PriorityP,
    /// Priority(P&M)-backfill: wait 1, expansion 5, larger 0.2.
    PriorityPm,
    /// NCSA-MS*: wait 240, expansion 1500, larger 100.
    NcsaMs,
    /// LXF&W-backfill: wait 0.02, expansion 1.
    LxfW,
    /// MHPCC-MS*: wait 60, expansion 10, nodes 8.
    MhpccMs,
}

fn is_zero(weight: &f64) -> bool {
    *weight == 0.0
}

/// The weights of a sum by which jobs are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weights {
    /// Of the wait in hours, W_w.
    pub wait: f64,
    /// Of the expansion factor, W_x.
    pub expansion: f64,
    /// Of the requested nodes, W_p.
    pub nodes: f64,
    /// Of the requested memory, W_m.
    pub memory: f64,
    /// Of the larger of requested nodes and memory, W_pe.
    pub larger: f64,
}

impl Order {
    /// The weights of the weighted orders.
    pub fn weights(self) -> Option<Weights> {
        let weights =
            |wait, expansion, nodes, larger| Weights { wait, expansion, nodes, memory: 0.0, larger };
        match self {
            Order::Weighted { wait, expansion, nodes, memory, larger } => {
                Some(Weights { wait, expansion, nodes, memory, larger })
            }
            Order::PriorityP => Some(weights(1.0, 5.0, 0.2, 0.0)),
            Order::PriorityPm => Some(weights(1.0, 5.0, 0.0, 0.2)),
            Order::NcsaMs => Some(weights(240.0, 1500.0, 0.0, 100.0)),
            Order::LxfW => Some(weights(0.02, 1.0, 0.0, 0.0)),
            Order::MhpccMs => Some(weights(60.0, 10.0, 8.0, 0.0)),
            Order::Arrival
            | Order::ShortestFirst
            | Order::LargestExpansionFirst
            | Order::SmallestFirst
            | Order::LargestFirst => None,
        }
    }

    /// Checks that all weights are numbers.
    ///
    /// # Errors
    /// [`SimError::Setup`] with the reason.
    pub fn validate(self) -> Result<(), SimError> {
        let Weights { wait, expansion, nodes, memory, larger } = self.weights().unwrap_or_default();
        if [wait, expansion, nodes, memory, larger].iter().all(|weight| weight.is_finite()) {
            return Ok(());
        }
        Err(SimError::Setup { reason: "the weights of a priority must be finite numbers".into() })
    }

    /// Checks that memory does not count, for policies of nodes that have none.
    ///
    /// # Errors
    /// [`SimError::Setup`] with the reason and what would do.
    pub fn without_memory(self) -> Result<(), SimError> {
        let weights = self.weights().unwrap_or_default();
        if weights.memory == 0.0 && weights.larger == 0.0 {
            return Ok(());
        }
        let reason = "this order counts memory, which only hosts share out; use PriorityBackfill on a machine of hosts";
        Err(SimError::Setup { reason: reason.into() })
    }

    /// The part of a job's priority that does not change while it waits. `average_kb`: the machine's average memory per processor, not 0.
    pub fn fixed_priority(self, request: &Request, average_kb: f64) -> f64 {
        let nodes = f64::from(request.size);
        match self {
            Order::ShortestFirst => -request.estimate.as_secs_f64(),
            Order::SmallestFirst => -nodes,
            Order::LargestFirst => nodes,
            _ => self.weights().map_or(0.0, |weights| {
                let memory = request.memory_kb as f64 / average_kb;
                weights.nodes * nodes + weights.memory * memory + weights.larger * nodes.max(memory)
            }),
        }
    }

    /// The part that does. The higher the sum of the two, the earlier a job is considered.
    pub fn waiting_priority(self, request: &Request, now: Time) -> f64 {
        let weights = match self {
            Order::LargestExpansionFirst => Weights { expansion: 1.0, ..Weights::default() },
            _ => self.weights().unwrap_or_default(),
        };
        weights.of_waiting(request, now)
    }

    /// Whether the order of two jobs may change while they wait.
    pub fn is_dynamic(self) -> bool {
        self == Order::LargestExpansionFirst || self.weights().is_some()
    }
}

impl Weights {
    /// The part of the sum that changes while a job waits: W_w · wait in hours + W_x · (wait + estimate)/estimate.
    pub fn of_waiting(&self, request: &Request, now: Time) -> f64 {
        let wait = (now - request.submit).as_secs_f64();
        let estimate = request.estimate.as_secs_f64();
        self.wait * wait / 3600.0 + self.expansion * ((wait + estimate) / estimate)
    }
}

/// How many reservations priority backfilling keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reservations {
    /// At most this many; 0 is a plain greedy scan of the queue.
    AtMost(u32),
    /// One for every waiting job.
    All,
}

impl Reservations {
    /// The number, that of all jobs being endless.
    pub fn limit(self) -> usize {
        match self {
            Reservations::AtMost(number) => number as usize,
            Reservations::All => usize::MAX,
        }
    }
}
