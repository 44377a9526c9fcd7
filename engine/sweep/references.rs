//! What claims, tables, figures and comparisons name: metrics, columns and values, which must exist.

use crate::axis::Label;
use crate::column::Column;
use crate::field;
use crate::problem::Problem;
use crate::ron_text::Written;
use crate::suggest::{did_you_mean, list};
use sim::metrics::{GroupMetrics, Metrics};
use table::{
    ClaimSpec, ComparisonSpec, Except, FigureKind, FigureSpec, Filter, GroupChoice, GroupMetric, Joined,
    Predicate, Quantity, ScheduleSpec, TableSpec,
};

/// Something named.
pub(crate) enum Reference<'a> {
    /// A metric of the runs table.
    Metric(&'a str),
    /// A metric of the runs table, or of a group of jobs as `jobs[run_time <= 600 s]`.
    Measure(&'a str),
    /// A metric of the groups table.
    OfGroups(&'a str),
    /// What jobs are grouped by.
    Grouping(&'a str),
    /// A column.
    Column(&'a str),
    /// A column of numbers.
    Numeric(&'a str),
    /// A value of a column.
    Row(&'a str, &'a str),
}

/// Where jobs come from, as the column `mode` prints it.
pub(crate) const MODES: [&str; 3] = ["trace", "twin", "model"];

/// What jobs can be grouped by.
const GROUPINGS: [&str; 7] = ["run_time", "coarse_run_time", "size", "memory", "work", "class", "host"];

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
            (Reference::Metric(name), Known::Metrics) => metric(place, name, Metrics::NAMES),
            (Reference::Measure(name), Known::Metrics) => measure(place, name),
            (Reference::OfGroups(name), Known::Metrics) => metric(place, name, GroupMetrics::NAMES),
            (Reference::Grouping(name), Known::Metrics) => grouping(place, name, name),
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

fn measure(place: &Written, name: &str) -> Result<(), Problem> {
    let Some(group) = GroupMetric::parse(name) else { return metric(place, name, Metrics::NAMES) };
    if !GroupMetrics::NAMES.contains(&group.metric) {
        let known = || GroupMetrics::NAMES.iter().copied();
        let message = format!("unknown metric `{}` of groups; known: {}", group.metric, list(known()));
        return Err(place.quoted(name).problem(message).with_help(did_you_mean(group.metric, known())));
    }
    if group.joined() == Joined::Unknown && !matches!(group.group, GroupChoice::Labelled(_)) {
        let message = format!("`{}` of several groups does not follow from theirs", group.metric);
        let help = "name one group, or give classes that have these jobs in one".to_owned();
        return Err(place.quoted(name).problem(message).with_help(Some(help)));
    }
    grouping(place, name, group.grouping)
}

fn grouping(place: &Written, written: &str, name: &str) -> Result<(), Problem> {
    if GROUPINGS.contains(&name) {
        return Ok(());
    }
    let message = format!("jobs are not grouped by `{name}`; known: {}", list(GROUPINGS.into_iter()));
    Err(place.quoted(written).problem(message).with_help(did_you_mean(name, GROUPINGS)))
}

fn metric(place: &Written, name: &str, known: &[&'static str]) -> Result<(), Problem> {
    if known.contains(&name) {
        return Ok(());
    }
    let known = || known.iter().copied();
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
    static NOTHING: Except = Except::new();
    let (along, filters, except, for_each): (Option<&String>, Vec<&Filter>, &Except, &[String]) =
        match predicate {
            Predicate::Ordering { lower, upper, only, for_each, .. } => {
                (None, vec![lower, upper, only], &NOTHING, for_each)
            }
            Predicate::RatioRange { of, over, only, for_each, .. } => {
                (None, vec![of, over, only], &NOTHING, for_each)
            }
            Predicate::Crossover { along, of, versus, only, for_each, .. } => {
                (Some(along), vec![of, versus, only], &NOTHING, for_each)
            }
            Predicate::CrossoverShift { along, of, versus, first, second, for_each, .. } => {
                (Some(along), vec![of, versus, first, second], &NOTHING, for_each)
            }
            Predicate::Monotone { along, only, for_each, .. } => {
                (Some(along), vec![only], &NOTHING, for_each)
            }
            Predicate::Bound { only, for_each, .. } => (None, vec![only], &NOTHING, for_each),
            Predicate::Value { only, except, for_each, .. }
            | Predicate::Cells { only, except, for_each, .. }
            | Predicate::Largest { only, except, for_each, .. }
            | Predicate::Agrees { only, except, for_each, .. } => (None, vec![only], except, for_each),
        };
    let metrics = predicate.metrics().into_iter().map(Reference::Measure);
    let along = along.into_iter().map(|along| Reference::Numeric(along));
    let filters = filters.into_iter().flat_map(rows);
    let values = left_out(except);
    metrics
        .chain(along)
        .chain(filters)
        .chain(values)
        .chain(names(for_each))
        .chain(of_value(predicate))
        .collect()
}

fn left_out(except: &Except) -> impl Iterator<Item = Reference<'_>> {
    except.iter().flat_map(|(column, values)| values.iter().map(|value| Reference::Row(column, value)))
}

/// What a predicate's quantity names beside metrics, and where it should be largest.
fn of_value(predicate: &Predicate) -> Vec<Reference<'_>> {
    match predicate {
        Predicate::Value { value, .. } | Predicate::Agrees { value, .. } => of_quantity(value),
        Predicate::Largest { value, along, at, .. } => {
            let mut all = of_quantity(value);
            all.push(Reference::Row(along, at));
            all
        }
        _ => Vec::new(),
    }
}

fn of_quantity(quantity: &Quantity) -> Vec<Reference<'_>> {
    let cases = quantity.cases().into_iter().map(|(column, value)| Reference::Row(column, value));
    cases.chain(quantity.averaged().into_iter().map(Reference::Column)).collect()
}

/// Everything that a published table names.
pub(crate) fn of_table(table: &TableSpec) -> Vec<Reference<'_>> {
    let filters = table.rows.iter().map(|row| &row.of).chain(table.columns.iter().map(|column| &column.of));
    let mut all: Vec<Reference<'_>> = filters.chain([&table.only]).flat_map(rows).collect();
    for quantity in table.quantities() {
        all.extend(quantity.metrics().into_iter().map(Reference::Measure));
        all.extend(of_quantity(quantity));
    }
    all
}

/// Everything that a figure names.
pub(crate) fn of_figure(figure: &FigureSpec) -> Vec<Reference<'_>> {
    let shown = match figure.kind {
        FigureKind::Lines => [Reference::Numeric(&figure.x), Reference::Metric(&figure.y)],
        FigureKind::Bars => [Reference::Column(&figure.x), Reference::Metric(&figure.y)],
        FigureKind::Cumulative | FigureKind::Groups | FigureKind::GroupBars => {
            [Reference::Grouping(&figure.x), Reference::OfGroups(&figure.y)]
        }
    };
    shown
        .into_iter()
        .chain(names(&figure.series))
        .chain(names(&figure.panels))
        .chain(figure.normalise_by.iter().flat_map(rows))
        .chain(rows(&figure.only))
        .chain(left_out(&figure.except))
        .collect()
}

/// Everything that a schedule names.
pub(crate) fn of_schedule(schedule: &ScheduleSpec) -> Vec<Reference<'_>> {
    rows(&schedule.only).collect()
}

/// Everything that a comparison names.
pub(crate) fn of_comparison(comparison: &ComparisonSpec) -> Vec<Reference<'_>> {
    let metrics = comparison.metrics.iter().map(|metric| Reference::Metric(metric));
    metrics.chain(rows(&comparison.baseline)).collect()
}
