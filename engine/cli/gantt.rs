//! `gantt`: a run's schedule as a picture or a page.

mod chart;
mod chosen;
mod wanted;

use crate::args::GanttArgs;
use crate::diagnostic::Failure;
use crate::results::write_text;
use crate::session::{Ending, Session, check_file, count, counted, trace_dir};
use crate::simulate::distinct;
use chosen::Chosen;
use report::gantt::{Chart, View};
use sim::Time;
use std::path::Path;
pub use wanted::schedule;

/// What is drawn, by the end of the file's name.
#[derive(Clone, Copy)]
enum Form {
    Picture,
    Page,
}

/// Simulates a run again and draws it.
///
/// # Errors
/// A malformed question, such as one that means no run or several, or a file that cannot be written.
pub fn gantt(session: &Session, args: &GanttArgs) -> Result<Ending, Failure> {
    let form = Form::of(&args.output)?;
    if let (Some(from), Some(to)) = (args.from, args.to)
        && from >= to
    {
        return Err(no_time(from, to));
    }
    check_file(&args.output, "-o")?;
    distinct(&[
        ("-o", Some(&args.output)),
        ("--swf", args.case.swf.as_deref()),
        ("--case", args.case.case.as_deref()),
    ])?;
    let overrides = &args.overrides;
    if args.asked.is_empty() && !(overrides.set.is_empty() && overrides.scale.is_none()) {
        return Err(Failure::question("--set and --scale are for an experiment")
            .hint("backsweep gantt FILE.ron --set AXIS=V -o FILE.html"));
    }
    let traces = trace_dir(args.traces.traces.as_ref())?;
    let chosen = if args.asked.is_empty() { Chosen::case(&args.case)? } else { Chosen::run(args, &traces)? };
    let chart = chart::of(session, &chosen, &traces)?;
    let view = view(args, &chart)?;
    let document = match form {
        Form::Picture => chart.svg(view),
        Form::Page => chart.html(view),
    };
    write_text(&args.output, &document.text)?;
    let shaded = match document.shaded {
        0 => String::new(),
        shaded => format!(", {} of them too small to be drawn one by one", count(shaded)),
    };
    session.note(&format!(
        "{}: {}, {}{shaded}",
        args.output.display(),
        counted(chart.jobs.len(), "job"),
        counted(document.rectangles, "rectangle")
    ));
    Ok(Ending::Done)
}

impl Form {
    fn of(path: &Path) -> Result<Form, Failure> {
        let name = path.to_string_lossy().to_ascii_lowercase();
        let ends = [(".svg", Form::Picture), (".html", Form::Page)];
        ends.iter().find(|(end, _)| name.ends_with(end)).map(|(_, form)| *form).ok_or_else(|| {
            Failure::question(format!("{}: the name does not say what to draw", path.display()))
                .hint("known ends: .svg (a picture), .html (a page)")
        })
    }
}

/// The range of time that is asked for, in which something must happen.
fn view(args: &GanttArgs, chart: &Chart) -> Result<View, Failure> {
    let Some((first, last)) = chart.span_us() else {
        return Err(Failure::question("no job ever started, so there is nothing to draw"));
    };
    let (from, to) = (args.from.unwrap_or(first), args.to.unwrap_or(last));
    if from >= last || to <= first {
        let (from, to) = if from >= last { ("--from", from) } else { ("--to", to) };
        let (first, last) = (seconds(first), seconds(last));
        return Err(Failure::question(format!("nothing happens there: {from} is {} s", seconds(to)))
            .hint(format!("the first submission is at {first} s, the last end at {last} s")));
    }
    if from >= to {
        return Err(no_time(from, to));
    }
    Ok(View { from_us: from, to_us: to, colouring: args.colour.into() })
}

fn no_time(from: i64, to: i64) -> Failure {
    let (from, to) = (seconds(from), seconds(to));
    Failure::question(format!("from {from} s to {to} s is no time")).hint("--from must be before --to")
}

fn seconds(us: i64) -> f64 {
    Time(us).as_secs_f64()
}
