//! The profile of the running jobs, kept from pass to pass.

use super::super::releases::Releases;
use super::availability::Availability;
use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::time::{Span, Time};

/// What is free when, if every running job ends when expected and nothing else starts.
pub struct Running<A: Availability> {
    /// The profile; reservations are put on top of it and taken off again.
    pub profile: A,
    releases: Releases,
}

impl<A: Availability> Running<A> {
    /// An idle machine.
    pub fn idle(pass: &Pass<'_>) -> Running<A> {
        Running { profile: A::idle(pass.cluster(), pass.now()), releases: Releases::default() }
    }

    /// Takes in the time that passed and the jobs that ended.
    pub fn absorb(&mut self, pass: &Pass<'_>) -> Absorbed {
        let now = pass.now();
        self.profile.advance(now);
        let mut absorbed = Absorbed { early: false, late: false };
        for &job in pass.ended() {
            let end = pass.expected_end(job);
            self.releases.remove(end, job);
            if end > now {
                self.profile.release(now, end, &A::claim_of(pass.placement(job)));
                absorbed.early = true;
            }
            absorbed.late |= end < now;
        }
        self.releases.note_late(pass);
        absorbed.late |= self.any_late();
        absorbed
    }

    /// Starts a job now on what it claims; its nodes stay held in the profile until its expected end.
    pub fn start(&mut self, pass: &mut Pass<'_>, job: JobSlot, claim: &A::Claim) -> bool {
        let started = A::start(pass, job, claim);
        if started {
            let end = pass.expected_end(job);
            self.releases.insert(end, job);
            self.profile.hold(pass.now(), end, &A::claim_of(pass.placement(job)));
        }
        started
    }

    /// As [`start`](Running::start), for a job whose reservation already holds its nodes in the profile.
    pub fn start_reserved(&mut self, pass: &mut Pass<'_>, job: JobSlot, claim: &A::Claim) -> bool {
        let started = A::start(pass, job, claim);
        if started {
            self.releases.insert(pass.expected_end(job), job);
        }
        started
    }

    /// Whether a job has outlived its estimate and still runs.
    pub fn any_late(&self) -> bool {
        !self.releases.late().is_empty()
    }

    /// Holds the nodes of all jobs that are due for one more tick, because they may end any moment but have not. Returns
    /// what [`undo`](Running::undo) needs.
    pub fn hold_due(&mut self, pass: &Pass<'_>) -> Vec<Hold<A::Claim>> {
        let due: Vec<JobSlot> = self.releases.due(pass.now()).collect();
        self.hold_a_tick(pass, &due)
    }

    /// As [`hold_due`](Running::hold_due), for those only that have outlived their estimates.
    pub fn hold_late(&mut self, pass: &Pass<'_>) -> Vec<Hold<A::Claim>> {
        let late = self.releases.late().to_vec();
        self.hold_a_tick(pass, &late)
    }

    fn hold_a_tick(&mut self, pass: &Pass<'_>, jobs: &[JobSlot]) -> Vec<Hold<A::Claim>> {
        let (from, to) = (pass.now(), pass.now() + Span::TICK);
        let claims = jobs.iter().map(|job| A::claim_of(pass.placement(*job)));
        let holds: Vec<_> = claims.map(|claim| Hold { from, to, claim }).collect();
        for hold in &holds {
            self.profile.seize(from, to, &hold.claim);
        }
        holds
    }

    /// Takes temporary holds off again.
    pub fn undo(&mut self, holds: &[Hold<A::Claim>]) {
        for hold in holds {
            self.profile.release(hold.from, hold.to, &hold.claim);
        }
    }
}

/// What [`Running::absorb`] learnt.
pub struct Absorbed {
    /// A job ended before it was expected to.
    pub early: bool,
    /// A job runs beyond its expected end, or did until now.
    pub late: bool,
}

/// A temporary claim on the profile over [from, to).
pub struct Hold<C> {
    /// From.
    pub from: Time,
    /// To.
    pub to: Time,
    /// What.
    pub claim: C,
}
