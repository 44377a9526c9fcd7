//! `store revalidate`.

use super::{ExperimentArgs, OverrideArgs, StoreArg, TracesArg, parse};
use clap::Args;
use std::path::PathBuf;

/// `store revalidate`.
#[derive(Args, Debug)]
#[command(mut_arg("set", |arg| arg.requires("files")), mut_arg("scale", |arg| arg.requires("files")))]
#[command(after_help = "\
After a change of the model that should change no result: a sample of the runs
that it made stale is run again. If every one comes out bit-identical, the stale
rows are written again as rows of the present model, and nothing else needs to
be run. If one differs, no row is, whose model shares a changed part with it,
and the exit code is 1. Each kind of change has a run in the sample at least.

Examples:
  backsweep store revalidate --sample 50 --dry-run
  backsweep store revalidate my.ron --sample 200")]
pub struct RevalidateArgs {
    /// Experiment files; only their runs [default: all of the store].
    #[arg(value_name = "FILE.ron")]
    pub files: Vec<PathBuf>,
    /// How many runs are run again.
    #[arg(long, value_name = "N", value_parser = parse::positive)]
    pub sample: usize,
    /// Which sample is drawn.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Run the sample, write nothing.
    #[arg(long)]
    pub dry_run: bool,
    #[command(flatten)]
    pub overrides: OverrideArgs,
    #[command(flatten)]
    pub store: StoreArg,
    #[command(flatten)]
    pub traces: TracesArg,
    /// Simulations at a time [default: one per core].
    #[arg(long, value_name = "N", value_parser = parse::positive)]
    pub jobs: Option<usize>,
}

impl RevalidateArgs {
    /// The experiments asked for.
    pub fn experiments(&self) -> ExperimentArgs {
        ExperimentArgs { files: self.files.clone(), overrides: self.overrides.clone() }
    }
}
