//! The index of an open store: where each run is, and what planning needs of it.

use super::Status;
use super::decode::Indexed;
use crate::RunKey;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Where a run is, and what planning needs of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub payload: [u8; 16],
    pub segment: u32,
    pub row: u32,
    pub status: Status,
}

/// A map by run key, which is a hash already.
pub(super) type KeyMap<T> = HashMap<RunKey, T, BuildHasherDefault<KeyHasher>>;

/// Takes the first eight bytes of a key for its hash. Nobody can choose keys so that they collide.
#[derive(Default)]
pub(super) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        if let Some(first) = bytes.first_chunk() {
            self.0 ^= u64::from_le_bytes(*first);
        }
    }

    /// The length of the key, which all keys share.
    fn write_usize(&mut self, _: usize) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Every run of the store by its key.
#[derive(Debug, Default)]
pub(super) struct Index(KeyMap<Entry>);

impl Index {
    pub fn get(&self, key: &RunKey) -> Option<&Entry> {
        self.0.get(key)
    }

    /// Every run, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&RunKey, &Entry)> {
        self.0.iter()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// How many runs have ended with an outcome, and how many have failed.
    pub fn count(&self) -> (usize, usize) {
        let ok = self.0.values().filter(|entry| entry.status == Status::Ok).count();
        (ok, self.0.len() - ok)
    }

    /// Makes room for so many more runs.
    pub fn reserve(&mut self, rows: usize) {
        self.0.reserve(rows);
    }

    /// Takes in the rows of a segment, and returns the keys whose results contradict earlier ones. An outcome wins over a failure,
    /// a later failure over an earlier one, and else the earlier result is kept, unless its segment is `gone`.
    pub fn add(&mut self, segment: u32, rows: &[Indexed], gone: impl Fn(u32) -> bool) -> Vec<RunKey> {
        let mut contradicting = Vec::new();
        for (row, new) in rows.iter().enumerate() {
            let entry = Entry { payload: new.payload, segment, row: row as u32, status: new.status };
            let old = self.0.entry(new.key).or_insert(entry);
            if old.status == Status::Ok && new.status == Status::Ok && old.payload != new.payload {
                contradicting.push(new.key);
            }
            if gone(old.segment) || old.status == Status::Failed {
                *old = entry;
            }
        }
        contradicting
    }

    /// Forgets the runs of segments that are gone.
    pub fn forget(&mut self, gone: impl Fn(u32) -> bool) {
        self.0.retain(|_, entry| !gone(entry.segment));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_hash_to_their_first_bytes() {
        let mut map = KeyMap::default();
        let key = |n: u8| RunKey(std::array::from_fn(|at| if at == 31 { n } else { 7 }));
        // Keys that agree in the bytes that are hashed are still told apart.
        for n in 0..100 {
            map.insert(key(n), n);
        }
        assert!((0..100).all(|n| map.get(&key(n)) == Some(&n)));
        assert_eq!(map.len(), 100);
    }
}
