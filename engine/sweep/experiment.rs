//! A validated experiment: what is run, under which names, and what is asked of the results.

use crate::assemble;
use crate::case_file::read_text;
use crate::column::Column;
use crate::grid::Grid;
use crate::overrides::Overrides;
use crate::plan::Runs;
use crate::problem::{Problem, Problems};
use crate::run_spec::{AxisColumn, Case, PlannedRun, RunMode, RunSpec};
use std::path::Path;
use table::{ClaimSpec, ComparisonSpec, FigureSpec, ScheduleSpec, TableFigureSpec, TableSpec};
use workload::{Mode, Source, WorkloadSpec};

/// A validated experiment. Its grid is lazy: points exist only while they are looked at.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Its name, the folder of its tables.
    pub name: String,
    /// The study that it belongs to.
    pub study: String,
    /// A line for people.
    pub title: String,
    /// The publication, section and figures that it reproduces.
    pub source: String,
    /// The file as it was named; of no influence on any result.
    pub file: String,
    /// blake3 of the file's text, in hexadecimal.
    pub text_hash: String,
    /// The master seed, from which the replications' seeds are derived.
    pub seed: u64,
    /// Replications of every case that has randomness; recorded jobs are run once.
    pub replications: u32,
    /// In which modes the logs are run; empty: each as its source says.
    pub modes: Vec<Mode>,
    /// The scales that the file has.
    pub scales: Vec<String>,
    /// The scale that was applied.
    pub scale: Option<String>,
    /// What was set beside: names and values as typed.
    pub set: Vec<(String, String)>,
    /// The case that axes start from.
    pub base: Case,
    /// Paired comparisons wanted.
    pub comparisons: Vec<ComparisonSpec>,
    /// Published statements to test.
    pub claims: Vec<ClaimSpec>,
    /// Columns whose values are settings that the publication leaves open.
    pub settings: Vec<String>,
    /// Published tables to measure.
    pub tables: Vec<TableSpec>,
    /// Figures wanted.
    pub figures: Vec<FigureSpec>,
    /// Figures wanted of published tables.
    pub table_figures: Vec<TableFigureSpec>,
    /// Schedules wanted as pictures.
    pub schedules: Vec<ScheduleSpec>,
    /// Values that the publication does not print.
    pub assumptions: Vec<Assumption>,
    pub(crate) columns: Vec<Column>,
    pub(crate) grids: Vec<Grid>,
    pub(crate) points: u64,
    pub(crate) runs: u64,
}

/// A value that the publication does not print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The field.
    pub field: String,
    /// Why this value.
    pub reason: String,
    /// The base case's value, as RON; `None` where the base case has no such field.
    pub value: Option<String>,
    /// Values to try instead, as RON.
    pub sweep: Vec<String>,
}

/// One pass over a case: a mode of its source and how often it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pass {
    /// The mode to set in a log's source.
    pub(crate) set: Option<Mode>,
    pub(crate) mode: RunMode,
    pub(crate) replications: u32,
}

impl Experiment {
    /// Reads and validates an experiment file and the files that it includes.
    ///
    /// # Errors
    /// Everything wrong with the files and the overrides, with places.
    pub fn load(path: &Path, overrides: &Overrides) -> Result<Experiment, Problems> {
        let name = path.display().to_string();
        assemble::experiment(&name, &read_text(path)?, &read_text, overrides)
    }

    /// Validates an experiment's text; `name` is used in problems. It can include nothing.
    ///
    /// # Errors
    /// Everything wrong with the text and the overrides, with places.
    pub fn parse(name: &str, text: &str, overrides: &Overrides) -> Result<Experiment, Problems> {
        Experiment::parse_with(name, text, &|_| None, overrides)
    }

    /// Validates an experiment's text that includes others, which `text_of` knows by path, relative ones taken from the folder
    /// of `name`.
    ///
    /// # Errors
    /// Everything wrong with the texts and the overrides, with places.
    pub fn parse_with(
        name: &str,
        text: &str,
        text_of: &dyn Fn(&Path) -> Option<String>,
        overrides: &Overrides,
    ) -> Result<Experiment, Problems> {
        let read =
            |path: &Path| text_of(path).ok_or_else(|| Problems(vec![no_file(&path.display().to_string())]));
        assemble::experiment(name, text, &read, overrides)
    }

    /// The axis columns of its tables, sorted by name.
    pub fn columns(&self) -> Vec<AxisColumn> {
        self.columns.iter().map(|column| column.axis.clone()).collect()
    }

    /// Number of points: cases, before modes and replications.
    pub fn points(&self) -> u64 {
        self.points
    }

    /// Number of runs, in all modes.
    pub fn len(&self) -> usize {
        usize::try_from(self.runs).unwrap_or(usize::MAX)
    }

    /// Whether there is nothing to run; never true of a validated experiment.
    pub fn is_empty(&self) -> bool {
        self.runs == 0
    }

    /// All runs, one by one in constant memory: points in the order of the sorted columns, the last column fastest, then modes,
    /// then replications. Where there is a union, the cases already seen are remembered by hash, as each is run once.
    pub fn runs(&self) -> impl Iterator<Item = PlannedRun> + '_ {
        Runs::of(self, true)
    }

    /// The runs in the same order, without where they lie on the axes: what keys need.
    pub fn specs(&self) -> impl Iterator<Item = RunSpec> + '_ {
        Runs::of(self, false).map(|run| run.spec)
    }

    /// The pass number `index` over a workload.
    pub(crate) fn pass(&self, workload: &WorkloadSpec, index: usize) -> Option<Pass> {
        pass(&self.modes, self.replications, workload, index)
    }
}

fn no_file(name: &str) -> Problem {
    let message = "there is no such file".to_owned();
    Problem { file: name.to_owned(), text: "".into(), span: 0..0, message, help: None }
}

/// The pass number `index` over a workload; see [`Experiment::modes`]. Recorded jobs are run once, unless something of them is drawn.
pub(crate) fn pass(modes: &[Mode], replications: u32, workload: &WorkloadSpec, index: usize) -> Option<Pass> {
    let recorded = if workload.draws_speedups() { replications } else { 1 };
    let source = &workload.source;
    let Source::Log { mode: own, .. } = source else {
        let mode = RunMode::of(source);
        let replications = if mode == RunMode::Trace { recorded } else { replications };
        return (index == 0).then_some(Pass { set: None, mode, replications });
    };
    let mode = if modes.is_empty() { [*own].get(index).copied() } else { modes.get(index).copied() }?;
    Some(match mode {
        Mode::Trace => Pass { set: Some(mode), mode: RunMode::Trace, replications: recorded },
        Mode::Twin => Pass { set: Some(mode), mode: RunMode::Twin, replications },
    })
}
