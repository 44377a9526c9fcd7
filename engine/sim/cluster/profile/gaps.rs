//! Which reservations may move up, without asking for each.

use super::CountProfile;
use super::steps::Count;
use crate::time::{Span, Time};

/// Levels of a count: 0 for none free, l for 2^(l−1) to 2^l − 1.
const LEVELS: usize = 65;

/// The longest times for which nodes are free in one go, by level of their count, at or beside intervals in which nodes came
/// free: a filter for compression.
///
/// A reservation that could not move up when it was last asked (or made, or moved) at its earliest start can do so only by
/// way of an interval in which nodes came free since; holding nodes and the passing of time help nobody. So collect these
/// intervals with [`add`](Gaps::add), after all changes to the profile that belong together, and ask
/// [`CountProfile::earliest_before`] only where [`may_move`](Gaps::may_move). The filter may say yes in vain, never no
/// wrongly, as long as every interval that came free is added; later holds need no notice.
///
/// Cost: [`add`](Gaps::add) one look per step of the interval and of its neighbourhood up to where no node is free;
/// [`may_move`](Gaps::may_move) one comparison, mostly.
#[derive(Clone, Debug)]
pub struct Gaps {
    levels: [Runs; LEVELS],
    /// From the first beginning to the last end of the intervals.
    hull: (Time, Time),
}

/// Times during which at least a level is free throughout.
#[derive(Clone, Copy, Debug)]
struct Runs {
    /// The longest that ends.
    longest: Span,
    /// The first beginning of those that end.
    begin: Time,
    /// The first beginning of those that never end. Apart, because such a run takes every duration, but in the far future.
    endless: Time,
}

const NO_RUNS: Runs = Runs { longest: Span::ZERO, begin: Time::NEVER, endless: Time::NEVER };

impl Default for Gaps {
    fn default() -> Gaps {
        Gaps::new()
    }
}

impl Gaps {
    /// Nothing came free.
    pub fn new() -> Gaps {
        Gaps { levels: [NO_RUNS; LEVELS], hull: (Time::NEVER, Time(i64::MIN)) }
    }

    /// Forgets all intervals.
    pub fn clear(&mut self) {
        *self = Gaps::new();
    }

    /// Takes note that nodes came free in [from, to). What lies before the beginning of the profile is left out.
    pub fn add(&mut self, profile: &CountProfile, from: Time, to: Time) {
        let from = from.max(profile.start());
        if from >= to {
            return;
        }
        self.hull = (self.hull.0.min(from), self.hull.1.max(to));
        let (free, behind, before) = profile.around(from);
        let mut sweep = Sweep::beginning(from, level_of(free), before);
        for (time, free) in behind {
            if time >= to && sweep.level == 0 {
                break;
            }
            // Behind the interval, what becomes free does not touch it.
            let level = if time < to { level_of(free) } else { level_of(free).min(sweep.level) };
            sweep.turn(time, level, &mut self.levels);
        }
        sweep.turn(Time::NEVER, 0, &mut self.levels);
    }

    /// Whether a reservation of `count` nodes over [start, start + duration) may be able to move up; if not, it is not.
    pub fn may_move(&self, profile: &CountProfile, start: Time, duration: Span, count: u32) -> bool {
        let runs = &self.levels[level_of(Count::from(count))];
        if (duration <= runs.longest && runs.begin < start) || runs.endless < start {
            return true;
        }
        // A shorter move overlaps the reservation's own place, so that nodes must have come free just before it.
        self.hull.0 < start && start <= self.hull.1 && profile.available_before(start) >= Count::from(count)
    }
}

fn level_of(free: Count) -> usize {
    (Count::BITS - free.max(0).leading_zeros()) as usize
}

/// For each level up to the present one, since when so many have been free.
struct Sweep {
    level: usize,
    since: [Time; LEVELS],
}

impl Sweep {
    /// At `from`, with the past looked up in the steps before it.
    fn beginning(from: Time, level: usize, before: impl Iterator<Item = (Time, Count)>) -> Sweep {
        let mut since = [from; LEVELS];
        let mut open = level;
        let mut begun = from;
        for (time, free) in before {
            let here = level_of(free).min(open);
            since[here + 1..=open].fill(begun);
            open = here;
            if open == 0 {
                break;
            }
            begun = time;
        }
        since[1..=open].fill(begun);
        Sweep { level, since }
    }

    /// From `time` on, the level is `level`.
    fn turn(&mut self, time: Time, level: usize, levels: &mut [Runs; LEVELS]) {
        let ended = if level < self.level { level + 1..self.level + 1 } else { 0..0 };
        for (runs, &since) in levels[ended.clone()].iter_mut().zip(&self.since[ended]) {
            if time == Time::NEVER {
                runs.endless = runs.endless.min(since);
            } else {
                runs.longest = runs.longest.max(time - since);
                runs.begin = runs.begin.min(since);
            }
        }
        if level > self.level {
            self.since[self.level + 1..=level].fill(time);
        }
        self.level = level;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    struct Reserved {
        start: Time,
        duration: Span,
        count: u32,
    }

    impl Reserved {
        fn end(&self) -> Time {
            self.start + self.duration
        }
    }

    /// Reservations in arrival order, compressed when one of those that have begun ends early.
    #[derive(Clone)]
    struct Plan {
        profile: CountProfile,
        reserved: Vec<Reserved>,
        freed: Vec<(Time, Time)>,
        asked_in_vain: usize,
    }

    impl Plan {
        fn reserve(&mut self, duration: i64, count: u32) {
            let start = self.profile.earliest(self.profile.start(), Span(duration), count);
            let reserved = Reserved { start, duration: Span(duration), count };
            self.profile.hold(start, reserved.end(), count);
            self.reserved.push(reserved);
        }

        fn advance(&mut self, now: Time) {
            self.profile.advance(now);
            self.reserved.retain(|r| r.end() > now);
        }

        fn end_early(&mut self, which: usize) {
            let now = self.profile.start();
            let begun: Vec<usize> =
                (0..self.reserved.len()).filter(|&i| self.reserved[i].start <= now).collect();
            if let Some(&index) = begun.get(which % begun.len().max(1)) {
                let ended = self.reserved.remove(index);
                self.profile.release(now, ended.end(), ended.count);
                self.freed.push((now, ended.end()));
            }
        }

        fn compress(&mut self, filtered: bool) {
            let now = self.profile.start();
            let mut gaps = Gaps::new();
            for (from, to) in std::mem::take(&mut self.freed) {
                gaps.add(&self.profile, from, to);
            }
            for reserved in self.reserved.iter_mut().filter(|r| r.start > now) {
                let (start, duration, count) = (reserved.start, reserved.duration, reserved.count);
                if filtered && !gaps.may_move(&self.profile, start, duration, count) {
                    continue;
                }
                let Some(at) = self.profile.earliest_before(now, start, duration, count) else {
                    self.asked_in_vain += 1;
                    continue;
                };
                // Where the two places overlap, nothing changes.
                let freed = (start.max(at + duration), reserved.end());
                self.profile.release(freed.0, freed.1, count);
                self.profile.hold(at, start.min(at + duration), count);
                reserved.start = at;
                gaps.add(&self.profile, freed.0, freed.1);
                self.freed.push(freed);
            }
        }

        fn starts(&self) -> Vec<Time> {
            self.reserved.iter().map(|r| r.start).collect()
        }
    }

    fn run(nodes: u32, script: &[(u8, i64, u32, usize)]) -> (usize, usize) {
        let profile = CountProfile::new(nodes, Time::ZERO);
        let mut every = Plan { profile, reserved: Vec::new(), freed: Vec::new(), asked_in_vain: 0 };
        let mut some = every.clone();
        for &(kind, duration, count, which) in script {
            for (plan, filtered) in [(&mut every, false), (&mut some, true)] {
                match kind {
                    0..4 => plan.reserve(duration, 1 + count % nodes),
                    4 => plan.advance(plan.profile.start() + Span(duration / 4)),
                    _ => {
                        plan.end_early(which);
                        plan.end_early(which / 2);
                        plan.compress(filtered);
                    }
                }
            }
            assert_eq!(some.starts(), every.starts());
            assert!(some.profile.steps().eq(every.profile.steps()));
        }
        (some.asked_in_vain, every.asked_in_vain)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn asking_only_those_that_may_move_gives_the_same_plan(
            nodes in 1..40_u32,
            script in prop::collection::vec((0..7_u8, 1..60_i64, 0..40_u32, 0..40_usize), 1..150),
        ) {
            run(nodes, &script);
        }
    }

    #[test]
    fn few_reservations_are_asked_in_vain() {
        let mut state = 7_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let script: Vec<_> = (0..2_000)
            .map(|i| {
                let kind = if i < 1_000 { 0 } else { [0, 4, 6][i % 3] };
                (kind, (20 << next(10)) + next(20) as i64, (1 << next(7)) - 1, next(64) as usize)
            })
            .collect();
        let (some, every) = run(64, &script);
        assert!(some * 2 < every, "{some} of {every} were asked in vain");
    }
}
