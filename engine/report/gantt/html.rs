//! A chart as a page: one file with its data, style and program. Numbers are in columns, which is a third of the size of records.
//! `page/` has the parts; the program's are put together in the order of `PROGRAM`.

use super::clock::seconds;
use super::colouring::{Colouring, SWAP, lighter};
use super::{Chart, Document, Kind, View};
use crate::escape::{json, markup};
use crate::template::filled;
use std::collections::BTreeSet;
use std::fmt::{Display, Write};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const PROGRAM: [&str; 6] = [
    include_str!("page/data.js"),
    include_str!("page/clock.js"),
    include_str!("page/view.js"),
    include_str!("page/draw.js"),
    include_str!("page/facts.js"),
    include_str!("page/controls.js"),
];

/// Writes the document.
pub(super) fn document(chart: &Chart, view: View) -> Document {
    let (data, rectangles) = data(chart, view);
    let facts: String = chart.facts.iter().map(|fact| format!("<p>{}</p>", markup(fact))).collect();
    let parts = [
        ("{{title}}", markup(&chart.title)),
        ("{{facts}}", facts),
        ("{{style}}", STYLE.to_owned()),
        ("{{data}}", data),
        ("{{program}}", PROGRAM.concat()),
    ];
    Document { text: filled(PAGE, &parts), rectangles, shaded: 0 }
}

/// The chart as JSON, and how many rectangles it has. Only what lies in the view, and its jobs.
fn data(chart: &Chart, view: View) -> (String, usize) {
    let (pieces, swaps) = (chart.seen(view), chart.swaps_seen(view));
    let seen: BTreeSet<usize> =
        pieces.iter().map(|piece| piece.job).chain(swaps.iter().map(|swap| swap.job)).collect();
    // A job's new position is that among those seen.
    let kept: Vec<usize> = seen.into_iter().collect();
    let at = |job: usize| kept.binary_search(&job).unwrap_or_default();
    let jobs = || kept.iter().map(|index| (*index, &chart.jobs[*index]));
    let shade = |colouring: Colouring| column(jobs().map(|(index, job)| colouring.shade(job, index)));
    let slices = chart.slices_seen(view);
    let mut out = String::from("{");
    let _ = write!(out, "\"nodes\":{},", chart.nodes);
    let _ = write!(out, "\"from\":{},\"to\":{},", seconds(view.from_us), seconds(view.to_us));
    let _ = write!(out, "\"colouring\":{},\"swapColour\":{},", json(view.colouring.name()), json(SWAP));
    let _ = write!(out, "\"colourings\":[{}],", Colouring::ALL.map(|it| colouring(it, chart)).join(","));
    let columns = [
        ("id", column(jobs().map(|(_, job)| job.id))),
        ("size", column(jobs().map(|(_, job)| job.size))),
        ("memory", column(jobs().map(|(_, job)| job.memory_kb))),
        ("submit", column(jobs().map(|(_, job)| seconds(job.submit_us)))),
        ("start", column(jobs().map(|(_, job)| job.start_us.map_or_else(|| "null".to_owned(), seconds)))),
        ("end", column(jobs().map(|(_, job)| seconds(job.end_us)))),
        ("run", column(jobs().map(|(_, job)| seconds(job.run_us)))),
        ("estimate", column(jobs().map(|(_, job)| seconds(job.estimate_us)))),
        ("load", column(jobs().map(|(_, job)| seconds(job.load_us)))),
        ("swap", column(jobs().map(|(_, job)| seconds(job.swap_us)))),
        ("suspensions", column(jobs().map(|(_, job)| job.suspensions))),
        ("killed", column(jobs().map(|(_, job)| u8::from(job.killed)))),
        ("class", shade(Colouring::Class)),
        ("wait", shade(Colouring::Wait)),
        ("job", shade(Colouring::Job)),
    ];
    table(&mut out, "jobs", &columns);
    let columns = [
        ("job", column(pieces.iter().map(|piece| at(piece.job)))),
        ("first", column(pieces.iter().map(|piece| piece.first))),
        ("last", column(pieces.iter().map(|piece| piece.last))),
        ("from", column(pieces.iter().map(|piece| seconds(piece.from_us)))),
        ("to", column(pieces.iter().map(|piece| seconds(piece.to_us)))),
        ("loading", column(pieces.iter().map(|piece| u8::from(piece.kind == Kind::Loading)))),
    ];
    table(&mut out, "pieces", &columns);
    let columns = [
        ("job", column(swaps.iter().map(|swap| at(swap.job)))),
        ("at", column(swaps.iter().map(|swap| seconds(swap.at_us)))),
        ("charge", column(swaps.iter().map(|swap| seconds(swap.charge_us)))),
    ];
    table(&mut out, "swaps", &columns);
    let columns = [
        ("from", column(slices.iter().map(|slice| seconds(slice.0)))),
        ("name", column(slices.iter().map(|slice| json(slice.2)))),
    ];
    table(&mut out, "slices", &columns);
    out.pop();
    out.push('}');
    (out, pieces.len())
}

/// An array; the values are JSON.
fn column(values: impl Iterator<Item = impl Display>) -> String {
    let mut out = String::from("[");
    for (at, value) in values.enumerate() {
        let comma = if at > 0 { "," } else { "" };
        let _ = write!(out, "{comma}{value}");
    }
    out.push(']');
    out
}

/// An object of columns, and a comma.
fn table(out: &mut String, name: &str, columns: &[(&str, String)]) {
    let columns: Vec<String> = columns.iter().map(|(name, values)| format!("\"{name}\":{values}")).collect();
    let _ = write!(out, "\n\"{name}\":{{{}}},", columns.join(",\n"));
}

fn colouring(colouring: Colouring, chart: &Chart) -> String {
    let shades = colouring.shades(chart);
    format!(
        "{{\"name\":{},\"heading\":{},\"colours\":{},\"light\":{},\"labels\":{}}}",
        json(colouring.name()),
        json(colouring.heading()),
        column(shades.iter().map(|shade| json(shade.colour))),
        column(shades.iter().map(|shade| json(&lighter(shade.colour)))),
        column(shades.iter().map(|shade| json(&shade.label)))
    )
}
