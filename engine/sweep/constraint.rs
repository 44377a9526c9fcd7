//! Constraints on a grid's points: conjunctions of `column operator value`.

use crate::axis::Label;
use crate::problem::Problem;
use crate::ron_text::Written;

/// `a = x and b > 1`: true of a point where all terms are.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    pub(crate) place: Written,
    pub(crate) terms: Vec<Term>,
}

/// `column operator value`.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) column: Written,
    pub(crate) operator: Operator,
    pub(crate) value: Written,
}

/// How a column is compared with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

/// Longer spellings first: `<=` begins with `<`.
const OPERATORS: &[(&str, Operator)] = &[
    ("!=", Operator::NotEqual),
    ("<=", Operator::AtMost),
    (">=", Operator::AtLeast),
    ("==", Operator::Equal),
    ("=", Operator::Equal),
    ("<", Operator::Less),
    (">", Operator::Greater),
];

const SHAPE: &str = "a constraint reads `column = value and other > 0`, with = != < <= > >=";

impl Operator {
    /// Whether it asks which value comes first, which only numbers answer.
    pub(crate) fn is_order(self) -> bool {
        !matches!(self, Operator::Equal | Operator::NotEqual)
    }

    /// Whether `cell operator wanted` is true. A missing cell is equal to `None` alone, and in no order with anything.
    pub(crate) fn holds(self, cell: &Label, wanted: &Label) -> bool {
        let order = match (cell.number, wanted.number) {
            (Some(a), Some(b)) => a.partial_cmp(&b),
            _ if cell.text == wanted.text => Some(std::cmp::Ordering::Equal),
            _ => None,
        };
        match self {
            Operator::Equal => order.is_some_and(|o| o.is_eq()),
            Operator::NotEqual => !order.is_some_and(|o| o.is_eq()),
            Operator::Less => order.is_some_and(|o| o.is_lt()),
            Operator::AtMost => order.is_some_and(|o| o.is_le()),
            Operator::Greater => order.is_some_and(|o| o.is_gt()),
            Operator::AtLeast => order.is_some_and(|o| o.is_ge()),
        }
    }
}

impl Constraint {
    /// Reads a constraint from its string literal.
    pub(crate) fn read(literal: &Written) -> Result<Constraint, Problem> {
        let inside = content(literal)?;
        let terms = conjuncts(&inside).iter().map(term).collect::<Result<_, _>>()?;
        Ok(Constraint { place: literal.clone(), terms })
    }
}

/// The text between the quotes, where every byte stands for itself.
fn content(literal: &Written) -> Result<Written, Problem> {
    let _: String = literal.read()?;
    let text = literal.text();
    let hashes = text.strip_prefix('r').map(|raw| raw.chars().take_while(|&c| c == '#').count());
    match hashes {
        Some(hashes) => Ok(literal.part(hashes + 2..text.len() - hashes - 1)),
        None if text.contains('\\') => {
            let help = "write it as a raw string: r#\"source = Log(name: \"x\")\"#".to_owned();
            Err(literal.problem("a constraint cannot hold escapes").with_help(help))
        }
        None => Ok(literal.part(1..text.len() - 1)),
    }
}

/// Splits at each `and` that stands outside brackets and quotes.
fn conjuncts(inside: &Written) -> Vec<Written> {
    let text = inside.text();
    let mut parts = Vec::new();
    let (mut depth, mut quoted, mut start) = (0_i32, false, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => depth -= 1,
            'a' if !quoted && depth == 0 && is_word(text, at, "and") => {
                parts.push(trimmed(inside, start, at));
                start = at + "and".len();
            }
            _ => {}
        }
    }
    parts.push(trimmed(inside, start, text.len()));
    parts
}

fn is_word(text: &str, at: usize, word: &str) -> bool {
    let after = text.get(at + word.len()..).unwrap_or_default();
    let before = text.get(..at).unwrap_or_default();
    text.get(at..).is_some_and(|rest| rest.starts_with(word))
        && before.ends_with(char::is_whitespace)
        && (after.is_empty() || after.starts_with(char::is_whitespace))
}

fn trimmed(inside: &Written, start: usize, end: usize) -> Written {
    let text = inside.text().get(start..end).unwrap_or_default();
    let from = start + (text.len() - text.trim_start().len());
    inside.part(from..from + text.trim().len())
}

fn term(written: &Written) -> Result<Term, Problem> {
    let text = written.text();
    let malformed = |what: &str| {
        written.problem(format!("{what} in the constraint `{text}`")).with_help(SHAPE.to_owned())
    };
    let name = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(text.len());
    if name == 0 {
        return Err(malformed("no column"));
    }
    let rest = text.get(name..).unwrap_or_default();
    let gap = rest.len() - rest.trim_start().len();
    let found = OPERATORS.iter().find(|(sign, _)| rest.trim_start().starts_with(sign));
    let Some((sign, operator)) = found else {
        return Err(malformed("no operator"));
    };
    let value = trimmed(written, name + gap + sign.len(), text.len());
    if value.text().is_empty() || value.text().starts_with(['=', '<', '>', '!']) {
        return Err(malformed("no value"));
    }
    Ok(Term { column: written.part(0..name), operator: *operator, value })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parts(literal: &str) -> Result<Vec<(String, Operator, String)>, String> {
        let constraint =
            Constraint::read(&Written::whole("f", literal)).map_err(|problem| problem.to_string())?;
        let own = |term: &Term| (term.column.text().to_owned(), term.operator, term.value.text().to_owned());
        Ok(constraint.terms.iter().map(own).collect())
    }

    #[test]
    fn conjunctions_are_split_outside_brackets_and_quotes() {
        let one = |column: &str, operator, value: &str| (column.to_owned(), operator, value.to_owned());
        assert_eq!(
            parts("\"allocator = FirstFree and speedup>=0.5 and  x != Easy(a: and, b: 2)\"").unwrap(),
            [
                one("allocator", Operator::Equal, "FirstFree"),
                one("speedup", Operator::AtLeast, "0.5"),
                one("x", Operator::NotEqual, "Easy(a: and, b: 2)"),
            ]
        );
        assert_eq!(
            parts("r#\"source = Log(name: \"a and b\")\"#").unwrap(),
            [one("source", Operator::Equal, "Log(name: \"a and b\")")]
        );
        assert_eq!(parts("\"brand = android\"").unwrap(), [one("brand", Operator::Equal, "android")]);
    }

    #[test]
    fn malformed_constraints_say_what_is_missing() {
        for (literal, wanted) in [
            ("\"\"", "f:1:2: no column in"),
            ("\"speedup\"", "f:1:2: no operator in the constraint `speedup`"),
            ("\"speedup > \"", "f:1:2: no value in"),
            ("\"a = 1 and > 2\"", "f:1:12: no column in"),
            ("\"a = 1 and\"", "f:1:11: no column in"),
            ("\"a =< 2\"", "f:1:2: no value in"),
            ("\"a ~ 2\"", "f:1:2: no operator in"),
            ("\"a = \\\"b\\\"\"", "f:1:1: a constraint cannot hold escapes"),
            ("5", "f:1:1: "),
        ] {
            let error = parts(literal).unwrap_err();
            assert!(error.starts_with(wanted), "{literal}: {error}");
        }
    }

    #[test]
    fn numbers_compare_as_numbers_and_names_as_names() {
        let holds = |operator: Operator, a: &str, b: &str| operator.holds(&Label::of(a), &Label::of(b));
        assert!(holds(Operator::Equal, "0.50", "0.5"));
        assert!(holds(Operator::Equal, "Easy()", "Easy"));
        assert!(holds(Operator::Less, "2", "10"));
        assert!(holds(Operator::NotEqual, "Fcfs", "Easy"));
        assert!(!holds(Operator::Less, "None", "10"));
        assert!(holds(Operator::Equal, "None", "None"));
    }
}
