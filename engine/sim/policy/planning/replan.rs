//! Conservative backfilling with all reservations made anew.
//!
//! Decides: in every pass each waiting job, in arrival order, gets the earliest hole that the running jobs and the reservations
//! made before it in this pass leave; those whose hole begins now start. Nothing is remembered between passes.
//! Source: Mu'alem & Feitelson, IEEE TPDS 12(6), 2001, §2; the same as priority backfilling in arrival order with a reservation for
//! every job (Chiang 2001, §3.2).
//! Parameters: none.
//! Differs: none known where estimates are upper bounds. A job beyond its estimate is expected to end one tick from now.
//! Ties: none; the arrival order is total. Where several placements would do, the allocator's first is taken.
//! Cost per pass: a walk down the queue as far as the last job that could start now; a search of the queue's index tells when there
//! is no further one, for reservations only take away. O(log n) for a pass in which nothing can start.

use super::super::Policy;
use super::super::queue_index::QueueIndex;
use super::availability::Availability;
use super::running::{Hold, Running};
use crate::job::JobSlot;
use crate::kernel::Pass;

/// The policy; see the module.
pub struct Replan<A: Availability> {
    running: Option<Running<A>>,
    queue: QueueIndex,
}

impl<A: Availability> Replan<A> {
    /// For a machine of so many nodes.
    pub fn new(nodes: u32) -> Replan<A> {
        Replan { running: None, queue: QueueIndex::new(nodes) }
    }

    fn walk(&mut self, running: &mut Running<A>, pass: &mut Pass<'_>, holds: &mut Vec<Hold<A::Claim>>) {
        let mut planned = self.queue.head_position();
        let mut searched = planned;
        // Reservations only take away: a job that cannot start stays so, and the search goes on behind it.
        while let Some(candidate) = running.profile.candidate(pass.now(), &self.queue, searched) {
            let request = *pass.request(candidate);
            searched = self.queue.position(candidate) + 1;
            while planned < searched && running.profile.may_start(pass.now(), &request) {
                let Some(job) = self.queue.at_or_behind(planned) else { return };
                planned = self.queue.position(job) + 1;
                self.plan(running, pass, job, holds);
            }
        }
    }

    fn plan(
        &mut self,
        running: &mut Running<A>,
        pass: &mut Pass<'_>,
        job: JobSlot,
        holds: &mut Vec<Hold<A::Claim>>,
    ) {
        let request = *pass.request(job);
        let found = running.profile.earliest(pass.now(), request.estimate, request.size, pass.allocator());
        let Some((start, claim)) = found else { return };
        if start == pass.now() {
            if running.start(pass, job, &claim) {
                self.queue.remove(job);
            }
            return;
        }
        let hold = Hold { from: start, to: start.saturating_add(request.estimate), claim };
        running.profile.hold(hold.from, hold.to, &hold.claim);
        holds.push(hold);
    }
}

impl<A: Availability> Policy for Replan<A> {
    fn name(&self) -> &'static str {
        "conservative backfilling (replanned)"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        let mut running = self.running.take().unwrap_or_else(|| Running::idle(pass));
        running.absorb(pass);
        for &job in pass.submitted() {
            let request = pass.request(job);
            self.queue.push(job, request.size, request.estimate);
        }
        let mut holds = running.hold_due(pass);
        self.walk(&mut running, pass, &mut holds);
        running.undo(&holds);
        self.running = Some(running);
    }
}
