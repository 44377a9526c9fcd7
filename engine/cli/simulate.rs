//! `simulate`: one scheduler on one workload.

use crate::args::{CaseArgs, SimulateArgs};
use crate::diagnostic::Failure;
use crate::results::write_text;
use crate::schedule::{Format, write_schedule};
use crate::session::{Ending, Session, check_file, trace_dir};
use crate::{model, output};
use serde::ser::{SerializeMap, Serializer};
use sim::metrics::Metrics;
use sim::observer::Observer;
use sim::observer::job_log::JobLog;
use sim::observer::measures::Measures;
use sim::observer::steady::SteadyState;
use sim::{AllocatorSpec, Job, MachineSpec, MeasureSpec, Outcome, Setup};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use sweep::run_key::spec_text;
use sweep::store::BUILD;
use sweep::{Case, CaseFile, KeyMaker, RunSpec, fingerprint};
use workload::{Load, LoadMeasure, Source, TraceDir, WorkloadSpec};

/// Metrics that count something.
const COUNTS: [&str; 5] = ["jobs", "killed", "backfilled", "max_queue_length", "warm_up_jobs"];

/// Simulates, and writes the schedule and the metrics.
///
/// # Errors
/// A malformed question, or a run that has no outcome.
pub fn simulate(session: &Session, args: &SimulateArgs) -> Result<Ending, Failure> {
    let case = case_of(&args.case)?;
    case.machine.validate()?;
    let format = args.jobs_out.as_deref().map(Format::of).transpose()?;
    check_outputs(args)?;
    let traces = trace_dir(args.traces.traces.as_ref())?;
    let setup = case.setup();
    // Whether policy and allocator fit the machine is known before a long log is read.
    setup.policy.build(&setup).map_err(setup_hint)?;
    let (jobs, count) = jobs_of(session, &case, args.case.shape.seed, &traces)?;
    let (outcome, log) = match case.measure.steady {
        None => watched(&setup, jobs, Measures::new(&setup, &case.measure), format, Measures::outcome)?,
        Some(steady) => {
            let measures = SteadyState::new(&setup, steady, count, &case.measure);
            watched(&setup, jobs, measures, format, SteadyState::outcome)?
        }
    };
    if let (Some(path), Some(format)) = (&args.jobs_out, format) {
        let metadata = match format {
            Format::Parquet => provenance(&case, args.case.shape.seed, &traces)?,
            _ => BTreeMap::new(),
        };
        write_schedule(path, format, &log.by_arrival(), &case, metadata)?;
    }
    write_metrics(args.metrics_out.as_deref(), args.jobs_out.as_deref(), &outcome.metrics)?;
    Ok(Ending::Done)
}

/// The jobs of a case, one after another, and how many of them count.
fn jobs_of(
    session: &Session,
    case: &Case,
    seed: u64,
    traces: &TraceDir,
) -> Result<(Box<dyn Iterator<Item = Job>>, u64), Failure> {
    let (count, steady) = (case.n_jobs().unwrap_or(0), case.measure.steady.is_some());
    // Without a steady state a stream is its first jobs, and the run ends with the last of them.
    if let Some(jobs) = workload::stream(&case.workload.source, &case.machine, seed)?.filter(|_| steady) {
        if case.workload.load.is_some() || case.workload.speedup != 0.0 {
            let source = &case.workload.source;
            return Err(Failure::question(format!("the {source} is simulated as it is drawn, not scaled"))
                .hint("give another `arrival_load` or `mean_run_time_s` in the case file"));
        }
        return Ok((jobs, count));
    }
    let workload = workload::build(&case.workload, &case.machine, seed, traces)?;
    session.note(&workload.cleaning.to_string());
    let count = workload.jobs.len() as u64;
    Ok((Box::new(workload.jobs.into_iter()), count))
}

/// Simulates under the eyes of `measures`, and of a log of jobs where one is to be written.
fn watched<M: Observer>(
    setup: &Setup,
    jobs: Box<dyn Iterator<Item = Job>>,
    measures: M,
    format: Option<Format>,
    outcome: impl FnOnce(M) -> Outcome,
) -> Result<(Outcome, JobLog), Failure> {
    let mut observers = (measures, JobLog::default());
    match format {
        None => sim::simulate(setup, jobs, &mut observers.0)?,
        Some(_) => sim::simulate(setup, jobs, &mut observers)?,
    };
    Ok((outcome(observers.0), observers.1))
}

/// What decided a schedule: the run, by the key and in the form in which stores have it, and the program.
fn provenance(case: &Case, seed: u64, traces: &TraceDir) -> Result<BTreeMap<String, String>, Failure> {
    let spec = RunSpec { case: Arc::new(case.clone()), replication: 0, seed };
    let task = KeyMaker::with_traces(traces).task(spec)?;
    let mut metadata = BTreeMap::from([
        ("build".to_owned(), BUILD.to_owned()),
        ("run".to_owned(), spec_text(&task.spec, task.content)?),
        ("run_key".to_owned(), task.key.to_string()),
    ]);
    metadata
        .extend(fingerprint::families().map(|(family, hash)| (format!("model:{family}"), hash.to_string())));
    Ok(metadata)
}

/// The case that the arguments describe.
///
/// # Errors
/// A malformed question.
pub fn case_of(args: &CaseArgs) -> Result<Case, Failure> {
    let mut case = match &args.case {
        Some(path) => from_file(path, args)?,
        None => from_options(args)?,
    };
    if let Some(policy) = &args.policy {
        case.policy = policy.clone();
    }
    if let (Some(choice), Some(_)) = (&args.allocator, &args.case) {
        case.allocator = choice.allocator.clone();
        if let Some((arity, levels)) = choice.tree {
            case.machine = MachineSpec::Tree { arity, levels, installed: Some(case.machine.nodes()) };
        }
    }
    case.passes = args.passes.unwrap_or(case.passes);
    case.estimates = args.estimates.unwrap_or(case.estimates);
    if let Some(bound_s) = args.bound {
        if !(bound_s.is_finite() && bound_s > 0.0) {
            return Err(Failure::question(format!("--bound {bound_s}: expected seconds above zero")));
        }
        case.measure.bound_s = bound_s;
    }
    let jobs = &mut case.workload;
    jobs.rules = args.rules.over(jobs.rules);
    jobs.jobs = args.shape.n_jobs.or(jobs.jobs);
    jobs.speedup = args.speedup.unwrap_or(jobs.speedup);
    if let Some(target) = args.shape.load {
        jobs.load = Some(Load { target, by: args.shape.load_by, measure: LoadMeasure::Offered });
    }
    model::check(&case.workload)?;
    Ok(case)
}

fn source(args: &CaseArgs) -> Result<Option<Source>, Failure> {
    match (&args.swf, &args.model) {
        (Some(path), _) => match path.to_str() {
            Some(path) => Ok(Some(Source::File { path: path.to_owned() })),
            None => Err(Failure::question(format!("the path {} is not valid UTF-8", path.display()))),
        },
        (None, Some(model)) => Ok(Some(model::with_options(model, &args.shape))),
        (None, None) => Ok(None),
    }
}

fn from_file(path: &Path, args: &CaseArgs) -> Result<Case, Failure> {
    let file: CaseFile = sweep::load_case(path)?;
    match source(args)? {
        Some(source) => Ok(file.with_source(source)),
        None => file.into_case().ok_or_else(|| {
            Failure::question(format!("{} has no workload", path.display()))
                .hint("give the jobs with --swf FILE or --model MODEL")
        }),
    }
}

fn from_options(args: &CaseArgs) -> Result<Case, Failure> {
    // Which of these are required together is the parser's business.
    let (Some(source), Some(nodes), Some(policy)) = (source(args)?, args.nodes, args.policy.clone()) else {
        return Err(Failure::question(
            "a case needs jobs (--swf or --model), --nodes and --policy, or --case",
        ));
    };
    if nodes == 0 {
        return Err(Failure::question("--nodes 0: a machine needs at least one node")
            .hint("the machine of a log is in its header: `backsweep trace inspect FILE`"));
    }
    let choice = args.allocator.clone();
    let tree = choice.as_ref().and_then(|choice| choice.tree);
    let machine = match tree {
        Some((arity, levels)) => MachineSpec::Tree { arity, levels, installed: Some(nodes) },
        None => MachineSpec::Flat { nodes },
    };
    Ok(Case {
        machine,
        workload: WorkloadSpec::new(source),
        policy,
        allocator: choice.map_or_else(AllocatorSpec::default, |choice| choice.allocator),
        memory: None,
        passes: sim::Passes::default(),
        estimates: sim::EstimateSource::default(),
        measure: MeasureSpec::default(),
    })
}

pub fn setup_hint(problem: sim::SimError) -> Failure {
    Failure::from(problem).hint("contiguous allocation: --allocator contiguous:K,N for a K-ary N-tree")
}

/// Outputs that cannot be written are found before the work, not after it.
fn check_outputs(args: &SimulateArgs) -> Result<(), Failure> {
    for (path, option) in [(&args.jobs_out, "--jobs-out"), (&args.metrics_out, "--metrics-out")] {
        if let Some(path) = path.as_deref().filter(|path| *path != Path::new("-")) {
            check_file(path, option)?;
        }
    }
    distinct(&[
        ("--jobs-out", args.jobs_out.as_deref()),
        ("--metrics-out", args.metrics_out.as_deref()),
        ("--swf", args.case.swf.as_deref()),
        ("--case", args.case.case.as_deref()),
    ])?;
    if [&args.jobs_out, &args.metrics_out].iter().all(|path| path.as_deref() == Some(Path::new("-"))) {
        return Err(Failure::question("--jobs-out - and --metrics-out - would mix on stdout")
            .hint("write one of them to a file"));
    }
    Ok(())
}

/// No output replaces another one, or a file that is read.
pub fn distinct(files: &[(&'static str, Option<&Path>)]) -> Result<(), Failure> {
    let named = |(option, path): &(&'static str, Option<&Path>)| {
        path.filter(|path| *path != Path::new("-")).map(|path| (*option, resolved(path)))
    };
    let files: Vec<(&str, PathBuf)> = files.iter().filter_map(named).collect();
    for (at, (option, path)) in files.iter().enumerate() {
        if let Some((other, _)) = files[..at].iter().find(|(_, earlier)| earlier == path) {
            let message = format!("{other} and {option} are the same file, {}", path.display());
            return Err(Failure::question(message).hint("give each a file of its own"));
        }
    }
    Ok(())
}

/// Where a path leads; the file itself need not exist.
fn resolved(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let named = || Some(parent.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(named).unwrap_or_else(|| path.to_owned())
}

/// JSON to a file or to stdout, else a table; nothing where stdout has the schedule already.
fn write_metrics(path: Option<&Path>, jobs: Option<&Path>, metrics: &Metrics) -> Result<(), Failure> {
    match path {
        Some(path) if path == Path::new("-") => output::data(&json(metrics)?),
        Some(path) => write_text(path, &json(metrics)?),
        None if jobs == Some(Path::new("-")) => Ok(()),
        None => output::data(&table(metrics)),
    }
}

/// An object with all metrics in their order, null where undefined.
fn json(metrics: &Metrics) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::pretty(&mut bytes);
    let written = serializer.serialize_map(Some(Metrics::NAMES.len())).and_then(|mut map| {
        for name in Metrics::NAMES {
            match metrics.get(name) {
                Some(value) if COUNTS.contains(name) => map.serialize_entry(name, &(value as u64))?,
                value => map.serialize_entry(name, &value)?,
            }
        }
        map.end()
    });
    written.map_err(|problem| Failure::work(format!("cannot write the metrics: {problem}")))?;
    bytes.push(b'\n');
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn table(metrics: &Metrics) -> String {
    let line = |name: &&str| {
        let value = match metrics.get(name) {
            None => "-".to_owned(),
            Some(value) if COUNTS.contains(name) => format!("{value}"),
            Some(value) if value.abs() >= 1000.0 => format!("{value:.1}"),
            Some(value) => format!("{value:.4}"),
        };
        format!("{name:<24}{value:>16}\n")
    };
    Metrics::NAMES.iter().map(line).collect()
}
