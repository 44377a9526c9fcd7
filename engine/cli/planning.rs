//! What there is to run: the runs of some experiments, compared with the store.

use crate::diagnostic::Failure;
use std::collections::{BTreeMap, HashSet};
use sweep::{ContentHash, Experiment, KeyMaker, PlannedRun, RunKey, Store, Task};
use workload::{Mode, Source, TraceDir};

/// How much there is to run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Runs that can be carried out.
    pub runs: usize,
    /// Of these, not answered by the store.
    pub missing: usize,
    /// Runs that are left out because their log is not at hand.
    pub skipped: usize,
    /// Expected seconds of the missing ones on one thread, where earlier runs allow a guess.
    pub expected_s: Option<f64>,
}

impl Tally {
    /// Runs answered by the store, or by another run of the same plan.
    pub fn cached(&self) -> usize {
        self.runs - self.missing
    }

    /// Adds up.
    pub fn add(&mut self, other: &Tally) {
        self.runs += other.runs;
        self.missing += other.missing;
        self.skipped += other.skipped;
        self.expected_s = [self.expected_s, other.expected_s].into_iter().flatten().reduce(|a, b| a + b);
    }
}

/// Walks through the runs of experiments.
pub struct Planner<'a> {
    store: &'a Store,
    traces: &'a TraceDir,
    keys: KeyMaker<'a>,
    /// Missing runs met so far: two experiments may share some.
    missing: HashSet<RunKey>,
    /// Logs that are not at hand.
    absent: BTreeMap<String, usize>,
    /// Content hashes of the logs and files used.
    contents: BTreeMap<String, ContentHash>,
}

impl<'a> Planner<'a> {
    /// A planner that compares with `store` and finds logs in `traces`.
    pub fn new(store: &'a Store, traces: &'a TraceDir) -> Planner<'a> {
        let keys = KeyMaker::with_traces(traces);
        Planner {
            store,
            traces,
            keys,
            missing: HashSet::new(),
            absent: BTreeMap::new(),
            contents: BTreeMap::new(),
        }
    }

    /// Shows every run that can be carried out to `visit`, with whether it is to be run, and counts them.
    ///
    /// # Errors
    /// Where a log that is at hand cannot be read, or is not what its name says.
    pub fn walk(
        &mut self,
        experiment: &Experiment,
        mut visit: impl FnMut(Task, bool),
    ) -> Result<Tally, Failure> {
        let mut tally = Tally::default();
        for PlannedRun { spec, .. } in experiment.runs() {
            let source = &spec.case.workload.source;
            if !sweep::available(source, self.traces) {
                tally.skipped += 1;
                *self.absent.entry(source.to_string()).or_default() += 1;
                continue;
            }
            let name = recorded(source);
            let task = self.keys.task(spec)?;
            if let (Some(name), Some(content)) = (name, task.content) {
                self.contents.insert(name, content);
            }
            tally.runs += 1;
            let missing = !self.store.answers(&task.key) && self.missing.insert(task.key);
            if missing {
                tally.missing += 1;
                let expected = self.store.costs().expected_s(&task.spec)?;
                tally.expected_s = [tally.expected_s, expected].into_iter().flatten().reduce(|a, b| a + b);
            }
            visit(task, missing);
        }
        Ok(tally)
    }

    /// Content hashes of the logs and files met so far, by name.
    pub fn contents(&self) -> &BTreeMap<String, ContentHash> {
        &self.contents
    }

    /// A line that says which logs are not at hand and how to get them; `None` where none is missing.
    pub fn notice(&self) -> Option<String> {
        if self.absent.is_empty() {
            return None;
        }
        let names: Vec<&str> = self.absent.keys().map(String::as_str).collect();
        let fetch = format!("`backsweep trace fetch {}`", names.join(" "));
        let names = names.join(", ");
        Some(match self.traces.path() {
            Some(folder) => format!("trace mode skipped: no {names} in {}; {fetch}", folder.display()),
            None => {
                format!(
                    "trace mode skipped: no folder with {names}; {fetch}, then --traces DIR or BACKSWEEP_TRACES"
                )
            }
        })
    }
}

/// The name of recorded jobs; of a file without its folder, which decides no result.
fn recorded(source: &Source) -> Option<String> {
    match source {
        Source::Log { name, mode: Mode::Trace } => Some(name.clone()),
        Source::File { path } => {
            Some(std::path::Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned())
        }
        Source::Log { mode: Mode::Twin, .. } | Source::LublinFeitelson { .. } => None,
    }
}

/// Experiments with what is to be run for them.
pub struct Plan {
    /// By study and name; without those that have nothing to run at all.
    pub experiments: Vec<Planned>,
    /// What is to be run.
    pub tasks: Vec<Task>,
    /// Over all experiments.
    pub tally: Tally,
    /// Content hashes of the logs and files used, by name.
    pub contents: BTreeMap<String, ContentHash>,
}

/// An experiment with its runs.
pub struct Planned {
    /// The experiment.
    pub experiment: Experiment,
    /// The keys of its runs, in their order, without those whose log is not at hand.
    pub keys: Vec<RunKey>,
}

impl Planned {
    /// The runs with their keys.
    pub fn runs<'a>(&'a self, traces: &'a TraceDir) -> impl Iterator<Item = (PlannedRun, RunKey)> + 'a {
        let runs =
            self.experiment.runs().filter(|run| sweep::available(&run.spec.case.workload.source, traces));
        runs.zip(self.keys.iter().copied())
    }
}

/// Plans experiments; returns the notice about logs that are not at hand too.
///
/// # Errors
/// As [`Planner::walk`], and where no run can be carried out at all.
pub fn plan(
    experiments: Vec<Experiment>,
    store: &Store,
    traces: &TraceDir,
) -> Result<(Plan, Option<String>), Failure> {
    let mut planner = Planner::new(store, traces);
    let (mut planned, mut tasks, mut total) = (Vec::new(), Vec::new(), Tally::default());
    for experiment in experiments {
        let mut keys = Vec::new();
        let tally = planner.walk(&experiment, |task, missing| {
            keys.push(task.key);
            if missing {
                tasks.push(task);
            }
        })?;
        total.add(&tally);
        if !keys.is_empty() {
            planned.push(Planned { experiment, keys });
        }
    }
    let notice = planner.notice();
    if planned.is_empty() {
        let failure = Failure::question("there is nothing to run");
        return Err(notice.into_iter().fold(failure, |failure, notice| failure.hint(notice)));
    }
    let contents = planner.contents().clone();
    Ok((Plan { experiments: planned, tasks, tally: total, contents }, notice))
}
