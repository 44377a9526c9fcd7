//! Fair shares and what becomes of them: the most nodes that each job may run on.

use super::{LimitRounding, Movable, Settings, SlopeOf};
use crate::job::JobSlot;
use crate::speedup::Speedup;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

/// √weight in units of 2⁻³², so that sums are exact in any order.
pub(super) type Root = u128;

pub(super) fn root(weight: f64) -> Root {
    (libm::sqrt(weight) * (1u64 << 32) as f64) as Root
}

/// A share this close to a whole number, relative to it, is that number: rounding must not cost a job a node.
const CLOSE: f64 = 1e-9;

/// ObF · √w / Σ√w · P (§4.1).
fn share(overbooking: f64, nodes: u32, root: Root, total: Root) -> f64 {
    overbooking * f64::from(nodes) * root as f64 / total as f64
}

/// The share as a whole number of nodes, at least 1 and at most all.
pub(super) fn limit(settings: &Settings, nodes: u32, root: Root, total: Root) -> u32 {
    let share = share(settings.overbooking, nodes, root, total);
    let nearest = libm::round(share);
    let whole = match settings.limit_rounding {
        _ if libm::fabs(share - nearest) <= CLOSE * nearest => nearest,
        LimitRounding::Floor => libm::floor(share),
        // A half within the same distance is a half, which goes upwards.
        LimitRounding::Nearest => libm::round(share + CLOSE * share),
        LimitRounding::Ceil => libm::ceil(share),
    };
    whole.clamp(1.0, f64::from(nodes)) as u32
}

/// A job's limit while nodes are moved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    pub(super) job: JobSlot,
    pub(super) arrival: u64,
    pub(super) limit: u32,
    /// None: the job is rigid, and its limit stays.
    pub(super) speedup: Option<Speedup>,
}

/// Which way a job's limit has moved; it never moves both ways.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moved {
    Not,
    Down,
    Up,
}

/// Between which numbers, both excluded, a limit may change.
#[derive(Clone, Copy)]
struct Between(u32, u32);

impl Between {
    fn has(self, limit: u32) -> bool {
        self.0 < limit && limit < self.1
    }
}

/// What a limit may become.
struct Bounds {
    losing: Between,
    gaining: Between,
    moved: Moved,
}

impl Bounds {
    /// From (1 − EF) to (1 + EF) times the limit; at least one node, at most all.
    fn around(limit: u32, settings: &Settings, nodes: u32) -> Bounds {
        let (base, factor) = (f64::from(limit), settings.efficiency);
        let (low, high) = (((1.0 - factor) * base).max(1.0), ((1.0 + factor) * base).min(f64::from(nodes)));
        let (losing, gaining) = match settings.movable {
            // One node less is not below the one bound, one more not above the other.
            Movable::Directional => {
                (Between(libm::ceil(low) as u32, u32::MAX), Between(0, libm::floor(high) as u32))
            }
            Movable::Printed => {
                let within = Between(libm::floor(low) as u32, libm::ceil(high) as u32);
                (within, within)
            }
        };
        Bounds { losing, gaining, moved: Moved::Not }
    }

    /// What the limit becomes if nodes worth less than this slope are taken and those worth as much or more given, as far as bounds allow.
    fn target(&self, claim: &Claim, slope: f64) -> u32 {
        let limit = claim.limit;
        let Some(first_below) = claim.speedup.map(|speedup| speedup.first_below(slope)) else { return limit };
        if first_below <= limit {
            (first_below - 1).max(self.losing.0.min(limit))
        } else {
            first_below.min(self.gaining.1.max(limit))
        }
    }

    fn may_lose(&self, limit: u32) -> bool {
        self.moved != Moved::Up && self.losing.has(limit)
    }

    fn may_gain(&self, limit: u32) -> bool {
        self.moved != Moved::Down && self.gaining.has(limit)
    }
}

/// A slope and whose it is, in one number: for losers, then gainers, that order puts the earlier arrival first among equals.
type Key = u128;

fn key(slope: u64, rank: u32) -> Key {
    Key::from(slope) << 32 | Key::from(rank)
}

fn slope_of(key: Key) -> u64 {
    (key >> 32) as u64
}

/// Moves nodes one by one from the limit with the smallest slope of its speedup to that with the largest, while that is larger (Fig. 1).
/// `last` is the slope at which they ended the last time, to begin near there; it decides nothing.
pub(super) fn transfer(claims: &mut [Claim], settings: &Settings, nodes: u32, last: &mut f64) {
    // Slopes are not negative, so their bits are in their order.
    let slope = |claim: &Claim| {
        let at = |speedup: Speedup| match settings.slope {
            SlopeOf::RightDerivative => speedup.slope(claim.limit),
            SlopeOf::ForwardDifference => speedup.step(claim.limit),
        };
        claim.speedup.map(at).map_or(0, |slope| slope.max(0.0).to_bits())
    };
    // Ranks by arrival, so that they break ties. The waiting jobs come in that order, which this sort makes use of.
    claims.sort_by_key(|claim| claim.arrival);
    let mut bounds: Vec<Bounds> =
        claims.iter().map(|claim| Bounds::around(claim.limit, settings, nodes)).collect();
    let Certain { mut held, from: from_slope, to: to_slope } = match (settings.slope, settings.movable) {
        (SlopeOf::RightDerivative, Movable::Directional) => at_once(claims, &mut bounds, *last),
        _ => Certain::NOTHING,
    };
    let (mut losers, mut gainers) = (Vec::new(), Vec::new());
    for ((rank, claim), bounds) in (0..).zip(claims.iter()).zip(&bounds) {
        // Who may not move now may not later.
        let (may_lose, may_gain) = (bounds.may_lose(claim.limit), bounds.may_gain(claim.limit));
        if claim.speedup.is_some() && (may_lose || may_gain) {
            let slope = slope(claim);
            if may_lose && slope < to_slope {
                losers.push(Reverse(key(slope, rank)));
            }
            if may_gain && slope >= from_slope {
                gainers.push(key(slope, u32::MAX - rank));
            }
        }
    }
    let loser = |key: Key| key as u32 as usize;
    let gainer = |key: Key| (u32::MAX - key as u32) as usize;
    let (mut losers, mut gainers) = (BinaryHeap::from(losers), BinaryHeap::from(gainers));
    loop {
        // Who is behind moves alone; that move is one of those that are certain.
        if held <= 0 {
            let Some(mut least) = losers.peek_mut() else {
                *last = if to_slope < u64::MAX { f64::from_bits(to_slope) } else { *last };
                return;
            };
            let from = loser(least.0);
            if !bounds[from].may_lose(claims[from].limit) {
                PeekMut::pop(least);
                continue;
            }
            if held == 0 {
                let next = next_gainer(&mut gainers, |key| {
                    let to = gainer(key);
                    bounds[to].may_gain(claims[to].limit)
                });
                if next.is_none_or(|next| slope_of(least.0) >= slope_of(next)) {
                    *last = f64::from_bits(slope_of(least.0));
                    return;
                }
            }
            claims[from].limit -= 1;
            bounds[from].moved = Moved::Down;
            // Changed in place, for it often stays the first.
            least.0 = key(slope(&claims[from]), from as u32);
            held += 1;
        } else {
            let Some(mut most) = gainers.peek_mut() else { return };
            let to = gainer(*most);
            if !bounds[to].may_gain(claims[to].limit) {
                PeekMut::pop(most);
                continue;
            }
            claims[to].limit += 1;
            bounds[to].moved = Moved::Up;
            *most = key(slope(&claims[to]), u32::MAX - to as u32);
            held -= 1;
        }
    }
}

/// The first that may still gain; those before it are dropped.
fn next_gainer(gainers: &mut BinaryHeap<Key>, may_gain: impl Fn(Key) -> bool) -> Option<Key> {
    while let Some(most) = gainers.peek_mut() {
        if may_gain(*most) {
            return Some(*most);
        }
        PeekMut::pop(most);
    }
    None
}

/// By what factor the slope at which the moves end is expected to differ from the last one, and by what more if it differs more.
const NEAR: f64 = 1.04;
const FARTHER: f64 = 1.3;
/// So often a bound is moved farther; beyond that the moves are made one by one.
const TRIES: u32 = 6;

/// So many moves that are made one by one take longer than to look at one job at one more slope.
const WORTH: i64 = 2;

/// Where limits end up if all nodes below a slope are taken and all others given.
struct Targets {
    slope: f64,
    limits: Vec<u32>,
    taken: i64,
    given: i64,
}

impl Targets {
    fn at(slope: f64, claims: &[Claim], bounds: &[Bounds]) -> Targets {
        let each = claims.iter().zip(bounds).map(|(claim, bounds)| bounds.target(claim, slope));
        Targets::of(slope, each.collect(), claims)
    }

    /// At a slope between two others. Where these agree, so does every slope between them.
    fn between(low: &Targets, high: &Targets, claims: &[Claim], bounds: &[Bounds]) -> Targets {
        let slope = libm::sqrt(low.slope * high.slope);
        let ends = low.limits.iter().zip(&high.limits).zip(claims.iter().zip(bounds));
        let each = ends.map(|((low, high), (claim, bounds))| match low == high {
            true => *low,
            false => bounds.target(claim, slope),
        });
        Targets::of(slope, each.collect(), claims)
    }

    fn of(slope: f64, limits: Vec<u32>, claims: &[Claim]) -> Targets {
        let (mut taken, mut given) = (0, 0);
        for (claim, target) in claims.iter().zip(&limits) {
            let by = i64::from(*target) - i64::from(claim.limit);
            (taken, given) = (taken + (-by).max(0), given + by.max(0));
        }
        Targets { slope, limits, taken, given }
    }

    /// Whether so many moves lie between two slopes that one more slope is looked at sooner than they are made one by one.
    fn are_far(low: &Targets, high: &Targets) -> bool {
        let differ = low.limits.iter().zip(&high.limits).filter(|(low, high)| low != high).count();
        (high.taken - low.taken) + (low.given - high.given) > WORTH * differ as i64
    }
}

/// What was moved at once, and what is left to move.
struct Certain {
    /// How many more nodes were taken than given.
    held: i64,
    /// No node worth less, as bits of its slope, is given any more.
    from: u64,
    /// No node worth this or more is taken any more.
    to: u64,
}

impl Certain {
    const NOTHING: Certain = Certain { held: 0, from: 0, to: u64::MAX };
}

/// Makes at once most of the moves that would be made one by one, if they end near the slope `last`.
///
/// A speedup's slope falls with the nodes. So every move takes a node that is worth less than some slope and gives one that is worth as much or
/// more, and all nodes below a slope are taken, and all from it on given, before the first that is not. What is certain on both sides of a range
/// of slopes, at one end of which more are given than taken, and at the other end more taken than given, is moved. No order shows in it, and so no
/// tie.
fn at_once(claims: &mut [Claim], bounds: &mut [Bounds], last: f64) -> Certain {
    if last <= 0.0 {
        return Certain::NOTHING;
    }
    let bound = |factor: f64, farther: f64, is_bound: &dyn Fn(&Targets) -> bool| {
        let mut found = Targets::at(last * factor, claims, bounds);
        for _ in 0..TRIES {
            if is_bound(&found) {
                return Some(found);
            }
            found = Targets::at(found.slope * farther, claims, bounds);
        }
        None
    };
    let Some(mut low) = bound(1.0 / NEAR, 1.0 / FARTHER, &|at| at.taken <= at.given) else {
        return Certain::NOTHING;
    };
    let Some(mut high) = bound(NEAR, FARTHER, &|at| at.taken >= at.given) else { return Certain::NOTHING };
    for _ in 0..TRIES {
        if !Targets::are_far(&low, &high) {
            break;
        }
        let between = Targets::between(&low, &high, claims, bounds);
        let nearer = if between.taken <= between.given { &mut low } else { &mut high };
        *nearer = between;
    }
    let mut held = 0;
    let ends = low.limits.iter().zip(&high.limits);
    for ((claim, bounds), (down, up)) in claims.iter_mut().zip(bounds).zip(ends) {
        let limit = claim.limit;
        if *down < limit {
            (claim.limit, bounds.moved) = (*down, Moved::Down);
        } else if *up > limit {
            (claim.limit, bounds.moved) = (*up, Moved::Up);
        }
        held += i64::from(limit) - i64::from(claim.limit);
    }
    Certain { held, from: low.slope.to_bits(), to: high.slope.to_bits() }
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
