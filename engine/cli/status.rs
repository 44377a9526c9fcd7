//! `status`: what is in a store, who writes to it, and how far experiments are; only reads.

mod pace;
mod text;

use crate::args::StatusArgs;
use crate::diagnostic::Failure;
use crate::invocation::utc;
use crate::planning::{Guess, Planner};
use crate::session::{Ending, Session, trace_dir};
use crate::{experiments, output};
use pace::{Flush, Pace};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::io::IsTerminal;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use sweep::{Access, Experiment, RunKey, SegmentInfo, Status, Store};
use workload::TraceDir;

/// Failed runs whose messages are read, at most.
const FAILURES_READ: usize = 1000;
/// Messages of failed runs that are told, at most.
const MESSAGES_TOLD: usize = 5;

/// One look at a store.
#[derive(Debug, Serialize)]
struct Look {
    store: String,
    /// Whether there is such a folder.
    exists: bool,
    /// Distinct runs, and how they ended.
    runs: usize,
    ok: usize,
    failed: usize,
    segments: usize,
    bytes: u64,
    /// RFC 3339, UTC.
    last_write: Option<String>,
    last_write_ago_s: Option<u64>,
    /// Seconds that count as recent.
    recent_s: u64,
    /// Who has written recently.
    writers: Vec<Writer>,
    messages: Vec<Message>,
    experiments: Vec<Progress>,
}

/// A process that has written recently.
#[derive(Debug, Serialize)]
struct Writer {
    host: String,
    pid: u32,
    runs: usize,
    segments: usize,
    runs_per_s: Option<f64>,
    last_write_ago_s: u64,
}

/// Why runs failed.
#[derive(Debug, Serialize)]
struct Message {
    message: String,
    runs: usize,
}

/// How far an experiment is.
#[derive(Debug, Serialize)]
struct Progress {
    study: String,
    experiment: String,
    /// Runs that can be carried out.
    runs: usize,
    ok: usize,
    failed: usize,
    missing: usize,
    /// Left out, because their log is not at hand.
    skipped: usize,
    /// Expected work of the missing ones in seconds of one thread, where earlier runs allow a guess.
    expected_s: Option<f64>,
    /// Its runs that were answered recently, per second.
    runs_per_s: Option<f64>,
    /// Seconds until all are answered at the recent rate: at best and, where that can be said, at worst.
    left_s: Option<(f64, Option<f64>)>,
}

/// Says how a store and experiments stand.
///
/// # Errors
/// A malformed question, or a store that cannot be read.
pub fn status(session: &Session, args: &StatusArgs) -> Result<Ending, Failure> {
    let experiments = match args.files.is_empty() {
        true => Vec::new(),
        false => experiments::of_files(&args.experiments())?,
    };
    let traces = trace_dir(args.traces.traces.as_ref())?;
    let mut store = Store::open(&args.store.store, Access::Read)?;
    loop {
        store.take_warnings().iter().for_each(|warning| session.warn(warning));
        let look = look(&store, &experiments, &traces)?;
        show(session, args, &look)?;
        let over = !experiments.is_empty() && look.experiments.iter().all(|progress| progress.missing == 0);
        let Some(interval) = args.watch.filter(|_| !over) else { return Ok(Ending::Done) };
        std::thread::sleep(interval);
        store.refresh()?;
    }
}

fn show(session: &Session, args: &StatusArgs, look: &Look) -> Result<(), Failure> {
    if args.json {
        let text = serde_json::to_string(look).map_err(|problem| Failure::work(problem.to_string()))?;
        return output::data(&format!("{text}\n"));
    }
    let text = text::of(look, session.width);
    let again = args.watch.is_some();
    match again && std::io::stdout().is_terminal() {
        // Clears the terminal, so that every look is in the same place.
        true => output::data(&format!("\x1b[2J\x1b[H{text}")),
        false => output::data(&format!("{text}{}", if again { "\n" } else { "" })),
    }
}

fn look(store: &Store, experiments: &[Experiment], traces: &TraceDir) -> Result<Look, Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let segments = store.segments();
    let failed = store.failed();
    let last = segments.iter().map(|segment| segment.written_unix).max();
    Ok(Look {
        store: store.folder().display().to_string(),
        exists: store.folder().is_dir(),
        runs: store.len(),
        ok: store.len() - failed.len(),
        failed: failed.len(),
        segments: segments.len(),
        bytes: segments.iter().map(|segment| segment.bytes).sum(),
        last_write: last.and_then(|last| UNIX_EPOCH.checked_add(Duration::from_secs(last))).map(utc),
        last_write_ago_s: last.map(|last| now.saturating_sub(last)),
        recent_s: pace::RECENT_S,
        writers: writers(&segments, now),
        messages: messages(store, &failed)?,
        experiments: progress(store, experiments, traces, now)?,
    })
}

/// Who has written recently, the latest first, then by host and process.
fn writers(segments: &[&SegmentInfo], now: u64) -> Vec<Writer> {
    let mut flushes: BTreeMap<(&str, u32), Vec<Flush>> = BTreeMap::new();
    for segment in segments {
        let flush = Flush { at: segment.written_unix, runs: segment.rows, work_s: 0.0 };
        flushes.entry((&segment.host, segment.pid)).or_default().push(flush);
    }
    let mut writers: Vec<Writer> = flushes
        .into_iter()
        .filter_map(|((host, pid), flushes)| {
            let recent: Vec<&Flush> = flushes.iter().filter(|flush| flush.is_recent(now)).collect();
            Some(Writer {
                host: host.to_owned(),
                pid,
                runs: recent.iter().map(|flush| flush.runs).sum(),
                segments: recent.len(),
                runs_per_s: Pace::of(&flushes, now).map(|pace| pace.runs_per_s),
                last_write_ago_s: now.saturating_sub(recent.iter().map(|flush| flush.at).max()?),
            })
        })
        .collect();
    writers.sort_by_key(|writer| writer.last_write_ago_s);
    writers
}

/// Messages of failed runs with how many have them, the most frequent first.
fn messages(store: &Store, failed: &[RunKey]) -> Result<Vec<Message>, Failure> {
    let read = &failed[..failed.len().min(FAILURES_READ)];
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for run in store.fetch(read)?.into_iter().flatten() {
        if let Err(message) = run.result {
            *counts.entry(message).or_default() += 1;
        }
    }
    let mut messages: Vec<Message> =
        counts.into_iter().map(|(message, runs)| Message { message, runs }).collect();
    messages.sort_by_key(|message| std::cmp::Reverse(message.runs));
    messages.truncate(MESSAGES_TOLD);
    Ok(messages)
}

fn progress(
    store: &Store,
    experiments: &[Experiment],
    traces: &TraceDir,
    now: u64,
) -> Result<Vec<Progress>, Failure> {
    // Each experiment is counted for itself, also where two share runs.
    experiments.iter().map(|experiment| progress_of(store, experiment, traces, now)).collect()
}

fn progress_of(
    store: &Store,
    experiment: &Experiment,
    traces: &TraceDir,
    now: u64,
) -> Result<Progress, Failure> {
    let (mut ok, mut failed, mut missing) = (0, 0, 0);
    let (mut expected_s, mut problem) = (None, None);
    let mut guess = Guess::new(store);
    let mut flushes: HashMap<&str, Flush> = HashMap::new();
    let tally = Planner::new(1, store, traces).walk(experiment, |task, _| {
        let work = |guess: &mut Guess| guess.of(&task.spec);
        match store.status(&task.key) {
            Some(Status::Ok) => ok += 1,
            Some(Status::Failed) => failed += 1,
            None => {
                missing += 1;
                match work(&mut guess) {
                    Ok(seconds) => {
                        expected_s = [expected_s, seconds].into_iter().flatten().reduce(|a, b| a + b)
                    }
                    Err(failure) => problem = Some(failure),
                }
            }
        }
        let Some(segment) = store.segment_of(&task.key) else { return };
        let flush =
            flushes.entry(&segment.name).or_insert(Flush { at: segment.written_unix, runs: 0, work_s: 0.0 });
        flush.runs += 1;
        if flush.is_recent(now) {
            flush.work_s += work(&mut guess).ok().flatten().unwrap_or(0.0);
        }
    })?;
    if let Some(problem) = problem {
        return Err(problem);
    }
    let flushes: Vec<Flush> = flushes.into_values().collect();
    let pace = Pace::of(&flushes, now);
    let expected_s = if missing == 0 { Some(0.0) } else { expected_s };
    Ok(Progress {
        study: experiment.study.clone(),
        experiment: experiment.name.clone(),
        runs: tally.runs,
        ok,
        failed,
        missing,
        skipped: tally.skipped,
        expected_s,
        runs_per_s: pace.map(|pace| pace.runs_per_s),
        left_s: pace.filter(|_| missing > 0).map(|pace| pace.left_s(missing, expected_s)),
    })
}
