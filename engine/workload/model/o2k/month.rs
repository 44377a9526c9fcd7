//! The nine months of Table 6: their length, weekdays and holidays.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A month of the NCSA Origin 2000 log that the dissertation describes. The first six are those its policies were evaluated on;
/// chapter 4 describes the last six.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Month {
    /// October 1999, the light one.
    Oct1999,
    /// November 1999.
    Nov1999,
    /// December 1999, a high-load month.
    Dec1999,
    /// January 2000.
    Jan2000,
    /// February 2000, a high-load month with busy weekends.
    Feb2000,
    /// March 2000.
    Mar2000,
    /// October 2000; from here on jobs may ask for 25 GB.
    Oct2000,
    /// November 2000.
    Nov2000,
    /// December 2000; its last two and a half weeks are like weekends.
    Dec2000,
}

impl Month {
    /// All months, in order.
    pub const ALL: [Month; 9] = [
        Month::Oct1999,
        Month::Nov1999,
        Month::Dec1999,
        Month::Jan2000,
        Month::Feb2000,
        Month::Mar2000,
        Month::Oct2000,
        Month::Nov2000,
        Month::Dec2000,
    ];

    /// Year, month of the year and days.
    const fn calendar(self) -> (u32, u32, i64) {
        match self {
            Month::Oct1999 => (1999, 10, 31),
            Month::Nov1999 => (1999, 11, 30),
            Month::Dec1999 => (1999, 12, 31),
            Month::Jan2000 => (2000, 1, 31),
            Month::Feb2000 => (2000, 2, 29),
            Month::Mar2000 => (2000, 3, 31),
            Month::Oct2000 => (2000, 10, 31),
            Month::Nov2000 => (2000, 11, 30),
            Month::Dec2000 => (2000, 12, 31),
        }
    }

    /// Its days.
    pub const fn days(self) -> i64 {
        self.calendar().2
    }

    /// Its hours.
    pub const fn hours(self) -> f64 {
        24.0 * self.days() as f64
    }

    /// Whether it is one of the last three.
    pub const fn is_late(self) -> bool {
        matches!(self, Month::Oct2000 | Month::Nov2000 | Month::Dec2000)
    }

    /// The most memory a job may request, in megabytes: 16 GB, from October 2000 on 25 GB (§4.2.2).
    pub const fn most_memory_mb(self) -> u32 {
        if self.is_late() { 25 * 1_024 } else { 16 * 1_024 }
    }

    /// The weekday of its first day, 0 for Monday.
    const fn first_weekday(self) -> i64 {
        match self {
            Month::Nov1999 => 0,
            Month::Feb2000 => 1,
            Month::Dec1999 | Month::Mar2000 | Month::Nov2000 => 2,
            Month::Oct1999 | Month::Dec2000 => 4,
            Month::Jan2000 => 5,
            Month::Oct2000 => 6,
        }
    }

    /// Whether jobs arrive as on a weekend on a day, counted from the first of the month, 0; days before and after it count too. So
    /// they do on the major holidays and in the last weeks of December 2000 (§4.3; *assumption*: from the 14th on).
    pub fn is_quiet(self, day: i64) -> bool {
        let weekend = (self.first_weekday() + day).rem_euclid(7) >= 5;
        let (_, month, days) = self.calendar();
        let holiday = match self {
            Month::Nov1999 => day == 24,
            Month::Nov2000 => day == 22,
            Month::Dec2000 => (13..days).contains(&day),
            _ => false,
        };
        // Christmas of the months before January and New Year of those after December lie outside of their own months.
        let christmas = month == 12 && (day == 24 || day == days) || month == 1 && (day == 0 || day == -7);
        weekend || holiday || christmas
    }
}

impl fmt::Display for Month {
    /// As in `2000-02`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, _) = self.calendar();
        write!(f, "{year}-{month:02}")
    }
}

impl FromStr for Month {
    type Err = String;

    /// Reads `2000-02`; the error lists the months there are.
    fn from_str(text: &str) -> Result<Month, String> {
        Month::ALL.into_iter().find(|month| month.to_string() == text).ok_or_else(|| {
            let known: Vec<String> = Month::ALL.iter().map(Month::to_string).collect();
            format!("known months: {}", known.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn months_are_read_as_they_are_written() {
        for month in Month::ALL {
            assert_eq!(month.to_string().parse::<Month>().unwrap(), month);
        }
        assert!("2000-04".parse::<Month>().unwrap_err().contains("1999-10, 1999-11"));
    }

    #[test]
    fn successive_months_have_successive_weekdays() {
        for pair in Month::ALL.windows(2).filter(|pair| pair[1] != Month::Oct2000) {
            assert_eq!(
                (pair[0].first_weekday() + pair[0].days()) % 7,
                pair[1].first_weekday(),
                "{}",
                pair[1]
            );
        }
        // April to September 2000 have 183 days.
        assert_eq!((Month::Mar2000.first_weekday() + 31 + 183) % 7, Month::Oct2000.first_weekday());
    }

    #[test]
    fn weekends_and_holidays_are_quiet() {
        // 1 February 2000 was a Tuesday.
        let quiet: Vec<i64> = (-3..12).filter(|&day| Month::Feb2000.is_quiet(day)).collect();
        assert_eq!(quiet, [-3, -2, 4, 5, 11]);
        assert!(Month::Nov2000.is_quiet(22) && Month::Dec2000.is_quiet(13) && !Month::Dec2000.is_quiet(12));
        assert!(Month::Jan2000.is_quiet(0) && Month::Jan2000.is_quiet(-7) && !Month::Jan2000.is_quiet(-4));
    }
}
