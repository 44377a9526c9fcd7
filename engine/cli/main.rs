//! The command line: verbs, progress, diagnostics. Everything else is in the libraries.

mod args;
mod check;
mod completions;
mod diagnostic;
mod dictionary;
mod download;
mod evidence;
mod execution;
mod experiments;
mod fetch;
mod gantt;
mod generate;
mod invocation;
mod man;
mod manifest;
mod matrix;
mod model;
mod output;
mod plan;
mod planning;
mod progress;
mod provenance;
mod report;
mod reproduce;
mod results;
mod resume;
mod revalidate;
mod run;
mod schedule;
mod schema;
mod session;
mod signals;
mod simulate;
mod slurm;
mod snippet;
mod status;
mod store;
mod study_times;
mod trace;
mod up_to_date;
mod version;
mod why;
mod wrapped;

use args::{Cli, GlobalArgs, TraceVerb, Verb, WorkloadVerb};
use clap::Parser;
use diagnostic::Failure;
use session::{Ending, Session};
use std::process::ExitCode;

fn main() -> ExitCode {
    let (session, ended) = match Cli::try_parse() {
        Ok(cli) => {
            let session = Session::new(&cli.global);
            (session, act(&session, &cli.verb))
        }
        Err(answer) if version::is_wanted_in_full(&answer, std::env::args_os()) => {
            (Session::new(&GlobalArgs::default()), version::version())
        }
        Err(answer) => answer.exit(),
    };
    match ended {
        Ok(ending) => ending.code().into(),
        Err(failure) => {
            session.fail(&failure);
            failure.code().into()
        }
    }
}

fn act(session: &Session, verb: &Verb) -> Result<Ending, Failure> {
    match verb {
        Verb::Reproduce(args) => reproduce::reproduce(session, args),
        Verb::Run(args) => run::run(session, args),
        Verb::Plan(args) => plan::plan(session, args),
        Verb::Why(args) => why::why(session, args),
        Verb::Schema(args) if args.tables => dictionary::dictionary(args),
        Verb::Schema(args) => schema::schema(args),
        Verb::Matrix(args) => matrix::matrix_of(args),
        Verb::Simulate(args) => simulate::simulate(session, args),
        Verb::Gantt(args) => gantt::gantt(session, args),
        Verb::Store(verb) => store::store(session, verb),
        Verb::Trace(TraceVerb::List(args)) => trace::list(session, args),
        Verb::Trace(TraceVerb::Inspect(args)) => trace::inspect(args),
        Verb::Trace(TraceVerb::Fetch(args)) => fetch::fetch(session, args),
        Verb::Workload(WorkloadVerb::Generate(args)) => generate::generate(session, args),
        Verb::Workload(WorkloadVerb::Check(args)) => check::check(args),
        Verb::Slurm(verb) => slurm::slurm(session, verb),
        Verb::Status(args) => status::status(session, args),
        Verb::Report(args) => report::report(session, args),
        Verb::Provenance(args) => provenance::provenance(session, args),
        Verb::Completions { shell } => completions::completions(*shell),
        Verb::Man(args) => man::man(args),
    }
}
