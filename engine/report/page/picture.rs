//! A figure's document as a part of the page: names that are its own, colours that follow the page, and without what says nothing.
//!
//! Elements that a figure of this program never has are refused, so that no result folder brings a program into the page.

use super::PictureFile;
use super::anchor::anchor;
use super::html::{Html, element};
use super::theme;
use super::xml::{Piece, pieces};
use crate::error::ReportError;
use std::fmt::Write;

/// Name and value as they are written.
type Attribute<'a> = (&'a str, &'a str);

const ELEMENTS: [&str; 15] = [
    "svg", "g", "title", "defs", "pattern", "style", "rect", "line", "path", "polyline", "polygon", "circle",
    "text", "tspan", "ellipse",
];

/// A figure that is ready for the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Picture {
    /// Its file's name without ending.
    pub stem: String,
    /// `trace`, `twin` or `model`, where its name says so.
    pub mode: Option<String>,
    /// Its title.
    pub title: String,
    /// The name of its place on the page.
    pub anchor: String,
    /// Its width in pixels, as it was drawn.
    pub width: f64,
    /// Its document.
    pub svg: Html,
}

/// Makes a figure a part of the page; `about` says in words what a title leaves out.
///
/// # Errors
/// If it is no figure of this program.
pub(super) fn picture(study: &str, file: &PictureFile, about: &str) -> Result<Picture, ReportError> {
    let stem = file.name.strip_suffix(".svg").unwrap_or(&file.name).to_owned();
    let anchor = anchor(&["figure", study, &stem]);
    let refused = |reason| ReportError::Picture { file: format!("{study}/figures/{}", file.name), reason };
    let (title, width, svg) = inlined(&file.svg, &anchor, about).map_err(refused)?;
    let mode = stem.rsplit_once('-').map(|(_, mode)| mode.to_owned());
    let mode = mode.filter(|mode| ["trace", "twin", "model"].contains(&mode.as_str()));
    Ok(Picture { stem, mode, title, anchor, width, svg })
}

fn inlined(document: &str, anchor: &str, about: &str) -> Result<(String, f64, Html), String> {
    let pieces = pieces(document)?;
    let Some((Piece::Open("svg", outer, false), inner)) = pieces.split_first() else {
        return Err("it does not begin with <svg>".to_owned());
    };
    let (title, inner) = match inner {
        [Piece::Text(_), rest @ ..] => titled(rest),
        rest => titled(rest),
    };
    let size = |name: &str| outer.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    let (Some(width), Some(height), Some(view)) = (size("width"), size("height"), size("viewBox")) else {
        return Err("it has no width, height or viewBox".to_owned());
    };
    let body = body(inner, anchor)?;
    let body = body.strip_suffix("</svg>").ok_or("it does not end with </svg>")?;
    let [title_anchor, about_anchor] = ["title", "about"].map(|part| format!("{anchor}-{part}"));
    let described = format!("{title_anchor} {about_anchor}");
    let attributes = [
        ("width", width),
        ("height", height),
        ("viewBox", view),
        ("role", "img"),
        ("aria-labelledby", &described),
    ];
    let content = [
        Html::of_markup(format!("<title id=\"{title_anchor}\">{title}</title>")),
        element("desc", &[("id", &about_anchor)], about),
        Html::of_markup(body.to_owned()),
    ];
    let svg = element("svg", &attributes, content.into_iter().collect::<Html>());
    Ok((unescaped(title), width.parse().unwrap_or(0.0), svg))
}

/// What stands in the document, with the end of its first element.
fn body(pieces: &[Piece<'_>], anchor: &str) -> Result<String, String> {
    let (mut out, mut strokes) = (String::new(), Strokes::default());
    let mut within = "svg";
    for piece in pieces {
        if let Piece::Open("line", attributes, true) = piece
            && let Some((ends, attributes)) = stroke(attributes)
        {
            let look = rewritten("line", &attributes, anchor)?;
            strokes.add(look, ends, &mut out);
            continue;
        }
        if matches!(piece, Piece::Text(text) if text.trim().is_empty()) {
            continue;
        }
        strokes.end(&mut out);
        match piece {
            Piece::Text(text) if within == "style" => out.push_str(&scoped(text, anchor)?),
            Piece::Text(text) => out.push_str(text.trim()),
            Piece::Open(name, attributes, empty) => {
                let (attributes, end) = (rewritten(name, attributes, anchor)?, if *empty { "/" } else { "" });
                let _ = write!(out, "<{name}{attributes}{end}>");
                within = if *empty { within } else { name };
            }
            Piece::Close(name) => {
                let _ = write!(out, "</{name}>");
                within = "svg";
            }
        }
    }
    Ok(out)
}

/// Straight lines that follow each other and look alike become one path, a quarter as long; they are opaque, so it looks the same.
#[derive(Default)]
struct Strokes {
    look: String,
    path: String,
}

impl Strokes {
    fn add(&mut self, look: String, [x1, y1, x2, y2]: [&str; 4], out: &mut String) {
        if look != self.look {
            self.end(out);
            self.look = look;
        }
        let _ = match (x1 == x2, y1 == y2) {
            (_, true) => write!(self.path, "M{x1} {y1}H{x2}"),
            (true, _) => write!(self.path, "M{x1} {y1}V{y2}"),
            _ => write!(self.path, "M{x1} {y1}L{x2} {y2}"),
        };
    }

    fn end(&mut self, out: &mut String) {
        if !self.path.is_empty() {
            let _ = write!(out, "<path{} d=\"{}\"/>", self.look, self.path);
            self.path.clear();
        }
    }
}

/// The ends of an opaque line that has no name, and its other attributes.
fn stroke<'a>(attributes: &[Attribute<'a>]) -> Option<([&'a str; 4], Vec<Attribute<'a>>)> {
    const ENDS: [&str; 4] = ["x1", "y1", "x2", "y2"];
    let of = |name: &str| attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    let number = |name: &&str| of(name).filter(|value| value.parse::<f64>().is_ok());
    let ends: Vec<&str> = ENDS.iter().filter_map(number).collect();
    let plain = of("opacity").is_none_or(|value| value == "1") && of("id").is_none();
    let rest = attributes.iter().filter(|(name, _)| !ENDS.contains(name)).copied().collect();
    Some((ends.try_into().ok().filter(|_| plain)?, rest))
}

/// The document's title as it is written, and what comes after it.
fn titled<'a, 'b>(inner: &'b [Piece<'a>]) -> (&'a str, &'b [Piece<'a>]) {
    match inner {
        [Piece::Open("title", _, false), Piece::Text(title), Piece::Close(_), rest @ ..] => {
            (title.trim(), rest)
        }
        rest => ("", rest),
    }
}

fn unescaped(text: &str) -> String {
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

/// The attributes of an element with names and colours of the page.
fn rewritten(element: &str, attributes: &[(&str, &str)], anchor: &str) -> Result<String, String> {
    if !ELEMENTS.contains(&element) {
        return Err(format!("figures have no <{element}>"));
    }
    let (mut out, mut classes) = (String::new(), Vec::new());
    for (name, value) in attributes {
        match *name {
            "class" => classes.extend(value.split_whitespace().map(|class| format!("p-{class}"))),
            "fill" | "stroke" if theme::of(value).is_some() => {
                let shade = theme::of(value).map_or("", |shade| shade.name);
                classes.push(format!("{}-{shade}", &name[..1]));
            }
            "id" => push(&mut out, name, &format!("{anchor}-{value}")),
            "font-size" => {
                push(&mut out, name, &value.parse().map_or((*value).to_owned(), crate::number::plain))
            }
            // What an element is without being told; the page's style has the font.
            "opacity" if *value == "1" => {}
            "stroke-width" if !attributes.iter().any(|(name, _)| ["stroke", "class"].contains(name)) => {}
            "xmlns" | "font-family" | "role" => {}
            "stroke" if *value == "none" && element != "g" => {}
            name if name.starts_with("on") || name.ends_with("href") || name == "style" => {
                return Err(format!("figures have no {name}"));
            }
            name => push(&mut out, name, &value.replace("url(#", &format!("url(#{anchor}-"))),
        }
    }
    if !classes.is_empty() {
        push(&mut out, "class", &classes.join(" "));
    }
    Ok(out)
}

/// The value is as it was written between quotes of either kind.
fn push(out: &mut String, name: &str, value: &str) {
    let _ = write!(out, " {name}=\"{}\"", value.replace('"', "&quot;"));
}

/// A style for this figure alone, in colours of the page. Rules are simple: a class or an element, and declarations.
fn scoped(style: &str, anchor: &str) -> Result<String, String> {
    let mut out = String::new();
    for rule in style.split('}').map(str::trim).filter(|rule| !rule.is_empty()) {
        let (selector, declarations) = rule.split_once('{').ok_or("its style cannot be read")?;
        let selector = match selector.trim().strip_prefix('.') {
            Some(class) => format!(".p-{class}"),
            None => selector.trim().to_owned(),
        };
        if !selector.trim_start_matches('.').chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(format!("its style has the selector {selector}"));
        }
        let declarations: Vec<String> = declarations.split(';').map(declaration).collect();
        let _ = write!(out, "[id=\"{anchor}\"] {selector}{{{}}}", declarations.join(";"));
    }
    Ok(out)
}

fn declaration(text: &str) -> String {
    match text.split_once(':') {
        Some((name, value)) => match theme::of(value) {
            Some(shade) => format!("{name}:var(--{})", shade.name),
            None => text.to_owned(),
        },
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn shown(svg: &str) -> Result<Picture, ReportError> {
        let file = PictureFile { name: "figure3-twin.svg".to_owned(), svg: svg.to_owned() };
        picture("s", &file, "lines")
    }

    #[test]
    fn names_and_colours_become_those_of_the_page() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"3\" viewBox=\"0 0 16 12\" role=\"img\">\n\
            <title>Waits &lt; 3</title>\n<style>text{fill:#212529}.e{stroke:#fff;stroke-width:.6}</style>\
            <defs><pattern id=\"h0\"/></defs>\n<rect x=\"0\" opacity=\"1\" fill=\"#FFFFFF\" stroke=\"none\"/>\n\
            <line stroke=\"#E2E6EA\" x1=\"1\" y1=\"2\" x2=\"9\" y2=\"2\"/>\n\
            <line stroke=\"#E2E6EA\" x1=\"1\" y1=\"2\" x2=\"1\" y2=\"8\"/>\n\
            <line stroke=\"#E2E6EA\" x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4\" opacity=\"0.5\"/>\n\
            <path class=\"e\" fill=\"url(#h0)\" stroke=\"#123456\" opacity=\"0.5\"/>\n\
            <text font-size=\"52.00000000000001\" fill=\"#212529\">\na &amp; b\n</text>\n</svg>\n";
        let found = shown(svg).unwrap_or_default();
        assert_eq!((found.mode.as_deref(), found.title.as_str()), (Some("twin"), "Waits < 3"));
        expect![[r##"
            <svg width="4" height="3" viewBox="0 0 16 12" role="img" aria-labelledby="figure.s.figure3-twin-title figure.s.figure3-twin-about"><title id="figure.s.figure3-twin-title">Waits &lt; 3</title><desc id="figure.s.figure3-twin-about">lines</desc><style>[id="figure.s.figure3-twin"] text{fill:var(--ink)}[id="figure.s.figure3-twin"] .p-e{stroke:var(--paper);stroke-width:.6}</style><defs><pattern id="figure.s.figure3-twin-h0"/></defs><rect x="0" class="f-paper"/><path class="s-grid" d="M1 2H9M1 2V8"/><line x1="1" y1="2" x2="3" y2="4" opacity="0.5" class="s-grid"/><path fill="url(#figure.s.figure3-twin-h0)" stroke="#123456" opacity="0.5" class="p-e"/><text font-size="52" class="f-ink">a &amp; b</text></svg>"##]]
        .assert_eq(&found.svg.into_text());
    }

    #[test]
    fn what_is_no_figure_is_refused() {
        let whole = |inner: &str| format!("<svg width=\"1\" height=\"1\" viewBox=\"0 0 1 1\">{inner}</svg>");
        for inner in [
            "<script>1</script>",
            "<rect onclick=\"1\"/>",
            "<image href=\"a.png\"/>",
            "<g>",
            "<style>a b{}</style>",
        ] {
            let problem = shown(&whole(inner)).map_err(|problem| problem.to_string());
            assert!(problem.is_err_and(|text| text.contains("s/figures/figure3-twin.svg")), "{inner}");
        }
        assert!(shown("").is_err() && shown("<svg></svg>").is_err() && shown("no").is_err());
        assert!(shown(&whole("")).is_ok());
    }
}
