//! Quantities: numbers made of metrics, per replication, in a place; and the predicates that are about them.

use super::finding::{Finding, Value, WITHIN_NOISE, average, mean_text};
use super::sample::{Curve, Rows, both, cell_text, place};
use super::wanted::{Range, Wanted};
use crate::number::{measured, plain};
use std::collections::{BTreeMap, BTreeSet};
use table::statistics::{sample, student_975};
use table::{Except, Filter, Predicate, Quantity};

/// A value per replication.
pub(crate) type Values = BTreeMap<i64, f64>;

/// The quantity in a place, per replication, or why there is none.
pub(crate) fn values(quantity: &Quantity, rows: &Rows<'_>, at: &Filter) -> Result<Values, String> {
    match quantity {
        Quantity::Metric { metric, of } => rows.values(metric, &both(at, of)),
        Quantity::Ratio { metric, over_metric, of, over } => {
            let below = over_metric.as_deref().unwrap_or(metric);
            quotients(rows, (metric, &both(at, of)), (below, &both(at, over)))
        }
        Quantity::Reduction { metric, of, over } => {
            let mut values = quotients(rows, (metric, &both(at, of)), (metric, &both(at, over)))?;
            values.values_mut().for_each(|value| *value = 1.0 - *value);
            Ok(values)
        }
        Quantity::Mean { of, across, only, except } => mean(of, across, (&both(at, only), except), rows, at),
        Quantity::Interpolated { metric, along, of, at: position, plus } => {
            let curves = rows.curves(metric, along, &both(at, of))?;
            let positions = values(position, rows, at)?;
            let read = |(replication, position): (i64, f64)| {
                Some((replication, interpolated(curves.get(&replication)?, position + plus)?))
            };
            let values: Values = positions.into_iter().filter_map(read).collect();
            if values.is_empty() {
                return Err(format!(
                    "{} lies beyond the ends of {along}, or on another replication",
                    text(position)
                ));
            }
            Ok(values)
        }
        Quantity::Difference { of, minus } => {
            let (of, minus) = (values(of, rows, at)?, values(minus, rows, at)?);
            differences(&of, &minus)
        }
    }
}

fn quotients(rows: &Rows<'_>, above: (&str, &Filter), below: (&str, &Filter)) -> Result<Values, String> {
    let (of, over) = (rows.values(above.0, above.1)?, rows.values(below.0, below.1)?);
    let pairs: Vec<(i64, f64, f64)> =
        of.iter().filter_map(|(r, of)| Some((*r, *of, *over.get(r)?))).collect();
    if pairs.is_empty() {
        return Err("the two cases have no replication in common".to_owned());
    }
    let quotients: Values =
        pairs.iter().filter(|pair| pair.2 != 0.0).map(|(r, of, over)| (*r, of / over)).collect();
    if quotients.is_empty() {
        Err(format!("{} is 0 with {}", below.0, place(&[below.1])))
    } else {
        Ok(quotients)
    }
}

/// A curve at a position between its points; nothing beyond its ends.
fn interpolated(curve: &Curve, at: f64) -> Option<f64> {
    let after = curve.iter().position(|(x, _)| *x >= at)?;
    let (x, y) = curve[after];
    if x == at {
        return Some(y);
    }
    let (before, low) = *curve.get(after.checked_sub(1)?)?;
    if low.is_infinite() || y.is_infinite() {
        return Some(f64::INFINITY);
    }
    Some(low + (y - low) * (at - before) / (x - before))
}

fn differences(of: &Values, minus: &Values) -> Result<Values, String> {
    let values: Values = of.iter().filter_map(|(r, of)| Some((*r, of - minus.get(r)?))).collect();
    if values.is_empty() { Err("the two parts have no replication in common".to_owned()) } else { Ok(values) }
}

fn mean(
    of: &Quantity,
    across: &[String],
    (only, except): (&Filter, &Except),
    rows: &Rows<'_>,
    at: &Filter,
) -> Result<Values, String> {
    let places = places(rows, across, only, except)?;
    let all: Vec<Values> =
        places.iter().map(|inner| values(of, rows, &both(at, inner))).collect::<Result<_, _>>()?;
    let Some((first, rest)) = all.split_first() else { return Err("nothing to average".to_owned()) };
    let mean = |replication: &i64, value: &f64| {
        let others: Option<Vec<f64>> = rest.iter().map(|values| values.get(replication).copied()).collect();
        let values = std::iter::once(*value).chain(others?).collect::<Vec<f64>>();
        Some((*replication, average(&values)?))
    };
    let means: Values = first.iter().filter_map(|(replication, value)| mean(replication, value)).collect();
    if means.is_empty() {
        return Err(format!("no replication has a value for every {}", across.join(" and ")));
    }
    Ok(means)
}

/// The distinct values of some columns in the rows that match, in order of first appearance. A row that lacks one of the
/// columns has no place in it.
pub(super) fn places(
    rows: &Rows<'_>,
    columns: &[String],
    only: &Filter,
    except: &Except,
) -> Result<Vec<Filter>, String> {
    for column in columns.iter().chain(except.keys()) {
        rows.known(column)?;
    }
    let matching = rows.matching(only)?;
    if matching.is_empty() {
        return Err(format!("no run with {}", place(&[only])));
    }
    let cell =
        |column: &String, row: usize| rows.runs.column(column).and_then(|found| cell_text(&found.cells, row));
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    for row in rows.runs.except(matching, except).map_err(|error| error.to_string())? {
        let here: Option<Filter> =
            columns.iter().map(|column| Some((column.clone(), cell(column, row)?))).collect();
        let Some(here) = here else { continue };
        if seen.insert(here.clone()) {
            places.push(here);
        }
    }
    if places.is_empty() { Err(format!("no run is left with {}", place(&[only]))) } else { Ok(places) }
}

/// Whether a value as written means a cell as printed.
fn same(value: &str, cell: &str) -> bool {
    value == cell || value.trim().parse::<f64>().is_ok_and(|value| cell.parse() == Ok(value))
}

/// What a quantity is, in words.
pub(super) fn text(quantity: &Quantity) -> String {
    let case = |metric: &str, of: &Filter| match of.is_empty() {
        true => metric.to_owned(),
        false => format!("{metric}({})", place(&[of])),
    };
    match quantity {
        Quantity::Metric { metric, of } => case(metric, of),
        Quantity::Ratio { metric, over_metric, of, over } => {
            format!("{} / {}", case(metric, of), case(over_metric.as_deref().unwrap_or(metric), over))
        }
        Quantity::Reduction { metric, of, over } => {
            format!("1 − {} / {}", case(metric, of), case(metric, over))
        }
        Quantity::Mean { of, across, only, except } => {
            let mut rows = vec![format!("mean over {}", across.join(" and "))];
            rows.extend((!only.is_empty()).then(|| format!("with {}", place(&[only]))));
            rows.extend(
                except.iter().map(|(column, values)| format!("{column} not {}", values.join(" or "))),
            );
            format!("{} of ({})", rows.join(", "), text(of))
        }
        Quantity::Interpolated { metric, along, of, at, plus } => {
            let plus = if *plus == 0.0 {
                String::new()
            } else {
                format!(" {} {}", if *plus < 0.0 { "−" } else { "+" }, plain(plus.abs()))
            };
            format!("{} at {along} = {}{plus}", case(metric, of), text(at))
        }
        Quantity::Difference { of, minus } => format!("({}) − ({})", text(of), text(minus)),
    }
}

/// The rows that make the groups of a predicate about a quantity.
pub(super) struct Groups<'a> {
    pub only: &'a Filter,
    pub except: &'a Except,
    pub for_each: &'a [String],
}

impl Groups<'_> {
    /// The groups with their labels; one without a label where there is no column to go through.
    fn of(&self, rows: &Rows<'_>) -> Result<Vec<(String, Filter)>, String> {
        let label = |place: &Filter| {
            let pair = |column: &String| format!("{column}={}", place.get(column).map_or("", String::as_str));
            self.for_each.iter().map(pair).collect::<Vec<_>>().join(", ")
        };
        let places = places(rows, self.for_each, self.only, self.except)?;
        Ok(places.into_iter().map(|place| (label(&place), both(self.only, &place))).collect())
    }
}

/// The findings of a predicate about a quantity in one mode; `None` for one about something else.
pub(super) fn findings(predicate: &Predicate, wanted: &Wanted, rows: &Rows<'_>) -> Option<Vec<Finding>> {
    let range = &wanted.range;
    Some(match predicate {
        Predicate::Value { value, only, except, for_each, .. } => {
            each(&Groups { only, except, for_each }, wanted, rows, |at| {
                let values = of(value, rows, at)?;
                Value::of(&values, range, rows.planned())
            })
        }
        Predicate::Agrees { value, published, rounding, samples, only, except, for_each } => {
            each(&Groups { only, except, for_each }, wanted, rows, |at| {
                let values = of(value, rows, at)?;
                agreement(&values, *published, *rounding, *samples)
            })
        }
        Predicate::Largest { value, along, at: best, only, except, for_each, in_at_least } => {
            let groups = Groups { only, except, for_each };
            let margin = |place: &Filter| largest(value, (along, best), (place, except), rows);
            match in_at_least {
                None => each(&groups, wanted, rows, margin),
                Some(_) => vec![counted(&groups, wanted, rows, margin)],
            }
        }
        _ => return None,
    })
}

fn of(quantity: &Quantity, rows: &Rows<'_>, at: &Filter) -> Result<Vec<f64>, String> {
    Ok(values(quantity, rows, at)?.into_values().collect())
}

pub(super) fn each(
    groups: &Groups<'_>,
    wanted: &Wanted,
    rows: &Rows<'_>,
    value: impl Fn(&Filter) -> Result<Value, String>,
) -> Vec<Finding> {
    let places = match groups.of(rows) {
        Ok(places) => places,
        Err(reason) => return vec![Finding::untestable(String::new(), wanted.text.clone(), reason)],
    };
    let finding = |(label, place): (String, Filter)| match value(&place) {
        Ok(value) => Finding::tested(label, wanted.text.clone(), value),
        Err(reason) => Finding::untestable(label, wanted.text.clone(), reason),
    };
    places.into_iter().map(finding).collect()
}

/// One finding for all groups: in how many of them the predicate holds.
fn counted(
    groups: &Groups<'_>,
    wanted: &Wanted,
    rows: &Rows<'_>,
    value: impl Fn(&Filter) -> Result<Value, String>,
) -> Finding {
    let count = || {
        let places = groups.of(rows)?;
        let (mut holds, mut reasons, mut noisy) = (0_u32, Vec::new(), 0_usize);
        for (label, place) in &places {
            let found = value(place).map_err(|reason| format!("{label}: {reason}"))?;
            holds += u32::from(found.holds);
            noisy += usize::from(found.reason.contains(WITHIN_NOISE));
            reasons.push(format!("{label}: {}", found.reason.split(';').next().unwrap_or_default()));
        }
        let count = f64::from(holds);
        let noise = if noisy > 0 { format!("; {noisy} of them {WITHIN_NOISE}") } else { String::new() };
        let reason = format!("{holds} of {}: {}{noise}", places.len(), reasons.join(", "));
        Ok(Value { measured: Some(count), interval: None, holds: wanted.range.holds(count), reason })
    };
    match count() {
        Ok(value) => Finding::tested(String::new(), wanted.text.clone(), value),
        Err(reason) => Finding::untestable(String::new(), wanted.text.clone(), reason),
    }
}

/// How far the quantity at one value of a column is above the best of the others, which is chosen by its mean.
fn largest(
    quantity: &Quantity,
    (along, best): (&str, &str),
    (at, except): (&Filter, &Except),
    rows: &Rows<'_>,
) -> Result<Value, String> {
    let column = [along.to_owned()];
    let (mut wanted, mut runner_up) = (None, None::<(f64, String, Values)>);
    for place in places(rows, &column, at, except)? {
        let name = place.get(along).cloned().unwrap_or_default();
        let found =
            values(quantity, rows, &both(at, &place)).map_err(|reason| format!("{name}: {reason}"))?;
        let all: Vec<f64> = found.values().copied().collect();
        let mean = average(&all).ok_or("the mean is beyond the range of numbers")?;
        if same(best, &name) {
            wanted = Some((mean, found));
        } else if runner_up.as_ref().is_none_or(|(other, ..)| mean > *other) {
            runner_up = Some((mean, name, found));
        }
    }
    let (mean, wanted) = wanted.ok_or_else(|| format!("no run with {along}={best}"))?;
    let (other, name, values) =
        runner_up.ok_or_else(|| format!("no run with another {along} than {best}"))?;
    let margins: Vec<f64> = differences(&wanted, &values)?.into_values().collect();
    let range = Range { above: Some(0.0), ..Range::default() };
    let mut value = Value::of(&margins, &range, rows.planned())?;
    value.reason =
        format!("{} against {} at {name}; {}", mean_text(&[mean]), mean_text(&[other]), value.reason);
    Ok(value)
}

/// Whether a mean and a published mean could be of samples of one distribution.
fn agreement(values: &[f64], published: f64, rounding: f64, samples: u32) -> Result<Value, String> {
    if values.iter().any(|value| !value.is_finite()) {
        let reason = "infinite or undefined, as a run is unstable".to_owned();
        return Ok(Value { measured: None, interval: None, holds: false, reason });
    }
    let sample = sample(values);
    let mean = sample.mean.ok_or("the mean is beyond the range of numbers")?;
    // The last digit of a sum of decimal fractions is noise.
    let slack = rounding * (1.0 + 1e-9);
    let spread = sample
        .sd
        .zip(student_975(sample.n.saturating_sub(1)))
        .map(|(sd, t)| t * sd * (1.0 / sample.n as f64 + 1.0 / f64::from(samples.max(1))).sqrt());
    let reach = slack + spread.unwrap_or(0.0);
    let distance = (mean - published).abs();
    let reason = match spread {
        Some(spread) => format!(
            "{} away, {} expected of {samples} and {} replications",
            measured(distance),
            measured(spread),
            sample.n
        ),
        None => format!("{} away; one run, no interval, rounding {}", measured(distance), plain(rounding)),
    };
    Ok(Value { measured: Some(mean), interval: sample.interval, holds: distance <= reach, reason })
}

#[cfg(test)]
mod interpolation {
    use super::interpolated;

    #[test]
    fn curves_are_read_off_between_their_points() {
        let curve = vec![(0.0, 10.0), (1.0, 20.0), (3.0, 40.0), (4.0, f64::INFINITY)];
        let read = |at| interpolated(&curve, at);
        assert_eq!([0.0, 0.25, 1.0, 2.0, 3.0].map(read), [10.0, 12.5, 20.0, 30.0, 40.0].map(Some));
        assert_eq!([3.5, 4.0].map(read), [Some(f64::INFINITY); 2]);
        assert_eq!([-0.1, 4.1, f64::NAN].map(read), [None; 3]);
    }
}
