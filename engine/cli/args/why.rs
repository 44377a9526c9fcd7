//! `why`.

use super::{ExperimentArgs, OverrideArgs, StoreArg, TracesArg};
use clap::Args;
use std::path::PathBuf;

/// `why`.
#[derive(Args, Debug)]
#[command(after_help = "\
FILTER is a condition as in exclude and only, on axes, fields, replication, seed
or mode, or the first digits of a run key. With a key and no FILE the stored run
under it is described.

Examples:
  backsweep why my.ron                         the runs that are not answered
  backsweep why my.ron 'policy = Easy() and load > 0.8' --limit 10
  backsweep why my.ron 3f2a9c
  backsweep why 3f2a9c")]
pub struct WhyArgs {
    /// Experiment files, conditions, beginnings of keys.
    #[arg(required = true, value_name = "FILE.ron|FILTER", value_hint = clap::ValueHint::FilePath)]
    pub asked: Vec<String>,
    #[command(flatten)]
    pub overrides: OverrideArgs,
    #[command(flatten)]
    pub store: StoreArg,
    #[command(flatten)]
    pub traces: TracesArg,
    /// How many runs are shown.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub limit: usize,
    /// A line of JSON per run instead of text.
    #[arg(long)]
    pub json: bool,
}

impl WhyArgs {
    /// The experiments among what is asked.
    pub fn experiments(&self) -> ExperimentArgs {
        let is_file = |text: &&String| text.ends_with(".ron");
        let files = self.asked.iter().filter(is_file).map(PathBuf::from).collect();
        ExperimentArgs { files, overrides: self.overrides.clone() }
    }

    /// The conditions and keys among what is asked.
    pub fn filters(&self) -> impl Iterator<Item = &str> {
        self.asked.iter().map(String::as_str).filter(|text| !text.ends_with(".ron"))
    }
}
