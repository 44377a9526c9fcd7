//! `slurm` and its verbs.

use super::execute::FailureArgs;
use super::{ExperimentArgs, StoreArg, TracesArg, parse, quantity};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;
use sweep::slurm::{WallTime, is_plain_line};

/// `slurm`.
#[derive(Subcommand, Debug)]
pub enum SlurmVerb {
    /// Print the batch scripts of the array and of the merge job.
    Script(SlurmScriptArgs),
    /// Submit a sweep as one or more job arrays and a merge job.
    Submit(SlurmSubmitArgs),
    /// Say what has become of a submission: elements by Slurm, runs by the store.
    Status(SlurmStatusArgs),
    /// Cancel what is left of a submission.
    Cancel(SlurmCancelArgs),
}

/// A sweep, and how its jobs shall be.
#[derive(Args, Debug)]
pub struct SlurmJobArgs {
    #[command(flatten)]
    pub experiments: ExperimentArgs,
    /// The folder for tables, figures and the scorecard; all nodes must see it.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, default_value = "results")]
    pub out: PathBuf,
    #[command(flatten)]
    pub store: StoreArg,
    #[command(flatten)]
    pub traces: TracesArg,
    /// Simulations at a time per element [default: its cores].
    #[arg(long, value_name = "N", value_parser = parse::positive)]
    pub jobs: Option<usize>,
    /// Elements of the array, one job each [default: by expected time, half an hour each].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4_000_000))]
    pub elements: Option<u32>,
    #[command(flatten)]
    pub failures: FailureArgs,
    /// A run that takes longer counts as failed: 30m, 1h30m, 90s.
    #[arg(long, value_name = "TIME", value_parser = quantity::duration, help_heading = "Limits")]
    pub run_timeout: Option<Duration>,
    /// Memory that an element should not exceed, such as 8GB.
    #[arg(long, value_name = "SIZE", value_parser = quantity::size, help_heading = "Limits")]
    pub max_memory: Option<u64>,
    #[command(flatten)]
    pub limits: SlurmLimitArgs,
}

/// What is asked of Slurm for each job.
#[derive(Args, Debug)]
#[command(next_help_heading = "Slurm")]
pub struct SlurmLimitArgs {
    /// Time limit of each job, such as 08:00:00 [default: the partition's].
    #[arg(long, value_name = "TIME")]
    pub time: Option<WallTime>,
    /// Cores of each job [default: the site's, mostly 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub cpus_per_task: Option<u32>,
    /// Memory of each job, such as 4G.
    #[arg(long, value_name = "SIZE", value_parser = line)]
    pub mem: Option<String>,
    /// The partition.
    #[arg(long, value_name = "NAME", value_parser = line)]
    pub partition: Option<String>,
    /// The account.
    #[arg(long, value_name = "NAME", value_parser = line)]
    pub account: Option<String>,
    /// The quality of service.
    #[arg(long, value_name = "NAME", value_parser = line)]
    pub qos: Option<String>,
    /// A further option of sbatch as in a script, such as --sbatch-arg=--constraint=skylake; may be repeated.
    #[arg(long, value_name = "OPTION", value_parser = option, allow_hyphen_values = true)]
    pub sbatch_arg: Vec<String>,
}

/// One of the scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScriptPart {
    Array,
    Merge,
}

/// `slurm script`.
#[derive(Args, Debug)]
#[command(after_help = "\
Without --part both scripts are printed, one after the other.

Example, what `submit` does by hand:
  backsweep slurm script my.ron --elements 40 --part array > array.sh
  backsweep slurm script my.ron --elements 40 --part merge > merge.sh
  sbatch --parsable array.sh            prints a job id
  sbatch --dependency=afterany:ID merge.sh")]
pub struct SlurmScriptArgs {
    #[command(flatten)]
    pub job: SlurmJobArgs,
    /// Print only this one.
    #[arg(long, value_name = "PART")]
    pub part: Option<ScriptPart>,
}

/// `slurm submit`.
#[derive(Args, Debug)]
#[command(after_help = "\
Each element carries out its share of the sweep, then what others have left.
The merge job starts when all have ended, however that was, carries out what is
left, and writes the tables. More elements than the site allows in an array
(MaxArraySize) become several arrays. Scripts, logs and a record of the job ids
are kept in the folder `slurm` beside the store. Store, results and program must
be on a file system that all nodes share.

Examples:
  backsweep slurm submit my.ron --time 08:00:00 --cpus-per-task 16 --dry-run
  backsweep slurm submit my.ron --elements 40 --time 08:00:00 --partition long")]
pub struct SlurmSubmitArgs {
    #[command(flatten)]
    pub job: SlurmJobArgs,
    /// Print what would be submitted, and submit nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// Which submission.
#[derive(Args, Debug)]
pub struct SubmissionArg {
    /// Its name, as `submit` prints it [default: the latest].
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    #[command(flatten)]
    pub store: StoreArg,
}

/// `slurm status`.
#[derive(Args, Debug)]
#[command(after_help = "\
Slurm forgets ended jobs after some minutes and drops waiting elements that are
cancelled, so an element that it does not know is `unknown`, not done. What is
done is what the store answers.")]
pub struct SlurmStatusArgs {
    #[command(flatten)]
    pub submission: SubmissionArg,
    /// One line of JSON, with every element.
    #[arg(long)]
    pub json: bool,
}

/// `slurm cancel`.
#[derive(Args, Debug)]
#[command(after_help = "Runs that are done stay in the store; the same `submit` goes on from there.")]
pub struct SlurmCancelArgs {
    #[command(flatten)]
    pub submission: SubmissionArg,
}

/// A value that stands in one line of a script.
fn line(text: &str) -> Result<String, String> {
    match is_plain_line(text) {
        true => Ok(text.to_owned()),
        false => Err("expected one line of plain text".to_owned()),
    }
}

/// An option as `sbatch` knows it.
fn option(text: &str) -> Result<String, String> {
    match line(text)? {
        text if text.starts_with('-') => Ok(text),
        _ => Err("expected an option of sbatch, such as --sbatch-arg=--constraint=skylake".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_sbatch_begin_with_a_hyphen() {
        assert_eq!(option("--exclude=n1"), Ok("--exclude=n1".to_owned()));
        assert!(option("n1").is_err() && option("--a\nb").is_err() && line("").is_err());
    }
}
