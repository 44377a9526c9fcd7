//! Reasons, counted.

use super::reason::Reason;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// How many different texts are counted per reason; beyond them nobody reads.
const MOST_DETAILS: usize = 10_000;

/// Runs by reason.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    counts: BTreeMap<&'static str, Counted>,
}

#[derive(Clone, Debug, Default)]
struct Counted {
    title: &'static str,
    runs: usize,
    details: HashMap<String, usize>,
}

/// A reason with its runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReasonCount {
    /// One word.
    pub reason: &'static str,
    /// A few words for people.
    #[serde(skip)]
    pub title: &'static str,
    /// Runs.
    pub runs: usize,
    /// Fields with values, families or messages that account for them, those with most runs first.
    pub details: Vec<DetailCount>,
}

/// What accounts for some of a reason's runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DetailCount {
    /// A field with its value, a family, a message.
    pub what: String,
    /// Runs.
    pub runs: usize,
}

impl Reasons {
    /// Counts a run.
    pub fn add(&mut self, reason: &Reason) {
        let counted = self.counts.entry(reason.word()).or_default();
        counted.title = reason.title();
        counted.runs += 1;
        for detail in reason.details() {
            let full = counted.details.len() >= MOST_DETAILS;
            match counted.details.get_mut(&detail) {
                Some(runs) => *runs += 1,
                None if full => {}
                None => drop(counted.details.insert(detail, 1)),
            }
        }
    }

    /// The reasons, that of most runs first (ties: by word), each with all its details (ties: by text).
    pub fn list(&self) -> Vec<ReasonCount> {
        let mut list: Vec<ReasonCount> = self
            .counts
            .iter()
            .map(|(&reason, counted)| {
                let details = counted.details.iter();
                let mut details: Vec<DetailCount> =
                    details.map(|(what, &runs)| DetailCount { what: what.clone(), runs }).collect();
                details.sort_by(|a, b| b.runs.cmp(&a.runs).then_with(|| a.what.cmp(&b.what)));
                ReasonCount { reason, title: counted.title, runs: counted.runs, details }
            })
            .collect();
        list.sort_by(|a, b| b.runs.cmp(&a.runs).then_with(|| a.reason.cmp(b.reason)));
        list
    }
}
