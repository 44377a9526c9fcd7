//! Executes runs on all cores and brings their rows to the store.

mod cost;
mod flusher;
mod order;
mod shared;
mod simulator;

pub use cost::{CostModel, cost_class};
pub use simulator::{Simulator, available};

use crate::error::SweepError;
use crate::store::{StoreWriter, StoredRun};
use crate::{ExecutionSummary, RunKey, RunSpec, SweepEvent, Task};
use flusher::Outbox;
use order::Order;
use shared::{Workloads, lock};
use sim::Outcome;
use std::any::Any;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What carries out a run. The sweep knows only this; [`Simulator`] is the real one.
pub trait Runner: Sync {
    /// Jobs that several runs may share.
    type Workload: Send + Sync;

    /// Makes the jobs of a run. Runs that agree in workload, nodes and seed get the same.
    ///
    /// # Errors
    /// Why it cannot; every run that needs them fails with this message.
    fn build(&self, spec: &RunSpec) -> Result<Self::Workload, String>;

    /// Memory that the jobs take, in bytes.
    fn bytes(&self, workload: &Self::Workload) -> usize;

    /// Runs. The result must depend on the arguments alone.
    ///
    /// # Errors
    /// Why the run has no outcome.
    fn run(&self, spec: &RunSpec, workload: &Self::Workload) -> Result<Outcome, String>;
}

/// How to execute; no option can change a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecuteOptions {
    /// Worker threads; one per core where absent.
    pub jobs: Option<usize>,
    /// Whether the first failed run ends the sweep.
    pub fail_fast: bool,
    /// Bytes that workloads in memory should not exceed; one is always allowed.
    pub memory_budget: usize,
    /// Rows that are written at once.
    pub flush_rows: usize,
    /// The longest that a row waits to be written.
    pub flush_interval: Duration,
}

impl Default for ExecuteOptions {
    fn default() -> Self {
        ExecuteOptions {
            jobs: None,
            fail_fast: false,
            memory_budget: 2 << 30,
            flush_rows: 500,
            flush_interval: Duration::from_secs(5),
        }
    }
}

/// Asks a sweep to stop: runs in flight are finished and written, no other is begun. May be set from a signal handler.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks to stop.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a signal handler.
    pub fn shared(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

/// Runs the tasks, longest expected first, and writes their rows. A task that occurs twice is run once. A run that fails or
/// panics becomes a failed row, and the others go on.
///
/// # Errors
/// Where rows cannot be written (what was flushed before stays), or threads cannot be started.
pub fn execute<R: Runner>(
    tasks: Vec<Task>,
    runner: &R,
    writer: &StoreWriter,
    costs: &CostModel,
    options: &ExecuteOptions,
    on_event: &(dyn Fn(SweepEvent) + Sync),
    stop: &StopFlag,
) -> Result<ExecutionSummary, SweepError> {
    let tasks = distinct(tasks);
    let order = order::order(&tasks, costs)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.jobs.unwrap_or(cores).clamp(1, tasks.len().max(1));
    let sweep = Sweep {
        workloads: Workloads::new(&order.groups, options.memory_budget),
        outbox: Outbox::new(options.flush_rows, options.flush_interval),
        next: AtomicUsize::new(0),
        halted: AtomicBool::new(false),
        problem: Mutex::new(None),
        ok: AtomicUsize::new(0),
        failed: AtomicUsize::new(0),
        fail_fast: options.fail_fast,
        tasks,
        order,
        runner,
        on_event,
        stop,
    };
    let summary = sweep.execute(threads, writer)?;
    on_event(SweepEvent::Finished(summary));
    Ok(summary)
}

fn distinct(mut tasks: Vec<Task>) -> Vec<Task> {
    let mut seen: HashSet<RunKey> = HashSet::with_capacity(tasks.len());
    tasks.retain(|task| seen.insert(task.key));
    tasks
}

/// One call of [`execute`]: what its threads share.
struct Sweep<'a, R: Runner> {
    tasks: Vec<Task>,
    order: Order,
    workloads: Workloads<R::Workload>,
    outbox: Outbox,
    next: AtomicUsize,
    halted: AtomicBool,
    problem: Mutex<Option<SweepError>>,
    ok: AtomicUsize,
    failed: AtomicUsize,
    fail_fast: bool,
    runner: &'a R,
    on_event: &'a (dyn Fn(SweepEvent) + Sync),
    stop: &'a StopFlag,
}

impl<R: Runner> Sweep<'_, R> {
    fn execute(&self, threads: usize, writer: &StoreWriter) -> Result<ExecutionSummary, SweepError> {
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("run-{n}")).build();
        let pool = pool.map_err(|problem| SweepError::Threads { threads, reason: problem.to_string() })?;
        let flushed = std::thread::scope(|scope| {
            let stopped = || self.stopped();
            let flusher =
                scope.spawn(move || self.outbox.run(writer, self.on_event, stopped, || self.halt()));
            let closing = Closing(&self.outbox);
            pool.scope(|workers| (0..threads).for_each(|_| workers.spawn(|_| self.work())));
            drop(closing);
            flusher.join()
        });
        match flushed {
            Ok(result) => result?,
            Err(payload) => std::panic::resume_unwind(payload),
        }
        if let Some(problem) = lock(&self.problem).take() {
            return Err(problem);
        }
        let (ok, failed) = (self.ok.load(Ordering::Relaxed), self.failed.load(Ordering::Relaxed));
        let left = self.tasks.len() - ok - failed;
        Ok(ExecutionSummary { ok, failed, left, interrupted: left > 0 && self.stop.is_set() })
    }

    fn stopped(&self) -> bool {
        self.stop.is_set() || self.halted.load(Ordering::Relaxed)
    }

    fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// One worker: takes the next step until there is none.
    fn work(&self) {
        while !self.stopped() {
            let Some(&(group, task)) = self.order.steps.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let task = &self.tasks[task];
            if let Some(workload) = self.workload(group, task) {
                self.run(task, workload);
            }
            self.workloads.release(group);
        }
    }

    fn workload(&self, group: usize, task: &Task) -> Option<Result<Arc<R::Workload>, String>> {
        let make = || {
            let workload = caught(|| self.runner.build(&task.spec))?;
            let bytes = self.runner.bytes(&workload);
            let source = source_name(&task.spec);
            (self.on_event)(SweepEvent::WorkloadReady { source, runs: self.order.groups[group], bytes });
            Ok((workload, bytes))
        };
        self.workloads.get(group, make, || self.stopped())
    }

    fn run(&self, task: &Task, workload: Result<Arc<R::Workload>, String>) {
        (self.on_event)(SweepEvent::RunStarted { key: task.key });
        let begin = Instant::now();
        let result = workload.and_then(|workload| caught(|| self.runner.run(&task.spec, &workload)));
        let wall_s = begin.elapsed().as_secs_f64();
        let message = result.as_ref().err().cloned();
        let ok = message.is_none();
        match StoredRun::new(task, result, wall_s) {
            Ok(row) => self.outbox.push(row),
            Err(problem) => {
                lock(&self.problem).get_or_insert(problem);
                return self.halt();
            }
        }
        if ok { &self.ok } else { &self.failed }.fetch_add(1, Ordering::Relaxed);
        if !ok && self.fail_fast {
            self.halt();
        }
        (self.on_event)(SweepEvent::RunFinished { key: task.key, ok, message, wall_s });
    }
}

/// Closes the outbox also when a worker panics, because the flusher would wait for ever.
struct Closing<'a>(&'a Outbox);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// A source in a few words, for progress.
fn source_name(spec: &RunSpec) -> String {
    match &spec.case.workload.source {
        workload::Source::Log { name, mode: workload::Mode::Trace } => name.clone(),
        workload::Source::Log { name, mode: workload::Mode::Twin } => format!("{name} (twin)"),
        workload::Source::File { path } => path.clone(),
        workload::Source::LublinFeitelson { .. } => "Lublin-Feitelson".to_owned(),
    }
}

/// Calls `work` and turns a panic into a message. What a run owns is lost with it; what it shares is never half changed, because
/// runs only read it.
fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(format!("panic: {}", panic_message(&*payload))))
}

fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

#[cfg(test)]
mod tests;
