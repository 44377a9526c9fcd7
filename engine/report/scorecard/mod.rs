//! The scorecard of the published claims, for the terminal and as Markdown. Trace and twin stand side by side.

mod markdown;
mod terminal;
mod wrap;

#[cfg(test)]
mod tests;

pub use markdown::markdown;
pub(crate) use markdown::text as markdown_text;
pub use terminal::terminal;

use crate::error::ReportError;
use crate::verdict::{Judgement, Verdict};
use table::{Frame, TableSpec};

/// Published tables of an experiment, and where they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableIndex {
    /// The study.
    pub study: String,
    /// The tables.
    pub tables: Vec<TableEntry>,
}

/// A published table that was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// The caption as printed.
    pub title: String,
    /// The page, seen from the scorecard.
    pub file: String,
    /// Cells, in any mode, that have a published number in their interval.
    pub inside: usize,
    /// Cells that have a published number and an interval.
    pub both: usize,
}

impl TableIndex {
    /// The tables of an experiment, from its specifications and its table of their cells; `folder` is where the pages are.
    ///
    /// # Errors
    /// If the table lacks a column of its schema.
    pub fn of(
        study: &str,
        folder: &str,
        specs: &[TableSpec],
        published: &Frame,
    ) -> Result<TableIndex, ReportError> {
        let error = ReportError::table("published");
        let names = published.text("table").map_err(&error)?;
        let inside = published.flag("inside").map_err(&error)?;
        let entry = |spec: &TableSpec| {
            let cells = || {
                let own = names.iter().zip(inside).filter(|(name, _)| name.as_deref() == Some(&spec.id));
                own.filter_map(|(_, inside)| *inside)
            };
            TableEntry {
                title: spec.title.clone(),
                file: format!("{folder}/{}.md", spec.id),
                inside: cells().filter(|inside| *inside).count(),
                both: cells().count(),
            }
        };
        Ok(TableIndex { study: study.to_owned(), tables: specs.iter().map(entry).collect() })
    }
}

/// What a scorecard says beside the claims.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// What the sources do not print.
    pub assumptions: Vec<Assumption>,
    /// Where the published tables are.
    pub tables: Vec<TableIndex>,
}

/// A value that the paper does not print, with what stands in for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// The study.
    pub study: String,
    /// The field of the experiment file.
    pub field: String,
    /// The value that was used, as written; `None` where the base case has no such field.
    pub value: Option<String>,
    /// Why this value.
    pub reason: String,
    /// The values that it could have, as written; empty where none are named.
    pub sweep: Vec<String>,
}

impl Assumption {
    /// Adds it to others, unless it is there: the experiments of a study mostly share their assumptions. One that sweeps the field has
    /// no one value of it; another of the study may.
    pub fn add_to(self, all: &mut Vec<Assumption>) {
        let same = |old: &Assumption| {
            (&old.study, &old.field, &old.reason, &old.sweep)
                == (&self.study, &self.field, &self.reason, &self.sweep)
                && (old.value == self.value || old.value.is_none() || self.value.is_none())
        };
        match all.iter_mut().find(|old| same(old)) {
            Some(old) => old.value = old.value.take().or(self.value),
            None => all.push(self),
        }
    }
}

pub(crate) fn mark(judgement: Judgement) -> char {
    match judgement {
        Judgement::Holds => '✓',
        Judgement::HoldsWhereTested => '~',
        Judgement::DoesNotHold => '✗',
        Judgement::CannotBeTested => '?',
    }
}

/// How many rows hold: `6 of 6`, with what could not be tested.
pub(crate) fn count(verdict: &Verdict) -> String {
    let Verdict { holds, tested, total, .. } = verdict;
    match (tested, total - tested) {
        (0, _) => format!("0 of {total} tested"),
        (_, 0) => format!("{holds} of {total}"),
        (_, untested) => format!("{holds} of {tested}, {untested} untested"),
    }
}

/// Line breaks and control characters (an experiment file may hold any) become spaces.
fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
