//! Axes inside a value: `Easy(overrun: [KillBackfilled, Extend])` in a list of policies stands for one value per member.

use crate::axis::Item;
use crate::problem::Problem;
use crate::range::{is_range, range};
use crate::ron_text::Written;
use std::ops::Range;

/// Parts that are lists themselves, so that a list after their name is one value.
const LISTS: &[&str] = &["host_limits", "hosts", "size_classes", "speedups", "time_classes"];

/// More values than this from one are a typing error.
const MAX_VALUES: usize = 100_000;

/// The values between commas that stand outside brackets and quotes.
pub(crate) fn split(text: &str) -> Vec<Range<usize>> {
    let (mut spans, mut start) = (Vec::new(), 0);
    let mut close = |start: usize, end: usize| {
        let piece = text.get(start..end).unwrap_or_default();
        let from = start + (piece.len() - piece.trim_start().len());
        spans.push(from..from + piece.trim().len());
    };
    for (at, letter, depth) in outside_quotes(text) {
        if letter == ',' && depth == 0 {
            close(start, at);
            start = at + 1;
        }
    }
    close(start, text.len());
    spans
}

/// The characters outside of quotes with their places and how many brackets are open around them.
fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char, i32)> + '_ {
    let (mut depth, mut quoted, mut escaped) = (0_i32, false, false);
    text.char_indices().filter_map(move |(at, letter)| {
        if quoted {
            quoted = letter != '"' || escaped;
            escaped = letter == '\\' && !escaped;
            return None;
        }
        match letter {
            '"' => quoted = true,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth -= 1;
                return Some((at, letter, depth));
            }
            _ => return Some((at, letter, depth)),
        }
        (!quoted).then_some((at, letter, depth - 1))
    })
}

/// A list or range that stands where a value has a part.
struct Inner {
    span: Range<usize>,
    values: Vec<String>,
}

/// The values that one written value stands for: itself, or one for each member of the lists and ranges inside it, the last
/// of them turning fastest.
pub(crate) fn expand(value: Written) -> Result<Vec<Item>, Problem> {
    let inner = inner(&value)?;
    if inner.is_empty() {
        return Ok(vec![Item::written(value)]);
    }
    let count = inner.iter().try_fold(1_usize, |count, one| count.checked_mul(one.values.len()));
    if count.is_none_or(|count| count > MAX_VALUES) {
        return Err(value.problem(format!("the value stands for more than {MAX_VALUES}")));
    }
    let mut texts = vec![String::new()];
    let mut copied = 0;
    for Inner { span, values } in &inner {
        let before = value.text().get(copied..span.start).unwrap_or_default();
        let next =
            |text: &String| values.iter().map(|one| format!("{text}{before}{one}")).collect::<Vec<_>>();
        texts = texts.iter().flat_map(next).collect();
        copied = span.end;
    }
    let rest = value.text().get(copied..).unwrap_or_default();
    Ok(texts.into_iter().map(|text| Item::computed(value.clone(), text + rest)).collect())
}

/// The outermost lists and ranges that follow a colon inside the value.
fn inner(value: &Written) -> Result<Vec<Inner>, Problem> {
    let text = value.text();
    let mut found: Vec<Inner> = Vec::new();
    let (mut colon, mut whole) = (None, 0);
    for (at, letter, depth) in outside_quotes(text) {
        if found.last().is_some_and(|last| at < last.span.end) || at < whole || letter.is_whitespace() {
            continue;
        }
        if letter == ':' && depth > 0 {
            colon = Some(at);
            continue;
        }
        let Some(name_end) = colon.take() else { continue };
        let end = end_of_part(text, at);
        if letter == '[' && LISTS.contains(&last_word(text.get(..name_end).unwrap_or_default())) {
            whole = end;
            continue;
        }
        let part = value.part(at..end);
        if letter == '[' {
            let close = part.text().len().saturating_sub(1);
            let members = part.part(1..close.max(1));
            let members = members.text().trim_end().trim_end_matches(',');
            let values: Vec<String> = split(members)
                .into_iter()
                .map(|span| members.get(span).unwrap_or_default().to_owned())
                .collect();
            if values.iter().any(String::is_empty) {
                return Err(part.problem("a list inside a value has no values, or an empty one"));
            }
            found.push(Inner { span: at..end, values });
        } else if is_range(part.text()) {
            found.push(Inner { span: at..end, values: range(&part)? });
        }
    }
    Ok(found)
}

/// The name that a text ends in.
fn last_word(text: &str) -> &str {
    let text = text.trim_end();
    let start = text.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_').map_or(0, |at| at + 1);
    text.get(start..).unwrap_or_default()
}

/// Where the part that begins at `start` ends: at the next comma or closing bracket on its own level.
fn end_of_part(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let end = outside_quotes(rest).find(|&(_, letter, depth)| depth < 0 || depth == 0 && letter == ',');
    let piece = end.map_or(rest, |(at, ..)| rest.get(..at).unwrap_or_default());
    start + piece.trim_end().len()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        expand(Written::whole("f", text)).unwrap().iter().map(|item| item.text().to_owned()).collect()
    }

    #[test]
    fn values_are_split_at_outer_commas() {
        let pieces =
            |text: &str| split(text).into_iter().map(|span| text[span].to_owned()).collect::<Vec<_>>();
        assert_eq!(pieces("Fcfs, Easy(a: 1, b: 2),\"x,y\""), ["Fcfs", "Easy(a: 1, b: 2)", "\"x,y\""]);
        assert_eq!(pieces("0.5"), ["0.5"]);
        assert_eq!(pieces("a,"), ["a", ""]);
        assert_eq!(pieces("\"a\\\",b\",c"), ["\"a\\\",b\"", "c"]);
    }

    #[test]
    fn lists_and_ranges_inside_a_value_are_written_out() {
        assert_eq!(texts("Easy()"), ["Easy()"]);
        assert_eq!(
            texts("Easy(overrun: [KillBackfilled, Extend])"),
            ["Easy(overrun: KillBackfilled)", "Easy(overrun: Extend)"]
        );
        assert_eq!(
            texts("Tree(arity: [2, 4,], levels: Range(from: 1, to: 2, step: 1))"),
            [
                "Tree(arity: 2, levels: 1)",
                "Tree(arity: 2, levels: 2)",
                "Tree(arity: 4, levels: 1)",
                "Tree(arity: 4, levels: 2)"
            ]
        );
        assert_eq!(
            texts("Priority(order: Weighted(wait: [0.0, 1.0]), reservations: All)"),
            [
                "Priority(order: Weighted(wait: 0.0), reservations: All)",
                "Priority(order: Weighted(wait: 1.0), reservations: All)"
            ]
        );
        assert_eq!(
            texts("Priority(order: [Arrival, Weighted(wait: 1.0)], reservations: All)"),
            [
                "Priority(order: Arrival, reservations: All)",
                "Priority(order: Weighted(wait: 1.0), reservations: All)"
            ]
        );
        assert_eq!(texts("Log(name: \"a: [b, c]\")"), ["Log(name: \"a: [b, c]\")"]);
        // The hosts of a machine are one value, and what follows them is not part of it.
        let hosts = "Hosts(hosts : [(name: \"a\", processors: 4), (name: \"b\", processors: 8)])";
        assert_eq!(texts(hosts), [hosts]);
        let limits = "ClassPriority(host_limits: [(host: \"a\", at_most: [(\"sj\", 1), (\"lj\", 2)])], size_classes: [], time_classes: [])";
        assert_eq!(texts(limits), [limits]);
        assert_eq!(
            texts("A(hosts: [(x: [1, 2])], y: [3, 4])"),
            ["A(hosts: [(x: [1, 2])], y: 3)", "A(hosts: [(x: [1, 2])], y: 4)"]
        );
    }

    #[test]
    fn bad_lists_inside_a_value_say_so() {
        for (text, wanted) in [
            ("Easy(overrun: [])", "f:1:15: a list inside a value has no values"),
            ("Easy(overrun: [a,,b])", "f:1:15: a list inside a value has no values, or an empty one"),
            ("A(x: Range(from: 1, to: 2))", "f:1:6: a range needs either `step` or `count`"),
            (
                "A(x: Range(from: 1, to: 400, step: 1), y: Range(from: 1, to: 400, step: 1))",
                "f:1:1: the value stands for",
            ),
        ] {
            let error = expand(Written::whole("f", text)).unwrap_err().to_string();
            assert!(error.starts_with(wanted), "{text}: {error}");
        }
    }
}
