//! Fair shares and what becomes of them: the most nodes that each job may run on.

use super::{LimitRounding, Movable, Settings, SlopeOf};
use crate::job::JobSlot;
use crate::speedup::Speedup;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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

/// What a limit may become.
struct Bounds {
    low: f64,
    high: f64,
    moved: Moved,
}

impl Bounds {
    fn may_lose(&self, limit: u32, movable: Movable) -> bool {
        let limit = f64::from(limit);
        self.moved != Moved::Up
            && match movable {
                Movable::Directional => limit - 1.0 >= self.low,
                Movable::Printed => self.low < limit && limit < self.high,
            }
    }

    fn may_gain(&self, limit: u32, movable: Movable) -> bool {
        let limit = f64::from(limit);
        self.moved != Moved::Down
            && match movable {
                Movable::Directional => limit + 1.0 <= self.high,
                Movable::Printed => self.low < limit && limit < self.high,
            }
    }
}

/// Moves nodes one by one from the limit with the smallest slope of its speedup to that with the largest, while that is larger (Fig. 1).
pub(super) fn transfer(claims: &mut [Claim], settings: &Settings, nodes: u32) {
    let (factor, movable) = (settings.efficiency, settings.movable);
    let mut bounds: Vec<Bounds> = claims
        .iter()
        .map(|claim| {
            let base = f64::from(claim.limit);
            let (low, high) = ((1.0 - factor) * base, (1.0 + factor) * base);
            Bounds { low: low.max(1.0), high: high.min(f64::from(nodes)), moved: Moved::Not }
        })
        .collect();
    // Slopes are not negative, so their bits are in their order.
    let slope = |claim: &Claim| {
        let at = |speedup: Speedup| match settings.slope {
            SlopeOf::RightDerivative => speedup.slope(claim.limit),
            SlopeOf::ForwardDifference => speedup.step(claim.limit),
        };
        claim.speedup.map(at).map_or(0, |slope| slope.max(0.0).to_bits())
    };
    let (mut losers, mut gainers) = (Vec::with_capacity(claims.len()), Vec::with_capacity(claims.len()));
    for (index, claim) in claims.iter().enumerate().filter(|(_, claim)| claim.speedup.is_some()) {
        let slope = slope(claim);
        losers.push(Reverse((slope, claim.arrival, index)));
        gainers.push((slope, Reverse(claim.arrival), index));
    }
    let (mut losers, mut gainers) = (BinaryHeap::from(losers), BinaryHeap::from(gainers));
    loop {
        while losers.peek().is_some_and(|Reverse((.., at))| !bounds[*at].may_lose(claims[*at].limit, movable))
        {
            losers.pop();
        }
        while gainers.peek().is_some_and(|(.., at)| !bounds[*at].may_gain(claims[*at].limit, movable)) {
            gainers.pop();
        }
        let (Some(&Reverse((low, _, from))), Some(&(high, _, to))) = (losers.peek(), gainers.peek()) else {
            return;
        };
        if low >= high {
            return;
        }
        claims[from].limit -= 1;
        claims[to].limit += 1;
        (bounds[from].moved, bounds[to].moved) = (Moved::Down, Moved::Up);
        // Changed in place, for it often stays the first.
        if let Some(mut top) = losers.peek_mut() {
            top.0.0 = slope(&claims[from]);
        }
        if let Some(mut top) = gainers.peek_mut() {
            top.0 = slope(&claims[to]);
        }
    }
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
