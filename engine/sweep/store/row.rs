//! One answered run, and the bytes that stand for it in checksums.

use crate::RunKey;
use crate::error::SweepError;
use crate::executor::cost_class;
use crate::run_key::{ContentHash, Task, spec_text};
use sim::Outcome;

/// A run as the store keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredRun {
    /// Its key.
    pub key: RunKey,
    /// Canonical JSON of its specification, so that later tools can explain it.
    pub spec: String,
    /// Content hash of its log; none for generated workloads.
    pub content: Option<ContentHash>,
    /// Fingerprint of the model that ran it.
    pub model: [u8; 32],
    /// Runs of one class cost about the same per job: hash of source, policy and allocator.
    pub cost_class: u64,
    /// What came out, or why nothing did.
    pub result: Result<Outcome, String>,
    /// Wall-clock seconds it took; no part of the result.
    pub wall_s: f64,
}

impl StoredRun {
    /// The row of a finished task.
    ///
    /// # Errors
    /// Where the specification has no canonical text.
    pub fn new(task: &Task, result: Result<Outcome, String>, wall_s: f64) -> Result<StoredRun, SweepError> {
        Ok(StoredRun {
            key: task.key,
            spec: spec_text(&task.spec, task.content)?,
            content: task.content,
            model: task.model.0,
            cost_class: cost_class(&task.spec.case)?,
            result,
            wall_s,
        })
    }

    /// Hash of what came out, without the wall time: equal for every correct run under one key.
    pub fn payload(&self) -> [u8; 16] {
        let mut hasher = blake3::Hasher::new();
        self.feed_result(&mut hasher);
        let mut short = [0; 16];
        short.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        short
    }

    /// Feeds the whole row to a checksum. Lengths come first, so that no two rows share a form.
    pub(super) fn feed(&self, hasher: &mut blake3::Hasher) {
        hasher.update(&self.key.0);
        feed_text(hasher, &self.spec);
        hasher.update(&[u8::from(self.content.is_some())]).update(&self.content.unwrap_or_default());
        hasher
            .update(&self.model)
            .update(&self.cost_class.to_le_bytes())
            .update(&self.wall_s.to_bits().to_le_bytes());
        self.feed_result(hasher);
    }

    fn feed_result(&self, hasher: &mut blake3::Hasher) {
        match &self.result {
            Err(message) => {
                hasher.update(&[0]);
                feed_text(hasher, message);
            }
            Ok(outcome) => {
                hasher.update(&[1]);
                feed_values(hasher, &outcome.metrics.0);
                hasher.update(&(outcome.groups.len() as u64).to_le_bytes());
                for group in &outcome.groups {
                    feed_text(hasher, &group.grouping);
                    feed_text(hasher, &group.group);
                    feed_values(hasher, &group.values);
                }
            }
        }
    }
}

/// Feeds a text with its length.
pub(super) fn feed_text(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
}

fn feed_values(hasher: &mut blake3::Hasher, values: &[Option<f64>]) {
    hasher.update(&(values.len() as u64).to_le_bytes());
    for value in values {
        hasher.update(&[u8::from(value.is_some())]).update(&value.unwrap_or(0.0).to_bits().to_le_bytes());
    }
}
