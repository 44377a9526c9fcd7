//! Where things are in a picture: text above, the plot with the slices' strip on top, the axis and notes below.

use super::shades::Rectangle;
use super::{Chart, Piece, View};
use crate::figure::typeset;

pub(super) const WIDTH: f64 = 1280.0;
pub(super) const HEIGHT: f64 = 720.0;
pub(super) const MARGIN: f64 = 18.0;
pub(super) const TITLE: f64 = 17.0;
pub(super) const TEXT: f64 = 12.5;
pub(super) const SMALL: f64 = 11.5;
const TITLE_LINE: f64 = 23.0;
pub(super) const TEXT_LINE: f64 = 17.0;
const LEGEND_LINE: f64 = 22.0;
const STRIP: f64 = 16.0;
/// Below the plot: tick labels and the axis's title.
const AXIS: f64 = 42.0;
/// The plot is not lower than this, however long the texts are; the picture becomes taller instead.
const LEAST_PLOT: f64 = 260.0;
/// Slices narrower than this on average are not drawn.
const LEAST_SLICE: f64 = 5.0;
/// Pixels between the labels of two ticks, at least.
const TICK_ROOM: i64 = 96;
const NODE_ROOM: f64 = 22.0;

/// A picture's layout.
pub(super) struct Picture {
    pub title: Vec<String>,
    pub facts: Vec<String>,
    /// The vertical middle of the legend.
    pub legend_y: f64,
    pub plot: Plot,
    /// Height of the strip above the plot that names the slices; 0 where they are not drawn.
    pub strip: f64,
    pub height: f64,
}

/// The plot: nodes downwards, time to the right.
pub(super) struct Plot {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    nodes: f64,
    view: View,
}

impl Picture {
    /// Lays out a picture with so many lines of notes.
    pub fn of(chart: &Chart, view: View, notes: usize) -> Picture {
        let inner = WIDTH - 2.0 * MARGIN;
        let title = typeset::lines(&chart.title, TITLE * typeset::BOLD, inner);
        let facts: Vec<String> =
            chart.facts.iter().flat_map(|fact| typeset::lines(fact, TEXT, inner)).collect();
        let heading = MARGIN + TITLE_LINE * title.len() as f64 + TEXT_LINE * facts.len() as f64;
        let left = MARGIN + 24.0 + typeset::width(&chart.nodes.to_string(), TEXT) + 8.0;
        let width = WIDTH - left - MARGIN - 8.0;
        let slices = chart.slices_seen(view).len() as f64;
        let strip = if slices > 0.0 && width / slices >= LEAST_SLICE { STRIP } else { 0.0 };
        let top = heading + LEGEND_LINE + 12.0 + strip;
        let below = AXIS + TEXT_LINE * notes as f64 + MARGIN * 0.5;
        let height = (HEIGHT - top - below).max(LEAST_PLOT);
        let plot = Plot { left, top, width, height, nodes: f64::from(chart.nodes.max(1)), view };
        let legend_y = heading + LEGEND_LINE * 0.5 + 3.0;
        Picture { title, facts, legend_y, plot, strip, height: top + height + below }
    }
}

impl Plot {
    /// Where an instant is, kept within the plot.
    pub fn x(&self, us: i64) -> f64 {
        let View { from_us, to_us, .. } = self.view;
        let share = us.saturating_sub(from_us) as f64 / to_us.saturating_sub(from_us).max(1) as f64;
        share.clamp(0.0, 1.0) * self.width
    }

    /// Where the upper edge of a node is.
    pub fn y(&self, node: u32) -> f64 {
        f64::from(node) / self.nodes * self.height
    }

    /// A piece's rectangle from the plot's upper left corner, what lies in the view of it.
    pub fn rectangle(&self, piece: &Piece) -> Rectangle {
        [
            self.x(piece.from_us),
            self.y(piece.first),
            self.x(piece.to_us),
            self.y(piece.last.saturating_add(1)),
        ]
    }

    /// How many steps between ticks there is room for.
    pub fn most_ticks(&self) -> i64 {
        (self.width as i64 / TICK_ROOM).max(1)
    }

    /// The nodes that are numbered at the axis.
    pub fn numbered(&self) -> impl Iterator<Item = u32> + use<> {
        let row = self.height / self.nodes;
        let steps = std::iter::successors(Some(1_u32), |step| step.checked_mul(2));
        let step = steps.into_iter().find(|step| f64::from(*step) * row >= NODE_ROOM).unwrap_or(u32::MAX);
        (0..self.nodes as u32).step_by(step as usize)
    }
}
