//! The line of runs from which workers take the next.

use super::backlog::{Backlog, Take};
use super::order::Entry;
use super::shared::{Share, lock};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// The next run of a worker.
#[derive(Debug)]
pub(super) struct Step<W> {
    /// Which run.
    pub entry: Entry,
    /// Its jobs.
    pub share: Arc<Share<W>>,
    /// Whether no other run is to be in flight, because with others it took too much memory.
    pub alone: bool,
}

/// What a worker is to do next.
#[derive(Debug)]
pub(super) enum Next<W> {
    /// This run.
    Step(Step<W>),
    /// Bring more from the backlog.
    Refill,
    /// Wait: a run that must be alone is in flight or waits for the others.
    Wait,
    /// Nothing.
    Over,
}

/// The line of runs.
#[derive(Debug)]
pub(super) struct Queue<W>(Mutex<State<W>>);

#[derive(Debug)]
struct State<W> {
    ready: VecDeque<Step<W>>,
    backlog: Backlog,
    alone: Vec<Entry>,
    in_flight: usize,
    /// Whether the run in flight must be the only one.
    exclusive: bool,
}

impl<W> Queue<W> {
    /// A line that is filled from `backlog`.
    pub fn new(backlog: Backlog) -> Queue<W> {
        let (ready, alone) = (VecDeque::new(), Vec::new());
        Queue(Mutex::new(State { ready, backlog, alone, in_flight: 0, exclusive: false }))
    }

    /// The next run, which is in flight from now on.
    pub fn next(&self) -> Next<W> {
        let mut state = lock(&self.0);
        if state.exclusive {
            return Next::Wait;
        }
        if let Some(step) = state.ready.pop_front() {
            state.in_flight += 1;
            return Next::Step(step);
        }
        if state.backlog.len() > 0 {
            return Next::Refill;
        }
        match state.alone.pop() {
            None => Next::Over,
            Some(entry) if state.in_flight > 0 => {
                state.alone.push(entry);
                Next::Wait
            }
            Some(entry) => {
                (state.in_flight, state.exclusive) = (1, true);
                Next::Step(Step { entry, share: Arc::new(Share::new(1)), alone: true })
            }
        }
    }

    /// A run is no longer in flight. With `again`, it is to be tried once more, alone, after all others.
    pub fn finish(&self, step: &Step<W>, again: bool) {
        let mut state = lock(&self.0);
        state.in_flight -= 1;
        state.exclusive &= !step.alone;
        if again {
            state.alone.push(step.entry);
        }
    }

    /// Brings runs from the backlog, if none are ready.
    pub fn fill(&self, take: Take) {
        let mut state = lock(&self.0);
        if state.ready.is_empty() {
            let entries = state.backlog.take(take);
            for group in entries.chunk_by(|a, b| a.group == b.group) {
                let share = Arc::new(Share::new(group.len()));
                let step = |entry: &Entry| Step { entry: *entry, share: Arc::clone(&share), alone: false };
                state.ready.extend(group.iter().map(step));
            }
        }
    }

    /// Takes out the runs that others have done, begun ones excepted. Their shares must be released.
    pub fn forget(&self, mut done: impl FnMut(&Entry) -> bool) -> (Vec<Step<W>>, Vec<Entry>) {
        let mut state = lock(&self.0);
        let (gone, ready) = state.ready.drain(..).partition(|step| done(&step.entry));
        state.ready = ready;
        (Vec::from(gone), state.backlog.forget(done))
    }

    /// Puts the runs that are not begun back, for another choice. Their shares must be released.
    pub fn put_back(&self) -> Vec<Step<W>> {
        let mut state = lock(&self.0);
        let steps: Vec<Step<W>> = state.ready.drain(..).collect();
        state.backlog.put_back(steps.iter().map(|step| step.entry).collect());
        steps
    }

    /// Runs that are not begun and not ready, and whether they are all of other shards.
    pub fn behind(&self) -> (usize, bool) {
        let state = lock(&self.0);
        (state.backlog.len(), state.backlog.is_of_others())
    }

    /// Whether a worker would find a run.
    pub fn is_ready(&self) -> bool {
        !lock(&self.0).ready.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(tasks: usize) -> Queue<u8> {
        let entries =
            (0..tasks).map(|task| Entry { task, group: task / 2, rank_s: 1.0, known: true, level: 0 });
        Queue::new(Backlog::new(entries.collect(), Vec::new(), 0))
    }

    const ALL: Take = Take { runs: 100, whole_groups: true, scattered: false };

    fn step(queue: &Queue<u8>) -> Step<u8> {
        match queue.next() {
            Next::Step(step) => step,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_run_that_needs_the_memory_comes_last_and_alone() {
        let queue = queue(3);
        assert!(matches!(queue.next(), Next::Refill));
        queue.fill(ALL);
        let (first, second, third) = (step(&queue), step(&queue), step(&queue));
        assert!(Arc::ptr_eq(&first.share, &second.share) && !Arc::ptr_eq(&first.share, &third.share));
        queue.finish(&first, true);
        queue.finish(&second, false);
        assert!(matches!(queue.next(), Next::Wait));
        queue.finish(&third, false);
        let again = step(&queue);
        assert!(again.alone && again.entry.task == 0 && !Arc::ptr_eq(&first.share, &again.share));
        assert!(matches!(queue.next(), Next::Wait));
        queue.finish(&again, false);
        assert!(matches!(queue.next(), Next::Over));
    }

    #[test]
    fn what_others_have_done_is_not_begun() {
        let queue = queue(6);
        queue.fill(Take { runs: 4, ..ALL });
        let first = step(&queue);
        let (ready, behind) = queue.forget(|entry| entry.task % 2 == 0);
        assert_eq!(ready.iter().map(|step| step.entry.task).collect::<Vec<_>>(), [2]);
        assert_eq!(behind.iter().map(|entry| entry.task).collect::<Vec<_>>(), [4]);
        assert_eq!((queue.put_back().len(), queue.behind()), (2, (3, false)));
        queue.fill(ALL);
        assert_eq!([step(&queue), step(&queue), step(&queue)].map(|step| step.entry.task), [1, 3, 5]);
        queue.finish(&first, false);
        assert_eq!(lock(&queue.0).in_flight, 3);
        assert!(matches!(queue.next(), Next::Over));
    }
}
