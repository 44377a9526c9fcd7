//! Times as axes and facts show them.

const SECOND: i64 = 1_000_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// What may lie between two ticks, below a day; from there on 1, 2 and 5 times powers of ten.
const STEPS: [i64; 16] = [
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    6 * HOUR,
    12 * HOUR,
];

/// The smallest readable step with at most so many steps in a range of time.
pub(super) fn step(range_us: i64, at_most: i64) -> i64 {
    let decades = |unit: i64, last: i64| {
        let powers =
            std::iter::successors(Some(unit), move |power| power.checked_mul(10).filter(|next| *next < last));
        powers.flat_map(|power| [1, 2, 5].map(|factor| power.saturating_mul(factor)))
    };
    let all = decades(1, SECOND).chain(STEPS).chain(decades(DAY, i64::MAX));
    let mut fitting = all.filter(|step| range_us / step <= at_most);
    fitting.next().unwrap_or(i64::MAX)
}

/// The multiples of the step in a range, both ends included.
pub(super) fn ticks(from_us: i64, to_us: i64, step: i64) -> Vec<i64> {
    let first = from_us.div_euclid(step) + i64::from(from_us.rem_euclid(step) > 0);
    (first..=to_us.div_euclid(step)).map(|index| index * step).collect()
}

/// An instant, as finely as the step between ticks asks for: `3 d`, `3 d 06:00`, `06:00:30`.
pub(super) fn label(at_us: i64, step: i64) -> String {
    let (days, rest) = (at_us.div_euclid(DAY), at_us.rem_euclid(DAY));
    if step >= DAY {
        return format!("{days} d");
    }
    let day = if days == 0 { String::new() } else { format!("{days} d ") };
    let (hours, minutes, seconds) = (rest / HOUR, rest / MINUTE % 60, rest / SECOND % 60);
    let clock = format!("{day}{hours:02}:{minutes:02}");
    if step >= MINUTE {
        return clock;
    }
    let digits = (0..6).find(|digits| step % (SECOND / 10_i64.pow(*digits)) == 0).unwrap_or(6);
    if digits == 0 {
        return format!("{clock}:{seconds:02}");
    }
    let fraction = rest % SECOND / 10_i64.pow(6 - digits);
    format!("{clock}:{seconds:02}.{fraction:0width$}", width = digits as usize)
}

/// A length of time: the two largest units.
pub(super) fn length(us: i64) -> String {
    let units = [(DAY, "d"), (HOUR, "h"), (MINUTE, "min")];
    let Some(at) = units.iter().position(|(unit, _)| us >= *unit) else {
        return format!("{} s", seconds(us));
    };
    let (unit, name) = units[at];
    let whole = format!("{} {name}", us / unit);
    let (below, below_name) = units.get(at + 1).copied().unwrap_or((SECOND, "s"));
    match us % unit / below {
        0 => whole,
        rest => format!("{whole} {rest} {below_name}"),
    }
}

/// Seconds, with a fraction only where there is one.
pub(super) fn seconds(us: i64) -> String {
    let (sign, size) = (if us < 0 { "-" } else { "" }, us.unsigned_abs());
    let (whole, fraction) = (size / SECOND as u64, size % SECOND as u64);
    match fraction {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{}", format!("{fraction:06}").trim_end_matches('0')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_readable_at_every_zoom() {
        let range = |range: i64| label(step(range, 10), step(range, 10));
        assert_eq!(
            [1, 40, 900_000, 10 * SECOND, 100 * SECOND, HOUR, DAY, 10 * DAY, 900 * DAY].map(range),
            [
                "00:00:00.000001",
                "00:00:00.000005",
                "00:00:00.1",
                "00:00:01",
                "00:00:10",
                "00:10",
                "06:00",
                "1 d",
                "100 d"
            ]
        );
        assert!(step(i64::MAX, 10) > 0);
    }

    #[test]
    fn ticks_lie_in_the_range() {
        assert_eq!(ticks(5, 30, 10), [10, 20, 30]);
        assert_eq!(ticks(-10, 10, 10), [-10, 0, 10]);
        assert_eq!(ticks(11, 19, 10), Vec::<i64>::new());
    }

    #[test]
    fn instants_and_lengths_are_written_for_people() {
        assert_eq!(label(3 * DAY + 6 * HOUR, 6 * HOUR), "3 d 06:00");
        assert_eq!(label(6 * HOUR + 30 * SECOND, 15 * SECOND), "06:00:30");
        assert_eq!(label(1_250_000, 50_000), "00:00:01.25");
        assert_eq!(
            [0, 1_500_000, 90 * SECOND, 3 * HOUR, DAY + 90 * MINUTE].map(length),
            ["0 s", "1.5 s", "1 min 30 s", "3 h", "1 d 1 h"]
        );
        assert_eq!([0, 12 * SECOND, -250_000, 1].map(seconds), ["0", "12", "-0.25", "0.000001"]);
    }
}
