//! Run keys: what makes two runs the same run.
//!
//! The key is the blake3 hash of the version line `backsweep run v1`, the hash of the case's canonical text, the replication,
//! the seed, the content hash of the workload's log (where there is one) and the model fingerprint. Nothing else enters it: no path,
//! host, time or thread count. A change to any of this is a new version line.

use crate::error::SweepError;
use crate::{Case, Fingerprint, RunSpec, canonical};
use serde::{Serialize, Serializer};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use workload::{Mode, Source, TraceDir, WorkloadSpec};

const VERSION: &[u8] = b"backsweep run v1\n";

/// The identity of a run: equal keys, equal results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunKey(pub [u8; 32]);

impl fmt::Display for RunKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

impl fmt::Debug for RunKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RunKey({self})")
    }
}

impl FromStr for RunKey {
    type Err = SweepError;
    fn from_str(text: &str) -> Result<RunKey, SweepError> {
        let hash = blake3::Hash::from_hex(text).map_err(|_| SweepError::KeyText { text: text.to_owned() })?;
        Ok(RunKey(*hash.as_bytes()))
    }
}

impl Serialize for RunKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The blake3 hash of a log's uncompressed bytes.
pub type ContentHash = [u8; 32];

/// A run with its key and what the key was made of: the unit of planning and of execution.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// What is run.
    pub spec: RunSpec,
    /// Its key.
    pub key: RunKey,
    /// Content hash of its log; none for generated workloads.
    pub content: Option<ContentHash>,
    /// Fingerprint of the model that runs it.
    pub model: Fingerprint,
}

/// A case prepared for keys: everything but replication and seed is hashed already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseKey {
    case: [u8; 32],
    /// Content hash of the case's log; none for generated workloads.
    pub content: Option<ContentHash>,
    /// Fingerprint of the model that runs the case.
    pub model: Fingerprint,
}

impl CaseKey {
    /// The key of one replication.
    pub fn run(&self, replication: u32, seed: u64) -> RunKey {
        let mut hasher = blake3::Hasher::new();
        hasher
            .update(VERSION)
            .update(&self.case)
            .update(&replication.to_le_bytes())
            .update(&seed.to_le_bytes());
        hasher.update(&[u8::from(self.content.is_some())]).update(&self.content.unwrap_or_default());
        hasher.update(&self.model.0);
        RunKey(*hasher.finalize().as_bytes())
    }
}

/// Finds the content hash of a source's log: `None` for generated workloads.
pub type ContentOf<'a> = dyn FnMut(&Source) -> Result<Option<ContentHash>, SweepError> + 'a;

/// Makes run keys, and remembers what consecutive cases of a grid have in common, so that a million keys take seconds.
pub struct KeyMaker<'a> {
    content_of: Box<ContentOf<'a>>,
    contents: HashMap<String, Option<ContentHash>>,
    /// The last case: replications of one follow each other.
    last: Option<(Case, CaseKey)>,
    machine: Recent<sim::MachineSpec>,
    workload: Recent<WorkloadSpec>,
    policy: Recent<sim::PolicySpec>,
    allocator: Recent<sim::AllocatorSpec>,
    passes: Recent<sim::Passes>,
    estimates: Recent<sim::EstimateSource>,
    measure: Recent<sim::MeasureSpec>,
}

impl<'a> KeyMaker<'a> {
    /// A key maker that asks `content_of` once per log.
    pub fn new(
        content_of: impl FnMut(&Source) -> Result<Option<ContentHash>, SweepError> + 'a,
    ) -> KeyMaker<'a> {
        KeyMaker {
            content_of: Box::new(content_of),
            contents: HashMap::new(),
            last: None,
            machine: Recent::default(),
            workload: Recent::default(),
            policy: Recent::default(),
            allocator: Recent::default(),
            passes: Recent::default(),
            estimates: Recent::default(),
            measure: Recent::default(),
        }
    }

    /// A key maker that finds logs in `traces`.
    pub fn with_traces(traces: &'a TraceDir) -> KeyMaker<'a> {
        KeyMaker::new(|source| Ok(workload::content_hash(source, traces)?))
    }

    /// The part of the key that all replications of a case share.
    ///
    /// # Errors
    /// Where the case's log cannot be read.
    pub fn case(&mut self, case: &Case) -> Result<CaseKey, SweepError> {
        if let Some((last, key)) = &self.last
            && last == case
        {
            return Ok(*key);
        }
        let content = self.content(&case.workload.source)?;
        let hash = blake3::hash(self.text(case, content)?.as_bytes());
        let key = CaseKey { case: *hash.as_bytes(), content, model: Fingerprint::of(case) };
        self.last = Some((case.clone(), key));
        Ok(key)
    }

    /// A run with its key.
    ///
    /// # Errors
    /// Where the case's log cannot be read.
    pub fn task(&mut self, spec: RunSpec) -> Result<Task, SweepError> {
        let case = self.case(&spec.case)?;
        Ok(Task {
            key: case.run(spec.replication, spec.seed),
            content: case.content,
            model: case.model,
            spec,
        })
    }

    /// The canonical text of a case, put together from the texts of its fields.
    fn text(&mut self, case: &Case, content: Option<ContentHash>) -> Result<String, SweepError> {
        // Named one by one, so that a new field cannot be forgotten.
        let Case { machine, workload, policy, allocator, passes, estimates, measure } = case;
        let parts = [
            ("{\"allocator\":", self.allocator.text(allocator, canonical::text)?),
            (",\"estimates\":", self.estimates.text(estimates, canonical::text)?),
            (",\"machine\":", self.machine.text(machine, canonical::text)?),
            (",\"measure\":", self.measure.text(measure, canonical::text)?),
            (",\"passes\":", self.passes.text(passes, canonical::text)?),
            (",\"policy\":", self.policy.text(policy, canonical::text)?),
            (",\"workload\":", self.workload.text(workload, |workload| workload_text(workload, content))?),
        ];
        let mut text = String::with_capacity(
            16 + parts.iter().map(|(name, part)| name.len() + part.len()).sum::<usize>(),
        );
        for (name, part) in parts {
            text.push_str(name);
            text.push_str(part);
        }
        text.push('}');
        Ok(text)
    }

    fn content(&mut self, source: &Source) -> Result<Option<ContentHash>, SweepError> {
        let name = match source {
            Source::Log { name, mode: Mode::Trace } => format!("log {name}"),
            Source::File { path } => format!("file {path}"),
            Source::Log { mode: Mode::Twin, .. } | Source::LublinFeitelson { .. } => return Ok(None),
        };
        if let Some(known) = self.contents.get(&name) {
            return Ok(*known);
        }
        let content = (self.content_of)(source)?;
        self.contents.insert(name, content);
        Ok(content)
    }
}

/// The canonical text of a run: the text of the case with the replication and the seed. A file's path is replaced by the hash
/// of what is in it, because only that decides the result.
///
/// # Errors
/// Where the specification has no JSON form.
pub fn spec_text(spec: &RunSpec, content: Option<ContentHash>) -> Result<String, SweepError> {
    let case = KeyMaker::new(|_| Ok(None)).text(&spec.case, content)?;
    Ok(format!("{{\"case\":{case},\"replication\":{},\"seed\":{}}}", spec.replication, spec.seed))
}

fn workload_text(workload: &WorkloadSpec, content: Option<ContentHash>) -> Result<String, serde_json::Error> {
    match (&workload.source, content) {
        (Source::File { .. }, Some(content)) => {
            let path = format!("blake3:{}", blake3::Hash::from_bytes(content).to_hex());
            canonical::text(&WorkloadSpec { source: Source::File { path }, ..workload.clone() })
        }
        _ => canonical::text(workload),
    }
}

/// The canonical texts of the last few values of one field.
struct Recent<T>(Vec<(T, String)>);

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Recent(Vec::new())
    }
}

/// How many values of a field are remembered: more than most axes have, few enough to search one by one.
const REMEMBERED: usize = 32;

impl<T: Clone + PartialEq> Recent<T> {
    fn text(
        &mut self,
        value: &T,
        make: impl FnOnce(&T) -> Result<String, serde_json::Error>,
    ) -> Result<&str, SweepError> {
        let at = match self.0.iter().position(|(known, _)| known == value) {
            Some(at) => at,
            None => {
                let text = make(value).map_err(|source| SweepError::Canonical { source })?;
                if self.0.len() >= REMEMBERED {
                    self.0.remove(0);
                }
                self.0.push((value.clone(), text));
                self.0.len() - 1
            }
        };
        Ok(&self.0[at].1)
    }
}

#[cfg(test)]
#[path = "run_key_tests.rs"]
mod tests;
