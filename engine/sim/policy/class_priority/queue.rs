//! The waiting jobs by class.

use crate::job::JobSlot;
use crate::policy::job_classes::Kind;
use crate::time::Time;

/// A waiting job.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The job.
    pub job: JobSlot,
    /// Its place in arrival order.
    pub arrival: u64,
    /// Its classes.
    pub kind: Kind,
    /// Requested processors.
    pub processors: u32,
    /// Requested memory in kilobytes.
    pub kb: u64,
    /// From when on a host is drained for it.
    pub due: Time,
}

/// A list per size class and time class, each in arrival order.
#[derive(Debug)]
pub struct Queue {
    times: usize,
    lists: Vec<Vec<Waiting>>,
}

impl Queue {
    /// Nobody waits.
    pub fn new(sizes: usize, times: usize) -> Queue {
        Queue { times, lists: vec![Vec::new(); sizes * times] }
    }

    /// The jobs of these classes.
    pub fn of(&self, kind: Kind) -> &[Waiting] {
        &self.lists[kind.size * self.times + kind.time]
    }

    /// A job waits from now on; it arrived after those that wait already.
    pub fn push(&mut self, waiting: Waiting) {
        self.lists[waiting.kind.size * self.times + waiting.kind.time].push(waiting);
    }

    /// A job waits no longer.
    pub fn remove(&mut self, waiting: &Waiting) {
        let list = &mut self.lists[waiting.kind.size * self.times + waiting.kind.time];
        if let Ok(at) = list.binary_search_by_key(&waiting.arrival, |other| other.arrival) {
            list.remove(at);
        }
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.lists.iter().all(Vec::is_empty)
    }

    /// Those whose time to get a host of their own has come, in arrival order.
    pub fn overdue(&self, now: Time) -> Vec<Waiting> {
        // All jobs of a list wait equally long until then.
        let overdue = |list: &[Waiting]| list.partition_point(|waiting| waiting.due <= now);
        let mut found: Vec<Waiting> =
            self.lists.iter().flat_map(|list| &list[..overdue(list)]).copied().collect();
        found.sort_unstable_by_key(|waiting| waiting.arrival);
        found
    }
}
