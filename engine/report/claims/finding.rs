//! What evaluating a predicate found, and the claims table made of all findings.

use super::Topic;
use super::wanted::Range;
use crate::number::measured;
use std::sync::Arc;
use table::{ClaimSpec, Column, Frame, TableError};
use table::{Interval, statistics::sample};

/// Said in `reason` where the interval straddles a bound of the predicate's range.
pub(crate) const WITHIN_NOISE: &str = "within noise";

/// The value of one predicate in one group.
pub(super) struct Value {
    pub measured: Option<f64>,
    pub interval: Option<Interval>,
    pub holds: bool,
    pub reason: String,
}

/// One predicate in one group.
pub(super) struct Finding {
    group: String,
    wanted: String,
    measured: Option<f64>,
    interval: Option<Interval>,
    verdict: &'static str,
    reason: String,
}

/// A finding with all that its row of the table says.
pub(super) struct Row<'a> {
    pub topic: Topic<'a>,
    pub claim: &'a ClaimSpec,
    pub mode: &'a str,
    pub setting: Option<&'a str>,
    pub index: usize,
    pub finding: Finding,
}

impl Value {
    /// The value of per-replication values: their mean, judged. `planned` replications should have one.
    pub fn of(values: &[f64], range: &Range, planned: usize) -> Result<Value, String> {
        if let Some(value) = Value::of_unstable(values, range, planned) {
            return Ok(value);
        }
        let sample = sample(values);
        let mean = sample.mean.ok_or("the mean is beyond the range of numbers")?;
        let clarity = match sample.interval {
            Some(interval) if range.is_clear(interval) => format!("clear over {} replications", sample.n),
            Some(_) => format!("{WITHIN_NOISE} over {} replications", sample.n),
            None => "one run, no interval".to_owned(),
        };
        let reason = match planned.saturating_sub(sample.n) {
            0 => clarity,
            lost => format!("{clarity}; {lost} of {planned} replications lack a value"),
        };
        Ok(Value { measured: Some(mean), interval: sample.interval, holds: range.holds(mean), reason })
    }
}

impl Value {
    /// As [`Value::of`] where a run is unstable, so that a value is infinite, or undefined as two infinities were compared; `None` where all
    /// are finite. What is undefined is not met. Tables hold no infinity, so nothing is measured.
    fn of_unstable(values: &[f64], range: &Range, planned: usize) -> Option<Value> {
        let odd = values.iter().filter(|value| !value.is_finite()).count();
        let mean = average(values).filter(|_| odd > 0)?;
        let found = match (mean.is_nan(), mean > 0.0) {
            (true, _) => "two unstable runs cannot be compared, which counts as not met",
            (false, true) => "infinite, as a run is unstable",
            (false, false) => "minus infinity, as a run is unstable",
        };
        let mut reason = format!("{found}; so in {odd} of {} replications", values.len());
        let lost = planned.saturating_sub(values.len());
        if lost > 0 {
            reason.push_str(&format!("; {lost} of {planned} replications lack a value"));
        }
        let holds = !mean.is_nan() && range.holds(mean);
        Some(Value { measured: None, interval: None, holds, reason })
    }
}

/// The mean of values of which some may be infinite: then it is, or it is NaN where infinities of both signs or undefined values meet. `None` without
/// values, or where finite ones are beyond the range of numbers.
pub(super) fn average(values: &[f64]) -> Option<f64> {
    if values.iter().all(|value| value.is_finite()) { sample(values).mean } else { Some(values.iter().sum()) }
}

/// A mean for people, where it may be infinite.
pub(super) fn mean_text(values: &[f64]) -> String {
    match average(values) {
        Some(mean) if mean.is_finite() => measured(mean),
        Some(_) => "∞".to_owned(),
        None => "?".to_owned(),
    }
}

impl Finding {
    /// A finding with a verdict.
    pub fn tested(group: String, wanted: String, value: Value) -> Finding {
        let verdict = if value.holds { "holds" } else { "does not hold" };
        let Value { measured, interval, reason, .. } = value;
        Finding { group, wanted, measured, interval, verdict, reason }
    }

    /// A finding without.
    pub fn untestable(group: String, wanted: String, reason: String) -> Finding {
        Finding { group, wanted, measured: None, interval: None, verdict: "cannot be tested", reason }
    }
}

/// The claims table.
pub(super) fn frame(rows: &[Row<'_>]) -> Result<Frame, TableError> {
    let text = |name: &str, of: &dyn Fn(&Row<'_>) -> Option<String>| {
        Column::text(name, rows.iter().map(|row| of(row).map(Arc::from)).collect())
    };
    let real = |name: &str, of: &dyn Fn(&Finding) -> Option<f64>| {
        Column::real(name, rows.iter().map(|row| of(&row.finding)).collect())
    };
    Frame::from_columns(vec![
        text("study", &|row| Some(row.topic.study.to_owned())),
        text("experiment", &|row| Some(row.topic.experiment.to_owned())),
        text("claim", &|row| Some(row.claim.id.clone())),
        text("mode", &|row| Some(row.mode.to_owned())),
        text("setting", &|row| row.setting.map(str::to_owned)),
        text("statement", &|row| Some(row.claim.statement.clone())),
        text("source", &|row| Some(row.claim.source.clone())),
        text("published", &|row| row.claim.published.clone()),
        Column::int("predicate", rows.iter().map(|row| Some(row.index as i64)).collect()),
        text("group", &|row| Some(row.finding.group.clone())),
        real("measured", &|finding| finding.measured),
        real("ci_low", &|finding| finding.interval.map(|interval| interval.low)),
        real("ci_high", &|finding| finding.interval.map(|interval| interval.high)),
        text("wanted", &|row| Some(row.finding.wanted.clone())),
        text("verdict", &|row| Some(row.finding.verdict.to_owned())),
        text("reason", &|row| Some(row.finding.reason.clone()).filter(|reason| !reason.is_empty())),
    ])
}
