//! What can be asked on the command line.

mod execute;
mod gantt;
mod jobs;
mod matrix;
mod offered;
pub mod parse;
mod plan;
mod provenance;
pub mod quantity;
mod report;
mod revalidate;
mod schema;
mod slurm;
mod status;
mod store;
mod why;

pub use execute::ExecuteArgs;
pub use gantt::GanttArgs;
pub use jobs::{CaseArgs, CheckArgs, GenerateArgs, InspectArgs, ShapeArgs, SimulateArgs};
pub use matrix::MatrixArgs;
pub use plan::PlanArgs;
pub use provenance::ProvenanceArgs;
pub use report::ReportArgs;
pub use revalidate::RevalidateArgs;
pub use schema::SchemaArgs;
pub use slurm::{
    ScriptPart, SlurmCancelArgs, SlurmJobArgs, SlurmScriptArgs, SlurmStatusArgs, SlurmSubmitArgs, SlurmVerb,
    SubmissionArg,
};
pub use status::StatusArgs;
pub use store::{CompactArgs, GcArgs, LsArgs, RepairArgs, StoreVerb};
pub use why::WhyArgs;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use offered::offered;
use std::path::PathBuf;

/// Where answered runs are kept unless `--store` says otherwise; in the working directory.
pub const DEFAULT_STORE: &str = ".backsweep/store";

/// Where `trace fetch` puts logs unless a folder is given; in the working directory.
pub const DEFAULT_TRACES: &str = "traces";

/// Massively parallel parameter sweeps for parallel-job-scheduling research.
///
/// An experiment file describes a grid of scheduling simulations; backsweep runs what no earlier run has answered and turns the
/// results into tables (Parquet), figures (SVG) and a scorecard of published claims.
#[derive(Parser, Debug)]
#[command(name = "backsweep", version, propagate_version = true, after_help = EXAMPLES)]
pub struct Cli {
    /// Options of every verb.
    #[command(flatten)]
    pub global: GlobalArgs,
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  backsweep reproduce                          all studies that come with it
  backsweep reproduce pascual --scale smoke    one study, in seconds
  backsweep plan my.ron                        how much there is to run
  backsweep run my.ron --set load=0.7,0.8      an experiment of your own
  backsweep simulate --swf log.swf --nodes 64 --policy easy    a single run

Results go to stdout, talk to stderr. Exit codes: 0 done, 1 something failed on
the way, 2 the question was malformed, 130 stopped by SIGINT or SIGTERM (once:
runs in flight are finished; twice: they are given up). A stop by SIGUSR1 or
--time-limit is a planned one: 0. Every stop prints the command that goes on.";

/// Options of every verb.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "General")]
pub struct GlobalArgs {
    /// Colours; auto: on a terminal, unless NO_COLOR is set.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Print results and errors only.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// How to show progress on stderr; auto: a bar on a terminal, a line every few seconds elsewhere.
    #[arg(long, global = true, value_name = "HOW", default_value = "auto")]
    pub progress: ProgressHow,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    // On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    Always,
    Never,
}

/// How progress is shown: a bar with rate and expected end, lines, every event as a line of JSON, nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProgressHow {
    #[default]
    Auto,
    Bar,
    Plain,
    Json,
    None,
}

/// The verbs.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Reproduce published studies: run their experiments, test their claims, draw their figures.
    Reproduce(ReproduceArgs),
    /// Run experiment files.
    Run(RunArgs),
    /// Say how much of an experiment there is to run, and run nothing.
    Plan(PlanArgs),
    /// Say why runs are not answered, key part by key part.
    Why(WhyArgs),
    /// Say what is in a store, who writes to it, and how far experiments are.
    Status(StatusArgs),
    /// Write one page that shows all results: claims, figures, published tables.
    Report(ReportArgs),
    /// Say who made a table, from what, when and where.
    Provenance(ProvenanceArgs),
    /// Say what the fields and parts of an experiment file are, and the columns of the tables, with units, defaults and sources.
    #[command(after_help = "Examples: backsweep schema policy.overrun, backsweep schema --tables ci_low")]
    Schema(SchemaArgs),
    /// Say which policies, machines, allocators and sources go together, and why others do not.
    Matrix(MatrixArgs),
    /// Simulate one scheduler on one workload.
    Simulate(Box<SimulateArgs>),
    /// Draw a run's schedule: nodes over time, as a picture or as a page that zooms.
    Gantt(Box<GanttArgs>),
    /// The answered runs: list, verify, repair, remove, merge.
    #[command(subcommand)]
    Store(StoreVerb),
    /// Published workload logs: list, look into, download.
    #[command(subcommand)]
    Trace(TraceVerb),
    /// Synthetic workloads.
    #[command(subcommand)]
    Workload(WorkloadVerb),
    /// A sweep as a Slurm job array over one store.
    #[command(subcommand)]
    Slurm(SlurmVerb),
    /// Print a completion script for a shell.
    #[command(after_help = "Example, in ~/.bashrc: source <(backsweep completions bash)")]
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Print the manual page, or write one for every verb.
    Man(ManArgs),
}

/// `man`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  backsweep man | man -l -
  backsweep man --dir ~/.local/share/man/man1      then: man backsweep-run")]
pub struct ManArgs {
    /// Write the pages of the program and of every verb into this folder.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
}

/// Where the published logs are.
#[derive(Args, Debug)]
pub struct TracesArg {
    /// The folder of the published logs.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, env = "BACKSWEEP_TRACES")]
    pub traces: Option<PathBuf>,
}

/// Where answered runs are kept.
#[derive(Args, Debug)]
pub struct StoreArg {
    /// The folder of the answered runs; any number of processes may share it.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, default_value = DEFAULT_STORE)]
    pub store: PathBuf,
}

/// `reproduce`.
#[derive(Args, Debug)]
#[command(after_help = "\
Writes below the folder of --out, and prints the scorecard:
  <study>/<experiment>/{runs,groups,summary,comparisons,claims}.parquet
  <study>/<experiment>/manifest.json
  <study>/figures/*.svg
  scorecard.md
A run that was answered before is not run again. Without the published logs
only their synthetic twins are run.

Examples:
  backsweep reproduce --scale smoke
  backsweep trace fetch HPC2N-2002-2.2-cln --dir traces
  backsweep reproduce pascual --traces traces")]
pub struct ReproduceArgs {
    /// Studies [default: all].
    #[arg(value_name = "STUDY", value_parser = offered(offered::word, offered::studies))]
    pub studies: Vec<String>,
    /// How much to run: `smoke` takes seconds, `paper` is as printed, `full` has more replications.
    #[arg(long, value_name = "SCALE", default_value = "paper", hide_possible_values = true,
        value_parser = offered(offered::word, offered::scales))]
    pub scale: String,
    #[command(flatten)]
    pub execute: ExecuteArgs,
}

/// What is run.
#[derive(Args, Debug)]
pub struct ExperimentArgs {
    /// Experiment files.
    #[arg(required = true, value_name = "FILE.ron")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub overrides: OverrideArgs,
}

/// What the command line says in place of the file.
#[derive(Args, Clone, Debug)]
pub struct OverrideArgs {
    /// Set a field or the values of an axis, as written in the file; may be repeated.
    #[arg(long, value_name = "AXIS=V,…", value_parser = parse::assignment)]
    pub set: Vec<(String, String)>,
    /// One of the experiment's scales.
    #[arg(long, value_name = "SCALE", hide_possible_values = true,
        value_parser = offered(offered::word, offered::scales))]
    pub scale: Option<String>,
}

/// `run`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  backsweep run my.ron
  backsweep run my.ron --set 'policy=Fcfs,Easy()' --set replications=10
  backsweep run a.ron b.ron --jobs 2 --progress json 2> events.jsonl")]
pub struct RunArgs {
    #[command(flatten)]
    pub experiments: ExperimentArgs,
    #[command(flatten)]
    pub execute: ExecuteArgs,
}

/// `trace`.
#[derive(Subcommand, Debug)]
pub enum TraceVerb {
    /// The known logs, and which of them are at hand.
    List(TracesArg),
    /// What is in a log: header, cleaning report, statistics.
    Inspect(InspectArgs),
    /// Download logs from the Parallel Workloads Archive or a mirror, and verify them.
    Fetch(FetchArgs),
}

/// `trace fetch`.
#[derive(Args, Debug)]
#[command(after_help = "\
An interrupted download goes on where it stopped. The content is compared with
a pinned sha256, so any mirror will do.

Examples:
  backsweep trace fetch HPC2N-2002-2.2-cln SDSC-BLUE-2000-4.2-cln
  backsweep trace fetch HPC2N-2002-2.2-cln --url https://mirror.example/logs")]
pub struct FetchArgs {
    /// Names of logs, as `backsweep trace list` prints them.
    #[arg(required = true, value_name = "NAME", hide_possible_values = true,
        value_parser = offered(offered::word, offered::logs))]
    pub names: Vec<String>,
    /// The address of a mirror, which has the files below their archive folders or all in one folder.
    #[arg(long, value_name = "BASE")]
    pub url: Option<String>,
    /// Where to put the logs [default: $BACKSWEEP_TRACES, else traces].
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: Option<PathBuf>,
    /// How often to try again after a failure.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub retries: u32,
}

/// `workload`.
#[derive(Subcommand, Debug)]
pub enum WorkloadVerb {
    /// Write a synthetic workload as a log in Standard Workload Format.
    Generate(GenerateArgs),
    /// Compare a model with what its publication prints: measured, published, tolerance.
    Check(CheckArgs),
}
