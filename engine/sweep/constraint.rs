//! Constraints on a grid's points: `a = x and b > 1 or c in [2, 3]`, where `and` binds tighter than `or`.

use crate::axis::Label;
use crate::nested::split;
use crate::problem::Problem;
use crate::ron_text::Written;

/// True of a point where all terms of one alternative are.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    pub(crate) place: Written,
    /// What `or` joins, each the terms that `and` joins.
    pub(crate) alternatives: Vec<Vec<Term>>,
}

/// `column operator value`, or `column in [value, value]`, which is `=` with several values.
#[derive(Clone, Debug)]
pub(crate) struct Term {
    pub(crate) column: Written,
    pub(crate) operator: Operator,
    /// One of them must do.
    pub(crate) values: Vec<Written>,
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

const SHAPE: &str =
    "a constraint reads `column = value and other > 0 or third in [a, b]`, with = != < <= > >= in";

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
        let alternative = |part: &Written| split_at(part, "and").iter().map(term).collect();
        let alternatives = split_at(&inside, "or").iter().map(alternative).collect::<Result<_, _>>()?;
        Ok(Constraint { place: literal.clone(), alternatives })
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

/// Splits at each `word` that stands outside brackets and quotes.
fn split_at(inside: &Written, word: &str) -> Vec<Written> {
    let text = inside.text();
    let mut parts = Vec::new();
    let (mut depth, mut quoted, mut start) = (0_i32, false, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            '(' | '[' if !quoted => depth += 1,
            ')' | ']' if !quoted => depth -= 1,
            _ if !quoted && depth == 0 && is_word(text, at, word) => {
                parts.push(trimmed(inside, start, at));
                start = at + word.len();
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
    if text.starts_with('(') {
        return Err(written.problem("a constraint has no brackets around its parts").with_help(
            "`and` binds tighter than `or`; a list of constraints in `exclude` drops what any of them matches"
                .to_owned(),
        ));
    }
    let name = text.find(|c: char| !(c.is_alphanumeric() || "_-.".contains(c))).unwrap_or(text.len());
    if name == 0 {
        return Err(malformed("no column"));
    }
    let rest = text.get(name..).unwrap_or_default();
    let gap = rest.len() - rest.trim_start().len();
    let column = written.part(0..name);
    if gap > 0 && rest.trim_start().strip_prefix("in").is_some_and(|list| list.starts_with([' ', '['])) {
        let list = trimmed(written, name + gap + "in".len(), text.len());
        return Ok(Term { column, operator: Operator::Equal, values: members(&list)? });
    }
    let found = OPERATORS.iter().find(|(sign, _)| rest.trim_start().starts_with(sign));
    let Some((sign, operator)) = found else {
        return Err(malformed("no operator"));
    };
    let value = trimmed(written, name + gap + sign.len(), text.len());
    if value.text().is_empty() || value.text().starts_with(['=', '<', '>', '!']) {
        return Err(malformed("no value"));
    }
    Ok(Term { column, operator: *operator, values: vec![value] })
}

/// The values of `[a, b]`.
fn members(list: &Written) -> Result<Vec<Written>, Problem> {
    let text = list.text();
    if !text.starts_with('[') || !text.ends_with(']') || text.len() < 2 {
        return Err(list.problem("`in` needs a list").with_help("column in [a, b]".to_owned()));
    }
    let inside = trimmed(list, 1, text.len() - 1);
    let inside = match inside.text().strip_suffix(',') {
        Some(before) => inside.part(0..before.len()),
        None => inside,
    };
    let values: Vec<Written> = split(inside.text()).into_iter().map(|span| inside.part(span)).collect();
    match values.iter().find(|value| value.text().is_empty()) {
        Some(empty) => Err(empty.problem("a value is missing in the list")),
        None => Ok(values),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parts(literal: &str) -> Result<Vec<(String, Operator, String)>, String> {
        let constraint =
            Constraint::read(&Written::whole("f", literal)).map_err(|problem| problem.to_string())?;
        let own = |term: &Term| {
            let values: Vec<&str> = term.values.iter().map(Written::text).collect();
            (term.column.text().to_owned(), term.operator, values.join(" | "))
        };
        Ok(constraint.alternatives.iter().flatten().map(own).collect())
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
    fn lists_and_alternatives() {
        let one = |column: &str, operator, value: &str| (column.to_owned(), operator, value.to_owned());
        assert_eq!(
            parts("\"policy.order in [Arrival,Weighted(wait: 1, nodes: 2), ] or x in[1] or orbit = 2\"")
                .unwrap(),
            [
                one("policy.order", Operator::Equal, "Arrival | Weighted(wait: 1, nodes: 2)"),
                one("x", Operator::Equal, "1"),
                one("orbit", Operator::Equal, "2"),
            ]
        );
        let read = Constraint::read(&Written::whole("f", "\"a = 1 and b = 2 or c = 3\"")).unwrap();
        assert_eq!(read.alternatives.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
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
            ("\"a in 5\"", "f:1:7: `in` needs a list"),
            ("\"a in []\"", "f:1:8: a value is missing in the list"),
            ("\"a in [1,,2]\"", "f:1:10: a value is missing in the list"),
            ("\"a = 1 or\"", "f:1:10: no column in"),
            ("\"(a = 1 or b = 2) and c = 3\"", "f:1:2: a constraint has no brackets around its parts"),
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
