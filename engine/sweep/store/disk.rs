//! Every file operation of the store, behind one narrow seam, so that tests can let any of them fail.

use std::fmt::Debug;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

/// What the store asks of a file system. A folder and the files in it; nothing is ever changed in place.
pub(super) trait Disk: Debug + Send + Sync {
    /// The names in a folder that are text, in no order.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// Length and age of a file.
    fn stat(&self, path: &Path) -> io::Result<Stat>;
    /// All bytes of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// A new, empty file; fails where there is one.
    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile>>;
    /// Gives a file another name, in the same or another folder.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()>;
    /// Makes a folder and those above it, where they do not exist.
    fn make_folder(&self, folder: &Path) -> io::Result<()>;
    /// Makes the names in a folder durable.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;
}

/// A file that is being written.
pub(super) trait NewFile {
    /// Appends.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Makes what was written durable.
    fn sync(&mut self) -> io::Result<()>;
}

/// Length and age of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    /// Length in bytes.
    pub bytes: u64,
    /// When it was last written to; none where the file system does not say.
    pub modified: Option<SystemTime>,
}

/// The operating system's file system.
#[derive(Clone, Copy, Debug)]
pub(super) struct RealDisk;

impl Disk for RealDisk {
    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            names.extend(entry?.file_name().into_string());
        }
        Ok(names)
    }

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        let metadata = fs::metadata(path)?;
        Ok(Stat { bytes: metadata.len(), modified: metadata.modified().ok() })
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile>> {
        Ok(Box::new(File::create_new(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    }
}

impl NewFile for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}
