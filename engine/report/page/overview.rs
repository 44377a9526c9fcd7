//! The top of the page: when and by which program the results were made, where to go, and the totals.

use super::anchor::anchor;
use super::grid::{Cell, Grid, Head};
use super::html::{Html, element, join, link, list, separated};
use super::record::short;
use super::{Record, Results};
use crate::verdict::{Judgement, Ledger};
use std::collections::BTreeSet;

/// The name of a study's place on the page.
pub(super) fn place(study: &str) -> String {
    anchor(&["study", study])
}

/// When the results were written, and by which program.
pub(super) fn header(results: &Results) -> Html {
    let records: Vec<&Record> = results
        .studies
        .iter()
        .flat_map(|study| &study.experiments)
        .filter_map(|experiment| experiment.record.as_ref())
        .collect();
    let distinct = |of: fn(&Record) -> String| -> Vec<String> {
        let found: BTreeSet<String> = records.iter().map(|record| of(record)).collect();
        found.into_iter().collect()
    };
    let written = distinct(|record| record.written.clone());
    let mut lines: Vec<Html> = Vec::new();
    if let (Some(first), Some(last)) = (written.first(), written.last()) {
        let when =
            if first == last { time(first) } else { join([time(first), Html::from(" to "), time(last)]) };
        let program = distinct(|record| format!("{} ({})", record.version, record.profile)).join(", ");
        lines.push(join([
            Html::from("Results written "),
            when,
            Html::from(format!(" by backsweep {program}.")),
        ]));
    }
    let models: Vec<Html> = distinct(|record| record.model.get("core").cloned().unwrap_or_default())
        .into_iter()
        .filter(|hash| !hash.is_empty())
        .map(|hash| short(&hash))
        .collect();
    if !models.is_empty() {
        let model = separated(models, &Html::from(", "));
        lines.push(join([Html::from("Fingerprint of the model’s core: "), model, Html::from(".")]));
    }
    separated(lines, &Html::from(" "))
}

fn time(written: &str) -> Html {
    element("time", &[("datetime", written)], written.replace('T', " ").replace('Z', " UTC"))
}

/// Links to the studies and their parts.
pub(super) fn navigation(results: &Results) -> Html {
    let study = |name: &str| link(&place(name), name);
    let items = results.studies.iter().map(|results| study(&results.name));
    list([link("overview", "Overview")].into_iter().chain(items))
}

const COUNTED: [Judgement; 4] =
    [Judgement::Holds, Judgement::HoldsWhereTested, Judgement::DoesNotHold, Judgement::CannotBeTested];

/// How many claims hold, by study and mode; below, of all studies.
pub(super) fn totals(results: &Results, ledger: &Ledger) -> Html {
    let mut rows = Vec::new();
    for study in &results.studies {
        let modes = ledger.modes(Some(&study.name));
        rows.extend(modes.into_iter().map(|mode| total(ledger, Some(&study.name), mode)));
    }
    let foot = ledger.modes(None).into_iter().map(|mode| total(ledger, None, mode)).collect();
    let heads = vec![
        Head::text("study"),
        Head::text("mode"),
        Head::number("claims"),
        Head::number("✓ hold"),
        Head::number("~ hold where tested"),
        Head::number("✗ do not hold"),
        Head::number("? cannot be tested"),
    ];
    let caption = "Claims by study and mode: where the jobs come from".into();
    Grid { anchor: "totals".to_owned(), caption, heads, rows, foot }.html()
}

fn total(ledger: &Ledger, study: Option<&str>, mode: &str) -> Vec<Cell> {
    let own = || {
        ledger
            .entries
            .iter()
            .map(|entry| &entry.verdict)
            .filter(|verdict| verdict.mode == mode && study.is_none_or(|study| verdict.study == study))
    };
    let count = |judgement| Cell::count(own().filter(|verdict| verdict.judgement == judgement).count());
    let name = study.map_or_else(|| Cell::of("all studies"), |study| Cell::of(link(&place(study), study)));
    let head = [name, Cell::of(mode), Cell::count(own().count())];
    head.into_iter().chain(COUNTED.map(count)).collect()
}
