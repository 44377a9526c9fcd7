//! Text of at most 80 columns.

/// The widest line.
const COLUMNS: usize = 80;

/// The words of a text whose first line begins in column `at` and whose further ones are indented by so many spaces. No sign, and no
/// number behind one, begins such a line: Markdown would take `-` or `1)` there for a list.
pub fn wrapped(text: &str, at: usize, indent: usize) -> String {
    let (mut lines, mut column) = (String::new(), at);
    for (index, word) in words(text).iter().enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > COLUMNS {
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            column = indent;
        } else if index > 0 {
            lines.push(' ');
            column += 1;
        }
        lines.push_str(word);
        column += length;
    }
    lines
}

/// Words; a sign is one word with those on both of its sides.
fn words(text: &str) -> Vec<String> {
    const SIGNS: [char; 9] = ['-', '+', '*', '>', '#', '=', '|', '/', '<'];
    let mut words: Vec<String> = Vec::new();
    let mut after_sign = false;
    for word in text.split(' ') {
        match words.last_mut() {
            Some(last) if after_sign || word.starts_with(SIGNS) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
        after_sign = word.len() == 1 && word.starts_with(SIGNS);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn lines_end_before_the_margin() {
        let text = wrapped(&"word ".repeat(40), 30, 2);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0].len(), 49, "{text}");
        assert_eq!(lines[1].len(), 76, "{text}");
        assert!(lines[1..].iter().all(|line| line.starts_with("  word")), "{text}");
    }

    #[test]
    fn no_sign_begins_a_line() {
        for length in 60..80 {
            let text = wrapped(&format!("{} case - baseline < 3", "x".repeat(length)), 0, 2);
            assert!(!text.contains("\n  -") && !text.contains("\n  <"), "{text}");
        }
    }
}
