//! What of a steady-state measurement makes no sense.

use super::Fault;
use crate::run_spec::Case;
use sim::{Steady, WarmUp};

pub(crate) fn steady(steady: &Option<Steady>) -> Result<(), String> {
    let Some(steady) = steady else { return Ok(()) };
    warm_up(&steady.warm_up)?;
    batches(&steady.batches)?;
    backlog_cap(&steady.backlog_cap)
}

pub(crate) fn warm_up(rule: &WarmUp) -> Result<(), String> {
    match rule {
        WarmUp::Share(share) if !(0.0..1.0).contains(share) => {
            Err(format!("a share of {share} is outside 0 <= s < 1"))
        }
        _ => Ok(()),
    }
}

pub(crate) fn batches(batches: &u32) -> Result<(), String> {
    match (2..=Steady::MOST_BATCHES).contains(batches) {
        true => Ok(()),
        false => Err(format!("{batches} batches are outside 2 ... {}", Steady::MOST_BATCHES)),
    }
}

pub(crate) fn backlog_cap(jobs: &u32) -> Result<(), String> {
    if *jobs == 0 { Err("a backlog of no job is none".into()) } else { Ok(()) }
}

/// A steady state has a warm-up of its own.
pub(super) fn fault(case: &Case) -> Option<Fault> {
    let measure = &case.measure;
    let field = match (measure.submitted_from_s, measure.submitted_before_s) {
        (Some(_), _) => "submitted_from_s",
        (None, Some(_)) => "submitted_before_s",
        (None, None) => return None,
    };
    measure.steady.map(|_| Fault {
        field,
        message: format!(
            "a steady state counts its first `n_jobs` jobs but the warm-up, whatever `{field}` says"
        ),
        help: "leave it out, or `steady`".into(),
    })
}
