//! The scorecard on a terminal.

use super::wrap::{width, wrap};
use super::{Assumption, Notes, TableEntry, count, mark, one_line};
use crate::error::ReportError;
use crate::robustness::Robustness;
use crate::verdict::{Entry, Judgement, Ledger};
use table::Frame;

/// Text left of the statements: the claim's identifier.
const INDENT: usize = 5;

/// The scorecard as text of at most `width` columns per line (but at least 20), with ANSI colours if wanted. `claims` are the
/// claims tables of any number of experiments; notes on studies that have no claim here are left out.
///
/// # Errors
/// If one of the tables lacks a column of the claims schema.
pub fn terminal(claims: &[&Frame], notes: &Notes, width: usize, colour: bool) -> Result<String, ReportError> {
    let ledger = Ledger::read(claims)?;
    let mut page = Page { columns: width.max(20), colour, text: String::new() };
    for study in ledger.studies() {
        page.study(&ledger, study, notes);
    }
    if ledger.studies().len() > 1 {
        page.totals("All studies", &ledger.totals(None));
    }
    if ledger.studies().is_empty() {
        page.line(0, "No claims were tested.", "");
    }
    Ok(page.text)
}

const BOLD: &str = "1";
const DIM: &str = "2";

struct Page {
    columns: usize,
    colour: bool,
    text: String,
}

impl Page {
    fn study(&mut self, ledger: &Ledger, study: &str, notes: &Notes) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        let scale = ledger.scale(study).map(|scale| format!(", {scale}")).unwrap_or_default();
        let title = one_line(&format!("Scorecard: {study}{scale}"));
        let rule = "─".repeat(self.columns.saturating_sub(width(&title) + 2));
        self.line(0, &format!("{title} {rule}"), BOLD);
        for claim in ledger.claims(study) {
            self.text.push('\n');
            self.claim(&claim, &ledger.modes(Some(study)));
        }
        self.swept(ledger, study);
        self.tables(study, notes);
        self.assumed(study, &notes.assumptions);
        let totals = ledger.totals(Some(study));
        if !totals.is_empty() {
            self.text.push('\n');
        }
        self.totals(study, &totals);
    }

    /// In how many settings each claim holds.
    fn swept(&mut self, ledger: &Ledger, study: &str) {
        let claims: Vec<&Robustness> =
            ledger.robustness.iter().filter(|claim| claim.study == study).collect();
        if !claims.is_empty() {
            self.text.push('\n');
            self.line(0, "Over what the source leaves open, a claim holds in:", "");
        }
        for claim in claims {
            let failed = match claim.failed() {
                none if none.is_empty() => String::new(),
                failed => format!("; not in {}", failed.join("; ")),
            };
            let head = format!("{}  ", one_line(&claim.claim));
            let text = format!("{}: {}{failed}", claim.mode, claim.count());
            self.hanging(2, &head, &one_line(&text), "");
        }
    }

    fn tables(&mut self, study: &str, notes: &Notes) {
        let tables: Vec<_> = notes
            .tables
            .iter()
            .filter(|index| index.study == study)
            .flat_map(|index| &index.tables)
            .collect();
        if !tables.is_empty() {
            self.text.push('\n');
            self.line(0, "Published tables, with the cells whose interval has the published number:", "");
        }
        for TableEntry { file, inside, both, .. } in tables {
            self.hanging(2, "", &format!("{file}: {inside} of {both}"), "");
        }
    }

    fn assumed(&mut self, study: &str, assumptions: &[Assumption]) {
        let notes: Vec<&Assumption> = assumptions.iter().filter(|note| note.study == study).collect();
        if !notes.is_empty() {
            self.text.push('\n');
            self.line(0, "Assumed, because the source does not say:", "");
        }
        for note in notes {
            let others = match note.sweep.as_slice() {
                [] => String::new(),
                values => format!(" (of {})", values.join(", ")),
            };
            let value = note.value.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
            let text = format!("{}{value}{others}: {}", note.field, note.reason);
            self.hanging(2, "- ", &one_line(&text), DIM);
        }
    }

    fn claim(&mut self, entries: &[&Entry], modes: &[&str]) {
        let Some(first) = entries.first().map(|entry| &entry.verdict) else { return };
        let id = one_line(&first.claim);
        let pad = " ".repeat(INDENT.saturating_sub(width(&id)).max(1));
        self.hanging(0, &format!("{id}{pad}"), &one_line(&first.statement), BOLD);
        let published = first.published.as_deref().map(|value| format!("published {}", one_line(value)));
        let parts = [published, Some(one_line(&first.source))];
        let parts: Vec<String> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
        self.line(INDENT, &parts.join(" · "), DIM);
        for wanted in &first.wanted {
            self.hanging(INDENT, "tested: ", &one_line(wanted), DIM);
        }
        for entry in entries {
            self.verdict(entry, modes);
        }
    }

    /// Mark, mode, verdict, count and measured values; below them, what went wrong.
    fn verdict(&mut self, entry: &Entry, modes: &[&str]) {
        let verdict = &entry.verdict;
        let colour = match verdict.judgement {
            Judgement::Holds | Judgement::HoldsWhereTested => "32",
            Judgement::DoesNotHold => "31",
            Judgement::CannotBeTested => "33",
        };
        let mode = one_line(&verdict.mode);
        let widest = modes.iter().map(|mode| width(mode)).max().unwrap_or(0);
        let gap = " ".repeat(widest.saturating_sub(width(&mode)));
        let head = format!("{} {mode}{gap}  ", mark(verdict.judgement));
        let below = INDENT + width(&head);
        let text = match verdict.measured.as_str() {
            "" => count(verdict),
            measured => format!("{}: {measured}", count(verdict)),
        };
        self.hanging(INDENT, &format!("{head}{:<18}  ", verdict.judgement), &text, colour);
        if verdict.within_noise > 0 {
            self.line(below, &format!("{} of {} within noise", verdict.within_noise, verdict.total), "");
        }
        if let Some(remark) = &verdict.remark {
            self.line(below, &one_line(remark), "");
        }
    }

    fn totals(&mut self, name: &str, totals: &[String]) {
        for (index, total) in totals.iter().enumerate() {
            let head = if index == 0 { format!("{}  ", one_line(name)) } else { " ".repeat(width(name) + 2) };
            self.hanging(0, &head, total, BOLD);
        }
    }

    fn line(&mut self, indent: usize, text: &str, style: &str) {
        self.hanging(indent, "", text, style);
    }

    /// A paragraph to the right of its head. A head that would leave less than half of the line goes on lines of its own.
    fn hanging(&mut self, indent: usize, head: &str, text: &str, style: &str) {
        let indent = indent.min(self.columns / 4);
        let left = indent + width(head);
        if left * 2 > self.columns {
            self.paragraph(indent, "", &wrap(head, self.columns - indent), style);
            let deeper = (indent + 2).min(self.columns / 4);
            self.paragraph(deeper, "", &wrap(text, self.columns - deeper), style);
        } else {
            self.paragraph(indent, head, &wrap(text, self.columns - left), style);
        }
    }

    fn paragraph(&mut self, indent: usize, head: &str, lines: &[String], style: &str) {
        let blank = " ".repeat(width(head));
        let only_head = [String::new()];
        let lines = if lines.is_empty() && !head.is_empty() { only_head.as_slice() } else { lines };
        for (index, line) in lines.iter().enumerate() {
            let head = if index == 0 { head } else { &blank };
            let body = format!("{head}{line}");
            self.text.push_str(&" ".repeat(indent));
            if self.colour && !style.is_empty() {
                self.text.push_str(&format!("\x1b[{style}m{}\x1b[0m\n", body.trim_end()));
            } else {
                self.text.push_str(body.trim_end());
                self.text.push('\n');
            }
        }
    }
}
