//! Brings finished rows to disk, every few seconds or few hundred rows, without holding up the runs.

use super::shared::lock;
use crate::SweepEvent;
use crate::error::SweepError;
use crate::store::{StoreWriter, StoredRun};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the flusher looks whether the sweep was stopped.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Finished rows on their way to disk.
#[derive(Debug)]
pub(super) struct Outbox {
    state: Mutex<State>,
    news: Condvar,
    rows: usize,
    interval: Duration,
}

#[derive(Debug, Default)]
struct State {
    rows: Vec<StoredRun>,
    closed: bool,
}

impl Outbox {
    /// An empty outbox that is flushed at `rows` rows or after `interval`.
    pub fn new(rows: usize, interval: Duration) -> Outbox {
        Outbox { state: Mutex::default(), news: Condvar::new(), rows: rows.max(1), interval }
    }

    /// Hands over a row.
    pub fn push(&self, row: StoredRun) {
        let mut state = lock(&self.state);
        state.rows.push(row);
        if state.rows.len() >= self.rows {
            self.news.notify_all();
        }
    }

    /// No more rows will come.
    pub fn close(&self) {
        lock(&self.state).closed = true;
        self.news.notify_all();
    }

    /// Writes rows until the outbox is closed and empty. While the sweep is being stopped, rows are written as they come.
    ///
    /// # Errors
    /// The first write that failed; `on_failure` was called then. What was left is tried once more when the outbox is closed,
    /// because a full disk may have room again.
    pub fn run(
        &self,
        writer: &StoreWriter,
        on_event: &(dyn Fn(SweepEvent) + Sync),
        stopped: impl Fn() -> bool,
        on_failure: impl Fn(),
    ) -> Result<(), SweepError> {
        let mut failure = None;
        loop {
            let (rows, last) = self.wait(&stopped, failure.is_some());
            let count = rows.len();
            match writer.write(&rows) {
                Ok(Some(_)) => on_event(SweepEvent::Flushed { rows: count }),
                Ok(None) => {}
                Err(problem) => {
                    if !last {
                        lock(&self.state).rows.splice(0..0, rows);
                    }
                    on_failure();
                    failure.get_or_insert(problem);
                }
            }
            if last {
                return failure.map_or(Ok(()), Err);
            }
        }
    }

    /// Waits until rows are due; takes them, and says whether they are the last. After a failure nothing is due before the end.
    fn wait(&self, stopped: &impl Fn() -> bool, failed: bool) -> (Vec<StoredRun>, bool) {
        let begin = Instant::now();
        let mut state = lock(&self.state);
        loop {
            let late = begin.elapsed() >= self.interval || stopped();
            let due = state.rows.len() >= self.rows || (late && !state.rows.is_empty());
            if state.closed || (due && !failed) {
                return (std::mem::take(&mut state.rows), state.closed);
            }
            let pause = LOOK_UP.min(self.interval);
            state = self.news.wait_timeout(state, pause).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
