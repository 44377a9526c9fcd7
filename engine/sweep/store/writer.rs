//! Writing segments, each whole or not at all. The only place that looks at the clock and the host's name, for file names.

use super::row::StoredRun;
use super::segment;
use crate::error::SweepError;
use std::collections::hash_map::RandomState;
use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Ending of files being written; readers ignore them.
const UNFINISHED: &str = ".tmp";
/// An unfinished file of this age is what a killed process left.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Writes segments into a store. Any number of writers, in any number of processes, may share a store.
#[derive(Clone, Debug)]
pub struct StoreWriter {
    folder: PathBuf,
    host: String,
}

impl StoreWriter {
    /// A writer into `folder`, which is made where it does not exist. Finds out at once whether the folder can be written
    /// to, so that a sweep does not learn it after its first runs.
    ///
    /// # Errors
    /// [`SweepError::StoreWrite`].
    pub fn open(folder: &Path) -> Result<StoreWriter, SweepError> {
        let writer = StoreWriter { folder: folder.to_owned(), host: host() };
        let probe = folder.join(format!(".probe-{:016x}{UNFINISHED}", random()));
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&probe, b"probe"))
            .and_then(|()| fs::remove_file(&probe))
            .map_err(|source| SweepError::StoreWrite { path: folder.to_owned(), source })?;
        writer.remove_abandoned();
        Ok(writer)
    }

    /// Writes the rows as one segment and returns its path; when it returns, they outlive a crash of the machine. Nothing is
    /// written for no rows.
    ///
    /// # Errors
    /// [`SweepError::StoreWrite`], for instance on a full disk: then none of the rows is in the store.
    pub fn write(&self, rows: &[StoredRun]) -> Result<Option<PathBuf>, SweepError> {
        if rows.is_empty() {
            return Ok(None);
        }
        let bytes = segment::encode(rows)?;
        let name = segment_name(unix_seconds(), &self.host, std::process::id(), &bytes);
        let path = self.folder.join(&name);
        let unfinished = self.folder.join(format!(".{name}-{:016x}{UNFINISHED}", random()));
        let written = publish(&bytes, &unfinished, &path);
        if let Err(source) = written {
            // Whatever was written of it is of no use; that it may stay is harmless.
            let _ = fs::remove_file(&unfinished);
            return Err(SweepError::StoreWrite { path, source });
        }
        Ok(Some(path))
    }

    /// Removes what killed writers left behind. Failing to is harmless.
    fn remove_abandoned(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let ours = entry
                .file_name()
                .to_str()
                .is_some_and(|name| name.starts_with('.') && name.ends_with(UNFINISHED));
            let age = entry.metadata().and_then(|metadata| metadata.modified()).map(|time| time.elapsed());
            if ours && matches!(age, Ok(Ok(age)) if age > ABANDONED) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

fn publish(bytes: &[u8], unfinished: &Path, path: &Path) -> io::Result<()> {
    let mut file = File::create(unfinished)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(unfinished, path)?;
    sync_folder(path)
}

/// Makes a rename durable.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

/// `seg-<unix time>-<host>-<pid>-<hash>.parquet`. The hash is of the file's own bytes: it makes the name unique, and lets a
/// reader reject a torn or altered file before a decoder sees it.
pub(super) fn segment_name(seconds: u64, host: &str, pid: u32, bytes: &[u8]) -> String {
    format!("seg-{seconds:011}-{host}-{pid}-{}.parquet", short_hash(bytes))
}

fn short_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

/// Whether a file name is that of a segment with these bytes.
pub(super) fn name_matches(name: &str, bytes: &[u8]) -> bool {
    let hash = name.strip_suffix(".parquet").and_then(|name| name.rsplit_once('-')).map(|(_, hash)| hash);
    hash == Some(short_hash(bytes).as_str())
}

/// A number that no other writer has, so that even two with the same process number and rows do not share a file.
fn random() -> u64 {
    // The standard library seeds its hash maps from the system, and differently for each.
    RandomState::new().hash_one(std::process::id())
}

fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The host's name as far as it can be told without asking the system library; only tells segments apart for people.
fn host() -> String {
    let told =
        ["/proc/sys/kernel/hostname", "/etc/hostname"].iter().find_map(|path| fs::read_to_string(path).ok());
    let told = told.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    let name: String =
        told.unwrap_or_default().chars().filter(char::is_ascii_alphanumeric).take(24).collect();
    if name.is_empty() { "host".to_owned() } else { name }
}
