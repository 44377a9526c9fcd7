//! Arguments of `status`.

use super::{ExperimentArgs, OverrideArgs, StoreArg, TracesArg};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// `status`.
#[derive(Args, Debug)]
#[command(mut_arg("set", |arg| arg.requires("files")), mut_arg("scale", |arg| arg.requires("files")))]
#[command(after_help = "\
Only reads, and may be called at any time, also while others write. A process
is seen by what it has written: one that is busy with a long run is silent.
With experiment files it says how many of their runs are answered, and when the
rest will be at the recent rate.

Examples:
  backsweep status
  backsweep status my.ron --scale full --store /shared/store
  backsweep status my.ron --watch=30")]
pub struct StatusArgs {
    /// Experiment files.
    #[arg(value_name = "FILE.ron")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub overrides: OverrideArgs,
    #[command(flatten)]
    pub store: StoreArg,
    #[command(flatten)]
    pub traces: TracesArg,
    /// Look again every so many seconds, until every run of the experiments is answered.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = "10",
          value_parser = seconds)]
    pub watch: Option<Duration>,
    /// A line of JSON for every look.
    #[arg(long)]
    pub json: bool,
}

impl StatusArgs {
    /// The experiments asked for.
    pub fn experiments(&self) -> ExperimentArgs {
        ExperimentArgs { files: self.files.clone(), overrides: self.overrides.clone() }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(interval) if seconds >= 0.1 => Ok(interval),
        _ => Err("at least 0.1 is needed".to_owned()),
    }
}
