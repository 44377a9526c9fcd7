//! Carries out a plan's missing runs, until they are done or have to stop.

use crate::args::ExecuteArgs;
use crate::diagnostic::Failure;
use crate::progress::Progress;
use crate::session::{Session, count, counted, duration};
use crate::signals::{Listener, Received};
use crate::study_times::StudyTimes;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use sweep::{
    ExecuteOptions, ExecutionSummary, Simulator, StopFlag, Store, StoreWriter, SweepEvent, Task, execute,
};

/// Failed runs whose messages are shown.
const MESSAGES_SHOWN: usize = 5;
/// Between two looks at the clock and at signals.
const LOOK_UP: Duration = Duration::from_millis(100);

/// What runs are carried out with.
pub struct Execution<'a> {
    pub session: &'a Session,
    pub args: &'a ExecuteArgs,
    pub signals: &'a Listener,
    /// When the program was started.
    pub begin: Instant,
    /// Where the time goes.
    pub times: StudyTimes,
}

/// How the runs ended.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    pub summary: ExecutionSummary,
    /// Whether SIGINT or SIGTERM came.
    pub interrupted: bool,
}

impl Execution<'_> {
    /// Carries out the tasks and shows how that goes; then the store holds their rows.
    ///
    /// # Errors
    /// Where rows cannot be written or threads not be started.
    pub fn carry_out(
        &self,
        tasks: Vec<Task>,
        simulator: &Simulator,
        writer: &StoreWriter,
        store: &mut Store,
    ) -> Result<Carried, Failure> {
        let stop = StopFlag::default();
        self.signals.running(&stop);
        let begin = Instant::now();
        let progress = Progress::new(self.session, tasks.len());
        let on_event = |event: SweepEvent| {
            self.times.event(&event);
            progress.event(&event);
        };
        let (over, waiting) = channel::<()>();
        let summary = std::thread::scope(|scope| {
            let (progress, stop) = (&progress, &stop);
            scope.spawn(move || self.look_after(progress, stop, &waiting));
            let summary = execute(tasks, simulator, writer, store, &self.options(), &on_event, stop);
            drop(over);
            summary
        });
        self.signals.over();
        let messages = progress.finish();
        let summary = summary?;
        let elapsed_s = begin.elapsed().as_secs_f64();
        let took = duration(elapsed_s);
        let elsewhere = match summary.elsewhere {
            0 => String::new(),
            number => format!(", {} by other processes", count(number)),
        };
        let done = counted(summary.ok + summary.failed, "run");
        self.session.note(&format!("{done} done in {took}{elsewhere}"));
        self.times.tell(self.session, elapsed_s);
        tell_failures(self.session, &summary, &messages);
        Ok(Carried { summary, interrupted: self.signals.received().stops > 0 })
    }

    fn options(&self) -> ExecuteOptions {
        let ExecuteArgs { failures, limits, .. } = self.args;
        let usual = ExecuteOptions::default();
        ExecuteOptions {
            jobs: self.args.jobs,
            fail_fast: failures.fail_fast,
            retries: failures.retry,
            run_timeout: limits.run_timeout,
            max_memory: limits.max_memory,
            deadline: limits.time_limit.and_then(|limit| self.begin.checked_add(limit + limits.grace)),
            shard: self.args.shard,
            // Zero is the salt of those who want none.
            salt: RandomState::new().hash_one("salt") | 1,
            flush_rows: self.args.flush_every.unwrap_or(usual.flush_rows),
            ..usual
        }
    }

    /// Watches the clock and says what signals have brought, until all is over.
    fn look_after(&self, progress: &Progress<'_>, stop: &StopFlag, over: &Receiver<()>) {
        let limits = &self.args.limits;
        let (mut told, mut planned_since, mut given_up) = (Received::default(), None, false);
        while over.recv_timeout(LOOK_UP) == Err(RecvTimeoutError::Timeout) {
            let received = self.signals.received();
            let timed_out = limits.time_limit.is_some_and(|limit| self.begin.elapsed() >= limit);
            if planned_since.is_none() && (received.planned || timed_out) {
                planned_since = Some(Instant::now());
                stop.stop();
                let why = if received.planned { "SIGUSR1" } else { "the time limit is reached" };
                let grace = duration(limits.grace.as_secs_f64());
                progress.say(&format!("{why}: no more runs; those in flight have {grace} to end"));
            }
            if !given_up && planned_since.is_some_and(|since| since.elapsed() >= limits.grace) {
                given_up = true;
                stop.abandon();
                progress.say("the runs in flight are given up");
            }
            if received.stops != told.stops {
                told = received;
                progress.say(match received.stops {
                    1 => "stopping when the runs in flight are done; a second signal gives them up",
                    _ => "giving up the runs in flight; a third signal ends the process at once",
                });
            }
        }
    }
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
