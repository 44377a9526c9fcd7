//! Widths of text without a font: advance widths of Helvetica in classes, with a margin for wider fallback fonts.

const MARGIN: f64 = 1.06;

/// How much wider bold text is.
pub(crate) const BOLD: f64 = 1.12;

/// The estimated width of a text in pixels at a font size in pixels.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(advance).sum::<f64>() * size * MARGIN
}

fn advance(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' => 0.23,
        ' ' | '.' | ',' | ':' | ';' | '!' | 'f' | 't' | 'I' | '·' | '/' | '[' | ']' | '(' | ')' | 'r'
        | '-' => 0.33,
        'm' | 'M' | 'W' | '%' | '@' => 0.88,
        'w' | 'C' | 'D' | 'G' | 'H' | 'N' | 'O' | 'Q' | 'R' | 'U' | '&' => 0.74,
        '…' | '—' => 1.0,
        'A'..='Z' | '+' | '=' | '<' | '>' | '~' | '×' | '−' => 0.64,
        c if c.is_ascii() => 0.556,
        c if ('\u{2e80}'..='\u{ffef}').contains(&c) || c >= '\u{1f000}' => 1.05,
        _ => 0.6,
    }
}

/// The text in lines no wider than `limit` pixels, broken at spaces. A longer word keeps a line of its own.
pub(crate) fn lines(text: &str, size: f64, limit: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
