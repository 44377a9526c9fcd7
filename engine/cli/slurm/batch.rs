//! From a question to the batch jobs that answer it.

use crate::args::SlurmJobArgs;
use crate::diagnostic::Failure;
use crate::experiments;
use crate::planning::{Planner, Tally};
use crate::session::{Session, check_writable, counted, duration, trace_dir};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf, absolute};
use sweep::slurm::{BatchJob, advise};
use sweep::{Access, Experiment, Store};

/// A question with the jobs that answer it.
pub struct Batch {
    /// The jobs.
    pub job: BatchJob,
    /// What is asked.
    pub experiments: Vec<Experiment>,
    /// Experiment files, with absolute paths.
    pub files: Vec<PathBuf>,
    /// The folder of the logs, with an absolute path.
    pub traces: Option<PathBuf>,
    /// How much there is to run.
    pub tally: Tally,
}

impl Batch {
    /// Loads and plans the experiments, and decides on the number of elements.
    ///
    /// # Errors
    /// A malformed question, paths that cannot be in a script, or folders that cannot be written to.
    pub fn of(session: &Session, args: &SlurmJobArgs) -> Result<Batch, Failure> {
        let experiments = experiments::of_files(&args.experiments)?;
        check_writable(&args.out, "--out")?;
        check_writable(&args.store.store, "--store")?;
        let tally = plan(session, args, &experiments)?;
        let files: Vec<PathBuf> =
            args.experiments.files.iter().map(|file| scriptable(file)).collect::<Result<_, _>>()?;
        let given = args.traces.traces.as_deref().filter(|traces| !traces.as_os_str().is_empty());
        let traces = given.map(scriptable).transpose()?;
        let (store, out) = (scriptable(&args.store.store)?, scriptable(&args.out)?);
        let words = words(args, &files, &store, &out, traces.as_deref());
        let program = std::env::current_exe()
            .map_err(|problem| Failure::work(format!("cannot find this program's file: {problem}")))?;
        let elements = match args.elements {
            Some(elements) => elements,
            None => advised(session, args, &tally),
        };
        let limits = &args.limits;
        let options = [
            ("--mem", &limits.mem),
            ("--partition", &limits.partition),
            ("--account", &limits.account),
            ("--qos", &limits.qos),
        ];
        let options = options.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))).collect();
        let job = BatchJob {
            name: format!("backsweep-{}", label(&experiments)),
            program: scriptable(&program)?,
            words,
            // Once is enough: the merge job puts what fails again into the tables.
            element_words: args
                .failures
                .retry_failed
                .then(|| "--retry-failed".to_owned())
                .into_iter()
                .collect(),
            folder: scriptable(Path::new("."))?,
            store,
            out,
            jobs: args.jobs,
            elements,
            time: limits.time,
            cpus_per_task: limits.cpus_per_task,
            options,
            more: limits.sbatch_arg.clone(),
            logs: None,
        };
        Ok(Batch { job, experiments, files, traces, tally })
    }
}

/// The experiment's name, or the names of the studies of several, as a part of a file name.
pub fn label(experiments: &[Experiment]) -> String {
    let name = match experiments {
        [one] => one.name.clone(),
        several => {
            let studies: BTreeSet<&str> = several.iter().map(|one| one.study.as_str()).collect();
            studies.into_iter().collect::<Vec<_>>().join("-")
        }
    };
    let harmless = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    name.chars().map(harmless).take(60).collect()
}

/// What is called after the program's name, for an element as for the merge job.
fn words(
    args: &SlurmJobArgs,
    files: &[PathBuf],
    store: &Path,
    out: &Path,
    traces: Option<&Path>,
) -> Vec<String> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut words = vec!["run".to_owned()];
    words.extend(files.iter().map(|file| text(file)));
    for (name, values) in &args.experiments.overrides.set {
        words.extend(["--set".to_owned(), format!("{name}={values}")]);
    }
    if let Some(scale) = &args.experiments.overrides.scale {
        words.extend(["--scale".to_owned(), scale.clone()]);
    }
    words.extend(["--store".to_owned(), text(store), "--out".to_owned(), text(out)]);
    if let Some(traces) = traces {
        words.extend(["--traces".to_owned(), text(traces)]);
    }
    if args.failures.fail_fast {
        words.push("--fail-fast".to_owned());
    }
    if args.failures.retry > 0 {
        words.extend(["--retry".to_owned(), args.failures.retry.to_string()]);
    }
    if let Some(limit) = args.run_timeout {
        words.extend(["--run-timeout".to_owned(), format!("{}s", limit.as_secs_f64())]);
    }
    if let Some(bytes) = args.max_memory {
        words.extend(["--max-memory".to_owned(), format!("{bytes}B")]);
    }
    words
}

fn plan(session: &Session, args: &SlurmJobArgs, experiments: &[Experiment]) -> Result<Tally, Failure> {
    let traces = trace_dir(args.traces.traces.as_ref())?;
    let mut store = Store::open(&args.store.store, Access::Read)?;
    store.take_warnings().iter().for_each(|warning| session.warn(warning));
    let planner = Planner::new(experiments.len(), &store, &traces);
    let mut planner = planner.retry_failed(args.failures.retry_failed);
    let mut total = Tally::default();
    for experiment in experiments {
        total.add(&planner.walk(experiment, |_, _| ())?);
    }
    planner.notice().iter().for_each(|notice| session.note(notice));
    total.failed_before().iter().for_each(|notice| session.note(notice));
    if total.runs == 0 {
        return Err(Failure::question("there is nothing to run"));
    }
    Ok(total)
}

/// A number of elements, said with its reason.
fn advised(session: &Session, args: &SlurmJobArgs, tally: &Tally) -> u32 {
    let cores = args.jobs.or(args.limits.cpus_per_task.map(|cores| cores as usize)).unwrap_or(1);
    let advice = advise(tally.missing, tally.expected_s, cores);
    let missing = counted(tally.missing, "missing run");
    session.note(&match advice.each_s {
        Some(each) => format!(
            "{}: {missing}, about {} each on {}; --elements says otherwise",
            counted(advice.elements as usize, "element"),
            duration(each),
            counted(cores, "core"),
        ),
        None => format!(
            "{}: {missing} of unknown length; --elements says otherwise",
            counted(advice.elements as usize, "element"),
        ),
    });
    if let (Some(each), Some(limit)) = (advice.each_s, args.limits.time)
        && each > limit.guard_s() as f64
    {
        session.warn(&format!(
            "an element is expected to need {}, more than --time {limit}; the merge job would have to carry out the rest",
            duration(each)
        ));
    }
    advice.elements
}

/// An absolute path that can be written into a script.
fn scriptable(path: &Path) -> Result<PathBuf, Failure> {
    let path = absolute(path)
        .map_err(|problem| Failure::question(format!("the path {}: {problem}", path.display())))?;
    match path.to_str() {
        // Slurm would read a backslash in the name of a log as an order of its own.
        Some(text) if !text.contains('\\') && !text.chars().any(char::is_control) => Ok(path),
        _ => Err(Failure::question(format!(
            "the path {} has characters that cannot be in a batch script",
            path.display()
        ))),
    }
}
