//! Workloads shared by the runs that need them, within a memory budget.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often a thread that waits for memory looks whether the sweep was stopped.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Takes a lock. A panic while it was held cannot have left the data half changed: what is not ours is called
/// through a guard that catches panics, or before anything is changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A workload, once for all runs of its group.
struct Slot<W> {
    /// Nothing before the first run asks; the message where it could not be made.
    made: Mutex<Option<Result<Arc<W>, String>>>,
    /// Bytes it takes of the budget.
    bytes: AtomicUsize,
    /// Runs that still need it.
    left: AtomicUsize,
}

/// The workloads in memory.
pub(super) struct Workloads<W> {
    slots: Vec<Slot<W>>,
    budget: usize,
    used: Mutex<Used>,
    freed: Condvar,
}

#[derive(Default)]
struct Used {
    bytes: usize,
    workloads: usize,
    /// The largest so far: what the next is expected to take.
    largest: usize,
}

impl<W> Workloads<W> {
    /// Slots for groups of so many runs each, none made yet.
    pub fn new(groups: &[usize], budget: usize) -> Workloads<W> {
        let slot = |left: &usize| Slot {
            made: Mutex::new(None),
            bytes: AtomicUsize::new(0),
            left: AtomicUsize::new(*left),
        };
        Workloads {
            slots: groups.iter().map(slot).collect(),
            budget,
            used: Mutex::default(),
            freed: Condvar::new(),
        }
    }

    /// The workload of a group, made by the first caller while others of the group wait. `None` when the sweep was stopped
    /// before there was memory for it. Groups must be asked for in order: only then will those in memory come to an end.
    pub fn get(
        &self,
        group: usize,
        make: impl FnOnce() -> Result<(W, usize), String>,
        stopped: impl Fn() -> bool,
    ) -> Option<Result<Arc<W>, String>> {
        let slot = &self.slots[group];
        let mut made = lock(&slot.made);
        if let Some(made) = made.as_ref() {
            return Some(made.clone());
        }
        let reserved = self.reserve(stopped)?;
        let result = make().map(|(workload, bytes)| {
            slot.bytes.store(bytes, Ordering::Relaxed);
            Arc::new(workload)
        });
        self.settle(reserved, slot.bytes.load(Ordering::Relaxed));
        Some(made.insert(result).clone())
    }

    /// One run of the group is over; after the last its workload is dropped.
    pub fn release(&self, group: usize) {
        let slot = &self.slots[group];
        if slot.left.fetch_sub(1, Ordering::AcqRel) == 1 && lock(&slot.made).take().is_some() {
            let mut used = lock(&self.used);
            used.bytes = used.bytes.saturating_sub(slot.bytes.load(Ordering::Relaxed));
            used.workloads -= 1;
            self.freed.notify_all();
        }
    }

    /// Waits for room for one more workload of the usual size; the first is always let in.
    fn reserve(&self, stopped: impl Fn() -> bool) -> Option<usize> {
        let mut used = lock(&self.used);
        while used.workloads > 0 && used.bytes + used.largest > self.budget {
            if stopped() {
                return None;
            }
            used = self.freed.wait_timeout(used, LOOK_UP).unwrap_or_else(PoisonError::into_inner).0;
        }
        used.workloads += 1;
        used.bytes += used.largest;
        Some(used.largest)
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

    #[test]
    fn a_workload_is_made_once_and_dropped_after_its_last_run() {
        let workloads = Workloads::<u8>::new(&[2], 100);
        let first = workloads.get(0, || Ok((7, 60)), || false).unwrap().unwrap();
        let second = workloads.get(0, || Err("made twice".into()), || false).unwrap().unwrap();
        assert!(Arc::ptr_eq(&first, &second));
        let watch = Arc::downgrade(&first);
        drop((first, second));
        workloads.release(0);
        assert!(watch.upgrade().is_some());
        workloads.release(0);
        assert!(watch.upgrade().is_none());
        assert_eq!(lock(&workloads.used).bytes, 0);
    }

    #[test]
    fn the_budget_holds_back_the_next_workload_but_never_the_only_one() {
        let workloads = Workloads::<u8>::new(&[1, 1, 1], 100);
        workloads.get(0, || Ok((0, 70)), || false).unwrap().unwrap();
        assert!(workloads.get(1, || Ok((1, 70)), || true).is_none());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| workloads.get(1, || Ok((1, 200)), || false).unwrap().unwrap());
            std::thread::sleep(Duration::from_millis(20));
            assert!(!waiting.is_finished());
            workloads.release(0);
            waiting.join().unwrap();
        });
        assert_eq!(lock(&workloads.used).bytes, 200);
        workloads.release(1);
        assert_eq!(*workloads.get(2, || Ok((2, 5)), || true).unwrap().unwrap(), 2);
    }

    #[test]
    fn what_cannot_be_made_stays_so_for_all() {
        let workloads = Workloads::<u8>::new(&[2, 1], 0);
        for _ in 0..2 {
            assert_eq!(
                workloads.get(0, || Err("no log".into()), || false).unwrap(),
                Err("no log".to_owned())
            );
            workloads.release(0);
        }
        assert!(workloads.get(1, || Ok((1, 1)), || true).unwrap().is_ok());
    }
}
