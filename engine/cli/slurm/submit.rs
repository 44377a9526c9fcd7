//! `slurm submit`: arrays that the site takes, a merge job after them, and a record of both.

use super::batch::{Batch, label};
use super::client::{self, Refusal};
use super::{record, script};
use crate::args::SlurmSubmitArgs;
use crate::diagnostic::Failure;
use crate::output;
use crate::results::write_text;
use crate::session::{Ending, Session, count, counted};
use std::path::Path;
use std::time::SystemTime;
use sweep::slurm::{ArrayJob, BatchJob, Chunk, Limits, Submission, chunks, quote};

/// Submits a sweep.
///
/// # Errors
/// A malformed question, or Slurm refuses the first job.
pub fn submit(session: &Session, args: &SlurmSubmitArgs) -> Result<Ending, Failure> {
    let mut batch = Batch::of(session, &args.job)?;
    let limits = site_limits(session, args.dry_run)?;
    announce(session, &batch);
    let chunks = match batch.tally.missing {
        0 => Vec::new(),
        _ => chunks(batch.job.elements, limits.largest_array()),
    };
    if chunks.len() > 1 {
        session.note(&format!(
            "{} arrays, as this site allows {} in one (MaxArraySize {})",
            count(chunks.len()),
            counted(limits.largest_array() as usize, "element"),
            limits.max_array_size
        ));
    }
    let unix_s = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
    let folder = record::folder_for(&batch.job.store, &label(&batch.experiments), unix_s);
    if args.dry_run {
        batch.job.logs = Some(folder.join(record::LOGS));
        output::data(&rehearsal(&batch.job, &chunks, &folder))?;
        return Ok(Ending::Done);
    }
    let folder = record::make(&folder)?;
    batch.job.logs = Some(folder.join(record::LOGS));
    write_text(&folder.join("array.sh"), &batch.job.array_script())?;
    write_text(&folder.join("merge.sh"), &batch.job.merge_script())?;
    let mut submission = blank(args, &batch, unix_s);
    let ending = hand_over(session, &folder, &chunks, &mut submission);
    if submission.jobs().is_empty() {
        // Nothing has been submitted, so there is nothing to remember.
        let _ = std::fs::remove_dir_all(&folder);
    } else {
        output::data(&summary(&folder, &submission))?;
    }
    ending
}

/// What the site allows; a rehearsal is possible elsewhere too.
fn site_limits(session: &Session, dry_run: bool) -> Result<Limits, Failure> {
    match client::limits() {
        Err(Refusal::Absent(_)) if dry_run => {
            let limits = Limits::default();
            session.note(&format!(
                "no Slurm here; a site with MaxArraySize {} is assumed",
                limits.max_array_size
            ));
            Ok(limits)
        }
        found => Ok(found?),
    }
}

fn announce(session: &Session, batch: &Batch) {
    let (missing, failed) = (batch.tally.missing, batch.tally.failed);
    let runs = counted(batch.tally.runs, "run");
    let only_merge = "no array is needed, only the merge job, which writes the tables";
    session.note(&match (missing, failed) {
        (0, 0) => format!("all {runs} answered by the store: {only_merge}"),
        (0, _) => format!("all {runs} answered or failed before: {only_merge}"),
        _ => format!("{} of {runs} to do", count(missing)),
    });
    session.note("store, results and program must be on a file system that all nodes share");
}

fn blank(args: &SlurmSubmitArgs, batch: &Batch, submitted_unix_s: u64) -> Submission {
    let name = |experiment: &sweep::Experiment| format!("{}/{}", experiment.study, experiment.name);
    let hashes = batch.experiments.iter().map(|one| (name(one), one.text_hash.to_string()));
    Submission {
        format: Submission::FORMAT,
        backsweep: sweep::store::BUILD.to_owned(),
        submitted_unix_s,
        elements: batch.job.elements,
        arrays: Vec::new(),
        merge: None,
        refused: None,
        time: batch.job.time,
        folder: batch.job.folder.clone(),
        files: batch.files.clone(),
        experiments: hashes.collect(),
        set: args.job.experiments.overrides.set.clone(),
        scale: args.job.experiments.overrides.scale.clone(),
        traces: batch.traces.clone(),
        store: batch.job.store.clone(),
        out: batch.job.out.clone(),
        command: batch.job.command(),
    }
}

/// The words of `sbatch` for an array.
fn array_words(folder: &Path, chunk: Chunk) -> Vec<String> {
    let script = folder.join("array.sh").to_string_lossy().into_owned();
    let array = format!("--array=1-{}", chunk.size);
    vec!["--parsable".to_owned(), array, script, chunk.offset.to_string()]
}

/// The words of `sbatch` for the merge job.
fn merge_words(folder: &Path, dependency: Option<String>) -> Vec<String> {
    let script = folder.join("merge.sh").to_string_lossy().into_owned();
    let dependency = dependency.map(|dependency| format!("--dependency={dependency}"));
    std::iter::once("--parsable".to_owned()).chain(dependency).chain([script]).collect()
}

/// Submits the arrays and the merge job; the record holds every job as soon as Slurm took it.
fn hand_over(
    session: &Session,
    folder: &Path,
    chunks: &[Chunk],
    submission: &mut Submission,
) -> Result<Ending, Failure> {
    for chunk in chunks {
        match client::submit(&array_words(folder, *chunk)) {
            Ok(job) => {
                submission.arrays.push(ArrayJob { job, offset: chunk.offset, size: chunk.size });
                record::write(folder, submission)?;
            }
            Err(refusal) if submission.arrays.is_empty() => return Err(refusal.into()),
            Err(refusal) => {
                submission.refused = Some(refusal.text());
                session.warn(&format!(
                    "{}; elements from {} on are not submitted, the others carry out their runs too",
                    refusal.text(),
                    count(chunk.offset as usize + 1)
                ));
                client::hint(&refusal.text()).iter().for_each(|hint| session.warn(hint));
                break;
            }
        }
    }
    match client::submit(&merge_words(folder, submission.dependency())) {
        Ok(job) => {
            submission.merge = Some(job);
            record::write(folder, submission)?;
        }
        Err(refusal) if submission.arrays.is_empty() => return Err(refusal.into()),
        Err(refusal) => {
            submission.refused.get_or_insert(refusal.text());
            record::write(folder, submission)?;
            session.warn(&format!("no merge job: {}; when the array has ended, run", refusal.text()));
            session.warn(&submission.command);
        }
    }
    Ok(if submission.refused.is_some() { Ending::SomeFailed } else { Ending::Done })
}

/// What was submitted.
fn summary(folder: &Path, submission: &Submission) -> String {
    let arrays = submission.arrays.iter().map(|array| {
        format!("array  {:<9} elements {} to {}\n", array.job, array.offset + 1, array.offset + array.size)
    });
    let merge = submission.merge.map(|job| format!("merge  {job:<9} when they have ended\n"));
    let name = record::name(folder);
    format!("submitted {name}\n{}{}", arrays.collect::<String>(), merge.unwrap_or_default())
        + &format!("scripts and logs are in {}\n", folder.display())
}

/// What would be submitted.
fn rehearsal(job: &BatchJob, chunks: &[Chunk], folder: &Path) -> String {
    let line = |words: Vec<String>| {
        let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
        format!("# sbatch {}\n", words.join(" "))
    };
    let mut text: String = chunks.iter().map(|chunk| line(array_words(folder, *chunk))).collect();
    let ids: Vec<String> = (1..=chunks.len()).map(|number| format!("ID{number}")).collect();
    let dependency = (!ids.is_empty()).then(|| format!("afterany:{}", ids.join(":")));
    text += &line(merge_words(folder, dependency));
    text + "\n" + &script::both(&job.array_script(), &job.merge_script())
}
