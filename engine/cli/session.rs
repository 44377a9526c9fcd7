//! What all verbs share: how to talk, and where things are.

use crate::args::{Color, GlobalArgs, ProgressHow};
use crate::diagnostic::Failure;
use crate::output;
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use sweep::SweepEvent;
use workload::TraceDir;

/// Columns where there is no terminal to ask.
const PIPE_WIDTH: usize = 80;
/// Text is not set wider than this, to remain readable.
const WIDEST: usize = 110;

/// How a verb ended, if it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Everything that was asked is done.
    Done,
    /// Some runs failed.
    SomeFailed,
    /// Stopped by a time limit or by SIGUSR1, as was planned.
    Stopped,
    /// Stopped by SIGINT or SIGTERM.
    Interrupted,
}

impl Ending {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Ending::Done | Ending::Stopped => 0,
            Ending::SomeFailed => 1,
            Ending::Interrupted => 130,
        }
    }
}

/// How to talk to whoever called.
#[derive(Clone, Copy, Debug)]
pub struct Session {
    /// Columns of stdout.
    pub width: usize,
    /// Colours on stdout.
    pub color: bool,
    /// Colours on stderr.
    pub talk_color: bool,
    /// Columns of stderr.
    pub talk_width: usize,
    /// How progress is shown; never [`ProgressHow::Auto`].
    pub progress: ProgressHow,
    quiet: bool,
}

impl Session {
    /// What the options and the terminal say.
    pub fn new(global: &GlobalArgs) -> Session {
        let colored = |terminal: bool| match global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        };
        let columns = |size: Option<(terminal_size::Width, terminal_size::Height)>| {
            size.map_or(PIPE_WIDTH, |(width, _)| usize::from(width.0)).clamp(40, WIDEST)
        };
        let progress = match global.progress {
            ProgressHow::Auto if global.quiet => ProgressHow::None,
            ProgressHow::Auto if io::stderr().is_terminal() => ProgressHow::Bar,
            ProgressHow::Auto => ProgressHow::Plain,
            how => how,
        };
        Session {
            width: columns(terminal_size::terminal_size_of(io::stdout())),
            color: colored(io::stdout().is_terminal()),
            talk_color: colored(io::stderr().is_terminal()),
            talk_width: columns(terminal_size::terminal_size_of(io::stderr())),
            progress,
            quiet: global.quiet,
        }
    }

    /// Something good to know; with JSON progress it is an event, so that every line remains JSON.
    pub fn note(&self, text: &str) {
        if self.progress == ProgressHow::Json {
            output::talk(&serde_json::json!({ "event": "note", "text": text }).to_string());
        } else if !self.quiet {
            output::talk(text);
        }
    }

    /// An event for machines; nothing where none listens.
    pub fn event(&self, event: &SweepEvent) {
        if self.progress == ProgressHow::Json {
            output::talk(&serde_json::to_string(event).unwrap_or_default());
        }
    }

    /// Something that may be wrong and stops nothing.
    pub fn warn(&self, text: &str) {
        if self.progress == ProgressHow::Json {
            self.event(&SweepEvent::Warning { text: text.to_owned() });
        } else if self.talk_color {
            output::talk(&format!("\x1b[1;33mwarning:\x1b[0m {text}"));
        } else {
            output::talk(&format!("warning: {text}"));
        }
    }

    /// Shows a failure; the exit code is [`Failure::code`].
    pub fn fail(&self, failure: &Failure) {
        if !matches!(failure, Failure::Closed) {
            output::talk(&failure.render(self.talk_width, self.talk_color));
        }
    }
}

/// The folder of the logs, which must exist if one is given.
///
/// # Errors
/// Where it is no folder.
pub fn trace_dir(given: Option<&PathBuf>) -> Result<TraceDir, Failure> {
    match given.filter(|path| !path.as_os_str().is_empty()) {
        None => Ok(TraceDir::none()),
        Some(path) if path.is_dir() => Ok(TraceDir::new(Some(path.clone()))),
        Some(path) => Err(Failure::question(format!("the trace folder {} does not exist", path.display()))
            .hint("--traces or BACKSWEEP_TRACES names the folder of the logs; `backsweep trace fetch` fills one")),
    }
}

/// Finds out whether files can be made in a folder that need not exist yet, and leaves nothing behind.
///
/// # Errors
/// Where they cannot.
pub fn check_writable(folder: &Path, option: &str) -> Result<(), Failure> {
    let refuse = |at: &Path, reason: String| {
        let text = format!("cannot write to {}: {}: {reason}", folder.display(), at.display());
        Err(Failure::question(text).hint(format!("choose another place with {option}")))
    };
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    // A path below a file is an error other than "not found" and stops the search.
    let existing = absolute.ancestors().find(|path| !matches!(path.try_exists(), Ok(false)));
    let Some(existing) = existing else { return Ok(()) };
    match fs::metadata(existing) {
        Err(problem) => return refuse(existing, problem.to_string()),
        Ok(found) if !found.is_dir() => return refuse(existing, "it is no folder".to_owned()),
        Ok(_) => {}
    }
    let probe = existing.join(format!(".backsweep-probe-{}.tmp", std::process::id()));
    let made = OpenOptions::new().write(true).create_new(true).open(&probe).and_then(|file| {
        drop(file);
        fs::remove_file(&probe)
    });
    made.or_else(|problem| refuse(existing, problem.to_string()))
}

/// As [`check_writable`], for a file that will be made; an existing folder of its name is refused too.
///
/// # Errors
/// Where it cannot be made.
pub fn check_file(path: &Path, option: &str) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::question(format!("{} is a folder, not a file", path.display()))
            .hint(format!("give a file name with {option}")));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    check_writable(folder.unwrap_or(Path::new(".")), option)
}

/// A count with a comma every three digits.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A length of time for people: the two largest units.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        _ if seconds < 0.1 => "less than 0.1 s".to_owned(),
        0..10 => format!("{seconds:.1} s"),
        10..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        3600..86_400 => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
        _ => format!("{} d {} h", whole / 86_400, whole % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([counted(1, "run"), counted(2, "run")], ["1 run", "2 runs"]);
        assert_eq!(
            [0.01, 2.34, 61.0, 7_380.0, 90_000.0].map(duration),
            ["less than 0.1 s", "2.3 s", "1 min 1 s", "2 h 3 min", "1 d 1 h"]
        );
    }

    #[test]
    fn a_place_below_a_file_is_not_writable() {
        let Ok(folder) = tempfile::tempdir() else { panic!("no temporary folder") };
        let file = folder.path().join("file");
        assert!(fs::write(&file, "x").is_ok());
        assert!(check_writable(&folder.path().join("new/deeper"), "--out").is_ok());
        assert!(check_writable(&file.join("below"), "--out").is_err());
        assert!(check_writable(&file, "--out").is_err());
        assert!(check_file(folder.path(), "-o").is_err());
        // Nothing was made on the way.
        assert_eq!(fs::read_dir(folder.path()).map(Iterator::count).ok(), Some(1));
    }
}
