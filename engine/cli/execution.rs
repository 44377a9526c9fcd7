//! Carries out a plan's missing runs, until they are done or a signal comes.

use crate::args::ExecuteArgs;
use crate::diagnostic::Failure;
use crate::progress::Progress;
use crate::session::{Session, counted, duration};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use sweep::{
    CostModel, ExecuteOptions, ExecutionSummary, Simulator, StopFlag, StoreWriter, SweepEvent, Task, execute,
};

/// Failed runs whose messages are shown.
const MESSAGES_SHOWN: usize = 5;

/// Carries out the tasks and shows how that goes.
///
/// # Errors
/// Where rows cannot be written, or threads and signal handlers not be set up.
pub fn carry_out(
    session: &Session,
    args: &ExecuteArgs,
    tasks: Vec<Task>,
    simulator: &Simulator,
    writer: &StoreWriter,
    costs: &CostModel,
) -> Result<ExecutionSummary, Failure> {
    let stop = StopFlag::default();
    listen(&stop)?;
    let usual = ExecuteOptions::default();
    let flush_rows = args.flush_every.unwrap_or(usual.flush_rows);
    let options = ExecuteOptions { jobs: args.jobs, fail_fast: args.fail_fast, flush_rows, ..usual };
    let begin = Instant::now();
    let progress = Progress::new(session, tasks.len());
    let on_event = |event: SweepEvent| progress.event(&event);
    let (over, waiting) = channel::<()>();
    let summary = std::thread::scope(|scope| {
        let (progress, stop) = (&progress, &stop);
        scope.spawn(move || {
            let mut told = false;
            while waiting.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                progress.tick();
                if stop.is_set() && !told {
                    told = true;
                    progress.say("stopping when the runs in flight are done; a second signal stops at once");
                }
            }
        });
        let summary = execute(tasks, simulator, writer, costs, &options, &on_event, stop);
        drop(over);
        summary
    });
    let messages = progress.finish();
    let summary = summary?;
    let took = duration(begin.elapsed().as_secs_f64());
    session.note(&format!("{} done in {took}", counted(summary.ok + summary.failed, "run")));
    tell_failures(session, &summary, &messages);
    Ok(summary)
}

/// The first signal asks the sweep to stop, the second ends the process.
fn listen(stop: &StopFlag) -> Result<(), Failure> {
    for signal in [SIGINT, SIGTERM] {
        // In this order, so that the first signal finds the flag still unset.
        flag::register_conditional_shutdown(signal, 130, stop.shared())
            .and_then(|_| flag::register(signal, stop.shared()))
            .map_err(|problem| Failure::work(format!("cannot listen to signals: {problem}")))?;
    }
    Ok(())
}

fn tell_failures(session: &Session, summary: &ExecutionSummary, messages: &[(String, usize)]) {
    if summary.failed == 0 {
        return;
    }
    session.warn(&format!("{} failed:", counted(summary.failed, "run")));
    for (message, number) in messages.iter().take(MESSAGES_SHOWN) {
        session.warn(&format!("  {} with: {message}", counted(*number, "run")));
    }
    if messages.len() > MESSAGES_SHOWN {
        session.warn("  and others; the column `message` of the table runs.parquet has them all");
    }
}
