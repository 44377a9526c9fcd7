//! Figures of the groups table: cumulative shares over the bounds of a grouping of jobs, or a metric group by group.

use super::data::{Curve, Panel, Picture, Point, in_order};
use super::{Figure, draw_picture};
use crate::claims::{cell_text, place};
use crate::error::ReportError;
use crate::grouped::upper_bound;
use std::collections::BTreeMap;
use table::statistics::sample;
use table::{FigureKind, FigureSpec, Frame};

/// One group's value in one replication.
pub(super) struct Value {
    /// Infinite for the open last group.
    bound: f64,
    label: String,
    value: f64,
}

/// The rows of one curve.
#[derive(Default)]
pub(super) struct Cases {
    /// A row of each replication's first group, to tell cases apart.
    first: BTreeMap<i64, usize>,
    /// By replication.
    groups: BTreeMap<i64, Vec<Value>>,
}

/// Mode, panel and series of a curve.
pub(super) type Key = [String; 3];

/// Draws a figure of the groups table, once per mode that has a value.
///
/// # Errors
/// If the figure names a column that the table lacks, if several cases compete for one curve, or if there is nothing to draw.
pub fn draw_groups(spec: &FigureSpec, groups: &Frame, axes: &[String]) -> Result<Vec<Figure>, ReportError> {
    let error = ReportError::table("groups");
    let mut wanted = spec.only.clone();
    wanted.insert("grouping".to_owned(), spec.x.clone());
    let used = groups.filter(&wanted).and_then(|used| groups.except(used, &spec.except));
    let rows = groups.select(&used.map_err(&error)?);
    let curves = curves(spec, &rows, axes)?;
    let kind = match spec.kind {
        FigureKind::Groups => FigureKind::Groups,
        FigureKind::GroupBars => FigureKind::Bars,
        _ => FigureKind::Lines,
    };
    let page = FigureSpec { kind, ..spec.clone() };
    let modes = in_order(curves.iter().map(|(key, _)| &key[0]));
    let drawn = modes.iter().map(|mode| draw_picture(&page, &picture(&page, &curves, mode)));
    let drawn: Vec<Figure> = drawn.collect::<Result<_, _>>()?;
    if drawn.is_empty() {
        let (figure, metric) = (spec.id.clone(), format!("{} by {}", spec.y, spec.x));
        return Err(ReportError::Empty { figure, metric, only: place(&[&spec.only]) });
    }
    Ok(drawn)
}

/// The cases by mode, panel and series, in order of first appearance.
pub(super) fn curves(
    spec: &FigureSpec,
    rows: &Frame,
    axes: &[String],
) -> Result<Vec<(Key, Cases)>, ReportError> {
    let error = ReportError::table("groups");
    let (label, replication) =
        (rows.text("group").map_err(&error)?, rows.int("replication").map_err(&error)?);
    let value = rows.real(&spec.y).map_err(&error)?;
    let mut curves: Vec<(Key, Cases)> = Vec::new();
    for row in 0..rows.len() {
        let (panel, series) = (joined(rows, &spec.panels, row), joined(rows, &spec.series, row));
        let key = [printed(rows, "mode", row), panel, series];
        let at = curves.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            curves.push((key, Cases::default()));
            curves.len() - 1
        });
        let cases = &mut curves[at].1;
        let number = replication[row].unwrap_or(0);
        let first = *cases.first.entry(number).or_insert(row);
        let differs = |axis: &&String| printed(rows, axis, first) != printed(rows, axis, row);
        let columns: Vec<&str> = axes.iter().filter(differs).map(String::as_str).collect();
        if !columns.is_empty() {
            let (figure, metric) = (spec.id.clone(), spec.y.clone());
            let place = format!("{} {}", spec.x, label[row].as_deref().unwrap_or_default());
            return Err(ReportError::Ambiguous { figure, metric, place, columns: columns.join(", ") });
        }
        if let (Some(value), Some(label)) = (value[row], label[row].as_deref()) {
            let bound = upper_bound(label).unwrap_or(f64::INFINITY);
            cases.groups.entry(number).or_default().push(Value { bound, label: label.to_owned(), value });
        }
    }
    Ok(curves)
}

fn picture(spec: &FigureSpec, curves: &[(Key, Cases)], mode: &str) -> Picture {
    let series = in_order(curves.iter().map(|(key, _)| &key[2]));
    let here: Vec<&(Key, Cases)> = curves.iter().filter(|(key, _)| key[0] == mode).collect();
    let counts = || here.iter().map(|(_, cases)| i64::try_from(cases.groups.len()).unwrap_or(i64::MAX));
    let categories = match spec.kind {
        FigureKind::Groups | FigureKind::Bars => categories(here.iter().map(|(_, cases)| cases)),
        _ => Vec::new(),
    };
    let points = |cases: &Cases| match spec.kind {
        FigureKind::Groups | FigureKind::Bars => group_points(cases, &categories, spec.y_divisor),
        _ => points(cases),
    };
    let panels = in_order(here.iter().map(|(key, _)| &key[1])).into_iter().map(|label| {
        let of_panel = here.iter().filter(|(key, _)| key[1] == label);
        let curves = of_panel.map(|(key, cases)| Curve {
            series: series.iter().position(|name| *name == key[2]).unwrap_or(0),
            points: points(cases),
            unstable: Vec::new(),
        });
        Panel { curves: curves.filter(|curve| !curve.points.is_empty()).collect(), label }
    });
    Picture {
        mode: mode.to_owned(),
        panels: panels.collect(),
        replications: (counts().min().unwrap_or(0), counts().max().unwrap_or(0)),
        series: series.clone(),
        categories: categories.iter().map(|label| readable(label)).collect(),
        left_out: 0,
        undefined: 0,
    }
}

/// The groups in which somebody has a value, by their bounds, those without in order of first appearance.
fn categories<'a>(cases: impl Iterator<Item = &'a Cases>) -> Vec<String> {
    let mut found: Vec<(f64, &String)> = Vec::new();
    for value in cases.flat_map(|cases| cases.groups.values().flatten()) {
        if !found.iter().any(|(_, label)| **label == value.label) {
            found.push((value.bound, &value.label));
        }
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found.into_iter().map(|(_, label)| label.clone()).collect()
}

/// A group's label in the largest unit that leaves a number of at least one, with the signs of print: `≤ 52.7 h` for `<= 189736 s`.
fn readable(label: &str) -> String {
    let parts = [("<= ", "≤"), ("> ", ">")]
        .into_iter()
        .find_map(|(start, sign)| Some((sign, label.strip_prefix(start)?.split_once(' ')?)));
    let Some((sign, (bound, unit))) = parts else { return label.replace("<=", "≤") };
    let units: &[(f64, &str)] = match unit {
        "s" => &[(3600.0, "h"), (60.0, "min"), (1.0, "s")],
        "kB" => &[(1_048_576.0, "GB"), (1024.0, "MB"), (1.0, "kB")],
        _ => &[],
    };
    let larger =
        |bound: f64| units.iter().find(|(size, _)| bound >= *size).map(|(size, unit)| (bound / size, *unit));
    match bound.parse().ok().and_then(larger) {
        Some((value, unit)) => format!("{sign} {} {unit}", (value * 10.0).round() / 10.0),
        None => format!("{sign} {bound} {unit}"),
    }
}

/// The mean of each group's values with its interval.
pub(super) fn group_points(cases: &Cases, categories: &[String], divisor: f64) -> Vec<Point> {
    let point = |(place, label): (usize, &String)| {
        let of_group = |values: &Vec<Value>| Some(values.iter().find(|value| value.label == *label)?.value);
        let values: Vec<f64> = cases.groups.values().filter_map(of_group).collect();
        let sample = sample(&values);
        let interval = sample.interval.map(|interval| (interval.low / divisor, interval.high / divisor));
        Some(Point { x: place as f64, y: sample.mean? / divisor, interval })
    };
    categories.iter().enumerate().filter_map(point).collect()
}

/// The mean share at each bound with its interval.
pub(super) fn points(cases: &Cases) -> Vec<Point> {
    let mut shares: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for values in cases.groups.values() {
        let total: f64 = values.iter().map(|value| value.value).sum();
        let mut closed: Vec<(f64, f64)> = values
            .iter()
            .filter(|value| value.bound.is_finite())
            .map(|value| (value.bound, value.value))
            .collect();
        closed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut sum = 0.0;
        for (bound, value) in closed {
            sum += value;
            if total > 0.0 {
                // The bits of numbers from 0 on are in their order.
                shares.entry(bound.max(0.0).to_bits()).or_default().push(sum / total);
            }
        }
    }
    let point = |(bound, shares): (u64, Vec<f64>)| {
        let sample = sample(&shares);
        let interval = sample.interval.map(|interval| (interval.low, interval.high));
        Some(Point { x: f64::from_bits(bound), y: sample.mean?, interval })
    };
    shares.into_iter().filter_map(point).collect()
}

fn printed(rows: &Frame, column: &str, row: usize) -> String {
    let cells = rows.column(column).map(|column| &column.cells);
    cells.and_then(|cells| cell_text(cells, row)).unwrap_or_else(|| "(missing)".to_owned())
}

fn joined(rows: &Frame, columns: &[String], row: usize) -> String {
    columns.iter().map(|column| printed(rows, column, row)).collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn labels_are_in_units_that_are_read_easily() {
        let cases = [
            ("<= 189736 s", "≤ 52.7 h"),
            ("> 189736 s", "> 52.7 h"),
            ("<= 90 s", "≤ 1.5 min"),
            ("<= 0.5 s", "≤ 0.5 s"),
            ("<= 1048576 kB", "≤ 1 GB"),
            ("> 512 kB", "> 512 kB"),
            ("<= 32", "≤ 32"),
            ("eir", "eir"),
        ];
        for (label, shown) in cases {
            assert_eq!(readable(label), shown);
        }
    }
}
