//! `slurm status`: what has become of the elements, by Slurm, and of the runs, by the store.

use super::{client, record};
use crate::args::{ExperimentArgs, OverrideArgs, SlurmStatusArgs};
use crate::diagnostic::Failure;
use crate::planning::Planner;
use crate::session::{Ending, Session, count, duration, trace_dir};
use crate::{experiments, output};
use serde::Serialize;
use std::fmt::Write;
use std::time::{Duration, SystemTime};
use sweep::slurm::{Element, Elements, Fate, Queue, Submission, elements};
use sweep::store::Status;
use sweep::{Access, Experiment, Store};

/// Elements that are named one by one.
const SHOWN: usize = 10;

/// What the store says of the planned runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Runs {
    planned: usize,
    answered: usize,
    failed: usize,
    missing: usize,
    /// Runs whose log is not at hand.
    skipped: usize,
}

/// As JSON.
#[derive(Serialize)]
struct Report<'a> {
    name: String,
    submission: &'a Submission,
    /// Null where the experiments cannot be read any more.
    runs: Option<Runs>,
    /// Why Slurm says nothing, if it does not.
    slurm: Option<String>,
    elements: &'a [Element],
    merge: Option<&'a Element>,
    /// Whether tables were written since the submission.
    tables: bool,
    next: String,
}

/// Prints what has become of a submission.
///
/// # Errors
/// Where there is no such submission, or the store cannot be read.
pub fn status(session: &Session, args: &SlurmStatusArgs) -> Result<Ending, Failure> {
    let (folder, submission) = record::find(&args.submission)?;
    // Relative paths within experiments start where the submission was made.
    if let Err(problem) = std::env::set_current_dir(&submission.folder) {
        session.warn(&format!("the folder {} is gone: {problem}", submission.folder.display()));
    }
    let (queue, slurm) = match client::queue() {
        Ok(queue) => (queue, None),
        Err(refusal) => (Queue::default(), Some(refusal.text())),
    };
    let found = elements(&submission, &queue);
    let (runs, tables) = match load(session, &submission) {
        Some(experiments) => {
            let tables = experiments.iter().all(|experiment| has_tables(&submission, experiment));
            (Some(runs(session, &submission, &experiments)?), tables)
        }
        None => (None, false),
    };
    let next = next(&submission, runs, slurm.is_none(), &found, tables);
    let report = Report {
        name: record::name(&folder),
        submission: &submission,
        runs,
        slurm,
        elements: &found.elements,
        merge: found.merge.as_ref(),
        tables,
        next,
    };
    output::data(&match args.json {
        true => {
            let text = serde_json::to_string(&report);
            text.map_err(|problem| Failure::work(problem.to_string()))? + "\n"
        }
        false => page(&report, &found),
    })?;
    Ok(Ending::Done)
}

/// The experiments as they are now; `None` with a warning where they cannot be read.
fn load(session: &Session, submission: &Submission) -> Option<Vec<Experiment>> {
    let overrides = OverrideArgs { set: submission.set.clone(), scale: submission.scale.clone() };
    let args = ExperimentArgs { files: submission.files.clone(), overrides };
    let experiments = match experiments::of_files(&args) {
        Ok(experiments) => experiments,
        Err(failure) => {
            session.warn("the experiments of the submission can no longer be read:");
            session.warn(&failure.render(session.talk_width, false));
            return None;
        }
    };
    for experiment in &experiments {
        let name = format!("{}/{}", experiment.study, experiment.name);
        let hash = experiment.text_hash.to_string();
        if !submission.experiments.contains(&(name.clone(), hash)) {
            session.warn(&format!(
                "{name} has changed since the submission: elements that start from now on run it as it is now"
            ));
        }
    }
    Some(experiments)
}

fn runs(session: &Session, submission: &Submission, experiments: &[Experiment]) -> Result<Runs, Failure> {
    let traces = trace_dir(submission.traces.as_ref())?;
    let mut store = Store::open(&submission.store, Access::Read)?;
    store.take_warnings().iter().for_each(|warning| session.warn(warning));
    let mut planner = Planner::new(experiments.len(), &store, &traces);
    let mut runs = Runs::default();
    for experiment in experiments {
        let tally = planner.walk(experiment, |task, _| match store.status(&task.key) {
            Some(Status::Ok) => runs.answered += 1,
            Some(Status::Failed) => runs.failed += 1,
            None => runs.missing += 1,
        })?;
        runs.planned += tally.runs;
        runs.skipped += tally.skipped;
    }
    planner.notice().iter().for_each(|notice| session.note(notice));
    Ok(runs)
}

/// Whether the tables of an experiment were written since the submission.
fn has_tables(submission: &Submission, experiment: &Experiment) -> bool {
    let table = table::Table::Runs.file_name();
    let path = submission.out.join(&experiment.study).join(&experiment.name).join(table);
    let written = path.metadata().and_then(|found| found.modified());
    let submitted = SystemTime::UNIX_EPOCH + Duration::from_secs(submission.submitted_unix_s);
    written.is_ok_and(|written| written >= submitted)
}

/// What is to be done, in lines that fit a narrow terminal; a command has a line of its own.
fn next(submission: &Submission, runs: Option<Runs>, asked: bool, found: &Elements, tables: bool) -> String {
    // Tables that were right already are not written again.
    let tables = tables || found.merge.as_ref().is_some_and(|merge| merge.fate == Fate::Finished);
    let merge_lives = found.merge.as_ref().is_some_and(|merge| merge.fate.is_live());
    let by_hand = |what: &str| format!("{what}:\n{}", submission.command);
    match runs {
        None => "put the experiments back, then ask again".to_owned(),
        Some(Runs { missing: 0, failed, .. }) if tables && !found.is_live() => {
            let place = submission.out.display();
            match failed {
                0 => format!("done: the tables are in\n{place}"),
                _ => format!(
                    "done, with failed runs in the tables (column `message`; --retry-failed):\n{place}"
                ),
            }
        }
        Some(_) if !asked => by_hand("whether jobs are at work is unknown; the same without Slurm"),
        Some(_) if found.is_live() => match merge_lives {
            true => "wait: the merge job carries out what is left and writes the tables".to_owned(),
            false => by_hand("no merge job waits; when the elements have ended, run"),
        },
        Some(Runs { missing: 0, .. }) => by_hand("no job is left; this writes the tables"),
        Some(_) => by_hand("no job is left: submit again (what is done is not repeated), or run"),
    }
}

fn page(report: &Report, found: &Elements) -> String {
    let submitted = SystemTime::UNIX_EPOCH + Duration::from_secs(report.submission.submitted_unix_s);
    let ago = submitted.elapsed().unwrap_or_default().as_secs_f64();
    let mut text = format!("{}, submitted {} ago\n", report.name, duration(ago));
    // Writing to a string cannot fail.
    if let Some(runs) = report.runs {
        let _ = writeln!(
            text,
            "runs      {}: {} answered, {} failed, {} missing",
            count(runs.planned),
            count(runs.answered),
            count(runs.failed),
            count(runs.missing)
        );
    }
    match &report.slurm {
        Some(reason) => {
            let _ = writeln!(text, "elements  {}, unknown: {reason}", count(found.elements.len()));
        }
        None => text += &elements_part(found),
    }
    if let (Some(merge), None) = (&report.merge, &report.slurm) {
        let _ = writeln!(text, "merge     {} {}", merge.job, merge.why());
    }
    if let Some(refused) = &report.submission.refused {
        let _ = writeln!(text, "refused   {refused}");
    }
    let next = report.next.replace('\n', "\n          ");
    let _ = writeln!(text, "next      {next}");
    text
}

/// Counts of elements, and those that are not as they should be.
fn elements_part(found: &Elements) -> String {
    let names = [
        (Fate::Running, "running"),
        (Fate::Pending, "pending"),
        (Fate::Finished, "finished"),
        (Fate::Failed, "failed"),
        (Fate::Cancelled, "cancelled"),
        (Fate::Unknown, "unknown"),
    ];
    let counts =
        names.iter().map(|(fate, name)| (found.count(*fate), name)).filter(|(number, _)| *number > 0);
    let counts: Vec<String> = counts.map(|(number, name)| format!("{} {name}", count(number))).collect();
    if counts.is_empty() {
        return "elements  none: there was nothing to run\n".to_owned();
    }
    let mut text = format!("elements  {}: {}\n", count(found.elements.len()), counts.join(", "));
    let odd = |element: &&Element| {
        matches!(element.fate, Fate::Failed | Fate::Cancelled | Fate::Unknown) || element.restarts > 0
    };
    let odd: Vec<&Element> = found.elements.iter().filter(odd).collect();
    for element in odd.iter().take(SHOWN) {
        let _ = writeln!(text, "  {:>6}  {:<12} {}", element.element, element.job, element.why());
    }
    if odd.len() > SHOWN {
        let _ = writeln!(text, "          and {} more; --json has all", count(odd.len() - SHOWN));
    }
    text
}
