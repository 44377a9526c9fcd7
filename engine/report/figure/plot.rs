//! One panel: grid, axes, lines or bars, interval bars.

use super::canvas::{Align, At, Canvas, Drawn, Pen};
use super::data::{Curve, Panel, Picture, Point};
use super::palette::{GRID, INK, LEVEL_DASH, Look, look};
use super::scale::Scale;
use super::typeset;
use table::FigureKind;

/// Size of tick labels in pixels.
pub(super) const TICK_SIZE: f64 = 12.0;
const LABEL: Pen = Pen { size: TICK_SIZE, colour: INK, bold: false };
const HEADING: Pen = Pen { size: 13.0, colour: INK, bold: true };
const LINE_HEIGHT: f64 = 14.0;
/// Width of lines in pixels.
const LINE: f64 = 1.8;
/// Categories are broken into at most this many lines before they are turned.
const MOST_LINES: usize = 3;
/// Turned categories are broken into lines of this length.
const TURNED_LENGTH: f64 = 150.0;
/// The share of a category's place that its bars fill.
const FILLED: f64 = 0.8;
const WIDEST_BAR: f64 = 46.0;

/// Where a panel is and what its axes are.
pub(super) struct Place<'a> {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    pub y: &'a Scale,
    pub x: &'a XAxis,
    /// Whether the y axis has tick labels.
    pub labelled: bool,
    /// Whether the values are ratios to a normalising case.
    pub ratios: bool,
}

/// The x axis of all panels.
pub(super) enum XAxis {
    Numbers(Scale),
    Categories { labels: Vec<Vec<String>>, turned: bool },
}

impl XAxis {
    /// The axis of a picture in panels of this width.
    pub fn of(picture: &Picture, kind: FigureKind, width: f64) -> XAxis {
        if kind == FigureKind::Lines {
            let values: Vec<f64> = picture.all_x().collect();
            return XAxis::Numbers(Scale::along(&values, ((width / 60.0) as usize).max(2)));
        }
        let place = width / picture.categories.len().max(1) as f64 - 6.0;
        let broken = |label: &String| typeset::lines(label, TICK_SIZE, place);
        let labels: Vec<Vec<String>> = picture.categories.iter().map(broken).collect();
        let too_wide = |line: &String| typeset::width(line, TICK_SIZE) > place;
        let turned = labels.iter().any(|lines| lines.len() > MOST_LINES || lines.iter().any(too_wide));
        if !turned {
            return XAxis::Categories { labels, turned };
        }
        let broken = |label: &String| typeset::lines(label, TICK_SIZE, TURNED_LENGTH);
        XAxis::Categories { labels: picture.categories.iter().map(broken).collect(), turned }
    }

    /// Height of the tick labels.
    pub fn height(&self) -> f64 {
        match self {
            XAxis::Numbers(_) => LINE_HEIGHT,
            XAxis::Categories { labels, turned: false } => {
                labels.iter().map(Vec::len).max().unwrap_or(1) as f64 * LINE_HEIGHT
            }
            XAxis::Categories { labels, turned: true } => labels
                .iter()
                .flatten()
                .map(|line| typeset::width(line, TICK_SIZE))
                .fold(LINE_HEIGHT, f64::max),
        }
    }
}

impl Place<'_> {
    fn y_at(&self, value: f64) -> f64 {
        self.top + self.height * (1.0 - self.y.at(value))
    }

    fn x_at(&self, value: f64) -> f64 {
        match self.x {
            XAxis::Numbers(scale) => self.left + self.width * scale.at(value),
            XAxis::Categories { labels, .. } => {
                self.left + self.width * (value + 0.5) / labels.len().max(1) as f64
            }
        }
    }

    fn at(&self, point: &Point) -> At {
        (self.x_at(point.x), self.y_at(point.y))
    }
}

/// Whether a series is drawn as a level line: it has one point where others have more.
pub(super) fn is_level(curve: &Curve, picture: &Picture) -> bool {
    let several = || picture.all_x().any(|x| curve.points.iter().any(|own| own.x != x));
    picture.categories.is_empty() && curve.points.len() == 1 && curve.unstable.is_empty() && several()
}

/// Draws a panel.
pub(super) fn draw(
    canvas: &mut Canvas<'_>,
    picture: &Picture,
    panel: &Panel,
    place: &Place<'_>,
    kind: FigureKind,
    log: bool,
) -> Drawn {
    background(canvas, place, panel)?;
    let shown = |point: &&Point| !log || point.y > 0.0;
    match kind {
        FigureKind::Bars => bars(canvas, panel, place, picture.categories.len(), shown)?,
        _ => lines(canvas, picture, panel, place, shown)?,
    }
    axes(canvas, place)?;
    unstable(canvas, panel, place)
}

/// Distance of marks at the upper edge that would cover each other, in pixels.
const APART: f64 = 9.0;

/// A mark at the upper edge wherever a series has no value because it is unstable; several at one x side by side.
fn unstable(canvas: &mut Canvas<'_>, panel: &Panel, place: &Place<'_>) -> Drawn {
    let has = |curve: &Curve, x: f64| curve.unstable.contains(&x);
    for (number, curve) in panel.curves.iter().enumerate() {
        for x in curve.unstable.iter().copied() {
            let all = panel.curves.iter().filter(|other| has(other, x)).count();
            let before = panel.curves[..number].iter().filter(|other| has(other, x)).count();
            let shift = APART * (before as f64 - (all - 1) as f64 / 2.0);
            canvas.beyond((place.x_at(x) + shift, place.top), look(curve.series).colour)?;
        }
    }
    Ok(())
}

/// Level lines, lines, then the points in three layers, so that neither a line nor another point's edge hides an interval bar.
fn lines(
    canvas: &mut Canvas<'_>,
    picture: &Picture,
    panel: &Panel,
    place: &Place<'_>,
    shown: impl Fn(&&Point) -> bool,
) -> Drawn {
    let (level, curved): (Vec<&Curve>, Vec<&Curve>) =
        panel.curves.iter().partition(|curve| is_level(curve, picture));
    for curve in level {
        let Some(point) = curve.points.iter().find(&shown) else { continue };
        let y = place.y_at(point.y);
        let ends = [(place.left, y), (place.left + place.width, y)];
        canvas.path(&ends, look(curve.series).colour, LINE, Some(LEVEL_DASH))?;
    }
    for curve in curved {
        let look = look(curve.series);
        for piece in curve.pieces() {
            let points: Vec<At> = piece.into_iter().filter(&shown).map(|point| place.at(point)).collect();
            if points.len() > 1 {
                canvas.path(&points, look.colour, LINE, look.dash)?;
            }
        }
    }
    let points =
        || panel.curves.iter().flat_map(|curve| curve.points.iter().map(|point| (look(curve.series), point)));
    for (look, point) in points().filter(|(_, point)| shown(point)) {
        canvas.halo(place.at(point), look)?;
    }
    for (look, point) in points().filter(|(_, point)| shown(point)) {
        interval(canvas, place, place.x_at(point.x), point, look)?;
    }
    for (look, point) in points().filter(|(_, point)| shown(point)) {
        canvas.marker(place.at(point), look)?;
    }
    Ok(())
}

fn background(canvas: &mut Canvas<'_>, place: &Place<'_>, panel: &Panel) -> Drawn {
    let right = place.left + place.width;
    for value in &place.y.minor {
        let y = place.y_at(*value);
        canvas.line((place.left, y), (right, y), GRID, 0.5)?;
    }
    for (value, _) in &place.y.ticks {
        let y = place.y_at(*value);
        canvas.line((place.left, y), (right, y), GRID, 1.0)?;
    }
    let lines = typeset::lines(&panel.label, HEADING.size * typeset::BOLD, place.width);
    for (index, line) in lines.iter().rev().enumerate() {
        let y = place.top - 13.0 - 16.0 * index as f64;
        canvas.text(line, (place.left + place.width / 2.0, y), HEADING, Align::Centre)?;
    }
    Ok(())
}

/// Height of a panel's heading.
pub(super) fn heading_height(panel: &Panel, width: f64) -> f64 {
    let lines = typeset::lines(&panel.label, HEADING.size * typeset::BOLD, width).len();
    if lines == 0 { 8.0 } else { 16.0 * lines as f64 + 10.0 }
}

fn axes(canvas: &mut Canvas<'_>, place: &Place<'_>) -> Drawn {
    let (left, right, bottom) = (place.left, place.left + place.width, place.top + place.height);
    canvas.line((left, place.top), (left, bottom), INK, 1.0)?;
    canvas.line((left, bottom), (right, bottom), INK, 1.0)?;
    for (value, label) in &place.y.ticks {
        let y = place.y_at(*value);
        canvas.line((left - 4.0, y), (left, y), INK, 1.0)?;
        if place.labelled {
            canvas.text(label, (left - 8.0, y), LABEL, Align::Right)?;
        }
    }
    match place.x {
        XAxis::Numbers(scale) => {
            for (value, label) in &scale.ticks {
                let x = place.x_at(*value);
                canvas.line((x, bottom), (x, bottom + 4.0), INK, 1.0)?;
                canvas.text(label, (x, bottom + 14.0), LABEL, Align::Centre)?;
            }
        }
        XAxis::Categories { labels, turned } => {
            for (index, lines) in labels.iter().enumerate() {
                category(canvas, lines, *turned, (place.x_at(index as f64), bottom))?;
            }
        }
    }
    Ok(())
}

/// A category's name below the axis: lines under each other, or beside each other where they read upwards.
fn category(canvas: &mut Canvas<'_>, lines: &[String], turned: bool, (x, bottom): At) -> Drawn {
    let middle = lines.len().saturating_sub(1) as f64 / 2.0;
    for (number, line) in lines.iter().enumerate() {
        let offset = LINE_HEIGHT * number as f64;
        if turned {
            let x = x + offset - LINE_HEIGHT * middle;
            canvas.upwards(line, (x, bottom + 8.0), LABEL, Align::Right)?;
        } else {
            canvas.text(line, (x, bottom + 14.0 + offset), LABEL, Align::Centre)?;
        }
    }
    Ok(())
}

fn bars(
    canvas: &mut Canvas<'_>,
    panel: &Panel,
    place: &Place<'_>,
    categories: usize,
    shown: impl Fn(&&Point) -> bool,
) -> Drawn {
    let slot = place.width / categories.max(1) as f64;
    let count = panel.curves.len().max(1) as f64;
    let width = (slot * FILLED / count).min(WIDEST_BAR);
    let base = place.y_at(place.y.base(place.ratios));
    for (index, curve) in panel.curves.iter().enumerate() {
        let look = look(curve.series);
        for point in curve.points.iter().filter(&shown) {
            let left = place.x_at(point.x) - width * count / 2.0 + width * index as f64;
            let gap = (width * 0.06).min(1.0);
            let y = place.y_at(point.y);
            canvas.rectangle(
                (left + gap, y.min(base)),
                (left + width - gap, y.max(base)),
                look.colour,
                1.0,
            )?;
            let dark = Look { colour: INK, ..look };
            interval(canvas, place, left + width / 2.0, point, dark)?;
        }
    }
    if base < place.top + place.height - 0.5 {
        canvas.line((place.left, base), (place.left + place.width, base), INK, 1.0)?;
    }
    Ok(())
}

/// The interval bar at a point; an end on the axis has a cap, one beyond it is cut off without.
fn interval(canvas: &mut Canvas<'_>, place: &Place<'_>, x: f64, point: &Point, look: Look) -> Drawn {
    let Some((low, high)) = point.interval else { return Ok(()) };
    canvas.line((x, place.y_at(low)), (x, place.y_at(high)), look.colour, 1.2)?;
    for end in [low, high].into_iter().filter(|end| place.y.shows(*end)).map(|end| place.y_at(end)) {
        canvas.line((x - 3.5, end), (x + 3.5, end), look.colour, 1.2)?;
    }
    Ok(())
}
