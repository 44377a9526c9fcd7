//! Downey's speedup of moldable jobs, and the run time on a number of nodes that follows from it.
//!
//! Source: Downey 1997 (Technical Report CSD-97-933), as printed in Sabin, Lang and Sadayappan 2006, §3.2: three branches for low variance (σ ≤ 1),
//! two for high variance (σ ≥ 1), which agree where they meet. Every branch is written as a quotient in which n occurs once, so that rounding
//! cannot make the curve fall.

use crate::time::{MAX_SECONDS, Span, TICKS_PER_SECOND};
use serde::{Deserialize, Serialize};

/// How a job's speed grows with its nodes: S(n; A, σ).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Speedup {
    /// A, the average parallelism: the largest speedup. At least 1, and need not be whole.
    pub parallelism: f64,
    /// σ, how far the curve is from linear: 0 is linear up to A. Not negative.
    pub sigma: f64,
}

/// A branch c·n/(a + b·n) of the curve.
#[derive(Clone, Copy)]
struct Branch {
    c: f64,
    a: f64,
    b: f64,
}

impl Branch {
    fn at(self, n: f64) -> f64 {
        self.c / (self.a / n + self.b)
    }

    fn slope(self, n: f64) -> f64 {
        let below = self.a + self.b * n;
        self.c * self.a / (below * below)
    }

    /// About where the slope has fallen to this; infinite if it does not fall that far, for a straight branch above it.
    fn falls_to(self, slope: f64) -> f64 {
        if self.b <= 0.0 {
            return if self.slope(1.0) < slope { 1.0 } else { f64::INFINITY };
        }
        (libm::sqrt(self.c * self.a / slope) - self.a) / self.b
    }
}

impl Speedup {
    /// Whether this is a speedup: A finite and at least 1, σ finite and not negative.
    pub fn is_valid(&self) -> bool {
        self.parallelism.is_finite() && self.parallelism >= 1.0 && self.sigma.is_finite() && self.sigma >= 0.0
    }

    /// S(n): the sequential run time over that on n nodes. S(1) = 1; it never falls and never exceeds A. n = 0 counts as 1.
    pub fn at(&self, n: u32) -> f64 {
        let (n, most) = (f64::from(n), self.parallelism);
        if n <= 1.0 {
            return 1.0;
        }
        if n >= self.saturated_from() {
            return most;
        }
        let value = match (self.sigma <= 1.0, n < most) {
            (false, _) => self.high().at(n),
            (true, true) => self.low().at(n),
            (true, false) => self.low_beyond().at(n).max(self.low().at(most)),
        };
        value.clamp(1.0, most)
    }

    /// The right derivative of the curve at n, in speedup per node; 0 from where it has reached A.
    pub fn slope(&self, n: u32) -> f64 {
        let n = f64::from(n.max(1));
        match (self.sigma <= 1.0, n < self.parallelism) {
            _ if n >= self.saturated_from() => 0.0,
            (false, _) => self.high().slope(n),
            (true, true) => self.low().slope(n),
            (true, false) => self.low_beyond().slope(n),
        }
    }

    /// The fewest nodes at which the slope is below this one, which is positive.
    pub fn first_below(&self, slope: f64) -> u32 {
        let most = self.parallelism;
        let near = if self.sigma > 1.0 {
            self.high().falls_to(slope)
        } else {
            let low = self.low().falls_to(slope);
            if low < most { low } else { self.low_beyond().falls_to(slope).max(most) }
        };
        // Rounded in one way or the other; the slope itself decides.
        let mut n = libm::ceil(near.min(self.saturated_from())).max(1.0) as u32;
        while self.slope(n) >= slope {
            n += 1;
        }
        while n > 1 && self.slope(n - 1) < slope {
            n -= 1;
        }
        n
    }

    /// S(n + 1) − S(n).
    pub fn step(&self, n: u32) -> f64 {
        self.at(n.saturating_add(1)) - self.at(n)
    }

    /// The nodes from which on more of them do not help: 2A − 1, or A + Aσ − σ where σ > 1.
    fn saturated_from(&self) -> f64 {
        let (most, sigma) = (self.parallelism, self.sigma);
        most + (most - 1.0) * sigma.max(1.0)
    }

    fn low(&self) -> Branch {
        let half = self.sigma / 2.0;
        Branch { c: self.parallelism, a: self.parallelism - half, b: half }
    }

    fn low_beyond(&self) -> Branch {
        let (most, sigma) = (self.parallelism, self.sigma);
        Branch { c: most, a: sigma * (most - 0.5), b: 1.0 - sigma / 2.0 }
    }

    fn high(&self) -> Branch {
        let (most, sigma) = (self.parallelism, self.sigma);
        Branch { c: most * (sigma + 1.0), a: sigma * (most - 1.0) + most, b: sigma }
    }
}

/// A span of time that depends on the nodes: T(n) = T(n₀)·S(n₀)/S(n), rounded to the tick, at least one tick. The one place where
/// it is rounded. It never grows with n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeOn {
    requested: Span,
    size: u32,
    moldable: Option<(Speedup, f64)>,
}

impl TimeOn {
    /// The time is `requested` on `size` nodes; without a speedup it is so on any number.
    pub fn new(requested: Span, size: u32, speedup: Option<Speedup>) -> TimeOn {
        let moldable = speedup.map(|speedup| (speedup, requested.0 as f64 * speedup.at(size)));
        TimeOn { requested, size, moldable }
    }

    /// On n nodes.
    pub fn on(&self, n: u32) -> Span {
        match self.moldable {
            Some((speedup, sequential)) if n != self.size => {
                let most = MAX_SECONDS as f64 * TICKS_PER_SECOND as f64;
                Span(libm::round(sequential / speedup.at(n)).clamp(1.0, most) as i64)
            }
            _ => self.requested,
        }
    }
}

#[cfg(test)]
#[path = "speedup_tests.rs"]
mod tests;
