//! Test runs of new jobs, and the way back to the queue. Source: Chiang 2001, §3.2.2.

use super::pass::{Pass, Transition};
use crate::cluster::node_set::Placement;
use crate::job::{JobSlot, Rate};
use crate::kernel::Phase;

/// The latest test run of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestRun {
    /// Whether running jobs gave up processors for it.
    pub preempts: bool,
    /// Whether the job is in it, or ended in it; else it went back to the queue.
    pub lasts: bool,
}

impl Pass<'_> {
    /// As [`start_on`](Pass::start_on), for a test run that gets no more than `memory_kb` of its host's memory. A job that needs more at its
    /// peak cannot finish in it; nobody but the kernel knows, so the policy has to [`requeue`](Pass::requeue) it after some time. `preempts`
    /// says whether running jobs gave up processors for it; it decides nothing, observers are told.
    pub fn start_test(&mut self, job: JobSlot, placement: Placement, memory_kb: u64, preempts: bool) -> bool {
        let started = self.start_with(job, placement, memory_kb.min(self.request(job).memory_kb));
        let (now, entry) = (self.now, self.jobs.get_mut(job));
        if started {
            entry.test = Some(TestRun { preempts, lasts: true });
        }
        if started && entry.held_kb < entry.request.memory_kb && entry.held_kb < entry.job.peak_kb() {
            entry.settle(now);
            entry.progress_from(now, Rate::STALLED);
            self.disconnect(job);
            self.schedule_end(job);
        }
        started
    }

    /// Takes a running job off its nodes and puts it back into the queue, at its place in arrival order; what it has done is lost. `false`, and
    /// nothing happens, for a job whose work is done: its end is an event of this instant that is still to come.
    pub fn requeue(&mut self, job: JobSlot) -> bool {
        if self.phase(job) != Phase::Running {
            return self.illegal(job, "it cannot go back to the queue, for it does not run");
        }
        if self.jobs.get(job).finish_time().is_some_and(|finish| finish <= self.now) {
            return false;
        }
        self.interrupt_load(job);
        self.disconnect(job);
        self.cluster.vacate(&self.jobs.get(job).placement);
        self.release(job);
        let nodes = self.jobs.get_mut(job).begin_anew();
        self.jobs.back_to_queue(job);
        self.transitions.push(Transition::Requeued(job, nodes));
        true
    }
}
