//! Ranges written out in decimal-clean numbers: `Range(from, to, step)`, `Range(from, to, count)`, `LogRange(from, to, count)`.

use crate::axis::Label;
use crate::problem::Problem;
use crate::ron_text::Written;
use ron::value::RawValue;
use serde::Deserialize;

/// The most values that one range may have.
const MAX_VALUES: u64 = 1_000_000;

/// Whether a piece of text is a range.
pub(crate) fn is_range(text: &str) -> bool {
    let name = text.split(['(', ' ', '\n']).next().unwrap_or_default();
    ["Range", "LogRange"].contains(&name)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
enum RawRange<'a> {
    Range {
        #[serde(borrow)]
        from: &'a RawValue,
        #[serde(borrow)]
        to: &'a RawValue,
        #[serde(borrow, default)]
        step: Option<&'a RawValue>,
        #[serde(borrow, default)]
        count: Option<&'a RawValue>,
    },
    LogRange {
        #[serde(borrow)]
        from: &'a RawValue,
        #[serde(borrow)]
        to: &'a RawValue,
        #[serde(borrow)]
        count: &'a RawValue,
    },
}

/// A number of a range and whether it was written as a whole one.
struct Bound {
    value: f64,
    whole: bool,
    place: Written,
}

fn bound(written: &Written, raw: &RawValue) -> Result<Bound, Problem> {
    let place = written.place(raw);
    let value: f64 = place.read()?;
    if !value.is_finite() {
        return Err(place.problem("a range needs finite numbers"));
    }
    Ok(Bound { value, whole: Label::of(place.text()).is_whole(), place })
}

/// The values of a range, as RON.
pub(crate) fn range(written: &Written) -> Result<Vec<String>, Problem> {
    let (values, whole) = match written.read()? {
        RawRange::Range { from, to, step, count } => {
            let (from, to) = (bound(written, from)?, bound(written, to)?);
            let whole = from.whole && to.whole;
            match (step, count) {
                (Some(step), None) => {
                    let step = bound(written, step)?;
                    (by_step(&from, &to, &step)?, whole && step.whole)
                }
                (None, Some(raw)) => {
                    (by_count(&from, &to, count_of(written, raw, &from, &to)?, linear), whole)
                }
                _ => return Err(written.problem("a range needs either `step` or `count`")),
            }
        }
        RawRange::LogRange { from, to, count } => {
            let (from, to) = (bound(written, from)?, bound(written, to)?);
            if let Some(low) = [&from, &to].into_iter().find(|bound| bound.value <= 0.0) {
                return Err(low.place.problem("a logarithmic range needs numbers above zero"));
            }
            let count = count_of(written, count, &from, &to)?;
            (by_count(&from, &to, count, logarithmic), from.whole && to.whole)
        }
    };
    let whole = whole && values.iter().all(|value| value.fract() == 0.0 && value.abs() < 1e15);
    let text = |value: f64| if whole { format!("{}", value as i64) } else { format!("{value:?}") };
    Ok(values.into_iter().map(text).collect())
}

fn by_step(from: &Bound, to: &Bound, step: &Bound) -> Result<Vec<f64>, Problem> {
    let distance = to.value - from.value;
    if step.value == 0.0 {
        return Err(step.place.problem("a range with step 0 never ends"));
    }
    if distance * step.value < 0.0 {
        let message = format!("step {} leads away from {}", step.place.text(), to.place.text());
        return Err(step
            .place
            .problem(message)
            .with_help("change the sign of `step`, or swap `from` and `to`".to_owned()));
    }
    // A billionth of a step absorbs the rounding of the division without inventing a value beyond `to`.
    let last = libm::floor(distance / step.value + 1e-9);
    if last >= MAX_VALUES as f64 {
        return Err(step.place.problem(format!("the range has more than {MAX_VALUES} values")));
    }
    Ok((0..=last as u64).map(|i| clean(from.value + i as f64 * step.value)).collect())
}

fn count_of(written: &Written, raw: &RawValue, from: &Bound, to: &Bound) -> Result<u64, Problem> {
    let place = written.place(raw);
    let count: u64 = place.read()?;
    match count {
        0 => Err(place.problem("a range with count 0 has no values")),
        1 if from.value != to.value => Err(place.problem(format!(
            "one value cannot reach from {} to {}",
            from.place.text(),
            to.place.text()
        ))),
        _ if count > MAX_VALUES => Err(place.problem(format!("the range has more than {MAX_VALUES} values"))),
        _ => Ok(count),
    }
}

fn by_count(from: &Bound, to: &Bound, count: u64, between: fn(f64, f64, f64) -> f64) -> Vec<f64> {
    let last = count.saturating_sub(1);
    (0..count)
        .map(|i| match i {
            0 => from.value,
            i if i == last => to.value,
            i => clean(between(from.value, to.value, i as f64 / last as f64)),
        })
        .collect()
}

fn linear(from: f64, to: f64, share: f64) -> f64 {
    from + (to - from) * share
}

fn logarithmic(from: f64, to: f64, share: f64) -> f64 {
    from * libm::pow(to / from, share)
}

/// The number a person would write: rounded to 12 significant digits, so that 3 · 0.05 is 0.15.
fn clean(value: f64) -> f64 {
    let rounded = format!("{value:.11e}").parse().unwrap_or(value);
    // −0.0 and a remainder of a subtraction that should be zero both print badly.
    if rounded == 0.0 { 0.0 } else { rounded }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::axis::items;
    use crate::ron_text::Written;

    fn texts(text: &str) -> Result<Vec<String>, String> {
        let items = items("speedup", &Written::whole("f", text)).map_err(|problem| problem.to_string())?;
        Ok(items.iter().map(|item| item.text().to_owned()).collect())
    }

    #[test]
    fn ranges_end_inclusively_in_clean_decimals() {
        let eleven = texts("Range(from: 0.0, to: 0.5, step: 0.05)").unwrap();
        assert_eq!(
            eleven,
            ["0.0", "0.05", "0.1", "0.15", "0.2", "0.25", "0.3", "0.35", "0.4", "0.45", "0.5"]
        );
        assert_eq!(texts("Range(from: 0.0, to: 0.5, count: 11)").unwrap(), eleven);
        assert_eq!(texts("Range(from: 1, to: 10, step: 4)").unwrap(), ["1", "5", "9"]);
        assert_eq!(texts("Range(from: 4, to: 1, step: -1)").unwrap(), ["4", "3", "2", "1"]);
        assert_eq!(texts("Range(from: 1, to: 2, count: 3)").unwrap(), ["1.0", "1.5", "2.0"]);
        assert_eq!(texts("Range(from: 3, to: 3, step: 1)").unwrap(), ["3"]);
        assert_eq!(texts("LogRange(from: 1, to: 1000, count: 4)").unwrap(), ["1", "10", "100", "1000"]);
        assert_eq!(texts("LogRange(from: 0.01, to: 1.0, count: 3)").unwrap(), ["0.01", "0.1", "1.0"]);
        assert_eq!(texts("Range(from: -0.1, to: 0.1, step: 0.1)").unwrap(), ["-0.1", "0.0", "0.1"]);
    }

    #[test]
    fn bad_ranges_say_why() {
        let cases = [
            ("Range(from: 0.0, to: 1.0, step: 0.0)", "f:1:33: a range with step 0 never ends"),
            ("Range(from: 0.0, to: 1.0, step: -0.1)", "f:1:33: step -0.1 leads away from 1.0"),
            ("Range(from: 1, to: 0, step: 1)", "f:1:29: step 1 leads away from 0"),
            ("Range(from: 0, to: 1, count: 0)", "f:1:30: a range with count 0 has no values"),
            ("Range(from: 0, to: 1, count: 1)", "f:1:30: one value cannot reach from 0 to 1"),
            ("Range(from: 0, to: 1)", "f:1:1: a range needs either `step` or `count`"),
            ("Range(from: 0, to: 1, step: 1, count: 2)", "f:1:1: a range needs either `step` or `count`"),
            ("Range(from: 0, to: inf, step: 1)", "f:1:20: a range needs finite numbers"),
            ("Range(from: 0, to: 1, step: 1e-9)", "f:1:29: the range has more than 1000000 values"),
            ("LogRange(from: 0, to: 1, count: 3)", "f:1:16: a logarithmic range needs numbers above zero"),
            ("Range(from: 0, two: 1, step: 1)", "f:1:16: unknown field `two` in Range"),
            ("[]", "f:1:1: `speedup` has no values"),
            ("0.5", "f:1:1: `speedup` needs a list or a range"),
        ];
        for (text, wanted) in cases {
            let error = texts(text).unwrap_err();
            assert!(error.starts_with(wanted), "{text}: {error}");
        }
    }
}
