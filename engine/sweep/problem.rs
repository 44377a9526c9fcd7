//! What is wrong with an experiment, and where: every problem has a place in a text that the reader can look at.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// One mistake in a file or on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file's path, or `--set`, `--scale` for the command line.
    pub file: String,
    /// The whole text that `span` points into.
    pub text: Arc<str>,
    /// The place, in bytes of `text`.
    pub span: Range<usize>,
    /// What is wrong, as a lowercase fragment.
    pub message: String,
    /// What would do.
    pub help: Option<String>,
}

impl Problem {
    /// Line and column of the place, both from 1, columns in characters.
    pub fn position(&self) -> (usize, usize) {
        let before = self.text.get(..self.span.start).unwrap_or(&self.text);
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
        (line, column)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        // A file that could not be read has no lines.
        if !self.text.is_empty() {
            let (line, column) = self.position();
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

/// Everything wrong with an experiment, in the order of the text; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}
