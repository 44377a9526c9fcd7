//! Files that appear whole or not at all, also after a crash: [`PendingFile`] while it is written, [`SealedFile`] once it is whole.

use crate::error::TableError;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tells files of one process apart.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// A file being written under a temporary name in its final directory. [`PendingFile::commit`] gives it its name; dropped
/// without that, it is removed.
#[derive(Debug)]
pub struct PendingFile {
    file: File,
    places: Places,
    hasher: blake3::Hasher,
    bytes: u64,
}

/// A file that was written whole and is durable, still under its temporary name; dropped before [`SealedFile::commit`], it is
/// removed.
#[derive(Debug)]
pub struct SealedFile {
    places: Places,
    hash: blake3::Hash,
    bytes: u64,
}

/// Where a file lies, and what it will replace.
#[derive(Debug)]
struct Places {
    temporary: PathBuf,
    target: PathBuf,
    committed: bool,
}

impl PendingFile {
    /// Opens a file that will replace `target`. Missing directories on the way are made. The temporary name is hidden and
    /// ends in `.tmp`, so that a pattern such as `*.parquet` never finds it.
    pub fn create(target: &Path) -> Result<PendingFile, TableError> {
        let directory = directory_of(target);
        fs::create_dir_all(directory).map_err(io_error("create the directory of", target))?;
        let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let temporary = directory.join(format!(".{name}.{}-{number}.tmp", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    let places = Places { temporary, target: target.to_owned(), committed: false };
                    return Ok(PendingFile { file, places, hasher: blake3::Hasher::new(), bytes: 0 });
                }
                // Left by a crashed process, or in use by one on another host of a shared file system.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io_error("create", target)(error)),
            }
        }
    }

    /// Makes what was written durable, without giving it its name yet.
    pub fn seal(self) -> Result<SealedFile, TableError> {
        self.file.sync_all().map_err(io_error("write", &self.places.target))?;
        Ok(SealedFile { places: self.places, hash: self.hasher.finalize(), bytes: self.bytes })
    }

    /// Makes what was written durable and gives it its final name, replacing a file of that name in one step.
    pub fn commit(self) -> Result<(), TableError> {
        self.seal()?.commit()
    }
}

impl SealedFile {
    /// The file that it will replace.
    pub fn target(&self) -> &Path {
        &self.places.target
    }

    /// blake3 of its bytes, in hexadecimal.
    pub fn hash(&self) -> String {
        self.hash.to_hex().to_string()
    }

    /// Its length in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Gives it its final name, replacing a file of that name in one step.
    pub fn commit(self) -> Result<(), TableError> {
        let directory = directory_of(self.target()).to_owned();
        let target = self.target().to_owned();
        self.rename()?;
        sync_directory(&directory).map_err(io_error("write the directory of", &target))
    }

    /// As [`SealedFile::commit`]; the new name is durable only once the directory is.
    pub(crate) fn rename(mut self) -> Result<(), TableError> {
        fs::rename(&self.places.temporary, &self.places.target)
            .map_err(io_error("write", &self.places.target))?;
        self.places.committed = true;
        Ok(())
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        if !self.committed {
            // Nothing better can be done here: the error that led here is already on its way.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

pub(crate) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A rename is only durable once its directory is.
#[cfg(unix)]
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

#[cfg(not(unix))]
pub(crate) fn sync_directory(_directory: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn io_error(doing: &'static str, path: &Path) -> impl Fn(io::Error) -> TableError {
    let path = path.to_owned();
    move |source| TableError::Io { doing, path: path.clone(), source }
}
