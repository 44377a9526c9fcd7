//! The real runner: builds workloads and simulates. It decides what a result is, as the model does, so that it counts to the
//! core of the fingerprint (`FILES` in `engine/sweep/family.rs`).

use super::kept::{KeptWorkloads, Made, size};
use super::{Halt, Runner, Unfinished};
use crate::error::{SweepError, chain};
use crate::{Case, RunMode, RunSpec, canonical};
use sim::metrics::GroupMetrics;
use sim::{Capacity, Job, Outcome, Setup, SimError};
use std::sync::Arc;
use workload::model::published_cells;
use workload::transform::{offered_load, transform};
use workload::{RequestedTime, TraceDir, Workload, WorkloadError, WorkloadSpec, is_stream, stream};

/// The jobs of a run.
#[derive(Clone, Debug)]
pub enum RunJobs {
    /// All of them, in memory.
    Held(Arc<Workload>),
    /// They are drawn while they are simulated.
    Streamed,
}

/// Builds workloads, logs from a trace directory, and simulates on them. A log is read, and a model asked, once for all runs that
/// differ only in speed-up, moldable jobs, load and memory, as long as these come one after another.
#[derive(Debug)]
pub struct Simulator {
    traces: TraceDir,
    kept: KeptWorkloads,
}

impl Simulator {
    /// A simulator that finds logs in `traces`.
    pub fn new(traces: TraceDir) -> Simulator {
        Simulator { traces, kept: KeptWorkloads::default() }
    }

    fn plain(&self, workload: &WorkloadSpec, spec: &RunSpec) -> Made {
        let built = workload::build(workload, &spec.case.machine, spec.seed, &self.traces);
        built.map(Arc::new).map_err(|problem| chain(&problem))
    }

    /// The workload before its transforms, made by the first caller while others wait.
    fn shared(&self, spec: &RunSpec) -> Made {
        let id = source_id(spec).map_err(|problem| chain(&problem))?;
        self.kept.get(id, || self.plain(&untransformed(&spec.case.workload), spec))
    }
}

/// What identifies the jobs of a run before its transforms.
pub(super) fn source_id(spec: &RunSpec) -> Result<String, SweepError> {
    // A log has the same jobs whatever the seed, which decides what is done to them.
    let seed = if RunMode::of(&spec.case.workload.source).is_drawn() { spec.seed } else { 0 };
    canonical::text(&(untransformed(&spec.case.workload), Capacity::from(&spec.case.machine), seed))
        .map_err(|source| SweepError::Canonical { source })
}

/// The workload as its source and rules give it.
pub(super) fn untransformed(workload: &WorkloadSpec) -> WorkloadSpec {
    let (moldable, load, memory, requested) = (None, None, None, RequestedTime::AsGiven);
    WorkloadSpec {
        speedup: 0.0,
        scale_estimates: true,
        moldable,
        load,
        requested,
        memory,
        ..workload.clone()
    }
}

impl Case {
    /// What of the case the simulation itself needs; the workload and what is measured are given to it apart.
    pub fn setup(&self) -> Setup {
        Setup {
            machine: self.machine.clone(),
            policy: self.policy.clone(),
            allocator: self.allocator.clone(),
            memory: self.memory,
            passes: self.passes,
            estimates: self.estimates,
        }
    }
}

impl Runner for Simulator {
    type Workload = RunJobs;

    fn build(&self, spec: &RunSpec) -> Result<RunJobs, String> {
        let workload = &spec.case.workload;
        if is_stream(&workload.source) {
            return Ok(RunJobs::Streamed);
        }
        if *workload == untransformed(workload) {
            return self.plain(workload, spec).map(RunJobs::Held);
        }
        let source = self.shared(spec)?;
        let made = transformed(&source, spec).map_err(|problem| chain(&problem))?;
        Ok(RunJobs::Held(Arc::new(made)))
    }

    fn bytes(&self, jobs: &RunJobs) -> usize {
        match jobs {
            RunJobs::Held(workload) => size(workload),
            RunJobs::Streamed => 0,
        }
    }

    fn run(&self, spec: &RunSpec, jobs: &RunJobs, halt: &Halt) -> Result<Outcome, Unfinished> {
        let case = &spec.case;
        let result = match jobs {
            RunJobs::Held(workload) => {
                sim::metrics::measure_while(&case.setup(), &workload.jobs, &case.measure, || !halt.asked())
                    .map_err(unfinished)
            }
            RunJobs::Streamed => streamed(spec, halt),
        };
        let mut outcome = result?;
        if case.measure.model_cells {
            let cells = published_cells(&case.workload.source, spec.seed).into_iter();
            outcome.groups.extend(
                cells.map(|cell| GroupMetrics::of_cell(cell.name, cell.measured, cell.low, cell.high)),
            );
        }
        Ok(outcome)
    }

    /// A model draws as many jobs as it is asked for, and all of them unless they are streamed.
    fn foreseen_bytes(&self, spec: &RunSpec) -> usize {
        let workload = &spec.case.workload;
        let held = RunMode::of(&workload.source).is_drawn() && !is_stream(&workload.source);
        let drawn = workload.jobs.filter(|_| held);
        let jobs = drawn.map_or(0, |jobs| usize::try_from(jobs).unwrap_or(usize::MAX));
        jobs.saturating_mul(size_of::<Job>())
    }

    fn forget(&self) {
        self.kept.forget();
    }
}

fn unfinished(problem: SimError) -> Unfinished {
    match problem {
        SimError::Stopped { .. } => Unfinished::Halted,
        problem => Unfinished::Failed(chain(&problem)),
    }
}

/// Simulates jobs as they are drawn, until as many as are asked for have ended.
fn streamed(spec: &RunSpec, halt: &Halt) -> Result<Outcome, Unfinished> {
    let case = &spec.case;
    let failed = |problem: WorkloadError| Unfinished::Failed(chain(&problem));
    let jobs = stream(&case.workload.source, &case.machine, spec.seed).map_err(failed)?;
    let (Some(jobs), Some(count), Some(steady)) = (jobs, case.n_jobs(), case.measure.steady) else {
        let message =
            "a stream of jobs needs `n_jobs` and `steady`, to know when it has been seen for long enough";
        return Err(Unfinished::Failed(message.to_owned()));
    };
    let setup = case.setup();
    sim::metrics::measure_stream(&setup, jobs, count, steady, &case.measure, || !halt.asked())
        .map_err(unfinished)
}

/// The last steps of [`workload::build`]; a test compares the two.
fn transformed(source: &Workload, spec: &RunSpec) -> Result<Workload, WorkloadError> {
    let mut workload = source.clone();
    let nodes = spec.case.machine.nodes();
    transform(&mut workload.jobs, &spec.case.workload, nodes, spec.seed)?;
    workload.offered_load = offered_load(&workload.jobs, nodes).unwrap_or(f64::INFINITY);
    Ok(workload)
}

#[cfg(test)]
#[path = "simulator_tests.rs"]
mod tests;
