//! `run` and the common part of `reproduce`: plan, execute what is missing, write what is asked for.

use crate::args::{ExecuteArgs, RunArgs};
use crate::diagnostic::Failure;
use crate::execution::{Carried, Execution};
use crate::invocation::Opening;
use crate::planning::Tally;
use crate::session::{Ending, Session, check_writable, count, counted, trace_dir};
use crate::signals::Listener;
use crate::study_times::StudyTimes;
use crate::{experiments, planning, results, resume};
use std::time::Instant;
use sweep::{Access, Experiment, Shard, Simulator, Store, StoreWriter, SweepEvent};

/// Runs experiment files.
///
/// # Errors
/// A malformed question, or what stops the whole sweep.
pub fn run(session: &Session, args: &RunArgs) -> Result<Ending, Failure> {
    let experiments = experiments::of_files(&args.experiments)?;
    sweep_and_report(session, experiments, &args.execute)
}

/// Runs what the store does not answer, then writes tables, figures and the scorecard, and prints the latter.
///
/// # Errors
/// As [`run`].
pub fn sweep_and_report(
    session: &Session,
    experiments: Vec<Experiment>,
    args: &ExecuteArgs,
) -> Result<Ending, Failure> {
    let (signals, begin, opening) = (Listener::start()?, Instant::now(), Opening::now());
    let traces = trace_dir(args.traces.traces.as_ref())?;
    check_writable(&args.out, "--out")?;
    // A store that answers everything need not be writable.
    if !args.store.store.is_dir() {
        check_writable(&args.store.store, "--store")?;
    }
    let mut store = Store::open(&args.store.store, Access::Write)?;
    warn_all(session, &mut store);
    let (mut plan, notice) = planning::plan(experiments, &store, &traces, args.failures.retry_failed)?;
    notice.iter().for_each(|notice| session.note(notice));
    announce(session, &plan.tally);
    if !plan.tasks.is_empty() {
        check_writable(&args.store.store, "--store")?;
        planning::check_files(&plan.tasks)?;
        let writer = StoreWriter::open(&args.store.store)
            .map_err(|problem| Failure::question(crate::diagnostic::chain(&problem)))?;
        let tasks = std::mem::take(&mut plan.tasks);
        let simulator = Simulator::new(traces);
        let times = StudyTimes::of(&plan);
        let execution = Execution { session, args, signals: &signals, begin, times };
        let carried = execution.carry_out(tasks, &simulator, &writer, &mut store)?;
        if let Some(ending) = cut_short(session, args, &carried) {
            return Ok(ending);
        }
        warn_all(session, &mut store);
    }
    match args.shard {
        Some(shard) => tell_shard(session, shard),
        None => results::deliver(session, &opening, &plan, &store, args)?,
    }
    Ok(if plan.has_failed(&store) { Ending::SomeFailed } else { Ending::Done })
}

/// Says what there is to do.
fn announce(session: &Session, tally: &Tally) {
    let Tally { runs, missing, failed, shared, expected_s, .. } = *tally;
    let cached = tally.cached();
    session.event(&SweepEvent::Planned { runs, cached, failed, missing, expected_s });
    let runs = counted(runs, "run");
    session.note(&match (cached, missing) {
        (_, 0) if failed > 0 => format!("{} of {runs} answered by the store; nothing to run", count(cached)),
        (_, 0) => format!("all {runs} answered by the store; nothing to run"),
        (0, _) if failed == 0 => format!("{runs} to do"),
        _ if shared == 0 => {
            format!("{} of {runs} answered by the store, {} to do", count(cached), count(missing))
        }
        _ => {
            let answered = count(cached - shared);
            let shared = count(shared);
            format!(
                "{runs}: {answered} answered by the store, {shared} in two experiments, {} to do",
                count(missing)
            )
        }
    });
    if let Some(note) = tally.failed_before() {
        session.note(&note);
    }
}

fn tell_shard(session: &Session, shard: Shard) {
    let next = resume::without_shard();
    session.note(&format!("shard {shard}: all runs are answered; to write the tables:\n  {next}"));
}

fn warn_all(session: &Session, store: &mut Store) {
    store.take_warnings().iter().for_each(|warning| session.warn(warning));
}

/// How it ended, if runs were left: then the tables stay as they are, since parts of them would be mistaken for the whole.
fn cut_short(session: &Session, args: &ExecuteArgs, carried: &Carried) -> Option<Ending> {
    let summary = &carried.summary;
    if summary.left == 0 {
        return None;
    }
    let (why, ending) = match carried.interrupted {
        true => ("interrupted", Ending::Interrupted),
        false if args.failures.fail_fast && summary.failed > 0 => {
            ("stopped at the first failure", Ending::SomeFailed)
        }
        false => ("stopped as planned", Ending::Stopped),
    };
    let done = counted(summary.ok + summary.failed, "run");
    let (left, store) = (count(summary.left), args.store.store.display());
    session.note(&format!("{why}: {done} kept in {store}, {left} left; no tables written; to go on:"));
    session.note(&format!("  {}", resume::command_line()));
    Some(ending)
}
