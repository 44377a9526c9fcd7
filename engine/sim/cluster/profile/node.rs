//! Which nodes are free when.

use crate::cluster::node_set::{NodeSet, Placement};
use crate::time::{Span, Time};

/// The set of free nodes as a step function of future time, for allocators that care which nodes a job gets.
///
/// Sets are bit words as in [`NodeSet`]. Intervals [from, to) are clipped to the profile, `to` may be [`Time::NEVER`], and
/// neighbouring steps that are equal are merged, as in [`CountProfile`](super::CountProfile).
///
/// A node is held once or not at all. Holding a node that is held, or releasing one that is free, stops a debug build; in
/// a release build the node is then held, or free, as after any other hold or release. A job that outlives its estimate on
/// nodes promised to another says so with [`seize`](NodeProfile::seize). The words of a machine without such a node are
/// out of bounds.
///
/// Cost, with n steps of w words: [`hold`](NodeProfile::hold) and [`release`](NodeProfile::release) O(n) moves of a few bytes,
/// and O(w) for each of the interval's steps; [`earliest`](NodeProfile::earliest) O(n·w), and two calls of `place` per start
/// that is not ruled out, whatever the length of the windows.
#[derive(Clone, Debug)]
pub struct NodeProfile {
    words: usize,
    all: Vec<u64>,
    /// When each step begins, and where its set is in `sets`, in units of `words`.
    steps: Vec<(Time, u32)>,
    sets: Vec<u64>,
    vacant: Vec<u32>,
    scratch: Window,
}

impl NodeProfile {
    /// The nodes of `all` are free from `now` on.
    pub fn new(all: &NodeSet, now: Time) -> NodeProfile {
        let mut profile = NodeProfile {
            words: all.words().len(),
            all: all.words().to_vec(),
            steps: Vec::new(),
            sets: Vec::new(),
            vacant: Vec::new(),
            scratch: Window::default(),
        };
        profile.reset(now);
        profile
    }

    /// Makes all nodes free from `now` on, which may be any time; keeps the memory.
    pub fn reset(&mut self, now: Time) {
        self.vacant.extend(self.steps.drain(..).map(|(_, slot)| slot));
        let slot = self.take_slot();
        let range = self.range(slot);
        self.sets[range].copy_from_slice(&self.all);
        self.steps.push((now, slot));
    }

    /// The beginning of the profile: the time of the last [`advance`](NodeProfile::advance).
    pub fn start(&self) -> Time {
        self.steps[0].0
    }

    /// Forgets everything before `now`, which must not lie before [`start`](NodeProfile::start).
    pub fn advance(&mut self, now: Time) {
        debug_assert!(now >= self.start(), "the profile begins at {}, after {now}", self.start());
        let keep = self.locate(now);
        self.vacant.extend(self.steps.drain(..keep).map(|(_, slot)| slot));
        self.steps[0].0 = self.steps[0].0.max(now);
    }

    /// Takes `nodes` over [from, to). They must be free throughout.
    pub fn hold(&mut self, from: Time, to: Time, nodes: &Placement) {
        debug_assert!(
            self.pieces(from, to).all(|set| each(nodes, set).all(|(mask, word)| mask & !word == 0)),
            "nodes held from {from} to {to} that are not free throughout"
        );
        self.seize(from, to, nodes);
    }

    /// Takes `nodes` over [from, to), free or not. The profile does not remember that a node was taken twice: one
    /// [`release`](NodeProfile::release) frees it.
    pub fn seize(&mut self, from: Time, to: Time, nodes: &Placement) {
        self.change(from, to, nodes, |word, mask| word & !mask);
    }

    /// Gives `nodes` back over [from, to). They must exist, and be held throughout.
    pub fn release(&mut self, from: Time, to: Time, nodes: &Placement) {
        debug_assert!(
            self.pieces(from, to).all(|set| each(nodes, set).all(|(mask, word)| mask & word == 0)),
            "nodes released from {from} to {to} that are not held throughout"
        );
        debug_assert!(
            each(nodes, &self.all).all(|(mask, word)| mask & !word == 0),
            "no such node to release"
        );
        self.change(from, to, nodes, |word, mask| word | mask);
    }

    /// The nodes free at `time`.
    pub fn free_at(&self, time: Time) -> &[u64] {
        self.set(self.locate(time))
    }

    /// The nodes free over all of [from, to), written to `free`; all nodes for an empty interval.
    pub fn intersection(&self, from: Time, to: Time, free: &mut [u64]) {
        free.copy_from_slice(&self.all);
        for set in self.pieces(from, to) {
            intersect(free, set);
        }
    }

    /// The earliest t ≥ `from` at which `place` accepts the set of nodes free over all of [t, t + duration), and what it
    /// made of it: t is `from` itself or a time at which some node becomes free. `None` if there is no such time. An empty
    /// duration is offered all nodes at `from`.
    ///
    /// `place` must be monotone: a set that contains an accepted one is accepted. That is what makes other starts needless,
    /// and lets a start be ruled out by the nodes free at that moment. `self` is mutable for scratch memory only.
    pub fn earliest<R>(
        &mut self,
        from: Time,
        duration: Span,
        place: impl FnMut(&[u64]) -> Option<R>,
    ) -> Option<(Time, R)> {
        let mut window = std::mem::take(&mut self.scratch);
        let found = self.slide(&mut window, from.max(self.start()), duration, place);
        self.scratch = window;
        found
    }

    /// The number of steps.
    pub fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// The steps in time order: when each begins, and which nodes are free until the next. Neighbours differ.
    pub fn steps(&self) -> impl Iterator<Item = (Time, &[u64])> + '_ {
        self.steps.iter().enumerate().map(|(index, &(time, _))| (time, self.set(index)))
    }

    /// Slides [t, t + duration) over the starts in ascending order.
    fn slide<R>(
        &self,
        window: &mut Window,
        from: Time,
        duration: Span,
        mut place: impl FnMut(&[u64]) -> Option<R>,
    ) -> Option<(Time, R)> {
        if from == Time::NEVER {
            return None;
        }
        if duration <= Span::ZERO {
            return place(&self.all).map(|placed| (from, placed));
        }
        let first = self.locate(from);
        window.restart(first, &self.all);
        for index in first..self.steps.len() {
            let rises = index == first || !is_subset(self.set(index), self.set(index - 1));
            if !rises {
                continue;
            }
            let Some(at_once) = place(self.set(index)) else { continue };
            let start = self.steps[index].0.max(from);
            let end = start.saturating_add(duration);
            let stop = index + self.steps[index..].partition_point(|&(time, _)| time < end);
            if stop == index + 1 {
                return Some((start, at_once));
            }
            if let Some(placed) = place(window.intersection(self, index, stop)) {
                return Some((start, placed));
            }
        }
        None
    }

    fn locate(&self, time: Time) -> usize {
        self.steps.partition_point(|&(begin, _)| begin <= time).saturating_sub(1)
    }

    fn range(&self, slot: u32) -> std::ops::Range<usize> {
        let start = slot as usize * self.words;
        start..start + self.words
    }

    fn set(&self, index: usize) -> &[u64] {
        &self.sets[self.range(self.steps[index].1)]
    }

    /// The sets of the steps that [from, to) meets.
    fn pieces(&self, from: Time, to: Time) -> impl Iterator<Item = &[u64]> + '_ {
        let from = from.max(self.start());
        let first = self.locate(from);
        let stop = if from < to { self.steps.partition_point(|&(begin, _)| begin < to) } else { first };
        (first..stop).map(|index| self.set(index))
    }

    fn change(&mut self, from: Time, to: Time, nodes: &Placement, change: impl Fn(u64, u64) -> u64) {
        let from = from.max(self.start());
        if from >= to || nodes.is_empty() {
            return;
        }
        let first = self.cut(from);
        let stop = if to == Time::NEVER { self.steps.len() } else { self.cut(to) };
        for &(_, slot) in &self.steps[first..stop] {
            let range = self.range(slot);
            let set = &mut self.sets[range];
            for &(word, mask) in nodes.words() {
                set[word as usize] = change(set[word as usize], mask);
            }
        }
        self.merge(first, stop);
    }

    /// Makes `time` the beginning of a step.
    fn cut(&mut self, time: Time) -> usize {
        let index = self.locate(time);
        if self.steps[index].0 == time {
            return index;
        }
        let slot = self.take_slot();
        let source = self.range(self.steps[index].1);
        self.sets.copy_within(source, slot as usize * self.words);
        self.steps.insert(index + 1, (time, slot));
        index + 1
    }

    /// Removes the steps from `first` to `last`, both included, that repeat their predecessors. Within a range that was
    /// seized, neighbours that differed may have become equal, so its ends are not enough.
    fn merge(&mut self, first: usize, last: usize) {
        let mut index = first.max(1);
        let mut left = (last + 1).min(self.steps.len()).saturating_sub(index);
        while left > 0 {
            if self.set(index) == self.set(index - 1) {
                let (_, slot) = self.steps.remove(index);
                self.vacant.push(slot);
            } else {
                index += 1;
            }
            left -= 1;
        }
    }

    fn take_slot(&mut self) -> u32 {
        self.vacant.pop().unwrap_or_else(|| {
            let slot = self.sets.len() / self.words.max(1);
            self.sets.resize(self.sets.len() + self.words, 0);
            slot as u32
        })
    }
}

/// The intersection of the steps of a window whose ends only move forward: suffix intersections up to `middle`, computed
/// once when the window has left all earlier ones, and a running intersection from `middle` on. Each step is
/// intersected twice at most, whatever the length of the windows.
#[derive(Clone, Debug, Default)]
struct Window {
    /// The intersections of [index, middle) for index from `middle` − 1 down to where the window began then.
    suffixes: Vec<u64>,
    middle: usize,
    /// The intersection of [middle, stop).
    running: Vec<u64>,
    stop: usize,
    result: Vec<u64>,
}

impl Window {
    fn restart(&mut self, first: usize, all: &[u64]) {
        self.suffixes.clear();
        self.running.clear();
        self.running.extend_from_slice(all);
        (self.middle, self.stop) = (first, first);
    }

    /// The intersection of the non-empty window [start, stop) of steps.
    fn intersection(&mut self, profile: &NodeProfile, start: usize, stop: usize) -> &[u64] {
        if start >= self.middle {
            self.turn(profile, start, stop);
        } else {
            self.extend(profile, stop);
        }
        self.result.clear();
        self.result.extend_from_slice(&self.running);
        if start < self.middle {
            let at = (self.middle - 1 - start) * profile.words;
            intersect(&mut self.result, &self.suffixes[at..at + profile.words]);
        }
        &self.result
    }

    /// Starts anew: all of [start, stop) becomes suffixes.
    fn turn(&mut self, profile: &NodeProfile, start: usize, stop: usize) {
        let mut set = std::mem::take(&mut self.result);
        set.clear();
        set.extend_from_slice(&profile.all);
        self.suffixes.clear();
        for index in (start..stop).rev() {
            intersect(&mut set, profile.set(index));
            self.suffixes.extend_from_slice(&set);
        }
        self.running.clear();
        self.running.extend_from_slice(&profile.all);
        (self.middle, self.stop) = (stop, stop);
        self.result = set;
    }

    fn extend(&mut self, profile: &NodeProfile, stop: usize) {
        for index in self.stop..stop {
            intersect(&mut self.running, profile.set(index));
        }
        self.stop = self.stop.max(stop);
    }
}

/// The words that `nodes` has members in: its own mask and the word of `set`.
fn each<'a>(nodes: &'a Placement, set: &'a [u64]) -> impl Iterator<Item = (u64, u64)> + 'a {
    nodes.words().iter().map(|&(word, mask)| (mask, set[word as usize]))
}

fn intersect(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(a, b)| *a &= b);
}

fn is_subset(set: &[u64], of: &[u64]) -> bool {
    set.iter().zip(of).all(|(a, b)| a & !b == 0)
}
