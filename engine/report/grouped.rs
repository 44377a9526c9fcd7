//! Metrics of groups of jobs beside those of whole runs, as `work_share[run_time > 10800 s]` names them.

use crate::error::ReportError;
use std::collections::{BTreeMap, BTreeSet};
use table::{Cells, Column, Frame, GroupChoice, GroupMetric, Joined, TableError};

/// The columns that tell runs apart beside the axes.
const LEADING: [&str; 2] = ["mode", "replication"];

/// Starts the metadata entry that lists a grouping's labels, for messages.
const LABELS: &str = "groups:";

/// The runs table with a column for each metric of a group of jobs among `metrics`, or of several groups: then means are weighted
/// with the jobs, of maxima the largest is taken, and everything else is added ([`GroupMetric::joined`]). A metric whose group
/// no run has gets none; a run without jobs in the group has no value.
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
        let jobs = groups.real("jobs").map_err(&error)?;
        let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
        let mut found = false;
        for row in 0..groups.len() {
            let here = grouping[row].as_deref() == Some(wanted.grouping)
                && label[row].as_deref().is_some_and(|label| is_meant(wanted.group, label));
            found |= here;
            if let (true, Some(value)) = (here, values[row]) {
                sums.entry(&run_of[row]).or_default().add(value, jobs[row].unwrap_or(0.0));
            }
        }
        if found {
            let joined = |run: &String| sums.get(run.as_str()).and_then(|sum| sum.joined(wanted.joined()));
            let cells = of_run.iter().map(joined).collect();
            wide.columns.push(Column { name: name.to_owned(), cells: Cells::Real(cells) });
        }
    }
    Ok(wide)
}

/// The values of several groups.
#[derive(Default)]
struct Sum {
    groups: u32,
    total: f64,
    weighted: f64,
    jobs: f64,
    largest: Option<f64>,
}

impl Sum {
    fn add(&mut self, value: f64, jobs: f64) {
        self.groups += 1;
        self.total += value;
        self.weighted += value * jobs;
        self.jobs += jobs;
        self.largest = Some(self.largest.map_or(value, |largest| largest.max(value)));
    }

    fn joined(&self, how: Joined) -> Option<f64> {
        match how {
            // Of a single group, the value itself, whatever it is.
            _ if self.groups == 1 => Some(self.total),
            Joined::Added => Some(self.total),
            Joined::Averaged => (self.jobs > 0.0).then(|| self.weighted / self.jobs),
            Joined::Largest => self.largest,
            Joined::Unknown => None,
        }
    }
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

/// What the jobs of the open last group exceed: 600 of `> 600 s`.
fn lower_bound_of_last(label: &str) -> Option<f64> {
    label.strip_prefix("> ")?.split_whitespace().next()?.parse().ok()
}

fn is_meant(group: GroupChoice<'_>, label: &str) -> bool {
    match group {
        GroupChoice::Labelled(wanted) => wanted == label,
        GroupChoice::UpTo(most) => {
            let most: Option<f64> = most.parse().ok();
            most.zip(upper_bound(label)).is_some_and(|(most, bound)| bound <= most)
        }
        GroupChoice::Above(least) => {
            // Groups follow one another, so those that end beyond a bound begin there or beyond it.
            let least: Option<f64> = least.parse().ok();
            let ends_above = least.zip(upper_bound(label)).is_some_and(|(least, bound)| bound > least);
            ends_above || least.zip(lower_bound_of_last(label)).is_some_and(|(least, bound)| bound >= least)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::with_groups;
    use std::sync::Arc;
    use table::{Column, Frame};

    /// Two runs: the second has no job of the last group.
    fn tables() -> (Frame, Frame) {
        const ROWS: [(i64, &str, f64, Option<f64>); 6] = [
            (0, "<= 1", 2.0, Some(10.0)),
            (0, "<= 8", 1.0, Some(40.0)),
            (0, "> 8", 3.0, Some(20.0)),
            (1, "<= 1", 1.0, Some(5.0)),
            (1, "<= 8", 4.0, Some(7.0)),
            (1, "> 8", 0.0, None),
        ];
        let text = |name: &str, cells: Vec<&str>| {
            Column::text(name, cells.into_iter().map(|cell| Some(Arc::from(cell))).collect())
        };
        let runs = vec![text("mode", vec!["model"; 2]), Column::int("replication", vec![Some(0), Some(1)])];
        let groups = vec![
            text("mode", vec!["model"; 6]),
            Column::int("replication", ROWS.map(|row| Some(row.0)).to_vec()),
            text("grouping", vec!["size"; 6]),
            text("group", ROWS.map(|row| row.1).to_vec()),
            Column::real("jobs", ROWS.map(|row| Some(row.2)).to_vec()),
            Column::real("mean_wait_s", ROWS.map(|row| row.3).to_vec()),
            Column::real("max_wait_s", ROWS.map(|row| row.3).to_vec()),
            Column::real("p95_wait_s", ROWS.map(|row| row.3).to_vec()),
        ];
        (Frame::from_columns(runs).unwrap(), Frame::from_columns(groups).unwrap())
    }

    fn values(metric: &str) -> Vec<Option<f64>> {
        let (runs, groups) = tables();
        with_groups(&runs, &groups, &[], &[metric]).unwrap().real(metric).unwrap().into_owned()
    }

    #[test]
    fn several_groups_are_joined_as_the_metric_asks() {
        assert_eq!(values("jobs[size up to 8]"), [Some(3.0), Some(5.0)]);
        assert_eq!(values("jobs[size above 1]"), [Some(4.0), Some(4.0)]);
        assert_eq!(values("mean_wait_s[size above 1]"), [Some(25.0), Some(7.0)]);
        assert_eq!(values("max_wait_s[size above 1]"), [Some(40.0), Some(7.0)]);
        assert_eq!(values("max_wait_s[size above 8]"), [Some(20.0), None]);
        assert_eq!(values("mean_wait_s[size <= 8]"), [Some(40.0), Some(7.0)]);
        assert_eq!(values("p95_wait_s[size above 8]"), [Some(20.0), None]);
        assert_eq!(values("p95_wait_s[size above 1]"), [None, Some(7.0)]);
    }
}
