//! `store revalidate`: keeps results after a change of the model that changes none.

use crate::args::RevalidateArgs;
use crate::diagnostic::Failure;
use crate::session::{Ending, Session, count, trace_dir};
use crate::signals::Listener;
use crate::{experiments, output};
use sim::Outcome;
use std::collections::{HashMap, HashSet};
use sweep::explain::{Change, Jobs, Sampled, StaleRuns, untouched};
use sweep::{
    Access, ContentHash, KeyMaker, RunKey, RunSpec, Simulator, StopFlag, Store, StoreWriter, carry_out,
};
use workload::{Source, TraceDir};

/// Digits of a key that people are shown.
const DIGITS: usize = 16;
/// Differing metrics that are shown of a run.
const SHOWN: usize = 6;

/// Runs a sample of the stale runs again and re-stamps the rows that it speaks for.
///
/// # Errors
/// A malformed question, a store that cannot be read or written, a log that cannot be read.
pub fn revalidate(session: &Session, args: &RevalidateArgs) -> Result<Ending, Failure> {
    let signals = Listener::start()?;
    let traces = trace_dir(args.traces.traces.as_ref())?;
    let (only, files) = wanted(args, &traces)?;
    let jobs = Jobs { traces: &traces, files };
    let access = if args.dry_run { Access::Read } else { Access::Write };
    let mut store = Store::open(&args.store.store, access)?;
    store.take_warnings().iter().for_each(|warning| session.warn(warning));
    let stale = StaleRuns::find(&store, &jobs, only.as_ref())?;
    for (reason, rows) in &stale.left_out {
        session.note(&format!("left out: {} rows, {reason}", count(*rows)));
    }
    if stale.is_empty() {
        output::data("no stale runs\n")?;
        return Ok(Ending::Done);
    }
    output::data(&format!("{} stale runs\n", count(stale.len())))?;
    for (change, runs) in stale.changes() {
        output::data(&format!("{:>9}  {change}\n", count(runs)))?;
    }
    let sample = stale.sample(&store, &jobs, args.sample, args.seed)?;
    output::data(&format!("sample of {} (seed {})\n", count(sample.len()), args.seed))?;
    let outcomes = rerun(&sample, &traces, args.jobs, &signals)?;
    let differing = report(&sample, &outcomes)?;
    if outcomes.iter().any(Option::is_none) {
        session.note("stopped before the whole sample was run again: no run is re-stamped");
        let interrupted = signals.received().stops > 0;
        return Ok(if interrupted { Ending::Interrupted } else { Ending::Stopped });
    }
    let sound = untouched(differing.iter().copied());
    // A change of which no run could be run again has been looked at by nobody.
    let looked_at = |change: &Change| sample.iter().any(|run| run.change == *change);
    let allowed = |change: &Change| looked_at(change) && sound(change);
    let keep: usize =
        stale.changes().iter().filter(|(change, _)| allowed(change)).map(|(_, runs)| runs).sum();
    let lost = stale.len() - keep;
    if args.dry_run {
        output::data(&format!("{} runs would be re-stamped, {} not\n", count(keep), count(lost)))?;
    } else {
        let written = stale.restamp(&store, &StoreWriter::open(&args.store.store)?, allowed)?;
        output::data(&format!("{} runs re-stamped, {} not\n", count(written), count(lost)))?;
    }
    Ok(if differing.is_empty() { Ending::Done } else { Ending::SomeFailed })
}

/// The keys of the given experiments' runs, none where no experiment is given, and the files that they run.
#[allow(clippy::type_complexity, reason = "two maps, named where they are used")]
fn wanted(
    args: &RevalidateArgs,
    traces: &TraceDir,
) -> Result<(Option<HashSet<RunKey>>, HashMap<ContentHash, String>), Failure> {
    let mut files = HashMap::new();
    if args.files.is_empty() {
        return Ok((None, files));
    }
    let (mut only, mut keys) = (HashSet::new(), KeyMaker::with_traces(traces));
    for experiment in experiments::of_files(&args.experiments())? {
        for run in experiment.runs().filter(|run| sweep::available(&run.spec.case.workload.source, traces)) {
            let task = keys.task(run.spec)?;
            if let (Source::File { path }, Some(content)) = (&task.spec.case.workload.source, task.content) {
                files.insert(content, path.clone());
            }
            only.insert(task.key);
        }
    }
    Ok((Some(only), files))
}

/// Carries the sample out; nothing of a run that was not done when a signal came.
fn rerun(
    sample: &[Sampled],
    traces: &TraceDir,
    jobs: Option<usize>,
    signals: &Listener,
) -> Result<Vec<Option<Result<Outcome, String>>>, Failure> {
    let specs: Vec<RunSpec> = sample.iter().map(|run| run.spec.clone()).collect();
    let stop = StopFlag::default();
    signals.running(&stop);
    let outcomes = carry_out(&specs, &Simulator::new(traces.clone()), jobs, &stop);
    signals.over();
    Ok(outcomes?)
}

/// Prints the sample; returns the changes under which a run came out differently.
fn report<'s>(
    sample: &'s [Sampled],
    outcomes: &[Option<Result<Outcome, String>>],
) -> Result<Vec<&'s Change>, Failure> {
    let mut differing = Vec::new();
    for (run, outcome) in sample.iter().zip(outcomes) {
        let Some(outcome) = outcome else { continue };
        let found = run.differences(outcome);
        let key: String = run.key.to_string().chars().take(DIGITS).collect();
        let head = format!("  {key}  {}", run.spec.case.workload.source);
        if found.is_empty() {
            output::data(&format!("{head}: identical\n"))?;
            continue;
        }
        differing.push(&run.change);
        output::data(&format!("{head}: DIFFERS\n    {}\n", run.change))?;
        for difference in found.iter().take(SHOWN) {
            output::data(&format!("    {difference}\n"))?;
        }
        if found.len() > SHOWN {
            output::data(&format!("    and {} more\n", found.len() - SHOWN))?;
        }
    }
    Ok(differing)
}
