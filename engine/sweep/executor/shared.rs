//! Workloads shared by the runs that need them, within a memory budget.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a thread that waits for memory looks whether the sweep was stopped.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Takes a lock. A panic while it was held cannot have left the data half changed: what is not ours is called
/// through a guard that catches panics, or before anything is changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What workloads are made of: not asked for, being made, or there.
#[derive(Debug, Default)]
pub(super) struct Source {
    begun: AtomicBool,
    made: AtomicBool,
}

impl Source {
    /// Somebody asks for it from now on.
    pub fn begin(&self) {
        self.begun.store(true, Ordering::Relaxed);
    }

    /// Whether somebody else is making it, so that others would have to wait.
    pub fn is_being_made(&self) -> bool {
        self.begun.load(Ordering::Relaxed) && !self.made.load(Ordering::Relaxed)
    }
}

/// A workload, once for all runs of its group.
#[derive(Debug)]
pub(super) struct Share<W> {
    /// What it is made of; counts as there once one of the workloads made of it is.
    pub source: Arc<Source>,
    /// Whether it is there, or known not to be had.
    settled: AtomicBool,
    /// Nothing before the first run asks; the message where it could not be made.
    made: Mutex<Option<Result<Arc<W>, String>>>,
    /// Bytes it takes of the budget.
    bytes: AtomicUsize,
    /// Runs that still need it.
    left: AtomicUsize,
}

impl<W> Share<W> {
    /// A workload that is not made yet, for so many runs.
    pub fn new(runs: usize, source: Arc<Source>) -> Share<W> {
        Share {
            source,
            settled: AtomicBool::new(false),
            made: Mutex::new(None),
            bytes: AtomicUsize::new(0),
            left: AtomicUsize::new(runs),
        }
    }

    /// Whether it is there, or known not to be had: nobody waits for it.
    pub fn is_settled(&self) -> bool {
        self.settled.load(Ordering::Acquire)
    }

    /// Runs that still need it.
    pub fn left(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }
}

/// The memory that workloads take.
#[derive(Debug)]
pub(super) struct Budget {
    bytes: usize,
    used: Mutex<Used>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct Used {
    bytes: usize,
    workloads: usize,
    /// The largest so far: what the next is expected to take.
    largest: usize,
}

impl Budget {
    /// A budget of so many bytes, of which none is used.
    pub fn new(bytes: usize) -> Budget {
        Budget { bytes, used: Mutex::default(), freed: Condvar::new() }
    }

    /// The workload of a group, made by the first caller while others of the group wait. `None` when the sweep was stopped
    /// before there was memory for it: at least the bytes `foreseen`. Runs whose workload is there must ask before others:
    /// only then will those in memory come to an end while somebody waits for their memory.
    pub fn get<W>(
        &self,
        share: &Share<W>,
        foreseen: usize,
        make: impl FnOnce() -> Result<(W, usize), String>,
        stopped: impl Fn() -> bool,
    ) -> Option<Result<Arc<W>, String>> {
        let mut made = lock(&share.made);
        if let Some(made) = made.as_ref() {
            return Some(made.clone());
        }
        let reserved = self.reserve(foreseen, stopped)?;
        let result = make().map(|(workload, bytes)| {
            share.bytes.store(bytes, Ordering::Relaxed);
            Arc::new(workload)
        });
        self.settle(reserved, share.bytes.load(Ordering::Relaxed));
        let result = made.insert(result).clone();
        share.source.made.store(true, Ordering::Relaxed);
        share.settled.store(true, Ordering::Release);
        Some(result)
    }

    /// One run of the group is over; after the last its workload is dropped.
    pub fn release<W>(&self, share: &Share<W>) {
        if share.left.fetch_sub(1, Ordering::AcqRel) == 1 && lock(&share.made).take().is_some() {
            let mut used = lock(&self.used);
            used.bytes = used.bytes.saturating_sub(share.bytes.load(Ordering::Relaxed));
            used.workloads -= 1;
            self.freed.notify_all();
        }
    }

    /// Waits for room for one more workload of the usual size, or of the size that is foreseen; the first is always let in.
    fn reserve(&self, foreseen: usize, stopped: impl Fn() -> bool) -> Option<usize> {
        let mut used = lock(&self.used);
        while used.workloads > 0 && used.bytes + used.largest.max(foreseen) > self.bytes {
            if stopped() {
                return None;
            }
            used = self.freed.wait_timeout(used, LOOK_UP).unwrap_or_else(PoisonError::into_inner).0;
        }
        let bytes = used.largest.max(foreseen);
        used.workloads += 1;
        used.bytes += bytes;
        Some(bytes)
    }

    fn settle(&self, reserved: usize, bytes: usize) {
        let mut used = lock(&self.used);
        used.bytes = used.bytes.saturating_sub(reserved) + bytes;
        used.largest = used.largest.max(bytes);
        self.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn share(runs: usize) -> Share<u8> {
        Share::new(runs, Arc::default())
    }

    #[test]
    fn a_workload_is_made_once_and_dropped_after_its_last_run() {
        let (budget, share) = (Budget::new(100), share(2));
        assert!(!share.is_settled());
        share.source.begin();
        assert!(share.source.is_being_made());
        let first = budget.get(&share, 0, || Ok((7, 60)), || false).unwrap().unwrap();
        let second = budget.get(&share, 0, || Err("made twice".into()), || false).unwrap().unwrap();
        assert!(Arc::ptr_eq(&first, &second) && share.is_settled() && !share.source.is_being_made());
        let watch = Arc::downgrade(&first);
        drop((first, second));
        budget.release(&share);
        assert!(watch.upgrade().is_some());
        budget.release(&share);
        assert!(watch.upgrade().is_none());
        assert_eq!(lock(&budget.used).bytes, 0);
    }

    #[test]
    fn the_budget_holds_back_the_next_workload_but_never_the_only_one() {
        let budget = Budget::new(100);
        let [first, second, third] = [1, 1, 1].map(share);
        budget.get(&first, 0, || Ok((0, 70)), || false).unwrap().unwrap();
        assert!(budget.get(&second, 0, || Ok((1, 70)), || true).is_none());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| budget.get(&second, 0, || Ok((1, 200)), || false).unwrap().unwrap());
            std::thread::sleep(Duration::from_millis(20));
            assert!(!waiting.is_finished());
            budget.release(&first);
            waiting.join().unwrap();
        });
        assert_eq!(lock(&budget.used).bytes, 200);
        budget.release(&second);
        assert_eq!(*budget.get(&third, 0, || Ok((2, 5)), || true).unwrap().unwrap(), 2);
    }

    #[test]
    fn what_cannot_be_made_stays_so_for_all() {
        let (budget, none) = (Budget::new(0), share(2));
        for _ in 0..2 {
            let made = budget.get(&none, 0, || Err("no log".into()), || false).unwrap();
            assert_eq!((made, none.is_settled()), (Err("no log".to_owned()), true));
            budget.release(&none);
        }
        assert!(budget.get(&share(1), 0, || Ok((1, 1)), || true).unwrap().is_ok());
    }

    #[test]
    fn what_is_foreseen_is_kept_free_while_it_is_made() {
        let (budget, [first, second]) = (Budget::new(100), [1, 1].map(share));
        let make = || {
            assert!(budget.get(&second, 70, || Ok((1, 70)), || true).is_none());
            Ok((0, 20))
        };
        budget.get(&first, 70, make, || false).unwrap().unwrap();
        assert_eq!(lock(&budget.used).bytes, 20);
        assert!(budget.get(&second, 70, || Ok((1, 70)), || true).is_some());
    }
}
