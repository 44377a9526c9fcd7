//! From the runs table to the summary and comparisons tables: statistics over the replications of each case.

use crate::error::TableError;
use crate::figure::ComparisonSpec;
use crate::frame::{Column, Frame};
use crate::statistics::{Sample, paired_differences, paired_ratios, sample};
use crate::unstable::UNSTABLE;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The columns on the left of the axes, which tell cases apart like an axis.
const LEADING: [&str; 3] = ["study", "experiment", "mode"];

/// The rows of one case.
struct Case {
    /// A row to read the case's axis values from.
    row: usize,
    /// Replication → row, for the runs that succeeded or are unstable.
    runs: BTreeMap<i64, usize>,
    /// The replications whose runs are unstable.
    unstable: BTreeSet<i64>,
}

/// The one metric that unstable runs alone have.
const OF_UNSTABLE: &str = "unstable_at_s";

/// The summary table: for every case (distinct study, experiment, mode and axis values) and metric, statistics over the
/// replications with status `ok`. Cases come in order of first appearance, the metrics of a case in the order asked for. A
/// case without a successful or unstable run is left out; a metric that is undefined in every run has n = 0. As soon as one
/// replication is unstable, a metric has no statistics but n: those of the others would say too little. `unstable_at_s` has those of
/// the unstable replications.
pub fn summarise(runs: &Frame, axes: &[String], metrics: &[&str]) -> Result<Frame, TableError> {
    let keys = key_columns(axes);
    let cases = cases(runs, &keys)?;
    let values = metrics.iter().map(|metric| runs.real(metric)).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<Arc<str>> = metrics.iter().map(|metric| Arc::from(*metric)).collect();
    let mut rows = Vec::new();
    let mut metric_cells = Vec::new();
    let (mut samples, mut unstable) = (Vec::new(), Vec::new());
    for case in &cases {
        for (name, values) in names.iter().zip(&values) {
            let defined: Vec<f64> = case.runs.values().filter_map(|row| values[*row]).collect();
            rows.push(case.row);
            metric_cells.push(Some(Arc::clone(name)));
            let of_all = sample(&defined);
            let known = case.unstable.is_empty() || &**name == OF_UNSTABLE;
            samples.push(if known { of_all } else { Sample { n: of_all.n, ..Sample::default() } });
            unstable.push(i64::try_from(case.unstable.len()).ok());
        }
    }
    let mut columns = taken(runs, &keys, &rows)?;
    columns.push(Column::text("metric", metric_cells));
    columns.push(counts(&samples));
    columns.push(Column::int("unstable", unstable));
    columns.push(reals("mean", &samples, |sample| sample.mean));
    columns.push(reals("sd", &samples, |sample| sample.sd));
    columns.extend(interval("ci_low", "ci_high", &samples));
    columns.push(reals("min", &samples, |sample| sample.min));
    columns.push(reals("max", &samples, |sample| sample.max));
    finished(runs, columns)
}

/// The comparisons table: every case that is not itself a baseline against its baseline, paired by replication. A case's
/// baseline has the values that the comparison fixes (of axes or of `mode`) and agrees with the case in all other axes, study,
/// experiment and mode. Only replications in which both succeeded and define the metric are pairs; a case without a baseline has
/// n = 0. As soon as one of the two is unstable in a replication that both have, there is nothing but n. Differences are case − baseline, ratios case / baseline: see [`paired_ratios`]. Rows are ordered by comparison, then
/// case in order of first appearance, then metric as asked for.
pub fn compare(runs: &Frame, axes: &[String], specs: &[ComparisonSpec]) -> Result<Frame, TableError> {
    let keys = key_columns(axes);
    let cases = cases(runs, &keys)?;
    let mut pairs = Pairs::default();
    for spec in specs {
        let baselines = baselines(runs, axes, &cases, spec)?;
        let comparison: Arc<str> = Arc::from(spec.id.as_str());
        let metrics = spec
            .metrics
            .iter()
            .map(|metric| Ok((Arc::from(metric.as_str()), runs.real(metric)?)))
            .collect::<Result<Vec<_>, TableError>>()?;
        for (case, baseline) in cases.iter().zip(&baselines) {
            let Against::Baseline(baseline) = baseline else { continue };
            for (metric, values) in &metrics {
                let baseline = baseline.map(|index| &cases[index]);
                let (of, versus) = paired(case, baseline, values);
                let unstable = baseline.map_or(0, |baseline| unstable_pairs(case, baseline));
                let known = |sample: Sample| {
                    if unstable == 0 { sample } else { Sample { n: sample.n, ..Sample::default() } }
                };
                pairs.rows.push(case.row);
                pairs.unstable.push(i64::try_from(unstable).ok());
                pairs.comparisons.push(Some(Arc::clone(&comparison)));
                pairs.metrics.push(Some(Arc::clone(metric)));
                pairs.differences.push(known(paired_differences(&of, &versus).unwrap_or_default()));
                pairs.ratios.push(known(paired_ratios(&of, &versus).unwrap_or_default()));
            }
        }
    }
    pairs.into_frame(runs, &keys)
}

/// The rows of the comparisons table while they are collected.
#[derive(Default)]
struct Pairs {
    rows: Vec<usize>,
    comparisons: Vec<Option<Arc<str>>>,
    metrics: Vec<Option<Arc<str>>>,
    unstable: Vec<Option<i64>>,
    differences: Vec<Sample>,
    ratios: Vec<Sample>,
}

impl Pairs {
    fn into_frame(self, runs: &Frame, keys: &[&str]) -> Result<Frame, TableError> {
        let mut columns = taken(runs, keys, &self.rows)?;
        columns.push(Column::text("comparison", self.comparisons));
        columns.push(Column::text("metric", self.metrics));
        columns.push(counts(&self.differences));
        columns.push(Column::int("unstable", self.unstable));
        columns.push(reals("mean_difference", &self.differences, |sample| sample.mean));
        columns.extend(interval("difference_ci_low", "difference_ci_high", &self.differences));
        columns.push(reals("mean_ratio", &self.ratios, |sample| sample.mean));
        columns.extend(interval("ratio_ci_low", "ratio_ci_high", &self.ratios));
        finished(runs, columns)
    }
}

/// What a case is compared with.
enum Against {
    /// It is a baseline itself.
    Itself,
    /// The case with this index, if there is one.
    Baseline(Option<usize>),
}

fn baselines(
    runs: &Frame,
    axes: &[String],
    cases: &[Case],
    spec: &ComparisonSpec,
) -> Result<Vec<Against>, TableError> {
    for column in spec.baseline.keys() {
        if column != "mode" && !axes.contains(column) {
            let (comparison, column) = (spec.id.clone(), column.clone());
            return Err(TableError::BaselineNotAnAxis { comparison, column, axes: axes.to_vec() });
        }
    }
    let mut is_baseline = vec![false; runs.len()];
    for row in runs.filter(&spec.baseline)? {
        is_baseline[row] = true;
    }
    let mut matched = key_columns(axes);
    matched.retain(|column| !spec.baseline.contains_key(*column));
    let groups = runs.group_numbers(&matched)?;
    let found: BTreeMap<usize, usize> = cases
        .iter()
        .enumerate()
        .filter(|(_, case)| is_baseline[case.row])
        .map(|(index, case)| (groups[case.row], index))
        .collect();
    Ok(cases
        .iter()
        .map(|case| match is_baseline[case.row] {
            true => Against::Itself,
            false => Against::Baseline(found.get(&groups[case.row]).copied()),
        })
        .collect())
}

/// The values of case and baseline in the replications that define both.
fn paired(case: &Case, baseline: Option<&Case>, values: &[Option<f64>]) -> (Vec<f64>, Vec<f64>) {
    let Some(baseline) = baseline else { return Default::default() };
    case.runs
        .iter()
        .filter_map(|(replication, row)| Some((values[*row]?, values[*baseline.runs.get(replication)?]?)))
        .unzip()
}

/// The replications of both in which one of them is unstable.
fn unstable_pairs(case: &Case, baseline: &Case) -> usize {
    let both =
        |replication: &&i64| case.runs.contains_key(replication) && baseline.runs.contains_key(replication);
    case.unstable.union(&baseline.unstable).filter(both).count()
}

fn key_columns(axes: &[String]) -> Vec<&str> {
    LEADING.into_iter().chain(axes.iter().map(String::as_str)).collect()
}

fn cases(runs: &Frame, keys: &[&str]) -> Result<Vec<Case>, TableError> {
    let status = runs.text("status")?;
    let replications = runs.int("replication")?;
    let mut cases = Vec::new();
    for rows in runs.partition(keys)? {
        let mut case = Case { row: 0, runs: BTreeMap::new(), unstable: BTreeSet::new() };
        let answered = |status: &Option<Arc<str>>| matches!(status.as_deref(), Some("ok" | UNSTABLE));
        for row in rows.into_iter().filter(|row| answered(&status[*row])) {
            let replication = replications[row].ok_or(TableError::NoReplication { row })?;
            if case.runs.insert(replication, row).is_some() {
                return Err(TableError::DuplicateRun { case: described(runs, keys, row), replication });
            }
            if status[row].as_deref() == Some(UNSTABLE) {
                case.unstable.insert(replication);
            }
            case.row = row;
        }
        if !case.runs.is_empty() {
            cases.push(case);
        }
    }
    Ok(cases)
}

fn described(runs: &Frame, keys: &[&str], row: usize) -> String {
    let value = |key: &str| runs.column(key)?.cells.printed(row);
    keys.iter()
        .map(|key| format!("{key}={}", value(key).unwrap_or_else(|| "null".to_owned())))
        .collect::<Vec<_>>()
        .join(", ")
}

fn taken(runs: &Frame, names: &[&str], rows: &[usize]) -> Result<Vec<Column>, TableError> {
    names
        .iter()
        .map(|name| {
            let column = runs.require(name)?;
            Ok(Column { name: column.name.clone(), cells: column.cells.select(rows) })
        })
        .collect()
}

fn counts(samples: &[Sample]) -> Column {
    Column::int("n", samples.iter().map(|sample| i64::try_from(sample.n).ok()).collect())
}

fn reals(name: &str, samples: &[Sample], value: impl Fn(&Sample) -> Option<f64>) -> Column {
    Column::real(name, samples.iter().map(value).collect())
}

fn interval(low: &str, high: &str, samples: &[Sample]) -> [Column; 2] {
    [
        reals(low, samples, |sample| sample.interval.map(|interval| interval.low)),
        reals(high, samples, |sample| sample.interval.map(|interval| interval.high)),
    ]
}

fn finished(runs: &Frame, columns: Vec<Column>) -> Result<Frame, TableError> {
    let mut frame = Frame::from_columns(columns)?;
    frame.metadata.clone_from(&runs.metadata);
    Ok(frame)
}
