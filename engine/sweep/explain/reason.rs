//! Why the store does not answer a run.

use super::parts::{PARTS, WORKLOAD, fields_of, is_inside, part_text, values};
use super::past::{CaseId, Finder, Past, PastRun};
use crate::error::SweepError;
use crate::fingerprint::{self, Fingerprint};
use crate::{Case, Task};
use std::collections::BTreeMap;

/// Why the store does not answer a run, the closest first: of several that hold, the earliest here is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It was run, and failed.
    Failed {
        /// What it said.
        message: String,
    },
    /// The same case was run on the same jobs by another model.
    ModelChanged {
        /// What changed.
        change: ModelChange,
    },
    /// The same case was run on a log of another content, or on another file.
    WorkloadChanged {
        /// The log or file.
        source: String,
    },
    /// Everything is as it was, but keys were made in another way.
    KeyChanged,
    /// The same case was run with other replications or seeds only.
    NewReplication {
        /// The replication was run, with another seed.
        seed_only: bool,
    },
    /// Fields have values that no stored run has.
    NewValue {
        /// Their names and values.
        values: Vec<(&'static str, String)>,
    },
    /// Every value was run, but not in this combination.
    NeverRun,
}

/// What of the model changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChange {
    /// These families.
    Families(Vec<String>),
    /// The store does not say which families the run was made by.
    Unrecorded,
    /// All families are as they were; the way in which fingerprints are made is not.
    Fingerprint,
}

impl Reason {
    /// One word for programs.
    pub const fn word(&self) -> &'static str {
        match self {
            Reason::Failed { .. } => "failed",
            Reason::ModelChanged { .. } => "model_changed",
            Reason::WorkloadChanged { .. } => "workload_changed",
            Reason::KeyChanged => "key_changed",
            Reason::NewReplication { .. } => "new_replication",
            Reason::NewValue { .. } => "new_value",
            Reason::NeverRun => "never_run",
        }
    }

    /// A few words for people.
    pub const fn title(&self) -> &'static str {
        match self {
            Reason::Failed { .. } => "failed before",
            Reason::ModelChanged { .. } => "model code changed",
            Reason::WorkloadChanged { .. } => "workload changed",
            Reason::KeyChanged => "keys made differently",
            Reason::NewReplication { .. } => "replication or seed new",
            Reason::NewValue { .. } => "axis value new",
            Reason::NeverRun => "never run",
        }
    }

    /// What exactly, for counting: one text per value, family or message.
    pub fn details(&self) -> Vec<String> {
        match self {
            Reason::Failed { message } => vec![message.clone()],
            Reason::ModelChanged { change: ModelChange::Families(names) } => names.clone(),
            Reason::ModelChanged { change: ModelChange::Unrecorded } => {
                vec!["families were not recorded".to_owned()]
            }
            Reason::ModelChanged { change: ModelChange::Fingerprint } => {
                vec!["another kind of fingerprint".to_owned()]
            }
            Reason::WorkloadChanged { source } => vec![source.clone()],
            Reason::NewReplication { seed_only: true } => vec!["another seed".to_owned()],
            Reason::NewReplication { seed_only: false } => vec!["another replication".to_owned()],
            Reason::NewValue { values } => {
                values.iter().map(|(field, value)| format!("{field} = {value}")).collect()
            }
            Reason::KeyChanged | Reason::NeverRun => Vec::new(),
        }
    }
}

/// Finds reasons. The model of today is that of the program.
#[derive(Debug)]
pub struct Explainer<'p> {
    past: &'p Past,
    finder: Finder,
    families: BTreeMap<String, String>,
}

impl<'p> Explainer<'p> {
    /// Compares with what a store holds.
    pub fn new(past: &'p Past) -> Explainer<'p> {
        let families = fingerprint::families().map(|(name, hash)| (name.to_owned(), hash.to_string()));
        Explainer { past, finder: Finder::default(), families: families.collect() }
    }

    /// Why the store has no outcome for a run.
    ///
    /// # Errors
    /// Where the run has no canonical text.
    pub fn reason(&mut self, task: &Task) -> Result<Reason, SweepError> {
        // Of an empty store every value is new, which would explain nothing.
        if self.past.is_empty() {
            return Ok(Reason::NeverRun);
        }
        let numbers = self.finder.find(self.past, &task.spec.case)?;
        let Some(case) = whole(&numbers) else {
            let values = self.new_values(&task.spec.case, &numbers)?;
            return Ok(if values.is_empty() { Reason::NeverRun } else { Reason::NewValue { values } });
        };
        let same = |run: &&PastRun| run.replication == task.spec.replication && run.seed == task.spec.seed;
        let runs: Vec<&PastRun> = self.past.runs_of(&case).filter(same).collect();
        let failed = runs.iter().find(|run| run.key == task.key).and_then(|run| self.past.message(run));
        if let Some(message) = failed {
            return Ok(Reason::Failed { message: message.to_owned() });
        }
        let same_jobs = || runs.iter().filter(|run| *self.past.contents.get(run.content) == task.content);
        if same_jobs().any(|run| *self.past.models.get(run.model) == task.model.0) {
            return Ok(Reason::KeyChanged);
        }
        let latest = same_jobs().find(|run| self.past.message(run).is_none()).or_else(|| same_jobs().next());
        if let Some(run) = latest {
            let then = &self.past.segment(run).families;
            return Ok(Reason::ModelChanged { change: self.change(&task.spec.case, then) });
        }
        if !runs.is_empty() {
            return Ok(Reason::WorkloadChanged { source: task.spec.case.workload.source.to_string() });
        }
        let mut others = self.past.runs_of(&case).peekable();
        if others.peek().is_none() {
            return Ok(Reason::NeverRun);
        }
        let seed_only = others.any(|run| run.replication == task.spec.replication);
        Ok(Reason::NewReplication { seed_only })
    }

    /// Which of a case's families are not what they were.
    pub(super) fn change(&self, case: &Case, then: &BTreeMap<String, String>) -> ModelChange {
        if then.is_empty() {
            return ModelChange::Unrecorded;
        }
        let used = Fingerprint::families_of(case);
        let changed = used.into_iter().filter(|family| self.families.get(*family) != then.get(*family));
        let changed: Vec<String> = changed.map(str::to_owned).collect();
        if changed.is_empty() { ModelChange::Fingerprint } else { ModelChange::Families(changed) }
    }

    pub(super) fn past(&self) -> &'p Past {
        self.past
    }

    pub(super) fn find(&mut self, case: &Case) -> Result<[Option<u32>; PARTS.len()], SweepError> {
        self.finder.find(self.past, case)
    }

    /// The hash of a family today, in hexadecimal.
    pub(super) fn family(&self, name: &str) -> Option<&str> {
        self.families.get(name).map(String::as_str)
    }

    /// Fields with values that the store never had; an object's parts in place of the object, where one of them is new.
    fn new_values(
        &self,
        case: &Case,
        numbers: &[Option<u32>; PARTS.len()],
    ) -> Result<Vec<(&'static str, String)>, SweepError> {
        let mut found = Vec::new();
        for part in (0..PARTS.len()).filter(|part| numbers[*part].is_none()) {
            let text = part_text(case, part).map_err(|source| SweepError::Canonical { source })?;
            let values = values(part, &text).unwrap_or_default();
            let known = &self.past.parts[part];
            let is_new = |at: usize, value: &str| known.value(at, value).is_none();
            let new = fields_of(part).zip(values).enumerate();
            let new = new
                .filter_map(|(at, (field, value))| Some((field, value.filter(|value| is_new(at, value))?)));
            let (mut inside, outside): (Vec<_>, Vec<_>) = new.partition(|(field, _)| is_inside(field, part));
            // An object that is new as a whole, or new only because of one of its parts.
            let head = |value: &str| value.split('(').next().unwrap_or_default().to_owned();
            let known_kind =
                outside.iter().all(|(_, value)| known.any_value(0, |seen| head(seen) == head(value)));
            if part == WORKLOAD || inside.is_empty() || !known_kind {
                inside = outside;
            }
            found.extend(inside.into_iter().map(|(field, value)| (field.name, value)));
        }
        Ok(found)
    }
}

/// The numbers of a case all of whose parts the store has.
pub(super) fn whole(numbers: &[Option<u32>; PARTS.len()]) -> Option<CaseId> {
    let mut case = CaseId::default();
    for (to, number) in case.iter_mut().zip(numbers) {
        *to = (*number)?;
    }
    Some(case)
}
