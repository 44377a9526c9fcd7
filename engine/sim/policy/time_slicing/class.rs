//! The books of one class: who waits, who runs, who is suspended, and on which nodes.

use super::is_running;
use crate::cluster::node_set::{NodeSet, Placement};
use crate::job::JobSlot;
use crate::kernel::Pass;
use std::collections::BTreeMap;

/// A class of run times. The order is that of the slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Long,
    Medium,
    Short,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Long, Kind::Medium, Kind::Short];
    pub const SHORTEST_FIRST: [Kind; 3] = [Kind::Short, Kind::Medium, Kind::Long];

    pub fn label(self) -> &'static str {
        match self {
            Kind::Long => "long",
            Kind::Medium => "medium",
            Kind::Short => "short",
        }
    }
}

pub(super) struct Class {
    /// In arrival order.
    waiting: Vec<JobSlot>,
    /// Loading or running, in no particular order.
    pub active: Vec<JobSlot>,
    /// By arrival.
    pub suspended: BTreeMap<u64, JobSlot>,
    /// How many jobs of the class are allocated to each node.
    allocated: Vec<u32>,
    /// The nodes with at least one.
    nodes: NodeSet,
}

impl Class {
    pub fn new(nodes: u32) -> Class {
        Class {
            waiting: Vec::new(),
            active: Vec::new(),
            suspended: BTreeMap::new(),
            allocated: vec![0; nodes as usize],
            nodes: NodeSet::lowest(nodes, 0),
        }
    }

    pub fn has_jobs(&self) -> bool {
        !self.waiting.is_empty() || !self.active.is_empty() || !self.suspended.is_empty()
    }

    pub fn submitted(&mut self, _pass: &Pass<'_>, job: JobSlot) {
        self.waiting.push(job);
    }

    pub fn ended(&mut self, pass: &Pass<'_>, job: JobSlot) {
        match self.active.iter().position(|other| *other == job) {
            Some(place) => _ = self.active.swap_remove(place),
            None => _ = self.suspended.remove(&pass.request(job).arrival),
        }
        for node in pass.placement(job).nodes() {
            self.allocated[node as usize] -= 1;
            if self.allocated[node as usize] == 0 {
                self.nodes.remove(&Placement::of([node]));
            }
        }
    }

    pub fn suspend_all(&mut self, pass: &mut Pass<'_>) {
        for job in self.active.drain(..) {
            if pass.suspend(job) {
                self.suspended.insert(pass.request(job).arrival, job);
            }
        }
    }

    /// Puts suspended jobs back on their nodes in arrival order, each if all of its nodes are free.
    pub fn resume_all(&mut self, pass: &mut Pass<'_>) {
        let active = &mut self.active;
        self.suspended.retain(|_, job| {
            let resumed = pass.cluster().free_count() > 0 && pass.resume(*job);
            if resumed {
                active.push(*job);
            }
            !resumed
        });
    }

    /// Whether a waiting job is no larger than what is free.
    pub fn may_start(&self, pass: &Pass<'_>) -> bool {
        let free = pass.cluster().free_count();
        free > 0 && self.waiting.iter().any(|job| pass.request(*job).size <= free)
    }

    /// Calls `consider` for the waiting jobs in arrival order, as long as one is left that is no larger than what is free; it says whether it
    /// started the job.
    pub fn walk(&mut self, pass: &mut Pass<'_>, mut consider: impl FnMut(&mut Pass<'_>, JobSlot) -> bool) {
        self.walk_with_nodes(pass, |pass, job, _| consider(pass, job));
    }

    /// As [`walk`](Class::walk), with the nodes to which jobs of the class are allocated.
    pub fn walk_with_nodes(
        &mut self,
        pass: &mut Pass<'_>,
        mut consider: impl FnMut(&mut Pass<'_>, JobSlot, &Placement) -> bool,
    ) {
        let mut own = sparse(&self.nodes);
        let mut end = self.last_that_may(pass, self.waiting.len());
        let mut started = false;
        let mut at = 0;
        while at < end {
            let job = self.waiting[at];
            at += 1;
            if consider(pass, job, &own) {
                started = true;
                self.allocate(pass, job);
                own = sparse(&self.nodes);
                end = self.last_that_may(pass, end);
            }
        }
        if started {
            self.waiting.retain(|job| !is_running(pass, *job));
        }
    }

    /// Behind the last of the first `end` waiting jobs that is no larger than what is free.
    fn last_that_may(&self, pass: &Pass<'_>, end: usize) -> usize {
        let free = pass.cluster().free_count();
        let fits = |job: &JobSlot| pass.request(*job).size <= free;
        if free == 0 { 0 } else { self.waiting[..end].iter().rposition(fits).map_or(0, |last| last + 1) }
    }

    fn allocate(&mut self, pass: &Pass<'_>, job: JobSlot) {
        self.active.push(job);
        for node in pass.placement(job).nodes() {
            self.allocated[node as usize] += 1;
        }
        self.nodes.insert(pass.placement(job));
    }
}

fn sparse(set: &NodeSet) -> Placement {
    let mut placement = Placement::empty();
    for (word, &mask) in set.words().iter().enumerate() {
        placement.push(word as u32, mask);
    }
    placement
}
