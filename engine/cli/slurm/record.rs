//! Where submissions are written down: a folder for each, in the folder `slurm` beside the store, with scripts, logs and a record.

use crate::args::SubmissionArg;
use crate::diagnostic::Failure;
use crate::results;
use std::io::ErrorKind;
use std::path::{Path, PathBuf, absolute};
use std::{fs, io};
use sweep::slurm::Submission;

const RECORD: &str = "submission.json";
/// What the jobs print, inside the folder of a submission.
pub const LOGS: &str = "logs";

/// The folder of all submissions of a store.
fn place(store: &Path) -> PathBuf {
    let store = absolute(store).unwrap_or_else(|_| store.to_owned());
    store.parent().unwrap_or(Path::new("/")).join("slurm")
}

/// Where a submission of this label at this time is kept, unless something else is there.
pub fn folder_for(store: &Path, label: &str, unix_s: u64) -> PathBuf {
    place(store).join(format!("{label}-{unix_s}"))
}

/// Makes a new folder for a submission, with one for its logs.
///
/// # Errors
/// Where it cannot be made.
pub fn make(wanted: &Path) -> Result<PathBuf, Failure> {
    let failed = |path: &Path, problem: io::Error| {
        Failure::work(format!("cannot make the folder {}: {problem}", path.display()))
    };
    if let Some(parent) = wanted.parent() {
        fs::create_dir_all(parent).map_err(|problem| failed(parent, problem))?;
    }
    // Two submissions within a second have different folders.
    let mut folder = wanted.to_owned();
    for number in 2.. {
        match fs::create_dir(&folder) {
            Ok(()) => break,
            Err(problem) if problem.kind() == ErrorKind::AlreadyExists && number < 100 => {
                folder = wanted.with_file_name(format!("{}-{number}", name(wanted)));
            }
            Err(problem) => return Err(failed(&folder, problem)),
        }
    }
    let logs = folder.join(LOGS);
    fs::create_dir(&logs).map_err(|problem| failed(&logs, problem))?;
    Ok(folder)
}

/// A submission's name: that of its folder.
pub fn name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Writes the record, whole or not at all.
///
/// # Errors
/// Where it cannot be written.
pub fn write(folder: &Path, submission: &Submission) -> Result<(), Failure> {
    let text =
        serde_json::to_string_pretty(submission).map_err(|problem| Failure::work(problem.to_string()))?;
    results::write_text(&folder.join(RECORD), &(text + "\n"))
}

/// The submission that is asked for, or the latest, with its folder.
///
/// # Errors
/// Where there is none, or its record cannot be read.
pub fn find(args: &SubmissionArg) -> Result<(PathBuf, Submission), Failure> {
    let place = place(&args.store.store);
    let mut known = submissions(&place)?;
    if known.is_empty() {
        return Err(Failure::question(format!("no submission is recorded in {}", place.display()))
            .hint("--store names the store of the submission"));
    }
    let chosen = match &args.name {
        Some(wanted) => known.iter().position(|(folder, _)| name(folder) == *wanted),
        None => Some(known.len() - 1),
    };
    match chosen {
        Some(at) => Ok(known.swap_remove(at)),
        None => {
            let names: Vec<String> = known.iter().map(|(folder, _)| name(folder)).collect();
            let wanted = args.name.as_deref().unwrap_or_default();
            Err(Failure::question(format!("no submission `{wanted}`; known: {}", names.join(", "))))
        }
    }
}

/// All submissions, the latest last; those of one second by name.
fn submissions(place: &Path) -> Result<Vec<(PathBuf, Submission)>, Failure> {
    let unread = |problem: io::Error| Failure::work(format!("cannot read {}: {problem}", place.display()));
    let entries = match fs::read_dir(place) {
        Ok(entries) => entries,
        Err(problem) if problem.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(problem) => return Err(unread(problem)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let folder = entry.map_err(unread)?.path();
        if let Some(submission) = read(&folder.join(RECORD))? {
            found.push((folder, submission));
        }
    }
    found.sort_by(|(a, one), (b, other)| (one.submitted_unix_s, a).cmp(&(other.submitted_unix_s, b)));
    Ok(found)
}

/// A record; `None` where there is none.
fn read(path: &Path) -> Result<Option<Submission>, Failure> {
    let unread = |problem: String| Failure::work(format!("cannot read {}: {problem}", path.display()));
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(problem) if matches!(problem.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(problem) => return Err(unread(problem.to_string())),
    };
    let submission: Submission = serde_json::from_str(&text)
        .map_err(|problem| unread(format!("it is no record of a submission: {problem}")))?;
    match submission.format {
        Submission::FORMAT => Ok(Some(submission)),
        other => Err(unread(format!("its format is {other}, this program reads {}", Submission::FORMAT))),
    }
}
