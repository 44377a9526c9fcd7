//! `plan`: how much there is to run.

use crate::args::PlanArgs;
use crate::diagnostic::Failure;
use crate::planning::{Planner, Tally};
use crate::session::{Ending, Session, count, duration, trace_dir};
use crate::{experiments, output};
use serde::Serialize;
use std::fmt::Write;
use sweep::explain::{Explainer, Past, ReasonCount, Reasons};
use sweep::{Access, Store, Task};

/// As JSON.
#[derive(Serialize)]
struct Counts {
    runs: usize,
    cached: usize,
    /// Runs that failed before and are not run again unless that is asked for.
    failed: usize,
    missing: usize,
    /// Runs whose log is not at hand.
    skipped: usize,
    /// Expected seconds until all are answered; null where nothing is known.
    expected_s: Option<f64>,
}

impl Counts {
    fn of(tally: &Tally, jobs: usize) -> Counts {
        let (cached, expected_s) = (tally.cached(), expected(tally, jobs));
        let Tally { runs, failed, missing, .. } = *tally;
        Counts { runs, cached, failed, missing, skipped: tally.skipped, expected_s }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    study: &'a str,
    experiment: &'a str,
    #[serde(flatten)]
    counts: Counts,
    /// Why runs are missing, with --explain.
    #[serde(skip_serializing_if = "Option::is_none")]
    reasons: Option<Vec<ReasonCount>>,
}

#[derive(Serialize)]
struct Sum<'a> {
    #[serde(flatten)]
    counts: Counts,
    experiments: Vec<Line<'a>>,
}

/// Detail lines of a reason that people are shown.
const SHOWN: usize = 5;

/// Prints how much there is to run.
///
/// # Errors
/// A malformed question, or a store that cannot be read.
pub fn plan(session: &Session, args: &PlanArgs) -> Result<Ending, Failure> {
    let experiments = experiments::of_files(&args.experiments)?;
    let traces = trace_dir(args.traces.traces.as_ref())?;
    let mut store = Store::open(&args.store.store, Access::Read)?;
    store.take_warnings().iter().for_each(|warning| session.warn(warning));
    let mut planner = Planner::new(experiments.len(), &store, &traces);
    let mut tallies = Vec::new();
    let mut missing: Vec<Vec<Task>> = Vec::new();
    for experiment in &experiments {
        let mut tasks = Vec::new();
        tallies.push(planner.walk(experiment, |task, missing| {
            if missing && args.explain {
                tasks.push(task);
            }
        })?);
        missing.push(tasks);
    }
    let reasons = if args.explain { Some(explain(&store, &missing)?) } else { None };
    planner.notice().iter().for_each(|notice| session.note(notice));
    let mut total = Tally::default();
    tallies.iter().for_each(|tally| total.add(tally));
    if let Some(note) = total.failed_before() {
        session.note(&note);
    }
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let named = experiments.iter().zip(&tallies);
    if args.json {
        let experiments = named
            .enumerate()
            .map(|(at, (experiment, tally))| Line {
                study: &experiment.study,
                experiment: &experiment.name,
                counts: Counts::of(tally, jobs),
                reasons: reasons.as_ref().map(|reasons| reasons[at].list()),
            })
            .collect();
        let sum = Sum { counts: Counts::of(&total, jobs), experiments };
        let text = serde_json::to_string(&sum).map_err(|problem| Failure::work(problem.to_string()))?;
        output::data(&format!("{text}\n"))?;
    } else {
        let mut rows: Vec<(String, Tally)> = named
            .map(|(experiment, tally)| (format!("{}/{}", experiment.study, experiment.name), *tally))
            .collect();
        let names: Vec<String> = rows.iter().map(|(name, _)| name.clone()).collect();
        if rows.len() > 1 {
            rows.push(("all".to_owned(), total));
        }
        output::data(&table(&rows, jobs))?;
        let explained = names.iter().zip(reasons.iter().flatten());
        for (name, reasons) in explained {
            output::data(&reasons_text(name, &reasons.list(), session.width))?;
        }
    }
    Ok(Ending::Done)
}

/// Why the missing runs of each experiment are missing.
fn explain(store: &Store, missing: &[Vec<Task>]) -> Result<Vec<Reasons>, Failure> {
    if missing.iter().all(Vec::is_empty) {
        return Ok(vec![Reasons::default(); missing.len()]);
    }
    let past = Past::read(store)?;
    let mut explainer = Explainer::new(&past);
    let mut all = Vec::new();
    for tasks in missing {
        let mut reasons = Reasons::default();
        for task in tasks {
            reasons.add(&explainer.reason(task)?);
        }
        all.push(reasons);
    }
    Ok(all)
}

fn reasons_text(name: &str, reasons: &[ReasonCount], width: usize) -> String {
    if reasons.is_empty() {
        return String::new();
    }
    let mut text = format!("\nwhy runs of {name} are missing\n");
    for reason in reasons {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:>9}  {}", count(reason.runs), reason.title);
        for detail in reason.details.iter().take(SHOWN) {
            let what = clipped(&detail.what, width.saturating_sub(23));
            let _ = writeln!(text, "{:>20}  {what}", count(detail.runs));
        }
        let more = reason.details.len().saturating_sub(SHOWN);
        if more > 0 {
            let _ = writeln!(text, "{:>20}  {} more, see --json", "", count(more));
        }
    }
    text
}

/// The first line of a text, cut to so many columns.
fn clipped(text: &str, width: usize) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= width && line == text {
        return line.to_owned();
    }
    let kept: String = line.chars().take(width.saturating_sub(2)).collect();
    format!("{kept} …")
}

/// Seconds on so many threads; zero where nothing is missing, `None` where nothing is known.
fn expected(tally: &Tally, jobs: usize) -> Option<f64> {
    if tally.missing == 0 {
        return Some(0.0);
    }
    tally.expected_s.map(|seconds| seconds / jobs.min(tally.missing) as f64)
}

fn table(rows: &[(String, Tally)], jobs: usize) -> String {
    let widest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(10);
    let mut text =
        format!("{:<widest$} {:>9} {:>9} {:>9}  expected\n", "experiment", "runs", "answered", "to run");
    for (name, tally) in rows {
        let expected = match expected(tally, jobs) {
            _ if tally.missing == 0 => "nothing to run".to_owned(),
            Some(seconds) => duration(seconds),
            None => "unknown".to_owned(),
        };
        let [runs, cached, missing] = [tally.runs, tally.cached(), tally.missing].map(count);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<widest$} {runs:>9} {cached:>9} {missing:>9}  {expected}");
    }
    text
}
