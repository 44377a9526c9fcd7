//! A chart as a picture. A path per job and kind of piece, so that a viewer that shows titles names the job; small rectangles as shades.

use super::colouring::{SWAP, Shade, lighter};
use super::picture::{MARGIN, Picture, Plot, SMALL, TEXT, TEXT_LINE, TITLE, WIDTH};
use super::shades::{LEVELS, Rectangle, Shades};
use super::{Chart, Document, Kind, Piece, View, clock};
use crate::escape::markup;
use crate::figure::typeset;
use crate::number::grouped;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A rectangle that is narrower than this many pixels, or lower than the next, is drawn in shades.
const LEAST_WIDTH: f64 = 1.0;
const LEAST_HEIGHT: f64 = 0.75;
/// Both sides of a rectangle that has room for an edge.
const EDGED: f64 = 3.0;

const STYLE: &str = "text{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;fill:#212529}\
.soft{fill:#5a626a}.e{stroke:#fff;stroke-width:.6}.tick{stroke:#212529;stroke-width:1}\
.grid{stroke:#e2e6ea;stroke-width:1}.slice{stroke:#212529;stroke-width:1;stroke-opacity:.45}";

/// Draws the document.
pub(super) fn document(chart: &Chart, view: View) -> Document {
    let pieces = chart.seen(view);
    let all_notes = |shaded: usize, hidden_slices: bool| notes(chart, view, &pieces, shaded, hidden_slices);
    let slices = !chart.slices_seen(view).is_empty();
    // Notes take room, and how much is drawn together depends on what is left.
    let draft = Picture::of(chart, view, 2);
    let hidden = slices && draft.strip == 0.0;
    let count = all_notes(sorted(&draft.plot, &pieces).1, hidden).len();
    let picture = Picture::of(chart, view, count);
    let (large, shaded) = sorted(&picture.plot, &pieces);
    let mut out = Svg::begin(chart, &picture);
    out.legend(chart, view, &picture, !pieces.iter().all(|piece| piece.kind == Kind::Running));
    out.axes(&picture, view);
    out.small(chart, view, &picture.plot, (&pieces, shaded));
    out.large(chart, view, &picture.plot, &large);
    out.swaps(chart, view, &picture.plot);
    out.slices(chart, view, &picture);
    out.notes(&picture, &all_notes(shaded, hidden));
    out.text.push_str("</svg>\n");
    Document { text: out.text, rectangles: pieces.len(), shaded }
}

/// The pieces that are drawn one by one, by job and kind, and the number of the others.
fn sorted<'a>(plot: &Plot, pieces: &'a [Piece]) -> (BTreeMap<(usize, bool), Vec<&'a Piece>>, usize) {
    let mut large: BTreeMap<(usize, bool), Vec<&Piece>> = BTreeMap::new();
    let mut small = 0;
    for piece in pieces {
        if is_small(plot.rectangle(piece)) {
            small += 1;
        } else {
            large.entry((piece.job, piece.kind == Kind::Loading)).or_default().push(piece);
        }
    }
    (large, small)
}

fn is_small([left, top, right, bottom]: Rectangle) -> bool {
    right - left < LEAST_WIDTH || bottom - top < LEAST_HEIGHT
}

fn notes(chart: &Chart, view: View, pieces: &[Piece], shaded: usize, hidden_slices: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let number = |count: usize| grouped(count as f64, 0);
    if shaded > 0 {
        notes.push(format!(
            "{} of {} rectangles are smaller than a pixel and drawn together: in the colour of most of them, the stronger the \
             more of the area is in use.",
            number(shaded),
            number(pieces.len())
        ));
    }
    if hidden_slices {
        notes.push(format!(
            "{} slices are too narrow to be shown; a shorter range of time shows them.",
            number(chart.slices_seen(view).len())
        ));
    }
    notes.into_iter().flat_map(|note| typeset::lines(&note, SMALL, WIDTH - 2.0 * MARGIN)).collect()
}

/// A pixel coordinate: hundredths, no needless zeros.
fn px(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Adds a rectangle to the data of a path.
fn outline(path: &mut String, [left, top, right, bottom]: Rectangle) {
    let (width, height) = (px(right - left), px(bottom - top));
    let _ = write!(path, "M{} {}h{width}v{height}h-{width}z", px(left), px(top));
}

/// The document as it grows.
struct Svg {
    text: String,
}

impl Svg {
    fn begin(chart: &Chart, picture: &Picture) -> Svg {
        let (title, height) = (markup(&chart.title), px(picture.height));
        let mut out = Svg {
            text: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
                 role=\"img\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" \
                 fill=\"#fff\"/>\n"
            ),
        };
        let mut y = MARGIN + TITLE * 0.8;
        for line in &picture.title {
            out.words(line, (MARGIN, y), TITLE, "font-weight=\"bold\"");
            y += 23.0;
        }
        for line in &picture.facts {
            out.words(line, (MARGIN, y), TEXT, "class=\"soft\"");
            y += TEXT_LINE;
        }
        out
    }

    fn words(&mut self, text: &str, (x, y): (f64, f64), size: f64, attributes: &str) {
        let (x, y, text) = (px(x), px(y), markup(text));
        let _ =
            writeln!(self.text, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" {attributes}>{text}</text>");
    }

    fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(px);
        let _ =
            writeln!(self.text, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
    }

    /// Samples of all shades, of loading and of swaps, and the hatches that loading is painted with.
    fn legend(&mut self, chart: &Chart, view: View, picture: &Picture, loading: bool) {
        let shades = view.colouring.shades(chart);
        self.text.push_str("<defs>\n");
        for (at, shade) in shades.iter().enumerate() {
            let (colour, light) = (shade.colour, lighter(shade.colour));
            let _ = writeln!(
                self.text,
                "<pattern id=\"h{at}\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" \
                 patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" fill=\"{light}\"/><rect width=\"1.6\" \
                 height=\"5\" fill=\"{colour}\"/></pattern>"
            );
        }
        self.text.push_str("</defs>\n");
        let y = picture.legend_y;
        let mut x = MARGIN;
        self.words(view.colouring.heading(), (x, y + 4.0), TEXT, "font-weight=\"bold\"");
        x += typeset::width(view.colouring.heading(), TEXT * typeset::BOLD) + 12.0;
        for Shade { colour, label } in &shades {
            x = self.sample(colour, label, (x, y));
        }
        if loading {
            x = self.sample("url(#h0)", "loading (hatched)", (x + 10.0, y));
        }
        if !chart.swaps_seen(view).is_empty() {
            self.rectangle(SWAP, [x + 12.0, y - 7.0, x + 14.0, y + 7.0]);
            self.words("memory swapped out", (x + 22.0, y + 4.0), TEXT, "");
        }
    }

    /// A sample and its label; where the next may begin.
    fn sample(&mut self, fill: &str, label: &str, (x, y): (f64, f64)) -> f64 {
        self.rectangle(fill, [x, y - 6.0, x + 18.0, y + 6.0]);
        if label.is_empty() {
            return x + 20.0;
        }
        self.words(label, (x + 24.0, y + 4.0), TEXT, "");
        x + 24.0 + typeset::width(label, TEXT) + 16.0
    }

    fn rectangle(&mut self, fill: &str, rectangle: Rectangle) {
        let mut path = String::new();
        outline(&mut path, rectangle);
        let _ = writeln!(self.text, "<path fill=\"{fill}\" d=\"{path}\"/>");
    }

    fn axes(&mut self, picture: &Picture, view: View) {
        let plot = &picture.plot;
        let (right, bottom) = (plot.left + plot.width, plot.top + plot.height);
        let step = clock::step(view.to_us.saturating_sub(view.from_us), plot.most_ticks());
        for tick in clock::ticks(view.from_us, view.to_us, step) {
            let x = plot.left + plot.x(tick);
            self.line("grid", (x, plot.top), (x, bottom));
            self.line("tick", (x, bottom), (x, bottom + 5.0));
            let label = clock::label(tick, step);
            // The outermost labels stay within the picture.
            let half = typeset::width(&label, TEXT) / 2.0;
            let x = x.min(WIDTH - MARGIN * 0.5 - half);
            self.words(&label, (x, bottom + 18.0), TEXT, "text-anchor=\"middle\"");
        }
        for node in plot.numbered() {
            let y = plot.top + (plot.y(node) + plot.y(node + 1)) / 2.0;
            self.line("tick", (plot.left - 5.0, y), (plot.left, y));
            self.words(&node.to_string(), (plot.left - 9.0, y + 4.0), TEXT, "text-anchor=\"end\"");
        }
        let title = if step >= 86_400_000_000 { "time (days)" } else { "time (days, hours:minutes)" };
        let middle = plot.left + plot.width / 2.0;
        self.words(title, (middle, bottom + 35.0), TEXT, "class=\"soft\" text-anchor=\"middle\"");
        let (x, y) = (MARGIN + 8.0, plot.top + plot.height / 2.0);
        let turned =
            format!("class=\"soft\" text-anchor=\"middle\" transform=\"rotate(-90 {} {})\"", px(x), px(y));
        self.words("node", (x, y), TEXT, &turned);
        let frame = [plot.left, plot.top, right, bottom];
        let mut path = String::new();
        outline(&mut path, frame);
        let _ = writeln!(self.text, "<path fill=\"none\" stroke=\"#212529\" d=\"{path}\"/>");
    }

    /// Opens a group whose origin is the plot's upper left corner.
    fn group(&mut self, plot: &Plot, attributes: &str) {
        let _ = writeln!(
            self.text,
            "<g {attributes} transform=\"translate({} {})\">",
            px(plot.left),
            px(plot.top)
        );
    }

    fn small(&mut self, chart: &Chart, view: View, plot: &Plot, (pieces, shaded): (&[Piece], usize)) {
        let colours: Vec<String> = view
            .colouring
            .shades(chart)
            .iter()
            .flat_map(|shade| [shade.colour.to_owned(), lighter(shade.colour)])
            .collect();
        let mut shades = Shades::new((plot.width, plot.height), colours.len(), shaded);
        for piece in pieces {
            let rectangle = plot.rectangle(piece);
            if is_small(rectangle) {
                let shade = view.colouring.shade(&chart.jobs[piece.job], piece.job);
                shades.add(rectangle, 2 * shade + usize::from(piece.kind == Kind::Loading));
            }
        }
        self.group(plot, "id=\"shades\" shape-rendering=\"crispEdges\"");
        for ((colour, level), rectangles) in shades.painted() {
            let mut path = String::new();
            for [left, top, right, bottom] in rectangles {
                outline(&mut path, [left, top, right.min(plot.width), bottom.min(plot.height)]);
            }
            let opacity = f64::from(level) / f64::from(LEVELS);
            let _ = writeln!(
                self.text,
                "<path fill=\"{}\" fill-opacity=\"{opacity}\" d=\"{path}\"/>",
                colours[colour]
            );
        }
        self.text.push_str("</g>\n");
    }

    fn large(
        &mut self,
        chart: &Chart,
        view: View,
        plot: &Plot,
        large: &BTreeMap<(usize, bool), Vec<&Piece>>,
    ) {
        let shades = view.colouring.shades(chart);
        self.group(plot, "id=\"pieces\"");
        for ((index, loading), pieces) in large {
            let job = &chart.jobs[*index];
            let shade = view.colouring.shade(job, *index);
            let fill = match loading {
                true => format!("url(#h{shade})"),
                false => shades[shade].colour.to_owned(),
            };
            let mut path = String::new();
            let mut edged = true;
            for piece in pieces {
                let rectangle @ [left, top, right, bottom] = plot.rectangle(piece);
                edged &= right - left >= EDGED && bottom - top >= EDGED;
                outline(&mut path, rectangle);
            }
            let class = if edged { " class=\"e\"" } else { "" };
            let _ = writeln!(
                self.text,
                "<path{class} fill=\"{fill}\" d=\"{path}\"><title>job {}: {} nodes, waited {}, took {}{}</title></path>",
                job.id,
                job.size,
                clock::length(job.wait_us()),
                clock::length(job.end_us - job.start_us.unwrap_or(job.end_us)),
                if *loading { "; loading" } else { "" }
            );
        }
        self.text.push_str("</g>\n");
    }

    /// A stroke on the nodes of every job that lost memory, where it happened; what falls on the same half pixel once.
    fn swaps(&mut self, chart: &Chart, view: View, plot: &Plot) {
        let swaps = chart.swaps_seen(view);
        if swaps.is_empty() {
            return;
        }
        let mut ranges: BTreeMap<usize, BTreeSet<(u32, u32)>> = BTreeMap::new();
        for piece in &chart.pieces {
            ranges.entry(piece.job).or_default().insert((piece.first, piece.last));
        }
        let mut drawn = BTreeSet::new();
        let mut path = String::new();
        for swap in swaps {
            for (first, last) in ranges.get(&swap.job).into_iter().flatten() {
                let (x, y) = (plot.x(swap.at_us), plot.y(*first));
                let height = (plot.y(last.saturating_add(1)) - y).max(1.0);
                let key = [x, y, height].map(|value| (value * 2.0).round() as i64);
                if drawn.insert(key) {
                    let _ = write!(path, "M{} {}v{}", px(x), px(y), px(height));
                }
            }
        }
        self.group(plot, "id=\"swaps\"");
        let _ = writeln!(self.text, "<path stroke=\"{SWAP}\" stroke-width=\"2\" d=\"{path}\"/>\n</g>");
    }

    /// Lines where slices begin, and above them what class they belong to, where its name has room.
    fn slices(&mut self, chart: &Chart, view: View, picture: &Picture) {
        if picture.strip == 0.0 {
            return;
        }
        let plot = &picture.plot;
        let bottom = plot.top + plot.height;
        for (from, to, name) in chart.slices_seen(view) {
            let (left, right) = (plot.left + plot.x(from), plot.left + plot.x(to));
            if from > view.from_us {
                self.line("slice", (left, plot.top - picture.strip), (left, bottom));
            }
            let initial: String = name.chars().take(1).collect();
            let fitting =
                [name, &initial].into_iter().find(|text| typeset::width(text, SMALL) + 3.0 <= right - left);
            if let Some(text) = fitting {
                let middle = (left + right) / 2.0;
                self.words(text, (middle, plot.top - 4.0), SMALL, "class=\"soft\" text-anchor=\"middle\"");
            }
        }
    }

    fn notes(&mut self, picture: &Picture, notes: &[String]) {
        let mut y = picture.plot.top + picture.plot.height + 35.0 + TEXT_LINE + 3.0;
        for note in notes {
            self.words(note, (MARGIN, y), SMALL, "class=\"soft\"");
            y += TEXT_LINE;
        }
    }
}
