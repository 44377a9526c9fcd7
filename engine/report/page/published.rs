//! Published tables in the layout of their sources: in every cell what was measured, its interval, and what is printed.

use super::ExperimentResults;
use super::anchor::anchor;
use super::grid::{Cell, Grid, Head};
use super::html::{Html, element, join, list, tag};
use crate::error::ReportError;
use crate::number::{grouped, measured};
use std::collections::BTreeMap;
use std::sync::Arc;
use table::{Frame, TableError, TableSpec};

/// A published table in one mode.
#[derive(Clone, Debug, Default)]
pub(super) struct Published {
    pub anchor: String,
    pub id: String,
    pub mode: String,
    /// The caption as printed; its identifier where the experiment's file is not at hand.
    pub title: String,
    source: String,
    heading: String,
    note: Option<String>,
    decimals: Option<usize>,
    /// Labels in the order in which they are printed.
    rows: Vec<String>,
    columns: Vec<String>,
    cells: BTreeMap<(usize, usize), PublishedCell>,
}

/// A row of the table of published tables.
#[derive(Clone, Debug, Default)]
struct PublishedCell {
    unit: String,
    n: i64,
    measured: Option<f64>,
    interval: Option<(f64, f64)>,
    published: Option<f64>,
    printed: Option<String>,
    mark: Option<(String, String)>,
    inside: Option<bool>,
    needed: (Option<i64>, Option<i64>),
    reason: Option<String>,
}

/// The published tables of an experiment.
///
/// # Errors
/// If its table lacks a column.
pub(super) fn published(study: &str, results: &ExperimentResults) -> Result<Vec<Published>, ReportError> {
    let Some(frame) = &results.published else { return Ok(Vec::new()) };
    let specs = results.text.as_ref().map_or(&[][..], |text| text.tables.as_slice());
    let found = read(frame).map_err(ReportError::table("published"))?;
    let mut tables: Vec<Published> = Vec::new();
    for (place, cell) in found {
        let at = tables.iter().position(|table| table.id == place.table && table.mode == place.mode);
        let table = match at.and_then(|at| tables.get_mut(at)) {
            Some(table) => table,
            None => {
                tables.push(begun(study, results, &place, specs.iter().find(|spec| spec.id == place.table)));
                let Some(table) = tables.last_mut() else { continue };
                table
            }
        };
        let (row, column) =
            (position(&mut table.rows, place.row), position(&mut table.columns, place.column));
        table.cells.insert((row, column), cell);
    }
    Ok(tables)
}

/// Where a cell stands.
struct Place {
    table: String,
    mode: String,
    row: String,
    column: String,
}

fn begun(study: &str, results: &ExperimentResults, place: &Place, spec: Option<&TableSpec>) -> Published {
    let Place { table: id, mode, .. } = place;
    let text = |of: fn(&TableSpec) -> &String| spec.map(|spec| of(spec).clone());
    Published {
        anchor: anchor(&["table", study, &results.name, id, mode]),
        id: id.clone(),
        mode: mode.clone(),
        title: text(|spec| &spec.title).unwrap_or_else(|| id.clone()),
        source: text(|spec| &spec.source).unwrap_or_default(),
        heading: text(|spec| &spec.heading).unwrap_or_else(|| "row".to_owned()),
        note: spec.and_then(|spec| spec.note.clone()),
        decimals: spec.map(|spec| usize::from(spec.decimals)),
        ..Published::default()
    }
}

/// Where a label is, or will be from now on.
fn position(labels: &mut Vec<String>, label: String) -> usize {
    labels.iter().position(|known| *known == label).unwrap_or_else(|| {
        labels.push(label);
        labels.len() - 1
    })
}

fn read(frame: &Frame) -> Result<Vec<(Place, PublishedCell)>, TableError> {
    let texts = |name: &str| frame.text(name);
    let at = |cells: &[Option<Arc<str>>], row: usize| {
        cells.get(row).and_then(|cell| cell.as_deref().map(str::to_owned))
    };
    let (tables, modes, rows, columns) = (texts("table")?, texts("mode")?, texts("row")?, texts("column")?);
    let (units, printed, marks, mark_reasons, reasons) =
        (texts("unit")?, texts("published_text")?, texts("mark")?, texts("mark_reason")?, texts("reason")?);
    let (n, n_published, n_sign) = (frame.int("n")?, frame.int("n_published")?, frame.int("n_sign")?);
    let (value, low, high) = (frame.real("measured")?, frame.real("ci_low")?, frame.real("ci_high")?);
    let (published, inside) = (frame.real("published")?, frame.flag("inside")?);
    let cell = |row: usize| {
        let must = |cells| at(cells, row).unwrap_or_default();
        let place = Place { table: must(tables), mode: must(modes), row: must(rows), column: must(columns) };
        let cell = PublishedCell {
            unit: must(units),
            n: n[row].unwrap_or(0),
            measured: value[row],
            interval: low[row].zip(high[row]),
            published: published[row],
            printed: at(printed, row),
            mark: at(marks, row).map(|mark| (mark, must(mark_reasons))),
            inside: inside[row],
            needed: (n_published[row], n_sign[row]),
            reason: at(reasons, row),
        };
        (place, cell)
    };
    Ok((0..frame.len()).map(cell).collect())
}

impl Published {
    /// The table, what must be known beside, and how many replications would settle its cells.
    pub fn html(&self) -> Html {
        let grid = Grid {
            anchor: self.anchor.clone(),
            caption: self.caption(),
            heads: self.heads(),
            rows: self.lines(|cell| self.shown(cell)),
            foot: Vec::new(),
        };
        join([grid.html(), list(self.notes()), self.needed()])
    }

    fn caption(&self) -> Html {
        let unit = self.cells.values().map(|cell| cell.unit.as_str()).find(|unit| !unit.is_empty());
        let unit = unit.map(|unit| format!("; numbers in {unit}")).unwrap_or_default();
        let n = self.cells.values().map(|cell| cell.n).max().unwrap_or(0);
        let replications = if n == 1 { "1 replication".to_owned() } else { format!("{n} replications") };
        let source = if self.source.is_empty() { String::new() } else { format!("{}; ", self.source) };
        join([
            tag("b", self.title.as_str()),
            Html::text(&format!(" ({source}{}, {replications}{unit})", self.mode)),
        ])
    }

    fn heads(&self) -> Vec<Head<'_>> {
        let columns = self.columns.iter().map(|label| Head::number(label));
        [Head::text(&self.heading)].into_iter().chain(columns).collect()
    }

    fn lines(&self, of: impl Fn(&PublishedCell) -> Cell) -> Vec<Vec<Cell>> {
        let line = |(at, label): (usize, &String)| {
            let cell = |column| self.cells.get(&(at, column)).map_or_else(Cell::default, &of);
            [Cell::of(label.as_str())].into_iter().chain((0..self.columns.len()).map(cell)).collect()
        };
        self.rows.iter().enumerate().map(line).collect()
    }

    fn number(&self, value: f64) -> String {
        self.decimals.map_or_else(|| measured(value), |decimals| grouped(value, decimals))
    }

    fn shown(&self, cell: &PublishedCell) -> Cell {
        let value = cell.measured.map_or_else(|| "—".to_owned(), |value| self.number(value));
        let mut parts = vec![tag("b", value)];
        if let Some((low, high)) = cell.interval {
            let text = format!("{} … {}", self.number(low), self.number(high));
            parts.push(element("span", &[("class", "range")], text));
        }
        if let Some(printed) = self.printed(cell) {
            let (class, mark) = match cell.inside {
                Some(true) => ("printed holds", " ✓ inside"),
                Some(false) => ("printed fails", " ✗ outside"),
                None => ("printed", ""),
            };
            parts.push(element("span", &[("class", class)], format!("printed {printed}{mark}")));
        }
        let key = cell.measured.map(|value| value.to_string()).unwrap_or_default();
        Cell::of(super::html::separated(parts, &Html::line_break())).keyed(key)
    }

    fn printed(&self, cell: &PublishedCell) -> Option<String> {
        match &cell.mark {
            Some((mark, _)) => {
                let value =
                    cell.published.map(|value| format!("{} ", self.number(value))).unwrap_or_default();
                Some(format!("{value}({mark})"))
            }
            None => cell.printed.clone(),
        }
    }

    fn notes(&self) -> Vec<Html> {
        let mut notes: Vec<Html> = self.note.iter().map(|note| Html::text(note)).collect();
        for ((row, column), cell) in &self.cells {
            let label = |labels: &[String], at: usize| labels.get(at).cloned().unwrap_or_default();
            let place = format!("{}, {}", label(&self.rows, *row), label(&self.columns, *column));
            if let Some((mark, reason)) = &cell.mark {
                let read =
                    cell.printed.as_ref().map(|text| format!(", read as “{text}”")).unwrap_or_default();
                notes.push(Html::text(&format!("{place}: {mark}{read}: {reason}")));
            }
            if let Some(reason) = &cell.reason {
                notes.push(Html::text(&format!("{place}: not measured: {reason}")));
            }
        }
        notes
    }

    fn needed(&self) -> Html {
        if self.cells.values().all(|cell| cell.needed == (None, None)) {
            return Html::default();
        }
        let count = |n: Option<i64>| n.map_or_else(|| "—".to_owned(), |n| grouped(n as f64, 0));
        let grid = Grid {
            anchor: format!("{}-needed", self.anchor),
            caption: "Smallest number of replications with which the interval would tell the measured from the published number / \
                      from zero, with the standard deviation found now"
                .into(),
            heads: self.heads(),
            rows: self.lines(|cell| {
                let (published, sign) = cell.needed;
                let key = published.or(sign).map(|n| n.to_string()).unwrap_or_default();
                Cell::of(format!("{} / {}", count(published), count(sign))).keyed(key)
            }),
            foot: Vec::new(),
        };
        tag("details", join([tag("summary", "Replications that would settle the cells"), grid.html()]))
    }
}
