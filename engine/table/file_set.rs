//! Files that replace their predecessors together: all are written before the first one gets its name, so that a full disk leaves the
//! old ones as they were.

use crate::error::TableError;
use crate::pending_file::{SealedFile, directory_of, io_error, sync_directory};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Files written whole that wait for their names; dropped before [`FileSet::commit`], all of them are removed.
#[derive(Debug, Default)]
pub struct FileSet(Vec<SealedFile>);

impl FileSet {
    /// Adds a file; files get their names in the order in which they were added.
    pub fn add(&mut self, file: SealedFile) {
        self.0.push(file);
    }

    /// Adds the files of another set after its own.
    pub fn append(&mut self, mut other: FileSet) {
        self.0.append(&mut other.0);
    }

    /// The files, in order.
    pub fn files(&self) -> &[SealedFile] {
        &self.0
    }

    /// Gives all files their names, one after the other. If the process dies between two of them, the first ones are new and the others
    /// old; whoever must know keeps a list of their hashes in the last one.
    ///
    /// # Errors
    /// Where a file cannot be renamed, or a directory not be made durable; the files after it are removed.
    pub fn commit(self) -> Result<(), TableError> {
        let mut directories: BTreeSet<PathBuf> = BTreeSet::new();
        for file in self.0 {
            directories.insert(directory_of(file.target()).to_owned());
            file.rename()?;
        }
        for directory in directories {
            sync_directory(&directory).map_err(io_error("write the directory", &directory))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::PendingFile;
    use std::fs;
    use std::io::Write;
    use std::path::Path;

    fn sealed(target: &Path, text: &str) -> SealedFile {
        let mut pending = PendingFile::create(target).unwrap();
        pending.write_all(text.as_bytes()).unwrap();
        pending.seal().unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_changes_before_all_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "old").unwrap();
        let mut set = FileSet::default();
        set.add(sealed(&path("a"), "new"));
        set.add(sealed(&path("below/b"), "other"));
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "old");
        assert_eq!(set.files()[0].bytes(), 3);
        assert_eq!(set.files()[0].hash(), blake3::hash(b"new").to_hex().to_string());
        set.commit().unwrap();
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "new");
        assert_eq!(fs::read_to_string(path("below/b")).unwrap(), "other");
        assert_eq!(
            (names(folder.path()), names(&path("below"))),
            (vec!["a".into(), "below".into()], vec!["b".into()])
        );
    }

    #[test]
    fn a_set_that_is_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "old").unwrap();
        let mut set = FileSet::default();
        set.add(sealed(&path("a"), "new"));
        drop(set);
        assert_eq!(names(folder.path()), ["a"]);
        assert_eq!(fs::read_to_string(path("a")).unwrap(), "old");
    }

    #[test]
    fn what_comes_after_a_refused_rename_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        // A file cannot replace a folder.
        fs::create_dir_all(path("b/full")).unwrap();
        let mut set = FileSet::default();
        ["a", "b", "c"].iter().for_each(|name| set.add(sealed(&path(name), "new")));
        let problem = set.commit().unwrap_err();
        assert!(problem.to_string().contains("b"), "{problem}");
        assert_eq!(names(folder.path()), ["a", "b"]);
    }
}
