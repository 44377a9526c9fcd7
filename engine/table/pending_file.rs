//! Files that appear whole or not at all, also after a crash.

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
                    return Ok(PendingFile { file, temporary, target: target.to_owned(), committed: false });
                }
                // Left by a crashed process, or in use by one on another host of a shared file system.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(io_error("create", target)(error)),
            }
        }
    }

    /// Makes what was written durable and gives it its final name, replacing a file of that name in one step.
    pub fn commit(mut self) -> Result<(), TableError> {
        self.file.sync_all().map_err(io_error("write", &self.target))?;
        fs::rename(&self.temporary, &self.target).map_err(io_error("write", &self.target))?;
        self.committed = true;
        sync_directory(directory_of(&self.target)).map_err(io_error("write the directory of", &self.target))
    }
}

impl Write for PendingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if !self.committed {
            // Nothing better can be done here: the error that led here is already on its way.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// A rename is only durable once its directory is.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

#[cfg(not(unix))]
fn sync_directory(_directory: &Path) -> io::Result<()> {
    Ok(())
}

pub(crate) fn io_error(doing: &'static str, path: &Path) -> impl Fn(io::Error) -> TableError {
    let path = path.to_owned();
    move |source| TableError::Io { doing, path: path.clone(), source }
}
