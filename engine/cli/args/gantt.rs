//! Arguments of `gantt`.

use super::jobs::CaseArgs;
use super::{OverrideArgs, TracesArg, quantity};
use clap::{ArgGroup, Args, ValueEnum};
use report::gantt::Colouring;
use std::path::PathBuf;

const USAGE: &str = "\
backsweep gantt FILE.ron [FILTER]… [OPTIONS] -o FILE.svg|.html
       backsweep gantt --case CASE.ron [--swf FILE | --model MODEL] [OPTIONS] -o FILE.svg|.html
       backsweep gantt --swf FILE --nodes N --policy POLICY [OPTIONS] -o FILE.svg|.html";

const EXAMPLES: &str = "\
The run is simulated again; the store is not needed. FILTER is a condition as
in exclude and only, on axes, fields, replication, seed or mode, or the first
digits of a run key; one run must be left. Without FILE.ron the case is given as
for simulate. Loading is hatched, memory that is swapped out is a stroke, slices
begin at lines and are named at the top.

The .svg is a picture: what is smaller than a pixel is drawn together. The .html
is a page that needs nothing else: it zooms (wheel, + −, with Shift or i o the
nodes), moves (drag, arrows), and tells the facts of the job under the mouse.

Examples:
  backsweep gantt my.ron 'policy = Easy() and load = 0.8' --filter 'seed = 17' \\
      -o easy.html
  backsweep gantt my.ron 3f2a9c --from 2d --to 2d12h --colour wait -o part.svg
  backsweep gantt --model lublin-feitelson --nodes 128 --n-jobs 10000 \\
      --policy easy -o synthetic.html";

/// `gantt`.
#[derive(Args, Debug)]
#[command(
    override_usage = USAGE,
    after_help = EXAMPLES,
    group = ArgGroup::new("setup").args(["asked", "case", "nodes"]).required(true).multiple(false),
)]
pub struct GanttArgs {
    /// Experiment files, conditions, beginnings of keys.
    #[arg(value_name = "FILE.ron|FILTER", value_hint = clap::ValueHint::FilePath, conflicts_with_all = ["CaseArgs", "jobs_from", "ShapeArgs", "RuleArgs"])]
    pub asked: Vec<String>,
    /// A condition or the beginning of a key, as beside FILE.ron; may be repeated, and all must hold.
    #[arg(long, value_name = "FILTER", requires = "asked")]
    pub filter: Vec<String>,
    #[command(flatten)]
    pub overrides: OverrideArgs,
    /// Show what happens from this time of the workload on: seconds, or 2d, 36h, 1h30m [default: the first submission].
    #[arg(long, value_name = "T", value_parser = quantity::instant)]
    pub from: Option<i64>,
    /// Show what happens up to this time [default: the last end].
    #[arg(long, value_name = "T", value_parser = quantity::instant)]
    pub to: Option<i64>,
    /// What colours say: the class by run time, the wait, or which job it is. A page can change it.
    #[arg(long, value_name = "WHAT", default_value = "class")]
    pub colour: Colour,
    /// Where to draw: a picture (.svg) or a page (.html).
    #[arg(short, long, value_name = "FILE.svg|.html")]
    pub output: PathBuf,
    #[command(flatten)]
    pub traces: TracesArg,
    #[command(flatten, next_help_heading = "A case in place of an experiment")]
    pub case: CaseArgs,
}

/// What colours say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    Class,
    Wait,
    Job,
}

impl From<Colour> for Colouring {
    fn from(colour: Colour) -> Colouring {
        match colour {
            Colour::Class => Colouring::Class,
            Colour::Wait => Colouring::Wait,
            Colour::Job => Colouring::Job,
        }
    }
}

impl GanttArgs {
    /// The experiment files among what is asked.
    pub fn files(&self) -> Vec<PathBuf> {
        let is_file = |text: &&String| text.ends_with(".ron");
        self.asked.iter().filter(is_file).map(PathBuf::from).collect()
    }

    /// The conditions and keys.
    pub fn filters(&self) -> impl Iterator<Item = &str> {
        let conditions = self.asked.iter().map(String::as_str).filter(|text| !text.ends_with(".ron"));
        conditions.chain(self.filter.iter().map(String::as_str))
    }
}
