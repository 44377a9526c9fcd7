//! What of a plan the store answers already, and what is missing.

use crate::error::SweepError;
use crate::store::{Status, Store};
use crate::{KeyMaker, PlannedRun, SweepEvent, Task};
use serde::Serialize;

/// A plan held against a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Survey {
    /// Runs of the plan.
    pub runs: usize,
    /// Of these, answered by the store.
    pub cached: usize,
    /// Of these, to be run.
    pub missing: usize,
    /// Of the missing, those that were run before and failed.
    pub failed_before: usize,
    /// Expected work of the missing runs in seconds of one thread; absent where no earlier run allows a guess.
    pub expected_s: Option<f64>,
}

impl Survey {
    /// The survey as an event.
    pub fn event(&self) -> SweepEvent {
        let Survey { runs, cached, missing, expected_s, .. } = *self;
        SweepEvent::Planned { runs, cached, failed: 0, missing, expected_s }
    }
}

/// Holds planned runs against the store, in constant memory, and hands every missing one to `on_missing`. Failed runs count as
/// missing: what made them fail may have been the machine.
///
/// # Errors
/// Where a log cannot be read.
pub fn survey(
    plan: impl IntoIterator<Item = PlannedRun>,
    keys: &mut KeyMaker<'_>,
    store: &Store,
    mut on_missing: impl FnMut(Task),
) -> Result<Survey, SweepError> {
    let mut survey = Survey::default();
    let (mut expected_s, mut unknown) = (0.0, false);
    for run in plan {
        let task = keys.task(run.spec)?;
        survey.runs += 1;
        let status = store.status(&task.key);
        if status == Some(Status::Ok) {
            survey.cached += 1;
            continue;
        }
        survey.missing += 1;
        survey.failed_before += usize::from(status == Some(Status::Failed));
        match store.costs().expected_s(&task.spec)? {
            Some(seconds) => expected_s += seconds,
            None => unknown = true,
        }
        on_missing(task);
    }
    survey.expected_s = (!unknown).then_some(expected_s);
    Ok(survey)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::executor::Simulator;
    use crate::*;
    use std::collections::BTreeMap;
    use std::path::Path;
    use tempfile::TempDir;
    use workload::TraceDir;

    const EXPERIMENT: &str = r#"(
        format: 1, name: "small", study: "test", title: "t", source: "s",
        base: (
            machine: Tree(arity: 4, levels: 2),
            workload: (source: LublinFeitelson(), jobs: 60, load: Some((target: 0.9))),
            policy: Fcfs,
        ),
        axes: { "policy": [Fcfs, Easy()], "allocator": [FirstFree, Contiguous()], "speedup": Range(from: 0.0, to: 0.2, step: 0.1) },
        replications: 2, seed: 1,
    )"#;

    /// Runs what is missing and writes the tables; returns the survey and the tables' bytes.
    fn reproduce(store_folder: &Path, out: &Path, threads: usize) -> (Survey, Vec<Vec<u8>>) {
        let experiment = Experiment::parse("small.ron", EXPERIMENT, &Overrides::default()).unwrap();
        let traces = TraceDir::none();
        let mut keys = KeyMaker::with_traces(&traces);
        let mut store = Store::open(store_folder, Access::Write).unwrap();
        let mut tasks = Vec::new();
        let found = survey(experiment.runs(), &mut keys, &store, |task| tasks.push(task)).unwrap();
        let writer = StoreWriter::open(store_folder).unwrap();
        let (simulator, stop) = (Simulator::new(traces.clone()), StopFlag::default());
        let options = ExecuteOptions { jobs: Some(threads), ..ExecuteOptions::default() };
        let summary = execute(tasks, &simulator, &writer, &mut store, &options, &|_| {}, &stop).unwrap();
        assert_eq!((summary.ok, summary.failed), (found.missing, 0));
        assert_eq!(store.refresh().unwrap(), 0, "it has been refreshed");
        let columns = experiment.columns();
        let head = ResultHead { study: "test", experiment: "small", columns: &columns };
        let plan = experiment.runs().map(|run| {
            let key = keys.task(run.spec.clone()).unwrap().key;
            (run, Standing::Planned(key))
        });
        let results = collect(head, plan, &store).unwrap();
        assert_eq!((results.missing, results.runs.len()), (0, 24));
        let tables = tables(results, &columns, &[], &BTreeMap::new()).unwrap();
        stage_results(out, &tables).unwrap().commit().unwrap();
        let mut files: Vec<_> = std::fs::read_dir(out).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        (found, files.iter().map(|file| std::fs::read(file).unwrap()).collect())
    }

    #[test]
    fn a_second_sweep_runs_nothing_and_threads_change_nothing() {
        let folder = TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        let (first, one) = reproduce(&path("store"), &path("one"), 1);
        assert_eq!(first, Survey { runs: 24, missing: 24, ..Survey::default() });
        let (second, again) = reproduce(&path("store"), &path("again"), 1);
        assert_eq!(second, Survey { runs: 24, cached: 24, expected_s: Some(0.0), ..Survey::default() });
        let (_, two) = reproduce(&path("other store"), &path("two"), 2);
        assert!(one == again && one == two);
        assert_eq!(one.len(), 4);
    }

    #[test]
    fn failed_runs_are_missing() {
        let folder = TempDir::new().unwrap();
        let task = test_case::task(8, 0);
        let row = StoredRun::new(&task, Err("out of memory".into()), 1.0).unwrap();
        StoreWriter::open(folder.path()).unwrap().write(&[row]).unwrap();
        let store = Store::open(folder.path(), Access::Read).unwrap();
        let run = PlannedRun { spec: task.spec.clone(), mode: RunMode::Model, point: Vec::new() };
        let mut missing = Vec::new();
        let traces = TraceDir::none();
        let mut keys = KeyMaker::with_traces(&traces);
        let found = survey([run], &mut keys, &store, |task| missing.push(task)).unwrap();
        assert_eq!(found, Survey { runs: 1, missing: 1, failed_before: 1, ..Survey::default() });
        assert_eq!(missing, [task]);
        assert!(matches!(
            found.event(),
            SweepEvent::Planned { runs: 1, cached: 0, failed: 0, missing: 1, expected_s: None }
        ));
    }
}
