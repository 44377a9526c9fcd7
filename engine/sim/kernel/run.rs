//! The loop: next instant, its events in order, one pass, and the observers.

use super::event::{Event, EventClass, EventQueue};
use super::pass::{Changes, Pass, Transition};
use super::state::{Jobs, Phase};
use super::{EstimateSource, Passes, Setup};
use crate::allocator::Allocator;
use crate::cluster::Cluster;
use crate::error::SimError;
use crate::job::{Communication, Job, JobSlot, Request};
use crate::observer::{JobRecord, Observer};
use crate::policy::Policy;
use crate::time::{MAX_SECONDS, Span, Time};

/// What a run amounted to; everything else is for observers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunReport {
    /// Jobs that entered and left the system.
    pub jobs: u64,
    /// Scheduling passes.
    pub passes: u64,
    /// Events scheduled, submissions included.
    pub events: u64,
}

/// Runs `jobs`, which must come in order of submission, under `setup`.
///
/// # Errors
/// Any [`SimError`]; what observers saw until then is not a result.
pub fn simulate<O: Observer>(
    setup: &Setup,
    jobs: impl IntoIterator<Item = Job>,
    observer: &mut O,
) -> Result<RunReport, SimError> {
    let policy = setup.policy.build(setup)?;
    simulate_with(policy, setup, jobs, observer)
}

/// As [`simulate`], under a policy that no [`PolicySpec`](crate::PolicySpec) names; `setup.policy` is ignored.
///
/// # Errors
/// Any [`SimError`].
pub fn simulate_with<O: Observer>(
    policy: Box<dyn Policy>,
    setup: &Setup,
    jobs: impl IntoIterator<Item = Job>,
    observer: &mut O,
) -> Result<RunReport, SimError> {
    let allocator = setup.allocator.build(&setup.machine)?;
    let mut cluster = Cluster::new(&setup.machine, !allocator.counts_only())?;
    if setup.memory.is_some() || allocator.looks_at_tenants() {
        cluster = cluster.with_tenants(setup.memory)?;
    }
    observer.begin(&cluster);
    let mut jobs = jobs.into_iter();
    let upcoming = jobs.next();
    let kernel = Kernel {
        policy,
        allocator,
        cluster,
        jobs: Jobs::new(),
        events: EventQueue::default(),
        changes: Changes::default(),
        transitions: Vec::new(),
        upcoming,
        estimates: setup.estimates,
        now: Time::ZERO,
        headway: 0,
        report: RunReport::default(),
    };
    kernel.run(setup.passes, jobs, observer)
}

/// So many passes without a submission or an end are taken for a run that will never end: jobs that are preempted before they have loaded, or
/// that displace each other faster than they work.
const NO_HEADWAY: u64 = 4_000_000;

struct Kernel {
    policy: Box<dyn Policy>,
    allocator: Box<dyn Allocator>,
    cluster: Cluster,
    jobs: Jobs,
    events: EventQueue,
    changes: Changes,
    transitions: Vec<Transition>,
    /// The next job of the workload.
    upcoming: Option<Job>,
    estimates: EstimateSource,
    now: Time,
    /// The number of the last pass that followed a submission or an end.
    headway: u64,
    report: RunReport,
}

impl Kernel {
    fn run<O: Observer>(
        mut self,
        passes: Passes,
        mut workload: impl Iterator<Item = Job>,
        observer: &mut O,
    ) -> Result<RunReport, SimError> {
        if let Some(first) = &self.upcoming {
            self.now = first.submit;
        }
        let mut enough = false;
        while let Some(now) = self.next_instant() {
            self.now = now;
            if !observer.keep_going() {
                return Err(SimError::Stopped { now });
            }
            match passes {
                Passes::PerInstant => self.whole_instant(&mut workload, observer)?,
                Passes::PerEvent => self.one_event(&mut workload, observer)?,
            }
            self.pass(observer)?;
            if observer.has_seen_enough() {
                enough = true;
                break;
            }
        }
        if !enough {
            self.check_drained()?;
        }
        self.report.events = self.events.scheduled() + self.report.jobs;
        Ok(self.report)
    }

    /// The earliest instant at which something happens; void events are dropped on the way.
    fn next_instant(&mut self) -> Option<Time> {
        while self.events.peek().is_some_and(|event| self.is_void(event)) {
            self.events.pop();
        }
        let submit = self.upcoming.as_ref().map(|job| job.submit);
        let event = self.events.peek().map(|event| event.at);
        submit.into_iter().chain(event).min()
    }

    fn is_void(&self, event: &Event) -> bool {
        event.class != EventClass::Wake && self.jobs.get(event.slot).version != event.version
    }

    fn whole_instant<O: Observer>(
        &mut self,
        workload: &mut impl Iterator<Item = Job>,
        observer: &mut O,
    ) -> Result<(), SimError> {
        while let Some(event) = self.events.peek().copied().filter(|event| event.at == self.now) {
            self.events.pop();
            if !self.is_void(&event) {
                self.happen(event, observer)?;
            }
        }
        while self.upcoming.as_ref().is_some_and(|job| job.submit == self.now) {
            self.submit(workload, observer)?;
        }
        Ok(())
    }

    fn one_event<O: Observer>(
        &mut self,
        workload: &mut impl Iterator<Item = Job>,
        observer: &mut O,
    ) -> Result<(), SimError> {
        if self.upcoming.as_ref().is_some_and(|job| job.submit == self.now) {
            return self.submit(workload, observer);
        }
        if let Some(event) = self.events.pop() {
            self.happen(event, observer)?;
        }
        Ok(())
    }

    fn happen<O: Observer>(&mut self, event: Event, observer: &mut O) -> Result<(), SimError> {
        match event.class {
            EventClass::Finish => self.finish(event.slot, observer),
            EventClass::Loaded => return self.loaded(event.slot, observer),
            EventClass::EstimateExpired => {
                self.jobs.get_mut(event.slot).expired = true;
                self.changes.expired.push(event.slot);
            }
            EventClass::Wake => {}
        }
        Ok(())
    }

    fn loaded<O: Observer>(&mut self, slot: JobSlot, observer: &mut O) -> Result<(), SimError> {
        let (_, mut pass) = self.door();
        pass.loaded(slot);
        pass.error.take().map_or(Ok(()), Err)?;
        self.tell(observer);
        observer.loaded(self.now, &JobRecord::of(self.jobs.get(slot)));
        Ok(())
    }

    fn finish<O: Observer>(&mut self, slot: JobSlot, observer: &mut O) {
        let entry = self.jobs.get(slot);
        self.cluster.disconnect(slot, entry.spans);
        self.cluster.vacate(&entry.placement);
        self.cluster.deallocate(slot, &entry.placement);
        self.cluster.release(entry.host, entry.held_kb);
        self.jobs.move_to(slot, Phase::Ended);
        let entry = self.jobs.get_mut(slot);
        entry.version += 1;
        entry.ended = self.now;
        observer.ended(self.now, &JobRecord::of(entry));
        self.changes.ended.push(slot);
    }

    fn submit<O: Observer>(
        &mut self,
        workload: &mut impl Iterator<Item = Job>,
        observer: &mut O,
    ) -> Result<(), SimError> {
        let Some(job) = self.upcoming.take() else { return Ok(()) };
        self.upcoming = workload.next();
        self.check(&job)?;
        let estimate = match self.estimates {
            EstimateSource::Requested => job.estimate,
            EstimateSource::Actual => job.run_time,
        };
        let arrival = self.report.jobs;
        let request = Request {
            id: job.id,
            arrival,
            submit: job.submit,
            estimate,
            size: job.size,
            memory_kb: job.memory_kb,
            home: job.home,
            communication: job.communication,
            speedup: job.speedup,
        };
        self.report.jobs += 1;
        let slot = self.jobs.admit(job, request);
        observer.submitted(self.now, &JobRecord::of(self.jobs.get(slot)));
        self.changes.submitted.push(slot);
        Ok(())
    }

    fn check(&self, job: &Job) -> Result<(), SimError> {
        let limit = Span::from_secs(MAX_SECONDS);
        let bad = |reason: String| Err(SimError::BadJob { job: job.id, reason });
        if job.size == 0 || job.size > self.cluster.nodes() {
            return bad(format!("asks for {} nodes of a machine of {}", job.size, self.cluster.nodes()));
        }
        if let Some(hosts) =
            self.cluster.hosts().filter(|hosts| !hosts.can_ever_hold(job.size, job.memory_kb))
        {
            let (size, kb, all) = (job.size, job.memory_kb, hosts.len());
            return bad(format!("asks for {size} processors and {kb} kB, which none of {all} hosts has"));
        }
        let most_kb = self.cluster.tenants().map_or(u64::MAX, |tenants| tenants.capacity_kb());
        if job.memory_kb > most_kb {
            let reason = format!("asks for {} kB per node of nodes with {most_kb} kB", job.memory_kb);
            return bad(reason);
        }
        if job.run_time <= Span::ZERO
            || job.run_time > limit
            || job.estimate <= Span::ZERO
            || job.estimate > limit
        {
            let (run_time, estimate) = (job.run_time, job.estimate);
            return bad(format!(
                "run time {run_time} and estimate {estimate} must be positive, and at most {limit}"
            ));
        }
        if let Some(odd) = job.speedup.filter(|speedup| !speedup.is_valid()) {
            let (parallelism, sigma) = (odd.parallelism, odd.sigma);
            return bad(format!("has a speedup with parallelism {parallelism} and sigma {sigma}"));
        }
        let (home, clusters) = (job.home, self.cluster.clusters());
        if self.cluster.mini_grid().is_some() && home >= clusters {
            return bad(format!("is submitted at cluster {home} of {clusters} (they are numbered from 0)"));
        }
        let Communication { share, bandwidth } = job.communication;
        if !((0.0..=1.0).contains(&share) && bandwidth.is_finite() && bandwidth >= 0.0) {
            return bad(format!(
                "communicates for a share {share} of its time with bandwidth {bandwidth}; shares are 0 to 1, bandwidths 0 or more"
            ));
        }
        if let Some(next) = self.upcoming.as_ref().filter(|next| next.submit < job.submit) {
            return bad(format!("is followed by job {}, submitted earlier, at {}", next.id, next.submit));
        }
        if job.submit < Time::ZERO || job.submit > Time::ZERO + limit {
            return bad(format!("submit time {} is out of range", job.submit));
        }
        Ok(())
    }

    /// The policy, and the door through which it changes the world at this instant.
    fn door(&mut self) -> (&mut dyn Policy, Pass<'_>) {
        let pass = Pass {
            now: self.now,
            number: self.report.passes,
            policy: self.policy.name(),
            cluster: &mut self.cluster,
            allocator: self.allocator.as_ref(),
            jobs: &mut self.jobs,
            events: &mut self.events,
            changes: &mut self.changes,
            transitions: &mut self.transitions,
            error: None,
            heeds_estimates: self.policy.heeds_estimates(),
        };
        (self.policy.as_mut(), pass)
    }

    /// Tells the observer what a pass or the end of a load did.
    fn tell<O: Observer>(&mut self, observer: &mut O) {
        for transition in self.transitions.drain(..) {
            notify(transition, self.now, &self.jobs, observer);
        }
    }

    fn pass<O: Observer>(&mut self, observer: &mut O) -> Result<(), SimError> {
        // Those that the pass itself displaces are told in the next one.
        let told = self.changes.swapped_out.len();
        let (policy, mut pass) = self.door();
        policy.schedule(&mut pass);
        pass.share_links();
        pass.error.take().map_or(Ok(()), Err)?;
        self.report.passes += 1;
        self.tell(observer);
        if !(self.changes.ended.is_empty() && self.changes.submitted.is_empty()) {
            self.headway = self.report.passes;
        } else if self.report.passes - self.headway > NO_HEADWAY {
            let passes = self.report.passes - self.headway;
            return Err(SimError::NoHeadway { policy: self.policy.name(), now: self.now, passes });
        }
        for slot in self.changes.ended.drain(..) {
            self.jobs.vacate(slot);
        }
        self.changes.submitted.clear();
        self.changes.expired.clear();
        self.changes.swapped_out.drain(..told);
        observer.passed(self.now, self.jobs.count(Phase::Waiting), &self.cluster);
        Ok(())
    }

    fn check_drained(&self) -> Result<(), SimError> {
        let left = [Phase::Waiting, Phase::Suspended, Phase::Running];
        let waiting = left.map(|phase| self.jobs.count(phase)).iter().sum();
        match left.iter().find_map(|phase| self.jobs.first(*phase)) {
            None => Ok(()),
            Some(slot) => Err(SimError::Stalled {
                policy: self.policy.name(),
                now: self.now,
                waiting,
                first: self.jobs.get(slot).job.id,
            }),
        }
    }
}

fn notify<O: Observer>(transition: Transition, now: Time, jobs: &Jobs, observer: &mut O) {
    match transition {
        Transition::Started(slot) => observer.started(now, &JobRecord::of(jobs.get(slot))),
        Transition::Requeued(slot, nodes) => observer.requeued(now, &JobRecord::of(jobs.get(slot)), &nodes),
        Transition::Suspended(slot) => observer.suspended(now, &JobRecord::of(jobs.get(slot))),
        Transition::Resumed(slot) => observer.resumed(now, &JobRecord::of(jobs.get(slot))),
        Transition::RateChanged(slot) => observer.rate_changed(now, &JobRecord::of(jobs.get(slot))),
        Transition::Resized(slot) => observer.resized(now, &JobRecord::of(jobs.get(slot))),
        Transition::Killed(slot) => observer.ended(now, &JobRecord::of(jobs.get(slot))),
        Transition::Loading(slot, span) => observer.loading(now, &JobRecord::of(jobs.get(slot)), span),
        Transition::SwappedOut(slot, span) => observer.swapped_out(now, &JobRecord::of(jobs.get(slot)), span),
        Transition::SliceBegan(label) => observer.slice_began(now, label),
        Transition::TakenBack => {}
    }
}
