//! Status for people.

use super::{Look, Progress, Writer};
use crate::session::{count, counted, duration};
use crate::trace::megabytes;
use std::fmt::Write;

/// Processes that are listed, at most.
const WRITERS_SHOWN: usize = 12;

/// A look as text.
pub fn of(look: &Look, width: usize) -> String {
    let mut text = store(look);
    // Writing to a string cannot fail.
    if !look.writers.is_empty() {
        writers(look, &mut text);
    }
    if !look.messages.is_empty() {
        let _ = writeln!(text, "{} failed", counted(look.failed, "run"));
    }
    for message in &look.messages {
        let line = format!("  {} with: {}", count(message.runs), message.message);
        let _ = writeln!(text, "{}", cut(&line, width));
    }
    if !look.experiments.is_empty() {
        text.push('\n');
        experiments(look, &mut text);
    }
    text
}

fn store(look: &Look) -> String {
    if !look.exists {
        return format!("there is no store at {}: nothing was run there yet\n", look.store);
    }
    let mut text = format!("store {}\n", look.store);
    let runs = match look.failed {
        0 => counted(look.runs, "run"),
        failed => format!("{}, {} ok, {} failed", counted(look.runs, "run"), count(look.ok), count(failed)),
    };
    let _ = writeln!(text, "{runs} in {}, {}", counted(look.segments, "segment"), megabytes(look.bytes));
    if let (Some(when), Some(ago)) = (&look.last_write, look.last_write_ago_s) {
        let _ = writeln!(text, "last written {when}, {}", passed(ago));
    }
    text
}

fn writers(look: &Look, text: &mut String) {
    let heading = format!("written in the last {} min by", look.recent_s / 60);
    let _ = writeln!(text, "\n{heading:<36} {:>9} {:>9}  last", "runs", "runs/s");
    for Writer { host, pid, runs, runs_per_s, last_write_ago_s, .. } in
        look.writers.iter().take(WRITERS_SHOWN)
    {
        let name = format!("  {host}, process {pid}");
        let rate = runs_per_s.map_or_else(|| "unknown".to_owned(), rate);
        let _ = writeln!(text, "{name:<36} {:>9} {rate:>9}  {}", count(*runs), passed(*last_write_ago_s));
    }
    if look.writers.len() > WRITERS_SHOWN {
        let _ = writeln!(text, "  and {} others", count(look.writers.len() - WRITERS_SHOWN));
    }
}

fn experiments(look: &Look, text: &mut String) {
    let name = |progress: &Progress| format!("{}/{}", progress.study, progress.experiment);
    let widest =
        look.experiments.iter().map(|progress| name(progress).chars().count()).max().unwrap_or(0).max(10);
    let _ = writeln!(
        text,
        "{:<widest$} {:>9} {:>9} {:>7} {:>9} {:>8}",
        "experiment", "runs", "answered", "failed", "to run", "skipped"
    );
    for progress in &look.experiments {
        let Progress { runs, ok, failed, missing, skipped, .. } = *progress;
        let [runs, ok, failed, missing, skipped] = [runs, ok, failed, missing, skipped].map(count);
        let _ = writeln!(
            text,
            "{:<widest$} {runs:>9} {ok:>9} {failed:>7} {missing:>9} {skipped:>8}",
            name(progress)
        );
        next_step(progress).iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
}

/// What to expect or to do.
fn next_step(progress: &Progress) -> Vec<String> {
    let mut lines = Vec::new();
    if progress.runs == 0 {
        return vec!["no run can be carried out: the logs are not at hand".to_owned()];
    }
    match (progress.missing, &progress.left_s, progress.expected_s) {
        (0, ..) => lines.push("every run is answered: `backsweep run` writes the tables at once".to_owned()),
        (_, Some((best, Some(worst))), _) => {
            lines.push(format!("{} left at the rate of the last minutes", between(*best, *worst)));
        }
        (_, Some((best, None)), _) => {
            lines.push(format!("{} left or more: nothing was written in the last minutes", duration(*best)));
        }
        (_, None, Some(expected_s)) => {
            lines.push("too little of it was written lately to tell a rate".to_owned());
            let work = duration(expected_s);
            lines.push(format!("expected work: {work} of one thread; `backsweep run` goes on with it"));
        }
        (_, None, None) => lines.push("not begun: `backsweep run` does it".to_owned()),
    }
    if progress.failed > 0 {
        lines.push("`backsweep run --retry-failed` runs the failed ones again".to_owned());
    }
    lines
}

fn between(best: f64, worst: f64) -> String {
    let (best, worst) = (duration(best), duration(worst));
    if best == worst { format!("about {best}") } else { format!("{best} to {worst}") }
}

fn passed(seconds: u64) -> String {
    if seconds == 0 { "just now".to_owned() } else { format!("{} ago", duration(seconds as f64)) }
}

/// A rate with three digits that count.
fn rate(rate: f64) -> String {
    match rate {
        rate if rate >= 99.95 => count(rate.round() as usize),
        rate if rate >= 0.995 => format!("{rate:.1}"),
        rate => format!("{rate:.3}"),
    }
}

/// A line that fits.
fn cut(line: &str, width: usize) -> String {
    let line: String = line.split_whitespace().fold(String::from(" "), |text, word| text + " " + word);
    if line.chars().count() <= width {
        return line;
    }
    line.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::Message;

    fn look() -> Look {
        Look {
            store: "s".to_owned(),
            exists: true,
            runs: 1_234_567,
            ok: 1_234_560,
            failed: 7,
            segments: 12,
            bytes: 3_000_000,
            last_write: Some("2026-01-01T00:00:00Z".to_owned()),
            last_write_ago_s: Some(12),
            recent_s: 600,
            writers: Vec::new(),
            messages: vec![Message {
                message: format!("a very {}long\n message", "very ".repeat(30)),
                runs: 7,
            }],
            experiments: Vec::new(),
        }
    }

    fn progress(missing: usize, left_s: Option<(f64, Option<f64>)>) -> Progress {
        Progress {
            study: "s".to_owned(),
            experiment: "e".to_owned(),
            runs: 100,
            ok: 100 - missing,
            failed: 0,
            missing,
            skipped: 0,
            expected_s: Some(80.0),
            runs_per_s: None,
            left_s,
        }
    }

    #[test]
    fn a_look_fits() {
        let writer = |pid| Writer {
            host: "a-host-with-24-characters".to_owned(),
            pid,
            runs: 1_000_000,
            segments: 3,
            runs_per_s: Some(12.34),
            last_write_ago_s: 90_000,
        };
        let writers = (0..14).map(|n| writer(4_194_300 + n)).collect();
        let experiments = vec![progress(3, Some((60.0, Some(90.0))))];
        let text = of(&Look { writers, experiments, ..look() }, 80);
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        for part in
            ["1,234,567 runs, 1,234,560 ok, 7 failed", "and 2 others", "12.3", "1 min 0 s to 1 min 30 s left"]
        {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
    }

    #[test]
    fn a_store_that_is_not_there_is_said() {
        let text = of(&Look { exists: false, messages: Vec::new(), ..look() }, 80);
        assert_eq!(text, "there is no store at s: nothing was run there yet\n");
    }

    #[test]
    fn the_next_step_is_told() {
        let told = |progress| next_step(&progress).join("; ");
        assert!(told(progress(0, None)).contains("writes the tables"));
        assert!(told(progress(5, Some((60.0, None)))).contains("1 min 0 s left or more"));
        assert!(told(progress(5, Some((60.0, Some(60.0))))).contains("about 1 min 0 s left"));
        assert!(told(progress(5, None)).contains("expected work: 1 min 20 s of one thread"));
        assert!(told(Progress { expected_s: None, ..progress(5, None) }).contains("not begun"));
        assert!(told(Progress { failed: 1, ..progress(5, None) }).contains("--retry-failed"));
        assert!(told(Progress { runs: 0, ..progress(0, None) }).contains("not at hand"));
    }

    #[test]
    fn rates_are_short() {
        assert_eq!([0.012, 1.0, 12.34, 4321.0].map(rate), ["0.012", "1.0", "12.3", "4,321"]);
    }
}
