//! Claims are evaluated: published statements become rows of the claims table.
//!
//! There is one row per claim, mode (trace, twin, model), predicate and combination of the predicate's `for_each` columns.
//!
//! # The statistical rule
//!
//! * Modes are never mixed.
//! * Everything is paired by replication, because the same replication of two cases sees the same jobs: a predicate's value
//!   (difference, ratio, crossover position, shift, metric) is computed once per replication in which all its parts succeeded
//!   and are defined, and then averaged. A mean ratio is thus the mean of the ratios, not the ratio of the means.
//! * `measured` is that mean, `ci_low` and `ci_high` are its 95 % Student-t interval. With one replication there is no interval.
//! * The verdict is `holds` if and only if the mean satisfies the predicate. `reason` says how far replications agree: `clear` if
//!   the whole interval lies on the same side as the mean, `within noise` if it straddles a bound.
//! * What lacks a case, column or metric is `cannot be tested`, with the reason (such as the message of the failed run). So is
//!   a predicate whose filters leave several runs of one replication: nothing is averaged silently over an axis.
//!
//! # Unstable runs
//!
//! * Waits, responses and slowdowns of a run that was given up as unstable are infinite; its other metrics are undefined.
//!   A mean with an infinite value is infinite, and is judged as such; `measured` is null then, and `reason` says why. A difference or
//!   ratio of two infinities is not met.
//! * Points at which both curves of a crossover are infinite are left out. Behind a point at which one is, the crossover is taken to be in the middle
//!   of the two points. A step of a curve between two infinite points goes neither way.
//!
//! # Crossovers
//!
//! * A replication's crossover is the first place, going up the axis, where the one curve is no longer above the other,
//!   linearly interpolated between the two grid points around it. With one replication `ci_low` and `ci_high` are these two
//!   grid points, and `reason` says so.
//! * A curve that stays above, or that is not above at the first point, has no crossover. With several replications the mean is
//!   over those that have one, and `reason` says how many; if fewer than half have one, the predicate does not hold.
//! * If one of the two crossovers of a shift does not exist, neither does the shift; the same rule by halves applies.
//!
//! # Monotone curves
//!
//! * The curve of the means over the replications that have every point is judged. `measured` is the share of its steps that
//!   go the wanted way or are level; the verdict is `holds` if that is 1. `reason` names the step that goes the wrong way most,
//!   or the flattest, with the paired interval of its change. The share itself has no interval.

//!
//! # Cells
//!
//! * `Cells` counts the cells of a published table that the model of the jobs meets: those whose mean over the replications lies
//!   in the range that the model accepts for the cell (the mean of the replications' ranges). `measured` is their share, `ci_low`
//!   that of the cells whose whole 95 % interval is accepted, `ci_high` that of those of whose interval a part is.
//!
//! # Quantities
//!
//! * `Value`, `Largest` and `Agrees` are about quantities ([`table::Quantity`]): ratios, reductions, means over cases and
//!   differences of such. A mean over cases is taken in each replication that has all of them.
//! * `Largest`: `measured` is the paired difference to the best of the other values along the column, chosen by its mean; ties
//!   do not hold. With `in_at_least` it is the number of groups in which the difference is positive.
//! * `Agrees`: `measured` is the quantity; `reason` says how far from the published number it is and how far two means of these
//!   numbers of replications are expected to be. Nothing is said of noise.

mod cells;
mod compare;
mod curve;
mod finding;
pub(crate) mod quantity;
mod sample;
mod wanted;

use crate::error::ReportError;
pub(crate) use finding::WITHIN_NOISE;
use finding::{Finding, Row};
pub(crate) use sample::{Rows, both, cell_text, place};
use std::collections::BTreeSet;
use table::{ClaimSpec, Filter, Frame, Predicate};

/// What a runs table is of.
#[derive(Clone, Copy, Debug)]
pub struct Topic<'a> {
    /// The study.
    pub study: &'a str,
    /// The experiment's name.
    pub experiment: &'a str,
    /// The axis columns of the runs table.
    pub axes: &'a [String],
    /// The axis columns whose values are settings that the source leaves open; mostly none.
    pub settings: &'a [String],
}

/// Evaluates the claims of an experiment on its runs table, which has a column for each metric that they name (see
/// [`crate::with_groups`]), and on its groups table: the claims table, one row per claim, mode, setting, predicate and group. A predicate may use no
/// column but the axes in its filters and `for_each`.
///
/// # Errors
/// If the runs table lacks its `mode` column or one of the settings. Whatever a single predicate lacks becomes a row that says so.
pub fn evaluate(
    claims: &[ClaimSpec],
    runs: &Frame,
    groups: &Frame,
    topic: Topic<'_>,
) -> Result<Frame, ReportError> {
    let parts = parts(runs, topic.settings)?;
    let of_groups = if claims.iter().any(ClaimSpec::is_about_cells) {
        self::parts(groups, topic.settings)?
    } else {
        Vec::new()
    };
    let mut rows = Vec::new();
    for claim in claims {
        let meant = |part: &&Part| claim.modes.is_empty() || claim.modes.contains(&part.mode);
        for Part { mode, setting, runs } in parts.iter().filter(meant) {
            let same = |part: &&Part| part.mode == *mode && part.setting == *setting;
            let groups = of_groups.iter().find(same).map(|part| &part.runs);
            for (index, predicate) in claim.predicates.iter().enumerate() {
                for finding in findings(predicate, &Rows { runs, axes: topic.axes }, groups) {
                    rows.push(Row { topic, claim, mode, setting: setting.as_deref(), index, finding });
                }
            }
        }
    }
    finding::frame(&rows).map_err(ReportError::table("claims"))
}

/// The runs that claims are tested on at once.
struct Part {
    mode: String,
    /// The values of the settings as text; `None` where there are none.
    setting: Option<String>,
    runs: Frame,
}

/// The runs of each mode under each setting, both in order of first appearance.
fn parts(runs: &Frame, settings: &[String]) -> Result<Vec<Part>, ReportError> {
    let names: Vec<&str> = settings.iter().map(String::as_str).collect();
    let mut parts = Vec::new();
    for (mode, runs) in modes(runs)? {
        for rows in runs.partition(&names).map_err(ReportError::table("runs"))? {
            let setting = (!names.is_empty()).then(|| setting_text(&runs, &names, &rows));
            parts.push(Part { mode: mode.clone(), setting, runs: runs.select(&rows) });
        }
    }
    Ok(parts)
}

/// The value of a single setting column, or `column=value` for each of several.
fn setting_text(runs: &Frame, columns: &[&str], rows: &[usize]) -> String {
    let all = label(runs, columns, rows);
    match columns {
        [column] => {
            all.strip_prefix(column).and_then(|rest| rest.strip_prefix('=')).unwrap_or(&all).to_owned()
        }
        _ => all,
    }
}

/// The runs of each mode, modes in order of first appearance.
pub(crate) fn modes(runs: &Frame) -> Result<Vec<(String, Frame)>, ReportError> {
    let error = ReportError::table("runs");
    let column = runs.require("mode").map_err(&error)?;
    let parts = runs.partition(&["mode"]).map_err(&error)?;
    let of = |rows: &Vec<usize>| rows.first().and_then(|row| column.cells.printed(*row)).unwrap_or_default();
    Ok(parts.iter().map(|rows| (of(rows), runs.select(rows))).collect())
}

/// The findings of one predicate in one mode: one per group, or a single one that says why there is no group.
fn findings(predicate: &Predicate, rows: &Rows<'_>, of_groups: Option<&Frame>) -> Vec<Finding> {
    let wanted = wanted::of(predicate);
    let nothing = Frame::default();
    if let Some(findings) = cells::findings(predicate, &wanted, of_groups.unwrap_or(&nothing), rows.axes) {
        return findings;
    }
    if let Some(findings) = quantity::findings(predicate, &wanted, rows) {
        return findings;
    }
    let groups = match groups(predicate, rows) {
        Ok(groups) => groups,
        Err(reason) => return vec![Finding::untestable(String::new(), wanted.text, reason)],
    };
    let each = |(label, runs): (String, Frame)| {
        let rows = Rows { runs: &runs, axes: rows.axes };
        let value = match predicate {
            Predicate::Ordering { .. } | Predicate::RatioRange { .. } | Predicate::Bound { .. } => {
                compare::evaluate(predicate, &wanted.range, &rows)
            }
            _ => curve::evaluate(predicate, &wanted.range, &rows),
        };
        match value {
            Ok(value) => Finding::tested(label, wanted.text.clone(), value),
            Err(reason) => Finding::untestable(label, wanted.text.clone(), reason),
        }
    };
    groups.into_iter().map(each).collect()
}

/// The runs of each group with its label. Only runs that match one of the predicate's cases make groups: a value of a
/// `for_each` column that belongs to other cases only is no gap in the data.
fn groups(predicate: &Predicate, rows: &Rows<'_>) -> Result<Vec<(String, Frame)>, String> {
    let (only, cases, for_each) = selection(predicate);
    let common = rows.filtered(only)?;
    let rows = Rows { runs: &common, axes: rows.axes };
    let mut wanted = BTreeSet::new();
    for case in &cases {
        wanted.extend(rows.matching(case)?);
    }
    if wanted.is_empty() {
        let places: BTreeSet<String> = cases.iter().map(|case| place(&[only, case])).collect();
        let places: Vec<String> = places.into_iter().collect();
        return Err(format!("no run with {}", places.join(" or with ")));
    }
    let relevant = common.select(&wanted.into_iter().collect::<Vec<_>>());
    let relevant = Rows { runs: &relevant, axes: rows.axes };
    for column in for_each {
        relevant.known(column)?;
    }
    let names: Vec<&str> = for_each.iter().map(String::as_str).collect();
    let parts = relevant.runs.partition(&names).map_err(|error| error.to_string())?;
    Ok(parts.iter().map(|part| (label(relevant.runs, &names, part), relevant.runs.select(part))).collect())
}

/// What all rows of a predicate match, the cases one of which each row matches, and the columns that make groups.
fn selection(predicate: &Predicate) -> (&Filter, Vec<Filter>, &[String]) {
    static ALL: Filter = Filter::new();
    match predicate {
        Predicate::Ordering { lower, upper, only, for_each, .. } => {
            (only, vec![lower.clone(), upper.clone()], for_each)
        }
        Predicate::RatioRange { of, over, only, for_each, .. } => {
            (only, vec![of.clone(), over.clone()], for_each)
        }
        Predicate::Crossover { of, versus, only, for_each, .. } => {
            (only, vec![of.clone(), versus.clone()], for_each)
        }
        Predicate::CrossoverShift { of, versus, first, second, for_each, .. } => {
            let cases = [(of, first), (of, second), (versus, first), (versus, second)];
            (&ALL, cases.into_iter().map(|(curve, end)| both(curve, end)).collect(), for_each)
        }
        Predicate::Monotone { only, for_each, .. }
        | Predicate::Bound { only, for_each, .. }
        | Predicate::Cells { only, for_each, .. }
        | Predicate::Value { only, for_each, .. }
        | Predicate::Largest { only, for_each, .. }
        | Predicate::Agrees { only, for_each, .. } => (only, vec![Filter::new()], for_each),
    }
}

fn label(runs: &Frame, columns: &[&str], part: &[usize]) -> String {
    let Some(row) = part.first() else { return String::new() };
    let value = |name: &&str| {
        let printed = runs.column(name).and_then(|column| cell_text(&column.cells, *row));
        format!("{name}={}", printed.unwrap_or_else(|| "(missing)".to_owned()))
    };
    columns.iter().map(value).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod quantity_tests;

#[cfg(test)]
mod unstable_tests;
