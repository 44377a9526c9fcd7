//! `run` and the common part of `reproduce`: plan, execute what is missing, write what is asked for.

use crate::args::{ExecuteArgs, RunArgs};
use crate::diagnostic::Failure;
use crate::invocation::Opening;
use crate::planning::Tally;
use crate::session::{Ending, Session, check_writable, count, counted, trace_dir};
use crate::{execution, experiments, planning, results};
use sweep::{Access, ExecutionSummary, Experiment, Simulator, Store, StoreWriter, SweepEvent};

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
    let opening = Opening::now();
    let traces = trace_dir(args.traces.traces.as_ref())?;
    check_writable(&args.out, "--out")?;
    // A store that answers everything need not be writable.
    if !args.store.store.is_dir() {
        check_writable(&args.store.store, "--store")?;
    }
    let mut store = Store::open(&args.store.store, Access::Write)?;
    warn_all(session, &mut store);
    let (mut plan, notice) = planning::plan(experiments, &store, &traces)?;
    notice.iter().for_each(|notice| session.note(notice));
    announce(session, &plan.tally);
    let mut failed = 0;
    if !plan.tasks.is_empty() {
        check_writable(&args.store.store, "--store")?;
        planning::check_files(&plan.tasks)?;
        let writer = StoreWriter::open(&args.store.store)
            .map_err(|problem| Failure::question(crate::diagnostic::chain(&problem)))?;
        let mut tasks = std::mem::take(&mut plan.tasks);
        if let Some(shard) = args.shard {
            tasks.retain(|task| shard.owns(&task.key));
        }
        let simulator = Simulator::new(traces);
        let summary = execution::carry_out(session, args, tasks, &simulator, &writer, store.costs())?;
        if let Some(ending) = cut_short(session, args, &summary) {
            return Ok(ending);
        }
        failed = summary.failed;
        store.refresh()?;
        warn_all(session, &mut store);
    }
    if let Some(shard) = args.shard {
        session.note(&format!(
            "shard {shard} is done; the same command without --shard writes the tables from the store"
        ));
        return Ok(if failed > 0 { Ending::SomeFailed } else { Ending::Done });
    }
    results::deliver(session, &opening, &plan, &store, args)?;
    Ok(if failed > 0 { Ending::SomeFailed } else { Ending::Done })
}

/// Says what there is to do.
fn announce(session: &Session, tally: &Tally) {
    let Tally { runs, missing, shared, expected_s, .. } = *tally;
    let cached = tally.cached();
    session.event(&SweepEvent::Planned { runs, cached, missing, expected_s });
    let runs = counted(runs, "run");
    session.note(&match (cached, missing) {
        (_, 0) => format!("all {runs} answered by the store; nothing to run"),
        (0, _) => format!("{runs} to do"),
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
}

fn warn_all(session: &Session, store: &mut Store) {
    store.take_warnings().iter().for_each(|warning| session.warn(warning));
}

/// How it ended, if runs were left: then the tables stay as they are, since parts of them would be mistaken for the whole.
fn cut_short(session: &Session, args: &ExecuteArgs, summary: &ExecutionSummary) -> Option<Ending> {
    if summary.left == 0 {
        return None;
    }
    let done = counted(summary.ok, "run");
    let left = count(summary.left);
    let kept = format!("{done} kept in {}, {left} left", args.store.store.display());
    if summary.interrupted {
        session.note(&format!("interrupted: {kept}; run the same command again to go on"));
        return Some(Ending::Interrupted);
    }
    session.note(&format!("stopped at the first failure: {kept}; no tables written"));
    Some(Ending::SomeFailed)
}
