//! Retries, time-outs, memory limits and abandoned sweeps, with a runner that does as it is told.
#![allow(clippy::unwrap_used)]

use super::shared::lock;
use super::*;
use crate::store::Access;
use crate::test_case::{outcome, task};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use tempfile::TempDir;

/// A runner that does `act` with the number of nodes.
struct Scripted<F> {
    act: F,
    resident: AtomicU64,
    built: AtomicUsize,
    forgotten: AtomicUsize,
}

impl<F: Fn(&AtomicU64, u32, &Halt) -> Result<(), Unfinished> + Sync> Runner for Scripted<F> {
    type Workload = u32;

    fn build(&self, spec: &RunSpec) -> Result<u32, String> {
        match (spec.case.machine.nodes(), self.built.fetch_add(1, Ordering::Relaxed)) {
            (19, 0) => Err("the disk is busy".into()),
            (nodes, _) => Ok(nodes),
        }
    }

    /// Jobs for 99 nodes take a lot.
    fn bytes(&self, workload: &u32) -> usize {
        if *workload == 99 { 5000 } else { 10 }
    }

    fn run(&self, _: &RunSpec, workload: &u32, halt: &Halt) -> Result<Outcome, Unfinished> {
        (self.act)(&self.resident, *workload, halt).map(|()| outcome(f64::from(*workload)))
    }

    fn foreseen_bytes(&self, spec: &RunSpec) -> usize {
        if spec.case.machine.nodes() == 98 { 7000 } else { 0 }
    }

    fn forget(&self) {
        self.forgotten.fetch_add(1, Ordering::Relaxed);
    }

    fn resident(&self) -> Option<u64> {
        Some(self.resident.load(Ordering::Relaxed))
    }
}

fn scripted<F: Fn(&AtomicU64, u32, &Halt) -> Result<(), Unfinished> + Sync>(act: F) -> Scripted<F> {
    Scripted { act, resident: AtomicU64::new(0), built: AtomicUsize::new(0), forgotten: AtomicUsize::new(0) }
}

fn until_halted(halt: &Halt) -> Result<(), Unfinished> {
    while !halt.asked() {
        std::thread::yield_now();
    }
    Err(Unfinished::Halted)
}

/// Executes runs with so many nodes; the summary, the events, and the message of each run's row.
struct Swept {
    summary: ExecutionSummary,
    events: Vec<SweepEvent>,
    rows: Vec<Option<Result<f64, String>>>,
}

fn sweep(nodes: &[u32], runner: &impl Runner, options: ExecuteOptions, stop: &StopFlag) -> Swept {
    let folder = TempDir::new().unwrap();
    let writer = StoreWriter::open(folder.path()).unwrap();
    let mut store = Store::open(folder.path(), Access::Write).unwrap();
    let tasks: Vec<Task> = nodes.iter().map(|nodes| task(*nodes, 0)).collect();
    let keys: Vec<RunKey> = tasks.iter().map(|task| task.key).collect();
    let events = Mutex::new(Vec::new());
    let on_event = |event| lock(&events).push(event);
    let summary = execute(tasks, runner, &writer, &mut store, &options, &on_event, stop).unwrap();
    let value = |row: crate::StoredRun| row.result.map(|outcome| outcome.metrics.0[1].unwrap() - 1.0);
    let rows = store.fetch(&keys).unwrap().into_iter().map(|row| row.map(value)).collect();
    Swept { summary, events: events.into_inner().unwrap(), rows }
}

fn options(jobs: usize) -> ExecuteOptions {
    ExecuteOptions { jobs: Some(jobs), ..ExecuteOptions::default() }
}

#[test]
fn what_fails_is_tried_again_as_often_as_was_asked_for() {
    let tries = AtomicUsize::new(0);
    let runner = scripted(|_, nodes, _| match nodes {
        17 => Err(Unfinished::Failed("always".into())),
        23 if tries.fetch_add(1, Ordering::Relaxed) < 2 => panic!("at first"),
        _ => Ok(()),
    });
    let with_retries = |retries| {
        tries.store(0, Ordering::Relaxed);
        runner.built.store(0, Ordering::Relaxed);
        sweep(&[19, 17, 23], &runner, ExecuteOptions { retries, ..options(1) }, &StopFlag::default())
    };
    let swept = with_retries(2);
    assert_eq!(swept.rows, [Some(Ok(19.0)), Some(Err("always".into())), Some(Ok(23.0))]);
    let retried = swept.events.iter().filter(|event| matches!(event, SweepEvent::RunRetried { .. })).count();
    assert_eq!((swept.summary.failed, retried), (1, 1 + 2 + 2));
    let swept = with_retries(0);
    let messages = ["the disk is busy", "always", "panic: at first"];
    assert_eq!(swept.rows, messages.map(|text| Some(Err(text.to_owned()))));
}

#[test]
fn a_run_that_takes_too_long_is_a_failed_row_and_not_tried_again() {
    let runner = scripted(|_, nodes, halt| if nodes == 31 { until_halted(halt) } else { Ok(()) });
    let options = ExecuteOptions { run_timeout: Some(Duration::from_millis(500)), retries: 3, ..options(2) };
    let swept = sweep(&[31, 32], &runner, options, &StopFlag::default());
    assert_eq!(swept.rows, [Some(Err("stopped after 0.5 s (--run-timeout)".into())), Some(Ok(32.0))]);
    assert!(!swept.events.iter().any(|event| matches!(event, SweepEvent::RunRetried { .. })));
}

#[test]
fn abandoned_runs_leave_no_row_and_finished_ones_stay() {
    let stop = StopFlag::default();
    let runner = scripted(|_, nodes, halt| match nodes {
        31 => {
            stop.abandon();
            until_halted(halt)
        }
        _ => Ok(()),
    });
    let swept = sweep(&[8, 31, 9], &runner, options(1), &stop);
    assert_eq!(swept.rows, [Some(Ok(8.0)), None, None]);
    let expected = ExecutionSummary { ok: 1, left: 2, interrupted: true, ..ExecutionSummary::default() };
    assert_eq!(swept.summary, expected);
}

#[test]
fn above_the_memory_limit_the_youngest_run_is_given_up_and_tried_again_alone() {
    // Each of the two takes 600 of 1000 bytes; alone, each is fine.
    let (in_flight, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let runner = scripted(|resident: &AtomicU64, nodes, halt: &Halt| {
        if nodes < 100 {
            return Ok(());
        }
        let others = in_flight.fetch_add(1, Ordering::SeqCst);
        most.fetch_max(others + 1, Ordering::SeqCst);
        resident.fetch_add(600, Ordering::SeqCst);
        // The first waits for the second, which waits until it is given up.
        let result = loop {
            if halt.asked() {
                break Err(Unfinished::Halted);
            }
            if others == 0 && most.load(Ordering::SeqCst) == 2 && in_flight.load(Ordering::SeqCst) == 1 {
                break Ok(());
            }
            std::thread::yield_now();
        };
        resident.fetch_sub(600, Ordering::SeqCst);
        in_flight.fetch_sub(1, Ordering::SeqCst);
        result
    });
    let options = ExecuteOptions { max_memory: Some(1000), ..options(2) };
    let swept = sweep(&[100, 101, 8, 9], &runner, options, &StopFlag::default());
    assert_eq!(swept.summary, ExecutionSummary { ok: 4, ..ExecutionSummary::default() });
    assert_eq!(most.load(Ordering::SeqCst), 2);
    assert!(runner.forgotten.load(Ordering::SeqCst) >= 1, "what is kept is given back first");
}

#[test]
fn a_run_that_is_too_large_even_alone_fails_and_so_do_jobs_that_are() {
    let runner = scripted(|resident: &AtomicU64, nodes, halt: &Halt| {
        if nodes != 100 {
            return Ok(());
        }
        resident.store(3000, Ordering::SeqCst);
        let result = until_halted(halt);
        resident.store(10, Ordering::SeqCst);
        result
    });
    let options = ExecuteOptions { max_memory: Some(1000), ..options(1) };
    let swept = sweep(&[8, 98, 99, 100], &runner, options, &StopFlag::default());
    let messages = [
        "its jobs alone take 7 kB (--max-memory 1 kB)",
        "its jobs alone take 5 kB (--max-memory 1 kB)",
        "took more than 1 kB (--max-memory), even alone",
    ];
    assert_eq!(swept.rows[0], Some(Ok(8.0)));
    assert_eq!(swept.rows[1..], messages.map(|text| Some(Err(text.to_owned()))));
    // The one with 98 nodes is not even built.
    assert_eq!(runner.built.load(Ordering::Relaxed), 4, "the last is built again");
}

#[test]
fn runs_that_cannot_be_over_in_time_are_not_begun() {
    let folder = TempDir::new().unwrap();
    let writer = StoreWriter::open(folder.path()).unwrap();
    let runner = scripted(|_, _, _| Ok(()));
    // Earlier runs of these took a thousand seconds.
    let earlier = crate::StoredRun::new(&task(7, 0), Ok(outcome(7.0)), 1000.0).unwrap();
    writer.write(&[earlier]).unwrap();
    let in_seconds = |seconds| {
        let mut store = Store::open(folder.path(), Access::Write).unwrap();
        let deadline = Some(Instant::now() + Duration::from_secs(seconds));
        let options = ExecuteOptions { deadline, ..options(1) };
        let stop = StopFlag::default();
        execute(vec![task(8, 0)], &runner, &writer, &mut store, &options, &|_| {}, &stop).unwrap()
    };
    assert_eq!(in_seconds(500), ExecutionSummary { left: 1, ..ExecutionSummary::default() });
    assert_eq!(in_seconds(5000), ExecutionSummary { ok: 1, ..ExecutionSummary::default() });
}

#[test]
fn progress_ends_with_all_done() {
    let runner = scripted(|_, nodes, _| match nodes {
        17 => Err(Unfinished::Failed("always".into())),
        _ => Ok(()),
    });
    let swept = sweep(&[8, 17, 9], &runner, options(1), &StopFlag::default());
    let last = swept.events.iter().rev().find_map(|event| match event {
        SweepEvent::Progress(progress) => Some(progress.clone()),
        _ => None,
    });
    let last = last.unwrap();
    assert_eq!((last.done, last.total, last.failed, last.in_flight), (3, 3, 1, 0));
    assert_eq!((last.eta_low_s, last.eta_high_s), (Some(0.0), Some(0.0)));
    assert!(matches!(swept.events.last(), Some(SweepEvent::Finished(_))));
}
