//! What was submitted, as it is written down for `status` and `cancel`.

use super::WallTime;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// One array of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArrayJob {
    /// Its job id.
    pub job: u32,
    /// What is added to an index to get the number of the element.
    pub offset: u32,
    /// Its elements; their indexes begin with 1.
    pub size: u32,
}

/// What was submitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Submission {
    /// Layout of this record.
    pub format: u32,
    /// The program that wrote it.
    pub backsweep: String,
    /// Seconds since 1970.
    pub submitted_unix_s: u64,
    /// Elements asked for, over all arrays.
    pub elements: u32,
    /// The arrays that Slurm took, in the order of their offsets.
    pub arrays: Vec<ArrayJob>,
    /// The job id of the merge job, once Slurm took it.
    pub merge: Option<u32>,
    /// Why Slurm refused the rest, if it did.
    pub refused: Option<String>,
    /// The time limit of each job, if one was asked for.
    pub time: Option<WallTime>,
    /// The folder in which the commands run.
    pub folder: PathBuf,
    /// Experiment files.
    pub files: Vec<PathBuf>,
    /// Hash of the text of each experiment, by study and name, when it was submitted.
    pub experiments: Vec<(String, String)>,
    /// Fields and axes that were set.
    pub set: Vec<(String, String)>,
    /// The scale, if one was chosen.
    pub scale: Option<String>,
    /// The folder of the logs, if one was given.
    pub traces: Option<PathBuf>,
    /// The shared store.
    pub store: PathBuf,
    /// The folder for the tables.
    pub out: PathBuf,
    /// The whole command of the merge job, for the shell.
    pub command: String,
}

impl Submission {
    /// The layout that this program writes and reads.
    pub const FORMAT: u32 = 1;

    /// All job ids, the merge job's last.
    pub fn jobs(&self) -> Vec<u32> {
        self.arrays.iter().map(|array| array.job).chain(self.merge).collect()
    }

    /// Elements that Slurm took.
    pub fn taken(&self) -> u32 {
        self.arrays.iter().map(|array| array.size).sum()
    }

    /// The merge job's dependency: it starts when every array has ended, however that was.
    pub fn dependency(&self) -> Option<String> {
        let jobs: Vec<String> = self.arrays.iter().map(|array| array.job.to_string()).collect();
        (!jobs.is_empty()).then(|| format!("afterany:{}", jobs.join(":")))
    }
}

/// The job id that `sbatch --parsable` prints, `123` or `123;cluster`, after whatever a site's plugins print.
pub fn job_id(out: &str) -> Option<u32> {
    let last = out.lines().rev().find(|line| !line.trim().is_empty())?;
    last.split(';').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_job_id_is_on_the_last_line() {
        assert_eq!(job_id("4711\n"), Some(4711));
        assert_eq!(job_id("4711;north\n\n"), Some(4711));
        assert_eq!(job_id("your project has 12 hours left\n4711\n"), Some(4711));
        assert_eq!(job_id("Submitted batch job 4711\n"), None);
        assert_eq!(job_id(""), None);
    }
}
