//! The slow, obvious twins of the profiles, for tests and for benches to compare with.

use crate::cluster::node_set::Placement;
use crate::time::{Span, Time};

/// [`CountProfile`](super::CountProfile) as a sorted list that every call walks from its beginning; see there for the
/// meaning of each method.
#[derive(Clone, Debug)]
pub struct NaiveProfile {
    steps: Vec<(Time, i64)>,
}

impl NaiveProfile {
    /// All `nodes` are free from `now` on.
    pub fn new(nodes: u32, now: Time) -> NaiveProfile {
        NaiveProfile { steps: vec![(now, i64::from(nodes))] }
    }

    /// Forgets everything before `now`.
    pub fn advance(&mut self, now: Time) {
        let keep = self.steps.iter().filter(|&&(time, _)| time <= now).count().max(1) - 1;
        self.steps.drain(..keep);
        self.steps[0].0 = self.steps[0].0.max(now);
    }

    /// Takes `count` nodes over [from, to), whether they are free or not.
    pub fn hold(&mut self, from: Time, to: Time, count: u32) {
        self.add(from, to, -i64::from(count));
    }

    /// Gives `count` nodes back over [from, to).
    pub fn release(&mut self, from: Time, to: Time, count: u32) {
        self.add(from, to, i64::from(count));
    }

    /// Free nodes at `time`.
    pub fn available_at(&self, time: Time) -> i64 {
        let in_force = self.steps.iter().rfind(|&&(begin, _)| begin <= time);
        in_force.unwrap_or(&self.steps[0]).1
    }

    /// Whether at least `count` nodes are free over all of [from, to).
    pub fn fits(&self, from: Time, to: Time, count: u32) -> bool {
        self.pieces(from, to).all(|(_, free)| free >= i64::from(count))
    }

    /// The fewest free nodes at any time of [from, to); [`i64::MAX`] for an empty interval.
    pub fn least(&self, from: Time, to: Time) -> i64 {
        self.pieces(from, to).map(|(_, free)| free).min().unwrap_or(i64::MAX)
    }

    /// The most free nodes at any time of [from, to); [`i64::MIN`] for an empty interval.
    pub fn most(&self, from: Time, to: Time) -> i64 {
        self.pieces(from, to).map(|(_, free)| free).max().unwrap_or(i64::MIN)
    }

    /// The earliest t ≥ `from` with at least `count` nodes free over all of [t, t + duration).
    pub fn earliest(&self, from: Time, duration: Span, count: u32) -> Time {
        self.earliest_before(from, Time::NEVER, duration, count).unwrap_or(Time::NEVER)
    }

    /// The same for t < `limit` only, where everything from `limit` on counts as free.
    pub fn earliest_before(&self, from: Time, limit: Time, duration: Span, count: u32) -> Option<Time> {
        let from = from.max(self.steps[0].0);
        let starts =
            std::iter::once(from).chain(self.steps.iter().map(|&(time, _)| time).filter(|&t| t > from));
        starts
            .take_while(|&start| start < limit)
            .find(|&start| self.fits(start, start.saturating_add(duration).min(limit), count))
    }

    /// The first time from `from` on at which fewer than `count` nodes are free.
    pub fn drops_below(&self, from: Time, count: u32) -> Time {
        self.pieces(from, Time::NEVER)
            .find(|&(_, free)| free < i64::from(count))
            .map_or(Time::NEVER, |piece| piece.0)
    }

    /// The first time from `from` on at which at least `count` nodes are free.
    pub fn rises_to(&self, from: Time, count: u32) -> Time {
        self.pieces(from, Time::NEVER)
            .find(|&(_, free)| free >= i64::from(count))
            .map_or(Time::NEVER, |piece| piece.0)
    }

    /// The steps in time order.
    pub fn steps(&self) -> impl Iterator<Item = (Time, i64)> + '_ {
        self.steps.iter().copied()
    }

    /// The steps clipped to [from, to).
    fn pieces(&self, from: Time, to: Time) -> impl Iterator<Item = (Time, i64)> + '_ {
        let ends = self.steps.iter().skip(1).map(|&(time, _)| time).chain(std::iter::once(Time::NEVER));
        self.steps.iter().zip(ends).filter_map(move |(&(begin, free), end)| {
            let (begin, end) = (begin.max(from), end.min(to));
            (begin < end).then_some((begin, free))
        })
    }

    fn add(&mut self, from: Time, to: Time, delta: i64) {
        let from = from.max(self.steps[0].0);
        if from >= to {
            return;
        }
        self.cut(from);
        if to != Time::NEVER {
            self.cut(to);
        }
        for step in self.steps.iter_mut().filter(|step| from <= step.0 && step.0 < to) {
            step.1 += delta;
        }
        self.steps.dedup_by_key(|step| step.1);
    }

    fn cut(&mut self, time: Time) {
        let free = self.available_at(time);
        if let Err(index) = self.steps.binary_search_by_key(&time, |step| step.0) {
            self.steps.insert(index, (time, free));
        }
    }
}

/// [`NodeProfile`](super::NodeProfile) as a list of the intervals over which each node is held.
#[derive(Clone, Debug)]
pub struct NaiveNodes {
    start: Time,
    held: Vec<Vec<(Time, Time)>>,
}

impl NaiveNodes {
    /// Nodes 0 to `nodes` − 1 are all free from `now` on.
    pub fn new(nodes: u32, now: Time) -> NaiveNodes {
        NaiveNodes { start: now, held: vec![Vec::new(); nodes as usize] }
    }

    /// Forgets everything before `now`.
    pub fn advance(&mut self, now: Time) {
        self.start = self.start.max(now);
    }

    /// Takes `nodes` over [from, to), free or not.
    pub fn seize(&mut self, from: Time, to: Time, nodes: &Placement) {
        self.release(from, to, nodes);
        if from < to {
            nodes.nodes().for_each(|node| self.held[node as usize].push((from, to)));
        }
    }

    /// Gives `nodes` back over [from, to).
    pub fn release(&mut self, from: Time, to: Time, nodes: &Placement) {
        if from >= to {
            return;
        }
        for node in nodes.nodes() {
            let held = std::mem::take(&mut self.held[node as usize]);
            let rest =
                held.into_iter().flat_map(|(begin, end)| [(begin, end.min(from)), (begin.max(to), end)]);
            self.held[node as usize] = rest.filter(|(begin, end)| begin < end).collect();
        }
    }

    /// The nodes free over all of [from, to), ascending; all for an empty interval.
    pub fn intersection(&self, from: Time, to: Time) -> Vec<u32> {
        let from = from.max(self.start);
        let free =
            |node: &u32| !self.held[*node as usize].iter().any(|&(begin, end)| begin.max(from) < end.min(to));
        (0..self.held.len() as u32).filter(free).collect()
    }

    /// The earliest t ≥ `from` whose free nodes over [t, t + duration) satisfy `fits`.
    pub fn earliest(&self, from: Time, duration: Span, fits: impl Fn(&[u32]) -> bool) -> Option<Time> {
        let from = from.max(self.start);
        let mut starts: Vec<Time> =
            self.held.iter().flatten().map(|held| held.1).filter(|&t| t > from).collect();
        starts.push(from);
        starts.sort_unstable();
        let at = |start: &Time| self.intersection(*start, start.saturating_add(duration));
        starts.into_iter().filter(|&start| start < Time::NEVER).find(|start| fits(&at(start)))
    }
}
