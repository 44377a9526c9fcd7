//! What claims, figures and comparisons name: metrics, columns and values, which must exist.

use crate::axis::Label;
use crate::column::Column;
use crate::field;
use crate::problem::Problem;
use crate::ron_text::Written;
use crate::suggest::{did_you_mean, list};
use sim::metrics::Metrics;
use table::{ClaimSpec, ComparisonSpec, FigureKind, FigureSpec, Filter, Predicate};

/// Something named.
pub(crate) enum Reference<'a> {
    /// A metric of the runs table.
    Metric(&'a str),
    /// A column.
    Column(&'a str),
    /// A column of numbers.
    Numeric(&'a str),
    /// A value of a column.
    Row(&'a str, &'a str),
}

/// Columns that every table has and that can be named beside the axes.
const ALWAYS: &[&str] = &["mode", "replication"];

/// Which columns there are; metrics are known before the grid is.
#[derive(Clone, Copy)]
pub(crate) enum Known<'a> {
    /// Check the metrics alone.
    Metrics,
    /// Check the columns and their values alone.
    Columns(&'a [Column]),
}

/// Reports everything named in `place` that does not exist.
pub(crate) fn check(
    place: &Written,
    references: &[Reference<'_>],
    known: Known<'_>,
    problems: &mut Vec<Problem>,
) {
    for reference in references {
        let problem = match (reference, known) {
            (Reference::Metric(name), Known::Metrics) => metric(place, name),
            (Reference::Column(name), Known::Columns(columns)) => column(place, name, columns, false),
            (Reference::Numeric(name), Known::Columns(columns)) => column(place, name, columns, true),
            (Reference::Row(name, value), Known::Columns(columns)) => {
                column(place, name, columns, false).and_then(|()| row(place, name, value, columns))
            }
            _ => Ok(()),
        };
        problems.extend(problem.err().filter(|problem| !problems.contains(problem)));
    }
}

fn metric(place: &Written, name: &str) -> Result<(), Problem> {
    if Metrics::NAMES.contains(&name) {
        return Ok(());
    }
    let known = || Metrics::NAMES.iter().copied();
    let message = format!("unknown metric `{name}`; known: {}", list(known()));
    Err(place.quoted(name).problem(message).with_help(did_you_mean(name, known())))
}

fn column(place: &Written, name: &str, columns: &[Column], numeric: bool) -> Result<(), Problem> {
    let found = columns.iter().find(|column| column.axis.name == name);
    match found {
        Some(column) if numeric && !column.is_numeric() => Err(place
            .quoted(name)
            .problem(format!("the column `{name}` holds text, but numbers are needed here"))),
        None if !ALWAYS.contains(&name) => {
            let known =
                || columns.iter().map(|column| column.axis.name.as_str()).chain(ALWAYS.iter().copied());
            let message = format!("unknown column `{name}`; known: {}", list(known()));
            let help = instead_of_path(name, columns).or_else(|| did_you_mean(name, known()));
            Err(place.quoted(name).problem(message).with_help(help))
        }
        _ => Ok(()),
    }
}

/// What to name in place of a field's path: its column, if it has one.
fn instead_of_path(path: &str, columns: &[Column]) -> Option<String> {
    let name = field::find(path).map(|field| field.name).filter(|name| *name != path)?;
    Some(match columns.iter().any(|column| column.axis.name == name) {
        true => format!("columns bear the names of fields, not their paths: write `{name}`"),
        false => format!("the column of that field would be `{name}`, but it is no axis here"),
    })
}

fn row(place: &Written, name: &str, value: &str, columns: &[Column]) -> Result<(), Problem> {
    const MODES: [&str; 3] = ["trace", "twin", "model"];
    let wanted = Label::of(value);
    let found = columns.iter().find(|column| column.axis.name == name);
    let labels = found.map_or(&[][..], |column| &column.labels);
    let (exists, known): (bool, Vec<&str>) = match (name, found) {
        ("mode", _) => (MODES.contains(&value), MODES.to_vec()),
        (_, None) => (value.parse::<u32>().is_ok(), vec!["0", "1", "2", ".."]),
        (_, Some(column)) if column.is_numeric() => {
            let same = |label: &Label| label.number == wanted.number;
            (labels.iter().any(same), labels.iter().map(|label| &*label.text).collect())
        }
        _ => (
            labels.iter().any(|label| *label.text == *value),
            labels.iter().map(|label| &*label.text).collect(),
        ),
    };
    if exists {
        return Ok(());
    }
    let message =
        format!("the column `{name}` has no value `{value}`; known: {}", list(known.iter().copied()));
    Err(place.quoted(value).problem(message).with_help(did_you_mean(&wanted.text, known)))
}

fn rows(filter: &Filter) -> impl Iterator<Item = Reference<'_>> {
    filter.iter().map(|(column, value)| Reference::Row(column, value))
}

fn names(columns: &[String]) -> impl Iterator<Item = Reference<'_>> {
    columns.iter().map(|column| Reference::Column(column))
}

/// Everything that a claim names.
pub(crate) fn of_claim(claim: &ClaimSpec) -> Vec<Reference<'_>> {
    claim.predicates.iter().flat_map(of_predicate).collect()
}

fn of_predicate(predicate: &Predicate) -> Vec<Reference<'_>> {
    let (metrics, along, filters, for_each): (Vec<&String>, Option<&String>, Vec<&Filter>, &[String]) =
        match predicate {
            Predicate::Ordering { metric, lower, upper, only, for_each, .. } => {
                (vec![metric], None, vec![lower, upper, only], for_each)
            }
            Predicate::RatioRange { metric, over_metric, of, over, only, for_each, .. } => {
                ([metric].into_iter().chain(over_metric).collect(), None, vec![of, over, only], for_each)
            }
            Predicate::Crossover { metric, along, of, versus, only, for_each, .. } => {
                (vec![metric], Some(along), vec![of, versus, only], for_each)
            }
            Predicate::CrossoverShift { metric, along, of, versus, first, second, for_each, .. } => {
                (vec![metric], Some(along), vec![of, versus, first, second], for_each)
            }
            Predicate::Monotone { metric, along, only, for_each, .. } => {
                (vec![metric], Some(along), vec![only], for_each)
            }
            Predicate::Bound { metric, only, for_each, .. } => (vec![metric], None, vec![only], for_each),
        };
    let metrics = metrics.into_iter().map(|metric| Reference::Metric(metric));
    let along = along.into_iter().map(|along| Reference::Numeric(along));
    metrics.chain(along).chain(filters.into_iter().flat_map(rows)).chain(names(for_each)).collect()
}

/// Everything that a figure names.
pub(crate) fn of_figure(figure: &FigureSpec) -> Vec<Reference<'_>> {
    let x = match figure.kind {
        FigureKind::Lines => Reference::Numeric(&figure.x),
        FigureKind::Bars => Reference::Column(&figure.x),
    };
    [x, Reference::Metric(&figure.y)]
        .into_iter()
        .chain(names(&figure.series))
        .chain(names(&figure.panels))
        .chain(figure.normalise_by.iter().flat_map(rows))
        .chain(rows(&figure.only))
        .collect()
}

/// Everything that a comparison names.
pub(crate) fn of_comparison(comparison: &ComparisonSpec) -> Vec<Reference<'_>> {
    let metrics = comparison.metrics.iter().map(|metric| Reference::Metric(metric));
    metrics.chain(rows(&comparison.baseline)).collect()
}
