//! `store repair`: sets aside what cannot be used, takes back what can, and removes what killed processes left.

use super::rewrite::Workshop;
use super::verify::survey;
use super::writer;
use crate::RunKey;
use crate::error::SweepError;
use std::collections::BTreeSet;
use std::path::Path;

/// What was repaired.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// Segments that were set aside, with the reason. Nothing in them is believed; their runs count as never run.
    pub set_aside: Vec<(String, String)>,
    /// Segments that were set aside earlier, have turned out to be sound, and are back.
    pub taken_back: Vec<String>,
    /// Segments that could not be read, with the reason; they were left, because they may be sound.
    pub unread: Vec<(String, String)>,
    /// Half-written files of killed processes that were removed.
    pub removed: usize,
    /// Runs with different outcomes.
    pub contradicted: Vec<RunKey>,
    /// Whether their rows were dropped.
    pub dropped: bool,
}

/// Repairs the store in `folder`. Runs with different outcomes stay as they are unless `drop_contradicted`, which removes all of
/// their rows, so that they are run again.
///
/// # Errors
/// Where the store cannot be listed, or a file not be moved, written or removed; running it again goes on.
pub fn repair(folder: &Path, drop_contradicted: bool) -> Result<Repairs, SweepError> {
    mend(&Workshop::new(folder), drop_contradicted)
}

pub(super) fn mend(workshop: &Workshop, drop_contradicted: bool) -> Result<Repairs, SweepError> {
    let mut done = Repairs::default();
    let quarantine = workshop.quarantine();
    // First, so that what comes back is looked at with the others.
    for name in workshop.quarantined()? {
        if workshop.read(&quarantine, &name).is_ok() {
            workshop.move_to(&quarantine, &workshop.folder, &name)?;
            done.taken_back.push(name);
        }
    }
    let found = survey(workshop)?;
    for (name, reason) in found.unusable {
        workshop.move_to(&workshop.folder, &quarantine, &name)?;
        done.set_aside.push((name, reason));
    }
    done.unread = found.unread;
    let abandoned = writer::abandoned(&*workshop.disk, &workshop.folder).unwrap_or_default();
    for name in &abandoned {
        workshop.remove(&workshop.folder.join(name))?;
    }
    done.removed = abandoned.len();
    let keys: BTreeSet<RunKey> = found.contradictions.iter().map(|pair| pair.key).collect();
    done.dropped = drop_contradicted && !keys.is_empty();
    if done.dropped {
        drop_rows(workshop, &keys)?;
    }
    done.contradicted = keys.into_iter().collect();
    Ok(done)
}

/// Writes every segment with rows of these runs anew without them.
fn drop_rows(workshop: &Workshop, keys: &BTreeSet<RunKey>) -> Result<(), SweepError> {
    for name in workshop.names()? {
        let Ok(mut whole) = workshop.read(&workshop.folder, &name) else { continue };
        let before = whole.rows.len();
        whole.rows.retain(|row| !keys.contains(&row.key));
        if whole.rows.len() < before {
            workshop.replace(&[name], &whole.rows, &whole.header.origin)?;
        }
    }
    Ok(())
}
