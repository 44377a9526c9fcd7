//! Arguments of `store`.

use super::{RevalidateArgs, StoreArg, TracesArg, quantity};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;

/// `store`.
#[derive(Subcommand, Debug)]
pub enum StoreVerb {
    /// List the segments: when, where and by which build they were written.
    Ls(LsArgs),
    /// Read everything and say what is wrong; touch nothing.
    Verify(LsArgs),
    /// Set aside what cannot be used, take back what can, clean up after killed processes.
    Repair(RepairArgs),
    /// Remove results by age, by size, or because no experiment asks for them.
    Gc(GcArgs),
    /// Merge many small segments into few large ones.
    Compact(CompactArgs),
    /// After a change of the model that changes no result: run a sample again, and keep all results if it says so.
    Revalidate(RevalidateArgs),
}

/// `store ls` and `store verify`.
#[derive(Args, Debug)]
pub struct LsArgs {
    #[command(flatten)]
    pub store: StoreArg,
    /// One line of JSON.
    #[arg(long)]
    pub json: bool,
}

/// `store repair`.
#[derive(Args, Debug)]
#[command(after_help = "\
A segment that is torn or altered is moved to quarantine/: nothing in it is
believed, and its runs are run again when they are next asked for. A segment in
quarantine/ that has turned out to be sound is taken back. Others may use the
store meanwhile.")]
pub struct RepairArgs {
    #[command(flatten)]
    pub store: StoreArg,
    /// Remove all results of runs that have several, so that they are run again.
    #[arg(long)]
    pub drop_contradicted: bool,
}

/// `store gc`.
#[derive(Args, Debug)]
#[command(after_help = "\
Says what would go, and removes nothing without --delete. At least one of
--older-than, --max-size and --keep is needed:
  --older-than, --max-size   whole segments, the oldest first
  --keep                     what the experiments ask for, at any of their
                             scales, stays in any case; alone: all else goes
Results of --set are not in a file: repeat it. Sizes: 500MB, 2GB, 8GiB; lengths
of time: 12h, 30d.

Examples:
  backsweep store gc --older-than 90d
  backsweep store gc --keep a.ron --keep b.ron --max-size 2GB --delete")]
pub struct GcArgs {
    #[command(flatten)]
    pub store: StoreArg,
    /// Only results that were written longer ago.
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub older_than: Option<Duration>,
    /// Only as many as must go for the store to fit into this size.
    #[arg(long, value_name = "SIZE", value_parser = quantity::size)]
    pub max_size: Option<u64>,
    /// Never what this experiment asks for; may be repeated.
    #[arg(long, value_name = "FILE.ron")]
    pub keep: Vec<PathBuf>,
    /// Set an axis of the kept experiments, as in `run`; may be repeated.
    #[arg(long, value_name = "AXIS=V,…", value_parser = super::parse::assignment, requires = "keep")]
    pub set: Vec<(String, String)>,
    #[command(flatten)]
    pub traces: TracesArg,
    /// Say what would go; the default.
    #[arg(long, conflicts_with = "delete")]
    pub dry_run: bool,
    /// Remove it.
    #[arg(long)]
    pub delete: bool,
}

/// `store compact`.
#[derive(Args, Debug)]
#[command(after_help = "\
Nothing is lost if it is stopped at any moment, and others may use the store
meanwhile: a segment is removed only after its rows have been read back from
the merged one.")]
pub struct CompactArgs {
    #[command(flatten)]
    pub store: StoreArg,
    /// Say what would be merged.
    #[arg(long)]
    pub dry_run: bool,
}
