//! The line of runs from which workers take the next.

use super::backlog::{Backlog, Take};
use super::order::Entry;
use super::shared::{Share, Source, lock};
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
    ready: Ready<W>,
    backlog: Backlog,
    alone: Vec<Entry>,
    in_flight: usize,
    /// Whether the run in flight must be the only one.
    exclusive: bool,
}

impl<W> Queue<W> {
    /// A line that is filled from `backlog`.
    pub fn new(backlog: Backlog) -> Queue<W> {
        let (ready, alone) = (Ready::default(), Vec::new());
        Queue(Mutex::new(State { ready, backlog, alone, in_flight: 0, exclusive: false }))
    }

    /// The next run, which is in flight from now on.
    pub fn next(&self) -> Next<W> {
        let mut state = lock(&self.0);
        if state.exclusive {
            return Next::Wait;
        }
        if let Some(step) = state.ready.take() {
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
                Next::Step(Step { entry, share: Arc::new(Share::new(1, Arc::default())), alone: true })
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
            state.ready.add(&entries);
        }
    }

    /// Takes out the runs that others have done, begun ones excepted. Their shares must be released.
    pub fn forget(&self, mut done: impl FnMut(&Entry) -> bool) -> (Vec<Step<W>>, Vec<Entry>) {
        let mut state = lock(&self.0);
        (state.ready.remove(&mut done), state.backlog.forget(done))
    }

    /// Puts the runs that are not begun back, for another choice. Their shares must be released.
    pub fn put_back(&self) -> Vec<Step<W>> {
        let mut state = lock(&self.0);
        let steps = state.ready.remove(|_| true);
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

/// Runs that can be begun, by workload. A worker does not wait for a workload that another makes while there is something
/// else to do.
#[derive(Debug)]
struct Ready<W> {
    /// Those whose workload somebody has begun to make, in the order of their beginning.
    begun: Vec<Group<W>>,
    fresh: VecDeque<Group<W>>,
    /// The source of the last group that came: the next to come may have the same.
    last: Option<(usize, Arc<Source>)>,
}

/// Runs that share a workload; never empty.
#[derive(Debug)]
struct Group<W> {
    share: Arc<Share<W>>,
    entries: VecDeque<Entry>,
}

impl<W> Default for Ready<W> {
    fn default() -> Self {
        Ready { begun: Vec::new(), fresh: VecDeque::new(), last: None }
    }
}

impl<W> Ready<W> {
    fn is_empty(&self) -> bool {
        self.begun.is_empty() && self.fresh.is_empty()
    }

    fn add(&mut self, entries: &[Entry]) {
        for group in entries.chunk_by(|a, b| a.group == b.group) {
            let source = match &self.last {
                Some((number, source)) if *number == group[0].source => Arc::clone(source),
                _ => Arc::default(),
            };
            self.last = Some((group[0].source, Arc::clone(&source)));
            let share = Arc::new(Share::new(group.len(), source));
            self.fresh.push_back(Group { share, entries: group.iter().copied().collect() });
        }
    }

    /// The next run: of the first workload that is there, else of the first whose making waits for nobody, else of the first.
    fn take(&mut self) -> Option<Step<W>> {
        let at = self.begun.iter().position(|group| group.share.is_settled());
        let at = at.or_else(|| self.begin()).or((!self.begun.is_empty()).then_some(0))?;
        let group = &mut self.begun[at];
        let entry = group.entries.pop_front()?;
        let step = Step { entry, share: Arc::clone(&group.share), alone: false };
        if group.entries.is_empty() {
            self.begun.remove(at);
        }
        Some(step)
    }

    /// Moves a group to those begun, if that makes sense, and says where it is now.
    fn begin(&mut self) -> Option<usize> {
        let first = self.fresh.iter().position(|group| !group.share.source.is_being_made());
        let first = first.or(self.begun.is_empty().then_some(0))?;
        let group = self.fresh.remove(first)?;
        group.share.source.begin();
        self.begun.push(group);
        Some(self.begun.len() - 1)
    }

    /// Takes out the runs for which `done` says so.
    fn remove(&mut self, mut done: impl FnMut(&Entry) -> bool) -> Vec<Step<W>> {
        let mut gone = Vec::new();
        let mut keep = |group: &mut Group<W>| {
            group.entries.retain(|entry| {
                let done = done(entry);
                if done {
                    gone.push(Step { entry: *entry, share: Arc::clone(&group.share), alone: false });
                }
                !done
            });
            !group.entries.is_empty()
        };
        self.begun.retain_mut(&mut keep);
        self.fresh.retain_mut(keep);
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::super::shared::Budget;
    use super::*;

    fn queue(tasks: usize) -> Queue<u8> {
        let entries = (0..tasks).map(|task| Entry {
            task,
            group: task / 2,
            source: task / 4,
            class: 0,
            policy: 0,
            rank_s: 1.0,
            known: true,
            level: 0,
        });
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
    fn nobody_waits_for_a_workload_while_there_is_something_else() {
        // Groups of two runs, sources of two groups.
        let (queue, budget) = (queue(12), Budget::new(100));
        let make = |step: &Step<u8>| {
            assert!(budget.get(&step.share, 0, || Ok((0, 1)), || false).is_some_and(|made| made.is_ok()));
        };
        queue.fill(ALL);
        let (first, second, third) = (step(&queue), step(&queue), step(&queue));
        assert_eq!([&first, &second, &third].map(|step| step.entry.task), [0, 4, 8]);
        make(&second);
        let on_what_is_there = step(&queue);
        assert!(Arc::ptr_eq(&second.share, &on_what_is_there.share));
        // The second source is there now, the first and third are not.
        let on_its_source = step(&queue);
        assert_eq!([&on_what_is_there, &on_its_source].map(|step| step.entry.task), [5, 6]);
        // Nothing is left that would not wait.
        assert_eq!(step(&queue).entry.task, 1);
        make(&third);
        assert_eq!([step(&queue), step(&queue), step(&queue)].map(|step| step.entry.task), [9, 10, 7]);
        assert_eq!([step(&queue), step(&queue), step(&queue)].map(|step| step.entry.task), [11, 2, 3]);
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
        // The source of the first run is being made, for all that is known.
        assert_eq!([step(&queue), step(&queue), step(&queue)].map(|step| step.entry.task), [5, 1, 3]);
        queue.finish(&first, false);
        assert_eq!(lock(&queue.0).in_flight, 3);
        assert!(matches!(queue.next(), Next::Over));
    }
}
