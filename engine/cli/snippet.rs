//! Cuts long lines of a text that is shown with a mark in it.

use std::ops::Range;

/// More characters than this of a line are not shown.
const WIDTH: usize = 100;

/// How many characters before the mark are kept.
const BEFORE: usize = 40;

/// The text with every long line cut, the marked one around the mark, and where the mark is then.
pub fn clip(text: &str, mark: Range<usize>) -> (String, Range<usize>) {
    if text.lines().all(|line| line.chars().count() <= WIDTH) {
        return (text.to_owned(), mark);
    }
    let (mut out, mut start, mut end) = (String::new(), mark.start, mark.end);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let (content, newline) = match line.strip_suffix('\n') {
            Some(content) => (content, "\n"),
            None => (line, ""),
        };
        let marked = (at..at + line.len()).contains(&mark.start) || mark.start == text.len();
        let kept = window(content, marked.then_some(mark.start.saturating_sub(at)));
        let front = if kept.start > 0 { "…" } else { "" };
        let moved = |place: usize| {
            let inside = place.saturating_sub(at).clamp(kept.start, kept.end) - kept.start;
            out.len() + front.len() + inside
        };
        if (at..at + line.len()).contains(&mark.start) {
            start = moved(mark.start);
            end = moved(mark.end).max(start);
        }
        if mark.start == text.len() && newline.is_empty() {
            (start, end) = (moved(mark.start), moved(mark.start));
        }
        out.push_str(front);
        out.push_str(content.get(kept.clone()).unwrap_or_default());
        if kept.end < content.len() {
            out.push('…');
        }
        out.push_str(newline);
        at += line.len();
    }
    let length = out.len();
    (out, start.min(length)..end.min(length))
}

/// Which bytes of a line are shown, where `mark` is the byte that must be.
fn window(line: &str, mark: Option<usize>) -> Range<usize> {
    if line.chars().count() <= WIDTH {
        return 0..line.len();
    }
    let mark = line.char_indices().take_while(|(at, _)| mark.is_some_and(|mark| *at < mark)).count();
    let first = mark.saturating_sub(BEFORE);
    let byte = |count: usize| line.char_indices().nth(count).map_or(line.len(), |(at, _)| at);
    byte(first)..byte(first + WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines_stay_and_long_ones_are_cut_around_the_mark() {
        assert_eq!(clip("a\nbcd\n", 3..4), ("a\nbcd\n".to_owned(), 3..4));
        let long = format!("{}MARK{}", "ä".repeat(300), "z".repeat(300));
        let text = format!("first\n{long}\nlast");
        let at = text.find('M').unwrap_or_default();
        let (cut, span) = clip(&text, at..at + 4);
        assert_eq!(cut.get(span), Some("MARK"));
        let lines: Vec<&str> = cut.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[2]), (3, "first", "last"));
        assert_eq!(lines[1].chars().count(), WIDTH + 2);
        assert!(lines[1].starts_with('…') && lines[1].ends_with('…'));
    }

    #[test]
    fn marks_at_the_ends_stay_in_the_text() {
        for (text, mark) in [("", 0..0), ("ab", 2..2), ("ab\n", 3..3), ("ab\ncd", 1..5)] {
            assert_eq!(clip(text, mark.clone()), (text.to_owned(), mark));
        }
        let long = "x".repeat(300);
        for text in [long.clone(), format!("{long}\n"), format!("a\n{long}"), format!("{long}\nb")] {
            for mark in [0..0, 0..1, 150..151, 299..300, 1..text.len(), text.len()..text.len()] {
                let (cut, span) = clip(&text, mark.clone());
                assert!(cut.get(span.clone()).is_some(), "{text:?} {mark:?} {span:?}");
            }
        }
    }
}
