//! `Cells`: how many cells of a published table a model of jobs meets.

use super::finding::{Finding, Value};
use super::quantity::{Groups, each};
use super::sample::{Rows, place};
use super::wanted::Wanted;
use crate::number::plain;
use std::collections::BTreeMap;
use table::statistics::{Interval, sample};
use table::{Filter, Frame, Predicate};

/// The grouping of the cells in the groups table.
const GROUPING: &str = "model";
/// So many missed cells are named.
const NAMED: usize = 3;

/// The measured values of a cell, one per replication, and the means of what is accepted.
#[derive(Default)]
struct Cell {
    measured: BTreeMap<i64, f64>,
    low: Vec<f64>,
    high: Vec<f64>,
}

/// The findings of a predicate about cells in one mode, from the groups table; `None` for another predicate.
pub(super) fn findings(
    predicate: &Predicate,
    wanted: &Wanted,
    groups: &Frame,
    axes: &[String],
) -> Option<Vec<Finding>> {
    let Predicate::Cells { table, only, except, for_each, .. } = predicate else { return None };
    let error = |reason: String| Some(vec![Finding::untestable(String::new(), wanted.text.clone(), reason)]);
    let cells = match cells_of(groups, table) {
        Ok(cells) => cells,
        Err(reason) => return error(reason),
    };
    let rows = Rows { runs: &cells, axes };
    Some(each(&Groups { only, except, for_each }, wanted, &rows, |at| met(&rows, at, wanted)))
}

/// The rows of the groups table that are cells of a table.
fn cells_of(groups: &Frame, table: &str) -> Result<Frame, String> {
    let text = |name| groups.text(name).map_err(|error| error.to_string());
    let (grouping, label) = (text("grouping")?, text("group")?);
    let is_cell = |row: &usize| {
        let rest = label[*row].as_deref().and_then(|label| label.strip_prefix(table));
        grouping[*row].as_deref() == Some(GROUPING)
            && rest.is_some_and(|rest| rest.starts_with([':', ',', ' ']))
    };
    let rows: Vec<usize> = (0..groups.len()).filter(is_cell).collect();
    match rows.is_empty() {
        true => Err(format!("no run compares its model with {table}; set `model_cells` in `measure`")),
        false => Ok(groups.select(&rows)),
    }
}

/// The share of the cells whose mean is accepted. Its interval goes from those whose whole interval is accepted to those of whose
/// interval a part is.
fn met(rows: &Rows<'_>, at: &Filter, wanted: &Wanted) -> Result<Value, String> {
    let cells = collected(rows, at)?;
    let (bounded, free): (Vec<_>, Vec<_>) =
        cells.iter().partition(|(_, cell)| !cell.low.is_empty() || !cell.high.is_empty());
    if bounded.is_empty() {
        return Err("any value of any cell is accepted".to_owned());
    }
    let (mut met, mut surely, mut perhaps) = (0, 0, 0);
    let mut missed = Vec::new();
    for (label, cell) in &bounded {
        let values: Vec<f64> = cell.measured.values().copied().collect();
        let sample = sample(&values);
        let mean = sample.mean.ok_or("the mean is beyond the range of numbers")?;
        let interval = sample.interval.unwrap_or(Interval { low: mean, high: mean });
        let low = mean_of(&cell.low).unwrap_or(f64::NEG_INFINITY);
        let high = mean_of(&cell.high).unwrap_or(f64::INFINITY);
        surely += usize::from(low <= interval.low && interval.high <= high);
        perhaps += usize::from(low <= interval.high && interval.low <= high);
        match low <= mean && mean <= high {
            true => met += 1,
            false => missed.push(format!("{label}: {}, not {} … {}", plain(mean), plain(low), plain(high))),
        }
    }
    let share = |count: usize| count as f64 / bounded.len() as f64;
    let mut reason = format!("{met} of {} cells", bounded.len());
    let more = missed.len().saturating_sub(NAMED);
    for miss in missed.iter().take(NAMED) {
        reason = format!("{reason}; {miss}");
    }
    if more > 0 {
        reason = format!("{reason}; and {more} more");
    }
    if !free.is_empty() {
        reason = format!("{reason}; {} more could not be met", free.len());
    }
    Ok(Value {
        measured: Some(share(met)),
        interval: Some(Interval { low: share(surely), high: share(perhaps) }),
        holds: wanted.range.holds(share(met)),
        reason,
    })
}

fn collected(rows: &Rows<'_>, at: &Filter) -> Result<BTreeMap<String, Cell>, String> {
    let wrong = |error: table::TableError| error.to_string();
    let here = rows.runs.select(&rows.matching(at)?);
    let label = here.text("group").map_err(wrong)?;
    let replication = here.int("replication").map_err(wrong)?;
    let real = |name| here.real(name).map_err(wrong);
    let (measured, low, high) = (real("cell")?, real("cell_low")?, real("cell_high")?);
    let mut cells: BTreeMap<String, Cell> = BTreeMap::new();
    for row in 0..here.len() {
        let (Some(label), Some(value)) = (label[row].as_deref(), measured[row]) else { continue };
        let cell = cells.entry(label.to_owned()).or_default();
        if cell.measured.insert(replication[row].unwrap_or(0), value).is_some() {
            return Err(format!(
                "several runs of one replication have the cell `{label}` with {}",
                place(&[at])
            ));
        }
        cell.low.extend(low[row]);
        cell.high.extend(high[row]);
    }
    if cells.is_empty() { Err(format!("no cell has a value with {}", place(&[at]))) } else { Ok(cells) }
}

fn mean_of(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
#[path = "cells_tests.rs"]
mod tests;
