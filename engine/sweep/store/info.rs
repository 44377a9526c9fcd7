//! What is known about a segment without its rows.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A segment of an open store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentInfo {
    /// Its file name.
    pub name: String,
    /// When it was written, in seconds since 1970; of a compacted segment, when the youngest of its rows was.
    pub written_unix: u64,
    /// The host that wrote it.
    pub host: String,
    /// The process that wrote it.
    pub pid: u32,
    /// Its rows.
    pub rows: usize,
    /// Its size in bytes.
    pub bytes: u64,
    /// The version of the segment format.
    pub format: u32,
    /// The version of the program that carried the runs out.
    pub build: String,
    /// The hash of every family of model sources when the runs were carried out, in hexadecimal; empty in format 1.
    pub families: Arc<BTreeMap<String, String>>,
}

/// The ending of every segment.
pub(super) const ENDING: &str = ".parquet";

/// `seg-<unix time>-<host>-<pid>-<hash>.parquet`. The hash is of the file's own bytes: it makes the name unique, and lets a
/// reader reject a torn or altered file before a decoder sees it.
pub(super) fn segment_name(seconds: u64, host: &str, pid: u32, bytes: &[u8]) -> String {
    format!("seg-{seconds:011}-{host}-{pid}-{}{ENDING}", short_hash(bytes))
}

fn short_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// The parts of a segment's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NameParts<'a> {
    pub seconds: u64,
    pub host: &'a str,
    pub pid: u32,
    hash: &'a str,
}

impl NameParts<'_> {
    /// Takes a file name apart; `None` where it is not that of a segment.
    pub fn of(name: &str) -> Option<NameParts<'_>> {
        let stem = name.strip_prefix("seg-")?.strip_suffix(ENDING)?;
        let mut parts = stem.split('-');
        let (seconds, host, pid, hash) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let parts = NameParts { seconds: seconds.parse().ok()?, host, pid: pid.parse().ok()?, hash };
        stem.split('-').nth(4).is_none().then_some(parts)
    }

    /// Whether a segment of these bytes would have this name.
    pub fn matches(&self, bytes: &[u8]) -> bool {
        self.hash == short_hash(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_apart_as_they_were_put_together() {
        let name = segment_name(12, "host", 3, b"bytes");
        let parts = NameParts::of(&name);
        assert!(parts.is_some_and(|parts| parts.seconds == 12 && parts.host == "host" && parts.pid == 3));
        assert!(parts.is_some_and(|parts| parts.matches(b"bytes") && !parts.matches(b"byte")));
        for odd in [
            "results.parquet",
            "seg-1-a-2-3",
            "seg-1-a-2.parquet",
            "seg-1-a-2-3-4.parquet",
            "seg-x-a-2-3.parquet",
        ] {
            assert_eq!(NameParts::of(odd), None, "{odd}");
        }
    }
}
