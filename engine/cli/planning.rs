//! What there is to run: the runs of some experiments, compared with the store.

use crate::diagnostic::Failure;
use crate::session::counted;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;
use sweep::{
    Case, ContentHash, Experiment, KeyMaker, PlannedRun, Recorded, RunKey, RunSpec, Standing, Status, Store,
    Task,
};
use workload::{Source, TraceDir};

/// How much there is to run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Runs that can be carried out.
    pub runs: usize,
    /// Of these, not answered by the store.
    pub missing: usize,
    /// Of these, failed before and not to be run again.
    pub failed: usize,
    /// Runs that another experiment of the same plan has too, and that are to be run there.
    pub shared: usize,
    /// Runs that are left out because their log is not at hand.
    pub skipped: usize,
    /// Expected seconds of the missing ones on one thread, where earlier runs allow a guess.
    pub expected_s: Option<f64>,
}

impl Tally {
    /// Runs answered by the store, or by another run of the same plan.
    pub fn cached(&self) -> usize {
        self.runs - self.missing - self.failed
    }

    /// A line about runs that failed before; `None` where there are none.
    pub fn failed_before(&self) -> Option<String> {
        let failed = counted(self.failed, "run");
        let them = if self.failed == 1 { "it" } else { "them" };
        (self.failed > 0).then(|| format!("{failed} failed before; --retry-failed runs {them} again"))
    }

    /// Adds up.
    pub fn add(&mut self, other: &Tally) {
        self.runs += other.runs;
        self.missing += other.missing;
        self.failed += other.failed;
        self.shared += other.shared;
        self.skipped += other.skipped;
        self.expected_s = [self.expected_s, other.expected_s].into_iter().flatten().reduce(|a, b| a + b);
    }
}

/// Guesses what runs cost. Runs that follow each other mostly cost the same, and to look one up takes longer than to plan it.
pub struct Guess<'a> {
    store: &'a Store,
    last: Option<(Arc<Case>, Option<f64>)>,
}

impl<'a> Guess<'a> {
    /// Guesses from what the runs of a store have cost.
    pub fn new(store: &'a Store) -> Guess<'a> {
        Guess { store, last: None }
    }

    /// Expected seconds of a run; nothing where no earlier run allows a guess.
    ///
    /// # Errors
    /// Where the specification has no canonical text.
    pub fn of(&mut self, spec: &RunSpec) -> Result<Option<f64>, Failure> {
        if self.store.is_empty() {
            return Ok(None);
        }
        let case = &*spec.case;
        let same = |last: &Case| {
            last.workload.source == case.workload.source
                && last.workload.jobs == case.workload.jobs
                && last.policy == case.policy
                && last.allocator == case.allocator
        };
        if let Some((last, expected)) = &self.last
            && same(last)
        {
            return Ok(*expected);
        }
        let expected = self.store.costs().expected_s(spec)?;
        self.last = Some((Arc::clone(&spec.case), expected));
        Ok(expected)
    }
}

/// Walks through the runs of experiments.
pub struct Planner<'a> {
    store: &'a Store,
    traces: &'a TraceDir,
    keys: KeyMaker<'a>,
    /// Missing runs met so far, where several experiments may share some; one has no run twice.
    missing: Option<HashSet<RunKey>>,
    /// Published logs met so far, and whether they are at hand.
    logs: BTreeMap<String, bool>,
    /// Whether runs that failed before are to be run again.
    retry_failed: bool,
}

impl<'a> Planner<'a> {
    /// A planner for so many experiments that compares with `store` and finds logs in `traces`.
    pub fn new(experiments: usize, store: &'a Store, traces: &'a TraceDir) -> Planner<'a> {
        let keys = KeyMaker::with_traces(traces);
        let missing = (experiments > 1).then(HashSet::new);
        Planner { store, traces, keys, missing, logs: BTreeMap::new(), retry_failed: false }
    }

    /// Runs that failed before are to be run again, if `retry` says so.
    pub fn retry_failed(mut self, retry: bool) -> Planner<'a> {
        self.retry_failed = retry;
        self
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
        let mut guess = Guess::new(self.store);
        for spec in experiment.specs() {
            if !self.at_hand(&spec.case.workload.source) {
                tally.skipped += 1;
                continue;
            }
            let task = self.keys.task(spec)?;
            tally.runs += 1;
            let new = |missing: &mut HashSet<RunKey>| missing.insert(task.key);
            let status = self.store.status(&task.key);
            let failed = status == Some(Status::Failed) && !self.retry_failed;
            let answered = failed || status == Some(Status::Ok);
            tally.failed += usize::from(failed);
            let missing = !answered && self.missing.as_mut().is_none_or(new);
            tally.shared += usize::from(!answered && !missing);
            if missing {
                tally.missing += 1;
                let expected = guess.of(&task.spec)?;
                tally.expected_s = [tally.expected_s, expected].into_iter().flatten().reduce(|a, b| a + b);
            }
            visit(task, missing);
        }
        Ok(tally)
    }

    /// Whether the jobs of a source can be had; a log is looked for once.
    fn at_hand(&mut self, source: &Source) -> bool {
        let Some(name) = published(source) else { return sweep::available(source, self.traces) };
        if let Some(known) = self.logs.get(name) {
            return *known;
        }
        let found = sweep::available(source, self.traces);
        self.logs.insert(name.to_owned(), found);
        found
    }

    /// The published logs that were met and are not at hand.
    fn absent(&self) -> BTreeSet<String> {
        self.logs.iter().filter(|(_, found)| !**found).map(|(name, _)| name.clone()).collect()
    }

    /// A line that says which logs are not at hand and how to get them; `None` where none is missing.
    pub fn notice(&self) -> Option<String> {
        let names: Vec<String> = self.absent().into_iter().collect();
        if names.is_empty() {
            return None;
        }
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

/// The name of a published log that is to be run itself.
fn published(source: &Source) -> Option<&str> {
    match Recorded::of(source) {
        Some(Recorded::Log(name)) => Some(name),
        Some(Recorded::File(_)) | None => None,
    }
}

/// The name of recorded jobs; of a file without its folder, which decides no result.
fn recorded(source: &Source) -> Option<String> {
    Some(match Recorded::of(source)? {
        Recorded::Log(name) => name.to_owned(),
        Recorded::File(path) => {
            Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned()
        }
    })
}

/// Experiments with what is to be run for them.
pub struct Plan {
    /// By study and name; without those that have nothing to run at all.
    pub experiments: Vec<Planned>,
    /// What is to be run.
    pub tasks: Vec<Task>,
    /// Over all experiments.
    pub tally: Tally,
    /// Published logs that are not at hand; their runs are left out.
    pub absent: BTreeSet<String>,
}

impl Plan {
    /// Whether the store has failures among the runs.
    pub fn has_failed(&self, store: &Store) -> bool {
        let mut keys = self.experiments.iter().flat_map(|planned| &planned.keys);
        keys.any(|key| store.status(key) == Some(Status::Failed))
    }
}

/// An experiment with its runs.
pub struct Planned {
    /// The experiment.
    pub experiment: Experiment,
    /// The keys of its runs, in their order, without those whose log is not at hand.
    pub keys: Vec<RunKey>,
    /// Content hashes of the logs and files used, by name; two files may have the same.
    pub contents: BTreeMap<String, BTreeSet<ContentHash>>,
    /// How much there was to run.
    pub tally: Tally,
}

impl Planned {
    /// Those of the absent logs that its runs need.
    pub fn absent(&self, absent: &BTreeSet<String>) -> Vec<String> {
        let mut needed: BTreeSet<&String> = BTreeSet::new();
        if self.tally.skipped > 0 {
            let runs = self.experiment.runs();
            needed.extend(runs.filter_map(|run| absent.get(published(&run.spec.case.workload.source)?)));
        }
        needed.into_iter().cloned().collect()
    }

    /// The runs with their keys; those of absent logs with the reason why they were left out.
    pub fn runs<'a>(
        &'a self,
        absent: &'a BTreeSet<String>,
    ) -> impl Iterator<Item = (PlannedRun, Standing)> + 'a {
        let mut keys = self.keys.iter();
        self.experiment.runs().filter_map(move |run| {
            let left_out = published(&run.spec.case.workload.source).filter(|name| absent.contains(*name));
            let standing = match left_out {
                Some(name) => Standing::Skipped(format!("the log {name} is not at hand").into()),
                None => Standing::Planned(*keys.next()?),
            };
            Some((run, standing))
        })
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
    retry_failed: bool,
) -> Result<(Plan, Option<String>), Failure> {
    let mut planner = Planner::new(experiments.len(), store, traces).retry_failed(retry_failed);
    let (mut planned, mut tasks, mut total) = (Vec::new(), Vec::new(), Tally::default());
    for experiment in experiments {
        let (mut keys, mut contents) = (Vec::new(), BTreeMap::<String, BTreeSet<ContentHash>>::new());
        let tally = planner.walk(&experiment, |task, missing| {
            keys.push(task.key);
            if let (Some(name), Some(content)) = (recorded(&task.spec.case.workload.source), task.content) {
                contents.entry(name).or_default().insert(content);
            }
            if missing {
                tasks.push(task);
            }
        })?;
        total.add(&tally);
        if !keys.is_empty() {
            planned.push(Planned { experiment, keys, contents, tally });
        }
    }
    let notice = planner.notice();
    if planned.is_empty() {
        let failure = Failure::question("there is nothing to run");
        return Err(notice.into_iter().fold(failure, |failure, notice| failure.hint(notice)));
    }
    let absent = planner.absent();
    Ok((Plan { experiments: planned, tasks, tally: total, absent }, notice))
}

/// Reads every log file that is to be run once, so that a malformed one is found before the first run.
///
/// # Errors
/// Where one is no log.
pub fn check_files(tasks: &[Task]) -> Result<(), Failure> {
    let file = |task: &Task| match &task.spec.case.workload.source {
        Source::File { path } => Some(path.clone()),
        _ => None,
    };
    for path in tasks.iter().filter_map(file).collect::<BTreeSet<String>>() {
        workload::swf::visit(Path::new(&path), |_| ())?;
    }
    Ok(())
}
