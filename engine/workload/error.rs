//! What can go wrong between a workload specification and its jobs.

use crate::swf::SwfError;
use std::path::PathBuf;

/// Why a workload cannot be built. Each variant carries what a diagnostic needs: the file, place and text, or the
/// parameter and what was expected of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkloadError {
    /// A file cannot be opened or read (missing, a directory, no permission, a damaged gzip member).
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is no Standard Workload Format log.
    #[error("`{}`: {source}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The place and the fault.
        source: SwfError,
    },
    /// No published log has this name.
    #[error("unknown log `{name}`; known: {}", known.join(", "))]
    UnknownLog {
        /// The name as given.
        name: String,
        /// The canonical names.
        known: Vec<String>,
    },
    /// No twin is fitted for this log.
    #[error("no twin of `{name}`; there are twins of: {}", known.join(", "))]
    UnknownTwin {
        /// The name as given.
        name: String,
        /// The names that have twins.
        known: Vec<String>,
    },
    /// A published log is known but not at hand.
    #[error("log `{name}` not found{}", searched_in(directory.as_ref()))]
    MissingLog {
        /// Its canonical name.
        name: String,
        /// The trace directory that was searched; `None` when none was given.
        directory: Option<PathBuf>,
    },
    /// A file bears the name of a published log but holds something else.
    #[error("`{}` is not `{name}`: sha256 of its uncompressed content is {found}, expected {expected}", path.display())]
    WrongContent {
        /// The canonical name.
        name: String,
        /// The file.
        path: PathBuf,
        /// The pinned hash, hexadecimal.
        expected: String,
        /// The file's hash, hexadecimal.
        found: String,
    },
    /// A parameter has no meaning.
    #[error("{field} = {value}: expected {expected}")]
    BadParameter {
        /// The field as written in the experiment.
        field: &'static str,
        /// Its value.
        value: String,
        /// What would be accepted.
        expected: String,
    },
    /// Nothing is left to simulate.
    #[error("`{origin}` has no usable jobs{}", because(reasons))]
    NoJobs {
        /// The source.
        origin: String,
        /// What the cleaning report says, one reason per line; may be empty.
        reasons: String,
    },
    /// A load cannot be reached because the jobs span no time (a single job, or all submitted at once).
    #[error("the load cannot be scaled: all jobs are submitted at the same instant")]
    NoDuration,
    /// Scaling pushes an instant or a run time beyond what the simulation can represent.
    #[error("scaling {what} by {factor} goes beyond {} seconds", sim::time::MAX_SECONDS)]
    TooLong {
        /// What is scaled.
        what: &'static str,
        /// By how much.
        factor: f64,
    },
}

fn searched_in(directory: Option<&PathBuf>) -> String {
    match directory {
        Some(directory) => format!(" in `{}`", directory.display()),
        None => ": no trace directory is given".to_owned(),
    }
}

fn because(reasons: &str) -> String {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = reasons.lines().map(line).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { String::new() } else { format!(": {}", lines.join("; ")) }
}
