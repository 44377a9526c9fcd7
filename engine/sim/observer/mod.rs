//! Observers: they see every transition and change nothing. Dispatch is static, so the empty observer costs nothing.

pub mod job_log;
pub mod measures;
mod requested;
mod service;
mod sharing;
pub mod steady;
pub mod trace;
pub mod usage;

use crate::cluster::Cluster;
use crate::cluster::node_set::Placement;
use crate::job::Job;
use crate::kernel::{Entry, TestRun};
use crate::time::{Span, Time};

/// A job as observers see it: everything, its run time included.
#[derive(Clone, Copy, Debug)]
pub struct JobRecord<'a> {
    /// The job.
    pub job: &'a Job,
    /// The nodes that it runs on: those requested, unless a policy chose others.
    pub size: u32,
    /// Its run time on so many nodes, at full rate.
    pub run_time: Span,
    /// Position in the arrival order, from 0.
    pub arrival: u64,
    /// First start; [`Time::NEVER`] before it.
    pub started: Time,
    /// Finish or kill; [`Time::NEVER`] before it.
    pub ended: Time,
    /// Its nodes; none before the start, and while it runs without processors.
    pub placement: &'a Placement,
    /// Its host, by its place in the table, since it started; none while it waits, and on a machine without hosts.
    pub host: Option<usize>,
    /// In how many clusters its nodes lie since it started: 1 on machines that are no mini-grid, 0 while it waits.
    pub spans: u32,
    /// Whether it runs wholly on another cluster of a mini-grid than its home.
    pub migrated: bool,
    /// Its latest test run.
    pub test: Option<TestRun>,
    /// Whether it started while an earlier arrival waited.
    pub backfilled: bool,
    /// Whether it was killed.
    pub killed: bool,
    /// Time spent loading so far, interrupted loads and the first one included.
    pub load: Span,
    /// The part of it before the job first ran.
    pub first_load: Span,
    /// Time added so far because its memory was displaced.
    pub swap_out: Span,
    /// How often it was taken off its nodes.
    pub suspensions: u32,
}

impl<'a> JobRecord<'a> {
    pub(crate) fn of(entry: &'a Entry) -> JobRecord<'a> {
        JobRecord {
            job: &entry.job,
            size: entry.size,
            run_time: entry.run_time,
            arrival: entry.request.arrival,
            started: entry.started,
            ended: entry.ended,
            placement: &entry.placement,
            host: entry.host,
            spans: entry.spans,
            migrated: entry.migrated,
            test: entry.test,
            backfilled: entry.backfilled,
            killed: entry.killed,
            load: entry.memory.load,
            first_load: entry.memory.first_load,
            swap_out: entry.memory.swap_out,
            suspensions: entry.memory.suspensions,
        }
    }
}

/// Something that watches a run. Within an instant: finishes, submissions, then what the pass did, in the order it did it.
#[expect(unused_variables, reason = "the default hooks ignore what they are told")]
pub trait Observer {
    /// Before the first event.
    fn begin(&mut self, cluster: &Cluster) {}
    /// A job entered the queue.
    fn submitted(&mut self, now: Time, job: &JobRecord<'_>) {}
    /// A job started.
    fn started(&mut self, now: Time, job: &JobRecord<'_>) {}
    /// A job was taken off these nodes and put back into the queue; what it did is lost.
    fn requeued(&mut self, now: Time, job: &JobRecord<'_>, nodes: &Placement) {}
    /// A job was taken off its nodes.
    fn suspended(&mut self, now: Time, job: &JobRecord<'_>) {}
    /// A job was put back on its nodes.
    fn resumed(&mut self, now: Time, job: &JobRecord<'_>) {}
    /// A running job's rate changed.
    fn rate_changed(&mut self, now: Time, job: &JobRecord<'_>) {}
    /// A running job got other processors; the record has the new ones.
    fn resized(&mut self, now: Time, job: &JobRecord<'_>) {}
    /// A job that just started or resumed loads its memory for so long, without progress; its `load` does not count it yet.
    fn loading(&mut self, now: Time, job: &JobRecord<'_>, span: Span) {}
    /// A job's load is complete; it progresses from now on.
    fn loaded(&mut self, now: Time, job: &JobRecord<'_>) {}
    /// A suspended job's memory was displaced; writing it out adds so much to its work.
    fn swapped_out(&mut self, now: Time, job: &JobRecord<'_>, span: Span) {}
    /// A policy that shares time began a slice of this name.
    fn slice_began(&mut self, now: Time, label: &'static str) {}
    /// A job finished or was killed.
    fn ended(&mut self, now: Time, job: &JobRecord<'_>) {}
    /// A pass is over; `waiting` jobs are in the queue.
    fn passed(&mut self, now: Time, waiting: usize, cluster: &Cluster) {}
    /// Asked before each pass: whether the run is to go on. If not, it ends with [`SimError::Stopped`](crate::SimError::Stopped).
    fn keep_going(&mut self) -> bool {
        true
    }
    /// Asked after each pass: whether the run may end here, whatever is left of the workload. It has ended well then.
    fn has_seen_enough(&self) -> bool {
        false
    }
}

/// Watches nothing.
impl Observer for () {}

/// Watches nothing and lets the run go on as long as the function says so.
#[derive(Clone, Copy, Debug)]
pub struct While<F>(pub F);

impl<F: FnMut() -> bool> Observer for While<F> {
    fn keep_going(&mut self) -> bool {
        (self.0)()
    }
}

/// Both watch, and either may end the run.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn begin(&mut self, cluster: &Cluster) {
        self.0.begin(cluster);
        self.1.begin(cluster);
    }
    fn submitted(&mut self, now: Time, job: &JobRecord<'_>) {
        self.0.submitted(now, job);
        self.1.submitted(now, job);
    }
    fn started(&mut self, now: Time, job: &JobRecord<'_>) {
        self.0.started(now, job);
        self.1.started(now, job);
    }
    fn requeued(&mut self, now: Time, job: &JobRecord<'_>, nodes: &Placement) {
        self.0.requeued(now, job, nodes);
        self.1.requeued(now, job, nodes);
    }
    fn suspended(&mut self, now: Time, job: &JobRecord<'_>) {
        self.0.suspended(now, job);
        self.1.suspended(now, job);
    }
    fn resumed(&mut self, now: Time, job: &JobRecord<'_>) {
        self.0.resumed(now, job);
        self.1.resumed(now, job);
    }
    fn rate_changed(&mut self, now: Time, job: &JobRecord<'_>) {
        self.0.rate_changed(now, job);
        self.1.rate_changed(now, job);
    }
    fn resized(&mut self, now: Time, job: &JobRecord<'_>) {
        self.0.resized(now, job);
        self.1.resized(now, job);
    }
    fn loading(&mut self, now: Time, job: &JobRecord<'_>, span: Span) {
        self.0.loading(now, job, span);
        self.1.loading(now, job, span);
    }
    fn loaded(&mut self, now: Time, job: &JobRecord<'_>) {
        self.0.loaded(now, job);
        self.1.loaded(now, job);
    }
    fn swapped_out(&mut self, now: Time, job: &JobRecord<'_>, span: Span) {
        self.0.swapped_out(now, job, span);
        self.1.swapped_out(now, job, span);
    }
    fn slice_began(&mut self, now: Time, label: &'static str) {
        self.0.slice_began(now, label);
        self.1.slice_began(now, label);
    }
    fn ended(&mut self, now: Time, job: &JobRecord<'_>) {
        self.0.ended(now, job);
        self.1.ended(now, job);
    }
    fn passed(&mut self, now: Time, waiting: usize, cluster: &Cluster) {
        self.0.passed(now, waiting, cluster);
        self.1.passed(now, waiting, cluster);
    }
    fn keep_going(&mut self) -> bool {
        self.0.keep_going() && self.1.keep_going()
    }
    fn has_seen_enough(&self) -> bool {
        self.0.has_seen_enough() || self.1.has_seen_enough()
    }
}
