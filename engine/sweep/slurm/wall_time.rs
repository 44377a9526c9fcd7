//! Time limits as Slurm writes them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Seconds before the time limit at which Slurm is asked to send the signal.
const LEAD_S: u64 = 60;

/// A time limit. Slurm counts whole minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WallTime {
    minutes: u64,
}

impl WallTime {
    /// The limit in seconds.
    pub fn seconds(self) -> u64 {
        self.minutes * 60
    }

    /// Seconds before the limit at which an element is told to come to an end: a minute, of short limits a quarter. Slurm may
    /// be up to a minute early.
    pub fn lead_s(limit: Option<WallTime>) -> u64 {
        limit.map_or(LEAD_S, |limit| LEAD_S.min(limit.seconds() / 4))
    }

    /// Seconds that runs in flight may go on after the signal: half of what is left then.
    pub fn grace_s(self) -> u64 {
        WallTime::lead_s(Some(self)) / 2
    }

    /// Seconds after which an element comes to an end by itself, should the signal not have reached it; with the grace there
    /// is time left before the limit.
    pub fn guard_s(self) -> u64 {
        self.seconds() - WallTime::lead_s(Some(self)) * 3 / 4
    }
}

impl FromStr for WallTime {
    type Err = String;

    /// Minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes or days-hours:minutes:seconds.
    fn from_str(text: &str) -> Result<WallTime, String> {
        let expected = || {
            format!(
                "`{text}` is no time limit: minutes, HH:MM:SS or D-HH:MM:SS, such as 90, 08:00:00 or 1-12:00:00"
            )
        };
        let (days, rest) = match text.split_once('-') {
            Some((days, rest)) => (Some(number(days).ok_or_else(expected)?), rest),
            None => (None, text),
        };
        let parts: Vec<u64> = rest.split(':').map(number).collect::<Option<_>>().ok_or_else(expected)?;
        let seconds = match (days, parts.as_slice()) {
            (None, [minutes]) => minutes * 60,
            (None, [minutes, seconds]) => minutes * 60 + seconds,
            (None, [hours, minutes, seconds]) => (hours * 60 + minutes) * 60 + seconds,
            (Some(days), [hours]) => (days * 24 + hours) * 3600,
            (Some(days), [hours, minutes]) => ((days * 24 + hours) * 60 + minutes) * 60,
            (Some(days), [hours, minutes, seconds]) => ((days * 24 + hours) * 60 + minutes) * 60 + seconds,
            _ => return Err(expected()),
        };
        match seconds.div_ceil(60) {
            0 => Err("a time limit of zero leaves no time to run".to_owned()),
            minutes => Ok(WallTime { minutes }),
        }
    }
}

/// At most six digits, so that nothing overflows.
fn number(text: &str) -> Option<u64> {
    let digits = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for WallTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (days, hours, minutes) = (self.minutes / 1440, self.minutes / 60 % 24, self.minutes % 60);
        match days {
            0 => write!(f, "{hours:02}:{minutes:02}:00"),
            _ => write!(f, "{days}-{hours:02}:{minutes:02}:00"),
        }
    }
}

impl TryFrom<String> for WallTime {
    type Error = String;

    fn try_from(text: String) -> Result<WallTime, String> {
        text.parse()
    }
}

impl From<WallTime> for String {
    fn from(limit: WallTime) -> String {
        limit.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_in_six_ways() {
        for (text, seconds, shown) in [
            ("90", 5400, "01:30:00"),
            ("1:30", 120, "00:02:00"),
            ("08:00:00", 28_800, "08:00:00"),
            ("2-12", 216_000, "2-12:00:00"),
            ("2-12:30", 217_800, "2-12:30:00"),
            ("1-00:00:01", 86_460, "1-00:01:00"),
            ("36:00:00", 129_600, "1-12:00:00"),
        ] {
            let limit: Result<WallTime, String> = text.parse();
            assert_eq!(limit.as_ref().map(|limit| limit.seconds()), Ok(seconds), "{text}");
            assert_eq!(limit.map(|limit| limit.to_string()), Ok(shown.to_owned()), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_limits() {
        for text in ["", "8h", "1:2:3:4", "-1", "1-", "1-2-3", "1::2", " 5", "9999999", "infinite", "+5"] {
            assert!(
                text.parse::<WallTime>().is_err_and(|problem| problem.contains("no time limit")),
                "{text}"
            );
        }
        assert!("0:0".parse::<WallTime>().is_err_and(|problem| problem.contains("zero")));
    }

    #[test]
    fn an_element_ends_before_its_limit() {
        let limit = |minutes| WallTime { minutes };
        assert_eq!(WallTime::lead_s(None), 60);
        let times = |limit: WallTime| [WallTime::lead_s(Some(limit)), limit.grace_s(), limit.guard_s()];
        assert_eq!(times(limit(480)), [60, 30, 28_755]);
        assert_eq!(times(limit(1)), [15, 7, 49]);
        assert!((1..100).map(limit).all(|limit| limit.guard_s() + limit.grace_s() < limit.seconds()));
    }
}
