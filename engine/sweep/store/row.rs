//! One answered run, and the bytes that stand for it in checksums.

use super::Status;
use super::segment::Origin;
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
        let mut bytes = Vec::new();
        self.write_result(&mut bytes);
        let mut short = [0; 16];
        short.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..16]);
        short
    }

    /// How it ended.
    pub fn status(&self) -> Status {
        if self.result.is_ok() { Status::Ok } else { Status::Failed }
    }

    /// A metric by its position among the written ones.
    pub(super) fn metric(&self, at: Option<usize>) -> Option<f64> {
        *self.result.as_ref().ok()?.metrics.0.get(at?)?
    }

    /// The whole row in the form that checksums see. Lengths come first, so that no two rows share a form.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.key.0);
        write_text(&self.spec, out);
        out.push(u8::from(self.content.is_some()));
        out.extend_from_slice(&self.content.unwrap_or_default());
        out.extend_from_slice(&self.model);
        out.extend_from_slice(&self.cost_class.to_le_bytes());
        out.extend_from_slice(&self.wall_s.to_bits().to_le_bytes());
        self.write_result(out);
    }

    fn write_result(&self, out: &mut Vec<u8>) {
        match &self.result {
            Err(message) => {
                out.push(0);
                write_text(message, out);
            }
            Ok(outcome) => {
                out.push(1);
                write_values(&outcome.metrics.0, out);
                out.extend_from_slice(&(outcome.groups.len() as u64).to_le_bytes());
                for group in &outcome.groups {
                    write_text(&group.grouping, out);
                    write_text(&group.group, out);
                    write_values(&group.values, out);
                }
            }
        }
    }
}

/// A text with its length.
fn write_text(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(&(text.len() as u64).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

fn write_values(values: &[Option<f64>], out: &mut Vec<u8>) {
    out.extend_from_slice(&(values.len() as u64).to_le_bytes());
    for value in values {
        out.push(u8::from(value.is_some()));
        out.extend_from_slice(&value.unwrap_or(0.0).to_bits().to_le_bytes());
    }
}

/// The checksum of a segment, fed row by row.
#[derive(Debug)]
pub(super) struct Checksum {
    hasher: blake3::Hasher,
    row: Vec<u8>,
}

impl Checksum {
    /// A checksum that has seen the metadata.
    pub fn new(format: u32, origin: &Origin, host: &str) -> Checksum {
        let mut row = format!("backsweep segment v{format}\n").into_bytes();
        write_text(&origin.metrics, &mut row);
        write_text(&origin.group_metrics, &mut row);
        if format > 1 {
            [&origin.build, &origin.families, host].iter().for_each(|text| write_text(text, &mut row));
        }
        origin.restamped_from.iter().for_each(|from| write_text(from, &mut row));
        let mut hasher = blake3::Hasher::new();
        hasher.update(&row);
        Checksum { hasher, row }
    }

    /// Takes the next row in.
    pub fn add(&mut self, run: &StoredRun) {
        self.row.clear();
        run.write(&mut self.row);
        self.hasher.update(&self.row);
    }

    /// The checksum as hexadecimal text.
    pub fn finish(&self) -> String {
        self.hasher.finalize().to_hex().to_string()
    }
}
