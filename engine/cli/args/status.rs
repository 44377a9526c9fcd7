//! Arguments of `status`.

use super::{ExperimentArgs, StoreArg, TracesArg, parse};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// `status`.
#[derive(Args, Debug)]
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
    /// Set a field or the values of an axis, as for `run`.
    #[arg(long, value_name = "AXIS=V,…", value_parser = parse::assignment, requires = "files")]
    pub set: Vec<(String, String)>,
    /// One of the experiment's scales.
    #[arg(long, value_name = "SCALE", requires = "files")]
    pub scale: Option<String>,
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
        ExperimentArgs { files: self.files.clone(), set: self.set.clone(), scale: self.scale.clone() }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(interval) if seconds >= 0.1 => Ok(interval),
        _ => Err("at least 0.1 is needed".to_owned()),
    }
}
