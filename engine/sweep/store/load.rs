//! Finding and reading segments: what is there, what is new, what is gone, and what cannot be trusted.

use super::decode::{Defect, Header, Indexed, index};
use super::disk::Disk;
use super::info::{ENDING, NameParts, SegmentInfo};
use super::{Access, QUARANTINE, Store};
use crate::error::SweepError;
use bytes::Bytes;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::{fmt, io};

/// Segments that are read before their rows are put into the index, so that few rows are in memory twice.
const AT_ONCE: usize = 256;
/// How often the folder is listed at most before a store counts as read, while others add to it.
const LISTINGS: usize = 8;

impl Store {
    /// Reads the segments that were added since, by this process or another, and forgets those that were removed; returns how
    /// many rows were added.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn refresh(&mut self) -> Result<usize, SweepError> {
        let (mut rows, mut tried) = (0, BTreeSet::new());
        let mut lost = false;
        // A listing may miss both a merged segment, which appears while it is made, and the ones that are removed for it. The
        // last one brings nothing new.
        for _ in 0..LISTINGS {
            let listed = self.listed()?;
            lost |= self.mark_gone(&listed);
            let new: Vec<String> = listed
                .into_iter()
                .filter(|name| !self.seen.contains(name) && tried.insert(name.clone()))
                .collect();
            if new.is_empty() {
                break;
            }
            for names in new.chunks(AT_ONCE) {
                rows += self.load_all(names);
            }
        }
        if lost {
            let gone = &self.gone;
            self.index.forget(|segment| gone[segment as usize]);
        }
        Ok(rows)
    }

    /// Names in the folder that look like those of segments, in their order, which is that of their time.
    fn listed(&self) -> Result<BTreeSet<String>, SweepError> {
        match self.disk.names(&self.folder) {
            Ok(names) => Ok(names.into_iter().filter(|name| name.ends_with(ENDING)).collect()),
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
            Err(source) => Err(SweepError::StoreRead { path: self.folder.clone(), source }),
        }
    }

    /// Takes note of segments that are no longer there; whether there are new ones of that kind.
    fn mark_gone(&mut self, listed: &BTreeSet<String>) -> bool {
        let mut any = false;
        for (segment, gone) in self.segments.iter().zip(&mut self.gone) {
            if !*gone && !listed.contains(&segment.name) {
                let stat = self.disk.stat(&self.folder.join(&segment.name));
                *gone = stat.is_err_and(|problem| problem.kind() == io::ErrorKind::NotFound);
                any |= *gone;
            }
        }
        any
    }

    fn load_all(&mut self, names: &[String]) -> usize {
        let (disk, folder) = (&*self.disk, &*self.folder);
        let loaded: Vec<_> = names.par_iter().map(|name| load(disk, folder, name)).collect();
        self.index.reserve(loaded.iter().flatten().map(|segment| segment.rows.len()).sum());
        let mut rows = 0;
        for (name, result) in names.iter().zip(loaded) {
            match result {
                Ok(segment) => rows += self.add(name, segment),
                Err(Unusable::Gone) => continue,
                Err(Unusable::Unread(problem)) => {
                    if self.unread.insert(name.clone()) {
                        self.warnings
                            .push(format!("segment {name} of the store cannot be read ({problem}); ignored"));
                    }
                    continue;
                }
                Err(Unusable::Defect(defect)) => self.set_aside(name, &defect),
            }
            self.seen.insert(name.clone());
        }
        rows
    }

    fn add(&mut self, name: &str, segment: Loaded) -> usize {
        for row in &segment.rows {
            if let Some(jobs) = row.jobs {
                self.costs.learn(row.cost_class, row.wall_s, jobs);
            }
        }
        let number = self.segments.len() as u32;
        let gone = &self.gone;
        let contradicting = self
            .index
            .add(number, &segment.rows, |segment| gone.get(segment as usize).is_some_and(|gone| *gone));
        if let Some(first) = contradicting.first() {
            self.warnings.push(format!(
                "nondeterminism: segment {name} holds other results than earlier rows for {} of its runs, the first with \
                 key {first}; the earlier results are used",
                contradicting.len(),
            ));
        }
        let families = match self.families.get(&segment.header.origin.families) {
            Some(known) => Arc::clone(known),
            None => {
                let text = &segment.header.origin.families;
                let parsed: BTreeMap<String, String> = serde_json::from_str(text).unwrap_or_default();
                Arc::clone(self.families.entry(text.clone()).or_insert(Arc::new(parsed)))
            }
        };
        self.segments.push(segment.info(name, families));
        self.gone.push(false);
        segment.rows.len()
    }

    fn set_aside(&mut self, name: &str, defect: &Defect) {
        let keep = self.access == Access::Read || matches!(defect, Defect::Newer(_));
        let quarantine = self.folder.join(QUARANTINE);
        let moved = !keep
            && self
                .disk
                .make_folder(&quarantine)
                .and_then(|()| self.disk.rename(&self.folder.join(name), &quarantine.join(name)))
                .is_ok();
        let fate = if moved { "moved to quarantine/" } else { "ignored" };
        self.warnings.push(format!(
            "segment {name} of the store cannot be used: {defect}; {fate}, its runs count as missing"
        ));
    }
}

/// A segment as opening a store reads it.
pub(super) struct Loaded {
    pub header: Header,
    pub rows: Vec<Indexed>,
    pub bytes: u64,
}

impl Loaded {
    fn info(&self, name: &str, families: Arc<BTreeMap<String, String>>) -> SegmentInfo {
        let parts = NameParts::of(name);
        let named = parts.map(|parts| parts.host.to_owned()).unwrap_or_default();
        SegmentInfo {
            name: name.to_owned(),
            written_unix: parts.map_or(0, |parts| parts.seconds),
            host: if self.header.host.is_empty() { named } else { self.header.host.clone() },
            pid: parts.map_or(0, |parts| parts.pid),
            rows: self.rows.len(),
            bytes: self.bytes,
            format: self.header.format,
            build: self.header.origin.build.clone(),
            families,
        }
    }
}

/// Why a segment could not be used.
pub(super) enum Unusable {
    /// Another process has removed it since the folder was listed.
    Gone,
    /// It could not be read; it may be sound.
    Unread(io::Error),
    /// It was read and is not sound.
    Defect(Defect),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Gone => f.write_str("it is gone"),
            Unusable::Unread(problem) => problem.fmt(f),
            Unusable::Defect(defect) => defect.fmt(f),
        }
    }
}

/// The bytes of a segment, which are those that its name promises.
pub(super) fn read_whole(disk: &dyn Disk, folder: &Path, name: &str) -> Result<Bytes, Unusable> {
    let Some(parts) = NameParts::of(name) else {
        return Err(Unusable::Defect(Defect::Corrupt("it is no segment".to_owned())));
    };
    // Some network file systems hand out half a file for a moment: what is read amiss is read once more.
    for _ in 0..2 {
        let bytes = disk.read(&folder.join(name)).map_err(|problem| match problem.kind() {
            io::ErrorKind::NotFound => Unusable::Gone,
            _ => Unusable::Unread(problem),
        })?;
        if parts.matches(&bytes) {
            return Ok(Bytes::from(bytes));
        }
    }
    Err(Unusable::Defect(Defect::Corrupt("it is torn or altered".to_owned())))
}

fn load(disk: &dyn Disk, folder: &Path, name: &str) -> Result<Loaded, Unusable> {
    let bytes = read_whole(disk, folder, name)?;
    let (length, mut rows) = (bytes.len() as u64, Vec::new());
    let header = index(bytes, &mut |row| rows.push(row)).map_err(Unusable::Defect)?;
    Ok(Loaded { header, rows, bytes: length })
}
