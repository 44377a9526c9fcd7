//! How a written value looks in a column.

/// The normal form of a written value, as columns print it: no comments, one space after `,` and `:`, no trailing commas, no
/// empty `()` after a name; a lone string without its quotes. Equal values written with other spacing get equal forms.
pub(crate) fn normal_form(text: &str) -> String {
    let text = text.trim();
    if let Ok(string) = ron::from_str::<String>(text) {
        return string;
    }
    let mut out = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let taken = match letter {
            '"' => string_length(rest),
            '/' if rest.starts_with("//") => {
                rest = rest.split_once('\n').map_or("", |(_, after)| after);
                continue;
            }
            '/' if rest.starts_with("/*") => {
                rest = rest.split_once("*/").map_or("", |(_, after)| after);
                continue;
            }
            _ => letter.len_utf8(),
        };
        let (token, after) = rest.split_at(taken);
        push_token(&mut out, token);
        rest = after;
    }
    out
}

fn push_token(out: &mut String, token: &str) {
    match token {
        white if white.trim().is_empty() => {}
        "," | ":" => {
            out.push_str(token);
            out.push(' ');
        }
        ")" | "]" | "}" => {
            if out.ends_with(", ") {
                out.truncate(out.len() - 2);
            }
            let named =
                out.strip_suffix('(').is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric()));
            if token == ")" && named {
                out.pop();
            } else {
                out.push_str(token);
            }
        }
        _ => out.push_str(token),
    }
}

/// Bytes of the string literal that `text` begins with.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_forms_do_not_depend_on_spacing() {
        assert_eq!(normal_form(" Easy( ) "), "Easy");
        assert_eq!(normal_form("Tree( arity:4,levels : 4 , )"), "Tree(arity: 4, levels: 4)");
        assert_eq!(
            normal_form("Tree(\n  arity: 4, // ports\n  levels: /* n */ 4)"),
            "Tree(arity: 4, levels: 4)"
        );
        assert_eq!(normal_form("Log(name: \"a, b(\\\" )\")"), "Log(name: \"a, b(\\\" )\")");
        assert_eq!(normal_form("\"HPC2N\""), "HPC2N");
        assert_eq!(
            normal_form("Priority(order: Weighted(), reservations: All)"),
            "Priority(order: Weighted, reservations: All)"
        );
        assert_eq!(normal_form("0.50"), "0.50");
    }
}
