//! The books of one class: who waits, who runs, who is suspended, and on which nodes.

use super::plan::Plan;
use crate::cluster::node_set::{NodeSet, Placement};
use crate::job::JobSlot;
use crate::kernel::{Pass, Phase};
use crate::time::Span;
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

/// A waiting job and what it asks for.
#[derive(Clone, Copy)]
struct Waiting {
    job: JobSlot,
    size: u32,
    /// Its load and its estimate.
    needed: Span,
}

/// A suspended job.
struct Suspended {
    job: JobSlot,
    /// What it needs yet, its load included, once somebody has asked: the same until some of its memory is displaced.
    needed: Option<Span>,
}

/// How waiting jobs may start.
#[derive(Clone, Copy)]
pub(super) enum Turn {
    /// In the slice of their own class.
    Own,
    /// In one of another class, which ends so much later.
    Other(Span),
}

impl Turn {
    /// How much of the class's own time a job takes that needs its nodes so long.
    fn taken(self, needed: Span) -> Span {
        match self {
            Turn::Own => needed,
            Turn::Other(rest) => (needed - rest).max(Span::ZERO),
        }
    }
}

pub(super) struct Class {
    /// In arrival order.
    waiting: Vec<Waiting>,
    /// Loading or running, in no particular order.
    pub active: Vec<JobSlot>,
    /// By arrival.
    suspended: BTreeMap<u64, Suspended>,
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

    pub fn submitted(&mut self, pass: &Pass<'_>, job: JobSlot) {
        let request = pass.request(job);
        let needed = pass.load_time(job) + request.estimate;
        self.waiting.push(Waiting { job, size: request.size, needed });
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
                self.suspended.insert(pass.request(job).arrival, Suspended { job, needed: None });
            }
        }
    }

    /// Some memory of a job was displaced.
    pub fn swapped_out(&mut self, pass: &Pass<'_>, job: JobSlot) {
        if let Some(suspended) = self.suspended.get_mut(&pass.request(job).arrival) {
            suspended.needed = None;
        }
    }

    /// The suspended jobs with what each needs yet, its load included.
    pub fn suspended<'a>(&'a mut self, pass: &'a Pass<'_>) -> impl Iterator<Item = (JobSlot, Span)> + 'a {
        self.suspended.values_mut().map(|suspended| {
            let job = suspended.job;
            let needed = *suspended.needed.get_or_insert_with(|| needed_yet(pass, job));
            debug_assert_eq!(needed, needed_yet(pass, job), "memory was displaced unseen");
            (job, needed)
        })
    }

    /// Puts suspended jobs back on their nodes in arrival order, each if all of its nodes are free.
    pub fn resume_all(&mut self, pass: &mut Pass<'_>) {
        let active = &mut self.active;
        self.suspended.retain(|_, &mut Suspended { job, .. }| {
            let resumed = pass.cluster().free_count() > 0 && pass.resume(job);
            if resumed {
                active.push(job);
            }
            !resumed
        });
    }

    /// Whether a waiting job is no larger than what is free.
    pub fn may_start(&self, pass: &Pass<'_>) -> bool {
        let free = pass.cluster().free_count();
        free > 0 && self.waiting.iter().any(|waiting| waiting.size <= free)
    }

    /// Whether a waiting job may start in the slice of another class, which ends so much later: it ends within it, or there are
    /// nodes that no job of the class will hold when its own time goes on. It is a sum where a plan is a profile, and mostly says no.
    pub fn may_start_elsewhere(&self, pass: &Pass<'_>, rest: Span) -> bool {
        let (free, size) = (pass.cluster().free_count(), |job: JobSlot| pass.request(job).size);
        let active = self.active.iter().filter(|job| pass.remaining(**job) > rest).map(|job| size(*job));
        let suspended = self.suspended.values().map(|suspended| size(suspended.job));
        let held: u64 = active.chain(suspended).map(u64::from).sum();
        let spare = u64::from(pass.cluster().nodes()).saturating_sub(held);
        let may = |waiting: &Waiting| {
            waiting.size <= free && (waiting.needed <= rest || u64::from(waiting.size) <= spare)
        };
        self.waiting.iter().any(may)
    }

    /// Starts the waiting jobs that the plan has room for, in arrival order, and reserves for those it has not.
    pub fn start_waiting(&mut self, pass: &mut Pass<'_>, plan: &mut Plan, turn: Turn) {
        plan.look();
        let mut end = self.last_that_may(pass, plan, turn, 0, self.waiting.len());
        let mut started = false;
        let mut at = 0;
        while at < end {
            let Waiting { job, size, needed } = self.waiting[at];
            at += 1;
            let taken = turn.taken(needed);
            let starts = plan.fits(taken, size)
                && self.start(pass, job, matches!(turn, Turn::Other(_)) && taken > Span::ZERO);
            if starts {
                started = true;
                plan.hold(taken, size);
            } else {
                plan.reserve(needed, size);
            }
            // Most reservations lie behind all that could start now.
            if plan.look() || starts {
                end = self.last_that_may(pass, plan, turn, at, end);
            }
        }
        if started {
            self.waiting.retain(|waiting| pass.phase(waiting.job) == Phase::Waiting);
        }
    }

    /// Behind the last waiting job of [`begin`, `end`) that could start as the plan is now. Reservations only take away, so those behind it
    /// cannot start in this pass, and nobody needs a reservation for their sake.
    fn last_that_may(&self, pass: &Pass<'_>, plan: &Plan, turn: Turn, begin: usize, end: usize) -> usize {
        let free = pass.cluster().free_count();
        let may =
            |waiting: &Waiting| waiting.size <= free && plan.fits(turn.taken(waiting.needed), waiting.size);
        if free == 0 {
            begin
        } else {
            self.waiting[begin..end].iter().rposition(may).map_or(begin, |last| begin + last + 1)
        }
    }

    /// Starts a job, on nodes to which no other job of the class is allocated if it is to be `alone`.
    fn start(&mut self, pass: &mut Pass<'_>, job: JobSlot, alone: bool) -> bool {
        let avoid = if alone { sparse(&self.nodes) } else { Placement::empty() };
        let starts = pass.start_avoiding(job, &avoid);
        if starts {
            self.allocate(pass, job);
        }
        starts
    }

    fn allocate(&mut self, pass: &Pass<'_>, job: JobSlot) {
        self.active.push(job);
        for node in pass.placement(job).nodes() {
            self.allocated[node as usize] += 1;
        }
        self.nodes.insert(pass.placement(job));
    }
}

fn needed_yet(pass: &Pass<'_>, job: JobSlot) -> Span {
    pass.remaining(job) + pass.load_time(job)
}

fn sparse(set: &NodeSet) -> Placement {
    let mut placement = Placement::empty();
    for (word, &mask) in set.words().iter().enumerate() {
        placement.push(word as u32, mask);
    }
    placement
}
