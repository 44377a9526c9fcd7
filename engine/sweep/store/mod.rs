//! The store: every answered run, in a folder of immutable Parquet segments that any number of processes add to.
//!
//! No lock is needed: a segment appears under its name whole or not at all, equal rows in two segments are harmless, and
//! different results under one key are reported. A file that is torn, altered or not a segment is set aside with a warning and
//! its runs count as never run.

mod decode;
mod row;
mod segment;
mod writer;

pub use row::StoredRun;
pub use segment::BUILD;
pub use writer::StoreWriter;

use crate::RunKey;
use crate::error::SweepError;
use crate::executor::CostModel;
use bytes::Bytes;
use decode::{Defect, decode};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Where unusable segments are moved to, inside the store.
pub const QUARANTINE: &str = "quarantine";

/// What a caller wants to do with a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only read: nothing in the folder is touched, and it need not exist.
    Read,
    /// Unusable segments are moved to [`QUARANTINE`].
    Write,
}

/// How a stored run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// With an outcome.
    Ok,
    /// With a message; by default it is run again.
    Failed,
}

/// Where a run is, and what planning needs of it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    segment: u32,
    row: u32,
    status: Status,
    payload: [u8; 16],
}

/// An open store: an index of all runs in it. Results stay on disk until they are fetched.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    access: Access,
    entries: HashMap<RunKey, Entry>,
    segments: Vec<String>,
    seen: BTreeSet<String>,
    costs: CostModel,
    warnings: Vec<String>,
}

impl Store {
    /// Opens the store in `folder` and reads all segments. A folder that does not exist is an empty store.
    ///
    /// # Errors
    /// [`SweepError::StoreRead`] where the folder exists and cannot be listed.
    pub fn open(folder: &Path, access: Access) -> Result<Store, SweepError> {
        let mut store = Store {
            folder: folder.to_owned(),
            access,
            entries: HashMap::new(),
            segments: Vec::new(),
            seen: BTreeSet::new(),
            costs: CostModel::default(),
            warnings: Vec::new(),
        };
        store.refresh()?;
        Ok(store)
    }

    /// Reads the segments that were added since, by this process or another; returns how many rows they hold.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn refresh(&mut self) -> Result<usize, SweepError> {
        let names = self.new_segments()?;
        let folder = self.folder.clone();
        let loaded: Vec<_> = names.into_par_iter().map(|name| (load(&folder, &name), name)).collect();
        let mut rows = 0;
        for (result, name) in loaded {
            match result {
                Ok(summary) => rows += self.add_segment(name.clone(), summary),
                Err(Unusable::Gone) => {}
                Err(Unusable::Unread(problem)) => {
                    self.warnings
                        .push(format!("segment {name} of the store cannot be read ({problem}); ignored"));
                }
                Err(Unusable::Defect(defect)) => self.set_aside(&name, &defect),
            }
            self.seen.insert(name);
        }
        Ok(rows)
    }

    /// How a run under this key ended, if there was one. An `Ok` wins over a failure.
    pub fn status(&self, key: &RunKey) -> Option<Status> {
        self.entries.get(key).map(|entry| entry.status)
    }

    /// Whether the store holds an outcome for this key.
    pub fn answers(&self, key: &RunKey) -> bool {
        self.status(key) == Some(Status::Ok)
    }

    /// Distinct runs in the store.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the store holds no run.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The store's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What runs have cost so far.
    pub fn costs(&self) -> &CostModel {
        &self.costs
    }

    /// What was odd since the last call: unusable segments, results that contradict each other.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// The stored runs under these keys, in their order; `None` where there is none. Reads the segments concerned again.
    ///
    /// # Errors
    /// [`SweepError::SegmentLost`] where a segment has vanished or changed since it was indexed.
    pub fn fetch(&self, keys: &[RunKey]) -> Result<Vec<Option<StoredRun>>, SweepError> {
        let mut wanted: HashMap<u32, HashMap<u32, Vec<usize>>> = HashMap::new();
        for (at, key) in keys.iter().enumerate() {
            if let Some(entry) = self.entries.get(key) {
                wanted.entry(entry.segment).or_default().entry(entry.row).or_default().push(at);
            }
        }
        let parts = wanted.into_par_iter().map(|(segment, rows)| self.fetch_from(segment, &rows));
        let parts: Vec<Vec<(usize, StoredRun)>> = parts.collect::<Result<_, _>>()?;
        let mut found: Vec<Option<StoredRun>> = vec![None; keys.len()];
        for (at, run) in parts.into_iter().flatten() {
            found[at] = Some(run);
        }
        Ok(found)
    }

    fn fetch_from(
        &self,
        segment: u32,
        rows: &HashMap<u32, Vec<usize>>,
    ) -> Result<Vec<(usize, StoredRun)>, SweepError> {
        let name = &self.segments[segment as usize];
        let path = self.folder.join(name);
        let lost = |reason: String| SweepError::SegmentLost { path: path.clone(), reason };
        let bytes = fs::read(&path).map_err(|problem| lost(problem.to_string()))?;
        if !writer::name_matches(name, &bytes) {
            return Err(lost("its bytes have changed".to_owned()));
        }
        let (mut row, mut found) = (0, Vec::new());
        let decoded = decode(Bytes::from(bytes), &mut |run| {
            for at in rows.get(&row).into_iter().flatten() {
                found.push((*at, run.clone()));
            }
            row += 1;
        });
        decoded.map_err(|defect| lost(defect.to_string()))?;
        Ok(found)
    }

    /// Names of segments not seen yet, in name order, which is that of their time.
    fn new_segments(&self) -> Result<Vec<String>, SweepError> {
        let unlisted = |source| SweepError::StoreRead { path: self.folder.clone(), source };
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(problem) => return Err(unlisted(problem)),
        };
        let mut names = Vec::new();
        for entry in entries {
            if let Ok(name) = entry.map_err(unlisted)?.file_name().into_string()
                && name.ends_with(".parquet")
                && !self.seen.contains(&name)
            {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn add_segment(&mut self, name: String, summary: Vec<Indexed>) -> usize {
        let segment = self.segments.len() as u32;
        let rows = summary.len();
        let mut contradicting = Vec::new();
        for (row, new) in summary.into_iter().enumerate() {
            if let Some((wall_s, jobs)) = new.cost {
                self.costs.learn(new.cost_class, wall_s, jobs);
            }
            let entry = Entry { segment, row: row as u32, status: new.status, payload: new.payload };
            match self.entries.get_mut(&new.key) {
                None => drop(self.entries.insert(new.key, entry)),
                Some(old) if old.status == Status::Failed => *old = entry,
                Some(old) if new.status == Status::Ok && old.payload != new.payload => {
                    contradicting.push(new.key)
                }
                Some(_) => {}
            }
        }
        if let Some(first) = contradicting.first() {
            self.warnings.push(format!(
                "nondeterminism: segment {name} holds other results than earlier segments for {} of its runs, the first with \
                 key {first}; the earlier results are used",
                contradicting.len(),
            ));
        }
        self.segments.push(name);
        rows
    }

    fn set_aside(&mut self, name: &str, defect: &Defect) {
        let keep = self.access == Access::Read || matches!(defect, Defect::Newer(_));
        let quarantine = self.folder.join(QUARANTINE);
        let moved = !keep
            && fs::create_dir_all(&quarantine)
                .and_then(|()| fs::rename(self.folder.join(name), quarantine.join(name)))
                .is_ok();
        let fate = if moved { "moved to quarantine/" } else { "ignored" };
        self.warnings.push(format!(
            "segment {name} of the store cannot be used: {defect}; {fate}, its runs count as missing"
        ));
    }
}

/// What the index keeps of a row.
struct Indexed {
    key: RunKey,
    status: Status,
    payload: [u8; 16],
    cost_class: u64,
    /// Wall time in seconds and jobs, of runs that came to an end.
    cost: Option<(f64, f64)>,
}

enum Unusable {
    /// Another process has removed it since the folder was listed.
    Gone,
    /// It could not be read; it may be sound.
    Unread(io::Error),
    /// It was read and is not sound.
    Defect(Defect),
}

fn load(folder: &Path, name: &str) -> Result<Vec<Indexed>, Unusable> {
    if !name.starts_with("seg-") {
        return Err(Unusable::Defect(Defect::Corrupt("it is no segment".to_owned())));
    }
    let bytes = fs::read(folder.join(name)).map_err(|problem| match problem.kind() {
        io::ErrorKind::NotFound => Unusable::Gone,
        _ => Unusable::Unread(problem),
    })?;
    if !writer::name_matches(name, &bytes) {
        return Err(Unusable::Defect(Defect::Corrupt("it is torn or altered".to_owned())));
    }
    let mut rows = Vec::new();
    let decoded = decode(Bytes::from(bytes), &mut |run| {
        let jobs = run.result.as_ref().ok().and_then(|outcome| outcome.metrics.get("jobs"));
        rows.push(Indexed {
            key: run.key,
            status: if run.result.is_ok() { Status::Ok } else { Status::Failed },
            payload: run.payload(),
            cost_class: run.cost_class,
            cost: jobs.map(|jobs| (run.wall_s, jobs)),
        });
    });
    decoded.map_err(Unusable::Defect)?;
    Ok(rows)
}

#[cfg(test)]
mod tests;
