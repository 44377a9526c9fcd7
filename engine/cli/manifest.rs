//! The manifest of an experiment's results: what was asked, when, where and with which program, which segments of the store answered,
//! and the hash of every file. It lies beside the tables and gets its name after them, so that hashes that do not match tell of files
//! that are not its own. It is the only file among the results that holds hosts, paths and times.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// The manifest's name in the folder of its experiment.
pub const FILE_NAME: &str = "manifest.json";

/// The version of this layout; a reader refuses later ones.
pub const VERSION: u32 = 1;

/// What is known of an experiment's results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The layout, [`VERSION`].
    pub manifest: u32,
    /// The study.
    pub study: String,
    /// The experiment's name.
    pub experiment: String,
    /// How the program was called.
    pub invocation: Invocation,
    /// The program.
    pub program: Program,
    /// What was asked.
    pub question: Question,
    /// The logs.
    pub traces: Traces,
    /// What became of the runs.
    pub runs: RunCounts,
    /// Where the answers were.
    pub store: StoreShare,
    /// What was odd when the files were written.
    pub warnings: Vec<String>,
    /// blake3 over all that decides the bytes of the files of this invocation: questions, answers and the program.
    pub inputs: String,
    /// Every table, figure and scorecard, by its path from the manifest's folder.
    pub files: BTreeMap<String, FileFacts>,
}

/// How the program was called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Invocation {
    /// Its words.
    pub command: Vec<String>,
    /// The working directory.
    pub directory: String,
    /// The host, named as in segments.
    pub host: String,
    /// Cores that the process may use.
    pub cores: usize,
    /// Simulations at a time.
    pub threads: usize,
    /// When it began; RFC 3339, UTC.
    pub begin: String,
    /// When the files were written; RFC 3339, UTC.
    pub end: String,
    /// Seconds between the two, by a clock that nobody sets.
    pub wall_s: f64,
}

/// The program that wrote the files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// blake3 of its file.
    pub executable: String,
    /// `release` or `debug`.
    pub profile: String,
    /// The platform it was compiled for.
    pub target: String,
    /// The compiler.
    pub rustc: String,
    /// The tables' schema.
    pub schema_version: u32,
    /// Fingerprints of the model's families.
    pub model: BTreeMap<String, String>,
}

/// What was asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The experiment file as it was named; of the program's own ones their path in its repository.
    pub file: String,
    /// blake3 of its text.
    pub experiment_hash: String,
    /// The scale, where one was asked for.
    pub scale: Option<String>,
    /// What was set on the command line.
    pub set: BTreeMap<String, String>,
}

/// The logs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Traces {
    /// The folder of the published logs, where one was given.
    pub folder: Option<String>,
    /// blake3 of every log and file that was used, by name.
    pub used: BTreeMap<String, Vec<String>>,
    /// Published logs that were not at hand; their runs were left out.
    pub absent: Vec<String>,
}

/// What became of the runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCounts {
    /// Runs of the experiment, those left out included.
    pub planned: usize,
    /// Answered by the store before this invocation.
    pub answered: usize,
    /// Answered since, by this invocation or by others at the same time.
    pub executed: usize,
    /// Of all, those that failed.
    pub failed: usize,
    /// Left out, because their log is not at hand.
    pub skipped: usize,
}

/// Where the answers were.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StoreShare {
    /// The store's folder.
    pub folder: String,
    /// The segments whose rows are in the tables.
    pub segments: BTreeMap<String, SegmentShare>,
}

/// What a segment gave.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentShare {
    /// Runs of the experiment that are answered from it.
    pub runs: usize,
    /// The host that wrote it.
    pub host: String,
    /// The process on that host.
    pub pid: u32,
    /// When it was written; RFC 3339, UTC.
    pub written: String,
    /// The version of the program that carried the runs out.
    pub build: String,
}

/// What identifies a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// blake3 of its bytes.
    pub blake3: String,
    /// Its length.
    pub bytes: u64,
}

/// Why there is no manifest to be read.
#[derive(Debug)]
pub enum Unread {
    /// There is none.
    Absent,
    /// It cannot be read, and why.
    Unusable(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Absent => f.write_str("there is none"),
            Unread::Unusable(reason) => f.write_str(reason),
        }
    }
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// Where there is none, or it is of a later version, or torn.
    pub fn read(path: &Path) -> Result<Manifest, Unread> {
        let text = std::fs::read_to_string(path).map_err(|problem| match problem.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => Unread::Absent,
            _ => Unread::Unusable(problem.to_string()),
        })?;
        Manifest::parse(&text)
    }

    fn parse(text: &str) -> Result<Manifest, Unread> {
        #[derive(Deserialize)]
        struct Layout {
            manifest: u32,
        }
        let unusable = |problem: serde_json::Error| Unread::Unusable(format!("it is no manifest: {problem}"));
        let Layout { manifest } = serde_json::from_str(text).map_err(unusable)?;
        if manifest > VERSION {
            return Err(Unread::Unusable(format!(
                "a later version of this program wrote it (layout {manifest})"
            )));
        }
        serde_json::from_str(text).map_err(unusable)
    }

    /// As text for its file.
    pub fn text(&self) -> String {
        // Every part of it has a form in JSON.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

#[cfg(test)]
pub fn example() -> Manifest {
    Manifest {
        manifest: VERSION,
        study: "s".to_owned(),
        experiment: "e".to_owned(),
        invocation: crate::invocation::Opening::now().close(None),
        program: crate::invocation::program("0"),
        question: Question {
            file: "e.ron".to_owned(),
            experiment_hash: "1".to_owned(),
            scale: None,
            set: BTreeMap::new(),
        },
        traces: Traces { folder: None, used: BTreeMap::new(), absent: Vec::new() },
        runs: RunCounts { planned: 3, executed: 3, ..RunCounts::default() },
        store: StoreShare::default(),
        warnings: Vec::new(),
        inputs: "2".to_owned(),
        files: BTreeMap::from([("runs.parquet".to_owned(), FileFacts { blake3: "3".to_owned(), bytes: 4 })]),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_manifest_is_read_as_written() {
        let manifest = example();
        assert_eq!(Manifest::parse(&manifest.text()).unwrap(), manifest);
    }

    #[test]
    fn what_is_no_manifest_is_refused() {
        let later = example().text().replace("\"manifest\": 1", "\"manifest\": 9");
        let reason = |text: &str| Manifest::parse(text).unwrap_err().to_string();
        assert!(reason(&later).contains("later version"), "{}", reason(&later));
        let text = example().text();
        for cut in (0..text.trim_end().len()).step_by(97) {
            assert!(reason(&text[..cut]).contains("no manifest"));
        }
        assert!(matches!(Manifest::read(Path::new("no/such/file")), Err(Unread::Absent)));
    }
}
