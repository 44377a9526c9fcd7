//! Jobs that wait for memory, and the processor time that they earn meanwhile.

use super::shares::equal_shares;
use crate::job::JobSlot;
use crate::time::Time;

/// What a job that waits has to do with tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It may get one.
    Untested,
    /// It is in one now, and does not wait.
    InTest,
    /// It was in vain.
    Tested,
}

/// A job that waits.
#[derive(Clone, Copy, Debug)]
struct Queued {
    job: JobSlot,
    request: u32,
    standing: Standing,
    /// Processors that it would have now if it ran.
    share: u32,
    /// What it has earned, in processors × ticks.
    credit: i128,
}

/// Waiting jobs, and those in a test, in arrival order.
#[derive(Debug, Default)]
pub struct Queue {
    jobs: Vec<Queued>,
    since: Time,
}

impl Queue {
    /// Whether no job waits, or may come back from a test.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// A job waits from now on.
    pub fn push(&mut self, job: JobSlot, request: u32) {
        self.jobs.push(Queued { job, request, standing: Standing::Untested, share: 0, credit: 0 });
    }

    /// Keeps the jobs, given with their credits, of which `wait` says that they wait on.
    pub fn retain(&mut self, mut wait: impl FnMut(JobSlot, i128) -> bool) {
        self.jobs.retain(|queued| queued.standing == Standing::InTest || wait(queued.job, queued.credit));
    }

    /// Tests the jobs that have not been tested, where `begin` says that a test began.
    pub fn test(&mut self, mut begin: impl FnMut(JobSlot) -> bool) {
        for queued in self.jobs.iter_mut().filter(|queued| queued.standing == Standing::Untested) {
            if begin(queued.job) {
                (queued.standing, queued.share) = (Standing::InTest, 0);
            }
        }
    }

    /// A job is back from its test, which was in vain.
    pub fn put_back(&mut self, job: JobSlot) {
        if let Some(queued) = self.jobs.iter_mut().find(|queued| queued.job == job) {
            queued.standing = Standing::Tested;
        }
    }

    /// A job has ended in its test.
    pub fn remove(&mut self, job: JobSlot) {
        self.jobs.retain(|queued| queued.job != job);
    }

    /// Books what was earned since the last time.
    pub fn accrue(&mut self, now: Time) {
        for queued in &mut self.jobs {
            queued.credit += i128::from(queued.share) * i128::from((now - self.since).0);
        }
        self.since = now;
    }

    /// Sets what the jobs earn from now on: their shares if the processors were shared out among the running jobs, given by their requests, and the
    /// waiting ones.
    pub fn share_out(&mut self, processors: u32, running: impl Iterator<Item = u32>) {
        let waits = |queued: &&mut Queued| queued.standing != Standing::InTest;
        let mut waiting: Vec<&mut Queued> = self.jobs.iter_mut().filter(waits).collect();
        if waiting.is_empty() {
            return;
        }
        let mut requests: Vec<u32> = running.collect();
        let first = requests.len();
        requests.extend(waiting.iter().map(|queued| queued.request));
        let mut shares = Vec::with_capacity(requests.len());
        equal_shares(processors, &requests, &mut shares);
        for (queued, share) in waiting.iter_mut().zip(&shares[first..]) {
            queued.share = *share;
        }
    }
}
