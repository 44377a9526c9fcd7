//! A case is one grid point; a run is a case with a replication.

use serde::{Deserialize, Serialize};
use sim::{AllocatorSpec, EstimateSource, MachineSpec, MeasureSpec, MemorySpec, Passes, PolicySpec};
use std::fmt;
use std::sync::Arc;
use workload::{Mode, Source, TraceDir, WorkloadSpec, is_stream};

/// One grid point without its seed: everything that decides a result. New fields must be skipped when at their default, so
/// that old keys stay valid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The machine.
    pub machine: MachineSpec,
    /// The workload.
    pub workload: WorkloadSpec,
    /// The policy.
    pub policy: PolicySpec,
    /// The allocator.
    #[serde(default)]
    pub allocator: AllocatorSpec,
    /// The memory of every node; absent: unlimited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemorySpec>,
    /// Passes per instant.
    #[serde(default)]
    pub passes: Passes,
    /// The estimates that policies see.
    #[serde(default)]
    pub estimates: EstimateSource,
    /// What is measured.
    #[serde(default)]
    pub measure: MeasureSpec,
}

impl Case {
    /// Jobs from a source on one node under first come, first served; all else is at its default.
    pub(crate) fn of_source(source: Source) -> Case {
        Case {
            machine: MachineSpec::Flat { nodes: 1 },
            workload: WorkloadSpec::new(source),
            policy: PolicySpec::Fcfs,
            allocator: AllocatorSpec::default(),
            memory: None,
            passes: Passes::default(),
            estimates: EstimateSource::default(),
            measure: MeasureSpec::default(),
        }
    }

    /// How many jobs are asked for; of a stream `n_jobs` for each cluster.
    pub fn n_jobs(&self) -> Option<u64> {
        let streams = if is_stream(&self.workload.source) { u64::from(self.machine.clusters()) } else { 1 };
        self.workload.jobs.map(|jobs| jobs.saturating_mul(streams))
    }

    /// Becomes a copy of `base`; what is on the heap is copied only where it differs.
    pub(crate) fn restore(&mut self, base: &Case) {
        // Named one by one, so that a new field cannot be forgotten.
        let Case { machine, workload, policy, allocator, memory, passes, estimates, measure } = base;
        let WorkloadSpec {
            source,
            rules,
            jobs,
            speedup,
            scale_estimates,
            load,
            moldable,
            requested,
            memory: memory_model,
        } = workload;
        if self.machine != *machine {
            self.machine.clone_from(machine);
        }
        self.policy.clone_from(policy);
        self.allocator.clone_from(allocator);
        (self.memory, self.passes, self.estimates) = (*memory, *passes, *estimates);
        if self.measure != *measure {
            self.measure.clone_from(measure);
        }
        let own = &mut self.workload;
        if own.source != *source {
            own.source.clone_from(source);
        }
        (own.rules, own.jobs, own.speedup) = (*rules, *jobs, *speedup);
        (own.scale_estimates, own.load, own.requested) = (*scale_estimates, *load, *requested);
        own.moldable.clone_from(moldable);
        if own.memory != *memory_model {
            own.memory.clone_from(memory_model);
        }
    }
}

/// A case with its replication: the unit of work, and what a run key is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSpec {
    /// The grid point; its replications share it.
    #[serde(with = "shared")]
    pub case: Arc<Case>,
    /// Replication number from 0; a log has only number 0.
    pub replication: u32,
    /// The seed of all random streams: derived from the experiment's master seed and the replication alone, so that the same
    /// replication of every case sees the same jobs (common random numbers). 0 where nothing is random.
    pub seed: u64,
}

/// A shared case is written as the case itself.
mod shared {
    use super::Case;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::sync::Arc;

    pub(super) fn serialize<S: Serializer>(case: &Arc<Case>, serializer: S) -> Result<S::Ok, S::Error> {
        Case::serialize(case, serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Case>, D::Error> {
        Case::deserialize(deserializer).map(Arc::new)
    }
}

impl RunSpec {
    /// The case, to be changed for this run alone.
    pub fn case_mut(&mut self) -> &mut Case {
        Arc::make_mut(&mut self.case)
    }
}

/// What a run's jobs are: a published log, its stand-in, or a model. A column of every table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunMode {
    /// Given jobs: a published log, a file or a list.
    Trace,
    /// A synthetic workload fitted to a published log.
    Twin,
    /// Jobs of a workload model.
    Model,
}

impl RunMode {
    /// The mode that a case's source decides.
    pub fn of(source: &Source) -> RunMode {
        match source {
            Source::Log { mode: Mode::Trace, .. } | Source::File { .. } | Source::JobList { .. } => {
                RunMode::Trace
            }
            Source::Log { mode: Mode::Twin, .. } => RunMode::Twin,
            Source::LublinFeitelson { .. } | Source::O2k { .. } | Source::Poisson { .. } => RunMode::Model,
        }
    }

    /// Whether the jobs are drawn at random: a model gives as many as it is asked for.
    pub const fn is_drawn(self) -> bool {
        match self {
            RunMode::Trace => false,
            RunMode::Twin | RunMode::Model => true,
        }
    }

    /// As tables print it.
    pub const fn as_str(self) -> &'static str {
        match self {
            RunMode::Trace => "trace",
            RunMode::Twin => "twin",
            RunMode::Model => "model",
        }
    }
}

impl fmt::Display for RunMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a source reads: its content, not its name, decides the jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded<'a> {
    /// A published log, by its canonical name.
    Log(&'a str),
    /// A file, by its path.
    File(&'a str),
}

impl Recorded<'_> {
    /// What the source reads; `None` where it makes its jobs.
    pub fn of(source: &Source) -> Option<Recorded<'_>> {
        match source {
            Source::Log { name, mode: Mode::Trace } => Some(Recorded::Log(name)),
            Source::File { path } => Some(Recorded::File(path)),
            Source::Log { mode: Mode::Twin, .. }
            | Source::LublinFeitelson { .. }
            | Source::JobList { .. }
            | Source::O2k { .. }
            | Source::Poisson { .. } => None,
        }
    }
}

/// Whether a source makes as many jobs as it is asked for, so that it has to be told.
pub fn makes_any_number(source: &Source) -> bool {
    match source {
        Source::LublinFeitelson { .. } | Source::Poisson { .. } => true,
        Source::Log { .. } | Source::File { .. } | Source::JobList { .. } | Source::O2k { .. } => false,
    }
}

/// Whether the jobs of a source can be had: everything but a published log that is not in the trace directory. A file that is
/// not there is a mistake, and an error when its key is made.
pub fn available(source: &Source, traces: &TraceDir) -> bool {
    match Recorded::of(source) {
        Some(Recorded::Log(name)) => traces.has(name),
        Some(Recorded::File(_)) | None => true,
    }
}

/// A column of every table of an experiment: an axis, or a labelled group of fields that move together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisColumn {
    /// The field's or the group's name.
    pub name: String,
    /// What its cells are.
    pub kind: ColumnKind,
}

/// What the cells of an axis column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers.
    Real,
    /// Whole numbers.
    Int,
    /// The values as written, white space compacted.
    Text,
}

/// Where a point lies on one axis column.
#[derive(Clone, Debug, PartialEq)]
pub enum AxisValue {
    /// A number.
    Real(f64),
    /// A whole number.
    Int(i64),
    /// The value as written, white space compacted.
    Text(Arc<str>),
    /// The case has no such field (a union of grids with different axes), or the value is `None`: null in the tables.
    Missing,
}

impl AxisValue {
    /// The number, where it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            AxisValue::Real(value) => Some(*value),
            AxisValue::Int(value) => Some(*value as f64),
            AxisValue::Text(_) | AxisValue::Missing => None,
        }
    }
}

impl fmt::Display for AxisValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AxisValue::Real(value) => write!(f, "{value}"),
            AxisValue::Int(value) => write!(f, "{value}"),
            AxisValue::Text(text) => f.write_str(text),
            AxisValue::Missing => f.write_str("None"),
        }
    }
}

/// A run of an experiment's plan and where it lies in the grid.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedRun {
    /// The run.
    pub spec: RunSpec,
    /// What its jobs are.
    pub mode: RunMode,
    /// A value for each of the experiment's axis columns, in their order.
    pub point: Vec<AxisValue>,
}
