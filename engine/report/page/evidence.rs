//! Which figures and published tables show a claim. No experiment file says it, so it is derived:
//!
//! * those that bear the number of a figure or table that the claim's source names: `§5.4.1, Fig. 60(a), (b)` names Fig. 60(a) and
//!   `Figs 53 to 55`, but not Fig. 60(c);
//! * where the source names none that is there, the figures of the claim's experiment with a metric that the claim is about on their
//!   y axis;
//! * of these, only what was measured in the same mode.
//!
//! Whether or not there is one, the table of the claim's measurements shows every number.

use super::picture::Picture;
use super::published::Published;
use crate::verdict::Entry;
use std::collections::BTreeSet;
use table::ClaimSpec;

/// What a source names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Figure,
    Table,
}

/// Figures or tables that are named together: numbers, and parts where only parts are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Citation {
    kind: Kind,
    numbers: (u32, u32),
    parts: Option<(char, char)>,
}

/// A figure or table that shows a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exhibit {
    pub anchor: String,
    pub label: String,
}

/// A figure with what decides whether it shows a claim.
pub(super) struct Plate {
    pub picture: Picture,
    pub experiment: String,
    /// The metric on its y axis, where the experiment's file is at hand.
    pub metric: Option<String>,
}

impl Citation {
    fn meets(&self, other: &Citation) -> bool {
        let parts = match (self.parts, other.parts) {
            (Some(a), Some(b)) => a.0 <= b.1 && b.0 <= a.1,
            _ => true,
        };
        let (a, b) = (self.numbers, other.numbers);
        self.kind == other.kind && a.0 <= b.1 && b.0 <= a.1 && parts
    }
}

/// Whether two texts name the same figure or table.
fn meet(one: &[Citation], other: &[Citation]) -> bool {
    one.iter().any(|one| other.iter().any(|other| one.meets(other)))
}

/// A word of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word<'a> {
    Letters(&'a str),
    Number(u32),
    Part(char),
    To,
    Comma,
    Other,
}

/// What a source or a title names: `Figs 49 and 50`, `Fig. 52(f)-(j)`, `Tables 4-7`.
pub(super) fn citations(text: &str) -> Vec<Citation> {
    let (mut found, mut kind): (Vec<Citation>, Option<Kind>) = (Vec::new(), None);
    // Citations before this one belong to another list.
    let (mut first, mut open) = (0, false);
    for word in words(text) {
        let own = found.len() > first;
        match (word, kind, found.last_mut().filter(|_| own)) {
            (Word::Letters("Fig" | "Figs" | "Figure" | "Figures"), ..) => {
                (kind, first, open) = (Some(Kind::Figure), found.len(), false);
            }
            (Word::Letters("Table" | "Tables"), ..) => {
                (kind, first, open) = (Some(Kind::Table), found.len(), false)
            }
            (Word::Letters("and") | Word::Comma, ..) => {}
            (Word::To | Word::Letters("to"), ..) => open = true,
            (Word::Number(number), Some(_), Some(last)) if open => (last.numbers.1, open) = (number, false),
            (Word::Number(number), Some(kind), _) => {
                found.push(Citation { kind, numbers: (number, number), parts: None });
            }
            (Word::Part(part), Some(_), Some(last)) => match (last.parts, open) {
                (Some((from, _)), true) => (last.parts, open) = (Some((from, part)), false),
                (None, _) => last.parts = Some((part, part)),
                (Some(_), false) => {
                    let another = Citation { parts: Some((part, part)), ..*last };
                    found.push(another);
                }
            },
            _ => kind = None,
        }
    }
    found
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let run = |of: fn(char) -> bool| rest.find(|c: char| !of(c)).unwrap_or(rest.len());
        let mut inside = rest.strip_prefix('(').map(str::chars).into_iter().flatten();
        let part = inside.next().filter(|_| inside.next() == Some(')'));
        let (word, length) = match (c, part) {
            (_, Some(part)) => (Some(Word::Part(part)), 2 + part.len_utf8()),
            (c, _) if c.is_ascii_digit() => {
                let end = run(|c| c.is_ascii_digit());
                (Some(rest[..end].parse().map_or(Word::Other, Word::Number)), end)
            }
            (c, _) if c.is_alphabetic() => {
                let end = run(char::is_alphabetic);
                (Some(Word::Letters(&rest[..end])), end)
            }
            ('-' | '–', _) => (Some(Word::To), c.len_utf8()),
            (',', _) => (Some(Word::Comma), 1),
            ('.' | ' ', _) => (None, 1),
            (c, _) => (Some(Word::Other), c.len_utf8()),
        };
        words.extend(word);
        rest = &rest[length..];
    }
    words
}

/// What shows a claim in the mode of this entry.
pub(super) fn exhibits(
    entry: &Entry,
    specs: &[&ClaimSpec],
    plates: &[Plate],
    tables: &[Published],
) -> Vec<Exhibit> {
    let verdict = &entry.verdict;
    let named = citations(&verdict.source);
    let of_mode = |plate: &&Plate| plate.picture.mode.as_deref().is_none_or(|mode| mode == verdict.mode);
    let mut shown: Vec<&Plate> = plates
        .iter()
        .filter(of_mode)
        .filter(|plate| meet(&named, &citations(heading(&plate.picture.title))))
        .collect();
    let tables: Vec<&Published> = tables
        .iter()
        .filter(|table| table.mode == verdict.mode && meet(&named, &citations(heading(&table.title))))
        .collect();
    if shown.is_empty() && tables.is_empty() {
        let metrics: BTreeSet<&str> = specs
            .iter()
            .filter(|spec| spec.id == verdict.claim)
            .flat_map(|spec| spec.predicates.iter().flat_map(|predicate| predicate.metrics()))
            .collect();
        let experiments: BTreeSet<&str> =
            entry.records.iter().map(|record| record.experiment.as_str()).collect();
        let about = |plate: &&Plate| {
            experiments.contains(plate.experiment.as_str())
                && plate.metric.as_deref().is_some_and(|metric| metrics.contains(metric))
        };
        shown = plates.iter().filter(of_mode).filter(about).collect();
    }
    let figures = shown
        .into_iter()
        .map(|plate| Exhibit { anchor: plate.picture.anchor.clone(), label: plate.picture.stem.clone() });
    let tables = tables
        .into_iter()
        .map(|table| Exhibit { anchor: table.anchor.clone(), label: format!("{}-{}", table.id, table.mode) });
    figures.chain(tables).collect()
}

/// A title up to what it is about: `Figs 51(a)-(d), 91` of `Figs 51(a)-(d), 91: waits`, `Table 4` of `Table 4 – Results`.
fn heading(title: &str) -> &str {
    let end = title.find(": ").or_else(|| title.find(" – ")).unwrap_or(title.len());
    &title[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let one = |citation: &Citation| {
            let Citation { kind, numbers: (from, to), parts } = citation;
            let parts = parts.map(|(from, to)| format!(" {from}-{to}")).unwrap_or_default();
            format!("{kind:?} {from}-{to}{parts}")
        };
        citations(text).iter().map(one).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn sources_name_figures_and_tables() {
        let cases = [
            ("§IV, Fig. 3", "Figure 3-3"),
            ("§IV, Figs 3 and 4", "Figure 3-3; Figure 4-4"),
            ("§5.2, Figs 57 to 59", "Figure 57-59"),
            ("§6.3, Tables 4-7, Fig. 21", "Table 4-7; Figure 21-21"),
            ("§5.4.1, Fig. 60(a), (b)", "Figure 60-60 a-a; Figure 60-60 b-b"),
            ("§5.3.1, Fig. 52(f)-(j); §6", "Figure 52-52 f-j"),
            ("Figs 51(a)-(d), 91", "Figure 51-51 a-d; Figure 91-91"),
            ("§6.3; Tables 8 and 9 print the opposite", "Table 8-8; Table 9-9"),
            ("§4.2, Tables 6 to 8", "Table 6-8"),
            ("§6.2; caption of Fig. 5", "Figure 5-5"),
            ("§5.5", ""),
            ("slides 12", ""),
            ("Fig. 99999999999", ""),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(shown(text), expected, "{text}");
        }
    }

    #[test]
    fn parts_and_ranges_meet() {
        let meets = |a: &str, b: &str| meet(&citations(a), &citations(b));
        assert!(meets("Fig. 60", "Fig. 60(a)") && meets("Fig. 54", "Figs 53 to 55"));
        assert!(meets("Figs 60(c), 66(d)", "Fig. 66(d)"));
        assert!(!meets("Fig. 60(a), (b)", "Fig. 60(c)") && !meets("Fig. 4", "Table 4") && !meets("", ""));
        assert_eq!(heading("Table 14 – Total Number 3"), "Table 14");
        assert_eq!(heading("Fig. 2: waits of Fig. 3: no"), "Fig. 2");
    }
}
