//! One sweep: workers that take runs from the line, and what they share.

use super::backlog::{Backlog, Take};
use super::flight::{Flight, Flights};
use super::forecast::Forecast;
use super::keeper::Keeper;
use super::memory::size;
use super::order::{Entry, order};
use super::queue::{Next, Queue, Step};
use super::shared::{Budget, lock};
use super::stop::{Reason, length};
use super::watch::Over;
use super::{ExecuteOptions, Halt, Runner, StopFlag, Unfinished};
use crate::error::SweepError;
use crate::store::{RowMaker, Status, Store, StoreWriter};
use crate::{ExecutionSummary, RunSpec, SweepEvent, Task};
use sim::Outcome;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a worker waits before it asks again.
const PAUSE: Duration = Duration::from_millis(50);
/// Other processes are at work if they have added rows within this time.
const COMPANY: Duration = Duration::from_secs(60);
/// A look at the store is fresh for so long.
const FRESH: Duration = Duration::from_millis(100);
/// The least time that a process waits for the last runs of others.
const PATIENCE: Duration = Duration::from_millis(500);
/// Runs taken from the backlog at once while no other process is at work.
const ALONE: usize = 64;

/// What the threads of a sweep share.
pub(super) struct Sweep<'a, R: Runner> {
    pub tasks: Vec<Task>,
    /// Whether the task has failed before, so that a failed row answers nothing.
    again: Vec<bool>,
    pub queue: Queue<R::Workload>,
    budget: Budget,
    pub keeper: Keeper<'a>,
    pub flights: Flights,
    pub counts: Counts,
    pub forecast: Mutex<Forecast>,
    refilling: Mutex<()>,
    /// When other processes last added rows.
    company: Mutex<Option<Instant>>,
    /// Since when only so few runs are left that others may have them in flight.
    last_ones: Mutex<Option<Instant>>,
    /// Whether the store was looked at since runs were last taken next to other processes.
    looked: AtomicBool,
    halted: AtomicBool,
    problem: Mutex<Option<SweepError>>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// Whether the process takes more memory than it may.
    pub tight: AtomicBool,
    pub begin: Instant,
    pub threads: usize,
    pub options: &'a ExecuteOptions,
    pub runner: &'a R,
    on_event: &'a (dyn Fn(SweepEvent) + Sync),
    pub stop: &'a StopFlag,
}

/// What has become of the tasks.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub ok: AtomicUsize,
    pub failed: AtomicUsize,
    /// Answered by other processes.
    pub elsewhere: AtomicUsize,
    /// The longest run so far, in milliseconds.
    longest_ms: AtomicUsize,
}

impl Counts {
    /// Tasks that need no more work.
    pub fn done(&self) -> usize {
        let all = [&self.ok, &self.failed, &self.elsewhere];
        all.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }

    /// Runs carried out by this process.
    pub fn here(&self) -> usize {
        self.ok.load(Ordering::Relaxed) + self.failed.load(Ordering::Relaxed)
    }
}

pub(super) fn execute<R: Runner>(
    tasks: Vec<Task>,
    runner: &R,
    writer: &StoreWriter,
    store: &mut Store,
    options: &ExecuteOptions,
    on_event: &(dyn Fn(SweepEvent) + Sync),
    stop: &StopFlag,
) -> Result<ExecutionSummary, SweepError> {
    let again: Vec<bool> = tasks.iter().map(|task| store.status(&task.key) == Some(Status::Failed)).collect();
    let backlog = backlog(&tasks, &again, store, options)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.jobs.unwrap_or(cores).clamp(1, tasks.len().max(1));
    let mut forecast = Forecast::default();
    backlog.entries().for_each(|entry| forecast.add(entry));
    let sweep = Sweep {
        tasks,
        again,
        queue: Queue::new(backlog),
        budget: Budget::new(options.workload_budget()),
        keeper: Keeper::new(writer, store, options.flush_rows, options.flush_interval),
        flights: Flights::new(threads),
        counts: Counts::default(),
        forecast: Mutex::new(forecast),
        refilling: Mutex::default(),
        company: Mutex::default(),
        last_ones: Mutex::default(),
        looked: AtomicBool::new(false),
        halted: AtomicBool::new(false),
        problem: Mutex::default(),
        panic: Mutex::default(),
        tight: AtomicBool::new(false),
        begin: Instant::now(),
        threads,
        options,
        runner,
        on_event,
        stop,
    };
    sweep.execute()
}

/// What there is to do, own runs first. Where a run has failed before, its own shard alone tries it again: no other could tell
/// whether that was done.
fn backlog(
    tasks: &[Task],
    again: &[bool],
    store: &Store,
    options: &ExecuteOptions,
) -> Result<Backlog, SweepError> {
    let hash = |number: u64| {
        let mut short = [0; 8];
        short.copy_from_slice(&blake3::hash(&number.to_le_bytes()).as_bytes()[..8]);
        u64::from_le_bytes(short)
    };
    let Some(shard) = options.shard else {
        // Without a salt the order is always the same.
        let start = (hash(options.salt) >> 11) as f64 / (1u64 << 53) as f64;
        let start = if options.salt == 0 { 0.0 } else { start };
        return Ok(Backlog::new(order(tasks, store.costs(), start)?, Vec::new(), options.salt));
    };
    let owns = |entry: &Entry| shard.owns(&tasks[entry.task].key);
    let (own, mut others): (Vec<Entry>, Vec<Entry>) =
        order(tasks, store.costs(), 0.0)?.into_iter().partition(owns);
    others.retain(|entry| !again[entry.task]);
    Ok(Backlog::new(own, others, hash(u64::from(shard.number()))))
}

impl<R: Runner> Sweep<'_, R> {
    fn execute(self) -> Result<ExecutionSummary, SweepError> {
        let threads = self.threads;
        let pool =
            rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(|n| format!("run-{n}")).build();
        let pool = pool.map_err(|problem| SweepError::Threads { threads, reason: problem.to_string() })?;
        let (over, sweep) = (Over::default(), &self);
        std::thread::scope(|scope| {
            scope.spawn(|| self.watch(&over));
            let flusher = scope.spawn(|| self.keeper.run(|| self.stopped(), || self.sync()));
            pool.scope(|workers| (0..threads).for_each(|n| workers.spawn(move |_| sweep.work(n))));
            over.tell();
            self.keeper.close();
            // It catches what its listeners throw.
            let _ = flusher.join();
        });
        self.report_progress();
        if let Some(payload) = lock(&self.panic).take() {
            resume_unwind(payload);
        }
        let summary = self.summary();
        let problem = lock(&self.problem).take();
        let on_event = self.on_event;
        self.keeper.into_result()?;
        if let Some(problem) = problem {
            return Err(problem);
        }
        on_event(SweepEvent::Finished(summary));
        Ok(summary)
    }

    fn summary(&self) -> ExecutionSummary {
        let count = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        let Counts { ok, failed, elsewhere, .. } = &self.counts;
        let left = self.tasks.len() - self.counts.done();
        let interrupted = left > 0 && self.stop.is_set();
        ExecutionSummary {
            ok: count(ok),
            failed: count(failed),
            elsewhere: count(elsewhere),
            left,
            interrupted,
        }
    }

    /// Tells an event. A listener that panics ends the sweep, after its rows are written.
    pub fn tell(&self, event: SweepEvent) {
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| (self.on_event)(event))) {
            lock(&self.panic).get_or_insert(payload);
            self.halt();
        }
    }

    /// Whether no more runs are to be begun.
    pub fn stopped(&self) -> bool {
        self.stop.is_set() || self.halted.load(Ordering::Relaxed)
    }

    fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Brings rows to the store and forgets what others have done.
    fn sync(&self) {
        let mut gone = 0;
        let news = self.keeper.sync(|store, news| {
            if news.foreign {
                gone = self.forget_answered(store);
            }
        });
        self.counts.elsewhere.fetch_add(gone, Ordering::Relaxed);
        self.looked.store(true, Ordering::Relaxed);
        if news.failed {
            self.halt();
        }
        if news.flushed > 0 {
            self.tell(SweepEvent::Flushed { rows: news.flushed });
        }
        news.warnings.into_iter().for_each(|text| self.tell(SweepEvent::Warning { text }));
    }

    /// Forgets the runs that others have done; returns how many. When others turn up for the first time, all that is not
    /// begun is up for another choice, since they may have begun at the same place.
    fn forget_answered(&self, store: &Store) -> usize {
        let answered = |entry: &Entry| match store.status(&self.tasks[entry.task].key) {
            Some(Status::Ok) => true,
            Some(Status::Failed) => !self.again[entry.task],
            None => false,
        };
        let (steps, entries) = self.queue.forget(answered);
        let mut forecast = lock(&self.forecast);
        steps.iter().map(|step| &step.entry).chain(&entries).for_each(|entry| forecast.remove(entry));
        steps.iter().for_each(|step| self.budget.release(&step.share));
        if lock(&self.company).replace(Instant::now()).is_none() && self.options.shard.is_none() {
            self.queue.put_back().iter().for_each(|step| self.budget.release(&step.share));
        }
        steps.len() + entries.len()
    }

    /// One worker: takes the next run until there is none.
    fn work(&self, worker: usize) {
        let mut rows = RowMaker::default();
        while !self.stopped() {
            match self.queue.next() {
                Next::Step(step) => self.step(worker, &step, &mut rows),
                Next::Refill => self.refill(),
                Next::Wait => std::thread::sleep(PAUSE),
                Next::Over => return,
            }
        }
    }

    /// Brings runs from the backlog into the line. While other processes are at work, it looks first what they have done, and
    /// takes little at a time, the less the fewer there are.
    fn refill(&self) {
        let _one_at_a_time = lock(&self.refilling);
        if self.queue.is_ready() {
            return;
        }
        let (left, of_others) = self.queue.behind();
        let news = lock(&self.company).map(|since| since.elapsed());
        if !of_others && news.is_none_or(|age| age > COMPANY) {
            return self.queue.fill(Take { runs: ALONE, whole_groups: true, scattered: false });
        }
        if !self.looked.swap(false, Ordering::Relaxed) || self.keeper.since_look() > FRESH {
            self.sync();
            return;
        }
        let others = self.options.shard.map_or(2, |shard| shard.of() as usize - 1);
        let longest = Duration::from_millis(self.counts.longest_ms.load(Ordering::Relaxed) as u64);
        let patience = (2 * longest).max(PATIENCE);
        if left <= 2 * others * self.threads
            && news.is_some()
            && lock(&self.last_ones).get_or_insert_with(Instant::now).elapsed() < patience
        {
            // They are likely in flight elsewhere. Nobody waits for them twice, lest all wait for each other.
            return std::thread::sleep(2 * PAUSE);
        }
        let per_flush = self.counts.here() as f64 / self.begin.elapsed().as_secs_f64().max(1e-3)
            * self.options.flush_interval.as_secs_f64();
        let runs = (left / (4 * (others + 1))).min(per_flush as usize).max(self.threads);
        let scattered = of_others || self.options.shard.is_none();
        self.queue.fill(Take { runs, whole_groups: false, scattered });
    }

    /// Carries a run out.
    fn step(&self, worker: usize, step: &Step<R::Workload>, rows: &mut RowMaker) {
        let entry = &step.entry;
        let task = &self.tasks[entry.task];
        let mut again = false;
        if self.in_time(entry) && self.admitted(step) {
            let foreseen = self.runner.foreseen_bytes(&task.spec);
            let workload =
                self.budget.get(&step.share, foreseen, || self.build(task, step), || self.stopped());
            if let Some(workload) = workload {
                again = self.run(worker, step, workload, rows);
            }
        }
        self.queue.finish(step, again);
        self.budget.release(&step.share);
    }

    /// Whether the run can be expected to be over in time, as far as earlier runs tell.
    fn in_time(&self, entry: &Entry) -> bool {
        let end = self.options.deadline.filter(|_| entry.known);
        end.is_none_or(|end| end.saturating_duration_since(Instant::now()).as_secs_f64() >= entry.rank_s)
    }

    /// Waits while the process takes too much memory and other runs may give some back. `false` where the sweep was stopped.
    fn admitted(&self, step: &Step<R::Workload>) -> bool {
        while self.tight.load(Ordering::Relaxed) && !step.alone && !self.flights.is_empty() {
            if self.stopped() {
                return false;
            }
            std::thread::sleep(PAUSE);
        }
        true
    }

    fn build(&self, task: &Task, step: &Step<R::Workload>) -> Result<(R::Workload, usize), String> {
        let too_large = |bytes: usize| {
            let limit = self.options.max_memory.filter(|limit| bytes as u64 > *limit)?;
            Some(format!("its jobs alone take {} (--max-memory {})", size(bytes as u64), size(limit)))
        };
        too_large(self.runner.foreseen_bytes(&task.spec)).map_or(Ok(()), Err)?;
        let workload = self.tries(task, || caught(|| self.runner.build(&task.spec)))?;
        let bytes = self.runner.bytes(&workload);
        too_large(bytes).map_or(Ok(()), Err)?;
        let (source, runs) = (source_name(&task.spec), step.share.left());
        self.tell(SweepEvent::WorkloadReady { source, runs, bytes });
        Ok((workload, bytes))
    }

    /// Tries as often as the options allow; the last message counts.
    fn tries<T>(&self, task: &Task, mut attempt: impl FnMut() -> Result<T, String>) -> Result<T, String> {
        let mut tried = 0;
        loop {
            match attempt() {
                Err(message) if tried < self.options.retries && !self.stopped() => {
                    tried += 1;
                    self.tell(SweepEvent::RunRetried { key: task.key, attempt: tried, message });
                }
                result => return result,
            }
        }
    }

    /// Runs, and hands the row over; whether the run is to be tried again alone.
    fn run(
        &self,
        worker: usize,
        step: &Step<R::Workload>,
        workload: Result<Arc<R::Workload>, String>,
        rows: &mut RowMaker,
    ) -> bool {
        let task = &self.tasks[step.entry.task];
        self.tell(SweepEvent::RunStarted { key: task.key });
        let (mut begun, mut halted) = (Instant::now(), None);
        let result = workload.and_then(|workload| {
            self.tries(task, || {
                begun = Instant::now();
                let (result, halt) = self.fly(worker, step, begun, &workload);
                match result {
                    Ok(outcome) => Ok(Some(outcome)),
                    Err(Unfinished::Failed(message)) => Err(message),
                    Err(Unfinished::Halted) => {
                        halted = Some(halt.reason());
                        Ok(None)
                    }
                }
            })
        });
        let result = match result.transpose() {
            Some(result) => result,
            None => match self.given_up(halted.flatten(), step.alone) {
                Given::Row(message) => Err(message),
                Given::Again => return true,
                Given::Nothing => return false,
            },
        };
        self.hand_over(step, result, begun.elapsed().as_secs_f64(), rows);
        false
    }

    fn fly(
        &self,
        worker: usize,
        step: &Step<R::Workload>,
        begun: Instant,
        workload: &R::Workload,
    ) -> (Result<Outcome, Unfinished>, Arc<Halt>) {
        let halt = Arc::new(Halt::default());
        let resident = self.options.max_memory.and_then(|_| self.runner.resident()).unwrap_or(0);
        let (task, alone) = (step.entry.task, step.alone);
        self.flights.begin(worker, Flight { task, begun, alone, resident, halt: Arc::clone(&halt) });
        let run = || self.runner.run(&self.tasks[task].spec, workload, &halt);
        let result = caught(|| Ok(run())).unwrap_or_else(|panic| Err(Unfinished::Failed(panic)));
        self.flights.end(worker);
        (result, halt)
    }

    /// What becomes of a run that was given up.
    fn given_up(&self, reason: Option<Reason>, alone: bool) -> Given {
        let limit = size(self.options.max_memory.unwrap_or(0));
        match reason {
            Some(Reason::Abandoned) => Given::Nothing,
            Some(Reason::Memory) if !alone => Given::Again,
            Some(Reason::Memory) => Given::Row(format!("took more than {limit} (--max-memory), even alone")),
            Some(Reason::Late) => {
                let limit = self.options.run_timeout.unwrap_or_default();
                Given::Row(format!("stopped after {} (--run-timeout)", length(limit)))
            }
            None => Given::Row("stopped although nobody asked for it".to_owned()),
        }
    }

    fn hand_over(
        &self,
        step: &Step<R::Workload>,
        result: Result<Outcome, String>,
        wall_s: f64,
        rows: &mut RowMaker,
    ) {
        let task = &self.tasks[step.entry.task];
        let message = result.as_ref().err().cloned();
        let ok = message.is_none();
        match rows.row(task, result, wall_s) {
            Ok(row) => self.keeper.push(row),
            Err(problem) => {
                lock(&self.problem).get_or_insert(problem);
                return self.halt();
            }
        }
        let Counts { ok: fine, failed, longest_ms, .. } = &self.counts;
        if ok { fine } else { failed }.fetch_add(1, Ordering::Relaxed);
        longest_ms.fetch_max((wall_s * 1000.0) as usize, Ordering::Relaxed);
        lock(&self.forecast).finish(&step.entry, wall_s);
        if !ok && self.options.fail_fast {
            self.halt();
        }
        self.tell(SweepEvent::RunFinished { key: task.key, ok, message, wall_s });
    }
}

/// What becomes of a run that was given up.
enum Given {
    Nothing,
    Again,
    Row(String),
}

/// The source of a run's jobs, for people.
pub(super) fn source_name(spec: &RunSpec) -> String {
    match &spec.case.workload.source {
        workload::Source::Log { name, mode: workload::Mode::Trace } => name.clone(),
        workload::Source::Log { name, mode: workload::Mode::Twin } => format!("{name} (twin)"),
        workload::Source::File { path } => path.clone(),
        workload::Source::LublinFeitelson { .. } => "Lublin-Feitelson".to_owned(),
        other => other.to_string(),
    }
}

/// Calls `work` and turns a panic into a message. What a run owns is lost with it; what it shares is never half changed, because
/// runs only read it.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|payload| Err(format!("panic: {}", panic_message(&*payload))))
}

fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
