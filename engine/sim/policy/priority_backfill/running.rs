//! What the running jobs hold of every host, and until when that is expected.

use super::profile::{HostProfile, Need};
use super::queue::Waiting;
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

/// A box of a reservation: a host, from and to when, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// The host.
    pub host: usize,
    /// The start that is planned.
    pub from: Time,
    /// The end of the estimate from there.
    pub to: Time,
    /// Processors and memory.
    pub need: Need,
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
}

fn all_of(host: &Host) -> Need {
    Need::new(host.processors(), host.memory_kb)
}

impl Running {
    /// Idle hosts.
    pub fn idle(hosts: &Hosts, now: Time, grace: Span) -> Running {
        let profiles = hosts.iter().map(|host| HostProfile::idle(now, all_of(host))).collect();
        Running { profiles, held: Vec::new(), ends: Vec::new(), grace, idle: Vec::new() }
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

    /// A job has started on a host, and holds `need` of it.
    pub fn start(&mut self, pass: &Pass<'_>, job: JobSlot, host: usize, need: Need) {
        self.hold(job, host, need, pass.now(), pass.expected_end(job));
    }

    /// A job holds `need` of a host over [from, until).
    pub fn hold(&mut self, job: JobSlot, host: usize, need: Need, from: Time, until: Time) {
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
        self.profiles[host].release(now, until, need);
        self.remove_end(until, job);
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

    /// Whether a host has now what the job needs, reservations on top counted but not what comes later.
    pub fn has_room(&self, waiting: &Waiting) -> bool {
        self.profiles.iter().any(|profile| waiting.need.fits(profile.free_now()))
    }

    /// Whether a host has what the job needs from now on for all of its estimate.
    pub fn can_start(&self, waiting: &Waiting) -> bool {
        self.profiles.iter().any(|profile| self.fits(profile, waiting))
    }

    /// The host on which the job can start now, with the fewest free processors; ties: order of the table.
    pub fn tightest(&self, hosts: &Hosts, waiting: &Waiting) -> Option<usize> {
        let fitting = self.profiles.iter().enumerate().filter(|(_, profile)| self.fits(profile, waiting));
        // The first of equal ones.
        fitting
            .map(|(host, _)| host)
            .min_by_key(|host| hosts.get(*host).free_processors - self.idle_processors(*host))
    }

    fn fits(&self, profile: &HostProfile, waiting: &Waiting) -> bool {
        // Nearly always the first question is enough.
        waiting.need.fits(profile.free_now()) && profile.fits_now(waiting.request.estimate, waiting.need)
    }

    /// Reserves the earliest box that the hosts have for the job; ties: order of the table. `None` only for what no host can hold.
    pub fn reserve(&mut self, waiting: &Waiting) -> Option<Reserved> {
        let (duration, need) = (waiting.request.estimate, waiting.need);
        let mut best: Option<(Time, usize)> = None;
        for (host, profile) in self.profiles.iter().enumerate() {
            let before = best.map_or(Time::NEVER, |(from, _)| from);
            if let Some(from) = profile.earliest(duration, need, before) {
                best = Some((from, host));
            }
        }
        let (from, host) = best?;
        let reserved = Reserved { host, from, to: from.saturating_add(duration), need };
        self.profiles[host].hold(reserved.from, reserved.to, need);
        Some(reserved)
    }

    /// Gives a reservation back.
    pub fn give_back(&mut self, reserved: &Reserved) {
        self.profiles[reserved.host].release(reserved.from, reserved.to, reserved.need);
    }
}
