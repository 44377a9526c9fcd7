//! The real runner: builds workloads and simulates.

use super::order::{source_id, untransformed};
use super::shared::lock;
use super::{Halt, Runner, Unfinished};
use crate::error::chain;
use crate::{Case, RunSpec};
use sim::{Job, Outcome, Setup, SimError};
use std::sync::{Arc, Mutex};
use workload::transform::{offered_load, scale_load, speed_up};
use workload::{Source, TraceDir, Workload, WorkloadError, WorkloadSpec};

/// Memory that workloads kept for further transforms may take, in bytes; the last one is always kept.
const KEPT_BYTES: usize = 256 << 20;

/// Builds workloads, logs from a trace directory, and simulates on them. A log is read, and a model asked, once for all runs that
/// differ only in speed-up and load, as long as these come one after another.
#[derive(Debug)]
pub struct Simulator {
    traces: TraceDir,
    kept: Mutex<Vec<Kept>>,
}

/// A workload before its transforms.
#[derive(Clone, Debug)]
struct Kept {
    id: String,
    /// Nothing while the first that needs it makes it.
    made: Arc<Mutex<Option<Made>>>,
}

type Made = Result<Arc<Workload>, String>;

impl Simulator {
    /// A simulator that finds logs in `traces`.
    pub fn new(traces: TraceDir) -> Simulator {
        Simulator { traces, kept: Mutex::default() }
    }

    fn plain(&self, workload: &WorkloadSpec, spec: &RunSpec) -> Made {
        let built = workload::build(workload, spec.case.machine.nodes(), spec.seed, &self.traces);
        built.map(Arc::new).map_err(|problem| chain(&problem))
    }

    /// The workload before its transforms, made by the first caller while others wait.
    fn shared(&self, spec: &RunSpec) -> Made {
        let id = source_id(spec).map_err(|problem| chain(&problem))?;
        let kept = {
            let mut all = lock(&self.kept);
            let known = all.iter().position(|kept| kept.id == id).map(|at| all.remove(at));
            let kept = known.unwrap_or_else(|| Kept { id, made: Arc::default() });
            all.push(kept.clone());
            kept
        };
        let made = lock(&kept.made)
            .get_or_insert_with(|| self.plain(&untransformed(&spec.case.workload), spec))
            .clone();
        self.forget_old();
        made
    }

    /// Drops the workloads used longest ago until the rest fits. One that is being made counts nothing yet.
    fn forget_old(&self) {
        let mut all = lock(&self.kept);
        let bytes = |kept: &Kept| match kept.made.try_lock().as_deref() {
            Ok(Some(Ok(workload))) => size(workload),
            _ => 0,
        };
        while all.len() > 1 && all.iter().map(bytes).sum::<usize>() > KEPT_BYTES {
            all.remove(0);
        }
        // Failures and small workloads take no room to speak of, but looking through them takes time.
        let excess = all.len().saturating_sub(64);
        all.drain(..excess);
    }
}

impl Case {
    /// What of the case the simulation itself needs; the workload and what is measured are given to it apart.
    pub fn setup(&self) -> Setup {
        Setup {
            machine: self.machine.clone(),
            policy: self.policy.clone(),
            allocator: self.allocator.clone(),
            passes: self.passes,
            estimates: self.estimates,
        }
    }
}

impl Runner for Simulator {
    type Workload = Arc<Workload>;

    fn build(&self, spec: &RunSpec) -> Made {
        let workload = &spec.case.workload;
        if *workload == untransformed(workload) {
            return self.plain(workload, spec);
        }
        let source = self.shared(spec)?;
        transformed(&source, workload, spec.case.machine.nodes())
            .map(Arc::new)
            .map_err(|problem| chain(&problem))
    }

    fn bytes(&self, workload: &Arc<Workload>) -> usize {
        size(workload)
    }

    fn run(&self, spec: &RunSpec, workload: &Arc<Workload>, halt: &Halt) -> Result<Outcome, Unfinished> {
        let case = &spec.case;
        let result =
            sim::metrics::measure_while(&case.setup(), &workload.jobs, &case.measure, || !halt.asked());
        result.map_err(|problem| match problem {
            SimError::Stopped { .. } => Unfinished::Halted,
            problem => Unfinished::Failed(chain(&problem)),
        })
    }

    /// A model draws as many jobs as it is asked for.
    fn foreseen_bytes(&self, spec: &RunSpec) -> usize {
        let drawn = match spec.case.workload.source {
            Source::LublinFeitelson { .. } | Source::Log { mode: workload::Mode::Twin, .. } => {
                spec.case.workload.jobs
            }
            Source::Log { mode: workload::Mode::Trace, .. } | Source::File { .. } => None,
        };
        let jobs = drawn.map_or(0, |jobs| usize::try_from(jobs).unwrap_or(usize::MAX));
        jobs.saturating_mul(size_of::<Job>())
    }

    fn forget(&self) {
        lock(&self.kept).clear();
    }
}

/// The last steps of [`workload::build`]; a test compares the two.
fn transformed(source: &Workload, spec: &WorkloadSpec, nodes: u32) -> Result<Workload, WorkloadError> {
    let mut workload = source.clone();
    speed_up(&mut workload.jobs, spec.speedup, spec.scale_estimates, spec.rules.estimate_floor)?;
    if let Some(load) = &spec.load {
        scale_load(&mut workload.jobs, nodes, load)?;
    }
    workload.offered_load = offered_load(&workload.jobs, nodes).unwrap_or(f64::INFINITY);
    Ok(workload)
}

/// Whether the jobs of a source can be had: everything but a published log that is not in the trace directory. A file that is
/// not there is a mistake, and an error when its key is made.
pub fn available(source: &Source, traces: &TraceDir) -> bool {
    match source {
        Source::Log { name, mode: workload::Mode::Trace } => traces.has(name),
        Source::Log { mode: workload::Mode::Twin, .. }
        | Source::File { .. }
        | Source::LublinFeitelson { .. } => true,
    }
}

fn size(workload: &Workload) -> usize {
    workload.jobs.capacity() * size_of::<Job>()
}

#[cfg(test)]
#[path = "simulator_tests.rs"]
mod tests;
