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
use workload::{RequestedTime, TraceDir, Workload, WorkloadError, WorkloadSpec};

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
    type Workload = Arc<Workload>;

    fn build(&self, spec: &RunSpec) -> Made {
        let workload = &spec.case.workload;
        if *workload == untransformed(workload) {
            return self.plain(workload, spec);
        }
        let source = self.shared(spec)?;
        transformed(&source, spec).map(Arc::new).map_err(|problem| chain(&problem))
    }

    fn bytes(&self, workload: &Arc<Workload>) -> usize {
        size(workload)
    }

    fn run(&self, spec: &RunSpec, workload: &Arc<Workload>, halt: &Halt) -> Result<Outcome, Unfinished> {
        let case = &spec.case;
        let result =
            sim::metrics::measure_while(&case.setup(), &workload.jobs, &case.measure, || !halt.asked());
        let mut outcome = result.map_err(|problem| match problem {
            SimError::Stopped { .. } => Unfinished::Halted,
            problem => Unfinished::Failed(chain(&problem)),
        })?;
        if case.measure.model_cells {
            let cells = published_cells(&case.workload.source, spec.seed).into_iter();
            outcome.groups.extend(
                cells.map(|cell| GroupMetrics::of_cell(cell.name, cell.measured, cell.low, cell.high)),
            );
        }
        Ok(outcome)
    }

    /// A model draws as many jobs as it is asked for.
    fn foreseen_bytes(&self, spec: &RunSpec) -> usize {
        let workload = &spec.case.workload;
        let drawn = workload.jobs.filter(|_| RunMode::of(&workload.source).is_drawn());
        let jobs = drawn.map_or(0, |jobs| usize::try_from(jobs).unwrap_or(usize::MAX));
        jobs.saturating_mul(size_of::<Job>())
    }

    fn forget(&self) {
        self.kept.forget();
    }
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
