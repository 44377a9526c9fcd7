//! Conservative backfilling.
//!
//! Decides: every waiting job has a reservation, made at its submission at the earliest hole that takes it without delaying
//! any other; it starts when its reservation comes due. When a job ends before its estimate, the reservations are looked at in arrival order:
//! each moves up to the earliest hole, its own place counted as free, and never later (`Compress`; for `Replan` see `replan`).
//! Source: Mu'alem & Feitelson, IEEE TPDS 12(6), 2001, §2 (conservative backfilling, compression).
//! Parameters: none.
//! Differs: none known where estimates are upper bounds. While a job runs beyond its estimate, it is expected to end one tick from
//! now, and every pass replans.
//! Ties: none; the arrival order is total. Where several placements would do, the allocator's first is taken.
//! Cost per pass that brings an early end: one search of the profile per waiting job that could have gained; others O(log n).

use super::super::Policy;
use super::availability::Availability;
use super::book::{Book, Reserved};
use super::running::Running;
use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::time::Time;

/// The policy; see the module.
pub struct Conservative<A: Availability> {
    running: Option<Running<A>>,
    book: Book<A::Claim>,
    /// The latest instant for which a wake was asked.
    woken_at: Time,
    gaps: A::Gaps,
    /// What the moves of the last compression left behind; jobs before the movers have not been asked about it yet.
    left_behind: Vec<(Time, Time)>,
}

impl<A: Availability> Conservative<A> {
    /// Nothing planned yet.
    pub fn new() -> Conservative<A> {
        Conservative {
            running: None,
            book: Book::new(),
            woken_at: Time::ZERO,
            gaps: A::Gaps::default(),
            left_behind: Vec::new(),
        }
    }

    fn reserve(&mut self, profile: &mut A, pass: &Pass<'_>, job: JobSlot) {
        let request = pass.request(job);
        let (size, duration) = (request.size, request.estimate);
        if let Some((start, claim)) = profile.earliest(pass.now(), duration, size, pass.allocator()) {
            profile.hold(start, start.saturating_add(duration), &claim);
            self.book.add(job, request.arrival, start, duration, claim);
        }
    }

    /// Moves reservations up, in arrival order. Only those are asked that may have gained by what came free since they were
    /// last asked.
    fn compress(&mut self, profile: &mut A, pass: &Pass<'_>) {
        let now = pass.now();
        A::forget(&mut self.gaps);
        for (from, to) in self.left_behind.drain(..) {
            profile.came_free(&mut self.gaps, from, to);
        }
        for &job in pass.ended() {
            profile.came_free(&mut self.gaps, now, pass.expected_end(job));
        }
        let (gaps, left_behind) = (&mut self.gaps, &mut self.left_behind);
        self.book.shift_each(|reserved: &mut Reserved<A::Claim>| {
            let (start, duration) = (reserved.start, reserved.duration);
            if !profile.may_move(gaps, start, duration, &reserved.claim) {
                return false;
            }
            let found = profile.earlier(now, start, duration, &reserved.claim, pass.allocator());
            let Some((at, claim)) = found else { return false };
            let end = reserved.end();
            profile.relocate(start, at, duration, &reserved.claim, &claim);
            reserved.start = at;
            reserved.claim = claim;
            let from = start.max(reserved.end());
            profile.came_free(gaps, from, end);
            left_behind.push((from, end));
            true
        });
    }

    /// Makes all reservations anew while late jobs hold their nodes for one more tick.
    fn replan(&mut self, running: &mut Running<A>, pass: &Pass<'_>) {
        for reserved in self.book.iter() {
            running.profile.release(reserved.start, reserved.end(), &reserved.claim);
        }
        let jobs = self.book.take_jobs();
        let late = running.hold_late(pass);
        for job in jobs {
            self.reserve(&mut running.profile, pass, job);
        }
        for &job in pass.submitted() {
            self.reserve(&mut running.profile, pass, job);
        }
        running.undo(&late);
        // What the late jobs held for a tick is free again, and nobody was asked about it.
        self.left_behind.clear();
        self.left_behind.extend(late.iter().map(|hold| (hold.from, hold.to)));
    }

    fn start_due(&mut self, running: &mut Running<A>, pass: &mut Pass<'_>) {
        while let Some(due) = self.book.first().filter(|first| first.start <= pass.now()) {
            if !running.start_reserved(pass, due.job, &due.claim) {
                return;
            }
            self.book.remove_first();
        }
        // A plan made around a late job begins with the end of some job, and is made anew at every event until then. To
        // wake when it is next expected to end would be to wake at every tick.
        if running.any_late() {
            return;
        }
        // Compression can leave a reservation whose start is no expected end any more, so that no event falls on it.
        if let Some(next) = self.book.first().map(|first| first.start).filter(|start| *start != self.woken_at)
        {
            pass.wake_at(next);
            self.woken_at = next;
        }
    }
}

impl<A: Availability> Policy for Conservative<A> {
    fn name(&self) -> &'static str {
        "conservative backfilling"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        let mut running = self.running.take().unwrap_or_else(|| Running::idle(pass));
        let absorbed = running.absorb(pass);
        if absorbed.late {
            self.replan(&mut running, pass);
        } else {
            if absorbed.early {
                self.compress(&mut running.profile, pass);
            }
            for &job in pass.submitted() {
                self.reserve(&mut running.profile, pass, job);
            }
        }
        self.start_due(&mut running, pass);
        self.running = Some(running);
    }
}
