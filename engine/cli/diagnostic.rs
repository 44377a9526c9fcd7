//! What goes wrong, and the only place that shows it to people.

use crate::snippet;
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, Severity, ThemeCharacters, ThemeStyles};
use std::error::Error;
use std::fmt;
use std::ops::Range;
pub use sweep::chain;
use sweep::{Problem, Problems, SweepError};
use workload::WorkloadError;
use workload::swf::SwfError;

/// Why a verb did not come to its end.
#[derive(Debug)]
pub enum Failure {
    /// Nobody reads stdout any more; no failure of ours.
    Closed,
    /// Mistakes in experiment files or in what was set on the command line.
    Problems(Problems),
    /// The question was malformed.
    Question(Message),
    /// The question was fine, answering it failed.
    Work(Message),
}

/// What is wrong, and what would do.
#[derive(Debug)]
pub struct Message {
    text: String,
    hint: Option<String>,
}

impl Failure {
    /// A malformed question.
    pub fn question(text: impl Into<String>) -> Failure {
        Failure::Question(Message { text: text.into(), hint: None })
    }

    /// Work that failed.
    pub fn work(text: impl Into<String>) -> Failure {
        Failure::Work(Message { text: text.into(), hint: None })
    }

    /// The same with a hint, unless it has one.
    pub fn hint(mut self, hint: impl Into<String>) -> Failure {
        if let Failure::Question(message) | Failure::Work(message) = &mut self {
            message.hint.get_or_insert(hint.into());
        }
        self
    }

    /// The process's exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Closed => 0,
            Failure::Work(_) => 1,
            Failure::Problems(_) | Failure::Question(_) => 2,
        }
    }

    /// The failure as text for stderr, without a line end.
    pub fn render(&self, width: usize, color: bool) -> String {
        match self {
            Failure::Closed => String::new(),
            Failure::Problems(Problems(problems)) => {
                problems.iter().map(|problem| place(problem, width, color)).collect::<Vec<_>>().join("\n\n")
            }
            Failure::Question(Message { text, hint }) | Failure::Work(Message { text, hint }) => {
                let head = if color { "\x1b[1;31merror:\x1b[0m" } else { "error:" };
                let hint = hint.iter().map(|hint| format!("\n  hint: {}", hint.replace('\n', "\n        ")));
                format!("{head} {text}{}", hint.collect::<String>())
            }
        }
    }
}

/// A problem with the text around it, a mark below the place, and what would do.
fn place(problem: &Problem, width: usize, color: bool) -> String {
    let (line, column) = problem.position();
    if problem.text.is_empty() {
        let failure = Failure::question(format!("{}: {}", problem.file, problem.message));
        return problem
            .help
            .iter()
            .fold(failure, |failure, help| failure.hint(help.as_str()))
            .render(width, color);
    }
    let theme = GraphicalTheme {
        characters: ThemeCharacters { error: "error:".to_owned(), ..ThemeCharacters::unicode() },
        styles: if color { ThemeStyles::ansi() } else { ThemeStyles::none() },
    };
    let mut text = String::new();
    let handler =
        GraphicalReportHandler::new_themed(theme).with_width(width).with_context_lines(1).with_links(false);
    match handler.render_report(&mut text, &Located::of(problem)) {
        Ok(()) => text.trim_end().to_owned(),
        Err(_) => format!("error: {}:{line}:{column}: {}", problem.file, problem.message),
    }
}

/// A problem as the renderer wants it.
struct Located<'a> {
    problem: &'a Problem,
    /// The file, without what would make a terminal do things, long lines cut.
    text: String,
    /// The place in that text.
    span: Range<usize>,
}

impl<'a> Located<'a> {
    fn of(problem: &'a Problem) -> Located<'a> {
        let harmless = |c: char| if c.is_ascii_control() && !"\n\r\t".contains(c) { ' ' } else { c };
        let text: String = problem.text.chars().map(harmless).collect();
        // Control characters are as long as the space that stands for them.
        let (text, span) = snippet::clip(&text, problem.span.clone());
        Located { problem, text, span }
    }
}

impl fmt::Debug for Located<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.fmt(f)
    }
}

impl fmt::Display for Located<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.message)
    }
}

impl Error for Located<'_> {}

impl miette::Diagnostic for Located<'_> {
    fn severity(&self) -> Option<Severity> {
        Some(Severity::Error)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.problem.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        Some(self)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(std::iter::once(LabeledSpan::new_with_span(None, self.span.clone()))))
    }
}

impl miette::SourceCode for Located<'_> {
    fn read_span<'a>(
        &'a self,
        span: &miette::SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'a> + 'a>, miette::MietteError> {
        let contents = self.text.as_str().read_span(span, before, after)?;
        // The place itself is asked for alone: its column is that of the file, not of what is left of the line.
        let column = match before + after {
            0 => self.problem.position().1.saturating_sub(1),
            _ => contents.column(),
        };
        let named = miette::MietteSpanContents::new_named(
            self.problem.file.clone(),
            contents.data(),
            *contents.span(),
            contents.line(),
            column,
            contents.line_count(),
        );
        Ok(Box::new(named))
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Failure {
        Failure::Problems(problems)
    }
}

impl From<WorkloadError> for Failure {
    fn from(problem: WorkloadError) -> Failure {
        let failure = Failure::question(chain(&problem));
        workload_hint(&problem).into_iter().fold(failure, |failure, hint| failure.hint(hint))
    }
}

fn workload_hint(problem: &WorkloadError) -> Option<String> {
    use std::io::ErrorKind;
    Some(match problem {
        WorkloadError::Unreadable { source, .. } => match source.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                "the file is cut off or damaged; get it again".to_owned()
            }
            _ => return None,
        },
        WorkloadError::Malformed { source: SwfError::Empty { .. }, .. } => {
            "is this the right file?".to_owned()
        }
        WorkloadError::Malformed { .. } => {
            "a record of the Standard Workload Format is 18 numbers in seconds, processors and kilobytes; \
             unknown ones are -1, comments start with ;"
                .to_owned()
        }
        WorkloadError::UnknownLog { .. } => "`backsweep trace list` shows the known logs".to_owned(),
        WorkloadError::MissingLog { name, .. } => {
            format!("`backsweep trace fetch {name}`, then give the folder with --traces or BACKSWEEP_TRACES")
        }
        WorkloadError::WrongContent { name, .. } => {
            format!("move it away, then `backsweep trace fetch {name}`")
        }
        WorkloadError::NoJobs { .. } => "is the machine large enough for any of them?".to_owned(),
        _ => return None,
    })
}

impl From<SweepError> for Failure {
    fn from(problem: SweepError) -> Failure {
        match problem {
            SweepError::Workload(problem) => problem.into(),
            SweepError::StoreRead { .. } => Failure::question(chain(&problem)),
            _ => Failure::work(chain(&problem)),
        }
    }
}

impl From<sim::SimError> for Failure {
    fn from(problem: sim::SimError) -> Failure {
        use sim::SimError;
        match problem {
            SimError::Machine { .. } | SimError::Setup { .. } | SimError::BadJob { .. } => {
                Failure::question(chain(&problem))
            }
            _ => Failure::work(chain(&problem)),
        }
    }
}

impl From<table::TableError> for Failure {
    fn from(problem: table::TableError) -> Failure {
        Failure::work(chain(&problem))
    }
}

impl From<report::ReportError> for Failure {
    fn from(problem: report::ReportError) -> Failure {
        Failure::work(chain(&problem))
    }
}
