//! Text that is data, in documents that are markup. Titles hold names of files, which may be anything.

use std::fmt::Write;

/// Text between tags or in a quoted attribute, of XML and HTML alike. What XML forbids becomes `�`.
pub(crate) fn markup(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A JSON string with its quotes that may stand in a script element: no `<` begins a tag or a comment there.
pub(crate) fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c.is_control() || matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') => {
                // All of these lie in the basic plane, where a unit is a character.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_the_element_that_it_stands_in() {
        let nasty = "</script><!-- & \"a\" 'b' \\ \u{1}\n\u{2028}é";
        assert_eq!(
            json(nasty),
            "\"\\u003c/script\\u003e\\u003c!-- \\u0026 \\\"a\\\" 'b' \\\\ \\u0001\\u000a\\u2028é\""
        );
        assert_eq!(
            markup(nasty),
            "&lt;/script&gt;&lt;!-- &amp; &quot;a&quot; &#39;b&#39; \\ \u{fffd} \u{2028}é"
        );
    }
}
