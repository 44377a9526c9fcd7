//! The schedules that an experiment asks for.

use super::chart;
use super::chosen::Chosen;
use crate::diagnostic::Failure;
use crate::session::Session;
use report::gantt::{Colouring, View};
use sim::time::TICKS_PER_SECOND;
use std::collections::BTreeMap;
use sweep::{Experiment, PlannedRun};
use table::{Colour, ScheduleSpec};
use workload::TraceDir;

/// A file name and the picture in it; a message instead where there is nothing to draw.
///
/// # Errors
/// Where the jobs cannot be had or the run has no outcome.
pub fn schedule(
    session: &Session,
    experiment: &Experiment,
    spec: &ScheduleSpec,
    traces: &TraceDir,
) -> Result<Result<(String, String), String>, Failure> {
    let nothing = |why: &str| Ok(Err(format!("the schedule `{}` is not drawn: {why}", spec.id)));
    let Some(run) = experiment.runs().find(|run| matches(experiment, run, spec)) else {
        return nothing("no run matches");
    };
    if !sweep::available(&run.spec.case.workload.source, traces) {
        return nothing("its log is not at hand");
    }
    let mode = run.mode.to_string();
    let chosen = Chosen::planned(experiment, run, &spec.title);
    let chart = chart::of(session, &chosen, traces)?;
    let Some((first, last)) = chart.span_us() else { return nothing("no job ever started") };
    let ticks = |seconds: f64| (seconds * TICKS_PER_SECOND as f64) as i64;
    let (from_us, to_us) = (spec.from_s.map_or(first, ticks), spec.to_s.map_or(last, ticks));
    if from_us >= last || to_us <= first {
        return nothing("nothing happens in that time");
    }
    let colouring = match spec.colour {
        Colour::Class => Colouring::Class,
        Colour::Wait => Colouring::Wait,
        Colour::Job => Colouring::Job,
    };
    let picture = chart.svg(View { from_us, to_us, colouring });
    Ok(Ok((format!("{}-{mode}.svg", spec.id), picture.text)))
}

/// Whether a run has the values that are wanted, numbers compared as numbers.
fn matches(experiment: &Experiment, run: &PlannedRun, spec: &ScheduleSpec) -> bool {
    let columns = experiment.columns().into_iter().map(|column| column.name);
    let mut values: BTreeMap<String, String> =
        columns.zip(run.point.iter().map(ToString::to_string)).collect();
    values.insert("mode".to_owned(), run.mode.to_string());
    values.insert("replication".to_owned(), run.spec.replication.to_string());
    spec.only.iter().all(|(column, wanted)| {
        let number = |text: &str| text.parse::<f64>().ok();
        values.get(column).is_some_and(|value| {
            value == wanted || number(value).is_some_and(|value| number(wanted) == Some(value))
        })
    })
}
