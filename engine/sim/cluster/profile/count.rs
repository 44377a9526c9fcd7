//! How many nodes are free when.

use super::steps::{At, Steps};
use crate::time::{Span, Time};

/// The number of free nodes as a step function of future time.
///
/// Running jobs and reservations [`hold`](CountProfile::hold) nodes over an interval [from, to) and
/// [`release`](CountProfile::release) them again; `to` may be [`Time::NEVER`]. Neighbouring steps that are equal are
/// merged, so there are at most two steps per interval held, plus one.
///
/// Intervals are clipped to the profile: what lies before the last [`advance`](CountProfile::advance) is ignored, an
/// empty interval changes nothing, and a question about the past is answered from the beginning of the profile.
///
/// Counts are signed 64-bit numbers. Holding more than is free is a mistake of the caller and stops a debug build, unless
/// it is said with [`overcommit`](CountProfile::overcommit); a release build counts on, below zero, and every question
/// stays well defined: less than nothing is simply not enough for any job.
///
/// Cost, with n steps: [`hold`](CountProfile::hold) and [`release`](CountProfile::release) O(√n) with a small constant (a
/// block of 64 steps at each end, one addition per block between them); [`earliest`](CountProfile::earliest) skips whole
/// blocks and whole windows that cannot fit; no allocation once the profile has had its size.
#[derive(Debug)]
pub struct CountProfile {
    nodes: i64,
    steps: Steps,
}

impl Clone for CountProfile {
    fn clone(&self) -> CountProfile {
        CountProfile { nodes: self.nodes, steps: self.steps.clone() }
    }

    /// Copies without allocating if `self` has been as large before.
    fn clone_from(&mut self, source: &CountProfile) {
        self.nodes = source.nodes;
        self.steps.clone_from(&source.steps);
    }
}

impl CountProfile {
    /// All `nodes` are free from `now` on.
    pub fn new(nodes: u32, now: Time) -> CountProfile {
        let nodes = i64::from(nodes);
        CountProfile { nodes, steps: Steps::new(now, nodes) }
    }

    /// Makes all nodes free from `now` on, which may be any time; keeps the memory.
    pub fn reset(&mut self, now: Time) {
        self.steps.reset(now, self.nodes);
    }

    /// The beginning of the profile: the time of the last [`advance`](CountProfile::advance).
    pub fn start(&self) -> Time {
        self.steps.start()
    }

    /// Forgets everything before `now`. Time does not run backwards: an earlier `now` is a mistake of the caller, and
    /// changes nothing in a release build.
    pub fn advance(&mut self, now: Time) {
        debug_assert!(now >= self.start(), "the profile begins at {}, after {now}", self.start());
        if now > self.start() {
            self.steps.forget_before(now);
        }
    }

    /// Takes `count` nodes over [from, to). They must be free; see [`overcommit`](CountProfile::overcommit).
    pub fn hold(&mut self, from: Time, to: Time, count: u32) {
        debug_assert!(
            self.fits(from, to, count),
            "{count} nodes held from {from} to {to}, but only {} are free throughout",
            self.least(from, to)
        );
        self.add(from, to, -i64::from(count));
    }

    /// Takes `count` nodes over [from, to) even if fewer are free, as when a job outlives its estimate on nodes that are
    /// promised to another. The count may fall below zero, until the excess is released.
    pub fn overcommit(&mut self, from: Time, to: Time, count: u32) {
        self.add(from, to, -i64::from(count));
    }

    /// Gives `count` nodes back over [from, to). They must have been held: a count above the machine's is a mistake of
    /// the caller and stops a debug build.
    pub fn release(&mut self, from: Time, to: Time, count: u32) {
        self.add(from, to, i64::from(count));
        debug_assert!(
            self.most(from, to) <= self.nodes,
            "{count} nodes released from {from} to {to} that were not all held"
        );
    }

    /// Free nodes at `time`; below zero while over-committed.
    pub fn available_at(&self, time: Time) -> i64 {
        self.steps.free(self.steps.locate(time))
    }

    /// The fewest free nodes at any time of [from, to); [`i64::MAX`] for an empty interval.
    pub fn least(&self, from: Time, to: Time) -> i64 {
        self.range(from, to).map_or(i64::MAX, |(first, last)| self.steps.extremes(first, last).0)
    }

    /// The most free nodes at any time of [from, to); [`i64::MIN`] for an empty interval.
    pub fn most(&self, from: Time, to: Time) -> i64 {
        self.range(from, to).map_or(i64::MIN, |(first, last)| self.steps.extremes(first, last).1)
    }

    /// Whether at least `count` nodes are free over all of [from, to).
    pub fn fits(&self, from: Time, to: Time, count: u32) -> bool {
        self.range(from, to)
            .is_none_or(|(first, last)| self.steps.last_below(first, last, i64::from(count)).is_none())
    }

    /// The earliest t ≥ `from` with at least `count` nodes free over all of [t, t + duration): `from` itself or a time at
    /// which nodes become free. [`Time::NEVER`] if there is none, which means that fewer than `count` are free for ever.
    /// An empty duration fits everywhere.
    pub fn earliest(&self, from: Time, duration: Span, count: u32) -> Time {
        self.earliest_before(from, Time::NEVER, duration, count).unwrap_or(Time::NEVER)
    }

    /// The earliest t with `from` ≤ t < `limit` and at least `count` nodes free over all of [t, t + duration), where
    /// everything from `limit` on counts as free.
    ///
    /// This is the question of a job that already holds a reservation of `count` nodes over [limit, limit + duration)
    /// and may move up: its own nodes count as free to it from `limit` on, so the reservation need not be lifted to ask.
    pub fn earliest_before(&self, from: Time, limit: Time, duration: Span, count: u32) -> Option<Time> {
        let from = from.max(self.start());
        if from >= limit {
            return None;
        }
        if duration <= Span::ZERO {
            return Some(from);
        }
        let count = i64::from(count);
        let steps = &self.steps;
        // Every step from `known` back to the start has enough. A window is searched from its end: the last step that has
        // too little rules out every start before its end, so many small holes cost one look.
        let mut known = steps.first_at_least(steps.locate(from), count)?;
        let mut start = steps.time(known).max(from);
        while start < limit {
            let end = start.saturating_add(duration).min(limit);
            let last = steps.last_before(known, end);
            let Some(obstacle) = steps.last_below(known, last, count) else { return Some(start) };
            if obstacle == last {
                known = steps.first_at_least(obstacle, count)?;
                start = steps.time(known);
            } else {
                known = last;
                start = steps.time(steps.next(obstacle)?);
            }
        }
        None
    }

    /// The first time from `from` on at which fewer than `count` nodes are free; [`Time::NEVER`] if there is none. A job
    /// of `count` nodes may run from `from` until then.
    pub fn drops_below(&self, from: Time, count: u32) -> Time {
        let found = self.steps.first_below(self.steps.locate(from), i64::from(count));
        found.map_or(Time::NEVER, |at| self.steps.time(at).max(from).max(self.start()))
    }

    /// The first time from `from` on at which at least `count` nodes are free; [`Time::NEVER`] if there is none.
    pub fn rises_to(&self, from: Time, count: u32) -> Time {
        let found = self.steps.first_at_least(self.steps.locate(from), i64::from(count));
        found.map_or(Time::NEVER, |at| self.steps.time(at).max(from).max(self.start()))
    }

    /// The number of steps.
    pub fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// The steps in time order: when each begins, and what is free until the next. Neighbours differ.
    pub fn steps(&self) -> impl Iterator<Item = (Time, i64)> + '_ {
        self.steps.iter()
    }

    /// Free nodes just before `time`; those at the beginning of the profile if it lies later.
    pub fn available_before(&self, time: Time) -> i64 {
        self.available_at(Time(time.0.saturating_sub(1)))
    }

    /// What is free at `time`, the steps behind the one in force then, and that one and those before it, last first.
    pub(super) fn around(
        &self,
        time: Time,
    ) -> (i64, impl Iterator<Item = (Time, i64)>, impl Iterator<Item = (Time, i64)>) {
        let steps = &self.steps;
        let step = |at: At| (steps.time(at), steps.free(at));
        let here = steps.locate(time);
        let behind = std::iter::successors(steps.next(here), |&at| steps.next(at)).map(step);
        let before = std::iter::successors(Some(here), |&at| steps.previous(at)).map(step);
        (steps.free(here), behind, before)
    }

    fn add(&mut self, from: Time, to: Time, delta: i64) {
        let from = from.max(self.start());
        if from < to && delta != 0 {
            self.steps.add(from, to, delta);
        }
    }

    /// The first and last step of [from, to); `None` if it is empty.
    fn range(&self, from: Time, to: Time) -> Option<(At, At)> {
        let from = from.max(self.start());
        if from >= to {
            return None;
        }
        let first = self.steps.locate(from);
        Some((first, self.steps.last_before(first, to)))
    }
}

#[cfg(test)]
impl CountProfile {
    /// Checks the storage, and tells the number of blocks.
    pub(super) fn check(&self) -> usize {
        self.steps.check();
        self.steps.block_count()
    }
}
