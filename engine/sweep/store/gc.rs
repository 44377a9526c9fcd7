//! `store gc`: removes results by age, by size and by what experiments still ask for.

use super::info::NameParts;
use super::rewrite::Workshop;
use super::writer::unix_seconds;
use crate::RunKey;
use crate::error::SweepError;
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

/// What may go. Without age and size, everything that nobody keeps.
#[derive(Clone, Debug, Default)]
pub struct GcRules {
    /// Only results that were written longer ago.
    pub older_than: Option<Duration>,
    /// Only as many, the oldest first, as must go for the store to fit into so many bytes.
    pub max_bytes: Option<u64>,
    /// Never the results of these runs; none where nothing was said about runs.
    pub keep: Option<HashSet<RunKey>>,
}

/// What goes, or would go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// Segments and their bytes before.
    pub segments_before: usize,
    /// Bytes of segments and of what was set aside before.
    pub bytes_before: u64,
    /// Segments that go whole, with their rows.
    pub removed: Vec<(String, usize)>,
    /// Segments that are written anew without some rows, with how many.
    pub rewritten: Vec<(String, usize)>,
    /// Files in quarantine that go.
    pub quarantined: Vec<String>,
    /// Bytes after; an estimate before it is done.
    pub bytes_after: u64,
}

impl Collection {
    /// Rows that go.
    pub fn rows(&self) -> usize {
        self.removed.iter().chain(&self.rewritten).map(|(_, rows)| rows).sum()
    }
}

/// Removes results from the store in `folder`; with `dry` it only says which. Segments that cannot be read are left alone.
///
/// # Errors
/// Where the store cannot be listed, or a segment not be written or removed.
pub fn collect_garbage(folder: &Path, rules: &GcRules, dry: bool) -> Result<Collection, SweepError> {
    Collector { workshop: &Workshop::new(folder), rules, dry, now: unix_seconds() }.run()
}

pub(super) struct Collector<'a> {
    pub workshop: &'a Workshop,
    pub rules: &'a GcRules,
    pub dry: bool,
    /// Seconds since 1970.
    pub now: u64,
}

impl Collector<'_> {
    pub fn run(&self) -> Result<Collection, SweepError> {
        let (names, quarantined) = (self.workshop.names()?, self.workshop.quarantined()?);
        let quarantine = self.workshop.quarantine();
        let mut done = Collection { segments_before: names.len(), ..Collection::default() };
        let size = |folder: &Path, names: &[String]| -> u64 {
            names.iter().map(|name| self.workshop.bytes(&folder.join(name))).sum()
        };
        done.bytes_before = size(&self.workshop.folder, &names) + size(&quarantine, &quarantined);
        done.bytes_after = done.bytes_before;
        // What is set aside goes first: nobody can use it.
        for name in quarantined {
            if self.is_due(&name, done.bytes_after) && (self.rules.keep.is_none() || self.is_limited()) {
                let bytes = self.workshop.bytes(&quarantine.join(&name));
                self.remove(&quarantine, &name)?;
                done.bytes_after -= bytes;
                done.quarantined.push(name);
            }
        }
        for name in names {
            if self.is_due(&name, done.bytes_after) {
                self.segment(name, &mut done)?;
            }
        }
        Ok(done)
    }

    fn is_limited(&self) -> bool {
        self.rules.older_than.is_some() || self.rules.max_bytes.is_some()
    }

    /// Whether a segment is old enough, or the store too large. Names are visited in the order of their time.
    fn is_due(&self, name: &str, bytes: u64) -> bool {
        let written = NameParts::of(name).map_or(0, |parts| parts.seconds);
        let old = |age: Duration| self.now.saturating_sub(written) > age.as_secs();
        match (self.rules.older_than, self.rules.max_bytes) {
            (None, None) => true,
            (age, size) => age.is_some_and(old) || size.is_some_and(|size| bytes > size),
        }
    }

    /// Removes the rows of a segment that nobody keeps.
    fn segment(&self, name: String, done: &mut Collection) -> Result<(), SweepError> {
        let Ok(mut whole) = self.workshop.read(&self.workshop.folder, &name) else { return Ok(()) };
        let before = whole.rows.len();
        match &self.rules.keep {
            Some(keep) => whole.rows.retain(|row| keep.contains(&row.key)),
            None => whole.rows.clear(),
        }
        let (left, gone) = (whole.rows.len(), before - whole.rows.len());
        if gone == 0 {
            return Ok(());
        }
        done.bytes_after -= whole.bytes;
        if left == 0 {
            self.remove(&self.workshop.folder, &name)?;
            done.removed.push((name, gone));
            return Ok(());
        }
        done.bytes_after += whole.bytes * left as u64 / before as u64;
        if !self.dry {
            self.workshop.replace(std::slice::from_ref(&name), &whole.rows, &whole.header.origin)?;
        }
        done.rewritten.push((name, gone));
        Ok(())
    }

    fn remove(&self, folder: &Path, name: &str) -> Result<(), SweepError> {
        if self.dry { Ok(()) } else { self.workshop.remove(&folder.join(name)) }
    }
}
