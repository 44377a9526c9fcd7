//! What one run is measured by. Formulas and units: `engine/GLOSSARY.md`.

use crate::error::SimError;
use crate::job::Job;
use crate::kernel::{Setup, simulate};
use crate::observer::While;
use crate::observer::measures::Measures;
use crate::observer::steady::{Steady, SteadyState};
use serde::{Deserialize, Serialize};

/// Which measurements a run takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MeasureSpec {
    /// τ, the bound of the bounded slowdown, in seconds.
    pub bound_s: f64,
    /// Upper bounds (inclusive, seconds) of the run-time classes for the group statistics; the last class is open.
    pub run_time_classes_s: Vec<f64>,
    /// Upper bounds (inclusive, seconds) of a second set of run-time classes, for what needs larger groups. No such groups where
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub coarse_run_time_classes_s: Vec<f64>,
    /// Upper bounds (inclusive, nodes) of the size classes for the group statistics; the last class is open.
    pub size_classes: Vec<u32>,
    /// Upper bounds (inclusive, kilobytes per node) of the memory classes for the group statistics; the last class is open. No
    /// such groups where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memory_classes_kb: Vec<u64>,
    /// Upper bounds (inclusive, node-seconds) of classes of jobs by run time × requested nodes, before the workload was scaled to a load; the
    /// last class is open. No such groups where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub work_classes_node_s: Vec<f64>,
    /// Only jobs submitted from this second of the workload on count. Earlier ones are simulated like them; they warm the
    /// machine up. The machine's own metrics (utilization, makespan, queue lengths, offered load, level excess) are those of
    /// the whole run; processors requested of hosts are those of this stretch of time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted_from_s: Option<f64>,
    /// Only jobs submitted before this second count. Later ones are simulated like them; they keep the machine busy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submitted_before_s: Option<f64>,
    /// Whether the model that the jobs come from is compared with what its publication prints, cell by cell: the grouping
    /// `model`. Only for models that know their publication.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub model_cells: bool,
    /// What a wait is.
    #[serde(skip_serializing_if = "WaitReading::is_default")]
    pub wait: WaitReading,
    /// Measures the steady state of a stream of jobs: no groups of jobs then, and no metrics that belong to a beginning or an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steady: Option<Steady>,
}

/// What the wait of a job is, where jobs may be interrupted or run on fewer nodes than they asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum WaitReading {
    /// From submission to the first start.
    #[default]
    UntilStart,
    /// All time in the system beyond the run time: the response time less the run time (Chiang 2001, §3.5).
    BeyondRunTime,
}

impl WaitReading {
    fn is_default(&self) -> bool {
        *self == WaitReading::default()
    }
}

impl Default for MeasureSpec {
    fn default() -> Self {
        MeasureSpec {
            bound_s: 10.0,
            run_time_classes_s: vec![600.0, 10_800.0],
            coarse_run_time_classes_s: Vec::new(),
            size_classes: vec![1, 8, 64],
            memory_classes_kb: Vec::new(),
            work_classes_node_s: Vec::new(),
            submitted_from_s: None,
            submitted_before_s: None,
            model_cells: false,
            wait: WaitReading::default(),
            steady: None,
        }
    }
}

/// All that is kept of one run: whole-run metrics and the same per group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Over all jobs; in the order of [`Metrics::NAMES`].
    pub metrics: Metrics,
    /// Per group of each grouping, groupings and groups in the order of the [`MeasureSpec`].
    pub groups: Vec<GroupMetrics>,
}

impl Outcome {
    /// When so many jobs waited that the run was given up as unstable, in seconds. Its other metrics are undefined then.
    pub fn unstable_at_s(&self) -> Option<f64> {
        self.metrics.get("unstable_at_s")
    }
}

/// Whole-run metrics. Undefined values (a mean of nothing) are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics(pub Vec<Option<f64>>);

impl Metrics {
    /// Column names, in storage order. Jobs that were killed count like the others, with the kill as their end.
    pub const NAMES: &'static [&'static str] = &[
        "jobs",
        "killed",
        "backfilled",
        "mean_wait_s",
        "median_wait_s",
        "p95_wait_s",
        "p99_wait_s",
        "max_wait_s",
        "mean_run_s",
        "mean_response_s",
        "p95_response_s",
        "max_response_s",
        "mean_slowdown",
        "mean_bounded_slowdown",
        "p95_bounded_slowdown",
        "max_bounded_slowdown",
        "utilization",
        "makespan_s",
        "mean_queue_length",
        "max_queue_length",
        "mean_level_excess",
        "offered_load",
        "overhead_s",
        "first_load_s",
        "swap_out_s",
        "overhead_share",
        "reload_share",
        "node_overhead_share",
        "node_reload_share",
        "suspensions",
        "mean_relative_response",
        "at_once_share",
        "tested_share",
        "preempting_test_share",
        "finished_in_test_share",
        "requested_within_p",
        "requested_within_2p",
        "requested_within_3p",
        "max_requested_ratio",
        "response_half_width_s",
        "warm_up_jobs",
        "response_sd_s",
        "migrated_share",
        "split_share",
        "mean_split_slowdown",
        "link_utilization",
        "unstable_at_s",
    ];

    /// The metrics whose values, by name, the function knows.
    pub(crate) fn of(value: impl Fn(&str) -> Option<f64>) -> Metrics {
        Metrics(Self::NAMES.iter().map(|name| value(name)).collect())
    }

    /// The value of a metric by its column name; `None` where undefined or unknown.
    pub fn get(&self, name: &str) -> Option<f64> {
        let index = Self::NAMES.iter().position(|n| *n == name)?;
        self.0.get(index).copied().flatten()
    }
}

/// Metrics of one group of jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GroupMetrics {
    /// What the jobs are grouped by: `run_time`, `coarse_run_time`, `size`, `memory`, `work`, under ClassPriority `class`, or, on a
    /// machine of hosts, `host`.
    pub grouping: String,
    /// The group's label, such as `<= 600 s`, or the name of the host.
    pub group: String,
    /// In the order of [`GroupMetrics::NAMES`].
    pub values: Vec<Option<f64>>,
}

impl GroupMetrics {
    /// Column names, in storage order.
    pub const NAMES: &'static [&'static str] = &[
        "jobs",
        "work_share",
        "mean_wait_s",
        "p95_wait_s",
        "max_wait_s",
        "mean_response_s",
        "mean_slowdown",
        "mean_bounded_slowdown",
        "mean_relative_response",
        "overhead_s",
        "requested_within_p",
        "requested_within_2p",
        "requested_within_3p",
        "max_requested_ratio",
        "cell",
        "cell_low",
        "cell_high",
    ];

    /// A cell of a published table: its value in the model of the jobs, and between which bounds it is accepted.
    pub fn of_cell(cell: String, measured: f64, low: Option<f64>, high: Option<f64>) -> GroupMetrics {
        let value = |name: &&str| match *name {
            "cell" => Some(measured),
            "cell_low" => low,
            "cell_high" => high,
            _ => None,
        };
        GroupMetrics {
            grouping: "model".to_owned(),
            group: cell,
            values: Self::NAMES.iter().map(value).collect(),
        }
    }

    /// Of these values; those at the end that such groups do not have may be left out.
    pub(crate) fn new(grouping: &str, group: String, mut values: Vec<Option<f64>>) -> GroupMetrics {
        values.resize(Self::NAMES.len(), None);
        GroupMetrics { grouping: grouping.to_owned(), group, values }
    }
}

/// Runs `jobs` under `setup` and measures it.
///
/// # Errors
/// Any [`SimError`].
pub fn measure(setup: &Setup, jobs: &[Job], spec: &MeasureSpec) -> Result<Outcome, SimError> {
    measure_while(setup, jobs, spec, || true)
}

/// As [`measure`], as long as `keep_going`, which is asked before each pass, says so.
///
/// # Errors
/// Any [`SimError`]; [`SimError::Stopped`] once `keep_going` has said no.
pub fn measure_while(
    setup: &Setup,
    jobs: &[Job],
    spec: &MeasureSpec,
    keep_going: impl FnMut() -> bool,
) -> Result<Outcome, SimError> {
    if let Some(steady) = spec.steady {
        return measure_stream(setup, jobs.iter().copied(), jobs.len() as u64, steady, spec, keep_going);
    }
    let mut watching = (Measures::new(setup, spec), While(keep_going));
    simulate(setup, jobs.iter().copied(), &mut watching)?;
    Ok(watching.0.outcome())
}

/// Runs a stream of jobs, which may be endless, until the first `count` of them have ended or too many wait, and measures these.
///
/// # Errors
/// As [`measure_while`].
pub fn measure_stream(
    setup: &Setup,
    jobs: impl IntoIterator<Item = Job>,
    count: u64,
    steady: Steady,
    spec: &MeasureSpec,
    keep_going: impl FnMut() -> bool,
) -> Result<Outcome, SimError> {
    let mut watching = (SteadyState::new(setup, steady, count, spec), While(keep_going));
    simulate(setup, jobs, &mut watching)?;
    Ok(watching.0.outcome())
}
