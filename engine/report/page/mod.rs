//! The report page: one file that shows what was published, what was measured, and the figure or table that shows it.
//!
//! * The page is one file without network: style, program and figures are in it. Without its program it still shows everything;
//!   only sorting and the choice of light or dark need it.
//! * Numbers are cells of the claims and published tables, or the smallest and largest of several; when and by which program they
//!   were made is handed in.
//! * The same results give the same bytes: no clock, folder or host is consulted.
//! * Which figures and tables show a claim is derived by the rule in `evidence.rs`.

mod anchor;
mod evidence;
mod grid;
mod html;
mod legend;
mod measurement;
mod overview;
mod picture;
mod published;
mod record;
mod settings;
mod study;
mod theme;
mod verdicts;
mod xml;

#[cfg(test)]
mod tests;

use crate::error::ReportError;
use crate::template::filled;
use crate::verdict::Ledger;
use html::{Html, join};
use std::collections::BTreeMap;
use table::{ClaimSpec, FigureSpec, Frame, TableSpec};

const PAGE: &str = include_str!("parts/page.html");
const STYLE: &str = include_str!("parts/page.css");
const PROGRAM: [&str; 4] = [
    include_str!("parts/theme.js"),
    include_str!("parts/sort.js"),
    include_str!("parts/scroll.js"),
    include_str!("parts/unfold.js"),
];

/// The results of some studies, in the order in which they are shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// The studies.
    pub studies: Vec<StudyResults>,
}

/// The results of a study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StudyResults {
    /// Its name.
    pub name: String,
    /// Its experiments that have results, in order.
    pub experiments: Vec<ExperimentResults>,
    /// Those that have none.
    pub absent: Vec<String>,
}

/// The results of an experiment. What is missing is left out, and should be among the remarks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperimentResults {
    /// Its name.
    pub name: String,
    /// What its file says; `None` where that is not at hand.
    pub text: Option<ExperimentText>,
    /// Its claims table.
    pub claims: Option<Frame>,
    /// Its table of published tables.
    pub published: Option<Frame>,
    /// Its figures.
    pub pictures: Vec<PictureFile>,
    /// Its manifest.
    pub record: Option<Record>,
    /// What is odd about the results, in sentences without a full stop.
    pub remarks: Vec<String>,
}

/// What an experiment's file says beside the claims table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperimentText {
    /// What it asks, in a line.
    pub title: String,
    /// The publication.
    pub source: String,
    /// Its claims.
    pub claims: Vec<ClaimSpec>,
    /// Its figures of tables.
    pub figures: Vec<FigureSpec>,
    /// Its published tables.
    pub tables: Vec<TableSpec>,
    /// What the publication does not print.
    pub assumptions: Vec<crate::scorecard::Assumption>,
}

/// A figure as a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PictureFile {
    /// `<id>-<mode>.svg`.
    pub name: String,
    /// The document.
    pub svg: String,
}

/// What a manifest says of an experiment's results, without hosts and paths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// When the files were written: RFC 3339, UTC.
    pub written: String,
    /// Seconds that the invocation took, which may have written other experiments too.
    pub wall_s: f64,
    /// The program's version.
    pub version: String,
    /// `release` or `debug`.
    pub profile: String,
    /// The scale, where one was asked for.
    pub scale: Option<String>,
    /// What was set on the command line.
    pub set: BTreeMap<String, String>,
    /// Runs of the experiment.
    pub runs: RecordedRuns,
    /// Logs that were used, with the hash of each of their files.
    pub logs: BTreeMap<String, Vec<String>>,
    /// Published logs that were not at hand.
    pub absent_logs: Vec<String>,
    /// blake3 of the experiment's text.
    pub experiment_hash: String,
    /// blake3 over all that decides the files.
    pub inputs: String,
    /// Fingerprints of the model's families.
    pub model: BTreeMap<String, String>,
    /// What was odd when the files were written.
    pub warnings: Vec<String>,
}

/// What became of an experiment's runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordedRuns {
    /// All, those left out included.
    pub planned: usize,
    /// Answered by the store before.
    pub answered: usize,
    /// Carried out.
    pub executed: usize,
    /// Failed.
    pub failed: usize,
    /// Left out, because their log was not at hand.
    pub skipped: usize,
}

/// The page: an HTML document.
///
/// # Errors
/// If a table lacks a column of its schema, or a figure is no picture of this program.
pub fn page(results: &Results) -> Result<String, ReportError> {
    let experiments = || results.studies.iter().flat_map(|study| &study.experiments);
    let frames: Vec<&Frame> = experiments().filter_map(|experiment| experiment.claims.as_ref()).collect();
    let ledger = Ledger::read(&frames)?;
    let mut sections = Vec::new();
    for results in &results.studies {
        sections.push(study::section(results, &ledger)?);
    }
    let parts = [
        ("{{style}}", format!("{}{STYLE}", theme::style())),
        ("{{header}}", overview::header(results).into_text()),
        ("{{navigation}}", overview::navigation(results).into_text()),
        ("{{overview}}", join([overview::totals(results, &ledger), legend::legend()]).into_text()),
        ("{{studies}}", Html::from_iter(sections).into_text()),
        ("{{program}}", PROGRAM.concat()),
    ];
    Ok(filled(PAGE, &parts))
}
