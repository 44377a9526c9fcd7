//! The tables of an experiment, from the store. Rows come in the grid's order, whatever the order of execution was, and hold
//! nothing of when or where a run was carried out.

use crate::error::SweepError;
use crate::run_spec::{AxisColumn, AxisValue, ColumnKind, RunMode};
use crate::store::{BUILD, Store, StoredRun};
use crate::{PlannedRun, RunKey, fingerprint};
use sim::metrics::{GroupMetrics, Metrics};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use table::{Cells, Column, ComparisonSpec, FileSet, Frame, Table, UNSTABLE};

/// What all rows of an experiment's tables have in common.
#[derive(Clone, Copy, Debug)]
pub struct ResultHead<'a> {
    /// The study.
    pub study: &'a str,
    /// The experiment's name.
    pub experiment: &'a str,
    /// The axis columns, in order.
    pub columns: &'a [AxisColumn],
}

/// The results of an experiment as far as the store has them.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// One row per run that has ended or was left out.
    pub runs: Frame,
    /// One row per run with an outcome and group of jobs.
    pub groups: Frame,
    /// Runs of the plan that the store does not hold.
    pub missing: usize,
}

/// All tables of an experiment that are computed before its claims.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// One row per run.
    pub runs: Frame,
    /// One row per run and group of jobs.
    pub groups: Frame,
    /// One row per case and metric.
    pub summary: Frame,
    /// One row per comparison, case and metric.
    pub comparisons: Frame,
}

/// What became of a planned run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It was to be carried out under this key.
    Planned(RunKey),
    /// It was left out, and why: its log is not at hand.
    Skipped(Arc<str>),
}

/// Where a run's rows lie: all that is kept of the plan.
struct Lead {
    mode: RunMode,
    point: Vec<AxisValue>,
    replication: i64,
    seed: u64,
    standing: Standing,
    /// So many jobs may wait, in a run that can be unstable.
    backlog: Option<usize>,
}

/// A row of the runs table: what the store holds of the run; nothing for one that was left out.
struct Row {
    lead: Lead,
    stored: Option<StoredRun>,
}

/// Collects what the store holds of the planned runs, in their order. Runs that were left out have a row too, so that nobody takes the
/// rest for the whole.
///
/// # Errors
/// Where a segment of the store can no longer be read, or the columns do not make a table.
pub fn collect(
    head: ResultHead<'_>,
    plan: impl IntoIterator<Item = (PlannedRun, Standing)>,
    store: &Store,
) -> Result<Results, SweepError> {
    let leads: Vec<Lead> = plan.into_iter().map(|(run, standing)| Lead::new(run, standing)).collect();
    let held = |lead: &Lead| lead.key().filter(|key| store.status(key).is_some());
    let keys: Vec<RunKey> = leads.iter().filter_map(held).collect();
    let mut fetched = store.fetch(&keys)?.into_iter();
    let (mut rows, mut missing) = (Vec::with_capacity(leads.len()), 0);
    for lead in leads {
        let stored = if held(&lead).is_some() { fetched.next().flatten() } else { None };
        if stored.is_none() && lead.key().is_some() {
            missing += 1;
        } else {
            rows.push(Row { lead, stored });
        }
    }
    Ok(Results { runs: runs_table(head, &rows)?, groups: groups_table(head, &rows)?, missing })
}

impl Lead {
    fn new(run: PlannedRun, standing: Standing) -> Lead {
        let PlannedRun { spec, mode, point } = run;
        let backlog = spec.case.measure.steady.map(|steady| steady.backlog(&spec.case.machine));
        Lead { mode, point, replication: i64::from(spec.replication), seed: spec.seed, standing, backlog }
    }

    /// Why it has no metrics although it was carried out.
    fn unstable(&self, at_s: f64) -> String {
        let jobs = self.backlog.map_or_else(|| "too many".to_owned(), |jobs| format!("more than {jobs}"));
        format!("{jobs} jobs wait at {at_s} s, and ever more would")
    }

    fn key(&self) -> Option<RunKey> {
        match self.standing {
            Standing::Planned(key) => Some(key),
            Standing::Skipped(_) => None,
        }
    }
}

impl Row {
    fn status(&self) -> &'static str {
        match self.stored.as_ref().map(|run| &run.result) {
            Some(Ok(outcome)) if outcome.unstable_at_s().is_some() => UNSTABLE,
            Some(Ok(_)) => "ok",
            Some(Err(_)) => "failed",
            None => "skipped",
        }
    }

    fn message(&self) -> Option<Arc<str>> {
        match (&self.stored, &self.lead.standing) {
            (Some(run), _) => match &run.result {
                Ok(outcome) => outcome.unstable_at_s().map(|at_s| Arc::from(self.lead.unstable(at_s))),
                Err(message) => Some(Arc::from(message.as_str())),
            },
            (None, Standing::Skipped(reason)) => Some(Arc::clone(reason)),
            (None, Standing::Planned(_)) => None,
        }
    }

    fn metric(&self, at: usize) -> Option<f64> {
        *self.stored.as_ref()?.result.as_ref().ok()?.metrics.0.get(at)?
    }
}

fn runs_table(head: ResultHead<'_>, rows: &[Row]) -> Result<Frame, SweepError> {
    let leads: Vec<&Lead> = rows.iter().map(|row| &row.lead).collect();
    let mut columns = leading(head, &leads);
    let mut labels = Labels::default();
    let text = |cell: &dyn Fn(&Lead) -> Option<String>| {
        Cells::Text(leads.iter().map(|lead| cell(lead).map(Arc::from)).collect())
    };
    columns
        .push(column("replication", Cells::Int(leads.iter().map(|lead| Some(lead.replication)).collect())));
    columns.push(column("seed", text(&|lead| Some(lead.seed.to_string()))));
    columns.push(column("run_key", text(&|lead| lead.key().map(|key| key.to_string()))));
    let status = rows.iter().map(|row| Some(labels.shared(row.status()))).collect();
    columns.push(column("status", Cells::Text(status)));
    columns.push(column("message", Cells::Text(rows.iter().map(Row::message).collect())));
    for (at, name) in Metrics::NAMES.iter().enumerate() {
        columns.push(column(name, Cells::Real(rows.iter().map(|row| row.metric(at)).collect())));
    }
    Ok(Frame::from_columns(columns)?)
}

fn groups_table(head: ResultHead<'_>, rows: &[Row]) -> Result<Frame, SweepError> {
    let rows: Vec<(&Lead, &GroupMetrics)> =
        rows.iter().flat_map(|row| groups_of(row).iter().map(move |group| (&row.lead, group))).collect();
    let leads: Vec<&Lead> = rows.iter().map(|(lead, _)| *lead).collect();
    let mut columns = leading(head, &leads);
    let mut labels = Labels::default();
    columns
        .push(column("replication", Cells::Int(leads.iter().map(|lead| Some(lead.replication)).collect())));
    let grouping = rows.iter().map(|(_, group)| Some(labels.shared(&group.grouping))).collect();
    columns.push(column("grouping", Cells::Text(grouping)));
    let group = rows.iter().map(|(_, group)| Some(labels.shared(&group.group))).collect();
    columns.push(column("group", Cells::Text(group)));
    for (at, name) in GroupMetrics::NAMES.iter().enumerate() {
        let value = |group: &GroupMetrics| group.values.get(at).copied().flatten();
        columns.push(column(name, Cells::Real(rows.iter().map(|(_, group)| value(group)).collect())));
    }
    Ok(Frame::from_columns(columns)?)
}

fn groups_of(row: &Row) -> &[GroupMetrics] {
    let outcome = row.stored.as_ref().and_then(|run| run.result.as_ref().ok());
    outcome.map_or(&[], |outcome| &outcome.groups)
}

/// Texts that occur in many rows, each kept once.
#[derive(Default)]
struct Labels(BTreeMap<String, Arc<str>>);

impl Labels {
    fn shared(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return Arc::clone(known);
        }
        Arc::clone(self.0.entry(text.to_owned()).or_insert_with(|| Arc::from(text)))
    }
}

fn column(name: &str, cells: Cells) -> Column {
    Column { name: name.to_owned(), cells }
}

/// Study, experiment, mode and axes.
fn leading(head: ResultHead<'_>, leads: &[&Lead]) -> Vec<Column> {
    let mut labels = Labels::default();
    let mut all = |text: &str| Cells::Text(vec![Some(labels.shared(text)); leads.len()]);
    let mut columns = vec![column("study", all(head.study)), column("experiment", all(head.experiment))];
    let modes = leads.iter().map(|lead| Some(labels.shared(lead.mode.as_str()))).collect();
    columns.push(column("mode", Cells::Text(modes)));
    for (at, axis) in head.columns.iter().enumerate() {
        let values = leads.iter().map(|lead| lead.point.get(at).unwrap_or(&AxisValue::Missing));
        columns.push(column(&axis.name, axis_cells(axis.kind, values)));
    }
    columns
}

fn axis_cells<'a>(kind: ColumnKind, values: impl Iterator<Item = &'a AxisValue>) -> Cells {
    match kind {
        ColumnKind::Real => Cells::Real(values.map(AxisValue::number).collect()),
        ColumnKind::Int => {
            let whole =
                |value: &AxisValue| if let AxisValue::Int(value) = value { Some(*value) } else { None };
            Cells::Int(values.map(whole).collect())
        }
        ColumnKind::Text => {
            let text = |value: &AxisValue| match value {
                AxisValue::Text(text) => Some(Arc::clone(text)),
                AxisValue::Missing => None,
                number => Some(Arc::from(number.to_string())),
            };
            Cells::Text(values.map(text).collect())
        }
    }
}

/// Computes the summary and the comparisons, and puts the metadata on all tables: what the caller gives (the experiment's hash, what was
/// set, names and hashes of the logs), the build, and the fingerprints of the model.
///
/// # Errors
/// Where the runs do not make a summary, or a comparison names what the tables lack.
pub fn tables(
    results: Results,
    columns: &[AxisColumn],
    comparisons: &[ComparisonSpec],
    metadata: &BTreeMap<String, String>,
) -> Result<Tables, SweepError> {
    let axes: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    let summary = table::summarise(&results.runs, &axes, Metrics::NAMES)?;
    let comparisons = table::compare(&results.runs, &axes, comparisons)?;
    let mut tables = Tables { runs: results.runs, groups: results.groups, summary, comparisons };
    let mut metadata = metadata.clone();
    metadata.insert("build".to_owned(), BUILD.to_owned());
    for (family, hash) in fingerprint::families() {
        metadata.insert(format!("model:{family}"), hash.to_string());
    }
    for frame in [&mut tables.runs, &mut tables.groups, &mut tables.summary, &mut tables.comparisons] {
        frame.metadata.clone_from(&metadata);
    }
    Ok(tables)
}

/// Writes the tables into a folder, which is made where it does not exist; they get their names when the set is committed. Equal tables
/// give equal bytes.
///
/// # Errors
/// Where a file cannot be written; then nothing has changed.
pub fn stage_results(folder: &Path, tables: &Tables) -> Result<FileSet, SweepError> {
    std::fs::create_dir_all(folder)
        .map_err(|source| SweepError::Folder { path: folder.to_owned(), source })?;
    let mut files = FileSet::default();
    let frames = [
        (Table::Runs, &tables.runs),
        (Table::Groups, &tables.groups),
        (Table::Summary, &tables.summary),
        (Table::Comparisons, &tables.comparisons),
    ];
    for (table, frame) in frames {
        files.add(frame.stage_parquet(&folder.join(table.file_name()))?);
    }
    Ok(files)
}

#[cfg(test)]
#[path = "results_tests.rs"]
mod tests;
