//! The runs a predicate looks at: one value, or one curve, per replication — or the reason why there is none.

use crate::grouped::group_unknown;
use crate::number;
use std::collections::{BTreeMap, BTreeSet};
use table::{Cells, Column, Filter, Frame, GroupMetric, UNSTABLE, is_without_end, unstable_rows};

/// The runs of one mode or group, with the axis columns.
pub(crate) struct Rows<'a> {
    pub runs: &'a Frame,
    pub axes: &'a [String],
}

/// A curve: x and value, x rising.
pub(super) type Curve = Vec<(f64, f64)>;

impl Rows<'_> {
    /// The column, if it is an axis of the runs table.
    pub fn known(&self, name: &str) -> Result<&Column, String> {
        let column = self.runs.column(name).filter(|_| self.axes.iter().any(|axis| axis == name));
        column.ok_or_else(|| format!("`{name}` is not an axis of this experiment"))
    }

    /// The numbers of the rows that match.
    pub fn matching(&self, filter: &Filter) -> Result<Vec<usize>, String> {
        for column in filter.keys() {
            self.known(column)?;
        }
        self.runs.filter(filter).map_err(|error| error.to_string())
    }

    /// The rows that match.
    pub fn filtered(&self, filter: &Filter) -> Result<Frame, String> {
        Ok(self.runs.select(&self.matching(filter)?))
    }

    /// The metric per replication of the one case that matches.
    pub fn values(&self, metric: &str, case: &Filter) -> Result<BTreeMap<i64, f64>, String> {
        let rows = self.present(case)?;
        let numbers = self.metric(metric)?;
        let replications = self.replications();
        let mut seen: BTreeMap<i64, usize> = BTreeMap::new();
        let mut values = BTreeMap::new();
        for row in rows.iter().copied() {
            let replication = replications(row);
            if let Some(other) = seen.insert(replication, row) {
                return Err(self.several(case, &[other, row]));
            }
            if let Some(value) = numbers.get(row).copied().flatten() {
                values.insert(replication, value);
            }
        }
        if values.is_empty() { Err(self.undefined(metric, case, &rows)) } else { Ok(values) }
    }

    /// The metric along an axis, per replication, of the one case that matches.
    pub fn curves(&self, metric: &str, along: &str, case: &Filter) -> Result<BTreeMap<i64, Curve>, String> {
        let rows = self.present(case)?;
        let numbers = self.metric(metric)?;
        self.known(along)?;
        let x = self.runs.real(along).map_err(|_| format!("`{along}` is not a numeric axis"))?;
        let replications = self.replications();
        let mut seen: BTreeMap<(i64, String), usize> = BTreeMap::new();
        let mut curves: BTreeMap<i64, Curve> = BTreeMap::new();
        // A case that does not have the axis is a level line.
        let level = rows.iter().all(|row| x.get(*row).copied().flatten().is_none());
        for row in rows.iter().copied() {
            let Some(x) = x.get(row).copied().flatten().or(level.then_some(0.0)) else { continue };
            let replication = replications(row);
            if let Some(other) = seen.insert((replication, number::plain(x)), row) {
                return Err(self.several(case, &[other, row]));
            }
            if let Some(value) = numbers.get(row).copied().flatten() {
                curves.entry(replication).or_default().push((x, value));
            }
        }
        for curve in curves.values_mut() {
            curve.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        if curves.is_empty() { Err(self.undefined(metric, case, &rows)) } else { Ok(curves) }
    }

    /// How many replications the runs have, failed ones included.
    pub fn planned(&self) -> usize {
        let replications = self.replications();
        (0..self.runs.len()).map(replications).collect::<BTreeSet<_>>().len()
    }

    fn present(&self, case: &Filter) -> Result<Vec<usize>, String> {
        let rows = self.matching(case)?;
        if rows.is_empty() { Err(format!("no run with {}", place(&[case]))) } else { Ok(rows) }
    }

    /// The metric of every row; infinite in unstable runs, if it is one that grows without end there.
    fn metric(&self, name: &str) -> Result<Vec<Option<f64>>, String> {
        let unknown = |_| match GroupMetric::parse(name) {
            Some(group) => group_unknown(self.runs, name, group.grouping),
            None => format!("`{name}` is not a metric of the runs table"),
        };
        let mut values = self.runs.real(name).map_err(unknown)?.into_owned();
        if is_without_end(name) {
            let unstable = unstable_rows(self.runs).unwrap_or_default();
            let here = values.iter_mut().zip(unstable).filter(|(_, unstable)| *unstable);
            here.for_each(|(value, _)| *value = Some(f64::INFINITY));
        }
        Ok(values)
    }

    fn replications(&self) -> impl Fn(usize) -> i64 {
        let column = self.runs.int("replication").ok();
        move |row| column.and_then(|column| column.get(row).copied().flatten()).unwrap_or(0)
    }

    /// Why none of these rows has a value: the message of the first failed or skipped run, or that the metric is undefined.
    fn undefined(&self, metric: &str, case: &Filter, rows: &[usize]) -> String {
        let cell =
            |name: &str, row: usize| self.runs.column(name).and_then(|column| column.cells.printed(row));
        let failed = rows.iter().find(|row| cell("status", **row).is_some_and(|status| status != "ok"));
        match failed {
            Some(row) => match cell("message", *row) {
                Some(message) if cell("status", *row).is_some_and(|status| status == "skipped") => message,
                Some(message) if cell("status", *row).is_some_and(|status| status == UNSTABLE) => {
                    format!("{metric} is undefined in an unstable run: {message}")
                }
                Some(message) => format!("run failed: {message}"),
                None => "run failed".to_owned(),
            },
            None => format!("{metric} is undefined with {}", place(&[case])),
        }
    }

    fn several(&self, case: &Filter, rows: &[usize; 2]) -> String {
        let differs = |name: &&String| {
            let cells = self.runs.column(name).map(|column| &column.cells);
            cells.is_some_and(|cells| cells.printed(rows[0]) != cells.printed(rows[1]))
        };
        let columns: Vec<&str> = self.axes.iter().filter(differs).map(String::as_str).collect();
        let place = place(&[case]);
        if columns.is_empty() {
            return format!("the runs table has the same replication with {place} twice");
        }
        format!("several runs of one replication with {place}: they differ in {}", columns.join(", "))
    }
}

/// A cell as a label shows it: numbers without the noise of binary fractions.
pub(crate) fn cell_text(cells: &Cells, row: usize) -> Option<String> {
    match cells {
        Cells::Real(cells) => cells.get(row).copied().flatten().map(number::plain),
        other => other.printed(row),
    }
}

/// Filters as text: `policy=Fcfs, speedup=0`.
pub(crate) fn place(filters: &[&Filter]) -> String {
    let mut pairs: BTreeMap<&str, &str> = BTreeMap::new();
    for filter in filters {
        pairs.extend(filter.iter().map(|(column, value)| (column.as_str(), value.as_str())));
    }
    if pairs.is_empty() {
        return "any values".to_owned();
    }
    pairs.iter().map(|(column, value)| format!("{column}={value}")).collect::<Vec<_>>().join(", ")
}

/// Rows that match both filters; the second decides where they name the same column.
pub(crate) fn both(first: &Filter, second: &Filter) -> Filter {
    let mut both = first.clone();
    both.extend(second.iter().map(|(column, value)| (column.clone(), value.clone())));
    both
}
