//! Which run is meant: the one of an experiment that is left by conditions, or a case from options.

use crate::args::{CaseArgs, ExperimentArgs, GanttArgs};
use crate::diagnostic::Failure;
use crate::session::{count, counted};
use crate::{experiments, simulate};
use std::fmt::Write;
use std::sync::Arc;
use sweep::explain::Filter;
use sweep::{Experiment, KeyMaker, PlannedRun, RunKey, RunSpec};
use workload::TraceDir;

/// Runs that are listed where several are meant.
const LISTED: usize = 5;
/// Digits of a key that people are shown.
const DIGITS: usize = 12;

/// A run, and what to write above it.
#[derive(Debug)]
pub(super) struct Chosen {
    pub spec: RunSpec,
    pub title: String,
    /// Where it lies in its experiment; none of a case.
    pub place: Option<String>,
}

/// A run that matches: its experiment, key, and values by which it can be told from others.
struct Match<'a> {
    experiment: &'a Experiment,
    run: PlannedRun,
    key: RunKey,
    values: Vec<(String, String)>,
}

impl Chosen {
    /// The case that options describe.
    pub fn case(args: &CaseArgs) -> Result<Chosen, Failure> {
        let case = simulate::case_of(args)?;
        let title = format!("Schedule of {}", case.workload.source);
        let spec = RunSpec { case: Arc::new(case), replication: 0, seed: args.shape.seed };
        Ok(Chosen { spec, title, place: None })
    }

    /// A run of an experiment, under another title.
    pub fn planned(experiment: &Experiment, run: PlannedRun, title: &str) -> Chosen {
        let values = listed(&values(experiment, &run));
        let place = format!("{}/{}: {values}", experiment.study, experiment.name);
        Chosen { spec: run.spec, title: title.to_owned(), place: Some(place) }
    }

    /// The only run of experiments that matches.
    pub fn run(args: &GanttArgs, traces: &TraceDir) -> Result<Chosen, Failure> {
        let files = args.files();
        if files.is_empty() {
            return Err(Failure::question("which experiment is the run of?")
                .hint("backsweep gantt FILE.ron FILTER -o FILE.html"));
        }
        let asked = ExperimentArgs { files, overrides: args.overrides.clone() };
        let experiments = experiments::of_files(&asked)?;
        let filters = experiments::filters(args.filters(), &experiments)?;
        let (mut matches, skipped) = search(&experiments, &filters, traces)?;
        // A run may be part of several experiments.
        let same = matches.iter().all(|other| other.key == matches[0].key);
        if !same {
            return Err(ambiguous(&matches));
        }
        match matches.drain(..).next() {
            Some(found) => Ok(found.chosen()),
            None => Err(nothing(&experiments, skipped)),
        }
    }
}

/// The runs that match, and the number of those whose log is not at hand.
fn search<'a>(
    experiments: &'a [Experiment],
    filters: &[Filter],
    traces: &TraceDir,
) -> Result<(Vec<Match<'a>>, usize), Failure> {
    let (mut matches, mut skipped) = (Vec::new(), 0);
    let mut keys = KeyMaker::with_traces(traces);
    for experiment in experiments {
        for run in experiment.runs() {
            if !sweep::available(&run.spec.case.workload.source, traces) {
                skipped += 1;
                continue;
            }
            let key = keys.task(run.spec.clone())?.key;
            if filters.iter().all(|filter| filter.matches(experiment, &run, &key)) {
                let values = values(experiment, &run);
                matches.push(Match { experiment, run, key, values });
            }
        }
    }
    Ok((matches, skipped))
}

/// By what a run can be told from others.
fn values(experiment: &Experiment, run: &PlannedRun) -> Vec<(String, String)> {
    let columns = experiment.columns().into_iter().zip(&run.point);
    let mut values: Vec<(String, String)> =
        columns.map(|(column, value)| (column.name, value.to_string())).collect();
    values.push(("mode".to_owned(), run.mode.to_string()));
    values.push(("replication".to_owned(), run.spec.replication.to_string()));
    values
}

fn listed(values: &[(String, String)]) -> String {
    values.iter().map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(", ")
}

impl Match<'_> {
    fn name(&self) -> String {
        format!("{}/{}", self.experiment.study, self.experiment.name)
    }

    fn short_key(&self) -> String {
        self.key.to_string().chars().take(DIGITS).collect()
    }

    fn chosen(self) -> Chosen {
        let place = format!("{}, run {}: {}", self.name(), self.short_key(), listed(&self.values));
        Chosen { title: self.experiment.title.clone(), place: Some(place), spec: self.run.spec }
    }

    /// The values of these names, as a condition.
    fn condition(&self, names: &[&str], joint: &str) -> String {
        let wanted = self.values.iter().filter(|(name, _)| names.contains(&name.as_str()));
        wanted.map(|(name, value)| format!("{name} = {value}")).collect::<Vec<_>>().join(joint)
    }
}

fn ambiguous(matches: &[Match<'_>]) -> Failure {
    let first = &matches[0];
    let differs = |name: &str| {
        let value = |found: &Match<'_>| {
            found.values.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone())
        };
        matches.iter().any(|other| value(other) != value(first))
    };
    let names: Vec<&str> =
        first.values.iter().map(|(name, _)| name.as_str()).filter(|name| differs(name)).collect();
    let one_experiment = matches.iter().all(|other| other.name() == first.name());
    let mut hint = format!("they differ in {}:\n", names.join(", "));
    for found in &matches[..matches.len().min(LISTED)] {
        let experiment = if one_experiment { String::new() } else { format!("{}  ", found.name()) };
        let _ = writeln!(hint, "{}  {experiment}{}", found.short_key(), found.condition(&names, ", "));
    }
    if matches.len() > LISTED {
        let _ = writeln!(hint, "and {} more", count(matches.len() - LISTED));
    }
    let _ = write!(hint, "add the first digits of a key, or '{}'", first.condition(&names, " and "));
    Failure::question(format!("{} match, and a chart shows one", counted(matches.len(), "run"))).hint(hint)
}

fn nothing(experiments: &[Experiment], skipped: usize) -> Failure {
    let names: Vec<String> =
        experiments.iter().map(|experiment| format!("{}/{}", experiment.study, experiment.name)).collect();
    let names = names.join(", ");
    let failure = Failure::question(format!("no run of {names} matches"));
    let all = experiments.iter().map(Experiment::len).sum();
    match skipped {
        0 => failure
            .hint(format!("it has {}; with fewer conditions the first are listed", counted(all, "run"))),
        _ => failure.hint(format!(
            "{} of {} are on logs that are not at hand: --traces or BACKSWEEP_TRACES names their folder",
            count(skipped),
            counted(all, "run")
        )),
    }
}
