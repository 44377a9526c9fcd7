//! The memory of the nodes: which jobs are allocated to a node, and how much of each is resident.
//!
//! Source: Esbaugh 2010, §5.2–5.3 and App. A. A job is *allocated* to its nodes from its first start until it ends, suspended or not. Before it
//! makes progress all of its memory must be resident on all of its nodes (loading); room is made by displacing the memory of the jobs that became
//! resident there longest ago, and what was displaced costs them time (swapping out).

use super::node_set::Placement;
use crate::error::SimError;
use crate::job::JobSlot;
use crate::time::Span;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

/// The memory of every node, as an experiment writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MemorySpec {
    /// Memory of a node in kilobytes. Only its ratio to the jobs' memory and to the rate matters (400 units in App. A).
    pub capacity_kb: u64,
    /// How long a transfer of a whole node's memory takes, in seconds (100 in App. A: 4 of 400 units per second).
    pub transfer_s: u64,
    /// Who pays for displaced memory.
    pub swap_charge: SwapCharge,
}

impl Default for MemorySpec {
    fn default() -> MemorySpec {
        MemorySpec { capacity_kb: 400, transfer_s: 100, swap_charge: SwapCharge::AllDisplaced }
    }
}

/// Who pays for displaced memory, and what is remembered of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SwapCharge {
    /// Every displaced job pays for what it lost, and remnants can be displaced further (§5.3).
    #[default]
    AllDisplaced,
    /// As App. A is printed: displaced jobs leave the node's list, so their remnants are never counted or displaced and a node can hold more than
    /// its capacity; only the last displaced job pays, and its remnant is what the newcomer lacked before it left.
    LastDisplaced,
}

impl MemorySpec {
    /// How long it takes to move `kb` between memory and disk: whole seconds, rounded up.
    pub fn transfer(&self, kb: u64) -> Span {
        let seconds =
            (u128::from(kb) * u128::from(self.transfer_s)).div_ceil(u128::from(self.capacity_kb.max(1)));
        Span::from_secs(
            i64::try_from(seconds).unwrap_or(crate::time::MAX_SECONDS).min(crate::time::MAX_SECONDS),
        )
    }

    /// Checks the numbers.
    ///
    /// # Errors
    /// [`SimError::Machine`] for a capacity of zero, or numbers beyond all machines.
    pub fn validate(&self) -> Result<(), SimError> {
        const MOST: u64 = 1 << 50;
        let bad = |reason: &str| Err(SimError::Machine { reason: reason.into() });
        match self {
            MemorySpec { capacity_kb: 0, .. } => bad("memory: capacity_kb must be at least 1"),
            MemorySpec { capacity_kb: MOST.., .. } => bad("memory: capacity_kb must be below 2^50"),
            MemorySpec { transfer_s, .. } if *transfer_s > crate::time::MAX_SECONDS.unsigned_abs() => {
                bad("memory: transfer_s is longer than a simulation can tell")
            }
            _ => Ok(()),
        }
    }
}

/// A job's share of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The job.
    pub job: JobSlot,
    /// What it needs here, in kilobytes.
    pub need_kb: u64,
    /// What of it is resident, in kilobytes.
    pub resident_kb: u64,
}

/// One node.
#[derive(Clone, Debug, Default)]
struct Node {
    claims: SmallVec<[Claim; 4]>,
    /// The jobs with memory here (as printed: those wholly loaded and not displaced since), longest resident first.
    order: SmallVec<[JobSlot; 4]>,
}

impl Node {
    fn claim(&mut self, job: JobSlot) -> Option<&mut Claim> {
        self.claims.iter_mut().find(|claim| claim.job == job)
    }

    fn strike(&mut self, job: JobSlot) -> bool {
        let place = self.order.iter().position(|other| *other == job);
        place.map(|place| self.order.remove(place)).is_some()
    }
}

/// Who is allocated where, with how much resident memory.
#[derive(Clone, Debug)]
pub struct Tenants {
    spec: Option<MemorySpec>,
    nodes: Vec<Node>,
    // One element per node beside the nodes: allocators look at these two of every candidate.
    /// Σ need of the claims.
    claimed_kb: Vec<u64>,
    /// What the node counts as used: Σ resident (as printed: Σ need of the jobs in `order`).
    used_kb: Vec<u64>,
}

/// What jobs lost to a newcomer: job, and the most that it lost on any node, in kilobytes.
pub type Displaced = SmallVec<[(JobSlot, u64); 8]>;

impl Tenants {
    /// Nobody is allocated anywhere. Without a `spec` memory is unlimited and costs nothing.
    pub fn new(nodes: u32, spec: Option<MemorySpec>) -> Tenants {
        let nodes = nodes as usize;
        Tenants {
            spec,
            nodes: vec![Node::default(); nodes],
            claimed_kb: vec![0; nodes],
            used_kb: vec![0; nodes],
        }
    }

    /// The jobs allocated to a node, in no particular order.
    pub fn claims(&self, node: u32) -> &[Claim] {
        &self.nodes[node as usize].claims
    }

    /// Memory of a node in kilobytes.
    pub fn capacity_kb(&self) -> u64 {
        self.spec.map_or(u64::MAX, |spec| spec.capacity_kb)
    }

    /// Memory of the node that nothing resident uses, in kilobytes.
    pub fn free_kb(&self, node: u32) -> u64 {
        self.capacity_kb().saturating_sub(self.used_kb[node as usize])
    }

    /// Σ of what the jobs allocated to the node need, resident or not, in kilobytes.
    pub fn claimed_kb(&self, node: u32) -> u64 {
        self.claimed_kb[node as usize]
    }

    /// What a job that asks for `kb` per node needs: nothing where memory is unlimited.
    pub fn need(&self, kb: u64) -> u64 {
        if self.spec.is_some() { kb } else { 0 }
    }

    /// How long moving `kb` takes.
    pub fn transfer(&self, kb: u64) -> Span {
        self.spec.map_or(Span::ZERO, |spec| spec.transfer(kb))
    }

    /// Allocates a job that has never run to its nodes; nothing of it is resident yet.
    pub fn allocate(&mut self, job: JobSlot, kb: u64, placement: &Placement) {
        let need_kb = self.need(kb);
        for node in placement.nodes() {
            self.nodes[node as usize].claims.push(Claim { job, need_kb, resident_kb: 0 });
            self.claimed_kb[node as usize] += need_kb;
        }
    }

    /// Takes an ended job and its memory off its nodes.
    pub fn release(&mut self, job: JobSlot, placement: &Placement) {
        let counts_need = self.counts_need();
        for at in placement.nodes() {
            let node = &mut self.nodes[at as usize];
            let Some(place) = node.claims.iter().position(|claim| claim.job == job) else { continue };
            let claim = node.claims.swap_remove(place);
            self.claimed_kb[at as usize] -= claim.need_kb;
            let listed = node.strike(job);
            self.used_kb[at as usize] -= match (counts_need, listed) {
                (true, true) => claim.need_kb,
                (true, false) => 0,
                (false, _) => claim.resident_kb,
            };
        }
    }

    /// How long the job must load before it can run: what is missing on the node where most is.
    pub fn load_time(&self, job: JobSlot, placement: &Placement) -> Span {
        let missing = |node: u32| {
            let claim = self.nodes[node as usize].claims.iter().find(|claim| claim.job == job);
            claim.map_or(0, |claim| claim.need_kb - claim.resident_kb)
        };
        self.transfer(placement.nodes().map(missing).max().unwrap_or(0))
    }

    /// Makes a job wholly resident on its nodes and says whom that displaced, in the order in which it did.
    pub fn settle(&mut self, job: JobSlot, placement: &Placement) -> Displaced {
        let (capacity, counts_need) = (self.capacity_kb(), self.counts_need());
        let mut displaced = Displaced::new();
        for at in placement.nodes() {
            let (node, used) = (&mut self.nodes[at as usize], &mut self.used_kb[at as usize]);
            if counts_need {
                settle_as_printed(node, used, job, capacity, &mut displaced);
            } else {
                settle(node, used, job, capacity, &mut displaced);
            }
        }
        displaced
    }

    fn counts_need(&self) -> bool {
        self.spec.is_some_and(|spec| spec.swap_charge == SwapCharge::LastDisplaced)
    }
}

fn charge(displaced: &mut Displaced, job: JobSlot, kb: u64) {
    match displaced.iter_mut().find(|(other, _)| *other == job) {
        Some((_, most)) => *most = kb.max(*most),
        None => displaced.push((job, kb)),
    }
}

/// §5.3: displaces the longest resident others, the last one only in part. A job that was whole here keeps its place in the order.
fn settle(node: &mut Node, used: &mut u64, job: JobSlot, capacity: u64, displaced: &mut Displaced) {
    let Some(missing) = node.claim(job).map(|claim| claim.need_kb - claim.resident_kb) else { return };
    if missing == 0 {
        return;
    }
    let mut free = capacity - *used;
    while free < missing {
        let Some(oldest) = node.order.iter().copied().find(|other| *other != job) else { break };
        let Some(claim) = node.claim(oldest) else { break };
        let taken = claim.resident_kb.min(missing - free);
        claim.resident_kb -= taken;
        let gone = claim.resident_kb == 0;
        charge(displaced, oldest, taken);
        free += taken;
        *used -= taken;
        if gone {
            node.strike(oldest);
        }
    }
    node.strike(job);
    node.order.push(job);
    *used += missing;
    if let Some(claim) = node.claim(job) {
        claim.resident_kb = claim.need_kb;
    }
}

/// App. A, `loadJob`: see [`SwapCharge::LastDisplaced`].
fn settle_as_printed(
    node: &mut Node,
    used: &mut u64,
    job: JobSlot,
    capacity: u64,
    displaced: &mut Displaced,
) {
    if node.order.contains(&job) {
        return;
    }
    let Some(need) = node.claim(job).map(|claim| claim.need_kb) else { return };
    while capacity - *used < need {
        let before = capacity - *used;
        if node.order.is_empty() {
            break;
        }
        let oldest = node.order.remove(0);
        let held = node.claim(oldest).map_or(0, |claim| claim.need_kb);
        *used -= held;
        let last = capacity - *used >= need;
        let remnant = if last { need - before } else { 0 };
        charge(displaced, oldest, remnant);
        if let Some(claim) = node.claim(oldest) {
            claim.resident_kb = remnant;
        }
    }
    node.order.push(job);
    *used += need;
    if let Some(claim) = node.claim(job) {
        claim.resident_kb = need;
    }
}
