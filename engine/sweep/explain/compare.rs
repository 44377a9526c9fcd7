//! A run beside the stored run that is nearest to it, key part by key part.

use super::parts::{PARTS, fields_of, is_inside, part_text, stored_spec, values};
use super::past::{Past, PastRun};
use super::reason::{Explainer, whole};
use crate::error::SweepError;
use crate::field_table::FIELDS;
use crate::store::Store;
use crate::{Case, Fingerprint, RunKey, Task};
use serde::Serialize;
use std::collections::BTreeMap;

/// A run beside the nearest stored one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Key of the stored run.
    pub key: RunKey,
    /// The segment that holds it.
    pub segment: String,
    /// The version of the program that carried it out.
    pub build: String,
    /// Its message, where it failed.
    pub message: Option<String>,
    /// Fields of the case that differ.
    pub fields: Vec<Pair>,
    /// Fields of the case that do not.
    pub same_fields: usize,
    /// Replication, seed, content hash, fingerprint and the families that it is made of, in this order.
    pub rest: Vec<Pair>,
}

/// A key part now and then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// What.
    pub name: String,
    /// Of the run in question; none where it has no such part.
    pub now: Option<String>,
    /// Of the stored run; none where it has no such part, or it was not recorded.
    pub then: Option<String>,
}

impl Pair {
    fn new(name: &str, now: Option<String>, then: Option<String>) -> Pair {
        Pair { name: name.to_owned(), now, then }
    }

    /// Whether both are the same.
    pub fn same(&self) -> bool {
        self.now == self.then
    }
}

/// The fields of one part: where the run's value stands in the store's numbering.
struct Asked {
    part: usize,
    text: String,
    values: Vec<Option<String>>,
    numbers: Vec<Option<u32>>,
}

impl Asked {
    fn of(past: &Past, case: &Case, part: usize) -> Result<Asked, SweepError> {
        let text = part_text(case, part).map_err(|source| SweepError::Canonical { source })?;
        let values = values(part, &text).unwrap_or_default();
        // A value that the store never had gets a number that it never gives.
        let number = |(at, value): (usize, &Option<String>)| {
            value.as_ref().map(|value| past.parts[part].value(at, value).unwrap_or(u32::MAX))
        };
        let numbers = values.iter().enumerate().map(number).collect();
        Ok(Asked { part, text, values, numbers })
    }

    /// How many fields differ, for each of the store's texts of the part.
    fn distances(&self, past: &Past) -> Vec<u32> {
        let outside: Vec<bool> = fields_of(self.part).map(|field| !is_inside(field, self.part)).collect();
        let known = &past.parts[self.part];
        let distance = |(number, theirs): (usize, &[Option<u32>])| {
            let pairs = theirs.iter().zip(&self.numbers).zip(&outside);
            let fields = pairs.filter(|((a, b), outside)| **outside && a != b).count() as u32;
            fields.max(u32::from(known.text(number as u32) != self.text))
        };
        known.all_fields().enumerate().map(distance).collect()
    }

    /// The fields that differ from a stored text, and the number of those that do not.
    fn pairs(&self, theirs: &str) -> (Vec<Pair>, usize) {
        let values = values(self.part, theirs).unwrap_or_default();
        let outside = fields_of(self.part).zip(&self.values).zip(values);
        let outside = outside.filter(|((field, _), _)| !is_inside(field, self.part));
        let pairs: Vec<Pair> =
            outside.map(|((field, now), then)| Pair::new(field.name, now.clone(), then)).collect();
        let all = pairs.len();
        let mut differing: Vec<Pair> = pairs.into_iter().filter(|pair| !pair.same()).collect();
        let same = all - differing.len();
        if differing.is_empty() && theirs != self.text {
            // A part of which no field tells all.
            let (now, then) = (Some(self.text.clone()), Some(theirs.to_owned()));
            differing.push(Pair::new(PARTS[self.part], now, then));
        }
        (differing, same)
    }
}

impl Explainer<'_> {
    /// The stored run that is nearest to a run, held beside it; `None` where the store is empty. A run of the same case is nearer
    /// than any other: of these one of the same seed and replication, then the nearest replication. Else the fewest fields
    /// differ. Ties: the one stored last.
    ///
    /// # Errors
    /// Where the run has no canonical text.
    pub fn nearest(&mut self, task: &Task) -> Result<Option<Comparison>, SweepError> {
        let past = self.past();
        let numbers = self.find(&task.spec.case)?;
        let asked: Vec<Asked> =
            (0..PARTS.len()).map(|part| Asked::of(past, &task.spec.case, part)).collect::<Result<_, _>>()?;
        let near = |run: &&PastRun| {
            let content = *past.contents.get(run.content) != task.content;
            let seed = run.seed != task.spec.seed;
            (run.key != task.key, seed, run.replication.abs_diff(task.spec.replication), content)
        };
        let of_case = whole(&numbers).and_then(|case| past.runs_of(&case).min_by_key(near));
        let run = of_case.or_else(|| {
            let distances: Vec<Vec<u32>> = asked.iter().map(|part| part.distances(past)).collect();
            let distance = |run: &PastRun| -> u32 {
                run.case.iter().zip(&distances).map(|(number, part)| part[*number as usize]).sum()
            };
            past.runs.iter().rev().min_by_key(|run| (distance(run), near(run)))
        });
        Ok(run.map(|run| self.compare(task, run, &asked)))
    }

    fn compare(&self, task: &Task, run: &PastRun, asked: &[Asked]) -> Comparison {
        let past = self.past();
        let (mut fields, mut same_fields) = (Vec::new(), 0);
        for part in asked {
            let (differing, same) = part.pairs(past.parts[part.part].text(run.case[part.part]));
            fields.extend(differing);
            same_fields += same;
        }
        let hex = |hash: &[u8; 32]| blake3::Hash::from_bytes(*hash).to_hex().to_string();
        let content = |hash: &Option<[u8; 32]>| hash.as_ref().map(hex);
        let segment = past.segment(run);
        let mut rest = vec![
            Pair::new(
                "replication",
                Some(task.spec.replication.to_string()),
                Some(run.replication.to_string()),
            ),
            Pair::new("seed", Some(task.spec.seed.to_string()), Some(run.seed.to_string())),
            Pair::new("content", content(&task.content), content(past.contents.get(run.content))),
            Pair::new("model", Some(task.model.to_string()), Some(hex(past.models.get(run.model)))),
        ];
        for family in Fingerprint::families_of(&task.spec.case) {
            let now = self.family(family).map(str::to_owned);
            rest.push(Pair::new(family, now, segment.families.get(family).cloned()));
        }
        Comparison {
            key: run.key,
            segment: segment.name.clone(),
            build: segment.build.clone(),
            message: past.message(run).map(str::to_owned),
            fields,
            same_fields,
            rest,
        }
    }
}

/// A stored run, described by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Description {
    /// Where it is, and its key parts beside those that the same run has today.
    #[serde(flatten)]
    pub stored: Comparison,
    /// The key of the same run today.
    pub key_today: RunKey,
    /// All fields of its case, by name.
    pub case: Vec<(&'static str, String)>,
}

impl Explainer<'_> {
    /// The stored runs whose keys begin with these hexadecimal digits, in the order of their keys; at most `limit` of them, and
    /// how many there are.
    ///
    /// # Errors
    /// Where a run has no canonical text.
    pub fn stored(
        &mut self,
        store: &Store,
        digits: &str,
        limit: usize,
    ) -> Result<(Vec<Description>, usize), SweepError> {
        let begins = |run: &&PastRun| run.key.to_string().starts_with(digits);
        let found: BTreeMap<RunKey, &PastRun> =
            self.past().runs.iter().filter(begins).map(|run| (run.key, run)).collect();
        let keys: Vec<RunKey> = found.keys().take(limit).copied().collect();
        let mut described = Vec::new();
        for (stored, key) in store.fetch(&keys)?.into_iter().zip(&keys) {
            let Some(stored) = stored else { continue };
            let spec = stored_spec(&stored.spec)
                .map_err(|source| SweepError::SpecText { text: stored.spec.clone(), source })?;
            let model = Fingerprint::of(&spec.case);
            let key_today = RunKey::of_stored(&stored.spec, stored.content, model)?;
            let task = Task { spec, key: key_today, content: stored.content, model };
            let case =
                FIELDS.iter().filter_map(|field| Some((field.name, (field.access.get)(&task.spec.case)?)));
            let case = case.collect();
            let comparison = self.compare(&task, found[key], &[]);
            described.push(Description { stored: comparison, key_today, case });
        }
        Ok((described, found.len()))
    }
}
