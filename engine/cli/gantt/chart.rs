//! A run's schedule as a chart.

use super::chosen::Chosen;
use crate::diagnostic::Failure;
use crate::session::{Session, count, counted};
use crate::simulate::setup_hint;
use report::gantt::{Chart, Class, Job, Kind, Piece, Swap};
use sim::cluster::node_set::Placement;
use sim::observer::job_log::{JobLine, JobLog};
use sim::observer::trace::{PieceKind, Trace};
use sim::observer::{JobRecord, Observer};
use sim::time::{MAX_SECONDS, Span};
use sim::{PolicySpec, Time};
use sweep::Case;
use workload::TraceDir;

/// Where the run-time classes end: short below the first, long above the second.
#[derive(Clone, Copy)]
struct Classes {
    short_below: Span,
    long_above: Span,
}

/// What memory cost a job.
#[derive(Clone, Copy, Debug)]
struct Overhead {
    arrival: u64,
    load: Span,
    swap_out: Span,
    suspensions: u32,
}

/// Notes it for every job, in order of leaving.
#[derive(Debug, Default)]
struct Overheads(Vec<Overhead>);

impl Observer for Overheads {
    fn ended(&mut self, _now: Time, job: &JobRecord<'_>) {
        let JobRecord { arrival, load, swap_out, suspensions, .. } = *job;
        self.0.push(Overhead { arrival, load, swap_out, suspensions });
    }
}

/// Simulates the run and collects what it did.
///
/// # Errors
/// Where the jobs cannot be had or the run has no outcome.
pub(super) fn of(session: &Session, chosen: &Chosen, traces: &TraceDir) -> Result<Chart, Failure> {
    let case = &chosen.spec.case;
    case.machine.validate()?;
    let setup = case.setup();
    // Whether policy and allocator fit the machine is known before a long log is read.
    setup.policy.build(&setup).map_err(setup_hint)?;
    let workload = workload::build(&case.workload, &case.machine, chosen.spec.seed, traces)?;
    session.note(&workload.cleaning.to_string());
    let mut observers = ((JobLog::default(), Overheads::default()), Trace::default());
    sim::simulate(&setup, workload.jobs.iter().copied(), &mut observers)?;
    let ((log, Overheads(mut overheads)), trace) = observers;
    let lines = log.by_arrival();
    overheads.sort_unstable_by_key(|overhead| overhead.arrival);
    let classes = Classes::of(case);
    Ok(Chart {
        title: chosen.title.clone(),
        facts: facts(chosen, lines.len(), workload.offered_load),
        nodes: case.machine.nodes(),
        classes: classes.bounds(),
        pieces: pieces(&lines, &trace),
        jobs: lines.iter().zip(&overheads).map(|(line, overhead)| job(line, overhead, classes)).collect(),
        swaps: swaps(&lines, &trace),
        slices: trace.slices.iter().map(|(from, name)| (from.0, (*name).to_owned())).collect(),
    })
}

/// What decided the run, a line each.
fn facts(chosen: &Chosen, jobs: usize, offered_load: f64) -> Vec<String> {
    let case = &chosen.spec.case;
    let text = |value: Result<String, ron::Error>| value.unwrap_or_default();
    let workload = format!(
        "{}: {}, offered load {offered_load:.3}, seed {}; {}",
        case.workload.source,
        counted(jobs, "job"),
        chosen.spec.seed,
        counted(case.machine.nodes() as usize, "node"),
    );
    let scheduler =
        format!("{}, {}", text(ron::to_string(&case.policy)), text(ron::to_string(&case.allocator)));
    let scheduler = match &case.memory {
        None => scheduler,
        Some(memory) => format!("{scheduler}, memory {}", text(ron::to_string(memory))),
    };
    chosen.place.clone().into_iter().chain([workload, scheduler]).collect()
}

/// The position of a job among the lines, by its arrival.
fn position(lines: &[JobLine], arrival: u64) -> Option<usize> {
    lines.binary_search_by_key(&arrival, |line| line.arrival).ok()
}

fn pieces(lines: &[JobLine], trace: &Trace) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for piece in &trace.pieces {
        let Some(job) = position(lines, piece.arrival) else { continue };
        let (from_us, to_us) = (piece.from.0, piece.to.0);
        let kind = match piece.kind {
            PieceKind::Loading => Kind::Loading,
            PieceKind::Running => Kind::Running,
        };
        let of_range = |(first, last)| Piece { job, first, last, from_us, to_us, kind };
        pieces.extend(ranges(&piece.nodes).into_iter().map(of_range));
    }
    pieces
}

fn swaps(lines: &[JobLine], trace: &Trace) -> Vec<Swap> {
    let swap = |swap: &sim::observer::trace::SwapOut| {
        let job = position(lines, swap.arrival)?;
        Some(Swap { job, at_us: swap.at.0, charge_us: swap.span.0 })
    };
    trace.swap_outs.iter().filter_map(swap).collect()
}

/// The nodes in ranges of neighbours: lowest and highest.
fn ranges(nodes: &Placement) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for node in nodes.nodes() {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == node => *last = node,
            _ => ranges.push((node, node)),
        }
    }
    ranges
}

fn job(line: &JobLine, overhead: &Overhead, classes: Classes) -> Job {
    let sim::Job { id, submit, run_time, estimate, size, memory_kb, .. } = line.job.molded(line.size);
    Job {
        id,
        class: classes.class(run_time),
        size,
        memory_kb,
        submit_us: submit.0,
        start_us: Some(line.start).filter(|start| *start != Time::NEVER).map(|start| start.0),
        end_us: line.finish.0,
        run_us: run_time.0,
        estimate_us: estimate.0,
        load_us: overhead.load.0,
        swap_us: overhead.swap_out.0,
        suspensions: overhead.suspensions,
        killed: line.killed,
    }
}

impl Classes {
    /// Those of the policy, where it has any; else those of Esbaugh's thesis.
    fn of(case: &Case) -> Classes {
        let (short_below, long_above) = match case.policy {
            PolicySpec::TimeSlicing { short_below_s, long_above_s, .. } => (short_below_s, long_above_s),
            _ => (600, 10_800),
        };
        let seconds = |seconds: u64| Span::from_secs(i64::try_from(seconds).unwrap_or(MAX_SECONDS));
        Classes { short_below: seconds(short_below), long_above: seconds(long_above) }
    }

    fn class(self, run_time: Span) -> Class {
        if run_time < self.short_below {
            Class::Short
        } else if run_time > self.long_above {
            Class::Long
        } else {
            Class::Medium
        }
    }

    fn bounds(self) -> [String; 3] {
        let [low, high] =
            [self.short_below, self.long_above].map(|bound| count(bound.as_secs_f64() as usize));
        [format!("below {low} s"), String::new(), format!("above {high} s")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_range() {
        assert_eq!(ranges(&Placement::of([0, 1, 2, 5, 63, 64, 65])), [(0, 2), (5, 5), (63, 65)]);
        assert_eq!(ranges(&Placement::empty()), []);
    }

    #[test]
    fn the_bounds_of_classes_are_medium() {
        let classes = Classes { short_below: Span::from_secs(600), long_above: Span::from_secs(10_800) };
        let class = |seconds| classes.class(Span::from_secs(seconds));
        assert_eq!(
            [599, 600, 10_800, 10_801].map(class),
            [Class::Short, Class::Medium, Class::Medium, Class::Long]
        );
        assert_eq!(classes.bounds(), ["below 600 s", "", "above 10,800 s"]);
    }
}
