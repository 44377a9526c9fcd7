//! Cells of published tables as a table.

use super::{Published, PublishedCell};
use std::sync::Arc;
use table::{Column, Frame, TableError};

/// One cell with its table and mode.
struct Row<'a> {
    table: &'a Published<'a>,
    mode: &'a str,
    cell: &'a PublishedCell,
}

pub(super) fn frame(tables: &[Published<'_>], study: &str, experiment: &str) -> Result<Frame, TableError> {
    let rows: Vec<Row<'_>> = tables
        .iter()
        .flat_map(|table| table.modes.iter().map(move |mode| (table, mode)))
        .flat_map(|(table, mode)| mode.cells.iter().map(move |cell| Row { table, mode: &mode.mode, cell }))
        .collect();
    let text = |name: &str, of: &dyn Fn(&Row<'_>) -> Option<String>| {
        Column::text(name, rows.iter().map(|row| of(row).map(Arc::from)).collect())
    };
    let real = |name: &str, of: &dyn Fn(&PublishedCell) -> Option<f64>| {
        Column::real(name, rows.iter().map(|row| of(row.cell)).collect())
    };
    let int = |name: &str, of: &dyn Fn(&PublishedCell) -> Option<u64>| {
        let whole = |row: &Row<'_>| of(row.cell).and_then(|n| i64::try_from(n).ok());
        Column::int(name, rows.iter().map(whole).collect())
    };
    let inside = rows.iter().map(|row| row.cell.inside()).collect();
    Frame::from_columns(vec![
        text("study", &|_| Some(study.to_owned())),
        text("experiment", &|_| Some(experiment.to_owned())),
        text("mode", &|row| Some(row.mode.to_owned())),
        text("table", &|row| Some(row.table.spec.id.clone())),
        text("row", &|row| row.table.spec.rows.get(row.cell.row).map(|row| row.label.clone())),
        text("column", &|row| row.table.spec.columns.get(row.cell.column).map(|column| column.label.clone())),
        text("unit", &|row| Some(row.table.spec.unit.clone()).filter(|unit| !unit.is_empty())),
        int("n", &|cell| Some(cell.sample.n as u64)),
        real("measured", &|cell| cell.sample.mean),
        real("ci_low", &|cell| cell.sample.interval.map(|interval| interval.low)),
        real("ci_high", &|cell| cell.sample.interval.map(|interval| interval.high)),
        real("published", &|cell| cell.published),
        text("published_text", &|row| row.cell.text.clone()),
        text("mark", &|row| row.cell.mark.as_ref().map(|mark| mark.mark.as_str().to_owned())),
        text("mark_reason", &|row| row.cell.mark.as_ref().map(|mark| mark.reason.clone())),
        Column::flag("inside", inside),
        int("n_published", &PublishedCell::n_published),
        int("n_sign", &PublishedCell::n_sign),
        text("reason", &|row| row.cell.reason.clone()),
    ])
}
