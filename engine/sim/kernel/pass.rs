//! The pass: what a policy sees of the system, and the only door through which it changes it.

use super::event::{EventClass, EventQueue};
use super::state::{Jobs, Phase};
use crate::allocator::Allocator;
use crate::cluster::Cluster;
use crate::cluster::node_set::Placement;
use crate::error::SimError;
use crate::job::{JobSlot, Rate, Request};
use crate::time::{Span, Time};

/// A change that a policy or the clock made, for the observers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transition {
    Started(JobSlot),
    Suspended(JobSlot),
    Resumed(JobSlot),
    RateChanged(JobSlot),
    Killed(JobSlot),
}

/// What has happened since the last pass.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub submitted: Vec<JobSlot>,
    pub ended: Vec<JobSlot>,
    pub expired: Vec<JobSlot>,
}

const NOT_WAITING: &str = "it cannot start, for it does not wait";

/// The system at one instant. Slots stay valid through the pass that reports their job as ended.
pub struct Pass<'a> {
    pub(crate) now: Time,
    pub(crate) policy: &'static str,
    pub(crate) cluster: &'a mut Cluster,
    pub(crate) allocator: &'a dyn Allocator,
    pub(crate) jobs: &'a mut Jobs,
    pub(crate) events: &'a mut EventQueue,
    pub(crate) changes: &'a mut Changes,
    pub(crate) transitions: &'a mut Vec<Transition>,
    pub(crate) error: &'a mut Option<SimError>,
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

    /// The job's nodes: those it runs on, or was suspended from; none while it waits.
    pub fn placement(&self, job: JobSlot) -> &Placement {
        &self.jobs.get(job).placement
    }

    /// First start plus estimate plus all time suspended so far; [`Time::NEVER`] while waiting.
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
        let size = self.request(job).size;
        match self.allocator.place(size, self.cluster, avoid) {
            Some(placement) => self.start_on(job, placement),
            None => false,
        }
    }

    /// Starts a waiting job on nodes of the policy's choice. Illegal unless it waits, they are free, and they are as many as requested.
    pub fn start_on(&mut self, job: JobSlot, placement: Placement) -> bool {
        let entry = self.jobs.get(job);
        if entry.phase != Phase::Waiting {
            return self.illegal(job, NOT_WAITING);
        }
        if placement.len() != entry.request.size {
            return self.illegal(job, "it cannot start on another number of nodes than it asked for");
        }
        let exist = placement.span().is_some_and(|(_, last)| last < self.cluster.nodes());
        if !exist || !self.cluster.occupy(&placement) {
            return self.illegal(job, "it cannot start on nodes that are not free");
        }
        let backfilled = self.jobs.first(Phase::Waiting) != Some(job);
        let now = self.now;
        let entry = self.jobs.get_mut(job);
        entry.placement = placement;
        entry.started = now;
        entry.backfilled = backfilled;
        entry.expected_end = now.saturating_add(entry.request.estimate);
        entry.progress_from(now, Rate::FULL);
        self.jobs.move_to(job, Phase::Running);
        self.schedule_end(job);
        self.transitions.push(Transition::Started(job));
        true
    }

    /// Takes a running job off its nodes; its progress is kept, and so is its claim to resume on the same nodes.
    pub fn suspend(&mut self, job: JobSlot) -> bool {
        if self.phase(job) != Phase::Running {
            return self.illegal(job, "it cannot be suspended, for it does not run");
        }
        let now = self.now;
        let entry = self.jobs.get_mut(job);
        entry.settle(now);
        entry.version += 1;
        entry.suspended_at = now;
        self.cluster.vacate(&self.jobs.get(job).placement);
        self.jobs.move_to(job, Phase::Suspended);
        self.transitions.push(Transition::Suspended(job));
        true
    }

    /// Puts a suspended job back on its nodes, at full rate; false, and nothing done, if they are not all free.
    pub fn resume(&mut self, job: JobSlot) -> bool {
        let entry = self.jobs.get(job);
        if entry.phase != Phase::Suspended {
            return self.illegal(job, "it cannot resume, for it is not suspended");
        }
        if !self.cluster.occupy(&entry.placement) {
            return false;
        }
        let now = self.now;
        let entry = self.jobs.get_mut(job);
        entry.extend(now - entry.suspended_at);
        entry.progress_from(now, Rate::FULL);
        self.jobs.move_to(job, Phase::Running);
        self.schedule_end(job);
        self.transitions.push(Transition::Resumed(job));
        true
    }

    /// Changes how fast a running job progresses; its finish moves.
    pub fn set_rate(&mut self, job: JobSlot, rate: Rate) -> bool {
        if self.phase(job) != Phase::Running {
            return self.illegal(job, "its rate cannot change, for it does not run");
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
        if phase == Phase::Running {
            entry.settle(now);
        }
        entry.add_work(span);
        entry.extend(span);
        if phase == Phase::Running {
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

    /// Asks for a pass at `at`, which must lie in the future; earlier instants are ignored.
    pub fn wake_at(&mut self, at: Time) {
        if at > self.now && at < Time::NEVER {
            self.events.schedule(at, EventClass::Wake, JobSlot(u32::MAX), 0);
        }
    }

    fn schedule_end(&mut self, job: JobSlot) {
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
        if !told
            && expected >= self.now
            && finish.is_none_or(|finish| finish > expected)
            && expected < Time::NEVER
        {
            self.events.schedule(expected, EventClass::EstimateExpired, job, version);
        }
    }

    fn illegal(&mut self, job: JobSlot, reason: &'static str) -> bool {
        let found =
            SimError::Illegal { policy: self.policy, job: self.request(job).id, now: self.now, reason };
        self.error.get_or_insert(found);
        false
    }
}
