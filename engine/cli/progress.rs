//! How a sweep's progress is shown: a bar, lines, JSON, or nothing.

use crate::args::ProgressHow;
use crate::output;
use crate::session::{Session, count, duration};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use sweep::SweepEvent;

/// Between two lines of plain progress.
const LINE_EVERY: Duration = Duration::from_secs(5);
/// Columns that a bar should have at least; below, it is left out.
const SHORTEST_BAR: usize = 10;

/// Shows a sweep's events; may be called from any thread.
pub struct Progress<'a> {
    session: &'a Session,
    bar: ProgressBar,
    state: Mutex<State>,
}

struct State {
    last_line: Instant,
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
        let state = State { last_line: Instant::now(), messages: BTreeMap::new() };
        let progress = Progress { session, bar, state: Mutex::new(state) };
        progress.set_line("begins", "");
        progress
    }

    /// Takes note of an event and shows it.
    pub fn event(&self, event: &SweepEvent) {
        match event {
            SweepEvent::Warning { text } => self.bar.suspend(|| self.session.warn(text)),
            event => self.session.event(event),
        }
        match event {
            SweepEvent::RunFinished { ok: false, message, .. } => {
                *self.state().messages.entry(message.clone().unwrap_or_default()).or_default() += 1;
            }
            SweepEvent::Progress(progress) => self.show(progress),
            _ => {}
        }
    }

    fn show(&self, progress: &sweep::Progress) {
        let width = self.session.talk_width;
        let facts = facts(progress, width);
        let flight = in_flight(progress, width);
        match self.session.progress {
            ProgressHow::Bar => {
                self.bar.set_position(progress.done as u64);
                self.set_line(&facts, &flight);
            }
            ProgressHow::Plain if self.line_is_due() => {
                output::talk(&facts);
                if !flight.is_empty() {
                    output::talk(&flight);
                }
            }
            _ => {}
        }
    }

    /// Draws the bar with the text behind it, if there is room for both, and the second line.
    fn set_line(&self, facts: &str, flight: &str) {
        let fits = facts.chars().count() + 1 + SHORTEST_BAR <= self.session.talk_width;
        let template = if fits { "{wide_bar} {prefix}\n{msg}" } else { "{prefix}\n{msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.set_prefix(facts.to_owned());
        self.bar.set_message(flight.to_owned());
    }

    fn line_is_due(&self) -> bool {
        let mut state = self.state();
        let due = state.last_line.elapsed() >= LINE_EVERY;
        if due {
            state.last_line = Instant::now();
        }
        due
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

/// How far it is, in one line; the last facts are left out where they do not fit.
fn facts(progress: &sweep::Progress, width: usize) -> String {
    let mut line = format!("{} of {} runs", count(progress.done), count(progress.total));
    let failed = (progress.failed > 0).then(|| format!("{} failed", count(progress.failed)));
    let elsewhere = (progress.elsewhere > 0).then(|| format!("{} elsewhere", count(progress.elsewhere)));
    for fact in [failed, time_left(progress), rate(progress.runs_per_s), elsewhere].into_iter().flatten() {
        if line.chars().count() + 2 + fact.chars().count() <= width {
            line = format!("{line}, {fact}");
        }
    }
    line
}

/// Runs per second, or seconds per run where they are long.
fn rate(per_s: f64) -> Option<String> {
    match per_s {
        0.0 => None,
        per_s if per_s < 1.0 => Some(format!("{}/run", duration(1.0 / per_s))),
        per_s if per_s < 100.0 => Some(format!("{per_s:.1} runs/s")),
        per_s => Some(format!("{} runs/s", count(per_s.round() as usize))),
    }
}

/// The time left, as a range in the unit of its end.
fn time_left(progress: &sweep::Progress) -> Option<String> {
    let (low, high) = (progress.eta_low_s?, progress.eta_high_s?);
    if progress.done == progress.total {
        return None;
    }
    let (unit, seconds) = match high {
        _ if high <= 120.0 => ("s", 1.0),
        _ if high <= 7200.0 => ("min", 60.0),
        _ if high <= 172_800.0 => ("h", 3600.0),
        _ => ("d", 86_400.0),
    };
    let (low, high) = ((low / seconds).floor() as usize, (high / seconds).ceil() as usize);
    Some(match low {
        0 => format!("at most {} {unit} left", count(high)),
        low if low == high => format!("about {} {unit} left", count(low)),
        low => format!("{} to {} {unit} left", count(low), count(high)),
    })
}

/// What is in flight, in one line.
fn in_flight(progress: &sweep::Progress, width: usize) -> String {
    let Some(longest) = &progress.longest else { return String::new() };
    let time = duration(longest.running_s);
    let line = match progress.in_flight {
        1 => format!("  running for {time}: {}", longest.what),
        number => format!("  {} running, the longest for {time}: {}", count(number), longest.what),
    };
    match line.char_indices().nth(width.saturating_sub(1)) {
        Some((at, _)) if line.chars().count() > width => format!("{}…", &line[..at]),
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sweep::{LongestRun, RunKey};

    fn progress() -> sweep::Progress {
        sweep::Progress {
            done: 1234,
            total: 30_000,
            failed: 2,
            elsewhere: 17,
            in_flight: 2,
            runs_per_s: 12.34,
            eta_low_s: Some(3601.0),
            eta_high_s: Some(5000.0),
            longest: Some(LongestRun {
                key: RunKey([0; 32]),
                what: "Easy on HPC2N-2002-2.2-cln (twin), load 0.8, replication 3".into(),
                running_s: 75.0,
            }),
        }
    }

    #[test]
    fn lines_fit_and_the_rarest_facts_go_first() {
        let progress = progress();
        assert_eq!(
            facts(&progress, 80),
            "1,234 of 30,000 runs, 2 failed, 60 to 84 min left, 12.3 runs/s, 17 elsewhere"
        );
        assert_eq!(facts(&progress, 40), "1,234 of 30,000 runs, 2 failed");
        assert_eq!(
            in_flight(&progress, 80),
            "  2 running, the longest for 1 min 15 s: Easy on HPC2N-2002-2.2-cln (twin), loa…"
        );
        for width in [40, 60, 80, 100] {
            assert!(facts(&progress, width).chars().count() <= width);
            assert!(in_flight(&progress, width).chars().count() <= width);
        }
        assert_eq!(in_flight(&sweep::Progress { longest: None, ..progress }, 80), "");
    }

    #[test]
    fn the_time_left_is_a_range_that_holds_both_ends() {
        let left = |low, high| {
            let range = sweep::Progress { eta_low_s: Some(low), eta_high_s: Some(high), ..progress() };
            time_left(&range).unwrap_or_default()
        };
        assert_eq!(left(0.4, 1.2), "at most 2 s left");
        assert_eq!(left(42.0, 42.0), "about 42 s left");
        assert_eq!(left(30.0, 119.2), "30 to 120 s left");
        assert_eq!(left(100.0, 600.0), "1 to 10 min left");
        assert_eq!(left(7000.0, 40_000.0), "1 to 12 h left");
        assert_eq!(left(90_000.0, 900_000.0), "1 to 11 d left");
        assert_eq!(time_left(&sweep::Progress { eta_low_s: None, ..progress() }), None);
        assert_eq!(time_left(&sweep::Progress { done: 30_000, ..progress() }), None);
    }

    #[test]
    fn rates_are_per_second_or_per_run() {
        let rates = [0.0, 0.01, 3.25, 4321.0].map(|per_s| rate(per_s).unwrap_or_default());
        assert_eq!(rates, ["", "1 min 40 s/run", "3.2 runs/s", "4,321 runs/s"]);
    }
}
