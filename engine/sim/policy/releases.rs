//! When the nodes of running jobs are expected to come free.

use crate::allocator::Release;
use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::time::{Span, Time};

/// Running jobs by expected end; ties by slot, which no decision depends on, for all ends of one instant count together.
#[derive(Debug, Default)]
pub struct Releases {
    ends: Vec<(Time, JobSlot)>,
}

impl Releases {
    /// A job was started.
    pub fn insert(&mut self, end: Time, job: JobSlot) {
        let at = self.ends.partition_point(|entry| *entry < (end, job));
        self.ends.insert(at, (end, job));
    }

    /// A job has ended.
    pub fn remove(&mut self, end: Time, job: JobSlot) {
        if let Ok(at) = self.ends.binary_search(&(end, job)) {
            self.ends.remove(at);
        }
    }

    /// The expected ends, ascending. A job that has outlived its estimate may end any moment: one tick from now.
    pub fn upcoming<'a>(&'a self, pass: &'a Pass<'_>) -> impl Iterator<Item = Release<'a>> + 'a {
        let soon = pass.now() + Span::TICK;
        self.ends.iter().map(move |&(end, job)| Release { at: end.max(soon), nodes: pass.placement(job) })
    }

    /// Jobs that have reached or passed their expected end and still run, earliest end first.
    pub fn overdue(&self, now: Time) -> impl Iterator<Item = JobSlot> + '_ {
        self.ends.iter().take_while(move |(end, _)| *end <= now).map(|(_, job)| *job)
    }

    /// Whether any job has outlived its estimate.
    pub fn any_overdue(&self, now: Time) -> bool {
        self.ends.first().is_some_and(|(end, _)| *end <= now)
    }
}
