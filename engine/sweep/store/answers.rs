//! What an open store knows of its answers without reading them: how they ended, what came out in short, and where they are.

use super::{SegmentInfo, Status, Store};
use crate::RunKey;

impl Store {
    /// Hash of what came out of a run, without its wall time; the message of a failed one counts.
    pub fn payload(&self, key: &RunKey) -> Option<[u8; 16]> {
        self.index.get(key).map(|entry| entry.payload)
    }

    /// The segment that answers a run.
    pub fn segment_of(&self, key: &RunKey) -> Option<&SegmentInfo> {
        self.segments.get(self.index.get(key)?.segment as usize)
    }

    /// The runs that failed, by key.
    pub fn failed(&self) -> Vec<RunKey> {
        let mut failed: Vec<RunKey> = self
            .index
            .iter()
            .filter(|(_, entry)| entry.status == Status::Failed)
            .map(|(key, _)| *key)
            .collect();
        failed.sort_unstable();
        failed
    }
}
