//! The columns of the tables that are neither axes nor metrics.

use super::{ColumnDoc, doc};
use crate::frame::CellType::{self, Flag, Int, Real, Text};

/// A column that is never missing.
const fn always(column: &'static str, cell_type: CellType, description: &'static str) -> ColumnDoc {
    doc(column, cell_type, "", "", description)
}

/// A text that may be missing.
const fn text(column: &'static str, null: &'static str, description: &'static str) -> ColumnDoc {
    doc(column, Text, "", null, description)
}

const STUDY: ColumnDoc = always("study", Text, "study the experiment belongs to");
const EXPERIMENT: ColumnDoc = always("experiment", Text, "name of the experiment");
const MODE: ColumnDoc = always(
    "mode",
    Text,
    "where the jobs come from: trace (a published log, a file, or jobs listed in the experiment), twin (synthetic, fitted to a log) or model",
);
const REPLICATION: ColumnDoc =
    always("replication", Int, "number of the replication, from 0; recorded jobs have only number 0");
const METRIC: ColumnDoc = always("metric", Text, "metric column of the runs table");

const BELOW_TWO: &str = "if n is below 2";
const BELOW_TWO_OR_UNSTABLE: &str = "if n is below 2 or unstable above 0";
const NONE_OR_UNSTABLE: &str = "if n is 0 or unstable above 0";

pub(super) static CASE: [ColumnDoc; 3] = [STUDY, EXPERIMENT, MODE];

pub(super) static RUN: [ColumnDoc; 5] = [
    REPLICATION,
    always(
        "seed",
        Text,
        "seed of all random streams, as an unsigned decimal number; 0 where nothing is random",
    ),
    text(
        "run_key",
        "if the run was skipped",
        "hexadecimal hash of everything that decides the run's result; its row in the store has the same key",
    ),
    always(
        "status",
        Text,
        "ok, unstable where ever more jobs waited, failed, or skipped where the log is not at hand",
    ),
    text("message", "if the status is ok", "why the run failed, was skipped or is unstable"),
];

pub(super) static GROUP: [ColumnDoc; 3] = [
    REPLICATION,
    always(
        "grouping",
        Text,
        "what the jobs are grouped by, as in the workload: run_time, coarse_run_time (in seconds), size (in nodes), memory (in kB per node) \
         or work (in node-seconds: x_j p_j before scaling to a load); under ClassPriority class; on a machine of hosts host, where the job ran \
         last; model, of cells of a published table that the model of the jobs is made from",
    ),
    always("group", Text, "the group's bounds, as in <= 600 s or > 64, or its name"),
];

pub(super) static SUMMARY: [ColumnDoc; 9] = [
    METRIC,
    doc("n", Int, "replications", "", "replications in which the metric is defined"),
    doc(
        "unstable",
        Int,
        "replications",
        "",
        "unstable replications; above 0, there are no statistics but those of the metric unstable_at_s",
    ),
    doc("mean", Real, "metric", NONE_OR_UNSTABLE, "arithmetic mean"),
    doc("sd", Real, "metric", BELOW_TWO_OR_UNSTABLE, "standard deviation, divisor n - 1"),
    doc(
        "ci_low",
        Real,
        "metric",
        BELOW_TWO_OR_UNSTABLE,
        "lower end of the 95 % Student-t interval of the mean: mean - t(0.975, n - 1) * sd / sqrt(n)",
    ),
    doc("ci_high", Real, "metric", BELOW_TWO_OR_UNSTABLE, "upper end of it"),
    doc("min", Real, "metric", NONE_OR_UNSTABLE, "smallest value"),
    doc("max", Real, "metric", NONE_OR_UNSTABLE, "largest value"),
];

const NO_RATIO: &str = "if n is below 2, unstable above 0, or a baseline value 0";

pub(super) static COMPARISON: [ColumnDoc; 10] = [
    always("comparison", Text, "identifier of the comparison in the experiment file"),
    METRIC,
    doc("n", Int, "pairs", "", "replications in which case and baseline both define the metric"),
    doc(
        "unstable",
        Int,
        "pairs",
        "",
        "replications in which case or baseline is unstable; above 0, there are no statistics",
    ),
    doc("mean_difference", Real, "metric", NONE_OR_UNSTABLE, "mean of case - baseline over the pairs"),
    doc(
        "difference_ci_low",
        Real,
        "metric",
        BELOW_TWO_OR_UNSTABLE,
        "lower end of its 95 % Student-t interval; the difference is clear of noise if the interval is without 0",
    ),
    doc("difference_ci_high", Real, "metric", BELOW_TWO_OR_UNSTABLE, "upper end of it"),
    doc(
        "mean_ratio",
        Real,
        "",
        "if n is 0, unstable above 0, or a baseline value 0",
        "mean of case / baseline over the pairs",
    ),
    doc("ratio_ci_low", Real, "", NO_RATIO, "lower end of its 95 % Student-t interval"),
    doc("ratio_ci_high", Real, "", NO_RATIO, "upper end of it"),
];

const NO_INTERVAL: &str = "with one replication, or if measured is null";

pub(super) static CLAIMS: [ColumnDoc; 16] = [
    STUDY,
    EXPERIMENT,
    always("claim", Text, "identifier of the claim in its study"),
    MODE,
    text(
        "setting",
        "unless the experiment is over what the source leaves open",
        "the axis values that the claim is tested under",
    ),
    always("statement", Text, "what the source says"),
    always("source", Text, "where it says so"),
    text("published", "if none is printed", "the value as printed"),
    always("predicate", Int, "index of the predicate in the claim, from 0"),
    always(
        "group",
        Text,
        "the axis values the row is about, such as trace=HPC2N, policy=Fcfs; empty for all",
    ),
    doc("measured", Real, "", "if undefined", "the value that decides, in the unit the predicate implies"),
    doc("ci_low", Real, "", NO_INTERVAL, "lower end of its 95 % interval"),
    doc("ci_high", Real, "", NO_INTERVAL, "upper end of it"),
    always("wanted", Text, "the range or order that makes the predicate hold"),
    always("verdict", Text, "holds, does not hold, or cannot be tested"),
    text("reason", "if the numbers say it", "why, in words"),
];

pub(super) static PUBLISHED: [ColumnDoc; 19] = [
    STUDY,
    EXPERIMENT,
    MODE,
    always("table", Text, "identifier of the published table in the experiment file"),
    always("row", Text, "label of the row as printed"),
    always("column", Text, "label of the column as printed"),
    text("unit", "if the numbers have none", "unit of the cell's numbers, such as %"),
    doc("n", Int, "replications", "", "replications in which the cell is defined"),
    doc("measured", Real, "unit", "if n is 0", "mean over them"),
    doc("ci_low", Real, "unit", BELOW_TWO, "lower end of the mean's 95 % Student-t interval"),
    doc("ci_high", Real, "unit", BELOW_TWO, "upper end of it"),
    doc("published", Real, "unit", "if there is none", "the published number that is compared with"),
    text("published_text", "if nothing is printed", "the cell as printed"),
    text(
        "mark",
        "if the cell is taken as it stands",
        "illegible, inferred or doubtful, where it is not taken so",
    ),
    text("mark_reason", "without a mark", "how that is known"),
    doc(
        "inside",
        Flag,
        "",
        "without a published number or an interval",
        "whether the published number lies in the interval from ci_low to ci_high",
    ),
    doc(
        "n_published",
        Int,
        "replications",
        "if undefined or above 10^9",
        "smallest n with t(0.975, n - 1) * sd / sqrt(n) < abs(measured - published)",
    ),
    doc(
        "n_sign",
        Int,
        "replications",
        "if undefined or above 10^9",
        "smallest n with t(0.975, n - 1) * sd / sqrt(n) < abs(measured)",
    ),
    text("reason", "if something was measured", "why nothing was"),
];
