//! A pass with reservations that slide: those of the pass before are looked over, and made anew where that could make a difference.
//!
//! A job's box was the earliest when it was made. As long as nothing was left on a host, no earlier one has come up there; as long as the box
//! itself has stayed free it is still the earliest of its host. So only hosts on which something was left since are searched,
//! and all of them if the box is gone. A change of order counts as such: who was before a job and is not any more has left his box to it.
//! Jobs behind the last one that could start beside the reservations so far are not looked at; what changes is noted with their reservations.

use super::plan::{Plan, Reserved};
use super::queue::{Queue, Waiting};
use super::running::Running;
use super::zones::Zones;
use crate::kernel::Pass;
use crate::time::Time;

/// After so many jobs it is seen whether one of those behind can still start.
const STRIDE: usize = 8;

/// A walk along the waiting jobs.
pub struct Walk<'a, 'b> {
    running: &'a mut Running,
    pass: &'a mut Pass<'b>,
    /// How many more reservations there may be.
    left: usize,
    /// Hosts of which the jobs still to come will find more than before.
    freed: Zones,
    /// Hosts of which they will find less.
    taken: Zones,
    /// Hosts whose profiles are without the reservations of the jobs still to come.
    cleared: Zones,
    /// How many reservations the jobs have that are behind the one that is looked at.
    ahead: usize,
}

impl<'a, 'b> Walk<'a, 'b> {
    /// Walks along a ranked queue to the job at `last`, behind which none has room now.
    pub fn along(
        queue: &mut Queue,
        last: usize,
        reservations: usize,
        running: &'a mut Running,
        pass: &'a mut Pass<'b>,
    ) {
        let ahead = queue.jobs().iter().filter(|waiting| waiting.plan.is_some()).count();
        let (freed, taken) = running.take_changes();
        let mut walk = Walk { running, pass, left: reservations, freed, taken, cleared: Zones::NONE, ahead };
        let lowest = lowest_ranks_behind(queue.jobs());
        let jobs = queue.jobs_mut();
        let (mut gone, mut place, mut end) = (Vec::new(), 0, last + 1);
        while place < end {
            // Reservations and starts only take away: who cannot start beside those so far will not in this pass. Where the order has
            // stayed, most jobs are as they were, and looking at them costs less than the question.
            if lowest.is_some() && walk.left > 0 && place > 0 && place.is_multiple_of(STRIDE) {
                while place < end && !walk.can_start(jobs, place, end - 1) {
                    end -= 1;
                }
                if place == end {
                    break;
                }
            }
            let overtaken = overtaken(jobs, place, lowest.as_deref());
            if walk.visit(jobs, place, overtaken) {
                gone.push(place);
            }
            place += 1;
        }
        for waiting in &mut jobs[end..] {
            walk.pass_over(waiting, end);
        }
        queue.remove(&gone);
    }

    /// Whether a job could start beside the reservations of the jobs before `place` only.
    fn can_start(&mut self, jobs: &[Waiting], place: usize, job: usize) -> bool {
        let room = self.running.with_room(&jobs[job], Zones::ALL);
        if room.is_empty() {
            return false;
        }
        self.clear(jobs, place, room);
        self.running.can_start(&jobs[job], room)
    }

    /// Starts the job at `place`, or reserves for it again if it may have a reservation. Whether it started.
    /// `overtaken`: hosts with reservations of jobs that were before it and are not any more.
    fn visit(&mut self, jobs: &mut [Waiting], place: usize, overtaken: Zones) -> bool {
        let before = jobs[place].reserved();
        self.ahead -= usize::from(before.is_some());
        // Without a reservation nothing is known of the job.
        let freed = jobs[place].plan.map_or(Zones::ALL, |plan| self.freed | plan.freed | overtaken);
        if let Some(host) = self.startable(jobs, place, freed) {
            self.drop_reservation(jobs, place);
            self.taken |= Zones::of(host);
            return self.running.start_waiting(self.pass, &jobs[place], host);
        }
        if self.left == 0 {
            self.drop_reservation(jobs, place);
            return false;
        }
        self.left -= 1;
        let after = self.reserve(jobs, place, freed);
        if after != before {
            self.drop_reservation(jobs, place);
        }
        let Some(reserved) = after else { return false };
        if after != before || !overtaken.is_empty() {
            self.taken |= Zones::of(reserved.host);
        }
        let waiting = &mut jobs[place];
        if self.cleared.has(reserved.host) {
            self.running.hold_reserved(waiting, reserved);
        }
        let rank = place as u64;
        waiting.plan = Some(Plan { reserved, rank, freed: Zones::NONE, taken: Zones::NONE });
        false
    }

    /// Takes its reservation from the job at `place`, for good.
    fn drop_reservation(&mut self, jobs: &mut [Waiting], place: usize) {
        if let Some(reserved) = jobs[place].reserved() {
            self.clear(jobs, place, Zones::of(reserved.host));
            self.freed |= Zones::of(reserved.host);
            jobs[place].plan = None;
        }
    }

    /// The host on which the job at `place` can start.
    fn startable(&mut self, jobs: &[Waiting], place: usize, searched: Zones) -> Option<usize> {
        if searched.is_empty() {
            return None;
        }
        let room = self.running.with_room(&jobs[place], searched);
        if room.is_empty() {
            return None;
        }
        self.clear(jobs, place, room);
        let hosts = self.pass.cluster().hosts()?;
        self.running.tightest(hosts, &jobs[place], room)
    }

    /// The reservation that the job at `place` gets.
    fn reserve(&mut self, jobs: &[Waiting], place: usize, freed: Zones) -> Option<Reserved> {
        let waiting = &jobs[place];
        let Some(plan) = waiting.plan else {
            self.clear(jobs, place, Zones::ALL);
            return self.running.earliest(waiting, None, Zones::ALL, (Zones::ALL, Time::ZERO));
        };
        let own = plan.reserved;
        if self.is_taken(jobs, place, plan) {
            self.clear(jobs, place, Zones::ALL);
            return self.running.earliest(waiting, None, Zones::ALL, (freed, own.from));
        }
        if freed.is_empty() {
            return Some(own);
        }
        self.clear(jobs, place, freed);
        self.running.earliest(waiting, Some(own), freed, (freed, own.from))
    }

    /// Whether others have taken what is reserved for the job at `place`.
    fn is_taken(&mut self, jobs: &[Waiting], place: usize, plan: Plan) -> bool {
        let own = plan.reserved;
        if !(self.taken | plan.taken).has(own.host) {
            return false;
        }
        self.clear(jobs, place, Zones::of(own.host));
        !self.running.leaves_free(&jobs[place], own)
    }

    /// Takes the reservations of the jobs from `place` on out of the profiles of these hosts.
    fn clear(&mut self, jobs: &[Waiting], place: usize, hosts: Zones) {
        let hosts = hosts.without(self.cleared);
        if hosts.is_empty() {
            return;
        }
        self.cleared |= hosts;
        let behind = if self.ahead == 0 { place + 1 } else { jobs.len() };
        for waiting in &jobs[place..behind] {
            if let Some(reserved) = waiting.reserved().filter(|reserved| hosts.has(reserved.host)) {
                self.running.release_reserved(waiting, reserved);
            }
        }
    }

    /// Notes what has changed for a job behind the last one that was looked at.
    fn pass_over(&mut self, waiting: &mut Waiting, looked_at: usize) {
        let Some(mut plan) = waiting.plan else { return };
        let host = plan.reserved.host;
        if self.left == 0 {
            if !self.cleared.has(host) {
                self.running.release_reserved(waiting, plan.reserved);
            }
            self.freed |= Zones::of(host);
            waiting.plan = None;
            return;
        }
        self.left -= 1;
        if self.cleared.has(host) {
            self.running.hold_reserved(waiting, plan.reserved);
        }
        plan.freed |= self.freed;
        plan.taken |= self.taken;
        // Behind all those that were looked at, and among themselves as before.
        plan.rank += looked_at as u64;
        waiting.plan = Some(plan);
    }
}

/// For every job the lowest rank of those behind it; `None` where the ranks ascend.
fn lowest_ranks_behind(jobs: &[Waiting]) -> Option<Vec<u64>> {
    let rank = |waiting: &Waiting| waiting.plan.map(|plan| plan.rank);
    if jobs.iter().filter_map(rank).is_sorted() {
        return None;
    }
    let mut lowest = u64::MAX;
    let mut behind = vec![lowest; jobs.len()];
    for (behind, waiting) in behind.iter_mut().zip(jobs).rev() {
        *behind = lowest;
        lowest = lowest.min(rank(waiting).unwrap_or(u64::MAX));
    }
    Some(behind)
}

/// The hosts on which jobs have reservations that were before the job at `place` and are behind it now.
fn overtaken(jobs: &[Waiting], place: usize, lowest: Option<&[u64]>) -> Zones {
    let Some((plan, lowest)) = jobs[place].plan.zip(lowest) else { return Zones::NONE };
    if lowest[place] > plan.rank {
        return Zones::NONE;
    }
    let behind = jobs[place + 1..].iter().filter_map(|waiting| waiting.plan);
    let overtaken = behind.filter(|other| other.rank < plan.rank);
    overtaken.fold(Zones::NONE, |hosts, other| hosts | Zones::of(other.reserved.host))
}
