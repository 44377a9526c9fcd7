//! The slices of time: which class's turn it is.
//!
//! Interval k is [k·length, (k + 1)·length). Its slices follow each other in the order long, medium, short; their bounds are the cumulative shares of the
//! interval, rounded to whole seconds (halves up), and the last one ends with the interval. A slice of no length does not exist.
//! Adaptive: when an interval begins, classes without a job in the system get no slice, and the others' shares grow in proportion. If no class
//! has a job, or none with a share, the shares stay as they are.

use super::class::Kind;
use crate::policy::Shares;
use crate::time::{Span, TICKS_PER_SECOND, Time};

/// A slice: whose it is, and when it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    pub kind: Kind,
    pub end: Time,
}

pub(super) struct Slices {
    interval: Span,
    shares: Shares,
    adaptive: bool,
    /// The number of the present interval, and where its slices end.
    present: Option<(i64, [Time; 3])>,
    current: Slice,
}

impl Slices {
    pub fn new(interval: Span, shares: Shares, adaptive: bool) -> Slices {
        let current = Slice { kind: Kind::Long, end: Time(i64::MIN) };
        Slices { interval, shares, adaptive, present: None, current }
    }

    pub fn current(&self) -> Slice {
        self.current
    }

    /// Goes to the slice in which `now` lies; whether that is another one. `present`: which classes have jobs in the system.
    pub fn advance(&mut self, now: Time, present: [bool; 3]) -> bool {
        if now < self.current.end {
            return false;
        }
        let number = now.0.div_euclid(self.interval.0);
        let ends = match self.present {
            Some((same, ends)) if same == number => ends,
            _ => {
                let begin = Time(number * self.interval.0);
                // An interval that began while nothing was in the system has the shares as they are.
                let present = if self.adaptive && now == begin { present } else { [true; 3] };
                let ends = self.ends(begin, present);
                self.present = Some((number, ends));
                ends
            }
        };
        let found = Kind::ALL.into_iter().zip(ends).find(|(_, end)| now < *end);
        if let Some((kind, end)) = found {
            self.current = Slice { kind, end };
        }
        found.is_some()
    }

    fn ends(&self, begin: Time, present: [bool; 3]) -> [Time; 3] {
        let mut shares =
            Kind::ALL.map(|kind| if present[kind as usize] { self.shares.of(kind as usize) } else { 0.0 });
        if shares.iter().sum::<f64>() <= 0.0 {
            shares = Kind::ALL.map(|kind| self.shares.of(kind as usize));
        }
        let total: f64 = shares.iter().sum();
        let seconds = (self.interval.0 / TICKS_PER_SECOND) as f64;
        let mut sum = 0.0;
        let mut ends = shares.map(|share| {
            sum += share;
            begin + Span::from_secs(libm::round(seconds * sum / total) as i64)
        });
        ends[2] = begin + self.interval;
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slices(long: f64, medium: f64, short: f64, adaptive: bool) -> Slices {
        Slices::new(Span::from_secs(3600), Shares { long, medium, short }, adaptive)
    }

    fn at(slices: &mut Slices, second: i64, present: [bool; 3]) -> (bool, Kind, i64) {
        let switched = slices.advance(Time::from_secs(second), present);
        (switched, slices.current().kind, slices.current().end.0 / TICKS_PER_SECOND)
    }

    #[test]
    fn slices_follow_each_other_and_fill_the_interval() {
        let mut fixed = slices(0.5, 0.3, 0.2, false);
        assert_eq!(at(&mut fixed, 0, [true; 3]), (true, Kind::Long, 1800));
        assert_eq!(at(&mut fixed, 1799, [true; 3]), (false, Kind::Long, 1800));
        assert_eq!(at(&mut fixed, 1800, [true; 3]), (true, Kind::Medium, 2880));
        assert_eq!(at(&mut fixed, 3599, [true; 3]), (true, Kind::Short, 3600));
        assert_eq!(at(&mut fixed, 3600 * 7 + 1800, [true; 3]), (true, Kind::Medium, 3600 * 7 + 2880));
    }

    #[test]
    fn a_class_without_a_share_has_no_slice() {
        let mut two = slices(0.0, 0.5, 0.5, false);
        assert_eq!(at(&mut two, 0, [true; 3]), (true, Kind::Medium, 1800));
        let mut one = slices(3.0, 0.0, 0.0, false);
        assert_eq!(at(&mut one, 0, [true; 3]), (true, Kind::Long, 3600));
        assert_eq!(at(&mut one, 3600, [true; 3]), (true, Kind::Long, 7200));
    }

    #[test]
    fn adaptive_shares_are_decided_when_an_interval_begins() {
        let mut adaptive = slices(0.5, 0.3, 0.2, true);
        assert_eq!(at(&mut adaptive, 0, [true, false, true]), (true, Kind::Long, 2571));
        assert_eq!(at(&mut adaptive, 2571, [true; 3]), (true, Kind::Short, 3600));
        assert_eq!(at(&mut adaptive, 3600, [false; 3]), (true, Kind::Long, 5400));
        assert_eq!(at(&mut adaptive, 7300, [false, false, true]), (true, Kind::Long, 9000));
    }
}
