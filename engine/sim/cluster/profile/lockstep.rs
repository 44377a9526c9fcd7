//! The fast profiles against their twins, call for call.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::naive::{NaiveNodes, NaiveProfile};
use super::{CountProfile, NodeProfile};
use crate::cluster::node_set::{NodeSet, Placement};
use crate::time::{Span, Time};
use proptest::prelude::*;

/// One random change, its times relative to the beginning of the profile.
#[derive(Clone, Debug)]
enum Op {
    Advance(i64),
    /// Held if free, else over-committed.
    Hold(i64, i64, u32),
    /// Where the duration is to be placed at the earliest.
    Reserve(i64, i64, u32),
    /// Gives back one earlier hold, from the given share of its length on.
    Release(prop::sample::Index, u8),
}

/// Times that often coincide, or hardly ever, from before the beginning, or never.
fn moment() -> impl Strategy<Value = i64> {
    prop_oneof![8 => -3..40_i64, 8 => -3..4_000_i64, 4 => 0..1_000_000_i64, 1 => Just(i64::MAX)]
}

fn operation() -> impl Strategy<Value = Op> {
    prop_oneof![
        1 => (0..50_i64).prop_map(Op::Advance),
        6 => (moment(), moment(), 0..40_u32).prop_map(|(from, to, count)| Op::Hold(from, to, count)),
        6 => (moment(), moment(), 0..40_u32).prop_map(|(from, length, count)| Op::Reserve(from, length, count)),
        5 => (any::<prop::sample::Index>(), 0..5_u8).prop_map(|(which, share)| Op::Release(which, share)),
    ]
}

#[derive(Clone, Debug)]
struct Question {
    from: i64,
    limit: i64,
    duration: i64,
    count: u32,
}

fn question() -> impl Strategy<Value = Question> {
    (moment(), moment(), moment(), 0..60_u32).prop_map(|(from, limit, duration, count)| Question {
        from,
        limit,
        duration,
        count,
    })
}

fn after(start: Time, ticks: i64) -> Time {
    start.saturating_add(Span(ticks))
}

struct Pair {
    fast: CountProfile,
    slow: NaiveProfile,
    held: Vec<(Time, Time, u32)>,
}

impl Pair {
    fn new(nodes: u32, now: Time) -> Pair {
        Pair { fast: CountProfile::new(nodes, now), slow: NaiveProfile::new(nodes, now), held: Vec::new() }
    }

    fn hold(&mut self, from: Time, to: Time, count: u32) {
        if self.slow.fits(from, to, count) {
            self.fast.hold(from, to, count);
        } else {
            self.fast.overcommit(from, to, count);
        }
        self.slow.hold(from, to, count);
        self.held.push((from, to, count));
    }

    fn release(&mut self, which: usize, share: i64) {
        let (from, to, count) = self.held.swap_remove(which);
        if from >= to {
            return;
        }
        let (begin, end) = (i128::from(from.0), i128::from(to.0));
        let middle = Time((begin + (end - begin) * i128::from(share) / 4) as i64);
        self.fast.release(middle, to, count);
        self.slow.release(middle, to, count);
        if from < middle {
            self.held.push((from, middle, count));
        }
    }

    fn apply(&mut self, op: &Op) {
        let start = self.fast.start();
        match *op {
            Op::Advance(ticks) => {
                self.fast.advance(after(start, ticks));
                self.slow.advance(after(start, ticks));
            }
            Op::Hold(from, to, count) => self.hold(after(start, from), after(start, to), count),
            Op::Reserve(from, length, count) => {
                let begin = self.fast.earliest(after(start, from), Span(length), count);
                assert_eq!(begin, self.slow.earliest(after(start, from), Span(length), count));
                self.hold(begin, begin.saturating_add(Span(length)), count);
            }
            Op::Release(_, _) if self.held.is_empty() => {}
            Op::Release(which, share) => self.release(which.index(self.held.len()), i64::from(share)),
        }
    }

    fn ask(&self, question: &Question) {
        let (fast, slow) = (&self.fast, &self.slow);
        let start = fast.start();
        let (from, limit) = (after(start, question.from), after(start, question.limit));
        let (duration, count) = (Span(question.duration), question.count);
        assert_eq!(fast.available_at(from), slow.available_at(from));
        assert_eq!(fast.fits(from, limit, count), slow.fits(from, limit, count));
        assert_eq!(fast.least(from, limit), slow.least(from, limit));
        assert_eq!(fast.most(from, limit), slow.most(from, limit));
        assert_eq!(fast.drops_below(from, count), slow.drops_below(from, count));
        assert_eq!(fast.rises_to(from, count), slow.rises_to(from, count));
        assert_eq!(fast.earliest(from, duration, count), slow.earliest(from, duration, count));
        assert_eq!(
            fast.earliest_before(from, limit, duration, count),
            slow.earliest_before(from, limit, duration, count)
        );
    }

    /// The steps are the same, and the number of blocks in which they are kept.
    fn check(&self) -> usize {
        let blocks = self.fast.check();
        assert!(self.fast.steps().eq(self.slow.steps()));
        assert!(self.fast.step_count() <= 2 * self.held.len() + 1);
        // An interval ends before the step that begins at its end, also where a block begins.
        let steps: Vec<(Time, i64)> = self.fast.steps().collect();
        for pair in steps.windows(2) {
            assert_eq!(self.fast.least(pair[0].0, pair[1].0), pair[0].1);
        }
        blocks
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn counts_agree(
        nodes in 1..50_u32,
        origin in -100..100_i64,
        script in prop::collection::vec((operation(), question()), 1..400),
    ) {
        let mut pair = Pair::new(nodes, Time(origin));
        for (op, question) in &script {
            pair.apply(op);
            pair.ask(question);
            pair.check();
        }
    }

    #[test]
    fn nodes_agree(
        nodes in 1..140_u32,
        script in prop::collection::vec(node_operation(), 1..60),
    ) {
        let mut pair = NodePair::new(nodes);
        for op in &script {
            pair.apply(op);
            pair.check(op);
        }
    }
}

/// A linear congruential generator: the test needs variety, not quality.
fn next(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}

#[test]
fn counts_agree_when_thousands_of_reservations_come_and_go() {
    let mut pair = Pair::new(256, Time::ZERO);
    let mut state = 1;
    let mut most_blocks = 0;
    for round in 0..6_000 {
        let filling = round < 2_000 || (3_000..4_000).contains(&round);
        if filling || pair.held.is_empty() {
            let (length, count) = (60 + next(&mut state, 172_800) as i64, 1 << next(&mut state, 9));
            let begin = pair.fast.earliest(pair.fast.start(), Span(length), count);
            assert_eq!(begin, pair.slow.earliest(pair.fast.start(), Span(length), count));
            pair.hold(begin, begin + Span(length), count);
        } else {
            let which = next(&mut state, pair.held.len() as u64) as usize;
            pair.release(which, 0);
        }
        if round % 64 == 0 {
            most_blocks = most_blocks.max(pair.check());
            pair.apply(&Op::Advance(next(&mut state, 500) as i64));
        }
    }
    assert!(most_blocks > 10, "only {most_blocks} blocks were needed");
    while !pair.held.is_empty() {
        pair.release(pair.held.len() / 2, 0);
    }
    assert_eq!(pair.check(), 1);
}

#[test]
fn a_copy_and_a_reset_forget_what_was_there() {
    let mut busy = CountProfile::new(4, Time::ZERO);
    (0..500).for_each(|i| busy.hold(Time(10 * i), Time(10 * i + 5), 3));
    let mut copy = CountProfile::new(9, Time(7));
    copy.clone_from(&busy);
    copy.check();
    assert!(copy.steps().eq(busy.steps()));
    busy.reset(Time(-5));
    busy.check();
    assert!(busy.steps().eq([(Time(-5), 4)]));
}

#[test]
fn a_reservation_moves_up_beside_its_own_nodes() {
    let mut profile = CountProfile::new(4, Time::ZERO);
    profile.hold(Time(0), Time(10), 3);
    profile.hold(Time(10), Time(30), 4);
    // The job itself holds 2 nodes over [30, 50); nothing but its own reservation follows.
    profile.hold(Time(30), Time(50), 2);
    assert_eq!(profile.earliest_before(Time(0), Time(30), Span(20), 2), None);
    profile.release(Time(20), Time(30), 4);
    // [20, 40) overlaps its own reservation, whose nodes are its own.
    assert_eq!(profile.earliest_before(Time(0), Time(30), Span(20), 4), Some(Time(20)));
    assert_eq!(profile.earliest(Time(0), Span(20), 4), Time(50));
}

#[cfg(debug_assertions)]
mod mistakes {
    use super::*;

    #[test]
    #[should_panic(expected = "3 nodes held from 0 s to 0.00001 s, but only 2 are free throughout")]
    fn holding_more_than_is_free() {
        let mut profile = CountProfile::new(4, Time::ZERO);
        profile.hold(Time(5), Time(6), 2);
        profile.hold(Time(0), Time(10), 3);
    }

    #[test]
    #[should_panic(expected = "not all held")]
    fn releasing_more_than_is_held() {
        let mut profile = CountProfile::new(4, Time::ZERO);
        profile.hold(Time(0), Time(10), 2);
        profile.release(Time(0), Time(11), 2);
    }

    #[test]
    #[should_panic(expected = "not free throughout")]
    fn holding_a_node_twice() {
        let mut profile = NodeProfile::new(&NodeSet::lowest(64, 10), Time::ZERO);
        profile.hold(Time(0), Time(10), &Placement::of([3]));
        profile.hold(Time(9), Time(12), &Placement::of([3, 4]));
    }

    #[test]
    #[should_panic(expected = "no such node")]
    fn releasing_a_node_that_is_not_installed() {
        let mut profile = NodeProfile::new(&NodeSet::lowest(64, 10), Time::ZERO);
        profile.release(Time(0), Time(10), &Placement::of([11]));
    }
}

#[derive(Clone, Debug)]
struct NodeOp {
    kind: u8,
    advance: i64,
    from: i64,
    length: i64,
    first: u32,
    count: u32,
    gap: u32,
}

fn node_operation() -> impl Strategy<Value = NodeOp> {
    (0..4_u8, 0..3_i64, moment(), moment(), 0..140_u32, 0..60_u32, 1..4_u32).prop_map(
        |(kind, advance, from, length, first, count, gap)| NodeOp {
            kind,
            advance,
            from,
            length,
            first,
            count,
            gap,
        },
    )
}

struct NodePair {
    nodes: u32,
    fast: NodeProfile,
    slow: NaiveNodes,
}

impl NodePair {
    fn new(nodes: u32) -> NodePair {
        let all = NodeSet::lowest(200, nodes);
        NodePair { nodes, fast: NodeProfile::new(&all, Time::ZERO), slow: NaiveNodes::new(nodes, Time::ZERO) }
    }

    fn members(set: &[u64]) -> Vec<u32> {
        (0..200).filter(|&node| set[node as usize / 64] >> (node % 64) & 1 == 1).collect()
    }

    fn mask(&self, op: &NodeOp) -> Placement {
        Placement::of((0..op.count).map(|i| (op.first + i * op.gap) % self.nodes))
    }

    fn interval(&self, op: &NodeOp) -> (Time, Time) {
        let from = after(self.fast.start(), op.from);
        (from, from.saturating_add(Span(op.length)))
    }

    fn apply(&mut self, op: &NodeOp) {
        let start = after(self.fast.start(), op.advance);
        self.fast.advance(start);
        self.slow.advance(start);
        let (from, to) = self.interval(op);
        match op.kind {
            0 => {
                let free = self.slow.intersection(from, to);
                let nodes = Placement::of(self.mask(op).nodes().filter(|node| free.contains(node)));
                self.fast.hold(from, to, &nodes);
                self.slow.seize(from, to, &nodes);
            }
            1 => {
                self.fast.seize(from, to, &self.mask(op));
                self.slow.seize(from, to, &self.mask(op));
            }
            2 => {
                // Everything is held first, so that the release is allowed; whole steps are left to it now and then.
                self.fast.seize(from, to, &self.mask(op));
                self.fast.release(from, to, &self.mask(op));
                self.slow.release(from, to, &self.mask(op));
            }
            _ => {}
        }
    }

    fn check(&mut self, op: &NodeOp) {
        let steps: Vec<(Time, Vec<u32>)> =
            self.fast.steps().map(|(time, set)| (time, NodePair::members(set))).collect();
        assert!(steps.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1));
        let ends = steps.iter().skip(1).map(|step| step.0).chain([Time::NEVER]);
        for ((time, free), end) in steps.iter().zip(ends) {
            assert_eq!(*free, self.slow.intersection(*time, end));
            assert_eq!(*free, self.slow.intersection(*time, *time + Span::TICK));
        }
        let (from, to) = self.interval(op);
        let mut free = vec![0; 4];
        self.fast.intersection(from, to, &mut free);
        assert_eq!(NodePair::members(&free), self.slow.intersection(from, to));
        self.check_earliest(from, Span(op.length / 2), op);
    }

    /// Enough nodes below some number: monotone, and dependent on which nodes are free.
    fn check_earliest(&mut self, from: Time, duration: Span, op: &NodeOp) {
        let enough =
            |free: &[u32]| free.iter().filter(|&&node| node >= op.first / 2).count() >= op.count as usize;
        let expected = self.slow.earliest(from, duration, enough);
        let found = self
            .fast
            .earliest(from, duration, |free| Some(NodePair::members(free)).filter(|members| enough(members)));
        assert_eq!(found.as_ref().map(|found| found.0), expected);
        if let Some((start, free)) = found {
            assert_eq!(free, self.slow.intersection(start, start.saturating_add(duration)));
        }
    }
}
