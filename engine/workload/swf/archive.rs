//! The published logs the project knows: their canonical names, hashes, and where they are found.
//!
//! Source: Parallel Workloads Archive, <https://www.cs.huji.ac.il/labs/parallel/workload/>. The logs are not part of this
//! project; their content is pinned by hash, so that a result names exactly what it was computed from.

use super::read::{hashes, visit_hashed};
use super::record::{Header, Record};
use crate::WorkloadError;
use std::path::{Path, PathBuf};

/// The archive's address; a log's own path follows.
pub const BASE_URL: &str = "https://www.cs.huji.ac.il/labs/parallel/workload/";

/// A log of the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownLog {
    /// Canonical name, without `.swf.gz`.
    pub name: &'static str,
    /// The machine in words.
    pub machine: &'static str,
    /// Processors the log counts.
    pub processors: u32,
    /// Records in the log.
    pub records: u64,
    /// SHA-256 of the uncompressed bytes, hexadecimal.
    pub sha256: &'static str,
    /// The archive's folder.
    folder: &'static str,
}

/// The known logs, by name.
pub const KNOWN_LOGS: [KnownLog; 5] = [
    KnownLog {
        name: "CTC-SP2-1996-3.1-cln",
        machine: "IBM SP2, Cornell Theory Center",
        processors: 338,
        records: 77_222,
        sha256: "8e33a9b597e1ddda2d2164347bac08c9444e1a2620a7947df52f0a1622ec4cde",
        folder: "l_ctc_sp2",
    },
    KnownLog {
        name: "HPC2N-2002-2.2-cln",
        machine: "Seth, Linux cluster, HPC2N Umeå",
        processors: 240,
        records: 202_871,
        sha256: "77b8993c73ae438385f6c0015708251f52dc316267b03ac19a406fbea2802afa",
        folder: "l_hpc2n",
    },
    KnownLog {
        name: "LANL-CM5-1994-4.1-cln",
        machine: "Connection Machine CM-5, Los Alamos",
        processors: 1024,
        records: 122_060,
        sha256: "4766a62dabcc7403ec0a55534aff297203e692ddbf6637bd40100a3800f6354a",
        folder: "l_lanl_cm5",
    },
    KnownLog {
        name: "LLNL-Thunder-2007-1.1-cln",
        machine: "Thunder, Linux cluster, Lawrence Livermore",
        processors: 4008,
        records: 121_039,
        sha256: "aad5a3120a6adf0342d46fb4830e022121cdfbd3de9ecdd9cf10145b8864b6a5",
        folder: "l_llnl_thunder",
    },
    KnownLog {
        name: "SDSC-BLUE-2000-4.2-cln",
        machine: "Blue Horizon, IBM SP, San Diego Supercomputer Center",
        processors: 1152,
        records: 243_306,
        sha256: "13892839f430583231a14bb811fd50a31b5b529eb37faacdbbefb71e73390e3e",
        folder: "l_sdsc_blue",
    },
];

impl KnownLog {
    /// The log with this canonical name.
    ///
    /// # Errors
    /// [`WorkloadError::UnknownLog`] with the known names.
    pub fn named(name: &str) -> Result<&'static KnownLog, WorkloadError> {
        KNOWN_LOGS.iter().find(|log| log.name == name).ok_or_else(|| WorkloadError::UnknownLog {
            name: name.to_owned(),
            known: KNOWN_LOGS.iter().map(|log| log.name.to_owned()).collect(),
        })
    }

    /// The file name in the archive, gzip-compressed.
    pub fn file_name(&self) -> String {
        format!("{}.swf.gz", self.name)
    }

    /// The path below the archive's (or a mirror's) base address.
    pub fn url_path(&self) -> String {
        format!("{}/{}", self.folder, self.file_name())
    }

    /// The address in the archive.
    pub fn url(&self) -> String {
        format!("{BASE_URL}{}", self.url_path())
    }

    /// Checks that a file, plain or gzip, holds this log, and returns the blake3 hash of its uncompressed bytes.
    ///
    /// # Errors
    /// [`WorkloadError::WrongContent`] with both hashes, or [`WorkloadError::Unreadable`].
    pub fn verify(&self, path: &Path) -> Result<[u8; 32], WorkloadError> {
        let (blake3, sha256) = hashes(path)?;
        self.compare(path, sha256)?;
        Ok(blake3)
    }

    /// Reads the log from a file and checks that it is this one.
    pub(crate) fn visit(&self, path: &Path, visit: impl FnMut(&Record)) -> Result<Header, WorkloadError> {
        let (header, sha256) = visit_hashed(path, visit)?;
        self.compare(path, sha256)?;
        Ok(header)
    }

    fn compare(&self, path: &Path, found: String) -> Result<(), WorkloadError> {
        if found == self.sha256 {
            return Ok(());
        }
        Err(WorkloadError::WrongContent {
            name: self.name.to_owned(),
            path: path.to_owned(),
            expected: self.sha256.to_owned(),
            found,
        })
    }
}

/// The directory in which the published logs lie; may be none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceDir(Option<PathBuf>);

impl TraceDir {
    /// Logs are searched in this directory; with `None`, none is found.
    pub fn new(directory: Option<PathBuf>) -> TraceDir {
        TraceDir(directory)
    }

    /// No directory: no log is found.
    pub fn none() -> TraceDir {
        TraceDir(None)
    }

    /// The directory.
    pub fn path(&self) -> Option<&Path> {
        self.0.as_deref()
    }

    /// The file of a known log: `NAME.swf.gz`, else `NAME.swf`. Its content is not looked at.
    ///
    /// # Errors
    /// [`WorkloadError::UnknownLog`] or [`WorkloadError::MissingLog`].
    pub fn find(&self, name: &str) -> Result<PathBuf, WorkloadError> {
        let log = KnownLog::named(name)?;
        let candidates = [log.file_name(), format!("{name}.swf")];
        let directory = self.0.as_ref();
        directory
            .into_iter()
            .flat_map(|directory| candidates.iter().map(|file| directory.join(file)))
            .find(|path| path.is_file())
            .ok_or_else(|| WorkloadError::MissingLog { name: name.to_owned(), directory: self.0.clone() })
    }

    /// Whether a known log's file is there.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn the_registry_is_sorted_and_well_formed() {
        assert!(KNOWN_LOGS.windows(2).all(|pair| pair[0].name < pair[1].name));
        for log in KNOWN_LOGS {
            assert!(log.sha256.len() == 64 && log.sha256.bytes().all(|b| b.is_ascii_hexdigit()));
            assert_eq!(KnownLog::named(log.name).unwrap(), &log);
        }
        let url = "https://www.cs.huji.ac.il/labs/parallel/workload/l_hpc2n/HPC2N-2002-2.2-cln.swf.gz";
        assert_eq!(KnownLog::named("HPC2N-2002-2.2-cln").unwrap().url(), url);
    }

    #[test]
    fn gzip_is_preferred_to_plain() {
        let directory = tempfile::tempdir().unwrap();
        let traces = TraceDir::new(Some(directory.path().to_owned()));
        let name = "CTC-SP2-1996-3.1-cln";
        assert!(matches!(traces.find(name), Err(WorkloadError::MissingLog { directory: Some(_), .. })));
        std::fs::write(directory.path().join(format!("{name}.swf")), "x").unwrap();
        assert!(traces.find(name).unwrap().ends_with(format!("{name}.swf")));
        std::fs::write(directory.path().join(format!("{name}.swf.gz")), "x").unwrap();
        assert!(traces.find(name).unwrap().ends_with(format!("{name}.swf.gz")));
    }

    #[test]
    fn errors_say_what_is_known_and_where_it_was_searched() {
        let unknown = TraceDir::none().find("KTH").unwrap_err().to_string();
        assert!(unknown.starts_with("unknown log `KTH`; known: CTC-SP2-1996-3.1-cln, HPC2N"), "{unknown}");
        let missing = TraceDir::none().find("HPC2N-2002-2.2-cln").unwrap_err().to_string();
        assert_eq!(missing, "log `HPC2N-2002-2.2-cln` not found: no trace directory is given");
    }

    #[test]
    fn other_content_names_both_hashes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "1 2 3\n").unwrap();
        let log = KnownLog::named("HPC2N-2002-2.2-cln").unwrap();
        let text = log.verify(file.path()).unwrap_err().to_string();
        let found = "1def07dbe06eeb097aafec8a40329937cd20c93a83634b8221ea2b41a894310c";
        assert!(text.contains(log.sha256) && text.contains(found), "{text}");
    }
}
