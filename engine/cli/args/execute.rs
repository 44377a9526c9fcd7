//! How runs are carried out: the options that `run` and `reproduce` share.

use super::{StoreArg, TracesArg, parse};
use clap::Args;
use std::path::PathBuf;
use sweep::Shard;

/// How runs are carried out.
#[derive(Args, Debug)]
pub struct ExecuteArgs {
    /// The folder for tables, figures and the scorecard.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    #[command(flatten)]
    pub store: StoreArg,
    #[command(flatten)]
    pub traces: TracesArg,
    /// Simulations at a time [default: one per core].
    #[arg(long, value_name = "N", value_parser = parse::positive)]
    pub jobs: Option<usize>,
    /// Runs that are written to the store at a time; none waits longer than five seconds [default: 500].
    #[arg(long, value_name = "RUNS", value_parser = parse::positive)]
    pub flush_every: Option<usize>,
    /// Stop at the first run that fails.
    #[arg(long)]
    pub fail_fast: bool,
    /// Run the I-th of N parts (1/N to N/N) on a store that all parts share; write no tables: the same command without --shard
    /// does, once the parts are done.
    #[arg(long, value_name = "I/N", value_parser = parse::shard)]
    pub shard: Option<Shard>,
}
