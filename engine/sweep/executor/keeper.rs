//! Brings finished rows to disk, every few seconds or few hundred rows, without holding up the runs, and looks what other
//! processes have brought there.

use super::shared::lock;
use crate::error::SweepError;
use crate::store::{Store, StoreWriter, StoredRun};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the thread that flushes looks whether the sweep was stopped.
const LOOK_UP: Duration = Duration::from_millis(100);
/// The first flush comes so soon, and the next ones after twice the time, so that processes that begin together soon know.
const FIRST: Duration = Duration::from_millis(500);

/// Finished rows on their way to disk, and the store they go to.
#[derive(Debug)]
pub(super) struct Keeper<'a> {
    outbox: Mutex<Outbox>,
    news: Condvar,
    desk: Mutex<Desk<'a>>,
    rows: usize,
    interval: Duration,
}

#[derive(Debug, Default)]
struct Outbox {
    rows: Vec<StoredRun>,
    closed: bool,
    /// After a failure nothing is due before the end.
    failed: bool,
}

#[derive(Debug)]
struct Desk<'a> {
    writer: &'a StoreWriter,
    store: &'a mut Store,
    /// Rows that this process has written, and that the store has shown since.
    written: usize,
    shown: usize,
    /// Rows of other processes that were met so far.
    foreign: usize,
    failure: Option<SweepError>,
    looked: Instant,
}

/// What a look at the store has brought.
#[derive(Debug, Default)]
pub(super) struct News {
    /// Rows that were written.
    pub flushed: usize,
    /// Whether other processes have added rows.
    pub foreign: bool,
    /// Whether rows could not be written.
    pub failed: bool,
    /// What is odd.
    pub warnings: Vec<String>,
}

impl<'a> Keeper<'a> {
    /// A keeper that flushes at `rows` rows or after `interval`.
    pub fn new(writer: &'a StoreWriter, store: &'a mut Store, rows: usize, interval: Duration) -> Keeper<'a> {
        let looked = Instant::now();
        let desk = Desk { writer, store, written: 0, shown: 0, foreign: 0, failure: None, looked };
        let (outbox, news) = (Mutex::default(), Condvar::new());
        Keeper { outbox, news, desk: Mutex::new(desk), rows: rows.max(1), interval }
    }

    /// Hands over a row.
    pub fn push(&self, row: StoredRun) {
        let mut outbox = lock(&self.outbox);
        outbox.rows.push(row);
        if outbox.rows.len() >= self.rows {
            self.news.notify_all();
        }
    }

    /// No more rows will come.
    pub fn close(&self) {
        lock(&self.outbox).closed = true;
        self.news.notify_all();
    }

    /// Calls `sync` whenever rows are due, until the keeper is closed, and then once more. While the sweep is being stopped,
    /// rows are due as they come.
    pub fn run(&self, stopped: impl Fn() -> bool, sync: impl Fn()) {
        let mut interval = FIRST.min(self.interval);
        loop {
            let closed = self.wait(interval, &stopped);
            sync();
            if closed {
                return;
            }
            interval = (2 * interval).min(self.interval);
        }
    }

    /// Waits until rows are due or the keeper is closed; whether it is closed.
    fn wait(&self, interval: Duration, stopped: &impl Fn() -> bool) -> bool {
        let begin = Instant::now();
        let mut outbox = lock(&self.outbox);
        loop {
            let late = begin.elapsed() >= interval || stopped();
            let due = outbox.rows.len() >= self.rows || (late && !outbox.rows.is_empty());
            if outbox.closed || (due && !outbox.failed) {
                return outbox.closed;
            }
            let pause = LOOK_UP.min(interval);
            outbox = self.news.wait_timeout(outbox, pause).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Writes the rows at hand, looks for new ones in the store, and shows the store to `look`. Rows that cannot be written are
    /// kept and tried once more when the keeper is closed, because a full disk may have room again.
    pub fn sync(&self, look: impl FnOnce(&Store, &News)) -> News {
        let mut desk = lock(&self.desk);
        let mut news = News::default();
        let (rows, closed) = {
            let mut outbox = lock(&self.outbox);
            let skip = outbox.failed && !outbox.closed;
            (if skip { Vec::new() } else { std::mem::take(&mut outbox.rows) }, outbox.closed)
        };
        match desk.writer.write(&rows) {
            Ok(_) => news.flushed = rows.len(),
            Err(problem) => {
                let mut outbox = lock(&self.outbox);
                outbox.failed = true;
                if !closed {
                    outbox.rows.splice(0..0, rows);
                }
                desk.failure.get_or_insert(problem);
                news.failed = true;
            }
        }
        desk.written += news.flushed;
        match desk.store.refresh() {
            Ok(rows) => desk.shown += rows,
            Err(problem) => news.warnings.push(crate::chain(&problem)),
        }
        desk.looked = Instant::now();
        let foreign = desk.shown.saturating_sub(desk.written);
        news.foreign = foreign > desk.foreign;
        desk.foreign = desk.foreign.max(foreign);
        news.warnings.extend(desk.store.take_warnings());
        look(desk.store, &news);
        news
    }

    /// How long ago the store was last looked at.
    pub fn since_look(&self) -> Duration {
        lock(&self.desk).looked.elapsed()
    }

    /// The first failure to write, once all is over.
    pub fn into_result(self) -> Result<(), SweepError> {
        let desk = self.desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        desk.failure.map_or(Ok(()), Err)
    }
}
