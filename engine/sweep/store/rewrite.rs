//! Replacing segments by others, so that a crash at any point loses nothing: write, make durable, read back, and only then remove.

use super::QUARANTINE;
use super::decode::{Header, decode_as_written, header};
use super::disk::{Disk, RealDisk};
use super::info::{ENDING, NameParts};
use super::load::{Unusable, read_whole};
use super::row::StoredRun;
use super::segment::Origin;
use super::writer::StoreWriter;
use crate::error::SweepError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A store under maintenance. Others may read it and add to it meanwhile.
#[derive(Clone, Debug)]
pub(super) struct Workshop {
    pub disk: Arc<dyn Disk>,
    pub folder: PathBuf,
}

/// A whole segment, with metrics as they were written.
pub(super) struct Whole {
    pub header: Header,
    pub rows: Vec<StoredRun>,
    pub bytes: u64,
}

impl Workshop {
    /// The store in this folder.
    pub fn new(folder: &Path) -> Workshop {
        Workshop { disk: Arc::new(RealDisk), folder: folder.to_owned() }
    }

    /// Names of what look like segments, in their order, which is that of their time. None where there is no folder.
    pub fn names(&self) -> Result<Vec<String>, SweepError> {
        self.names_in(&self.folder)
    }

    /// Names of what was set aside.
    pub fn quarantined(&self) -> Result<Vec<String>, SweepError> {
        self.names_in(&self.quarantine())
    }

    /// The folder of what was set aside.
    pub fn quarantine(&self) -> PathBuf {
        self.folder.join(QUARANTINE)
    }

    fn names_in(&self, folder: &Path) -> Result<Vec<String>, SweepError> {
        let mut names = match self.disk.names(folder) {
            Ok(names) => names,
            Err(problem) if problem.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(source) => return Err(SweepError::StoreRead { path: folder.to_owned(), source }),
        };
        names.retain(|name| name.ends_with(ENDING));
        names.sort_unstable();
        Ok(names)
    }

    /// Everything in a segment, checked down to its checksum.
    pub fn read(&self, folder: &Path, name: &str) -> Result<Whole, Unusable> {
        let bytes = read_whole(&*self.disk, folder, name)?;
        let (length, mut rows) = (bytes.len() as u64, Vec::new());
        let header = decode_as_written(bytes, &mut |run| rows.push(run)).map_err(Unusable::Defect)?;
        Ok(Whole { header, rows, bytes: length })
    }

    /// Where the rows of a segment are from, and how many it has; the rows are not looked at.
    pub fn rows_of(&self, name: &str) -> Result<(Origin, usize), Unusable> {
        let bytes = read_whole(&*self.disk, &self.folder, name)?;
        let (header, rows) = header(bytes).map_err(Unusable::Defect)?;
        Ok((header.origin, rows))
    }

    /// The size of a file; 0 where it cannot be told.
    pub fn bytes(&self, path: &Path) -> u64 {
        self.disk.stat(path).map_or(0, |stat| stat.bytes)
    }

    /// Writes `rows` as one segment and reads them back, then removes `old`; returns the new segment's name, none for no rows.
    /// The new segment bears the time of the youngest old one, so that rows do not grow younger.
    ///
    /// # Errors
    /// Where anything fails. Nothing is removed before the new segment is known to be whole.
    pub fn replace(
        &self,
        old: &[String],
        rows: &[StoredRun],
        origin: &Origin,
    ) -> Result<Option<String>, SweepError> {
        let seconds = old.iter().filter_map(|name| NameParts::of(name)).map(|parts| parts.seconds).max();
        let new = if rows.is_empty() {
            None
        } else {
            let writer = StoreWriter::open_on(Arc::clone(&self.disk), &self.folder)?;
            let name = writer.write_from(rows, origin, seconds.unwrap_or(0))?;
            self.check(&name, rows.len())?;
            Some(name)
        };
        for name in old.iter().filter(|name| new.as_ref() != Some(*name)) {
            self.remove(&self.folder.join(name))?;
        }
        Ok(new)
    }

    /// Reads a segment back that was just written.
    fn check(&self, name: &str, rows: usize) -> Result<(), SweepError> {
        let path = self.folder.join(name);
        let reason = match self.read(&self.folder, name) {
            Ok(whole) if whole.rows.len() == rows => return Ok(()),
            Ok(whole) => format!("{} rows were written, {} came back", rows, whole.rows.len()),
            Err(unusable) => unusable.to_string(),
        };
        Err(SweepError::SegmentLost { path, reason })
    }

    /// Removes a file; that another process was faster is no error.
    ///
    /// # Errors
    /// [`SweepError::StoreWrite`].
    pub fn remove(&self, path: &Path) -> Result<(), SweepError> {
        match self.disk.remove(path) {
            Err(problem) if problem.kind() != io::ErrorKind::NotFound => {
                Err(SweepError::StoreWrite { path: path.to_owned(), source: problem })
            }
            _ => Ok(()),
        }
    }

    /// Moves a segment between the store and its quarantine.
    ///
    /// # Errors
    /// [`SweepError::StoreWrite`].
    pub fn move_to(&self, from: &Path, folder: &Path, name: &str) -> Result<(), SweepError> {
        let moved = self
            .disk
            .make_folder(folder)
            .and_then(|()| self.disk.rename(&from.join(name), &folder.join(name)))
            .and_then(|()| self.disk.sync_folder(folder));
        moved.map_err(|source| SweepError::StoreWrite { path: from.join(name), source })
    }
}
