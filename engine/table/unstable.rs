//! Unstable runs: those that were given up because ever more jobs waited. They are answers, though most of their metrics are undefined.

use crate::error::TableError;
use crate::frame::Frame;

/// The status of an unstable run in the runs table.
pub const UNSTABLE: &str = "unstable";

/// Metrics that grow without end in an unstable run: to claims they are infinite there.
const WITHOUT_END: [&str; 13] = [
    "mean_wait_s",
    "median_wait_s",
    "p95_wait_s",
    "p99_wait_s",
    "max_wait_s",
    "mean_response_s",
    "p95_response_s",
    "max_response_s",
    "mean_slowdown",
    "mean_bounded_slowdown",
    "p95_bounded_slowdown",
    "max_bounded_slowdown",
    "mean_relative_response",
];

/// Whether a metric is taken to be infinite in an unstable run.
pub fn is_without_end(metric: &str) -> bool {
    WITHOUT_END.contains(&metric)
}

/// Which runs of a runs table are unstable, row by row.
///
/// # Errors
/// If the table has no column `status` of texts.
pub fn unstable_rows(runs: &Frame) -> Result<Vec<bool>, TableError> {
    Ok(runs.text("status")?.iter().map(|status| status.as_deref() == Some(UNSTABLE)).collect())
}
