//! Arguments of `report`.

use super::offered::{self, offered};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// `report`.
#[derive(Args, Debug)]
#[command(after_help = "\
Writes index.html into the folder of --out, from what `run` and `reproduce` left
there, and runs nothing: the scorecard by study, what was measured for every
claim, the figures and published tables that show it, the assumptions, and how
the results were made. The page is one file, without network.

What is missing or was changed since it was written is told on the page and
here, with exit code 1; experiments that were not run are told on the page.

Examples:
  backsweep report
  backsweep report pascual --out results")]
pub struct ReportArgs {
    /// Studies [default: all that have results].
    #[arg(value_name = "STUDY", value_parser = offered(offered::word, offered::studies))]
    pub studies: Vec<String>,
    /// The folder of the results, and of the page.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, default_value = "results")]
    pub out: PathBuf,
}
