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
pub(super) fn transfer(claims: &mut [Claim], settings: &Settings, nodes: u32) {
    // Slopes are not negative, so their bits are in their order.
    let slope = |claim: &Claim| {
        let at = |speedup: Speedup| match settings.slope {
            SlopeOf::RightDerivative => speedup.slope(claim.limit),
            SlopeOf::ForwardDifference => speedup.step(claim.limit),
        };
        claim.speedup.map(at).map_or(0, |slope| slope.max(0.0).to_bits())
    };
    // Ranks by arrival, so that they break ties.
    claims.sort_unstable_by_key(|claim| claim.arrival);
    let mut bounds: Vec<Bounds> =
        claims.iter().map(|claim| Bounds::around(claim.limit, settings, nodes)).collect();
    let (mut losers, mut gainers) = (Vec::with_capacity(claims.len()), Vec::with_capacity(claims.len()));
    for (rank, claim) in (0..).zip(claims.iter()).filter(|(_, claim)| claim.speedup.is_some()) {
        let slope = slope(claim);
        losers.push(Reverse(key(slope, rank)));
        gainers.push(key(slope, u32::MAX - rank));
    }
    let loser = |key: Key| key as u32 as usize;
    let gainer = |key: Key| (u32::MAX - key as u32) as usize;
    let (mut losers, mut gainers) = (BinaryHeap::from(losers), BinaryHeap::from(gainers));
    while let (Some(mut least), Some(mut most)) = (losers.peek_mut(), gainers.peek_mut()) {
        let (from, to) = (loser(least.0), gainer(*most));
        if !bounds[from].may_lose(claims[from].limit) {
            PeekMut::pop(least);
            continue;
        }
        if !bounds[to].may_gain(claims[to].limit) {
            PeekMut::pop(most);
            continue;
        }
        if slope_of(least.0) >= slope_of(*most) {
            return;
        }
        claims[from].limit -= 1;
        claims[to].limit += 1;
        (bounds[from].moved, bounds[to].moved) = (Moved::Down, Moved::Up);
        // Changed in place, for it often stays the first.
        least.0 = key(slope(&claims[from]), from as u32);
        *most = key(slope(&claims[to]), u32::MAX - to as u32);
    }
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
