//! What a store holds, in the form in which runs that it does not answer can be compared with it.
//!
//! Distinct texts of parts are few even where runs are many, so every part is a number and a run some fifty bytes.

use super::parts::{PARTS, SpecParts, fields_of, part_text, same_part, split, values};
use crate::error::SweepError;
use crate::store::{SegmentInfo, Store, StoredHead};
use crate::{Case, ContentHash, RunKey};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Arc;

/// The numbers of a case's parts.
pub(super) type CaseId = [u32; PARTS.len()];

/// Texts of cases that are remembered, of some kilobyte each.
const TEXTS: usize = 4096;

/// Everything a store holds, without results.
#[derive(Debug)]
pub struct Past {
    pub(super) parts: Vec<PartValues>,
    pub(super) runs: Vec<PastRun>,
    /// The latest run of each case; the others follow it.
    cases: HashMap<CaseId, u32>,
    pub(super) segments: Vec<Segment>,
    pub(super) contents: Numbered<Option<ContentHash>>,
    pub(super) models: Numbered<[u8; 32]>,
    messages: Numbered<Arc<str>>,
    /// Cases met lately by their texts, so that replications of a case are taken apart once.
    texts: HashMap<Box<str>, CaseId>,
    /// Rows whose specification this build does not know.
    pub unreadable: usize,
}

/// A stored run.
#[derive(Debug)]
pub(super) struct PastRun {
    pub case: CaseId,
    pub key: RunKey,
    pub seed: u64,
    pub replication: u32,
    pub content: u32,
    pub model: u32,
    pub segment: u32,
    /// The message of a failed run.
    message: Option<u32>,
    /// An earlier run of the same case.
    earlier: Option<u32>,
}

/// Where runs were written.
#[derive(Debug)]
pub(super) struct Segment {
    pub name: String,
    pub build: String,
    /// Hashes of the families then, in hexadecimal; empty where they were not recorded.
    pub families: Arc<BTreeMap<String, String>>,
}

/// Values with numbers, each once.
#[derive(Debug)]
pub(super) struct Numbered<T> {
    numbers: HashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { numbers: HashMap::new(), values: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn number(&mut self, value: &T) -> u32 {
        if let Some(number) = self.numbers.get(value) {
            return *number;
        }
        let number = self.values.len() as u32;
        self.numbers.insert(value.clone(), number);
        self.values.push(value.clone());
        number
    }

    pub fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }
}

/// The values that one part of a case has in the store.
#[derive(Debug, Default)]
pub(super) struct PartValues {
    texts: HashMap<Arc<str>, u32>,
    by_number: Vec<Arc<str>>,
    /// By number, the numbers of the fields' values; none where a field is absent.
    fields: Vec<Box<[Option<u32>]>>,
    /// For each field, its values.
    seen: Vec<HashMap<Box<str>, u32>>,
}

impl PartValues {
    fn number(&mut self, part: usize, text: &str) -> Option<u32> {
        if let Some(number) = self.texts.get(text) {
            return Some(*number);
        }
        let values = values(part, text)?;
        self.seen.resize_with(values.len(), HashMap::new);
        let numbers = values.into_iter().zip(&mut self.seen).map(|(value, seen)| {
            let next = seen.len() as u32;
            value.map(|value| *seen.entry(value.into()).or_insert(next))
        });
        self.fields.push(numbers.collect());
        let text: Arc<str> = text.into();
        let number = self.by_number.len() as u32;
        self.by_number.push(Arc::clone(&text));
        self.texts.insert(text, number);
        Some(number)
    }

    pub fn find(&self, text: &str) -> Option<u32> {
        self.texts.get(text).copied()
    }

    pub fn text(&self, number: u32) -> &str {
        &self.by_number[number as usize]
    }

    /// The fields' values of each distinct text.
    pub fn all_fields(&self) -> impl Iterator<Item = &[Option<u32>]> {
        self.fields.iter().map(AsRef::as_ref)
    }

    /// Whether the store has a value of a field of which this is true.
    pub fn any_value(&self, field: usize, is: impl Fn(&str) -> bool) -> bool {
        self.seen.get(field).is_some_and(|seen| seen.keys().any(|value| is(value)))
    }

    /// The number of a field's value; `None` where the store never had it.
    pub fn value(&self, field: usize, value: &str) -> Option<u32> {
        self.seen.get(field)?.get(value).copied()
    }
}

impl Past {
    /// Reads all rows of a store but their outcomes. Takes some two hundred bytes per run.
    ///
    /// # Errors
    /// As [`Store::scan`].
    pub fn read(store: &Store) -> Result<Past, SweepError> {
        let mut past = Past::default();
        past.runs.reserve_exact(store.segments().iter().map(|segment| segment.rows).sum());
        store.scan_heads(&mut |segment, run| past.add(segment, run))?;
        Ok(past)
    }

    /// Takes one row in.
    pub fn add(&mut self, segment: &SegmentInfo, run: StoredHead<'_>) {
        if self.segments.last().is_none_or(|last| last.name != segment.name) {
            self.segments.push(Segment {
                name: segment.name.clone(),
                build: segment.build.clone(),
                families: Arc::clone(&segment.families),
            });
        }
        let Some((case, replication, seed)) = self.case_of(run.spec) else {
            self.unreadable += 1;
            return;
        };
        let number = self.runs.len() as u32;
        let earlier = self.cases.insert(case, number);
        let message = run.failure.map(|message| self.messages.number(&message.into()));
        self.runs.push(PastRun {
            case,
            key: run.key,
            seed,
            replication,
            content: self.contents.number(&run.content),
            model: self.models.number(&run.model),
            segment: self.segments.len() as u32 - 1,
            message,
            earlier,
        });
    }

    fn case_of(&mut self, spec: &str) -> Option<(CaseId, u32, u64)> {
        let split = split(spec);
        if let Some((text, replication, seed)) = split
            && let Some(case) = self.texts.get(text)
        {
            return Some((*case, replication, seed));
        }
        let spec = SpecParts::of_text(spec)?;
        let mut case = CaseId::default();
        for (part, text) in spec.parts.iter().enumerate() {
            case[part] = self.parts[part].number(part, text)?;
        }
        if let Some((text, ..)) = split {
            if self.texts.len() >= TEXTS {
                self.texts.clear();
            }
            self.texts.insert(text.into(), case);
        }
        Some((case, spec.replication, spec.seed))
    }

    /// The runs of a case, the latest first.
    pub(super) fn runs_of(&self, case: &CaseId) -> impl Iterator<Item = &PastRun> {
        let run = |number: u32| &self.runs[number as usize];
        let first = self.cases.get(case).map(|number| run(*number));
        std::iter::successors(first, move |last| last.earlier.map(run))
    }

    pub(super) fn message(&self, run: &PastRun) -> Option<&str> {
        run.message.map(|number| &**self.messages.get(number))
    }

    pub(super) fn segment(&self, run: &PastRun) -> &Segment {
        &self.segments[run.segment as usize]
    }

    /// Stored runs.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}

impl Default for Past {
    fn default() -> Self {
        let part =
            |part| PartValues { seen: vec![HashMap::new(); fields_of(part).count()], ..Default::default() };
        Past {
            parts: (0..PARTS.len()).map(part).collect(),
            runs: Vec::new(),
            cases: HashMap::new(),
            segments: Vec::new(),
            contents: Numbered::default(),
            models: Numbered::default(),
            messages: Numbered::default(),
            texts: HashMap::new(),
            unreadable: 0,
        }
    }
}

/// Finds the parts of cases in a store. Neighbours in a grid have most of them in common.
#[derive(Debug, Default)]
pub(super) struct Finder {
    last: Option<(Case, [Option<u32>; PARTS.len()])>,
}

impl Finder {
    /// The numbers of a case's parts; `None` for those that the store never had.
    pub fn find(&mut self, past: &Past, case: &Case) -> Result<[Option<u32>; PARTS.len()], SweepError> {
        let mut found = [None; PARTS.len()];
        for (part, number) in found.iter_mut().enumerate() {
            *number = match &self.last {
                Some((last, numbers)) if same_part(last, case, part) => numbers[part],
                _ => {
                    let text = part_text(case, part).map_err(|source| SweepError::Canonical { source })?;
                    past.parts[part].find(&text)
                }
            };
        }
        self.last = Some((case.clone(), found));
        Ok(found)
    }
}
