//! What the running jobs hold of every host, and until when that is expected.

use super::plan::Reserved;
use super::profile::{HostProfile, Need};
use super::queue::Waiting;
use super::zones::Zones;
use crate::cluster::hosts::{Host, Hosts};
use crate::cluster::node_set::{NodeSet, Placement};
use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::time::{Span, Time};
use smallvec::SmallVec;
use std::borrow::Cow;

/// Beyond its expected end a job is expected to end so long from now.
const SOON: Span = Span::from_secs(1);

/// What a job holds.
#[derive(Clone, Copy, Debug)]
struct Held {
    host: usize,
    need: Need,
    until: Time,
    /// Since when it runs without interruption.
    since: Time,
}

/// The profiles of all hosts with what running jobs and reservations hold of them.
#[derive(Debug)]
pub struct Running {
    profiles: Vec<HostProfile>,
    /// By slot; stale where no job is.
    held: Vec<Held>,
    /// When jobs are expected to end, ascending; ties by slot, which no decision depends on.
    ends: Vec<(Time, JobSlot)>,
    /// A job beyond its estimate is expected to end so long after it.
    grace: Span,
    /// Free processors that suspended jobs will need again, with their host.
    idle: Vec<(usize, Placement)>,
    /// Hosts of which running jobs have left something before it was expected, since the last walk.
    freed: Zones,
    /// Hosts of which they have taken what may have been reserved.
    taken: Zones,
}

fn all_of(host: &Host) -> Need {
    Need::new(host.processors(), host.memory_kb)
}

impl Running {
    /// Idle hosts.
    pub fn idle(hosts: &Hosts, now: Time, grace: Span) -> Running {
        let profiles = hosts.iter().map(|host| HostProfile::idle(now, all_of(host))).collect();
        let (held, ends, idle) = (Vec::new(), Vec::new(), Vec::new());
        Running { profiles, held, ends, grace, idle, freed: Zones::NONE, taken: Zones::NONE }
    }

    /// Takes in the time that passed and the jobs that ended, and moves the expected ends that have passed.
    pub fn absorb(&mut self, pass: &Pass<'_>) {
        let now = pass.now();
        for profile in &mut self.profiles {
            profile.advance(now);
        }
        for &job in pass.ended() {
            self.end(job, now);
        }
        let soon = self.ends.partition_point(|(end, _)| *end < now + SOON);
        let late = self.ends[..soon].iter().filter(|(_, job)| pass.expected_end(*job) <= now);
        for job in late.map(|(_, job)| *job).collect::<SmallVec<[JobSlot; 4]>>() {
            let graced = pass.expected_end(job).saturating_add(self.grace);
            self.prolong(job, if graced > now { graced } else { now + SOON });
        }
    }

    /// Starts a job on a host that has what it needs. Whether it started, as it does.
    pub fn start_waiting(&mut self, pass: &mut Pass<'_>, waiting: &Waiting, host: usize) -> bool {
        let Some(hosts) = pass.cluster().hosts() else { return false };
        let nodes = hosts.get(host).nodes.clone();
        let usable = self.usable(pass.cluster().free());
        let placement = usable.first_in(nodes.start, nodes.end, waiting.request.size);
        let started = placement.is_some_and(|placement| pass.start_on(waiting.job, placement));
        debug_assert!(started, "the profile promised room");
        if started {
            self.enter(waiting.job, host, waiting.need, pass.now(), pass.expected_end(waiting.job));
        }
        started
    }

    /// A job holds `need` of a host over [from, until), whatever is reserved there.
    pub fn hold(&mut self, job: JobSlot, host: usize, need: Need, from: Time, until: Time) {
        self.taken |= Zones::of(host);
        self.enter(job, host, need, from, until);
    }

    fn enter(&mut self, job: JobSlot, host: usize, need: Need, from: Time, until: Time) {
        let (slot, held) = (job.0 as usize, Held { host, need, until, since: from });
        if self.held.len() <= slot {
            self.held.resize(slot + 1, held);
        }
        self.held[slot] = held;
        self.profiles[host].hold(from, until, need);
        self.insert_end(until, job);
    }

    /// A job holds nothing any more.
    pub fn end(&mut self, job: JobSlot, now: Time) {
        let Held { host, need, until, .. } = self.held[job.0 as usize];
        if now < until {
            self.freed |= Zones::of(host);
            self.profiles[host].release(now, until, need);
        }
        self.remove_end(until, job);
    }

    /// Hosts of which running jobs have left, and taken, since this was last asked.
    pub fn take_changes(&mut self) -> (Zones, Zones) {
        (std::mem::take(&mut self.freed), std::mem::take(&mut self.taken))
    }

    /// A job is taken off its processors, which stay its own, for so long.
    pub fn pause(&mut self, job: JobSlot, span: Span) {
        self.prolong(job, self.held[job.0 as usize].until.saturating_add(span));
    }

    /// A job that was paused goes on, maybe earlier than was planned.
    pub fn go_on(&mut self, pass: &Pass<'_>, job: JobSlot) {
        let Held { host, need, .. } = self.held[job.0 as usize];
        self.end(job, pass.now());
        self.hold(job, host, need, pass.now(), pass.expected_end(job));
    }

    /// Since when a running job runs without interruption.
    pub fn since(&self, job: JobSlot) -> Time {
        self.held[job.0 as usize].since
    }

    /// The host of a running job.
    pub fn host(&self, job: JobSlot) -> usize {
        self.held[job.0 as usize].host
    }

    /// Processors of a host that suspended jobs will need again.
    pub fn leave_idle(&mut self, host: usize, nodes: &Placement) {
        if !nodes.is_empty() {
            self.idle.push((host, nodes.clone()));
        }
    }

    /// They need them now.
    pub fn use_again(&mut self, host: usize, nodes: &Placement) {
        if let Some(place) = self.idle.iter().position(|idle| idle.0 == host && idle.1 == *nodes) {
            self.idle.swap_remove(place);
        }
    }

    /// How many such processors a host has.
    pub fn idle_processors(&self, host: usize) -> u32 {
        self.idle.iter().filter(|idle| idle.0 == host).map(|idle| idle.1.len()).sum()
    }

    /// The free processors without them.
    pub fn usable<'n>(&self, free: &'n NodeSet) -> Cow<'n, NodeSet> {
        let mut usable = Cow::Borrowed(free);
        for (_, nodes) in &self.idle {
            usable.to_mut().remove(nodes);
        }
        usable
    }

    fn prolong(&mut self, job: JobSlot, until: Time) {
        let held = &mut self.held[job.0 as usize];
        let before = held.until;
        held.until = until;
        self.taken |= Zones::of(held.host);
        self.profiles[held.host].hold(before, until, held.need);
        self.remove_end(before, job);
        self.insert_end(until, job);
    }

    fn insert_end(&mut self, end: Time, job: JobSlot) {
        let at = self.ends.partition_point(|entry| *entry < (end, job));
        self.ends.insert(at, (end, job));
    }

    fn remove_end(&mut self, end: Time, job: JobSlot) {
        if let Ok(at) = self.ends.binary_search(&(end, job)) {
            self.ends.remove(at);
        }
    }

    /// Whether a host has now what the job needs, whatever comes later.
    pub fn has_room(&self, waiting: &Waiting) -> bool {
        self.profiles.iter().any(|profile| waiting.need.fits(profile.free_now()))
    }

    /// Those of these hosts.
    pub fn with_room(&self, waiting: &Waiting, among: Zones) -> Zones {
        let mut room = Zones::NONE;
        for host in among.hosts(self.profiles.len()) {
            if waiting.need.fits(self.profiles[host].free_now()) {
                room |= Zones::of(host);
            }
        }
        room
    }

    /// Whether one of these hosts has what the job needs from now on for all of its estimate.
    pub fn can_start(&self, waiting: &Waiting, among: Zones) -> bool {
        among.hosts(self.profiles.len()).any(|host| fits(&self.profiles[host], waiting))
    }

    /// The one of these hosts on which the job can start now, with the fewest free processors; ties: order of the table.
    pub fn tightest(&self, hosts: &Hosts, waiting: &Waiting, among: Zones) -> Option<usize> {
        let among = among.hosts(self.profiles.len());
        let fitting = among.filter(|host| fits(&self.profiles[*host], waiting));
        // The first of equal ones.
        fitting.min_by_key(|host| hosts.get(*host).free_processors - self.idle_processors(*host))
    }

    /// The earliest reservation that these hosts have for the job, if it is earlier than `best`, or else `best`; ties: order of the table. `None`
    /// only for what no host can hold. Hosts that are not in `open` have none before `known`.
    pub fn earliest(
        &self,
        waiting: &Waiting,
        mut best: Option<Reserved>,
        among: Zones,
        (open, known): (Zones, Time),
    ) -> Option<Reserved> {
        let (duration, need) = (waiting.request.estimate, waiting.need);
        for host in among.hosts(self.profiles.len()) {
            let before = best.map_or(Time::NEVER, |best| {
                // As early is early enough on a host that comes before.
                if host < best.host { best.from.saturating_add(Span(1)) } else { best.from }
            });
            let after = if open.has(host) { Time::ZERO } else { known };
            if let Some(from) = self.profiles[host].earliest(duration, need, after, before) {
                best = Some(Reserved { host, from });
            }
        }
        best
    }

    /// Whether a reservation that the profiles do not hold could be held.
    pub fn leaves_free(&self, waiting: &Waiting, reserved: Reserved) -> bool {
        self.profiles[reserved.host].fits_from(reserved.from, waiting.request.estimate, waiting.need)
    }

    /// Holds a reservation.
    pub fn hold_reserved(&mut self, waiting: &Waiting, reserved: Reserved) {
        self.profiles[reserved.host].hold(reserved.from, waiting.until(reserved), waiting.need);
    }

    /// Holds it no more.
    pub fn release_reserved(&mut self, waiting: &Waiting, reserved: Reserved) {
        self.profiles[reserved.host].release(reserved.from, waiting.until(reserved), waiting.need);
    }

    /// Gives the reservation of a job back, if it has one.
    pub fn give_back(&mut self, waiting: &Waiting) {
        if let Some(reserved) = waiting.reserved() {
            self.freed |= Zones::of(reserved.host);
            self.release_reserved(waiting, reserved);
        }
    }
}

fn fits(profile: &HostProfile, waiting: &Waiting) -> bool {
    // Nearly always the first question is enough.
    waiting.need.fits(profile.free_now()) && profile.fits_now(waiting.request.estimate, waiting.need)
}
