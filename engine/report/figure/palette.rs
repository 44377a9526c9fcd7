//! Colours and markers that stay apart in print and for colour-blind readers.

use plotters::style::RGBColor;

/// Okabe & Ito (2008) without yellow, which is too light for lines on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// Text and axes.
pub(super) const INK: RGBColor = RGBColor(33, 37, 41);
/// Subtitle and notes.
pub(super) const SOFT: RGBColor = RGBColor(90, 98, 106);
/// Grid lines.
pub(super) const GRID: RGBColor = RGBColor(226, 230, 234);
/// Behind everything, so that a figure reads on a dark page too.
pub(super) const PAPER: RGBColor = RGBColor(255, 255, 255);

/// The form of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    Inverted,
    Ring,
    Cross,
}

const MARKERS: [Marker; 7] = [
    Marker::Disc,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::Inverted,
    Marker::Ring,
    Marker::Cross,
];

/// How a series looks.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub colour: RGBColor,
    pub marker: Marker,
    /// Lengths of dash and gap; `None` is a solid line.
    pub dash: Option<(f64, f64)>,
    /// Opacity of bars.
    pub fill: f64,
}

/// Dashes of level lines.
pub(super) const LEVEL_DASH: (f64, f64) = (7.0, 4.0);

/// The look of a series by its number. After seven series colours repeat with other markers and dashes, bars
/// lighter.
pub(super) fn look(series: usize) -> Look {
    let round = series / COLOURS.len();
    let colour = COLOURS[series % COLOURS.len()];
    let marker = MARKERS[(series + round) % MARKERS.len()];
    let (dash, fill) = match round {
        0 => (None, 1.0),
        1 => (Some((2.5, 2.5)), 0.5),
        _ => (Some((10.0, 3.0)), 0.25),
    };
    Look { colour, marker, dash, fill }
}
