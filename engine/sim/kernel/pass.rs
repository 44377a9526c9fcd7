//! The pass: what a policy sees of the system, and the only door through which it changes it.

use super::event::{EventClass, EventQueue};
use super::state::{Entry, Jobs, Phase, TakenOff};
use crate::allocator::{Allocator, Asked};
use crate::cluster::Cluster;
use crate::cluster::node_set::Placement;
use crate::error::SimError;
use crate::job::{JobSlot, Rate, Request};
use crate::time::{Span, Time};

/// A change that a policy or the clock made, for the observers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Transition {
    Started(JobSlot),
    /// Back to the queue from these nodes.
    Requeued(JobSlot, Placement),
    Suspended(JobSlot),
    Resumed(JobSlot),
    RateChanged(JobSlot),
    Resized(JobSlot),
    Killed(JobSlot),
    Loading(JobSlot, Span),
    SwappedOut(JobSlot, Span),
    SliceBegan(&'static str),
    /// A suspension that was taken back in its own pass.
    TakenBack,
}

fn remaining(entry: &Entry, now: Time) -> Span {
    let left = match entry.phase {
        Phase::Waiting => entry.request.estimate,
        Phase::Running => entry.expected_end - now,
        Phase::Suspended => entry.expected_end - entry.suspended_at,
        Phase::Ended => Span::ZERO,
    };
    left.max(Span::TICK)
}

/// What has happened since the last pass.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub submitted: Vec<JobSlot>,
    pub ended: Vec<JobSlot>,
    pub expired: Vec<JobSlot>,
    pub swapped_out: Vec<JobSlot>,
}

pub(super) const NOT_WAITING: &str = "it cannot start, for it does not wait";

/// The system at one instant. Slots stay valid through the pass that reports their job as ended.
pub struct Pass<'a> {
    pub(crate) now: Time,
    pub(crate) number: u64,
    pub(crate) policy: &'static str,
    pub(crate) cluster: &'a mut Cluster,
    pub(crate) allocator: &'a dyn Allocator,
    pub(crate) jobs: &'a mut Jobs,
    pub(crate) events: &'a mut EventQueue,
    pub(crate) changes: &'a mut Changes,
    pub(crate) transitions: &'a mut Vec<Transition>,
    pub(crate) error: Option<SimError>,
    /// Whether the policy is told of jobs that outlive their estimates.
    pub(crate) heeds_estimates: bool,
}

impl Pass<'_> {
    /// The present instant.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Jobs submitted since the last pass, in arrival order.
    pub fn submitted(&self) -> &[JobSlot] {
        &self.changes.submitted
    }

    /// Jobs that finished since the last pass, or were killed in it, in event order.
    pub fn ended(&self) -> &[JobSlot] {
        &self.changes.ended
    }

    /// Running jobs that reached their expected end since the last pass without finishing.
    pub fn expired(&self) -> &[JobSlot] {
        &self.changes.expired
    }

    /// Jobs whose remaining work grew since the last pass, because their memory was displaced.
    pub fn swapped_out(&self) -> &[JobSlot] {
        &self.changes.swapped_out
    }

    /// Waiting jobs in arrival order.
    pub fn waiting(&self) -> impl Iterator<Item = JobSlot> + '_ {
        self.jobs.iter(Phase::Waiting)
    }

    /// How many jobs wait.
    pub fn waiting_count(&self) -> usize {
        self.jobs.count(Phase::Waiting)
    }

    /// The waiting job that arrived first.
    pub fn head(&self) -> Option<JobSlot> {
        self.jobs.first(Phase::Waiting)
    }

    /// Running jobs in the order in which they were started or resumed.
    pub fn running(&self) -> impl Iterator<Item = JobSlot> + '_ {
        self.jobs.iter(Phase::Running)
    }

    /// Suspended jobs in the order in which they were suspended.
    pub fn suspended(&self) -> impl Iterator<Item = JobSlot> + '_ {
        self.jobs.iter(Phase::Suspended)
    }

    /// What the job asks for.
    pub fn request(&self, job: JobSlot) -> &Request {
        &self.jobs.get(job).request
    }

    /// Where the job is in its life cycle.
    pub fn phase(&self, job: JobSlot) -> Phase {
        self.jobs.get(job).phase
    }

    /// The job's nodes: those it runs on, or was suspended from; none while it waits, or runs without processors.
    pub fn placement(&self, job: JobSlot) -> &Placement {
        &self.jobs.get(job).placement
    }

    /// First start plus the estimate on the nodes it runs on plus all time suspended so far; [`Time::NEVER`] while waiting.
    pub fn expected_end(&self, job: JobSlot) -> Time {
        self.jobs.get(job).expected_end
    }

    /// When the job first started; [`Time::NEVER`] while waiting.
    pub fn started_at(&self, job: JobSlot) -> Time {
        self.jobs.get(job).started
    }

    /// Whether the job started while an earlier arrival waited.
    pub fn is_backfilled(&self, job: JobSlot) -> bool {
        self.jobs.get(job).backfilled
    }

    /// How long the job is expected to need its nodes yet, without what it must load when it resumes: of a running job the time to its expected
    /// end, which is after the load in progress; of a suspended one the same as when it was suspended, with what was added since; of a
    /// waiting one its estimate. At least one tick, also beyond the expected end.
    pub fn remaining(&self, job: JobSlot) -> Span {
        remaining(self.jobs.get(job), self.now)
    }

    /// How long the job would load if it started or resumed now: all its memory where it waits, what is missing on its nodes where it is suspended, the
    /// rest of the load in progress where it runs.
    pub fn load_time(&self, job: JobSlot) -> Span {
        let entry = self.jobs.get(job);
        let Some(tenants) = self.cluster.tenants() else { return Span::ZERO };
        match entry.phase {
            Phase::Waiting => tenants.transfer(tenants.need(entry.request.memory_kb)),
            Phase::Suspended => tenants.load_time(job, &entry.placement),
            Phase::Running => entry.memory.loading.map_or(Span::ZERO, |(_, until)| until - self.now),
            Phase::Ended => Span::ZERO,
        }
    }

    /// The machine.
    pub fn cluster(&self) -> &Cluster {
        self.cluster
    }

    /// The allocator, for questions.
    pub fn allocator(&self) -> &dyn Allocator {
        self.allocator
    }

    /// Starts a waiting job where the allocator places it; false, and nothing done, if there is no room.
    pub fn start(&mut self, job: JobSlot) -> bool {
        self.start_avoiding(job, &Placement::empty())
    }

    /// As [`start`](Pass::start), on none of the nodes in `avoid`.
    pub fn start_avoiding(&mut self, job: JobSlot, avoid: &Placement) -> bool {
        if self.phase(job) != Phase::Waiting {
            return self.illegal(job, NOT_WAITING);
        }
        match self.find_place(job, self.request(job).size, avoid) {
            Some(placement) => self.start_on(job, placement),
            None => false,
        }
    }

    /// Where the allocator would place so many nodes for the job now.
    pub(super) fn find_place(&self, job: JobSlot, size: u32, avoid: &Placement) -> Option<Placement> {
        let (jobs, now) = (&*self.jobs, self.now);
        let outlook = |other: JobSlot| (remaining(jobs.get(other), now), jobs.get(other).request.arrival);
        let memory_kb = jobs.get(job).request.memory_kb;
        self.allocator.place(&Asked { size, memory_kb, avoid, outlook: &outlook }, self.cluster)
    }

    /// Starts a waiting job on the lowest-numbered free nodes of a host; false, and nothing done, if there is no such host or it lacks
    /// processors or memory.
    pub fn start_at(&mut self, job: JobSlot, host: usize) -> bool {
        if self.phase(job) != Phase::Waiting {
            return self.illegal(job, NOT_WAITING);
        }
        let Request { size, memory_kb, .. } = *self.request(job);
        let host = self.cluster.hosts().filter(|hosts| host < hosts.len()).map(|hosts| hosts.get(host));
        let Some(host) = host.filter(|host| host.fits(size, memory_kb)) else { return false };
        match self.cluster.free().first_in(host.nodes.start, host.nodes.end, size) {
            Some(placement) => self.start_on(job, placement),
            None => false,
        }
    }

    /// The host of a started job, by its place in the table; `None` while it waits, and on a machine without hosts.
    pub fn host(&self, job: JobSlot) -> Option<usize> {
        self.jobs.get(job).host
    }

    /// Starts a waiting job on nodes of the policy's choice. Illegal unless it waits, they are free, and they are as many as requested; on a
    /// machine of hosts, unless they are of one host, and that has the memory.
    pub fn start_on(&mut self, job: JobSlot, placement: Placement) -> bool {
        let memory_kb = self.request(job).memory_kb;
        self.start_with(job, placement, memory_kb)
    }

    pub(super) fn start_with(&mut self, job: JobSlot, placement: Placement, memory_kb: u64) -> bool {
        let entry = self.jobs.get(job);
        if entry.phase != Phase::Waiting {
            return self.illegal(job, NOT_WAITING);
        }
        if placement.len() != entry.size {
            return self.illegal(job, "it cannot start on another number of nodes than it asked for");
        }
        let host = self.cluster.hosts().and_then(|hosts| hosts.of(&placement));
        if let Some(hosts) = self.cluster.hosts() {
            match host.map(|host| hosts.get(host).free_kb) {
                None => return self.illegal(job, "it cannot start on nodes that are not all of one host"),
                Some(free_kb) if free_kb < memory_kb => {
                    return self.illegal(job, "it cannot start on a host without the memory it asks for");
                }
                Some(_) => {}
            }
        }
        let exist = placement.span().is_some_and(|(_, last)| last < self.cluster.nodes());
        if !exist || !self.cluster.occupy(&placement) {
            return self.illegal(job, "it cannot start on nodes that are not free");
        }
        self.put(job, host, placement, memory_kb);
        true
    }

    /// Lets a waiting job begin on nodes that were just taken for it, with so much of its host's memory.
    pub(super) fn put(&mut self, job: JobSlot, host: Option<usize>, placement: Placement, memory_kb: u64) {
        let backfilled = self.jobs.first(Phase::Waiting) != Some(job);
        let now = self.now;
        let entry = self.jobs.get_mut(job);
        if placement.len() != entry.size {
            entry.set_share(placement.len());
        }
        entry.placement = placement;
        entry.host = host;
        (entry.spans, entry.migrated) = self.cluster.clusters_of(&entry.placement, entry.job.home);
        entry.held_kb = memory_kb;
        entry.started = now;
        entry.backfilled = backfilled;
        entry.expected_end = now.saturating_add(entry.request.estimate_on(entry.size));
        self.jobs.move_to(job, Phase::Running);
        self.transitions.push(Transition::Started(job));
        self.allocate(job);
        self.begin(job);
    }

    /// Takes a running job off its nodes; its progress is kept, and so is its claim to resume on the same nodes. A load in progress is lost.
    pub fn suspend(&mut self, job: JobSlot) -> bool {
        if self.phase(job) != Phase::Running {
            return self.illegal(job, "it cannot be suspended, for it does not run");
        }
        let now = self.now;
        let taken_off = TakenOff {
            pass: self.number,
            transition: self.transitions.len(),
            loading: self.jobs.get(job).memory.loading,
        };
        let entry = self.jobs.get_mut(job);
        entry.settle(now);
        entry.version += 1;
        entry.suspended_at = now;
        entry.memory.suspensions += 1;
        entry.memory.taken_off = Some(taken_off);
        self.interrupt_load(job);
        self.disconnect(job);
        self.cluster.vacate(&self.jobs.get(job).placement);
        self.jobs.move_to(job, Phase::Suspended);
        self.transitions.push(Transition::Suspended(job));
        true
    }

    /// Puts a suspended job back on its nodes, at full rate once what is missing of its memory is loaded; false, and nothing done, if they are not
    /// all free. A job put back in the very pass that suspended it goes on as if it had not been suspended, its load in progress included.
    pub fn resume(&mut self, job: JobSlot) -> bool {
        let entry = self.jobs.get(job);
        if entry.phase != Phase::Suspended {
            return self.illegal(job, "it cannot resume, for it is not suspended");
        }
        if !self.cluster.occupy(&entry.placement) {
            return false;
        }
        let now = self.now;
        let taken_back = entry.memory.taken_off.filter(|taken_off| taken_off.pass == self.number);
        let entry = self.jobs.get_mut(job);
        entry.extend(now - entry.suspended_at);
        self.jobs.move_to(job, Phase::Running);
        match taken_back {
            Some(taken_off) => {
                self.transitions[taken_off.transition] = Transition::TakenBack;
                self.jobs.get_mut(job).memory.suspensions -= 1;
                self.go_on(job, taken_off.loading);
            }
            None => {
                self.transitions.push(Transition::Resumed(job));
                self.begin(job);
            }
        }
        true
    }

    /// Tells the observers that a slice of time begins now, by its name.
    pub fn slice_begins(&mut self, label: &'static str) {
        self.transitions.push(Transition::SliceBegan(label));
    }

    /// Changes how fast a running job progresses; its finish moves.
    pub fn set_rate(&mut self, job: JobSlot, rate: Rate) -> bool {
        if self.phase(job) != Phase::Running {
            return self.illegal(job, "its rate cannot change, for it does not run");
        }
        if self.jobs.get(job).memory.loading.is_some() {
            return self.illegal(job, "its rate cannot change while it loads");
        }
        if self.is_slowed(job) {
            return self.illegal(job, "its rate cannot change, for its clusters decide it");
        }
        let now = self.now;
        let entry = self.jobs.get_mut(job);
        entry.settle(now);
        entry.progress_from(now, rate);
        self.schedule_end(job);
        self.transitions.push(Transition::RateChanged(job));
        true
    }

    /// Adds `span` at full rate to the work of a running or suspended job (loading, swapping), and to its expected end.
    pub fn add_work(&mut self, job: JobSlot, span: Span) -> bool {
        let phase = self.phase(job);
        if !matches!(phase, Phase::Running | Phase::Suspended) || span < Span::ZERO {
            return self.illegal(job, "work can only be added to a started job, and never taken away");
        }
        let now = self.now;
        let entry = self.jobs.get_mut(job);
        let loading = entry.memory.loading.is_some();
        if phase == Phase::Running {
            entry.settle(now);
        }
        entry.add_work(span);
        entry.extend(span);
        if phase == Phase::Running && !loading {
            self.schedule_end(job);
        }
        true
    }

    /// Ends a started job before its time; it leaves the system and is counted as killed.
    pub fn kill(&mut self, job: JobSlot) -> bool {
        match self.phase(job) {
            Phase::Running => self.cluster.vacate(&self.jobs.get(job).placement),
            Phase::Suspended => {}
            Phase::Waiting | Phase::Ended => {
                return self.illegal(job, "it cannot be killed, for it has not started or has ended");
            }
        }
        self.interrupt_load(job);
        self.disconnect(job);
        self.release(job);
        self.jobs.move_to(job, Phase::Ended);
        let now = self.now;
        let entry = self.jobs.get_mut(job);
        entry.version += 1;
        entry.ended = now;
        entry.killed = true;
        self.changes.ended.push(job);
        self.transitions.push(Transition::Killed(job));
        true
    }

    /// Ends the run: the policy can never start this job, for a reason that lies in the job.
    pub fn refuse(&mut self, job: JobSlot, reason: String) {
        let found = SimError::BadJob { job: self.request(job).id, reason };
        self.error.get_or_insert(found);
    }

    /// Asks for a pass at `at`, which must lie in the future; earlier instants are ignored.
    pub fn wake_at(&mut self, at: Time) {
        if at > self.now && at < Time::NEVER {
            self.events.schedule(at, EventClass::Wake, JobSlot(u32::MAX), 0);
        }
    }

    pub(super) fn schedule_end(&mut self, job: JobSlot) {
        let entry = self.jobs.get_mut(job);
        entry.version += 1;
        let (version, finish, expected) = (entry.version, entry.finish_time(), entry.expected_end);
        let told = entry.expired;
        if let Some(finish) = finish {
            if finish > Time::LATEST {
                let reason = format!("would end at {finish}, later than the simulation can tell");
                self.error.get_or_insert(SimError::BadJob { job: self.request(job).id, reason });
                return;
            }
            self.events.schedule(finish, EventClass::Finish, job, version);
        }
        // Scheduled only for jobs that will overrun, so that exact and loose estimates cost no extra pass. The policy
        // learns of the overrun when it happens, not before.
        if self.heeds_estimates
            && !told
            && expected >= self.now
            && finish.is_none_or(|finish| finish > expected)
            && expected < Time::NEVER
        {
            self.events.schedule(expected, EventClass::EstimateExpired, job, version);
        }
    }

    pub(super) fn illegal(&mut self, job: JobSlot, reason: &'static str) -> bool {
        let found =
            SimError::Illegal { policy: self.policy, job: self.request(job).id, now: self.now, reason };
        self.error.get_or_insert(found);
        false
    }
}
