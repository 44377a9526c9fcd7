//! Writing segments, each whole or not at all. The only place that looks at the clock and the host's name, for file names.

use super::disk::{Disk, RealDisk};
use super::info::segment_name;
use super::row::StoredRun;
use super::segment::{self, Origin};
use crate::error::SweepError;
use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Ending of files being written; readers ignore them.
const UNFINISHED: &str = ".tmp";
/// An unfinished file of this age is what a killed process left.
const ABANDONED: Duration = Duration::from_secs(3600);

/// Writes segments into a store. Any number of writers, in any number of processes, may share a store.
#[derive(Clone, Debug)]
pub struct StoreWriter {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    origin: Origin,
    host: String,
}

impl StoreWriter {
    /// A writer into `folder`, which is made where it does not exist. Finds out at once whether the folder can be written
    /// to, so that a sweep does not learn it after its first runs.
    ///
    /// # Errors
    /// [`SweepError::StoreWrite`].
    pub fn open(folder: &Path) -> Result<StoreWriter, SweepError> {
        StoreWriter::open_on(Arc::new(RealDisk), folder)
    }

    pub(super) fn open_on(disk: Arc<dyn Disk>, folder: &Path) -> Result<StoreWriter, SweepError> {
        let writer =
            StoreWriter { folder: folder.to_owned(), disk, origin: Origin::present()?, host: host() };
        let probe = folder.join(format!(".probe-{:016x}{UNFINISHED}", random()));
        let disk = &writer.disk;
        disk.make_folder(folder)
            .and_then(|()| disk.create(&probe)?.write(b"probe"))
            .and_then(|()| disk.remove(&probe))
            .map_err(|source| SweepError::StoreWrite { path: folder.to_owned(), source })?;
        writer.remove_abandoned();
        Ok(writer)
    }

    /// Writes the rows as one segment and returns its path; when it returns, they outlive a crash of the machine. Nothing is
    /// written for no rows.
    ///
    /// # Errors
    /// [`SweepError::StoreWrite`], for instance on a full disk: then the rows are not safe, and may be written again.
    pub fn write(&self, rows: &[StoredRun]) -> Result<Option<PathBuf>, SweepError> {
        if rows.is_empty() {
            return Ok(None);
        }
        let name = self.write_from(rows, &self.origin, unix_seconds())?;
        Ok(Some(self.folder.join(name)))
    }

    /// Writes rows of older models, found to hold for the present one, as one segment that says from which segments they are.
    ///
    /// # Errors
    /// As [`StoreWriter::write`].
    pub fn write_restamped(&self, rows: &[StoredRun], from: &str) -> Result<(), SweepError> {
        if !rows.is_empty() {
            let origin = Origin { restamped_from: Some(from.to_owned()), ..self.origin.clone() };
            self.write_from(rows, &origin, unix_seconds())?;
        }
        Ok(())
    }

    /// A writer of rows that a model with these families made (hashes in hexadecimal), such as rows from elsewhere.
    ///
    /// # Errors
    /// Where the families have no JSON form.
    pub fn of_model(mut self, families: &BTreeMap<String, String>) -> Result<StoreWriter, SweepError> {
        self.origin.families = serde_json::to_string(families).map_err(segment::encoding)?;
        Ok(self)
    }

    /// Writes rows of any origin as a segment of that time, and returns its name.
    pub(super) fn write_from(
        &self,
        rows: &[StoredRun],
        origin: &Origin,
        seconds: u64,
    ) -> Result<String, SweepError> {
        let bytes = segment::encode(rows, origin, &self.host)?;
        let name = segment_name(seconds, &self.host, std::process::id(), &bytes);
        let path = self.folder.join(&name);
        let unfinished = self.folder.join(format!(".{name}-{:016x}{UNFINISHED}", random()));
        match self.publish(&bytes, &unfinished, &path) {
            Ok(()) => Ok(name),
            Err(source) => {
                // Whatever was written of it is of no use; that it may stay is harmless.
                let _ = self.disk.remove(&unfinished);
                Err(SweepError::StoreWrite { path, source })
            }
        }
    }

    fn publish(&self, bytes: &[u8], unfinished: &Path, path: &Path) -> io::Result<()> {
        let mut file = self.disk.create(unfinished)?;
        file.write(bytes)?;
        file.sync()?;
        drop(file);
        self.disk.rename(unfinished, path)?;
        self.disk.sync_folder(&self.folder)
    }

    /// Removes what killed writers left behind. Failing to is harmless.
    fn remove_abandoned(&self) {
        for name in abandoned(&*self.disk, &self.folder).unwrap_or_default() {
            let _ = self.disk.remove(&self.folder.join(name));
        }
    }
}

/// Names of the unfinished files in a store that no living writer is at work on.
pub(super) fn abandoned(disk: &dyn Disk, folder: &Path) -> io::Result<Vec<String>> {
    let mut names = disk.names(folder)?;
    let old = |name: &str| {
        let modified = disk.stat(&folder.join(name)).ok().and_then(|stat| stat.modified);
        modified.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > ABANDONED)
    };
    names.retain(|name| name.starts_with('.') && name.ends_with(UNFINISHED) && old(name));
    Ok(names)
}

/// A number that no other writer has, so that even two with the same process number and rows do not share a file.
fn random() -> u64 {
    // The standard library seeds its hash maps from the system, and differently for each.
    RandomState::new().hash_one(std::process::id())
}

pub(super) fn unix_seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs())
}

/// The host's name as far as it can be told without asking the system library; only tells segments apart for people.
pub fn host() -> String {
    let told =
        ["/proc/sys/kernel/hostname", "/etc/hostname"].iter().find_map(|path| fs::read_to_string(path).ok());
    let told = told.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    let name: String =
        told.unwrap_or_default().chars().filter(char::is_ascii_alphanumeric).take(24).collect();
    if name.is_empty() { "host".to_owned() } else { name }
}
