//! Lengths of time and sizes, with their units.

use std::time::Duration;

/// Units of time and their seconds.
const TIMES: &[(&str, f64)] = &[("s", 1.0), ("m", 60.0), ("min", 60.0), ("h", 3600.0), ("d", 86_400.0)];

/// Units of size and their bytes.
const SIZES: &[(&str, f64)] = &[
    ("B", 1.0),
    ("kB", 1e3),
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
];

/// A length of time above zero: numbers with units, the larger units first, such as `90s`, `30m`, `1h30m`, `1.5h`, `7d`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected =
        || format!("`{text}` is no length of time: a number with s, m, h or d, such as 30m or 1h30m");
    let (mut seconds, mut rest, mut last) = (0.0, text.trim(), f64::INFINITY);
    while !rest.is_empty() {
        let (number, unit, after) = quantity(rest).ok_or_else(expected)?;
        let (_, size) = TIMES.iter().find(|(name, _)| *name == unit).ok_or_else(expected)?;
        if *size >= last {
            return Err(expected());
        }
        seconds += number * size;
        (rest, last) = (after, *size);
    }
    if last.is_infinite() {
        return Err(expected());
    }
    match Duration::try_from_secs_f64(seconds) {
        Ok(length) if !length.is_zero() => Ok(length),
        Ok(_) => Err("more than zero is needed".to_owned()),
        Err(_) => Err(format!("`{text}` is too long")),
    }
}

/// An instant of a workload in microseconds: a length of time since its origin, or seconds without a unit. Zero is allowed.
pub fn instant(text: &str) -> Result<i64, String> {
    let seconds = match text.trim().parse::<f64>() {
        Ok(seconds) if text.trim().starts_with(|c: char| c.is_ascii_digit()) => seconds,
        _ => duration(text).map_err(|_| {
            format!("`{text}` is no time: seconds since the origin of the workload, or with units, such as 2d12h")
        })?.as_secs_f64(),
    };
    if seconds > sim::time::MAX_SECONDS as f64 {
        return Err(format!("`{text}` is too late"));
    }
    Ok(sim::time::Span::from_secs_f64(seconds).0)
}

/// A size in bytes above zero: a number with its unit, such as `500MB` (10⁶ bytes each) or `8GiB` (2³⁰ each).
pub fn size(text: &str) -> Result<u64, String> {
    let expected =
        || format!("`{text}` is no size: a number with B, kB, MB, GB, TB, KiB, MiB, GiB or TiB, such as 8GB");
    let (number, unit, after) = quantity(text.trim()).ok_or_else(expected)?;
    let (_, bytes) = SIZES.iter().find(|(name, _)| *name == unit).ok_or_else(expected)?;
    if !after.is_empty() {
        return Err(expected());
    }
    match (number * bytes).round() {
        bytes if bytes < 1.0 => Err("more than zero is needed".to_owned()),
        bytes if bytes >= u64::MAX as f64 => Err(format!("`{text}` is too large")),
        bytes => Ok(bytes as u64),
    }
}

/// A number, its unit, and what follows.
fn quantity(text: &str) -> Option<(f64, &str, &str)> {
    let of_number = |c: char| c.is_ascii_digit() || c == '.';
    let unit = text.find(|c| !of_number(c))?;
    let (number, rest) = text.split_at(unit);
    let rest = rest.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let (unit, after) = rest.split_at(end);
    Some((number.parse().ok()?, unit, after.trim_start()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lengths_of_time_need_units() {
        let seconds = |text: &str| duration(text).map(|length| length.as_secs_f64());
        for (text, expected) in [
            ("90s", 90.0),
            ("30m", 1800.0),
            ("30 min", 1800.0),
            ("8h", 28_800.0),
            ("1h30m", 5400.0),
            ("1.5h", 5400.0),
            ("7d", 604_800.0),
            ("1d 2h 3m 4.5s", 93_784.5),
            ("0h1s", 1.0),
        ] {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
        for text in ["", "30", "m", "30x", "-3h", "3h-", "30m1h", "1h1h", "1..5h", ".h", "1e3s", "nans", "h3"]
        {
            let problem = seconds(text).unwrap_err();
            assert!(problem.contains("is no length of time") && problem.contains(text), "{problem}");
        }
        assert_eq!(seconds("0s"), Err("more than zero is needed".to_owned()));
        assert!(seconds("99999999999999999999d").unwrap_err().contains("too long"));
    }

    #[test]
    fn instants_are_seconds_or_have_units() {
        for (text, us) in [
            ("0", 0),
            ("1.5", 1_500_000),
            ("90", 90_000_000),
            ("1h30m", 5_400_000_000),
            ("2d", 172_800_000_000),
        ] {
            assert_eq!(instant(text), Ok(us), "{text}");
        }
        for text in ["", "-1", "nan", "inf", "1x", "h"] {
            assert!(instant(text).unwrap_err().contains("is no time"), "{text}");
        }
        assert!(instant("1e300").unwrap_err().contains("too late"));
    }

    #[test]
    fn sizes_need_units() {
        for (text, expected) in
            [("8GB", 8_000_000_000), ("8 GiB", 8 << 30), ("1.5MB", 1_500_000), ("100B", 100), ("2kB", 2000)]
        {
            assert_eq!(size(text), Ok(expected), "{text}");
        }
        for text in ["", "8", "8gb", "8G", "GB", "8GB4MB", "-1GB", "8 GB x", "∞GB"] {
            let problem = size(text).unwrap_err();
            assert!(problem.contains("is no size") && problem.contains(text), "{problem}");
        }
        assert_eq!(size("0GB"), Err("more than zero is needed".to_owned()));
        assert_eq!(size("0.1B"), Err("more than zero is needed".to_owned()));
        assert!(size("99999999999TB").unwrap_err().contains("too large"));
    }
}
