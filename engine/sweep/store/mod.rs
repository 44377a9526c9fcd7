//! The store: every answered run, in a folder of immutable Parquet segments that any number of processes add to.
//!
//! No lock is needed: a segment appears under its name whole or not at all, equal rows in two segments are harmless, and
//! different results under one key are reported. A file that is torn, altered or not a segment is set aside with a warning and
//! its runs count as never run.

mod answers;
mod columns;
mod compact;
mod decode;
mod disk;
mod fetch;
mod gc;
mod head;
mod index;
mod info;
mod load;
mod repair;
mod rewrite;
mod row;
mod row_maker;
mod segment;
mod verify;
mod writer;

pub use columns::{SegmentColumn, columns};
pub use compact::{Compaction, compact};
pub use decode::{Defect, read_segment};
pub use gc::{Collection, GcRules, collect_garbage};
pub use head::StoredHead;
pub use info::SegmentInfo;
pub use repair::{Repairs, repair};
pub use row::StoredRun;
pub use row_maker::RowMaker;
pub use segment::{BUILD, SEGMENT_METADATA};
pub use verify::{Contradiction, Verification, verify};
pub use writer::{StoreWriter, host};

use crate::RunKey;
use crate::error::SweepError;
use crate::executor::CostModel;
use disk::{Disk, RealDisk};
use index::Index;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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

/// An open store: an index of all runs in it. Results stay on disk until they are fetched.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    access: Access,
    index: Index,
    segments: Vec<SegmentInfo>,
    /// Which of the segments another process has removed since.
    gone: Vec<bool>,
    /// Names that need not be looked at again.
    seen: BTreeSet<String>,
    /// Names that could not be read, which may change.
    unread: BTreeSet<String>,
    /// The families of all segments, by their text; most segments share one.
    families: HashMap<String, Arc<BTreeMap<String, String>>>,
    costs: CostModel,
    warnings: Vec<String>,
}

impl Store {
    /// Opens the store in `folder` and reads all segments. A folder that does not exist is an empty store.
    ///
    /// # Errors
    /// [`SweepError::StoreRead`] where the folder exists and cannot be listed.
    pub fn open(folder: &Path, access: Access) -> Result<Store, SweepError> {
        Store::open_on(Arc::new(RealDisk), folder, access)
    }

    fn open_on(disk: Arc<dyn Disk>, folder: &Path, access: Access) -> Result<Store, SweepError> {
        let mut store = Store {
            folder: folder.to_owned(),
            disk,
            access,
            index: Index::default(),
            segments: Vec::new(),
            gone: Vec::new(),
            seen: BTreeSet::new(),
            unread: BTreeSet::new(),
            families: HashMap::new(),
            costs: CostModel::default(),
            warnings: Vec::new(),
        };
        store.refresh()?;
        Ok(store)
    }

    /// How a run under this key ended, if there was one. An `Ok` wins over a failure.
    pub fn status(&self, key: &RunKey) -> Option<Status> {
        self.index.get(key).map(|entry| entry.status)
    }

    /// Whether the store holds an outcome for this key.
    pub fn answers(&self, key: &RunKey) -> bool {
        self.status(key) == Some(Status::Ok)
    }

    /// Distinct runs in the store.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// How many runs have ended with an outcome, and how many have failed.
    pub fn count(&self) -> (usize, usize) {
        self.index.count()
    }

    /// Segments that were set aside because they cannot be used.
    ///
    /// # Errors
    /// Where they cannot be listed.
    pub fn quarantined(&self) -> Result<usize, SweepError> {
        let workshop = rewrite::Workshop { disk: Arc::clone(&self.disk), folder: self.folder.clone() };
        Ok(workshop.quarantined()?.len())
    }

    /// Whether the store holds no run.
    pub fn is_empty(&self) -> bool {
        self.index.len() == 0
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

    /// The segments, in the order of their names, which is that of their time; those that were added since the last
    /// [`Store::refresh`] are missing.
    pub fn segments(&self) -> Vec<&SegmentInfo> {
        let mut present: Vec<&SegmentInfo> =
            self.segments.iter().zip(&self.gone).filter(|(_, gone)| !**gone).map(|(info, _)| info).collect();
        present.sort_by(|one, other| one.name.cmp(&other.name));
        present
    }
}

#[cfg(test)]
mod faults;
#[cfg(test)]
mod flips;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod upkeep_tests;
