//! `store verify`: reads everything, believes nothing, touches nothing.

use super::Status;
use super::decode::Defect;
use super::index::KeyMap;
use super::load::Unusable;
use super::rewrite::Workshop;
use super::row::StoredRun;
use super::writer;
use crate::RunKey;
use crate::error::SweepError;
use rayon::prelude::*;
use std::path::Path;

/// Segments that are decoded at a time.
const AT_ONCE: usize = 64;

/// What was found in a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Sound segments.
    pub segments: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// Their rows.
    pub rows: usize,
    /// Distinct runs among them.
    pub runs: usize,
    /// Of these, with an outcome.
    pub ok: usize,
    /// Rows that say again what an earlier one says.
    pub duplicates: usize,
    /// Segments that cannot be used, with the reason.
    pub unusable: Vec<(String, String)>,
    /// Segments that could not be read; they may be sound.
    pub unread: Vec<(String, String)>,
    /// Segments of a later version of this program; sound, but not readable here.
    pub later: Vec<String>,
    /// Runs with different outcomes.
    pub contradictions: Vec<Contradiction>,
    /// Segments that were set aside earlier.
    pub quarantined: usize,
    /// Files that killed processes left half written.
    pub abandoned: usize,
}

/// One run, two outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The run.
    pub key: RunKey,
    /// The segment with the outcome that is used.
    pub first: String,
    /// A segment with another one; may be the same.
    pub other: String,
}

impl Verification {
    /// Whether nothing is wrong. What was set aside or left half written earlier harms nobody.
    pub fn is_sound(&self) -> bool {
        self.unusable.is_empty() && self.unread.is_empty() && self.contradictions.is_empty()
    }
}

/// Reads all segments of the store in `folder` down to their checksums.
///
/// # Errors
/// [`SweepError::StoreRead`] where the folder exists and cannot be listed.
pub fn verify(folder: &Path) -> Result<Verification, SweepError> {
    survey(&Workshop::new(folder))
}

pub(super) fn survey(workshop: &Workshop) -> Result<Verification, SweepError> {
    let names = workshop.names()?;
    let mut found = Verification { quarantined: workshop.quarantined()?.len(), ..Verification::default() };
    found.abandoned = writer::abandoned(&*workshop.disk, &workshop.folder).unwrap_or_default().len();
    let mut runs: KeyMap<Seen> = KeyMap::default();
    for (part, some) in names.chunks(AT_ONCE).enumerate() {
        let read: Vec<_> = some.par_iter().map(|name| results(workshop, name)).collect();
        for (at, result) in read.into_iter().enumerate() {
            let name = || some[at].clone();
            match result {
                Ok((bytes, rows)) => {
                    found.segments += 1;
                    found.bytes += bytes;
                    found.rows += rows.len();
                    rows.iter().for_each(|row| found.take(&mut runs, row, part * AT_ONCE + at, &names));
                }
                Err(Unusable::Gone) => {}
                Err(Unusable::Unread(problem)) => found.unread.push((name(), problem.to_string())),
                Err(Unusable::Defect(Defect::Newer(_))) => found.later.push(name()),
                Err(Unusable::Defect(defect)) => found.unusable.push((name(), defect.to_string())),
            }
        }
    }
    found.runs = runs.len();
    found.ok = runs.values().filter(|seen| seen.status == Status::Ok).count();
    Ok(found)
}

/// Of a run, what came out first and where.
struct Seen {
    status: Status,
    payload: [u8; 16],
    segment: usize,
}

/// Of a row: the run, how it ended, and the hash of what came out.
type Short = (RunKey, Status, [u8; 16]);

fn results(workshop: &Workshop, name: &str) -> Result<(u64, Vec<Short>), Unusable> {
    let whole = workshop.read(&workshop.folder, name)?;
    let short = |run: &StoredRun| (run.key, run.status(), run.payload());
    Ok((whole.bytes, whole.rows.iter().map(short).collect()))
}

impl Verification {
    fn take(&mut self, runs: &mut KeyMap<Seen>, row: &Short, segment: usize, names: &[String]) {
        let (key, status, payload) = *row;
        let Some(seen) = runs.get_mut(&key) else {
            runs.insert(key, Seen { status, payload, segment });
            return;
        };
        if seen.status == Status::Failed && status == Status::Ok {
            *seen = Seen { status, payload, segment };
        } else if status == Status::Ok && seen.payload != payload {
            let (first, other) = (names[seen.segment].clone(), names[segment].clone());
            self.contradictions.push(Contradiction { key, first, other });
        } else if seen.payload == payload {
            self.duplicates += 1;
        }
    }
}
