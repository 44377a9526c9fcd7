//! Metrics of groups of jobs beside those of whole runs, as `work_share[run_time > 10800 s]` names them.

use crate::error::ReportError;
use std::collections::{BTreeMap, BTreeSet};
use table::{Cells, Column, Frame, GroupChoice, GroupMetric, TableError};

/// The columns that tell runs apart beside the axes.
const LEADING: [&str; 2] = ["mode", "replication"];

/// Starts the metadata entry that lists a grouping's labels, for messages.
const LABELS: &str = "groups:";

/// The runs table with a column for each metric of a group of jobs among `metrics`. A metric whose group no run has gets none;
/// a run without jobs in the group has no value.
///
/// # Errors
/// If one of the tables lacks the columns that tell runs apart.
pub fn with_groups(
    runs: &Frame,
    groups: &Frame,
    axes: &[String],
    metrics: &[&str],
) -> Result<Frame, ReportError> {
    let mut wide = runs.clone();
    let names: BTreeSet<&str> =
        metrics.iter().copied().filter(|name| GroupMetric::parse(name).is_some()).collect();
    if names.is_empty() {
        return Ok(wide);
    }
    let error = ReportError::table("groups");
    let run_of = keys(groups, axes).map_err(&error)?;
    let of_run = keys(runs, axes).map_err(ReportError::table("runs"))?;
    let (grouping, label) = (groups.text("grouping").map_err(&error)?, groups.text("group").map_err(&error)?);
    let mut known: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (grouping, label) in grouping.iter().zip(label) {
        if let (Some(grouping), Some(label)) = (grouping, label) {
            known.entry(grouping).or_default().insert(label);
        }
    }
    for (grouping, labels) in known {
        let labels: Vec<&str> = labels.into_iter().collect();
        wide.metadata.insert(format!("{LABELS}{grouping}"), labels.join(", "));
    }
    for name in names {
        let Some(wanted) = GroupMetric::parse(name) else { continue };
        let values = groups.real(wanted.metric).map_err(&error)?;
        let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
        let mut found = false;
        for row in 0..groups.len() {
            let here = grouping[row].as_deref() == Some(wanted.grouping)
                && label[row].as_deref().is_some_and(|label| is_meant(wanted.group, label));
            found |= here;
            if let (true, Some(value)) = (here, values[row]) {
                *sums.entry(&run_of[row]).or_default() += value;
            }
        }
        if found {
            let cells = of_run.iter().map(|run| sums.get(run.as_str()).copied()).collect();
            wide.columns.push(Column { name: name.to_owned(), cells: Cells::Real(cells) });
        }
    }
    Ok(wide)
}

/// Why a frame made by [`with_groups`] lacks a metric.
pub(crate) fn group_unknown(runs: &Frame, name: &str, grouping: &str) -> String {
    match runs.metadata.get(&format!("{LABELS}{grouping}")) {
        Some(labels) => format!("no run has the group of `{name}`; the groups by {grouping} are {labels}"),
        None => format!("no run has the group of `{name}`, as no jobs are grouped by {grouping}"),
    }
}

/// The upper bound of a group: 600 of `<= 600 s`. The open last group has none.
pub(crate) fn upper_bound(label: &str) -> Option<f64> {
    label.strip_prefix("<= ")?.split_whitespace().next()?.parse().ok()
}

fn is_meant(group: GroupChoice<'_>, label: &str) -> bool {
    match group {
        GroupChoice::Labelled(wanted) => wanted == label,
        GroupChoice::UpTo(most) => {
            let most: Option<f64> = most.parse().ok();
            most.zip(upper_bound(label)).is_some_and(|(most, bound)| bound <= most)
        }
    }
}

/// One text per row that is equal for rows of one run.
fn keys(frame: &Frame, axes: &[String]) -> Result<Vec<String>, TableError> {
    let columns = LEADING
        .into_iter()
        .chain(axes.iter().map(String::as_str))
        .map(|name| frame.require(name))
        .collect::<Result<Vec<_>, _>>()?;
    let cell = |column: &&Column, row: usize| column.cells.printed(row).unwrap_or_default();
    let key = |row| columns.iter().map(|column| cell(column, row)).collect::<Vec<_>>().join("\u{1f}");
    Ok((0..frame.len()).map(key).collect())
}
