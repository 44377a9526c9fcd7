//! Several processes on one store: here threads, each with its own store and writer, which is all that processes have.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::store::Access;
use crate::test_case::{outcome, task};
use std::path::Path;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// Counts the runs of all processes.
struct Counting<'a> {
    begun: &'a AtomicUsize,
    /// Called with the number of runs begun by all.
    before: &'a (dyn Fn(usize) + Sync),
}

impl Runner for Counting<'_> {
    type Workload = ();

    fn build(&self, _: &RunSpec) -> Result<(), String> {
        Ok(())
    }

    fn bytes(&self, (): &()) -> usize {
        0
    }

    fn run(&self, spec: &RunSpec, (): &(), _: &Halt) -> Result<Outcome, Unfinished> {
        (self.before)(self.begun.fetch_add(1, Ordering::Relaxed));
        match spec.case.machine.nodes() {
            17 => Err(Unfinished::Failed("bad setup".into())),
            nodes => Ok(outcome(f64::from(nodes))),
        }
    }
}

fn tasks(number: u32) -> Vec<Task> {
    (1..=number).map(|nodes| task(nodes, 0)).collect()
}

fn process(
    folder: &Path,
    tasks: Vec<Task>,
    options: &ExecuteOptions,
    runner: &Counting<'_>,
) -> ExecutionSummary {
    let writer = StoreWriter::open(folder).unwrap();
    let mut store = Store::open(folder, Access::Write).unwrap();
    tasks.iter().for_each(|task| assert!(!store.answers(&task.key), "planned before the others began"));
    execute(tasks, runner, &writer, &mut store, options, &|_| {}, &StopFlag::default()).unwrap()
}

fn quick(number: u32, of: u32) -> ExecuteOptions {
    ExecuteOptions {
        jobs: Some(1),
        shard: Shard::new(number, of),
        flush_interval: Duration::from_millis(20),
        ..ExecuteOptions::default()
    }
}

#[test]
fn a_shard_takes_over_what_another_has_not_done() {
    let folder = TempDir::new().unwrap();
    let begun = AtomicUsize::new(0);
    let runner = Counting { begun: &begun, before: &|_| {} };
    // The other shards never run.
    let summary = process(folder.path(), tasks(100), &quick(2, 3), &runner);
    assert_eq!(summary, ExecutionSummary { ok: 99, failed: 1, ..ExecutionSummary::default() });
    assert_eq!(begun.load(Ordering::Relaxed), 100);
}

#[test]
fn what_others_have_done_meanwhile_is_not_run_and_their_failures_are_not_tried() {
    let folder = TempDir::new().unwrap();
    let (begun, other) = (AtomicUsize::new(0), AtomicUsize::new(0));
    // At the first own run, all runs of the other shard are done elsewhere, the failed one too.
    let elsewhere = |number| {
        if number == 0 {
            let writer = StoreWriter::open(folder.path()).unwrap();
            let mut store = Store::open(folder.path(), Access::Write).unwrap();
            let shard = Shard::new(2, 2).unwrap();
            let theirs = tasks(100).into_iter().filter(|task| shard.owns(&task.key)).collect();
            let runner = Counting { begun: &other, before: &|_| {} };
            let options = quick(1, 1);
            execute(theirs, &runner, &writer, &mut store, &options, &|_| {}, &StopFlag::default()).unwrap();
        }
    };
    let runner = Counting { begun: &begun, before: &elsewhere };
    let summary = process(folder.path(), tasks(100), &quick(1, 2), &runner);
    assert_eq!(summary.ok + summary.failed + summary.elsewhere, 100);
    assert_eq!(
        (begun.load(Ordering::Relaxed), other.load(Ordering::Relaxed)),
        (100 - summary.elsewhere, summary.elsewhere)
    );
    assert!((30..70).contains(&summary.elsewhere));
}

#[test]
fn failed_runs_are_tried_again_by_their_own_shard_and_by_no_other() {
    let folder = TempDir::new().unwrap();
    let begun = AtomicUsize::new(0);
    let runner = Counting { begun: &begun, before: &|_| {} };
    let failing = || vec![task(17, 0)];
    assert_eq!(process(folder.path(), failing(), &quick(1, 1), &runner).failed, 1);
    let owner = if Shard::new(1, 2).unwrap().owns(&task(17, 0).key) { 1 } else { 2 };
    assert_eq!(process(folder.path(), failing(), &quick(owner, 2), &runner).failed, 1);
    let other = process(folder.path(), failing(), &quick(3 - owner, 2), &runner);
    assert_eq!((other.failed, other.left, begun.load(Ordering::Relaxed)), (0, 1, 2));
}

#[test]
fn processes_without_shards_share_the_work() {
    let folder = TempDir::new().unwrap();
    let (begun, together) = (AtomicUsize::new(0), Barrier::new(3));
    let runs = 600;
    let pause = |_| std::thread::sleep(Duration::from_millis(1));
    let summaries: Vec<ExecutionSummary> = std::thread::scope(|scope| {
        let handles: Vec<_> = (1..=3)
            .map(|salt| {
                let (begun, pause, together, folder) = (&begun, &pause, &together, folder.path());
                scope.spawn(move || {
                    let runner = Counting { begun, before: pause };
                    let writer = StoreWriter::open(folder).unwrap();
                    let mut store = Store::open(folder, Access::Write).unwrap();
                    together.wait();
                    let options = ExecuteOptions { salt, shard: None, ..quick(1, 1) };
                    execute(
                        tasks(runs),
                        &runner,
                        &writer,
                        &mut store,
                        &options,
                        &|_| {},
                        &StopFlag::default(),
                    )
                    .unwrap()
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    for summary in &summaries {
        assert_eq!(summary.ok + summary.failed + summary.elsewhere, runs as usize, "{summary:?}");
    }
    let executed: usize = summaries.iter().map(|summary| summary.ok + summary.failed).sum();
    assert_eq!(executed, begun.load(Ordering::Relaxed));
    assert!(executed < 2 * runs as usize, "{executed} runs for {runs}");
}
