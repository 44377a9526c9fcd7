//! The scorecard as Markdown.

use super::{Assumption, Notes, TableEntry, TableIndex, count, mark, one_line};
use crate::error::ReportError;
use crate::number::{measured, span};
use crate::robustness::Robustness;
use crate::verdict::{Entry, Judgement, Ledger, Record};
use std::collections::BTreeMap;
use std::fmt::Write;
use table::Frame;

/// The scorecard as Markdown: per study a table of claims with trace and twin side by side, the assumptions, and every single
/// measurement. `claims` are the claims tables of any number of experiments.
///
/// # Errors
/// If one of the tables lacks a column of the claims schema.
pub fn markdown(claims: &[&Frame], notes: &Notes) -> Result<String, ReportError> {
    let ledger = Ledger::read(claims)?;
    let mut out = String::from("# Scorecard of the published claims\n\n");
    out.push_str(LEGEND);
    if ledger.studies().len() > 1 {
        line(&mut out, &format!("\nAll studies: {}.", ledger.totals(None).join(" · ")));
    }
    if ledger.studies().is_empty() {
        line(&mut out, "\nNo claims were tested.");
    }
    for study in ledger.studies() {
        if ledger.entries.iter().any(|entry| entry.verdict.study == study) {
            overview(&mut out, &ledger, study);
        } else {
            line(&mut out, &format!("\n## {}", text(study)));
        }
        swept(&mut out, &ledger, study);
        tables(&mut out, study, &notes.tables);
        assumed(&mut out, study, &notes.assumptions);
        details(&mut out, &ledger, study);
    }
    Ok(out)
}

const LEGEND: &str = "`trace` columns are simulated on the published logs, `twin` columns on synthetic stand-ins fitted to \
them. Measured values are means over replications (smallest … largest over the rows of a claim), with the reach of their 95 % \
intervals in brackets; a ratio, difference or crossover is taken in each replication before the mean. A log is a single replication and has no interval; a crossover measured on it has the two grid points \
around it in brackets.\n";

fn overview(out: &mut String, ledger: &Ledger, study: &str) {
    line(out, &format!("\n## {}\n", text(study)));
    let mut head = ledger.totals(Some(study));
    head.extend(ledger.scale(study).map(|scale| text(&scale)));
    line(out, &format!("{}.\n", head.join(" · ")));
    let modes = ledger.modes(Some(study));
    let mut head = String::from("| claim | statement | published |");
    let mut rule = String::from("|---|---|---|");
    for mode in &modes {
        let _ = write!(head, " {0} | {0} measured |", text(mode));
        rule.push_str("---|---|");
    }
    line(out, &head);
    line(out, &rule);
    for entries in ledger.claims(study) {
        row(out, &entries, &modes);
    }
}

fn row(out: &mut String, entries: &[&Entry], modes: &[&str]) {
    let Some(first) = entries.first().map(|entry| &entry.verdict) else { return };
    let published = first.published.as_deref().unwrap_or("—");
    let _ = write!(out, "| {} | {} | {} |", text(&first.claim), text(&first.statement), text(published));
    for mode in modes {
        match entries.iter().map(|entry| &entry.verdict).find(|verdict| verdict.mode == *mode) {
            None => out.push_str(" — | — |"),
            Some(verdict) => {
                let (mark, judgement) = (mark(verdict.judgement), verdict.judgement);
                let _ = write!(out, " {mark} {judgement} ({}) |", count(verdict));
                let value = match (verdict.judgement, verdict.measured.as_str()) {
                    (Judgement::CannotBeTested, _) | (_, "") => "—",
                    (_, measured) => measured,
                };
                let _ = write!(out, " {} |", text(value));
            }
        }
    }
    out.push('\n');
}

/// In how many settings each claim holds.
fn swept(out: &mut String, ledger: &Ledger, study: &str) {
    let claims: Vec<&Robustness> = ledger.robustness.iter().filter(|claim| claim.study == study).collect();
    if claims.is_empty() {
        return;
    }
    line(out, "\n### Over what the source leaves open\n");
    line(out, "Each claim tested under each of the settings on its own.\n");
    line(out, "| claim | mode | experiment | holds in | does not hold in |\n|---|---|---|---|---|");
    for claim in claims {
        let failed = match claim.failed() {
            none if none.is_empty() => "—".to_owned(),
            failed => failed.join("; "),
        };
        let cells =
            [&claim.claim, &claim.mode, &claim.experiment, &claim.count(), &failed].map(|cell| text(cell));
        line(out, &format!("| {} |", cells.join(" | ")));
    }
}

fn tables(out: &mut String, study: &str, all: &[TableIndex]) {
    let tables: Vec<_> =
        all.iter().filter(|index| index.study == study).flat_map(|index| &index.tables).collect();
    if tables.is_empty() {
        return;
    }
    line(out, "\n### Published tables\n");
    line(out, "| table | published numbers in the 95 % interval |\n|---|---|");
    for TableEntry { title, file, inside, both } in tables {
        line(out, &format!("| [{}]({file}) | {inside} of {both} |", text(title)));
    }
}

fn assumed(out: &mut String, study: &str, assumptions: &[Assumption]) {
    let notes: Vec<&Assumption> = assumptions.iter().filter(|note| note.study == study).collect();
    if notes.is_empty() {
        return;
    }
    line(out, "\n### Assumptions\n\nThe source does not print these values.\n");
    line(out, "| field | value | reason | alternatives |\n|---|---|---|---|");
    for note in notes {
        let sweep = if note.sweep.is_empty() { "—".to_owned() } else { note.sweep.join(", ") };
        let value = note.value.as_deref().unwrap_or("—");
        let cells = [&note.field, value, &note.reason, &sweep].map(text);
        line(out, &format!("| {} |", cells.join(" | ")));
    }
}

fn details(out: &mut String, ledger: &Ledger, study: &str) {
    if ledger.claims(study).is_empty() {
        return;
    }
    line(out, "\n### Measurements");
    for entries in ledger.claims(study) {
        let Some(first) = entries.first().map(|entry| &entry.verdict) else { continue };
        line(out, &format!("\n#### {} · {}\n", text(&first.claim), text(&first.statement)));
        let published = first.published.as_deref().map(|value| format!(" Published: {}.", text(value)));
        line(out, &format!("Source: {}.{}", text(&first.source), published.unwrap_or_default()));
        let mut predicates: BTreeMap<(&str, i64), Vec<&Record>> = BTreeMap::new();
        for record in entries.iter().flat_map(|entry| &entry.records) {
            predicates.entry((&record.experiment, record.predicate)).or_default().push(record);
        }
        for ((experiment, _), records) in predicates {
            measurements(out, experiment, &records);
        }
    }
}

fn measurements(out: &mut String, experiment: &str, records: &[&Record]) {
    let wanted = records.first().map_or("", |record| &record.wanted);
    line(out, &format!("\nExperiment {}, wanted: {}\n", text(experiment), text(wanted)));
    line(out, "| mode | group | measured | 95 % interval | verdict | remark |\n|---|---|---|---|---|---|");
    for record in records {
        let group = if record.group.is_empty() { "all" } else { &record.group };
        let value = record.measured.map_or_else(|| "—".to_owned(), measured);
        let interval = record.interval.map_or_else(|| "—".to_owned(), |(low, high)| span(low, high));
        let reason = record.reason.as_deref().unwrap_or("");
        let cells = [&record.mode, group, &value, &interval, &record.verdict, reason].map(text);
        line(out, &format!("| {} |", cells.join(" | ")));
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// Text that means itself in Markdown, also in a table's cell.
pub(crate) fn text(value: &str) -> String {
    let mut out = String::new();
    for c in one_line(value).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}
