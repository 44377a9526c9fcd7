//! `store compact`: many small segments become few large ones.

use super::Status;
use super::index::KeyMap;
use super::load::Unusable;
use super::rewrite::{Whole, Workshop};
use super::row::StoredRun;
use super::segment::Origin;
use crate::error::SweepError;
use std::collections::BTreeMap;
use std::path::Path;

/// Rows of a merged segment, about; so many fit into memory easily, and a million make fifty files.
const ROWS: usize = 20_000;

/// What merging does, or would do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compaction {
    /// Segments before.
    pub before: usize,
    /// Segments after.
    pub after: usize,
    /// Segments that are merged into others.
    pub merged: usize,
    /// Rows that other rows make superfluous; unknown before it is done.
    pub dropped: usize,
    /// Bytes before.
    pub bytes_before: u64,
    /// Bytes after; unknown before it is done.
    pub bytes_after: u64,
}

/// Merges small segments whose rows have the same build and model. A crash at any point loses nothing, because a segment is
/// removed only when its rows have been read back from another one. Others may read the store and add to it meanwhile. With
/// `dry` nothing is done.
///
/// # Errors
/// Where the store cannot be listed, or a segment not be written or removed; what was merged before stays merged.
pub fn compact(folder: &Path, dry: bool) -> Result<Compaction, SweepError> {
    merge_all(&Workshop::new(folder), dry, ROWS)
}

pub(super) fn merge_all(workshop: &Workshop, dry: bool, rows: usize) -> Result<Compaction, SweepError> {
    let size = |names: &[String]| names.iter().map(|name| workshop.bytes(&workshop.folder.join(name))).sum();
    let names = workshop.names()?;
    let mut done = Compaction { before: names.len(), bytes_before: size(&names), ..Compaction::default() };
    done.after = done.before;
    for batch in batches(workshop, &names, rows) {
        done.merged += batch.len();
        done.after -= batch.len() - 1;
        if !dry {
            done.dropped += merge(workshop, &batch)?;
        }
    }
    if !dry {
        done.bytes_after = size(&workshop.names()?);
    }
    Ok(done)
}

/// Names of segments to be merged with each other: of one origin, next to each other in time, together about as large as a merged
/// segment should be. What cannot be read is left to `store repair`.
fn batches(workshop: &Workshop, names: &[String], rows: usize) -> Vec<Vec<String>> {
    let mut open: BTreeMap<Origin, (Vec<String>, usize)> = BTreeMap::new();
    let mut full = Vec::new();
    for name in names {
        let Ok((origin, count)) = workshop.rows_of(name) else { continue };
        if count * 2 > rows {
            continue;
        }
        let (batch, sum) = open.entry(origin).or_default();
        if *sum + count > rows {
            full.push(std::mem::take(batch));
            *sum = 0;
        }
        batch.push(name.clone());
        *sum += count;
    }
    full.extend(open.into_values().map(|(batch, _)| batch));
    full.retain(|batch| batch.len() > 1);
    full
}

/// Merges some segments; returns how many rows became superfluous. Where one has changed or gone since, all are left.
fn merge(workshop: &Workshop, names: &[String]) -> Result<usize, SweepError> {
    let read: Result<Vec<Whole>, Unusable> =
        names.iter().map(|name| workshop.read(&workshop.folder, name)).collect();
    let Ok(wholes) = read else { return Ok(0) };
    let Some(origin) = wholes.first().map(|whole| whole.header.origin.clone()) else { return Ok(0) };
    let before: usize = wholes.iter().map(|whole| whole.rows.len()).sum();
    let rows = distinct(wholes.into_iter().flat_map(|whole| whole.rows));
    workshop.replace(names, &rows, &origin)?;
    Ok(before - rows.len())
}

/// The rows that are not superfluous: of equal outcomes the first, of failures the last, and none where there is an outcome.
/// Outcomes that contradict each other are all kept, in their order, so that they go on being reported.
fn distinct(rows: impl Iterator<Item = StoredRun>) -> Vec<StoredRun> {
    let mut kept: Vec<StoredRun> = Vec::new();
    let mut at: KeyMap<Vec<usize>> = KeyMap::default();
    for row in rows {
        let places = at.entry(row.key).or_default();
        match places.first() {
            None => {}
            Some(first) if kept[*first].status() == Status::Failed => {
                kept[*first] = row;
                continue;
            }
            Some(_) if row.status() == Status::Failed => continue,
            Some(_) => {
                let payload = row.payload();
                if places.iter().any(|at| kept[*at].payload() == payload) {
                    continue;
                }
            }
        }
        places.push(kept.len());
        kept.push(row);
    }
    kept
}
