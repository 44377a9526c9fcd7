//! The data dictionary: every column of the six tables but those of axes, with type, unit, meaning, and where it is missing.
//!
//! A table's columns are its leading ones, then one per axis (named as in the experiment file), then the rest. Metric columns of
//! `runs` and `groups` come last; their names and order are those of the simulation's metrics. A cell may be missing (null) only
//! where its column says when; nothing is ever NaN.

mod columns;
mod metrics;

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

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnDoc {
    /// Name.
    pub column: &'static str,
    /// Type.
    pub cell_type: CellType,
    /// Unit; empty for text and pure numbers, `metric` where it is that of the row's metric, `unit` where the row has it in its
    /// column of that name.
    pub unit: &'static str,
    /// When a cell is missing; empty where none ever is. What a whole row lacks is said by [`Table::rows`].
    pub null: &'static str,
    /// Meaning, for metrics with the formula.
    pub description: &'static str,
}

/// The keys of a table's metadata and what stands there; in angle brackets what differs from file to file.
pub const METADATA: &[(&str, &str)] = &[
    ("schema_version", "version of this dictionary; another one means that columns have changed"),
    ("study", "the study"),
    ("experiment", "the experiment"),
    ("experiment_hash", "blake3 of the experiment's text and of what it includes"),
    ("scale", "the scale that was asked for; absent without one"),
    ("set:<field>", "the values that a field was given on the command line, as typed"),
    ("workload:<log>", "blake3 of each workload that was read under this name, separated by spaces"),
    ("build", "version of the program"),
    ("model:<family>", "hash of a part of the program that decides results"),
];

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
            Table::Claims => &columns::CLAIMS,
            Table::Published => &columns::PUBLISHED,
            _ => &columns::CASE,
        }
    }

    /// The fixed columns on the right of the axes, before the metrics.
    pub fn trailing(self) -> &'static [ColumnDoc] {
        match self {
            Table::Runs => &columns::RUN,
            Table::Groups => &columns::GROUP,
            Table::Summary => &columns::SUMMARY,
            Table::Comparisons => &columns::COMPARISON,
            Table::Claims | Table::Published => &[],
        }
    }

    /// What a row of the table is.
    pub fn rows(self) -> &'static str {
        match self {
            Table::Runs => {
                "One row per run. Metrics are null where the run was not carried out or failed; of an unstable run only `jobs` \
                 (those that had ended) and `unstable_at_s` are defined."
            }
            Table::Groups => {
                "One row per run with an outcome and group of its jobs; a run has one row per group and grouping."
            }
            Table::Summary => {
                "One row per case and metric, over the replications of the case that have an outcome."
            }
            Table::Comparisons => {
                "One row per comparison, case and metric, over pairs of a case and its baseline with the same replication, hence \
                 the same jobs."
            }
            Table::Claims => "One row per claim, predicate, group, setting and mode.",
            Table::Published => "One row per cell of a published table and mode.",
        }
    }

    /// The columns of metrics, on the right of all others; none of tables whose rows name their metric.
    pub fn metrics(self) -> &'static [ColumnDoc] {
        match self {
            Table::Runs => &metrics::OF_RUNS,
            Table::Groups => &metrics::OF_GROUPS,
            _ => &[],
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
    null: &'static str,
    description: &'static str,
) -> ColumnDoc {
    ColumnDoc { column, cell_type, unit, null, description }
}
