//! The scorecard of the published claims, for the terminal and as Markdown. Trace and twin stand side by side.

mod markdown;
mod terminal;
mod wrap;

#[cfg(test)]
mod tests;

pub use markdown::markdown;
pub use terminal::terminal;

use crate::verdict::{Judgement, Verdict};

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

fn mark(judgement: Judgement) -> char {
    match judgement {
        Judgement::Holds => '✓',
        Judgement::HoldsWhereTested => '~',
        Judgement::DoesNotHold => '✗',
        Judgement::CannotBeTested => '?',
    }
}

/// How many rows hold: `6 of 6`, with what could not be tested.
fn count(verdict: &Verdict) -> String {
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
