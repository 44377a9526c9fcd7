//! Jobs that wait for memory, and the processor time that they earn meanwhile.

use super::shares::equal_shares;
use crate::job::JobSlot;
use crate::time::Time;

/// A job that waits.
#[derive(Clone, Copy, Debug)]
struct Queued {
    job: JobSlot,
    request: u32,
    /// Processors that it would have now if it ran.
    share: u32,
    /// What it has earned, in processors × ticks.
    credit: i128,
}

/// Waiting jobs in arrival order.
#[derive(Debug, Default)]
pub struct Queue {
    jobs: Vec<Queued>,
    since: Time,
}

impl Queue {
    /// Whether no job waits.
    pub fn is_empty(&self) -> bool {
        self.jobs.is_empty()
    }

    /// A job waits from now on.
    pub fn push(&mut self, job: JobSlot, request: u32) {
        self.jobs.push(Queued { job, request, share: 0, credit: 0 });
    }

    /// Keeps the jobs, given with their credits, of which `wait` says that they wait on.
    pub fn retain(&mut self, mut wait: impl FnMut(JobSlot, i128) -> bool) {
        self.jobs.retain(|queued| wait(queued.job, queued.credit));
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
        if self.jobs.is_empty() {
            return;
        }
        let mut requests: Vec<u32> = running.collect();
        let first = requests.len();
        requests.extend(self.jobs.iter().map(|queued| queued.request));
        let mut shares = Vec::with_capacity(requests.len());
        equal_shares(processors, &requests, &mut shares);
        for (queued, share) in self.jobs.iter_mut().zip(&shares[first..]) {
            queued.share = *share;
        }
    }
}
