//! How a sweep's progress is shown: a bar, lines, JSON, or nothing.

use crate::args::ProgressHow;
use crate::output;
use crate::session::{Session, count, duration};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use sweep::SweepEvent;

/// Between two lines of plain progress.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows a sweep's events; may be called from any thread.
pub struct Progress<'a> {
    session: &'a Session,
    bar: ProgressBar,
    state: Mutex<State>,
}

struct State {
    begin: Instant,
    last_line: Instant,
    total: usize,
    done: usize,
    failed: usize,
    /// Messages of failed runs, and how many had them.
    messages: BTreeMap<String, usize>,
}

impl<'a> Progress<'a> {
    /// Progress through `total` runs.
    pub fn new(session: &'a Session, total: usize) -> Progress<'a> {
        let bar = match session.progress {
            ProgressHow::Bar => {
                ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr())
            }
            _ => ProgressBar::hidden(),
        };
        let template = "{elapsed_precise} {wide_bar} {human_pos}/{human_len} runs, {rate}, {eta} left{msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("rate", rate));
        }
        if session.progress == ProgressHow::Bar {
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        let now = Instant::now();
        let state =
            State { begin: now, last_line: now, total, done: 0, failed: 0, messages: BTreeMap::new() };
        Progress { session, bar, state: Mutex::new(state) }
    }

    /// Takes note of an event and shows it.
    pub fn event(&self, event: &SweepEvent) {
        match event {
            SweepEvent::Warning { text } => self.bar.suspend(|| self.session.warn(text)),
            event => self.session.event(event),
        }
        if let SweepEvent::RunFinished { ok, message, .. } = event {
            let mut state = self.state();
            state.done += 1;
            if !ok {
                state.failed += 1;
                *state.messages.entry(message.clone().unwrap_or_default()).or_default() += 1;
                self.bar.set_message(format!(", {} failed", count(state.failed)));
            }
            self.bar.inc(1);
        }
    }

    /// To be called now and then: writes a line where progress is shown by lines and one is due.
    pub fn tick(&self) {
        let mut state = self.state();
        if self.session.progress == ProgressHow::Plain && state.last_line.elapsed() >= LINE_EVERY {
            state.last_line = Instant::now();
            output::talk(&state.line());
        }
    }

    /// Says something while a bar may be on the screen.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| self.session.note(text));
    }

    /// Takes the bar off the screen. Returns the messages of failed runs with their numbers, the most frequent first.
    pub fn finish(self) -> Vec<(String, usize)> {
        self.bar.finish_and_clear();
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut messages: Vec<(String, usize)> = state.messages.into_iter().collect();
        messages.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
        messages
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Counters are never half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs per second, or seconds per run where they are long.
fn rate(state: &ProgressState, out: &mut dyn fmt::Write) {
    // Writing to a line of the terminal has nowhere to report to.
    let _ = match state.per_sec() {
        rate if rate > 0.0 && rate < 1.0 => write!(out, "{:.1} s/run", 1.0 / rate),
        rate => write!(out, "{rate:.1} runs/s"),
    };
}

impl State {
    fn line(&self) -> String {
        let elapsed = self.begin.elapsed().as_secs_f64();
        let mut line = format!("{} of {} runs", count(self.done), count(self.total));
        if self.done > 0 {
            let left = elapsed / self.done as f64 * (self.total - self.done.min(self.total)) as f64;
            line += &format!(", {:.1} runs/s, about {} left", self.done as f64 / elapsed, duration(left));
        }
        if self.failed > 0 {
            line += &format!(", {} failed", count(self.failed));
        }
        line
    }
}
