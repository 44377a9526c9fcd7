//! Simulated time: integer microseconds, so that equal inputs give equal event orders on every machine.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// Ticks in one second: the tick is a microsecond, so whole seconds of a log stay exact.
pub const TICKS_PER_SECOND: i64 = 1_000_000;

/// The longest span or latest instant a workload may contain, in seconds (about 31,700 years). It keeps every sum of an
/// instant and a few spans far from overflow.
pub const MAX_SECONDS: i64 = 1_000_000_000_000;

/// An instant: microseconds since the origin of the workload (for a log, its time zero).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Time(pub i64);

/// A length of time in microseconds. May be negative as the difference of two instants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(pub i64);

impl Time {
    /// Time zero of the workload.
    pub const ZERO: Time = Time(0);
    /// The latest instant at which anything may happen; the rest is room for sums.
    pub const LATEST: Time = Time(i64::MAX / 2);
    /// Later than every event: "never".
    pub const NEVER: Time = Time(i64::MAX);

    /// The instant `seconds` whole seconds after the origin.
    pub const fn from_secs(seconds: i64) -> Time {
        Time(seconds * TICKS_PER_SECOND)
    }

    /// Seconds since the origin, for output only.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / TICKS_PER_SECOND as f64
    }

    /// `self + span`, [`Time::NEVER`] on overflow.
    pub fn saturating_add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);
    /// One microsecond, the resolution of the simulation.
    pub const TICK: Span = Span(1);
    /// Longer than every run.
    pub const FOREVER: Span = Span(i64::MAX);

    pub(crate) fn is_zero(&self) -> bool {
        *self == Span::ZERO
    }

    /// A span of whole seconds.
    pub const fn from_secs(seconds: i64) -> Span {
        Span(seconds * TICKS_PER_SECOND)
    }

    /// A span of fractional seconds, rounded once to the nearest tick (halves away from zero); the only way floating-point
    /// durations of workload models enter the simulation. Values beyond [`MAX_SECONDS`] are clamped to it, NaN becomes zero.
    pub fn from_secs_f64(seconds: f64) -> Span {
        let limit = MAX_SECONDS as f64;
        Span(libm::round(seconds.clamp(-limit, limit) * TICKS_PER_SECOND as f64) as i64)
    }

    /// Seconds, for output only.
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / TICKS_PER_SECOND as f64
    }
}

impl Add<Span> for Time {
    type Output = Time;
    fn add(self, span: Span) -> Time {
        Time(self.0 + span.0)
    }
}

impl AddAssign<Span> for Time {
    fn add_assign(&mut self, span: Span) {
        self.0 += span.0;
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    fn sub(self, span: Span) -> Time {
        Time(self.0 - span.0)
    }
}

impl Sub for Time {
    type Output = Span;
    fn sub(self, earlier: Time) -> Span {
        Span(self.0 - earlier.0)
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}

impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        self.0 += other.0;
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0 - other.0)
    }
}

impl SubAssign for Span {
    fn sub_assign(&mut self, other: Span) {
        self.0 -= other.0;
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Span(self.0).fmt(f)
    }
}

impl fmt::Display for Span {
    /// Seconds, with the fraction only where there is one: `12 s`, `0.5 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, ticks) = if self.0 < 0 { ("-", self.0.unsigned_abs()) } else { ("", self.0 as u64) };
        let whole = ticks / TICKS_PER_SECOND as u64;
        let fraction = ticks % TICKS_PER_SECOND as u64;
        if fraction == 0 {
            return write!(f, "{sign}{whole} s");
        }
        let digits = format!("{fraction:06}");
        write!(f, "{sign}{whole}.{} s", digits.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_print_as_seconds() {
        assert_eq!(Span(1_500_000).to_string(), "1.5 s");
        assert_eq!(Span(-2_000_000).to_string(), "-2 s");
        assert_eq!(Time::from_secs(90).to_string(), "90 s");
    }

    #[test]
    fn fractional_seconds_round_once() {
        assert_eq!(Span::from_secs_f64(0.000_000_5), Span(1));
        assert_eq!(Span::from_secs_f64(f64::NAN), Span(0));
        assert_eq!(Span::from_secs_f64(1e30), Span::from_secs(MAX_SECONDS));
    }
}
