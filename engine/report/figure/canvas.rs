//! A drawing surface in pixels over the SVG back end of `plotters`, which has whole-number coordinates. They are made four times
//! as fine, and the finished document is shown at a quarter of its size.

use super::palette::{Look, Marker, PAPER};
use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle};

const FINE: f64 = 4.0;
/// The back end shrinks font sizes by this factor.
const FONT_FACTOR: f64 = 1.24;
const FAMILY: &str = "Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif";

/// What the back end says when it refuses.
pub(super) type Drawn = Result<(), String>;

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(super) enum Align {
    Left,
    Centre,
    Right,
}

/// A text's size (pixels), colour and weight.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub size: f64,
    pub colour: RGBColor,
    pub bold: bool,
}

/// A place in the back end's coordinates.
type BackendCoord = (i32, i32);

/// A place in pixels from the upper left corner.
pub(super) type At = (f64, f64);

/// The drawing surface.
pub(super) struct Canvas<'a> {
    backend: SVGBackend<'a>,
}

/// Draws a whole document of this size.
pub(super) fn document(
    (width, height): At,
    title: &str,
    draw: impl FnOnce(&mut Canvas<'_>) -> Drawn,
) -> Result<String, String> {
    let mut body = String::new();
    let backend = SVGBackend::with_string(&mut body, (fine(width) as u32, fine(height) as u32));
    let mut canvas = Canvas { backend };
    canvas.rectangle((0.0, 0.0), (width, height), PAPER, 1.0)?;
    draw(&mut canvas)?;
    canvas.backend.present().map_err(|error| error.to_string())?;
    drop(canvas);
    let (outer, title) = (format!("0 0 {} {}", fine(width), fine(height)), escaped(title));
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"{outer}\" \
         role=\"img\">\n<title>{title}</title>\n{body}</svg>\n"
    ))
}

fn fine(pixels: f64) -> i32 {
    (pixels * FINE).round() as i32
}

fn place((x, y): At) -> BackendCoord {
    (fine(x), fine(y))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn stroke(colour: RGBColor, pixels: f64, opacity: f64) -> ShapeStyle {
    ShapeStyle { color: colour.mix(opacity), filled: false, stroke_width: fine(pixels).max(1) as u32 }
}

fn area(colour: RGBColor, opacity: f64) -> ShapeStyle {
    ShapeStyle { color: colour.mix(opacity), filled: true, stroke_width: 0 }
}

impl Canvas<'_> {
    /// A straight line.
    pub fn line(&mut self, from: At, to: At, colour: RGBColor, pixels: f64) -> Drawn {
        let style = stroke(colour, pixels, 1.0);
        self.backend.draw_line(place(from), place(to), &style).map_err(|error| error.to_string())
    }

    /// A line through points; dashed if a dash and a gap length are given.
    pub fn path(&mut self, points: &[At], colour: RGBColor, pixels: f64, dash: Option<(f64, f64)>) -> Drawn {
        let style = stroke(colour, pixels, 1.0);
        let pieces = match dash {
            None => vec![points.to_vec()],
            Some(dash) => dashes(points, dash),
        };
        for piece in pieces {
            let piece: Vec<BackendCoord> = piece.into_iter().map(place).collect();
            self.backend.draw_path(piece, &style).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// A filled rectangle between two corners.
    pub fn rectangle(&mut self, from: At, to: At, colour: RGBColor, opacity: f64) -> Drawn {
        let style = area(colour, opacity);
        self.backend.draw_rect(place(from), place(to), &style, true).map_err(|error| error.to_string())
    }

    fn polygon(&mut self, points: &[At], colour: RGBColor) -> Drawn {
        let points: Vec<BackendCoord> = points.iter().copied().map(place).collect();
        self.backend.fill_polygon(points, &area(colour, 1.0)).map_err(|error| error.to_string())
    }

    fn disc(&mut self, at: At, radius: f64, colour: RGBColor) -> Drawn {
        let style = area(colour, 1.0);
        self.backend
            .draw_circle(place(at), fine(radius) as u32, &style, true)
            .map_err(|error| error.to_string())
    }

    /// A white edge around the marker of a series, which sets it off from lines beneath.
    pub fn halo(&mut self, at: At, look: Look) -> Drawn {
        self.shape(at, look.marker, 5.2, PAPER)
    }

    /// The marker of a series, about nine pixels wide.
    pub fn marker(&mut self, at: At, look: Look) -> Drawn {
        self.shape(at, look.marker, 4.2, look.colour)?;
        if look.marker == Marker::Ring { self.disc(at, 2.2, PAPER) } else { Ok(()) }
    }

    /// An arrow up through a point on the upper edge of a plot: the value is beyond every axis.
    pub fn beyond(&mut self, (x, y): At, colour: RGBColor) -> Drawn {
        let head = |r: f64| [(x, y - 5.0 - r), (x + r, y - 1.0), (x - r, y - 1.0)];
        self.line((x, y + 7.0), (x, y - 1.0), PAPER, 4.0)?;
        self.polygon(&head(5.2), PAPER)?;
        self.line((x, y + 6.0), (x, y - 1.0), colour, 1.8)?;
        self.polygon(&head(4.2), colour)
    }

    fn shape(&mut self, (x, y): At, marker: Marker, r: f64, colour: RGBColor) -> Drawn {
        match marker {
            Marker::Disc | Marker::Ring => self.disc((x, y), r, colour),
            Marker::Square => {
                let r = r * 0.9;
                self.polygon(&[(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)], colour)
            }
            Marker::Triangle => {
                let (w, up, down) = (r * 1.1, r * 1.2, r * 0.8);
                self.polygon(&[(x, y - up), (x + w, y + down), (x - w, y + down)], colour)
            }
            Marker::Inverted => {
                let (w, up, down) = (r * 1.1, r * 0.8, r * 1.2);
                self.polygon(&[(x, y + down), (x + w, y - up), (x - w, y - up)], colour)
            }
            Marker::Diamond => {
                let r = r * 1.25;
                self.polygon(&[(x, y - r), (x + r, y), (x, y + r), (x - r, y)], colour)
            }
            Marker::Cross => {
                let (thick, r) = (2.0 * r / 4.2, r * 0.9);
                self.line((x - r, y - r), (x + r, y + r), colour, thick)?;
                self.line((x - r, y + r), (x + r, y - r), colour, thick)
            }
        }
    }

    /// A text, vertically centred on its point.
    pub fn text(&mut self, text: &str, at: At, pen: Pen, align: Align) -> Drawn {
        self.write(text, at, pen, align, FontTransform::None)
    }

    /// A text that reads upwards, centred or ending on its point.
    pub fn upwards(&mut self, text: &str, at: At, pen: Pen, align: Align) -> Drawn {
        self.write(text, at, pen, align, FontTransform::Rotate270)
    }

    fn write(&mut self, text: &str, at: At, pen: Pen, align: Align, turn: FontTransform) -> Drawn {
        let weight = if pen.bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = (FAMILY, pen.size * FINE * FONT_FACTOR, weight).into_font().transform(turn);
        let horizontal = match align {
            Align::Left => HPos::Left,
            Align::Centre => HPos::Center,
            Align::Right => HPos::Right,
        };
        let style = TextStyle::from(font).color(&pen.colour).pos(Pos::new(horizontal, VPos::Center));
        self.backend.draw_text(text, &style, place(at)).map_err(|error| error.to_string())
    }
}

/// The pieces of a line that its dashes leave.
fn dashes(points: &[At], (dash, gap): (f64, f64)) -> Vec<Vec<At>> {
    let mut pieces: Vec<Vec<At>> = Vec::new();
    let mut drawing = true;
    let mut left = dash;
    for pair in points.windows(2) {
        let (mut from, to) = (pair[0], pair[1]);
        if drawing && pieces.is_empty() {
            pieces.push(vec![from]);
        }
        loop {
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let length = (dx * dx + dy * dy).sqrt();
            if length <= left {
                left -= length;
                extend(&mut pieces, drawing, to);
                break;
            }
            from = (from.0 + dx * left / length, from.1 + dy * left / length);
            extend(&mut pieces, drawing, from);
            drawing = !drawing;
            left = if drawing { dash } else { gap };
            if drawing {
                pieces.push(vec![from]);
            }
        }
    }
    pieces
}

fn extend(pieces: &mut [Vec<At>], drawing: bool, to: At) {
    if let (true, Some(piece)) = (drawing, pieces.last_mut()) {
        piece.push(to);
    }
}

#[cfg(test)]
mod tests {
    use super::dashes;

    #[test]
    fn dashes_turn_corners_and_skip_gaps() {
        let pieces = dashes(&[(0.0, 0.0), (5.0, 0.0), (5.0, 6.0)], (6.0, 2.0));
        assert_eq!(pieces, [vec![(0.0, 0.0), (5.0, 0.0), (5.0, 1.0)], vec![(5.0, 3.0), (5.0, 6.0)]]);
    }
}
