//! Breaking text into lines of a width in terminal cells.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The text's width in terminal cells.
pub(super) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The text in lines of at most `columns` cells, broken at spaces, and inside words that are longer than a line.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace().flat_map(|word| pieces(word, columns)) {
        if !line.is_empty() && width(&line) + 1 + width(&word) > columns {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

fn pieces(word: &str, columns: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for c in word.chars() {
        let cells = c.width().unwrap_or(0);
        if used + cells > columns && used > 0 {
            pieces.push(String::new());
            used = 0;
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
        used += cells;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::{width, wrap};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_line_is_wider_and_no_letter_is_lost(text in "[a-zé大 ]{0,120}", columns in 2usize..40) {
            let lines = wrap(&text, columns);
            for line in &lines {
                prop_assert!(width(line) <= columns, "{line:?} is wider than {columns}");
            }
            let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(letters(&lines.concat()), letters(&text));
        }
    }
}
