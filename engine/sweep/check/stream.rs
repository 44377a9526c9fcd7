//! What cannot be done with jobs that are simulated as they are drawn.

use super::Fault;
use crate::run_spec::Case;
use sim::Capacity;
use workload::model::poisson::Parameters;
use workload::{RequestedTime, is_stream};

/// Whether the Poisson model with one other parameter is one.
pub(crate) fn poisson(change: impl FnOnce(&mut Parameters)) -> Result<(), String> {
    // Of the two ends of the sizes only one is changed; both together are looked at when the source is.
    let mut parameters = Parameters { smallest: 1, largest: u32::MAX, ..Parameters::default() };
    change(&mut parameters);
    valid(parameters)
}

pub(super) fn valid(parameters: Parameters) -> Result<(), String> {
    parameters.validate().map_err(|problem| problem.to_string())
}

/// A stream needs to know when it has been seen for long enough, and has no last job that a transform could look at.
pub(super) fn fault(case: &Case) -> Option<Fault> {
    let workload = &case.workload;
    if !is_stream(&workload.source) {
        return None;
    }
    if workload.jobs.is_none() {
        return Some(Fault {
            field: "n_jobs",
            message: format!("the {} makes jobs without end", workload.source),
            help: "say how many are measured: workload: (source: Poisson(), jobs: Some(100000))".into(),
        });
    }
    if case.measure.steady.is_none() {
        return Some(Fault {
            field: "steady",
            message: format!(
                "the {} makes jobs without end, and only a steady state ends before they do",
                workload.source
            ),
            help: "measure: (steady: Some(()))".into(),
        });
    }
    transformed(case).or_else(|| too_large(case))
}

fn transformed(case: &Case) -> Option<Fault> {
    let workload = &case.workload;
    let transforms = [
        ("speedup", workload.speedup != 0.0, "give another `mean_run_time_s`"),
        ("load", workload.load.is_some(), "`arrival_load` is the load that the model is asked for"),
        ("moldable", workload.moldable.is_some(), "leave it out"),
        ("requested", workload.requested != RequestedTime::AsGiven, "leave it out"),
        ("memory_model", workload.memory.is_some(), "leave it out"),
    ];
    let (field, _, help) = transforms.into_iter().find(|(_, given, _)| *given)?;
    let source = &workload.source;
    let message =
        format!("`{field}` changes a workload as a whole, and the {source} is simulated as it is drawn");
    Some(Fault { field, message, help: help.into() })
}

fn too_large(case: &Case) -> Option<Fault> {
    let (largest, most) =
        (Parameters::of_source(&case.workload.source)?.largest, Capacity::from(&case.machine).largest_job());
    (largest > most).then(|| Fault {
        field: "largest",
        message: format!("jobs ask for up to {largest} nodes, and a job can have {most}"),
        help: "give a smaller `largest`, or a larger machine".into(),
    })
}
