//! `plan`.

use super::{ExperimentArgs, StoreArg, TracesArg, parse};
use clap::Args;

/// `plan`.
#[derive(Args, Debug)]
#[command(after_help = "\
The expected time comes from the wall times of earlier runs in the store.
--explain counts why runs are missing: failed before, model code changed,
workload changed, replication or seed new, axis value new, never run.
--json prints one line: {\"runs\":240,\"cached\":200,\"missing\":40,…}

Examples:
  backsweep plan my.ron --scale full
  backsweep plan my.ron --explain")]
pub struct PlanArgs {
    #[command(flatten)]
    pub experiments: ExperimentArgs,
    #[command(flatten)]
    pub store: StoreArg,
    #[command(flatten)]
    pub traces: TracesArg,
    /// Simulations at a time, for the expected time [default: one per core].
    #[arg(long, value_name = "N", value_parser = parse::positive)]
    pub jobs: Option<usize>,
    /// Say why runs are missing.
    #[arg(long)]
    pub explain: bool,
    /// One line of JSON instead of a table.
    #[arg(long)]
    pub json: bool,
}
