//! When the nodes of running jobs are expected to come free.

use crate::allocator::Release;
use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::time::{Span, Time};

/// Running jobs by expected end; ties by slot, which no decision depends on, for all ends of one instant count together.
///
/// A job is *due* from its expected end on, and *late* once it is known not to have ended then. With one pass per event the
/// two differ: while an instant's events are handled one by one, jobs that are about to end in it are due, but not late.
#[derive(Debug, Default)]
pub struct Releases {
    ends: Vec<(Time, JobSlot)>,
    late: Vec<JobSlot>,
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
        self.late.retain(|late| *late != job);
    }

    /// Takes in which jobs have just turned out to be late.
    pub fn note_late(&mut self, pass: &Pass<'_>) {
        self.late.extend(pass.expired());
    }

    /// The expected ends, ascending. A job that is due may end any moment: one tick from now.
    pub fn upcoming<'a>(&'a self, pass: &'a Pass<'_>) -> impl Iterator<Item = Release<'a>> + 'a {
        let soon = pass.now() + Span::TICK;
        self.ends.iter().map(move |&(end, job)| Release { at: end.max(soon), nodes: pass.placement(job) })
    }

    /// Jobs that are due and still run, earliest end first.
    pub fn due(&self, now: Time) -> impl Iterator<Item = JobSlot> + '_ {
        self.ends.iter().take_while(move |(end, _)| *end <= now).map(|(_, job)| *job)
    }

    /// Whether any job is due.
    pub fn any_due(&self, now: Time) -> bool {
        self.ends.first().is_some_and(|(end, _)| *end <= now)
    }

    /// Jobs that have outlived their estimates, in the order in which that came to light.
    pub fn late(&self) -> &[JobSlot] {
        &self.late
    }
}
