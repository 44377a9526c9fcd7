//! The values of one axis: a list as written, or a range written out in decimal-clean numbers.

use crate::field::{Field, Value};
use crate::problem::Problem;
use crate::ron_text::{Written, normal_form};
use crate::run_spec::{AxisValue, ColumnKind};
use ron::value::RawValue;
use serde::Deserialize;
use std::sync::Arc;

/// The most values that one axis may have.
const MAX_VALUES: u64 = 1_000_000;

/// What a column prints for a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    /// The value's normal form.
    pub(crate) text: Arc<str>,
    /// Its number, where it is one.
    pub(crate) number: Option<f64>,
}

impl Label {
    /// The label of a piece of RON.
    pub(crate) fn of(text: &str) -> Label {
        let text: Arc<str> = normal_form(text).into();
        let number = text.replace('_', "").parse().ok().filter(|number: &f64| number.is_finite());
        Label { text, number }
    }

    /// Whether it is a whole number that was written without a point.
    pub(crate) fn is_whole(&self) -> bool {
        self.number.is_some() && !self.text.contains(['.', 'e', 'E'])
    }

    /// The cell of a column of this kind.
    pub(crate) fn cell(&self, kind: ColumnKind) -> AxisValue {
        match (kind, self.number) {
            (ColumnKind::Text, _) => AxisValue::Text(Arc::clone(&self.text)),
            (ColumnKind::Int, Some(number)) => AxisValue::Int(number as i64),
            (ColumnKind::Real, Some(number)) => AxisValue::Real(number),
            (ColumnKind::Int | ColumnKind::Real, None) => AxisValue::Missing,
        }
    }
}

/// One value of an axis.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) label: Label,
    pub(crate) value: Value,
}

/// A field and the values it takes, in the order of the text.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) field: &'static Field,
    pub(crate) place: Written,
    pub(crate) choices: Vec<Choice>,
}

/// A value before it is read: its place, and its text, which for a range is computed.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    place: Written,
    computed: Option<String>,
}

impl Item {
    /// A value that stands in the text.
    pub(crate) fn written(place: Written) -> Item {
        Item { place, computed: None }
    }

    /// The value as RON.
    pub(crate) fn text(&self) -> &str {
        self.computed.as_deref().unwrap_or_else(|| self.place.text())
    }

    /// Where it stands, or the range that it is from.
    pub(crate) fn place(&self) -> &Written {
        &self.place
    }

    /// A problem with this value.
    pub(crate) fn problem(&self, message: impl Into<String>) -> Problem {
        self.place.problem(message)
    }
}

impl Axis {
    /// Reads an axis: `key: [..]` or `key: Range(..)`. All bad values are reported.
    pub(crate) fn read(field: &'static Field, key: &Written, value: &Written) -> Result<Axis, Vec<Problem>> {
        let items = items(field.name, value).map_err(|problem| vec![problem])?;
        Axis::of_items(field, key, &items)
    }

    /// Reads an axis with a single value.
    pub(crate) fn single(
        field: &'static Field,
        key: &Written,
        value: &Written,
    ) -> Result<Axis, Vec<Problem>> {
        Axis::of_items(field, key, &[Item::written(value.clone())])
    }

    /// Reads the values of an axis; the same value twice is a problem, as it would count twice in every mean.
    pub(crate) fn of_items(
        field: &'static Field,
        key: &Written,
        items: &[Item],
    ) -> Result<Axis, Vec<Problem>> {
        let axis = Axis::with_repeats(field, key, items)?;
        let mut seen = std::collections::BTreeSet::new();
        let repeated =
            axis.choices.iter().zip(items).filter(|(choice, _)| !seen.insert(&choice.value.canonical));
        let problems: Vec<_> = repeated
            .map(|(choice, item)| {
                item.problem(format!("`{}` has the value {} twice", field.name, choice.label.text))
            })
            .collect();
        if problems.is_empty() { Ok(axis) } else { Err(problems) }
    }

    /// Reads the values of a field in a zip group, where a value may come back.
    pub(crate) fn with_repeats(
        field: &'static Field,
        key: &Written,
        items: &[Item],
    ) -> Result<Axis, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut choices = Vec::with_capacity(items.len());
        for item in items {
            let read = match &item.computed {
                None => field.read(&item.place),
                Some(text) => field.read(&Written::whole("", text)).map_err(|problem| {
                    item.problem(format!("{} (value {text} of the range)", problem.message))
                        .with_help(problem.help)
                }),
            };
            match read {
                Ok(value) => choices.push(Choice { label: Label::of(item.text()), value }),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(Axis { field, place: key.clone(), choices }) } else { Err(problems) }
    }
}

/// Whether a piece of text is a list or a range rather than one value.
pub(crate) fn is_many(written: &Written) -> bool {
    let text = written.text();
    text.starts_with('[') || is_range(text)
}

fn is_range(text: &str) -> bool {
    let name = text.split(['(', ' ', '\n']).next().unwrap_or_default();
    ["Range", "LogRange"].contains(&name)
}

/// The values of a list or a range; at least one.
pub(crate) fn items(name: &str, written: &Written) -> Result<Vec<Item>, Problem> {
    let items: Vec<Item> = if is_range(written.text()) {
        range(written)?
    } else if written.text().starts_with('[') {
        written.items()?.into_iter().map(Item::written).collect()
    } else {
        let help = "write [a, b, ..], Range(from: .., to: .., step: ..), Range(from: .., to: .., count: ..) or \
                    LogRange(from: .., to: .., count: ..)";
        return Err(written.problem(format!("`{name}` needs a list or a range")).with_help(help.to_owned()));
    };
    if items.is_empty() {
        return Err(written
            .problem(format!("`{name}` has no values"))
            .with_help("remove it, or give it values".to_owned()));
    }
    Ok(items)
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

fn range(written: &Written) -> Result<Vec<Item>, Problem> {
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
    Ok(values.into_iter().map(|value| Item { place: written.clone(), computed: Some(text(value)) }).collect())
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
    use super::*;

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
