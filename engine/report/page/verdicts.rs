//! The scorecard of a study: a row for every claim and mode.

use super::anchor::anchor;
use super::evidence::Exhibit;
use super::grid::{Cell, Grid, Head};
use super::html::{Html, element, join, link, separated};
use crate::number::span;
use crate::scorecard::mark;
use crate::verdict::{Entry, Judgement, Reach, Verdict, reaches};

/// So many figures and tables are named in the scorecard; all are named at the measurements.
const MOST_EXHIBITS: usize = 4;

/// The style of a verdict. Its text and symbol say the same.
pub(super) fn class(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Holds => "holds",
        Judgement::HoldsWhereTested => "partly",
        Judgement::DoesNotHold => "fails",
        Judgement::CannotBeTested => "untested",
    }
}

/// Verdicts are sorted from those that hold to those that cannot be tested.
pub(super) fn judgement_key(judgement: Judgement) -> String {
    (judgement as u8).to_string()
}

/// A verdict in a cell.
pub(super) fn judgement(judgement: Judgement) -> Cell {
    judged(judgement, Html::default())
}

/// A verdict in a cell, with something after it.
fn judged(judgement: Judgement, more: Html) -> Cell {
    let text = join([
        element("span", &[("aria-hidden", "true")], format!("{} ", mark(judgement))),
        Html::from(judgement.to_string()),
        more,
    ]);
    Cell::of(text).keyed(judgement_key(judgement)).class(class(judgement))
}

/// Where the measurements of a claim are.
pub(super) fn place(verdict: &Verdict) -> String {
    anchor(&["claim", &verdict.study, &verdict.claim])
}

/// The scorecard; `exhibits` are the figures and tables that show an entry.
pub(super) fn table(study: &str, entries: &[&Entry], exhibits: &[Vec<Exhibit>]) -> Html {
    let grid = Grid {
        anchor: anchor(&["scorecard", study]),
        caption: format!("Claims of {study}, with what was measured").into(),
        heads: vec![
            Head::text("claim"),
            Head::sentence("statement"),
            Head::text("source"),
            Head::text("mode"),
            Head::text("verdict"),
            Head::number("measured"),
            Head::number("95 % interval"),
            Head::sentence("why"),
            Head::text("shown in"),
        ],
        rows: entries.iter().zip(exhibits).map(|(entry, exhibits)| row(entry, exhibits)).collect(),
        foot: Vec::new(),
    };
    grid.html()
}

fn row(entry: &Entry, exhibits: &[Exhibit]) -> Vec<Cell> {
    let verdict = &entry.verdict;
    let reaches = reaches(&entry.records);
    let key = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let lines = |of: fn(&Reach) -> String| {
        separated(reaches.iter().map(|reach| Html::from(of(reach))), &Html::line_break())
    };
    let interval =
        |reach: &Reach| reach.interval.map_or_else(|| "—".to_owned(), |(low, high)| span(low, high));
    let (values, intervals) = match reaches.as_slice() {
        [] => (Cell::none(), Cell::none()),
        [first, ..] => (
            Cell::of(lines(Reach::values)).keyed(key(Some(first.low))),
            Cell::of(lines(interval)).keyed(key(first.interval.map(|(low, _)| low))),
        ),
    };
    vec![
        Cell::of(link(&place(verdict), verdict.claim.as_str())).keyed(verdict.claim.as_str()),
        Cell::of(verdict.statement.as_str()),
        Cell::of(source(verdict)),
        Cell::of(verdict.mode.as_str()),
        judged(verdict.judgement, rows_that_hold(verdict)),
        values,
        intervals,
        why(verdict),
        shown_in(verdict, exhibits),
    ]
}

/// Where it says so, and the value that is printed there.
fn source(verdict: &Verdict) -> Html {
    let published = verdict.published.as_deref().map(|value| small(format!("printed: {value}")));
    let source = Html::from(verdict.source.as_str());
    separated([Some(source), published].into_iter().flatten(), &Html::line_break())
}

/// `5 of 6, 1 untested`, on a line of its own.
fn rows_that_hold(verdict: &Verdict) -> Html {
    join([Html::line_break(), small(crate::scorecard::count(verdict))])
}

fn small(text: String) -> Html {
    element("span", &[("class", "range")], text)
}

fn why(verdict: &Verdict) -> Cell {
    let noise = (verdict.within_noise > 0)
        .then(|| format!("{} of {} within noise", verdict.within_noise, verdict.total));
    let parts: Vec<Html> = [verdict.remark.clone(), noise].into_iter().flatten().map(Html::from).collect();
    if parts.is_empty() { Cell::none() } else { Cell::of(separated(parts, &Html::line_break())) }
}

fn shown_in(verdict: &Verdict, exhibits: &[Exhibit]) -> Cell {
    let named = exhibits.iter().take(MOST_EXHIBITS);
    let mut links: Vec<Html> = named.map(|exhibit| link(&exhibit.anchor, exhibit.label.as_str())).collect();
    let rest = exhibits.len().saturating_sub(MOST_EXHIBITS);
    links.push(match rest {
        0 => link(&place(verdict), "measurements"),
        rest => link(&place(verdict), format!("{rest} more and the measurements")),
    });
    Cell::of(separated(links, &Html::from(", ")))
}
