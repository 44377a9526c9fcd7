//! Figures from the summary table, as SVG. One file per mode; panels side by side; the same colours in all of them.
//!
//! * Points are the means of the summary, the bars at them its 95 % intervals (absent with one replication).
//! * In a line figure a series with a single x value is a dashed level line across the plot.
//! * With `normalise_by`, mean and interval are divided by the mean of the normalising case with the same other axis values
//!   (where there is none at the point's x, by the only one at any x). The interval thus shows the spread of the numerator alone.
//! * Panels share their y axis unless their values differ by more than a factor of four; then the subtitle says so.
//! * A value that cannot be shown (not positive on a logarithmic axis, or without a normalising case) is left out, and a note
//!   counts them.
//! * The same table gives the same bytes: no font, clock or environment is consulted. Text widths are estimated from the
//!   advance widths of Helvetica, with a margin for wider fallbacks.

mod canvas;
mod data;
mod page;
mod palette;
mod plot;
mod scale;
mod typeset;

use crate::error::ReportError;
use table::{FigureSpec, Frame};

/// A drawn figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// `<id>-<mode>.svg`.
    pub file_name: String,
    /// The document.
    pub svg: String,
}

/// Draws a figure from a summary table, once per mode that has a value. `axes` are the summary's axis columns.
///
/// # Errors
/// If the figure names a column that the summary lacks, if several values compete for one point, or if there is nothing to draw.
pub fn draw(spec: &FigureSpec, summary: &Frame, axes: &[String]) -> Result<Vec<Figure>, ReportError> {
    let pictures = data::pictures(spec, summary, axes)?;
    pictures
        .iter()
        .map(|picture| {
            let svg = page::draw(spec, picture)
                .map_err(|reason| ReportError::Drawing { figure: spec.id.clone(), reason })?;
            Ok(Figure { file_name: format!("{}-{}.svg", spec.id, picture.mode), svg })
        })
        .collect()
}

#[cfg(test)]
mod tests;
