//! Priority backfilling, the general form.
//!
//! Decides: in every pass the waiting jobs are taken in the order of their priorities. A job that fits now for the whole of
//! its estimate, beside the running jobs and the reservations made before it in this pass, starts; else it gets a reservation at its earliest
//! hole while fewer than the allowed number exist; else it is skipped. Nothing is remembered between passes ("dynamic, sliding").
//! Source: Chiang 2001, §3.2 (priority backfill; order, number of reservations); Mu'alem & Feitelson 2001 (its special cases).
//! Parameters: `order`, see [`Order`](super::super::Order); `reservations`, see [`Reservations`](super::super::Reservations).
//! Differs: one host without memory; J_w in hours, J_x = (wait + estimate)/estimate.
//! Ties: equal priorities go to the earlier arrival. Where several placements would do, the allocator's first is taken.
//! Cost per pass: a sort of the queue and one search of the profile per waiting job, until no node is free.

use super::super::{Order, Policy, Reservations};
use super::availability::Availability;
use super::running::{Hold, Running};
use crate::job::JobSlot;
use crate::kernel::Pass;

/// The policy; see the module.
pub struct Priority<A: Availability> {
    order: Order,
    reservations: usize,
    running: Option<Running<A>>,
}

impl<A: Availability> Priority<A> {
    /// With this order and number of reservations.
    pub fn new(order: Order, reservations: Reservations) -> Priority<A> {
        Priority { order, reservations: reservations.limit(), running: None }
    }

    fn by_priority(&self, pass: &Pass<'_>) -> Vec<JobSlot> {
        let mut queue: Vec<JobSlot> = pass.waiting().collect();
        if self.order != Order::Arrival {
            let now = pass.now();
            // Stable, over a queue in arrival order: equal priorities stay in it.
            queue.sort_by_cached_key(|job| {
                let request = pass.request(*job);
                // Nodes have no memory that could count.
                let fixed = self.order.fixed_priority(request, f64::INFINITY);
                std::cmp::Reverse(Key(self.order.waiting_priority(request, now) + fixed))
            });
        }
        queue
    }

    fn walk(&self, running: &mut Running<A>, pass: &mut Pass<'_>, holds: &mut Vec<Hold<A::Claim>>) {
        let now = pass.now();
        let mut left = self.reservations;
        for job in self.by_priority(pass) {
            // Reservations are dropped after the pass, so they matter only while something can still start.
            if pass.cluster().free_count() == 0 {
                return;
            }
            let request = *pass.request(job);
            let found = running.profile.earliest(now, request.estimate, request.size, pass.allocator());
            match found {
                Some((start, claim)) if start == now => {
                    running.start(pass, job, &claim);
                }
                Some((from, claim)) if left > 0 => {
                    left -= 1;
                    let hold = Hold { from, to: from.saturating_add(request.estimate), claim };
                    running.profile.hold(hold.from, hold.to, &hold.claim);
                    holds.push(hold);
                }
                _ => {}
            }
        }
    }
}

/// A priority as a sort key: finite by construction, so the total order of floats is the usual one.
#[derive(PartialEq)]
struct Key(f64);

impl Eq for Key {}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl<A: Availability> Policy for Priority<A> {
    fn name(&self) -> &'static str {
        "priority backfilling"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        let mut running = self.running.take().unwrap_or_else(|| Running::idle(pass));
        running.absorb(pass);
        let mut holds = running.hold_due(pass);
        self.walk(&mut running, pass, &mut holds);
        running.undo(&holds);
        self.running = Some(running);
    }
}
