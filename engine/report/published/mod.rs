//! Published tables: what is measured in each of their cells, beside what is printed there.
//!
//! * A cell's quantity is computed in each replication, as for claims; `measured` is the mean, with its 95 % Student-t interval.
//! * Modes are never mixed. A cell is left out of a mode that has no case of it, unless no mode has one.
//! * How many replications would settle a cell: the smallest n at which the half-width t(0.975, n − 1) · sd / √n, with the sd
//!   found now, falls below the distance of the mean to the published number (`n_published`) or to zero (`n_sign`).
//! * What cannot be measured says why, in the words of claims that cannot be tested.

mod figure;
mod frame;
mod markdown;

use crate::claims::{Rows, both, modes, quantity};
use crate::error::ReportError;
pub use figure::draw_published;
pub use markdown::published_markdown;
use table::statistics::{Sample, sample, student_975};
use table::{CellMark, Filter, Frame, Interval, TableSpec, printed_number};

/// What is measured and printed in one cell, in one mode.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedCell {
    /// Position of its row.
    pub row: usize,
    /// Position of its column.
    pub column: usize,
    /// What was measured, in the table's unit.
    pub sample: Sample,
    /// The number that is compared with.
    pub published: Option<f64>,
    /// The cell as printed.
    pub text: Option<String>,
    /// Why it is not taken as it stands.
    pub mark: Option<CellMark>,
    /// Why nothing was measured.
    pub reason: Option<String>,
}

/// A published table in one mode.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedTable {
    /// `trace`, `twin` or `model`.
    pub mode: String,
    /// The cells of which the mode has cases, row by row.
    pub cells: Vec<PublishedCell>,
}

/// A published table with what was measured in every mode.
#[derive(Clone, Debug, PartialEq)]
pub struct Published<'a> {
    /// What was asked for.
    pub spec: &'a TableSpec,
    /// Its modes in order of first appearance.
    pub modes: Vec<PublishedTable>,
}

/// Measures the cells of published tables on a runs table, which has a column for each metric that they name (see
/// [`crate::with_groups`]).
///
/// # Errors
/// If the runs table lacks its `mode` column. What a single cell lacks is told in the cell.
pub fn published<'a>(
    specs: &'a [TableSpec],
    runs: &Frame,
    axes: &[String],
) -> Result<Vec<Published<'a>>, ReportError> {
    let modes = modes(runs)?;
    Ok(specs.iter().map(|spec| Published { spec, modes: measured(spec, &modes, axes) }).collect())
}

/// The published table: one row per cell and mode.
///
/// # Errors
/// If the cells do not make a table.
pub fn published_frame(
    tables: &[Published<'_>],
    study: &str,
    experiment: &str,
) -> Result<Frame, ReportError> {
    frame::frame(tables, study, experiment).map_err(ReportError::table("published"))
}

fn measured(spec: &TableSpec, modes: &[(String, Frame)], axes: &[String]) -> Vec<PublishedTable> {
    let places: Vec<(usize, usize)> = (0..spec.rows.len())
        .flat_map(|row| (0..spec.columns.len()).map(move |column| (row, column)))
        .collect();
    let all: Vec<Rows<'_>> = modes.iter().map(|(_, runs)| Rows { runs, axes }).collect();
    let has = |rows: &Rows<'_>, (row, column): (usize, usize)| {
        // A filter that cannot be applied is told by the cell itself.
        rows.matching(&place(spec, row, column)).map_or(true, |found| !found.is_empty())
    };
    let mut tables = Vec::new();
    for (index, ((mode, _), rows)) in modes.iter().zip(&all).enumerate() {
        let shown =
            |at: &&(usize, usize)| has(rows, **at) || (index == 0 && !all.iter().any(|rows| has(rows, **at)));
        let cells: Vec<PublishedCell> =
            places.iter().filter(shown).map(|(row, column)| cell(spec, rows, *row, *column)).collect();
        if !cells.is_empty() {
            tables.push(PublishedTable { mode: mode.clone(), cells });
        }
    }
    tables
}

/// The table's filter with the row's and the column's over it.
fn place(spec: &TableSpec, row: usize, column: usize) -> Filter {
    let of_row = spec.rows.get(row).map_or(&spec.only, |row| &row.of);
    let of_column = spec.columns.get(column).map_or(&spec.only, |column| &column.of);
    both(&both(&spec.only, of_row), of_column)
}

fn cell(spec: &TableSpec, rows: &Rows<'_>, row: usize, column: usize) -> PublishedCell {
    let at = place(spec, row, column);
    let found = match spec.value(row, column) {
        Some(value) => quantity::values(value, rows, &at),
        None => Err("neither row nor column says what is measured".to_owned()),
    };
    let odd = |values: &quantity::Values| values.values().any(|value| !value.is_finite());
    let (sample, reason) = match found {
        Ok(values) if odd(&values) => (Sample::default(), Some("a run is unstable".to_owned())),
        Ok(values) => (sample(&values.values().map(|value| value * spec.scale).collect::<Vec<_>>()), None),
        Err(reason) => (Sample::default(), Some(reason)),
    };
    let text =
        spec.rows.get(row).and_then(|row| row.published.get(column)).map(|text| text.trim().to_owned());
    let text = text.filter(|text| !text.is_empty());
    let mark = spec.mark(row, column).cloned();
    let published = match &mark {
        Some(mark) => mark.value,
        None => text.as_deref().and_then(printed_number),
    };
    PublishedCell { row, column, sample, published, text, mark, reason }
}

impl PublishedCell {
    /// Whether the published number lies in the interval; `None` without either.
    pub fn inside(&self) -> Option<bool> {
        let (Interval { low, high }, published) = (self.sample.interval?, self.published?);
        Some((low..=high).contains(&published))
    }

    /// Replications at which the interval would tell the mean from the published number.
    pub fn n_published(&self) -> Option<u64> {
        replications_needed(self.sample.sd?, (self.sample.mean? - self.published?).abs())
    }

    /// Replications at which the interval would tell the mean from zero.
    pub fn n_sign(&self) -> Option<u64> {
        replications_needed(self.sample.sd?, self.sample.mean?.abs())
    }
}

/// More replications than this are no plan.
const MOST_REPLICATIONS: u64 = 1_000_000_000;

/// The smallest n ≥ 2 with t(0.975, n − 1) · sd / √n < distance; `None` above a thousand million.
fn replications_needed(sd: f64, distance: f64) -> Option<u64> {
    let enough = |n: u64| {
        let t = usize::try_from(n - 1).ok().and_then(student_975);
        t.is_some_and(|t| t * sd / (n as f64).sqrt() < distance)
    };
    if !enough(MOST_REPLICATIONS) {
        return None;
    }
    // The half-width falls with n, so halving finds the first that is enough.
    let (mut low, mut high) = (1, MOST_REPLICATIONS);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if enough(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

#[cfg(test)]
mod tests;
