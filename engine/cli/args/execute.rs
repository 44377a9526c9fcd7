//! How runs are carried out: the options that `run` and `reproduce` share.

use super::{StoreArg, TracesArg, parse, quantity};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use sweep::Shard;

/// How runs are carried out.
#[derive(Args, Debug)]
pub struct ExecuteArgs {
    /// The folder for tables, figures and the scorecard.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, default_value = "results")]
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
    #[command(flatten)]
    pub failures: FailureArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Run the I-th of N parts (1/N to N/N) on a store that all parts share, then what the others have not done; write no
    /// tables: the same command without --shard does, once the parts are done.
    #[arg(long, value_name = "I/N", value_parser = parse::shard)]
    pub shard: Option<Shard>,
}

/// What to do about runs that fail.
#[derive(Args, Debug)]
#[command(next_help_heading = "Failures")]
pub struct FailureArgs {
    /// Stop at the first run that fails [default: go on; a failed run is a row with its message].
    #[arg(long)]
    pub fail_fast: bool,
    /// Try a run, or the reading of its log, up to N more times before it counts as failed.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub retry: u32,
    /// Run again what failed in an earlier call [default: it stays a failed row].
    #[arg(long)]
    pub retry_failed: bool,
}

/// How long and how much.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitArgs {
    /// A run that takes longer counts as failed: 30m, 1h30m, 90s. Making its jobs does not count.
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub run_timeout: Option<Duration>,
    /// Memory that the process should not exceed, such as 8GB: above it no run is begun, and the youngest is given up and tried
    /// again alone. A run that exceeds it alone counts as failed. Workloads get half of it.
    #[arg(long, value_name = "SIZE", value_parser = quantity::size)]
    pub max_memory: Option<u64>,
    /// After this time, as on SIGUSR1, begin no more runs, and exit with 0; the same command goes on.
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub time_limit: Option<Duration>,
    /// How long runs in flight may go on after --time-limit or SIGUSR1, before they are given up.
    #[arg(long, value_name = "TIME", value_parser = quantity::duration, default_value = "30s")]
    pub grace: Duration,
}
