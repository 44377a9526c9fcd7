//! The columns of metrics. A test compares their names and order with those of the simulation's metrics.

use super::{ColumnDoc, doc};
use crate::frame::CellType::Real;

/// A metric, its unit, when it is missing although the run has an outcome, and its formula.
const fn metric(
    name: &'static str,
    unit: &'static str,
    null: &'static str,
    formula: &'static str,
) -> ColumnDoc {
    doc(name, Real, unit, null, formula)
}

const NO_JOBS: &str = "if no job counts";
const NOT_EVEN_A_TICK: &str = "if no job counts, or nothing took time";
const STEADY: &str = "in a steady state";
const NO_RUN_TIME: &str = "in a steady state, or if run times add up to 0";
const NO_HOSTS: &str = "on a machine without hosts, in a steady state, or if no job counts";
const NO_TESTS: &str = "as at_once_share, and under policies without tests";
const HOSTS_ONLY: &str = "on a machine without hosts, in a steady state, or if no time is measured";
const STEADY_ONLY: &str = "unless in a steady state";
const NO_GRID: &str = "on a machine that is no mini-grid, or if no job counts";

pub(super) static OF_RUNS: [ColumnDoc; 47] = [
    metric("jobs", "jobs", "", "n, the jobs that count"),
    metric("killed", "jobs", "", "jobs that were killed"),
    metric("backfilled", "jobs", "", "jobs that started while an earlier arrival waited"),
    metric(
        "mean_wait_s",
        "s",
        NO_JOBS,
        "Σ w_j / n; wait w_j = s_j - r_j, or, where the field wait is BeyondRunTime, response less run time",
    ),
    metric("median_wait_s", "s", NO_JOBS, "percentile 50 of the waits"),
    metric("p95_wait_s", "s", NO_JOBS, "percentile 95 of the waits"),
    metric("p99_wait_s", "s", NO_JOBS, "percentile 99 of the waits"),
    metric("max_wait_s", "s", NO_JOBS, "longest wait"),
    metric("mean_run_s", "s", NO_JOBS, "Σ p_j / n"),
    metric("mean_response_s", "s", NO_JOBS, "Σ (c_j - r_j) / n"),
    metric("p95_response_s", "s", NO_JOBS, "percentile 95 of the responses c_j - r_j"),
    metric("max_response_s", "s", NO_JOBS, "longest response"),
    metric("mean_slowdown", "", NO_JOBS, "mean of (c_j - r_j) / p_j; p_j at least one tick (1 µs)"),
    metric(
        "mean_bounded_slowdown",
        "",
        NO_JOBS,
        "mean of the bounded slowdowns max(1, (c_j - r_j) / max(p_j, τ)), with τ the field bound_s, 10 s by default",
    ),
    metric(
        "p95_bounded_slowdown",
        "",
        "if no job counts, and in a steady state",
        "percentile 95 of the bounded slowdowns",
    ),
    metric("max_bounded_slowdown", "", NO_JOBS, "largest bounded slowdown"),
    metric(
        "utilization",
        "",
        NOT_EVEN_A_TICK,
        "∫ busy nodes dt / (N · makespan); busy: held by a running job, at whatever rate",
    ),
    metric("makespan_s", "s", "if no job counts, and in a steady state", "max c_j - min r_j"),
    metric(
        "mean_queue_length",
        "jobs",
        NOT_EVEN_A_TICK,
        "Σ (s_j - r_j) / makespan, which is the queue length averaged over time",
    ),
    metric("max_queue_length", "jobs", "", "most jobs that waited after a pass"),
    metric(
        "mean_level_excess",
        "levels",
        "on a flat machine, in a steady state, or if no job counts",
        "mean of max(0, level spanned - level of the job) on a k-ary n-tree",
    ),
    metric(
        "offered_load",
        "",
        "if all jobs are submitted at once",
        "Σ x_j p_j / (N · (max r_j - min r_j)), with p_j as in the workload also where the job was killed",
    ),
    metric("overhead_s", "s", STEADY, "Σ (loading + swapping out) over all jobs, interrupted loads included"),
    metric("first_load_s", "s", STEADY, "the part of overhead_s spent loading before jobs first ran"),
    metric("swap_out_s", "s", STEADY, "the part of overhead_s added by swapping out"),
    metric("overhead_share", "", NO_RUN_TIME, "overhead_s / Σ p_j"),
    metric("reload_share", "", NO_RUN_TIME, "(overhead_s - first_load_s) / Σ p_j"),
    metric(
        "node_overhead_share",
        "",
        NO_RUN_TIME,
        "overhead_share with each job weighted by its nodes: Σ x_j · overhead_j / Σ x_j p_j",
    ),
    metric("node_reload_share", "", NO_RUN_TIME, "reload_share with each job weighted by its nodes"),
    metric("suspensions", "", STEADY, "how often jobs were taken off their nodes"),
    metric(
        "mean_relative_response",
        "",
        NO_JOBS,
        "mean of (c_j - r_j) / max(p_j, τ): the bounded slowdown without its lower bound of 1",
    ),
    metric(
        "at_once_share",
        "",
        NO_HOSTS,
        "jobs whose run, not a test, began in the instant of their submission / n",
    ),
    metric("tested_share", "", NO_TESTS, "jobs that were given a test / n"),
    metric("preempting_test_share", "", NO_TESTS, "jobs for whose test running jobs gave up processors / n"),
    metric(
        "finished_in_test_share",
        "",
        "as tested_share, and if no job was given a test",
        "jobs that finished in their test / jobs that were given one",
    ),
    metric(
        "requested_within_p",
        "",
        HOSTS_ONLY,
        "share of time in which the jobs on a host ask together for at most its processors, averaged over the hosts; a job is on its host from its start \
         until it ends or goes back to the queue, whatever it holds: in a test, without processors, suspended; time: from the first submission to the last \
         end, of it what lies between submitted_from_s and submitted_before_s",
    ),
    metric("requested_within_2p", "", HOSTS_ONLY, "the same for at most twice its processors"),
    metric("requested_within_3p", "", HOSTS_ONLY, "the same for at most three times its processors"),
    metric(
        "max_requested_ratio",
        "",
        HOSTS_ONLY,
        "the most that is asked for of a host in that time / its processors; the largest over the hosts",
    ),
    metric(
        "response_half_width_s",
        "s",
        "unless in a steady state with at least two full batches",
        "half of the 95 % interval of the mean response, by batch means: t(0.975, b - 1) · sd / √b of the means of the b full batches behind the warm-up",
    ),
    metric("warm_up_jobs", "jobs", STEADY_ONLY, "jobs that arrived in the batches that were cut"),
    metric(
        "response_sd_s",
        "s",
        "unless in a steady state with at least two jobs",
        "standard deviation of c_j - r_j, divisor n - 1",
    ),
    metric("migrated_share", "", NO_GRID, "jobs that ran wholly on another cluster than their home / n"),
    metric("split_share", "", NO_GRID, "jobs that ran on several clusters / n"),
    metric(
        "mean_split_slowdown",
        "",
        "on a machine that is no mini-grid, or if no job was split",
        "mean of (c_j - s_j) / p_j over the jobs that ran on several clusters",
    ),
    metric(
        "link_utilization",
        "",
        "unless in a steady state where links are contended",
        "∫ bandwidth in use dt / (that of all links · time)",
    ),
    metric(
        "unstable_at_s",
        "s",
        "if the run was stable",
        "when more jobs waited than the field backlog_cap allows per cluster",
    ),
];

const NOT_OF_MODELS: &str = "if the group is empty, or a cell";
const NO_SHARE: &str = "of a cell, or if all jobs together have no work";
const HOST: &str = "unless the grouping is host";
const CELL: &str = "unless the grouping is model";

pub(super) static OF_GROUPS: [ColumnDoc; 17] = [
    metric("jobs", "jobs", "of a cell", "jobs of the group"),
    metric("work_share", "", NO_SHARE, "Σ x_j p_j of the group / that of all jobs"),
    metric("mean_wait_s", "s", NOT_OF_MODELS, "as in runs, over the group"),
    metric("p95_wait_s", "s", NOT_OF_MODELS, "as in runs, over the group"),
    metric("max_wait_s", "s", NOT_OF_MODELS, "as in runs, over the group"),
    metric("mean_response_s", "s", NOT_OF_MODELS, "as in runs, over the group"),
    metric("mean_slowdown", "", NOT_OF_MODELS, "as in runs, over the group"),
    metric("mean_bounded_slowdown", "", NOT_OF_MODELS, "as in runs, over the group"),
    metric("mean_relative_response", "", NOT_OF_MODELS, "as in runs, over the group"),
    metric("overhead_s", "s", "of a cell", "as in runs, over the group"),
    metric("requested_within_p", "", HOST, "as in runs, of the host"),
    metric("requested_within_2p", "", HOST, "as in runs, of the host"),
    metric("requested_within_3p", "", HOST, "as in runs, of the host"),
    metric("max_requested_ratio", "", HOST, "as in runs, of the host"),
    metric("cell", "", CELL, "what the model makes of the cell with the run's seed, in the cell's own unit"),
    metric(
        "cell_low",
        "",
        "unless the grouping is model, and without such a bound",
        "least value of the cell that is accepted",
    ),
    metric(
        "cell_high",
        "",
        "unless the grouping is model, and without such a bound",
        "largest value of the cell that is accepted",
    ),
];
