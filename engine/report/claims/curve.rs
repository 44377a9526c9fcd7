//! Predicates over curves along a numeric axis: crossover, shift of a crossover, monotonicity.

use super::finding::{Value, WITHIN_NOISE, average};
use super::sample::{Curve, Rows, both};
use super::wanted::Range;
use crate::number::{measured, plain, span};
use std::collections::{BTreeMap, BTreeSet};
use table::statistics::{Crossover, Interval, crossover, sample};
use table::{Direction, Filter, Predicate};

/// The value of a crossover, a shift or a monotone curve, or why there is none.
pub(super) fn evaluate(predicate: &Predicate, range: &Range, rows: &Rows<'_>) -> Result<Value, String> {
    match predicate {
        Predicate::Crossover { metric, along, of, versus, .. } => {
            let found = crossings(rows, metric, along, of, versus)?;
            let positions = found.into_values().map(|crossing| crossing.map(|c| (c.at, c.bracket))).collect();
            Ok(judged(positions, range, rows.planned()))
        }
        Predicate::CrossoverShift { metric, along, of, versus, first, second, .. } => {
            let ends =
                [first, second].map(|end| crossings(rows, metric, along, &both(of, end), &both(versus, end)));
            let [first, second] = ends;
            let shifts = shifts(&first?, &second?)?;
            Ok(judged(shifts, range, rows.planned()))
        }
        Predicate::Monotone { metric, along, direction, .. } => {
            monotone(rows.curves(metric, along, &Filter::new())?, *direction)
        }
        _ => Err("not a statement about curves".to_owned()),
    }
}

/// Where a curve falls to another, and the grid points around it.
struct Crossing {
    at: f64,
    bracket: Interval,
}

/// A position (or shift) with its bracket, or why there is none, per replication.
type Positions = Vec<Result<(f64, Interval), String>>;

fn crossings(
    rows: &Rows<'_>,
    metric: &str,
    along: &str,
    of: &Filter,
    versus: &Filter,
) -> Result<BTreeMap<i64, Result<Crossing, String>>, String> {
    let (of, versus) = (rows.curves(metric, along, of)?, rows.curves(metric, along, versus)?);
    let is_level = |curves: &BTreeMap<i64, Curve>| curves.values().all(|curve| curve.len() == 1);
    let (level, line) = (is_level(&versus), is_level(&of));
    let mut found = BTreeMap::new();
    for (replication, curve) in &of {
        let Some(versus) = versus.get(replication) else { continue };
        let points = if line && !level {
            // A level line falls below a curve that rises.
            facing(versus, curve, true).into_iter().map(|(x, curve, line)| (x, line, curve)).collect()
        } else {
            facing(curve, versus, level)
        };
        let points = comparable(points);
        if points.len() > 1 {
            found.insert(*replication, crossing(&points));
        }
    }
    if found.is_empty() {
        return Err("the two curves have fewer than two points in common".to_owned());
    }
    Ok(found)
}

/// The points (x, curve, other) at which both curves, or the curve and the level line, have a value.
fn facing(curve: &Curve, versus: &Curve, level: bool) -> Vec<(f64, f64, f64)> {
    match (level, versus.first()) {
        (true, Some((_, value))) => curve.iter().map(|(x, of)| (*x, *of, *value)).collect(),
        _ => {
            let at = |x: f64| versus.iter().find(|(other, _)| plain(*other) == plain(x));
            curve.iter().filter_map(|(x, of)| at(*x).map(|(_, versus)| (*x, *of, *versus))).collect()
        }
    }
}

/// Points at which both curves are unstable cannot be compared.
fn comparable(mut points: Vec<(f64, f64, f64)>) -> Vec<(f64, f64, f64)> {
    points.retain(|(_, of, versus)| of.is_finite() || versus.is_finite());
    points
}

fn crossing(points: &[(f64, f64, f64)]) -> Result<Crossing, String> {
    let x: Vec<f64> = points.iter().map(|point| point.0).collect();
    let of: Vec<f64> = points.iter().map(|point| point.1).collect();
    let versus: Vec<f64> = points.iter().map(|point| point.2).collect();
    let ends = (x.first().copied().unwrap_or_default(), x.last().copied().unwrap_or_default());
    match crossover(&x, &of, &versus) {
        Some(Crossover::At(at)) => {
            let above = of.iter().zip(&versus).position(|(of, versus)| of <= versus).unwrap_or(0);
            let low = above.checked_sub(1).and_then(|before| x.get(before)).copied().unwrap_or(at);
            let high = x.get(above).copied().unwrap_or(at);
            Ok(Crossing { at, bracket: Interval { low, high } })
        }
        Some(Crossover::AboveLast) => Err(format!("the curves do not cross up to {}", plain(ends.1))),
        Some(Crossover::BelowFirst) => {
            Err(format!("the curve is not above at the first point, {}", plain(ends.0)))
        }
        None => Err("the curves cannot be compared".to_owned()),
    }
}

/// Second minus first, in the replications that have both curves.
fn shifts(
    first: &BTreeMap<i64, Result<Crossing, String>>,
    second: &BTreeMap<i64, Result<Crossing, String>>,
) -> Result<Positions, String> {
    let shift = |replication: &i64, first: &Result<Crossing, String>| {
        let second = second.get(replication)?;
        Some(match (first, second) {
            (Ok(first), Ok(second)) => {
                let low = second.bracket.low - first.bracket.high;
                let high = second.bracket.high - first.bracket.low;
                Ok((second.at - first.at, Interval { low, high }))
            }
            (Err(reason), _) => Err(format!("first: {reason}")),
            (_, Err(reason)) => Err(format!("second: {reason}")),
        })
    };
    let shifts: Positions =
        first.iter().filter_map(|(replication, first)| shift(replication, first)).collect();
    if shifts.is_empty() {
        Err("the two crossovers have no replication in common".to_owned())
    } else {
        Ok(shifts)
    }
}

/// The mean position, judged by the rule of halves that the documentation of the module states.
fn judged(positions: Positions, range: &Range, planned: usize) -> Value {
    let all = positions.len();
    let missing = positions.iter().find_map(|position| position.as_ref().err().cloned());
    let found: Vec<(f64, Interval)> = positions.into_iter().filter_map(Result::ok).collect();
    let at: Vec<f64> = found.iter().map(|(at, _)| *at).collect();
    // Replications without a crossover are told below, not as lost ones.
    let lost_only = if missing.is_some() { planned.saturating_sub(all - at.len()) } else { planned };
    let Ok(mut value) = Value::of(&at, range, lost_only) else {
        let reason = missing.unwrap_or_else(|| "no position".to_owned());
        return Value { measured: None, interval: None, holds: false, reason };
    };
    if let [(_, bracket)] = found.as_slice() {
        value.interval = Some(*bracket);
        value.reason = format!("bracketed by grid points {} … {}", plain(bracket.low), plain(bracket.high));
        if planned > 1 {
            value.reason.push_str(&format!("; one of {planned} replications"));
        }
    }
    if let Some(reason) = missing {
        let count = found.len();
        value.reason = format!("{}; only {count} of {all} replications cross ({reason})", value.reason);
        value.holds = value.holds && count * 2 >= all;
    }
    value
}

/// One step of a curve: its ends and its change, oriented so that a positive change goes the wrong way.
struct Step {
    from: f64,
    to: f64,
    wrong: Vec<f64>,
}

fn monotone(curves: BTreeMap<i64, Curve>, direction: Direction) -> Result<Value, String> {
    let planned = curves.len();
    let grid: BTreeSet<String> = curves.values().flatten().map(|(x, _)| plain(*x)).collect();
    if grid.len() < 2 {
        return Err("the curve has fewer than two points".to_owned());
    }
    let whole: Vec<Curve> = curves.into_values().filter(|curve| curve.len() == grid.len()).collect();
    if whole.is_empty() {
        return Err("no replication has every point of the curve".to_owned());
    }
    let sign = match direction {
        Direction::Falls => 1.0,
        Direction::Rises => -1.0,
    };
    let steps: Vec<Step> = (1..grid.len()).map(|end| step(&whole, end, sign)).collect();
    // A step between two unstable points goes no way.
    let change = |step: &Step| average(&step.wrong).filter(|mean| !mean.is_nan()).unwrap_or(f64::INFINITY);
    let right = steps.iter().filter(|step| change(step) <= 0.0).count();
    let Some(worst) = steps.iter().max_by(|a, b| change(a).total_cmp(&change(b))) else {
        return Err("the curve has no step".to_owned());
    };
    let share = right as f64 / steps.len() as f64;
    let mut reason = format!("{right} of {} steps; {}", steps.len(), described(worst, sign));
    if whole.len() < planned {
        reason.push_str(&format!("; {} of {planned} replications have the whole curve", whole.len()));
    }
    Ok(Value { measured: Some(share), interval: None, holds: right == steps.len(), reason })
}

fn step(curves: &[Curve], end: usize, sign: f64) -> Step {
    let x = |index: usize| curves.first().and_then(|curve| curve.get(index)).map_or(0.0, |point| point.0);
    let wrong = |curve: &Curve| Some(sign * (curve.get(end)?.1 - curve.get(end - 1)?.1));
    Step { from: x(end - 1), to: x(end), wrong: curves.iter().filter_map(wrong).collect() }
}

fn described(worst: &Step, sign: f64) -> String {
    let sample = sample(&worst.wrong);
    if worst.wrong.iter().any(|change| !change.is_finite()) {
        return format!("from {} to {} a run is unstable", plain(worst.from), plain(worst.to));
    }
    let mean = sample.mean.unwrap_or_default();
    let name = if mean > 0.0 { "worst" } else { "flattest" };
    let text = format!("{name} from {} to {}: {}", plain(worst.from), plain(worst.to), measured(sign * mean));
    match sample.interval {
        Some(Interval { low, high }) => {
            let clarity = if low > 0.0 || high <= 0.0 { "clear" } else { WITHIN_NOISE };
            let (low, high) = if sign > 0.0 { (low, high) } else { (-high, -low) };
            format!("{text} ({}, {clarity})", span(low, high))
        }
        None => text,
    }
}
