#![allow(clippy::unwrap_used)]

use super::shared::lock;
use super::*;
use crate::store::{Access, StoredRun};
use crate::test_case::{outcome, task};
use sim::MachineSpec;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// A runner whose results depend on the nodes alone: 13 panics, 17 fails, workloads of 19 cannot be built.
#[derive(Default)]
struct Fake {
    built: AtomicUsize,
    run: AtomicUsize,
    /// Called before each run with the number of runs begun so far.
    before: Option<Box<dyn Fn(usize) + Sync>>,
}

impl Runner for Fake {
    type Workload = u32;

    fn build(&self, spec: &RunSpec) -> Result<u32, String> {
        self.built.fetch_add(1, Ordering::Relaxed);
        match spec.case.machine.nodes() {
            19 => Err("no such log".into()),
            nodes => Ok(nodes),
        }
    }

    fn bytes(&self, _: &u32) -> usize {
        1000
    }

    fn run(&self, spec: &RunSpec, workload: &u32, _: &Halt) -> Result<Outcome, Unfinished> {
        let begun = self.run.fetch_add(1, Ordering::Relaxed);
        self.before.iter().for_each(|before| before(begun));
        assert_eq!(spec.case.machine, MachineSpec::Flat { nodes: *workload });
        match workload {
            13 => panic!("unlucky {workload}"),
            17 => Err(Unfinished::Failed("bad setup".into())),
            nodes => Ok(outcome(f64::from(*nodes))),
        }
    }
}

fn tasks(nodes: impl IntoIterator<Item = u32>) -> Vec<Task> {
    nodes.into_iter().flat_map(|nodes| [task(nodes, 0), task(nodes, 1)]).collect()
}

/// Tasks that share a workload: three policies' worth of measures on the same jobs.
fn sharing(nodes: u32) -> Vec<Task> {
    let with_bound = |bound_s: f64| {
        let mut spec = task(nodes, 0).spec;
        spec.case_mut().measure.bound_s = bound_s;
        crate::KeyMaker::new(|_| Ok(None)).task(spec).unwrap()
    };
    [1.0, 2.0, 3.0].map(with_bound).to_vec()
}

pub(super) fn options(jobs: usize) -> ExecuteOptions {
    ExecuteOptions { jobs: Some(jobs), ..ExecuteOptions::default() }
}

struct Log(Mutex<Vec<SweepEvent>>);

impl Log {
    fn count(&self, kind: &str) -> usize {
        lock(&self.0).iter().filter(|event| serde_json::to_value(event).unwrap()["event"] == kind).count()
    }
}

fn sweep(
    tasks: Vec<Task>,
    runner: &Fake,
    folder: &Path,
    options: &ExecuteOptions,
    stop: &StopFlag,
) -> (Result<ExecutionSummary, SweepError>, Log) {
    let log = Log(Mutex::default());
    let writer = StoreWriter::open(folder).unwrap();
    let on_event = |event| lock(&log.0).push(event);
    let mut store = Store::open(folder, Access::Write).unwrap();
    let result = execute(tasks, runner, &writer, &mut store, options, &on_event, stop);
    (result, log)
}

#[test]
fn failures_and_panics_become_rows_and_the_others_finish() {
    let folder = TempDir::new().unwrap();
    let planned = tasks([8, 13, 16, 17, 19, 23]);
    let runner = Fake::default();
    let mut twice = planned.clone();
    twice.extend(planned.clone());
    let (summary, log) = sweep(twice, &runner, folder.path(), &options(2), &StopFlag::default());
    assert_eq!(summary.unwrap(), ExecutionSummary { ok: 6, failed: 6, ..ExecutionSummary::default() });
    let store = Store::open(folder.path(), Access::Read).unwrap();
    let keys: Vec<RunKey> = planned.iter().map(|task| task.key).collect();
    for (task, row) in planned.iter().zip(store.fetch(&keys).unwrap()) {
        let expected = match task.spec.case.machine.nodes() {
            13 => Err("panic: unlucky 13".to_owned()),
            17 => Err("bad setup".to_owned()),
            19 => Err("no such log".to_owned()),
            nodes => Ok(outcome(f64::from(nodes))),
        };
        assert_eq!(row.unwrap().result, expected);
    }
    assert_eq!((log.count("run_started"), log.count("run_finished"), log.count("finished")), (12, 12, 1));
    assert_eq!((log.count("workload_ready"), log.count("flushed")), (10, 1));
}

#[test]
fn any_number_of_threads_gives_the_same_rows() {
    let rows = |threads: usize| {
        let folder = TempDir::new().unwrap();
        let planned = tasks(1..40);
        let (summary, _) =
            sweep(planned.clone(), &Fake::default(), folder.path(), &options(threads), &StopFlag::default());
        assert_eq!(summary.unwrap().ok, 72);
        let keys: Vec<RunKey> = planned.iter().map(|task| task.key).collect();
        let rows = Store::open(folder.path(), Access::Read).unwrap().fetch(&keys).unwrap();
        rows.into_iter().map(|row| StoredRun { wall_s: 0.0, ..row.unwrap() }).collect::<Vec<_>>()
    };
    let one = rows(1);
    assert_eq!(one, rows(2));
    assert_eq!(one, rows(8));
}

#[test]
fn runs_on_the_same_jobs_share_one_workload_under_any_budget() {
    for memory_budget in [0, usize::MAX] {
        let folder = TempDir::new().unwrap();
        let runner = Fake::default();
        let planned: Vec<Task> = (1..9).flat_map(sharing).collect();
        let options = ExecuteOptions { memory_budget, ..options(4) };
        let (summary, _) = sweep(planned, &runner, folder.path(), &options, &StopFlag::default());
        assert_eq!(summary.unwrap().ok, 24);
        assert_eq!(runner.built.load(Ordering::Relaxed), 8);
    }
}

#[test]
fn a_stopped_sweep_finishes_what_is_in_flight_and_writes_it() {
    let folder = TempDir::new().unwrap();
    let stop = StopFlag::default();
    let flag = stop.clone();
    let before = move |begun| {
        if begun == 5 {
            flag.stop();
        }
        while begun > 5 && !flag.is_set() {
            std::thread::yield_now();
        }
    };
    let runner = Fake { before: Some(Box::new(before)), ..Fake::default() };
    let (summary, log) = sweep(tasks(20..60), &runner, folder.path(), &options(2), &stop);
    let summary = summary.unwrap();
    assert!(summary.interrupted && summary.ok >= 6 && summary.ok <= 8, "{summary:?}");
    assert_eq!(summary.ok + summary.left, 80);
    assert_eq!(log.count("run_finished"), summary.ok);
    assert_eq!(Store::open(folder.path(), Access::Read).unwrap().len(), summary.ok);
    let (summary, log) = sweep(tasks(20..60), &Fake::default(), folder.path(), &options(2), &stop);
    assert_eq!((summary.unwrap().left, log.count("run_started")), (80, 0));
}

#[test]
fn fail_fast_ends_the_sweep_but_keeps_its_rows() {
    let folder = TempDir::new().unwrap();
    let options = ExecuteOptions { fail_fast: true, ..options(1) };
    let (summary, _) =
        sweep(tasks([8, 17, 18, 20]), &Fake::default(), folder.path(), &options, &StopFlag::default());
    assert_eq!(
        summary.unwrap(),
        ExecutionSummary { ok: 2, failed: 1, left: 5, ..ExecutionSummary::default() }
    );
    assert_eq!(Store::open(folder.path(), Access::Read).unwrap().len(), 3);
}

#[test]
fn rows_are_flushed_by_number_and_by_time_while_runs_go_on() {
    let folder = TempDir::new().unwrap();
    let options = ExecuteOptions { flush_rows: 10, ..options(1) };
    let (summary, log) =
        sweep(tasks(20..60), &Fake::default(), folder.path(), &options, &StopFlag::default());
    assert_eq!(summary.unwrap().ok, 80);
    let flushed = log.count("flushed");
    assert!((1..=9).contains(&flushed), "{flushed}");

    let folder = TempDir::new().unwrap();
    let path = folder.path().to_owned();
    // The third run waits until the first two are on disk; only the clock can bring them there.
    let before = move |begun| {
        let begin = Instant::now();
        while begun == 2 && Store::open(&path, Access::Read).unwrap().len() < 2 {
            assert!(begin.elapsed() < Duration::from_secs(20), "nothing was flushed");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let runner = Fake { before: Some(Box::new(before)), ..Fake::default() };
    let options = ExecuteOptions { flush_interval: Duration::from_millis(30), ..options };
    let (summary, _) = sweep(tasks([20, 21]), &runner, folder.path(), &options, &StopFlag::default());
    assert_eq!(summary.unwrap(), ExecutionSummary { ok: 4, ..ExecutionSummary::default() });
}

#[test]
fn a_store_that_stops_taking_rows_ends_the_sweep_with_an_error() {
    let parent = TempDir::new().unwrap();
    let folder = parent.path().join("store");
    let (path, moved) = (folder.clone(), parent.path().join("moved"));
    // After a first flush the folder gives way to a file, as a full or lost disk would refuse the next rows.
    let before = move |begun| {
        if begun == 3 {
            let begin = Instant::now();
            while Store::open(&path, Access::Read).unwrap().is_empty() {
                assert!(begin.elapsed() < Duration::from_secs(20), "nothing was flushed");
                std::thread::sleep(Duration::from_millis(5));
            }
            fs::rename(&path, &moved).unwrap();
            fs::write(&path, b"").unwrap();
        } else if begun > 3 {
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let runner = Fake { before: Some(Box::new(before)), ..Fake::default() };
    let options = ExecuteOptions { flush_rows: 1, ..options(1) };
    let (result, log) = sweep(tasks(20..220), &runner, &folder, &options, &StopFlag::default());
    assert!(matches!(result, Err(SweepError::StoreWrite { .. })), "{result:?}");
    assert!(runner.run.load(Ordering::Relaxed) < 400, "the sweep went on without a store");
    let kept = Store::open(&parent.path().join("moved"), Access::Read).unwrap().len();
    assert!(kept >= 1);
    assert!(log.count("flushed") >= 1 && log.count("finished") == 0);
}

#[test]
fn nothing_to_do_is_done_at_once() {
    let folder = TempDir::new().unwrap();
    let (summary, log) =
        sweep(Vec::new(), &Fake::default(), folder.path(), &options(2), &StopFlag::default());
    assert_eq!(summary.unwrap(), ExecutionSummary::default());
    assert_eq!((log.count("finished"), log.count("flushed")), (1, 0));
}

#[test]
fn a_listener_that_panics_does_not_hang_the_sweep_and_loses_no_row() {
    let folder = TempDir::new().unwrap();
    let writer = StoreWriter::open(folder.path()).unwrap();
    let finished = AtomicUsize::new(0);
    let on_event = |event| {
        if let SweepEvent::RunFinished { .. } = event {
            assert!(finished.fetch_add(1, Ordering::Relaxed) < 3, "tired of listening");
        }
    };
    let mut store = Store::open(folder.path(), Access::Read).unwrap();
    let (options, stop) = (options(1), StopFlag::default());
    let result = catch_unwind(AssertUnwindSafe(|| {
        execute(tasks(20..30), &Fake::default(), &writer, &mut store, &options, &on_event, &stop)
    }));
    assert!(result.is_err());
    assert_eq!(Store::open(folder.path(), Access::Read).unwrap().len(), 4);
}
