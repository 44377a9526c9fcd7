//! Arguments of `provenance`.

use clap::Args;
use std::path::PathBuf;

/// `provenance`.
#[derive(Args, Debug)]
#[command(after_help = "\
What a file says of itself is in its Parquet metadata: the experiment's text,
scale and what was set, the logs, the program and its model, by their hashes.
When, where and by which command it was made is in the manifest.json of its
experiment, which holds the hash of every file; a file that was changed since,
or a manifest of other results, is reported, with exit code 1.

Examples:
  backsweep provenance results/smoke/smoke/runs.parquet
  backsweep provenance results/*/*/claims.parquet --json
  backsweep provenance .backsweep/store/seg-*.parquet")]
pub struct ProvenanceArgs {
    /// Tables, segments of a store, figures or scorecards.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// A line of JSON for every file.
    #[arg(long)]
    pub json: bool,
}
