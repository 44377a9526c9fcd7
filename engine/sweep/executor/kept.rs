//! Workloads that are kept for the runs that make others of them.

use super::shared::lock;
use sim::Job;
use std::sync::{Arc, Mutex};
use workload::Workload;

/// Memory that workloads kept for further transforms may take, in bytes; the last one is always kept.
const KEPT_BYTES: usize = 256 << 20;
/// Failures and small workloads take no room to speak of, but looking through them takes time.
const MOST: usize = 64;

/// A workload, or why there is none.
pub(super) type Made = Result<Arc<Workload>, String>;

/// Workloads by what identifies them, the one used last at the end.
#[derive(Debug, Default)]
pub(super) struct KeptWorkloads(Mutex<Vec<Kept>>);

#[derive(Clone, Debug)]
struct Kept {
    id: String,
    /// Nothing while the first that needs it makes it.
    made: Arc<Mutex<Option<Made>>>,
}

impl KeptWorkloads {
    /// The workload of this name, made by the first caller while others wait.
    pub fn get(&self, id: String, make: impl FnOnce() -> Made) -> Made {
        let kept = {
            let mut all = lock(&self.0);
            let known = all.iter().position(|kept| kept.id == id).map(|at| all.remove(at));
            let kept = known.unwrap_or_else(|| Kept { id, made: Arc::default() });
            all.push(kept.clone());
            kept
        };
        let made = lock(&kept.made).get_or_insert_with(make).clone();
        self.forget_old();
        made
    }

    /// Drops the workloads used longest ago until the rest fits. One that is being made counts nothing yet.
    fn forget_old(&self) {
        let mut all = lock(&self.0);
        let bytes = |kept: &Kept| match kept.made.try_lock().as_deref() {
            Ok(Some(Ok(workload))) => size(workload),
            _ => 0,
        };
        while all.len() > 1 && all.iter().map(bytes).sum::<usize>() > KEPT_BYTES {
            all.remove(0);
        }
        let excess = all.len().saturating_sub(MOST);
        all.drain(..excess);
    }

    /// Drops all.
    pub fn forget(&self) {
        lock(&self.0).clear();
    }

    #[cfg(test)]
    pub fn len(&self) -> usize {
        lock(&self.0).len()
    }
}

/// Memory that a workload takes, in bytes.
pub(super) fn size(workload: &Workload) -> usize {
    workload.jobs.capacity() * size_of::<Job>()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::cell::RefCell;

    fn workload(jobs: usize) -> Made {
        let header = Vec::new();
        let (jobs, cleaning) = (Vec::with_capacity(jobs), Default::default());
        Ok(Arc::new(Workload { jobs, offered_load: 0.0, cleaning, header }))
    }

    /// Which of the names are made anew when they are asked for in this order, each of so many jobs.
    fn made(names: &[&str], jobs: usize) -> Vec<String> {
        let (kept, made) = (KeptWorkloads::default(), RefCell::new(Vec::new()));
        for name in names {
            let make = || {
                made.borrow_mut().push((*name).to_owned());
                workload(jobs)
            };
            assert_eq!(size(&kept.get((*name).to_owned(), make).unwrap()), jobs * size_of::<Job>());
        }
        made.into_inner()
    }

    #[test]
    fn each_is_made_once_while_there_is_room() {
        assert_eq!(made(&["a", "b", "a", "b", "a"], 10), ["a", "b"]);
        let half = KEPT_BYTES / 2 / size_of::<Job>();
        assert_eq!(made(&["a", "b", "a", "c", "a", "b"], half), ["a", "b", "c", "b"]);
        // One that has no room at all is kept until the next comes.
        assert_eq!(made(&["a", "a", "b", "a"], 3 * half), ["a", "b", "a"]);
    }

    #[test]
    fn failures_are_kept_and_few_of_them() {
        let kept = KeptWorkloads::default();
        for number in 0..2 * MOST {
            assert!(kept.get(number.to_string(), || Err("no".to_owned())).is_err());
        }
        assert_eq!(kept.len(), MOST);
        assert!(kept.get((2 * MOST - 1).to_string(), || workload(1)).is_err());
        kept.forget();
        assert!(kept.get((2 * MOST - 1).to_string(), || workload(1)).is_ok());
    }
}
