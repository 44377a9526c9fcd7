//! EASY (aggressive) backfilling.
//!
//! Decides: waiting jobs start in arrival order until one, the head, does not fit. The head gets a reservation at its shadow
//! time, the earliest expected end at which a placement for it becomes possible, every job that ends at that instant counted.
//! Then later jobs, in arrival order, start if they fit now and either are expected to end no later than the shadow time or
//! leave the reservation untouched: with interchangeable nodes they need no more than the remaining extra nodes, which they
//! then use up; else they avoid the reserved nodes.
//! Source: Pascual & Miguel-Alonso 2008, §III "Backfilling"; Mu'alem & Feitelson, IEEE TPDS 12(6), 2001 (extra nodes).
//! Parameters: `overrun`, see [`Overrun`](super::Overrun); `shadow`, see [`Shadow`](super::Shadow).
//! Differs: none known where estimates are upper bounds. A job that is due but runs is expected to end one tick from
//! now. `KillBackfilled`: when the head still waits at an instant at which late backfilled jobs hold what it needs, they are killed,
//! latest start first (ties: later arrival first), as many as it takes, and none if all of them would not suffice; the paper says only
//! that "some running, advanced jobs must be killed". Their nodes need not be the reserved ones. With `shadow: Count` the reservation
//! is due as soon as enough nodes are free, wherever they are, and any backfilled job may be killed for it, late or not.
//! Ties: none; the arrival order is total.
//! Cost per pass: O(log n) per started job and for finding that there is no further one, for n waiting jobs; one step per running job
//! for a new reservation, which is kept over passes that only bring submissions.

use super::queue_index::{QueueIndex, Wanted};
use super::releases::Releases;
use super::{Overrun, Policy, Shadow};
use crate::allocator::{Reservation, Spare, reserve_count};
use crate::cluster::node_set::Placement;
use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::time::Time;

/// The policy; see the module.
pub struct Easy {
    overrun: Overrun,
    shadow: Shadow,
    queue: QueueIndex,
    releases: Releases,
    /// The head's reservation, while nothing has happened that could change it.
    reservation: Option<Reservation>,
}

impl Easy {
    /// For a machine of so many nodes.
    pub fn new(overrun: Overrun, shadow: Shadow, nodes: u32) -> Easy {
        Easy {
            overrun,
            shadow,
            queue: QueueIndex::new(nodes),
            releases: Releases::default(),
            reservation: None,
        }
    }

    fn absorb(&mut self, pass: &Pass<'_>) {
        for &job in pass.ended() {
            self.releases.remove(pass.expected_end(job), job);
            self.reservation = None;
        }
        for &job in pass.submitted() {
            let request = pass.request(job);
            self.queue.push(job, request.size, request.estimate);
        }
        self.releases.note_late(pass);
        if self.releases.any_due(pass.now()) {
            self.reservation = None;
        }
    }

    fn launched(&mut self, pass: &Pass<'_>, job: JobSlot) {
        self.queue.remove(job);
        self.releases.insert(pass.expected_end(job), job);
    }

    /// Starts jobs from the head until one does not fit, which is returned.
    fn start_in_order(&mut self, pass: &mut Pass<'_>) -> Option<JobSlot> {
        while let Some(head) = self.queue.head() {
            if !pass.start(head) {
                return Some(head);
            }
            self.launched(pass, head);
        }
        None
    }

    /// The backfilled jobs that may be killed for the head, latest start first.
    fn victims(&self, pass: &Pass<'_>, size: u32) -> Vec<JobSlot> {
        if self.overrun == Overrun::Extend {
            return Vec::new();
        }
        // By count, a reservation is due as soon as enough nodes are free, and all who advanced are in its way.
        let due = self.shadow == Shadow::Count && pass.cluster().free_count() >= size;
        let in_the_way: Vec<JobSlot> =
            if due { pass.running().collect() } else { self.releases.late().to_vec() };
        let mut victims: Vec<JobSlot> =
            in_the_way.into_iter().filter(|job| pass.is_backfilled(*job)).collect();
        victims.sort_by_key(|job| std::cmp::Reverse((pass.started_at(*job), pass.request(*job).arrival)));
        victims
    }

    /// Kills backfilled jobs until the head fits; nobody if that would not do. Whether the head fits now.
    fn kill_for(&mut self, pass: &mut Pass<'_>, head: JobSlot) -> bool {
        let size = pass.request(head).size;
        let victims = self.victims(pass, size);
        // Nearly always: do not copy the free nodes for nothing.
        if victims.is_empty() {
            return false;
        }
        let mut free = pass.cluster().free().clone();
        let enough = victims.iter().position(|victim| {
            free.insert(pass.placement(*victim));
            pass.allocator().place_in(size, free.words()).is_some()
        });
        let Some(last) = enough else { return false };
        for &victim in &victims[..=last] {
            self.releases.remove(pass.expected_end(victim), victim);
            pass.kill(victim);
        }
        true
    }

    /// When the head, which does not fit now, is promised a start.
    fn reserve(&self, pass: &Pass<'_>, size: u32) -> Option<Reservation> {
        let free = pass.cluster().free_count();
        let mut releases = self.releases.upcoming(pass);
        match self.shadow {
            Shadow::Placement => pass.allocator().reserve(size, pass.cluster(), &mut releases),
            // Enough nodes are free already, only not in one place.
            Shadow::Count if free >= size => {
                Some(Reservation { at: pass.now(), spare: Spare::Count(free - size) })
            }
            Shadow::Count => reserve_count(size, free, &mut releases),
        }
    }

    fn backfill(&mut self, pass: &mut Pass<'_>, from: usize, at: Time, spare: &mut Spare) {
        let mut from = from;
        loop {
            let Some(wanted) = wanted(pass, at, spare) else { return };
            let Some(job) = self.queue.find(from, &wanted) else { return };
            from = self.queue.position(job) + 1;
            let request = pass.request(job);
            let (size, ends_in_time) = (request.size, pass.now().saturating_add(request.estimate) <= at);
            let started = match spare {
                Spare::AllBut(reserved) if !ends_in_time => pass.start_avoiding(job, reserved),
                _ => pass.start(job),
            };
            debug_assert!(started, "the room promised a placement");
            if started {
                self.launched(pass, job);
                if let (Spare::Count(extra), false) = (&mut *spare, ends_in_time) {
                    *extra -= size;
                }
            }
        }
    }
}

/// Which jobs may be backfilled now; `None` when there is no room at all.
fn wanted(pass: &Pass<'_>, at: Time, spare: &Spare) -> Option<Wanted> {
    let (cluster, allocator) = (pass.cluster(), pass.allocator());
    if cluster.free_count() == 0 {
        return None;
    }
    let room = allocator.room(cluster, &Placement::empty());
    let spare = match spare {
        Spare::Count(extra) => room.capped(*extra),
        Spare::AllBut(reserved) => allocator.room(cluster, reserved),
    };
    Some(Wanted { room, window: at - pass.now(), spare })
}

impl Policy for Easy {
    fn name(&self) -> &'static str {
        "EASY"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        self.absorb(pass);
        // With the reservation still valid the head cannot start and nobody but the newcomers can be backfilled.
        if let Some(mut reservation) = self.reservation.take() {
            if let Some(&first) = pass.submitted().first() {
                let from = self.queue.position(first);
                self.backfill(pass, from, reservation.at, &mut reservation.spare);
            }
            self.reservation = Some(reservation);
            return;
        }
        let Some(mut head) = self.start_in_order(pass) else { return };
        while self.kill_for(pass, head) {
            match self.start_in_order(pass) {
                Some(next) => head = next,
                None => return,
            }
        }
        let size = pass.request(head).size;
        let reservation = self.reserve(pass, size);
        if let Some(mut reservation) = reservation {
            let from = self.queue.position(head) + 1;
            self.backfill(pass, from, reservation.at, &mut reservation.spare);
            self.reservation = Some(reservation);
        }
    }
}
