//! The profile against a list of holds that is gone through at every question.

use super::*;
use proptest::prelude::*;

const ALL: Need = Need { processors: 8, kb: 10 };

/// Every hold, and every given back one.
#[derive(Debug)]
struct Naive {
    now: i64,
    holds: Vec<(i64, i64, Need, i64)>,
}

impl Naive {
    fn free(&self, at: i64) -> Need {
        let held = self.holds.iter().filter(|(from, to, ..)| (*from..*to).contains(&at));
        held.fold(ALL, |free, (.., need, sign)| free.plus(*need, *sign))
    }

    fn fits(&self, from: i64, duration: i64, need: Need) -> bool {
        (from..from + duration).all(|at| need.fits(self.free(at)))
    }

    fn earliest(&self, duration: i64, need: Need, after: i64, before: i64) -> Option<i64> {
        // All holds end before 100.
        (after.max(self.now)..=100.max(after))
            .find(|at| self.fits(*at, duration, need))
            .filter(|at| *at < before)
    }
}

proptest! {
    #[test]
    fn a_profile_agrees_with_a_list_of_holds(
        acts in prop::collection::vec((0u8..4, 0i64..40, 1i64..30, (1u32..9, 0u64..11)), 1..60)
    ) {
        let mut naive = Naive { now: 0, holds: Vec::new() };
        let mut profile = HostProfile::idle(Time::ZERO, ALL);
        for (act, offset, duration, (processors, kb)) in acts {
            let need = Need::new(processors, kb);
            let (from, to) = (naive.now + offset, naive.now + offset + duration);
            match act {
                0 if naive.now < 30 => {
                    naive.now += offset / 8;
                    profile.advance(Time(naive.now));
                }
                1 if !naive.holds.is_empty() => {
                    let (from, to, need, sign) = naive.holds[offset as usize % naive.holds.len()];
                    naive.holds.push((from, to, need, -sign));
                    profile.change(Time(from), Time(to), need, -sign);
                }
                _ => {
                    naive.holds.push((from, to, need, -1));
                    profile.hold(Time(from), Time(to), need);
                }
            }
            prop_assert!(profile.steps.windows(2).all(|pair| pair[0].at < pair[1].at && pair[0].free != pair[1].free));
            prop_assert_eq!(profile.free_now(), naive.free(naive.now));
            prop_assert_eq!(profile.fits_from(Time(from), Span(duration), need), naive.fits(from, duration, need));
            prop_assert_eq!(profile.fits_now(Span(duration), need), naive.fits(naive.now, duration, need));
            for (after, before) in [(0, 100), (0, naive.now + offset), (offset, 100), (naive.now + offset, naive.now + 2 * offset)] {
                let found = profile.earliest(Span(duration), need, Time(after), Time(before)).map(|at| at.0);
                prop_assert_eq!(found, naive.earliest(duration, need, after, before));
            }
        }
    }
}

#[test]
fn what_is_held_for_ever_never_comes_free() {
    let mut profile = HostProfile::idle(Time::ZERO, ALL);
    profile.hold(Time(5), Time::NEVER, Need::new(1, 0));
    assert_eq!(profile.earliest(Span(5), Need::new(8, 0), Time::ZERO, Time::NEVER), Some(Time::ZERO));
    assert_eq!(profile.earliest(Span(6), Need::new(8, 0), Time::ZERO, Time::NEVER), None);
    profile.release(Time(5), Time::NEVER, Need::new(1, 0));
    assert_eq!(profile, HostProfile::idle(Time::ZERO, ALL));
}
