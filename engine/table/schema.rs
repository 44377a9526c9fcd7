//! The data dictionary: every fixed column of the six tables, with type, unit and meaning.
//!
//! A table's columns are its leading ones, then one per axis (named as in the experiment file), then the rest. Metric columns of
//! `runs` and `groups` come last; their names and order are those of the simulation's metrics. Everything may be missing
//! (null) where a description says so; nothing is ever NaN.

use crate::frame::CellType;

/// Changes whenever a table's columns change their names, types or meaning.
pub const SCHEMA_VERSION: u32 = 3;

/// One of the six tables of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// One row per run.
    Runs,
    /// One row per run and group of jobs.
    Groups,
    /// One row per case and metric, over its replications.
    Summary,
    /// One row per comparison, case and metric, paired by replication.
    Comparisons,
    /// One row per claim, predicate, group, setting and mode.
    Claims,
    /// One row per cell of a published table and mode.
    Published,
}

/// What a fixed column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnDoc {
    /// Name.
    pub column: &'static str,
    /// Type.
    pub cell_type: CellType,
    /// Unit; empty for text and pure numbers, `metric` where it is that of the row's metric.
    pub unit: &'static str,
    /// Meaning.
    pub description: &'static str,
}

impl Table {
    /// All tables.
    pub const ALL: [Table; 6] =
        [Table::Runs, Table::Groups, Table::Summary, Table::Comparisons, Table::Claims, Table::Published];

    /// The table's name, which is also the stem of its file.
    pub fn name(self) -> &'static str {
        match self {
            Table::Runs => "runs",
            Table::Groups => "groups",
            Table::Summary => "summary",
            Table::Comparisons => "comparisons",
            Table::Claims => "claims",
            Table::Published => "published",
        }
    }

    /// The table's file name in the folder of its experiment.
    pub fn file_name(self) -> String {
        format!("{}.parquet", self.name())
    }

    /// The fixed columns on the left of the axes.
    pub fn leading(self) -> &'static [ColumnDoc] {
        match self {
            Table::Claims => &CLAIMS,
            Table::Published => &PUBLISHED,
            _ => &CASE,
        }
    }

    /// The fixed columns on the right of the axes, before the metrics.
    pub fn trailing(self) -> &'static [ColumnDoc] {
        match self {
            Table::Runs => &RUN,
            Table::Groups => &GROUP,
            Table::Summary => &SUMMARY,
            Table::Comparisons => &COMPARISON,
            Table::Claims | Table::Published => &[],
        }
    }

    /// All column names in order, for these axes and, in `runs` and `groups`, these metrics. `claims` and
    /// `published` have neither.
    pub fn columns(self, axes: &[String], metrics: &[&str]) -> Vec<String> {
        let fixed = |docs: &[ColumnDoc]| docs.iter().map(|doc| doc.column.to_owned()).collect::<Vec<_>>();
        let mut names = fixed(self.leading());
        if !matches!(self, Table::Claims | Table::Published) {
            names.extend(axes.iter().cloned());
        }
        names.extend(fixed(self.trailing()));
        if matches!(self, Table::Runs | Table::Groups) {
            names.extend(metrics.iter().map(|metric| (*metric).to_owned()));
        }
        names
    }
}

const fn doc(
    column: &'static str,
    cell_type: CellType,
    unit: &'static str,
    description: &'static str,
) -> ColumnDoc {
    ColumnDoc { column, cell_type, unit, description }
}

use CellType::{Int, Real, Text};

static CASE: [ColumnDoc; 3] = [
    doc("study", Text, "", "study the experiment belongs to"),
    doc("experiment", Text, "", "name of the experiment"),
    doc(
        "mode",
        Text,
        "",
        "where the jobs come from: trace (a real log), twin (synthetic, fitted to a log) or model",
    ),
];

static RUN: [ColumnDoc; 5] = [
    doc("replication", Int, "", "number of the replication, from 0; a real log has only number 0"),
    doc(
        "seed",
        Text,
        "",
        "seed of all random streams, as an unsigned decimal number; 0 where nothing is random",
    ),
    doc("run_key", Text, "", "hexadecimal hash of everything that decides the run's result"),
    doc(
        "status",
        Text,
        "",
        "ok, unstable where ever more jobs waited, failed, or skipped where the log is not at hand",
    ),
    doc("message", Text, "", "why the run failed, was skipped or is unstable; null if it is ok"),
];

static GROUP: [ColumnDoc; 3] = [
    doc("replication", Int, "", "number of the replication, from 0"),
    doc("grouping", Text, "", "what the jobs are grouped by: run_time or size"),
    doc("group", Text, "", "the group's bounds"),
];

static SUMMARY: [ColumnDoc; 9] = [
    doc("metric", Text, "", "metric column of the runs table"),
    doc("n", Int, "replications", "replications in which the metric is defined"),
    doc(
        "unstable",
        Int,
        "replications",
        "unstable replications; above 0, all that follows is null, but of the metric unstable_at_s",
    ),
    doc("mean", Real, "metric", "arithmetic mean; null if n is 0"),
    doc("sd", Real, "metric", "standard deviation, divisor n - 1; null if n is below 2"),
    doc(
        "ci_low",
        Real,
        "metric",
        "lower end of the 95 % Student-t interval of the mean; null if n is below 2",
    ),
    doc(
        "ci_high",
        Real,
        "metric",
        "upper end of the 95 % Student-t interval of the mean; null if n is below 2",
    ),
    doc("min", Real, "metric", "smallest value; null if n is 0"),
    doc("max", Real, "metric", "largest value; null if n is 0"),
];

static COMPARISON: [ColumnDoc; 10] = [
    doc("comparison", Text, "", "identifier of the comparison in the experiment file"),
    doc("metric", Text, "", "metric column of the runs table"),
    doc("n", Int, "pairs", "replications in which case and baseline both define the metric"),
    doc(
        "unstable",
        Int,
        "pairs",
        "replications in which case or baseline is unstable; above 0, all that follows is null",
    ),
    doc("mean_difference", Real, "metric", "mean of case - baseline over the pairs; null if n is 0"),
    doc("difference_ci_low", Real, "metric", "lower end of its 95 % interval; null if n is below 2"),
    doc("difference_ci_high", Real, "metric", "upper end of its 95 % interval; null if n is below 2"),
    doc(
        "mean_ratio",
        Real,
        "",
        "mean of case / baseline over the pairs; null if n is 0 or a baseline value is 0",
    ),
    doc(
        "ratio_ci_low",
        Real,
        "",
        "lower end of its 95 % interval; null where mean_ratio is, or if n is below 2",
    ),
    doc(
        "ratio_ci_high",
        Real,
        "",
        "upper end of its 95 % interval; null where mean_ratio is, or if n is below 2",
    ),
];

static CLAIMS: [ColumnDoc; 16] = [
    doc("study", Text, "", "study the experiment belongs to"),
    doc("experiment", Text, "", "name of the experiment"),
    doc("claim", Text, "", "identifier of the claim in its study"),
    doc("mode", Text, "", "where the jobs come from: trace, twin or model"),
    doc(
        "setting",
        Text,
        "",
        "the axis values that the claim is tested under, in an experiment over what the source leaves open; null in others",
    ),
    doc("statement", Text, "", "what the source says"),
    doc("source", Text, "", "where it says so"),
    doc("published", Text, "", "the value as printed; null where none is"),
    doc("predicate", Int, "", "index of the predicate in the claim, from 0"),
    doc(
        "group",
        Text,
        "",
        "the axis values the row is about, such as trace=HPC2N, policy=Fcfs; empty for all",
    ),
    doc("measured", Real, "", "the value that decides, in the unit the predicate implies; null if undefined"),
    doc("ci_low", Real, "", "lower end of its 95 % interval; null with one replication"),
    doc("ci_high", Real, "", "upper end of its 95 % interval; null with one replication"),
    doc("wanted", Text, "", "the range or order that makes the predicate hold"),
    doc("verdict", Text, "", "holds, does not hold, or cannot be tested"),
    doc("reason", Text, "", "why, in words; null where the numbers say it"),
];

static PUBLISHED: [ColumnDoc; 19] = [
    doc("study", Text, "", "study the experiment belongs to"),
    doc("experiment", Text, "", "name of the experiment"),
    doc("mode", Text, "", "where the jobs come from: trace, twin or model"),
    doc("table", Text, "", "identifier of the published table in the experiment file"),
    doc("row", Text, "", "label of the row as printed"),
    doc("column", Text, "", "label of the column as printed"),
    doc("unit", Text, "", "unit of the cell's numbers, such as %; null where they have none"),
    doc("n", Int, "replications", "replications in which the cell is defined"),
    doc("measured", Real, "unit", "mean over them; null if n is 0"),
    doc("ci_low", Real, "unit", "lower end of the mean's 95 % Student-t interval; null if n is below 2"),
    doc("ci_high", Real, "unit", "upper end of it; null if n is below 2"),
    doc("published", Real, "unit", "the published number that is compared with; null where there is none"),
    doc("published_text", Text, "", "the cell as printed; null where nothing is printed"),
    doc("mark", Text, "", "illegible, inferred or doubtful, where the cell is not taken as it stands"),
    doc("mark_reason", Text, "", "how that is known; null without a mark"),
    doc(
        "inside",
        CellType::Flag,
        "",
        "whether the published number lies in the interval; null without either",
    ),
    doc(
        "n_published",
        Int,
        "replications",
        "smallest n with t(0.975, n - 1) * sd / sqrt(n) < |measured - published|; null where undefined or above 10^9",
    ),
    doc(
        "n_sign",
        Int,
        "replications",
        "smallest n with t(0.975, n - 1) * sd / sqrt(n) < |measured|; null where undefined or above 10^9",
    ),
    doc("reason", Text, "", "why nothing was measured; null where something was"),
];
