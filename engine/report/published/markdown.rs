//! A published table as Markdown, in the layout of its source.

use super::{Published, PublishedCell, PublishedTable};
use crate::number::grouped;
use crate::scorecard::markdown_text as text;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use table::{Interval, TableSpec};

const LEGEND: &str = "Each row of the source has three lines: what was measured (the mean over the replications), the 95 % \
Student-t interval of that mean, and what is printed. ✓ stands where the published number lies in the interval, ✗ where it does \
not; one replication has no interval.";

const NEEDED: &str = "Smallest number of replications n with t(0.975, n − 1) · sd / √n below the distance, with the standard \
deviation found now. Left of the slash the distance between measured and published number, right of it that between measured \
number and zero (the sign).";

/// The table with everything that was measured.
pub fn published_markdown(table: &Published<'_>) -> String {
    let spec = table.spec;
    let mut out = format!("# {}\n\nSource: {}.", text(&spec.title), text(&spec.source));
    let unit =
        if spec.unit.is_empty() { String::new() } else { format!(" Numbers are in {}.", text(&spec.unit)) };
    let _ = writeln!(out, "{unit} {LEGEND}");
    if let Some(note) = &spec.note {
        let _ = writeln!(out, "\n{note}");
    }
    for mode in &table.modes {
        let _ = writeln!(out, "\n## {}\n", mode_text(mode));
        let page = Page { spec, mode, columns: columns(mode) };
        page.measured(&mut out);
        page.notes(&mut out);
        page.needed(&mut out);
    }
    if table.modes.is_empty() {
        out.push_str("\nThere is no run.\n");
    }
    out
}

fn mode_text(mode: &PublishedTable) -> String {
    let n = mode.cells.iter().map(|cell| cell.sample.n).max().unwrap_or(0);
    let name = match mode.mode.as_str() {
        "trace" => "Measured on the published logs",
        "twin" => "Measured on synthetic stand-ins of the logs (twins)",
        "model" => "Measured on the workload model",
        other => other,
    };
    let replications = if n == 1 { "1 replication".to_owned() } else { format!("{n} replications") };
    format!("{}, {replications}", text(name))
}

fn columns(mode: &PublishedTable) -> Vec<usize> {
    let shown: BTreeSet<usize> = mode.cells.iter().map(|cell| cell.column).collect();
    shown.into_iter().collect()
}

struct Page<'a> {
    spec: &'a TableSpec,
    mode: &'a PublishedTable,
    columns: Vec<usize>,
}

impl Page<'_> {
    fn rows(&self) -> BTreeMap<usize, BTreeMap<usize, &PublishedCell>> {
        let mut rows: BTreeMap<usize, BTreeMap<usize, &PublishedCell>> = BTreeMap::new();
        for cell in &self.mode.cells {
            rows.entry(cell.row).or_default().insert(cell.column, cell);
        }
        rows
    }

    fn head(&self, out: &mut String, left: &[&str]) {
        let labels = self.columns.iter().filter_map(|column| self.spec.columns.get(*column));
        let cells: Vec<String> =
            left.iter().map(|cell| text(cell)).chain(labels.map(|column| text(&column.label))).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
        let _ = writeln!(out, "|{}{}", "---|".repeat(left.len()), "--:|".repeat(self.columns.len()));
    }

    fn line(
        &self,
        out: &mut String,
        left: &[&str],
        cells: &BTreeMap<usize, &PublishedCell>,
        of: impl Fn(&PublishedCell) -> String,
    ) {
        let cell = |column: &usize| cells.get(column).map_or_else(String::new, |cell| of(cell));
        let all: Vec<String> =
            left.iter().map(|cell| text(cell)).chain(self.columns.iter().map(cell)).collect();
        let _ = writeln!(out, "| {} |", all.join(" | "));
    }

    fn number(&self, value: f64) -> String {
        grouped(value, usize::from(self.spec.decimals))
    }

    fn measured(&self, out: &mut String) {
        self.head(out, &[&self.spec.heading, ""]);
        for (row, cells) in self.rows() {
            let label = self.spec.rows.get(row).map_or("", |row| &row.label);
            self.line(out, &[label, "measured"], &cells, |cell| {
                cell.sample.mean.map_or_else(|| "—".to_owned(), |mean| self.number(mean))
            });
            self.line(out, &["", "95 % interval"], &cells, |cell| match cell.sample.interval {
                Some(Interval { low, high }) => format!("{} … {}", self.number(low), self.number(high)),
                None => "—".to_owned(),
            });
            self.line(out, &["", "published"], &cells, |cell| self.printed(cell));
        }
    }

    fn printed(&self, cell: &PublishedCell) -> String {
        let inside = match cell.inside() {
            Some(true) => " ✓",
            Some(false) => " ✗",
            None => "",
        };
        match (&cell.mark, &cell.text) {
            (Some(mark), _) => {
                let value =
                    cell.published.map(|value| format!(" {}", self.number(value))).unwrap_or_default();
                format!("({}){value}{inside}", mark.mark.as_str())
            }
            (None, Some(printed)) => format!("{}{inside}", text(printed)),
            (None, None) => "—".to_owned(),
        }
    }

    /// Marks and what could not be measured, each once.
    fn notes(&self, out: &mut String) {
        let mut notes: Vec<String> = Vec::new();
        for cell in &self.mode.cells {
            let label = |label: Option<&String>| label.map(|label| text(label)).unwrap_or_default();
            let row = label(self.spec.rows.get(cell.row).map(|row| &row.label));
            let column = label(self.spec.columns.get(cell.column).map(|column| &column.label));
            if let Some(mark) = &cell.mark {
                let printed = cell.text.as_deref().map(|printed| format!(", read as “{}”", text(printed)));
                let printed = printed.unwrap_or_default();
                let reason = text(&mark.reason);
                notes.push(format!("- {row}, {column}: {}{printed}: {reason}", mark.mark.as_str()));
            }
            if let Some(reason) = &cell.reason {
                notes.push(format!("- {row}, {column}: not measured: {}", text(reason)));
            }
        }
        if !notes.is_empty() {
            let _ = writeln!(out, "\n{}", notes.join("\n"));
        }
    }

    fn needed(&self, out: &mut String) {
        if self.mode.cells.iter().all(|cell| cell.sample.sd.is_none()) {
            return;
        }
        let _ = writeln!(out, "\n### Replications that would settle the cells\n\n{NEEDED}\n");
        self.head(out, &[&self.spec.heading]);
        let count = |n: Option<u64>| n.map_or_else(|| "—".to_owned(), |n| grouped(n as f64, 0));
        for (row, cells) in self.rows() {
            let label = self.spec.rows.get(row).map_or("", |row| &row.label);
            self.line(out, &[label], &cells, |cell| {
                format!("{} / {}", count(cell.n_published()), count(cell.n_sign()))
            });
        }
    }
}
