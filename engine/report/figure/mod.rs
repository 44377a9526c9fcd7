//! Figures from the summary table, as SVG. One file per mode; panels side by side; the same colours in all of them.
//!
//! * Points are the means of the summary, the bars at them its 95 % intervals (absent with one replication).
//! * In a line figure a series with a single x value is a dashed level line across the plot.
//! * With `normalise_by`, a point is the mean of the replications' ratios to the normalising case with the same other axis
//!   values, with its interval, as in the comparisons table and in the claims. Where there is no such case at the point's x but
//!   one at another x, mean and interval are divided by its mean; that interval shows the spread of the numerator alone.
//! * Bars of a normalised figure with a logarithmic axis start at 1, other bars on such an axis at its low end.
//! * The interval of a mean of values that are never negative is cut off at zero.
//! * Panels share their y axis unless their values differ by more than a factor of four; then the subtitle says so.
//! * A `Cumulative` figure is a line figure of the groups table: over the bounds of a grouping, the share of the metric in all
//!   groups up to there, computed in each replication.
//! * A `Groups` figure shows a metric of the groups table over the groups of a grouping, as the mean over the replications that
//!   have jobs there; `GroupBars` shows it with bars.
//! * A value that cannot be shown (not positive on a logarithmic axis, or without a normalising case) is left out, and a note
//!   counts them.
//! * A value is unstable if a replication is. If the metric grows without end then, there is an arrow at the upper edge in the colour of the
//!   series, the line is broken there, and the legend says what the arrow is; other metrics are left out, and a note counts them.
//! * The same table gives the same bytes: no font, clock or environment is consulted. Text widths are estimated from the
//!   advance widths of Helvetica, with a margin for wider fallbacks.

mod canvas;
mod data;
mod groups;
mod page;
mod palette;
mod plot;
mod ratio;
mod scale;
pub(crate) mod typeset;

pub(crate) use data::{Curve, Panel, Picture, Point};
pub use groups::draw_groups;

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

/// Draws a figure from a summary table, once per mode that has a value. `axes` are the summary's axis columns; `ratios` is the
/// comparisons table of the figure's metric against its normalising case, for a figure that has one.
///
/// # Errors
/// If the figure names a column that the summary lacks, if several values compete for one point, or if there is nothing to draw.
pub fn draw(
    spec: &FigureSpec,
    summary: &Frame,
    ratios: Option<&Frame>,
    axes: &[String],
) -> Result<Vec<Figure>, ReportError> {
    let pictures = data::pictures(spec, summary, ratios, axes)?;
    pictures.iter().map(|picture| draw_picture(spec, picture)).collect()
}

/// Draws one picture on a page with the texts of `spec`.
pub(crate) fn draw_picture(spec: &FigureSpec, picture: &Picture) -> Result<Figure, ReportError> {
    let svg = page::draw(spec, picture)
        .map_err(|reason| ReportError::Drawing { figure: spec.id.clone(), reason })?;
    Ok(Figure { file_name: format!("{}-{}.svg", spec.id, picture.mode), svg })
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod groups_tests;

#[cfg(test)]
mod unstable_tests;
