//! Run keys: what makes two runs the same run.
//!
//! A key is made in three steps, so that neighbours in a grid share most of the work; every hash is blake3.
//!
//! 1. The *frame* of a case hashes the line `backsweep run v2`, the model fingerprint, a byte that says whether there is a log with
//!    the blake3 of its uncompressed bytes (or zeros), and the hash of each *part*. The parts are the fields of the case, with
//!    `workload.memory`, `workload.rules` and `workload.source` in place of `workload`; a part's hash is that of `"name":value` in canonical JSON, in
//!    the order of the names. A part that is left out because it is at its default has none.
//! 2. The case hashes its frame and the canonical JSON of the rest of the workload.
//! 3. The key hashes the case, the replication (u32) and the seed (u64), little-endian.
//!
//! Nothing else enters: no path, host, time or thread count. A change to any of this is a new version line.

use crate::error::SweepError;
use crate::{Fingerprint, RunSpec, canonical};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;
use std::str::FromStr;
use workload::Source;

pub(crate) const VERSION: &[u8] = b"backsweep run v2\n";

/// The fields of a workload that are parts of their own; the others change from point to point in most grids.
pub(crate) const PARTS_OF_WORKLOAD: [&str; 3] = ["memory", "rules", "source"];

/// The identity of a run: equal keys, equal results.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunKey(pub [u8; 32]);

impl RunKey {
    /// The key of a run whose specification is kept as text ([`spec_text`]), whatever build wrote it: equal to what a
    /// [`KeyMaker`](crate::KeyMaker) gives that run under the same content and model.
    ///
    /// # Errors
    /// A text that is no run specification.
    pub fn of_stored(
        spec: &str,
        content: Option<ContentHash>,
        model: Fingerprint,
    ) -> Result<RunKey, SweepError> {
        let stored: Stored = serde_json::from_str(spec)
            .map_err(|source| SweepError::SpecText { text: spec.to_owned(), source })?;
        Ok(CaseKey::of_fields(stored.case, content, model).run(stored.replication, stored.seed))
    }
}

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
    pub(crate) case: [u8; 32],
    /// Content hash of the case's log; none for generated workloads.
    pub content: Option<ContentHash>,
    /// Fingerprint of the model that runs the case.
    pub model: Fingerprint,
}

impl CaseKey {
    /// The key of one replication.
    pub fn run(&self, replication: u32, seed: u64) -> RunKey {
        let mut bytes = [0; 44];
        bytes[..32].copy_from_slice(&self.case);
        bytes[32..36].copy_from_slice(&replication.to_le_bytes());
        bytes[36..].copy_from_slice(&seed.to_le_bytes());
        RunKey(*blake3::hash(&bytes).as_bytes())
    }

    /// From a frame and the canonical text of the rest of the workload.
    pub(crate) fn of_frame(
        frame: &[u8; 32],
        rest: &str,
        content: Option<ContentHash>,
        model: Fingerprint,
    ) -> CaseKey {
        let mut hasher = blake3::Hasher::new();
        hasher.update(frame).update(rest.as_bytes());
        CaseKey { case: *hasher.finalize().as_bytes(), content, model }
    }

    /// From the fields of a case; in any order, as a map sorts them.
    fn of_fields(mut case: Map<String, Value>, content: Option<ContentHash>, model: Fingerprint) -> CaseKey {
        let mut rest = match case.remove("workload") {
            Some(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        let jobs = PARTS_OF_WORKLOAD.iter().filter_map(|name| Some((*name, rest.remove(*name)?)));
        let jobs: Vec<_> = jobs.map(|(name, value)| (format!("workload.{name}"), value)).collect();
        let mut parts: Vec<(String, Value)> = case.into_iter().chain(jobs).collect();
        parts.sort_by(|a, b| a.0.cmp(&b.0));
        let hashes: Vec<_> =
            parts.iter().map(|(name, value)| part_hash(name, &canonical::text_of(value))).collect();
        let rest = canonical::text_of(&Value::Object(rest));
        CaseKey::of_frame(&frame(&hashes, content, model), &rest, content, model)
    }
}

/// The hash of a part with its name.
pub(crate) fn part_hash(name: &str, text: &str) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"\"").update(name.as_bytes()).update(b"\":").update(text.as_bytes());
    *hasher.finalize().as_bytes()
}

/// The frame of a case from the hashes of its parts in the order of their names.
pub(crate) fn frame(parts: &[[u8; 32]], content: Option<ContentHash>, model: Fingerprint) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(VERSION).update(&model.0);
    hasher.update(&[u8::from(content.is_some())]).update(&content.unwrap_or_default());
    for part in parts {
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

/// A run specification as the store keeps it; of any build.
#[derive(Deserialize)]
struct Stored {
    case: Map<String, Value>,
    replication: u32,
    seed: u64,
}

/// The canonical text of a run: its case, replication and seed. A file's path is replaced by the hash of what is in it, because
/// only that decides the result.
///
/// # Errors
/// Where the specification has no JSON form.
pub fn spec_text(spec: &RunSpec, content: Option<ContentHash>) -> Result<String, SweepError> {
    let canonical = |spec: &RunSpec| canonical::text(spec).map_err(|source| SweepError::Canonical { source });
    let source = by_content(&spec.case.workload.source, content);
    if source == spec.case.workload.source {
        return canonical(spec);
    }
    let mut named = spec.clone();
    named.case_mut().workload.source = source;
    canonical(&named)
}

/// A source as keys see it: a file by its content.
pub(crate) fn by_content(source: &Source, content: Option<ContentHash>) -> Source {
    match (source, content) {
        (Source::File { .. }, Some(content)) => {
            Source::File { path: format!("blake3:{}", blake3::Hash::from_bytes(content).to_hex()) }
        }
        _ => source.clone(),
    }
}

#[cfg(test)]
#[path = "run_key_tests.rs"]
mod tests;
