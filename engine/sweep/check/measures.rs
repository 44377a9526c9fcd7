//! What is measured, and of which jobs.

use super::{Fault, positive, steady};
use crate::run_spec::Case;
use sim::MeasureSpec;
use sim::time::MAX_SECONDS;
use workload::Source;

pub(super) fn measure(measure: &MeasureSpec) -> Result<(), String> {
    bound(&measure.bound_s)?;
    run_time_classes(&measure.run_time_classes_s)?;
    run_time_classes(&measure.coarse_run_time_classes_s)?;
    size_classes(&measure.size_classes)?;
    memory_classes(&measure.memory_classes_kb)?;
    work_classes(&measure.work_classes_node_s)?;
    steady(&measure.steady)?;
    [measure.submitted_from_s, measure.submitted_before_s].iter().try_for_each(submitted)
}

pub(crate) fn bound(bound_s: &f64) -> Result<(), String> {
    positive("a bound", *bound_s)
}

/// One end of the stretch in which jobs count.
pub(crate) fn submitted(second: &Option<f64>) -> Result<(), String> {
    match second {
        // What a simulation can tell, so that no instant is cut off.
        Some(second) if !(0.0..=MAX_SECONDS as f64).contains(second) => {
            Err(format!("{second} s is outside 0 ... {MAX_SECONDS}"))
        }
        _ => Ok(()),
    }
}

/// A stretch that is empty for certain.
pub(super) fn nothing_counts(measure: &MeasureSpec) -> Option<Fault> {
    let (Some(from), Some(before)) = (measure.submitted_from_s, measure.submitted_before_s) else {
        return None;
    };
    (from >= before).then(|| Fault {
        field: "submitted_from_s",
        message: format!("no job is submitted from {from} s on and before {before} s"),
        help: "give a `submitted_before_s` after `submitted_from_s`".into(),
    })
}

/// Cells are wanted of a source that has none.
pub(super) fn nothing_to_compare(case: &Case) -> Option<Fault> {
    let missing = case.measure.model_cells && !matches!(case.workload.source, Source::O2k { .. });
    missing.then(|| Fault {
        field: "model_cells",
        message: format!("there are no published cells that {} could be compared with", case.workload.source),
        help: "only O2k knows its publication's tables; leave `model_cells` out".into(),
    })
}

pub(crate) fn run_time_classes(times: &[f64]) -> Result<(), String> {
    if !times.iter().all(|t| t.is_finite() && *t > 0.0) || !times.is_sorted_by(|a, b| a < b) {
        return Err("classes of run times must be positive and ascending".into());
    }
    Ok(())
}

pub(crate) fn size_classes(sizes: &[u32]) -> Result<(), String> {
    if sizes.contains(&0) || !sizes.is_sorted_by(|a, b| a < b) {
        return Err("size_classes must be positive and ascending".into());
    }
    Ok(())
}

pub(crate) fn memory_classes(kb: &[u64]) -> Result<(), String> {
    if !kb.is_sorted_by(|a, b| a < b) {
        return Err("memory_classes_kb must be ascending".into());
    }
    Ok(())
}

pub(crate) fn work_classes(node_s: &[f64]) -> Result<(), String> {
    if !node_s.iter().all(|bound| bound.is_finite() && *bound > 0.0) || !node_s.is_sorted_by(|a, b| a < b) {
        return Err("work_classes_node_s must be positive and ascending".into());
    }
    Ok(())
}
