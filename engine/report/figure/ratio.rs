//! Ratios to a figure's normalising case.

use crate::claims::cell_text;
use crate::error::ReportError;
use std::collections::BTreeMap;
use table::{Filter, Frame};

/// A mean with its interval, from so many replications.
#[derive(Clone, Copy)]
pub(super) struct Value {
    pub mean: f64,
    pub interval: Option<(f64, f64)>,
    pub n: i64,
}

impl Value {
    pub fn over(self, divisor: f64) -> Value {
        let ends = self.interval.map(|(low, high)| (low / divisor, high / divisor));
        Value { mean: self.mean / divisor, interval: ends.map(|(a, b)| (a.min(b), a.max(b))), n: self.n }
    }
}

/// Ratios to the normalising case from a comparisons table, by mode and axis values. The normalising case has none to itself.
pub(super) struct Ratios {
    pub of: BTreeMap<String, Ratio>,
}

/// So many pairs, and what came of them; nothing if a denominator was zero.
pub(super) struct Ratio {
    pub n: i64,
    pub value: Option<Value>,
}

impl Ratios {
    pub fn read(table: &Frame, metric: &str, axes: &[String]) -> Result<Ratios, ReportError> {
        let error = ReportError::table("comparisons");
        let rows = table.filter(&Filter::from([("metric".to_owned(), metric.to_owned())])).map_err(&error)?;
        let column = |name: &str| table.real(name).map(|cells| cells.into_owned()).map_err(&error);
        let (n, mean) = (column("n")?, column("mean_ratio")?);
        let (low, high) = (column("ratio_ci_low")?, column("ratio_ci_high")?);
        let ratio = |row: usize| {
            let n = n[row].unwrap_or(0.0) as i64;
            let value = mean[row].map(|mean| Value { mean, interval: low[row].zip(high[row]), n });
            (cell_key(table, axes, row), Ratio { n, value })
        };
        Ok(Ratios { of: rows.into_iter().map(ratio).collect() })
    }
}

/// Mode and all axis values of a row.
pub(super) fn cell_key(table: &Frame, axes: &[String], row: usize) -> String {
    let cell = |name: &str| {
        let cells = table.column(name).map(|column| &column.cells);
        cells.and_then(|cells| cell_text(cells, row)).unwrap_or_default()
    };
    let values = axes.iter().map(|axis| cell(axis));
    std::iter::once(cell("mode")).chain(values).collect::<Vec<_>>().join("\u{1f}")
}
