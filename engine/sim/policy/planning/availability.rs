//! What a plan asks of an availability profile, whether nodes are interchangeable or not.

use super::super::queue_index::{Limits, QueueIndex, Search, Wanted};
use crate::allocator::{Allocator, Room};
use crate::cluster::Cluster;
use crate::cluster::node_set::Placement;
use crate::cluster::profile::{CountProfile, Gaps, NodeProfile};
use crate::job::{JobSlot, Request};
use crate::kernel::Pass;
use crate::time::{Span, Time};

/// A profile of what is free when, and the claims that jobs and reservations make on it.
pub trait Availability {
    /// What a reservation holds.
    type Claim: Clone;

    /// What tells which reservations cannot move up, without a search for each.
    type Gaps: Default;

    /// All nodes of the machine, free from `now` on.
    fn idle(cluster: &Cluster, now: Time) -> Self;

    /// Forgets the time before `now`.
    fn advance(&mut self, now: Time);

    /// The claim of a job that runs on `nodes`.
    fn claim_of(nodes: &Placement) -> Self::Claim;

    /// Takes the claim over [from, to).
    fn hold(&mut self, from: Time, to: Time, claim: &Self::Claim);

    /// Takes the claim over [from, to) although others may hold it: a job that outlives its estimate.
    fn seize(&mut self, from: Time, to: Time, claim: &Self::Claim);

    /// Gives the claim back over [from, to).
    fn release(&mut self, from: Time, to: Time, claim: &Self::Claim);

    /// Moves a reservation of `duration` from `start`, where it holds `old`, up to `at`, where it will hold `new`.
    fn relocate(&mut self, start: Time, at: Time, duration: Span, old: &Self::Claim, new: &Self::Claim) {
        self.release(start, start.saturating_add(duration), old);
        self.hold(at, at.saturating_add(duration), new);
    }

    /// The earliest start from `from` on at which `size` nodes can be placed for all of `duration`, and the claim to make.
    fn earliest(
        &mut self,
        from: Time,
        duration: Span,
        size: u32,
        allocator: &dyn Allocator,
    ) -> Option<(Time, Self::Claim)>;

    /// A start earlier than that of a reservation which holds `claim` over [start, start + duration), or `None`.
    fn earlier(
        &mut self,
        from: Time,
        start: Time,
        duration: Span,
        claim: &Self::Claim,
        allocator: &dyn Allocator,
    ) -> Option<(Time, Self::Claim)>;

    /// Forgets what came free.
    fn forget(gaps: &mut Self::Gaps);

    /// Takes note that nodes came free in [from, to).
    fn came_free(&self, gaps: &mut Self::Gaps, from: Time, to: Time);

    /// Whether a reservation, which could not start earlier when it was last asked, may do so since these nodes came free;
    /// false only if it cannot.
    fn may_move(&self, gaps: &Self::Gaps, start: Time, duration: Span, claim: &Self::Claim) -> bool;

    /// A job at or behind position `from` of the queue that might start now for all of its estimate; `None` only if there
    /// is none.
    fn candidate(&self, now: Time, queue: &QueueIndex, from: usize) -> Option<JobSlot>;

    /// Whether such a job still might; false only if it cannot.
    fn may_start(&self, now: Time, request: &Request) -> bool;

    /// Starts a job on what it claims; false, and nothing done, where that is not free yet, because the job that holds it
    /// is about to end in this instant.
    fn start(pass: &mut Pass<'_>, job: JobSlot, claim: &Self::Claim) -> bool;
}

impl Availability for CountProfile {
    type Claim = u32;
    type Gaps = Gaps;

    fn idle(cluster: &Cluster, now: Time) -> CountProfile {
        CountProfile::new(cluster.nodes(), now)
    }

    fn advance(&mut self, now: Time) {
        CountProfile::advance(self, now);
    }

    fn claim_of(nodes: &Placement) -> u32 {
        nodes.len()
    }

    fn hold(&mut self, from: Time, to: Time, claim: &u32) {
        CountProfile::hold(self, from, to, *claim);
    }

    fn seize(&mut self, from: Time, to: Time, claim: &u32) {
        self.overcommit(from, to, *claim);
    }

    fn release(&mut self, from: Time, to: Time, claim: &u32) {
        CountProfile::release(self, from, to, *claim);
    }

    fn relocate(&mut self, start: Time, at: Time, duration: Span, old: &u32, _: &u32) {
        // Where the two places overlap, nothing changes.
        let (end, new_end) = (start.saturating_add(duration), at.saturating_add(duration));
        CountProfile::release(self, start.max(new_end), end, *old);
        CountProfile::hold(self, at, new_end.min(start), *old);
    }

    fn earliest(&mut self, from: Time, duration: Span, size: u32, _: &dyn Allocator) -> Option<(Time, u32)> {
        let at = CountProfile::earliest(self, from, duration, size);
        (at < Time::NEVER).then_some((at, size))
    }

    fn earlier(
        &mut self,
        from: Time,
        start: Time,
        duration: Span,
        claim: &u32,
        _: &dyn Allocator,
    ) -> Option<(Time, u32)> {
        self.earliest_before(from, start, duration, *claim).map(|at| (at, *claim))
    }

    fn forget(gaps: &mut Gaps) {
        gaps.clear();
    }

    fn came_free(&self, gaps: &mut Gaps, from: Time, to: Time) {
        gaps.add(self, from, to);
    }

    fn may_move(&self, gaps: &Gaps, start: Time, duration: Span, claim: &u32) -> bool {
        gaps.may_move(self, start, duration, *claim)
    }

    fn candidate(&self, now: Time, queue: &QueueIndex, from: usize) -> Option<JobSlot> {
        let free = u32::try_from(self.available_at(now)).unwrap_or(0);
        if free == 0 { None } else { queue.find(from, &Openings { profile: self, now, free }) }
    }

    fn may_start(&self, now: Time, request: &Request) -> bool {
        now.saturating_add(request.estimate) <= self.drops_below(now, request.size)
    }

    fn start(pass: &mut Pass<'_>, job: JobSlot, _: &u32) -> bool {
        pass.start(job)
    }
}

/// Searches for a job that fits a profile from now on.
struct Openings<'a> {
    profile: &'a CountProfile,
    now: Time,
    free: u32,
}

impl Search for Openings<'_> {
    fn admits(&self, size: u32, estimate: Span) -> bool {
        size <= self.free && self.now.saturating_add(estimate) <= self.profile.drops_below(self.now, size)
    }

    fn limits(&self, low: u32, high: u32) -> Limits {
        if low > self.free {
            return Limits { room: 0, window: Span::ZERO, spare: 0 };
        }
        let window = Span(self.profile.drops_below(self.now, low).0 - self.now.0);
        Limits { room: high.min(self.free), window, spare: 0 }
    }
}

impl Availability for NodeProfile {
    type Claim = Placement;
    type Gaps = ();

    fn idle(cluster: &Cluster, now: Time) -> NodeProfile {
        NodeProfile::new(&cluster.installed(), now)
    }

    fn advance(&mut self, now: Time) {
        NodeProfile::advance(self, now);
    }

    fn claim_of(nodes: &Placement) -> Placement {
        nodes.clone()
    }

    fn hold(&mut self, from: Time, to: Time, claim: &Placement) {
        NodeProfile::hold(self, from, to, claim);
    }

    fn seize(&mut self, from: Time, to: Time, claim: &Placement) {
        NodeProfile::seize(self, from, to, claim);
    }

    fn release(&mut self, from: Time, to: Time, claim: &Placement) {
        NodeProfile::release(self, from, to, claim);
    }

    fn earliest(
        &mut self,
        from: Time,
        duration: Span,
        size: u32,
        allocator: &dyn Allocator,
    ) -> Option<(Time, Placement)> {
        NodeProfile::earliest(self, from, duration, |free| allocator.place_in(size, free))
    }

    fn earlier(
        &mut self,
        from: Time,
        start: Time,
        duration: Span,
        claim: &Placement,
        allocator: &dyn Allocator,
    ) -> Option<(Time, Placement)> {
        let end = start.saturating_add(duration);
        NodeProfile::release(self, start, end, claim);
        let found = Availability::earliest(self, from, duration, claim.len(), allocator);
        NodeProfile::hold(self, start, end, claim);
        found.filter(|(at, _)| *at < start)
    }

    fn forget((): &mut ()) {}

    fn came_free(&self, (): &mut (), _from: Time, _to: Time) {}

    fn may_move(&self, (): &(), _start: Time, _duration: Span, _claim: &Placement) -> bool {
        true
    }

    fn candidate(&self, now: Time, queue: &QueueIndex, from: usize) -> Option<JobSlot> {
        let free = self.free_at(now).iter().map(|word| word.count_ones()).sum();
        queue.find(from, &Wanted { room: Room::up_to(free), window: Span::FOREVER, spare: Room::default() })
    }

    fn may_start(&self, now: Time, request: &Request) -> bool {
        self.free_at(now).iter().map(|word| word.count_ones()).sum::<u32>() >= request.size
    }

    fn start(pass: &mut Pass<'_>, job: JobSlot, claim: &Placement) -> bool {
        pass.cluster().free().contains_all(claim) && pass.start_on(job, claim.clone())
    }
}
