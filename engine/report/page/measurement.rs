//! What was measured for a claim, group by group.

use super::anchor::anchor;
use super::evidence::Exhibit;
use super::grid::{Cell, Grid, Head};
use super::html::{Html, element, join, link, separated, tag};
use super::verdicts::{class, place};
use crate::number::{measured, span};
use crate::scorecard::mark;
use crate::verdict::{Entry, Judgement, Record};
use std::collections::BTreeMap;

/// All measurements of a claim in all modes, folded up; `exhibits` are the figures and tables that show the entries.
pub(super) fn details(entries: &[&Entry], exhibits: &[Vec<Exhibit>]) -> Html {
    let Some(first) = entries.first().map(|entry| &entry.verdict) else { return Html::default() };
    let verdicts = entries.iter().map(|entry| {
        let (mode, judgement) = (&entry.verdict.mode, entry.verdict.judgement);
        element("span", &[("class", class(judgement))], format!("{} {mode}: {judgement}", mark(judgement)))
    });
    let summary = join([
        tag("b", first.claim.as_str()),
        Html::from(format!(" {} ", first.statement)),
        separated(verdicts, &Html::from(" ")),
    ]);
    let published =
        first.published.as_deref().map(|value| format!(" Published: {value}.")).unwrap_or_default();
    let mut content =
        vec![tag("summary", summary), tag("p", format!("Source: {}.{published}", first.source))];
    let links = exhibits.iter().flatten().map(|exhibit| link(&exhibit.anchor, exhibit.label.as_str()));
    let links: Vec<Html> = links.collect();
    if !links.is_empty() {
        content.push(tag(
            "p",
            join([Html::from("Shown in "), separated(links, &Html::from(", ")), Html::from(".")]),
        ));
    }
    let mut predicates: BTreeMap<(&str, i64), Vec<&Record>> = BTreeMap::new();
    for record in entries.iter().flat_map(|entry| &entry.records) {
        predicates.entry((&record.experiment, record.predicate)).or_default().push(record);
    }
    content.extend(predicates.values().map(|records| table(records)));
    element("details", &[("id", &place(first))], content.into_iter().collect::<Html>())
}

/// The groups of a predicate.
fn table(records: &[&Record]) -> Html {
    let Some(first) = records.first() else { return Html::default() };
    let grid = Grid {
        anchor: anchor(&[
            "measured",
            &first.study,
            &first.claim,
            &first.experiment,
            &first.predicate.to_string(),
        ]),
        caption: join([
            Html::from(format!("Experiment {}, wanted: ", first.experiment)),
            tag("b", first.wanted.as_str()),
        ]),
        heads: vec![
            Head::text("group"),
            Head::text("mode"),
            Head::number("measured"),
            Head::number("95 % interval"),
            Head::text("verdict"),
            Head::sentence("remark"),
        ],
        rows: records.iter().map(|record| row(record)).collect(),
        foot: Vec::new(),
    };
    grid.html()
}

fn row(record: &Record) -> Vec<Cell> {
    let group = if record.group.is_empty() { "all" } else { &record.group };
    let (low, shown) = match record.interval {
        Some((low, high)) => (Some(low), span(low, high)),
        None => (None, String::new()),
    };
    vec![
        Cell::of(group),
        Cell::of(record.mode.as_str()),
        Cell::number(record.measured, record.measured.map(measured).unwrap_or_default()),
        Cell::number(low, shown),
        verdict(&record.verdict),
        record.reason.as_deref().map_or_else(Cell::none, Cell::of),
    ]
}

/// The verdict of a row, in the words of the claims table.
fn verdict(words: &str) -> Cell {
    let known = [Judgement::Holds, Judgement::DoesNotHold, Judgement::CannotBeTested];
    match known.into_iter().find(|judgement| judgement.to_string() == words) {
        Some(judgement) => super::verdicts::judgement(judgement),
        None => Cell::of(words),
    }
}
