//! Pieces of RON text that know where they stand, and RON errors turned into problems with a place.

use crate::problem::Problem;
use crate::suggest::{did_you_mean, list};
use ron::Options;
use ron::error::{Error as Code, Position, SpannedError};
use ron::extensions::Extensions;
use ron::value::RawValue;
use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A whole text and the name it goes by.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) file: String,
    pub(crate) text: Arc<str>,
}

/// A piece of a text. Cheap to clone; the text it points into is shared.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    origin: Arc<Origin>,
    span: Range<usize>,
}

/// One `key: value` of a RON map, in the order of the text; a map type would silently keep only one of two equal keys.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) key: Written,
    pub(crate) value: Written,
}

/// How this project reads and writes RON: `Some(…)` may be left out.
pub(crate) fn options() -> Options {
    Options::default().with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_NEWTYPES)
}

impl Written {
    /// A whole text.
    pub(crate) fn whole(file: &str, text: &str) -> Written {
        let span = 0..text.len();
        Written { origin: Arc::new(Origin { file: file.into(), text: text.into() }), span }
    }

    /// The piece itself.
    pub(crate) fn text(&self) -> &str {
        self.origin.text.get(self.span.clone()).unwrap_or_default()
    }

    /// The name of the text that it is from.
    pub(crate) fn file(&self) -> &str {
        &self.origin.file
    }

    /// The part of this piece at `span`, in bytes from its start.
    pub(crate) fn part(&self, span: Range<usize>) -> Written {
        let start = self.span.start;
        Written { origin: Arc::clone(&self.origin), span: start + span.start..start + span.end }
    }

    /// The first place in this piece that reads `"word"`, else the piece.
    pub(crate) fn quoted(&self, word: &str) -> Written {
        match self.text().find(&format!("\"{word}\"")) {
            Some(at) => self.part(at..at + word.len() + 2),
            None => self.clone(),
        }
    }

    /// A problem here.
    pub(crate) fn problem(&self, message: impl Into<String>) -> Problem {
        Problem {
            file: self.origin.file.clone(),
            text: Arc::clone(&self.origin.text),
            span: self.span.clone(),
            message: visible(message.into()),
            help: None,
        }
    }

    /// Reads the piece as a `T`, which may borrow from it.
    pub(crate) fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Problem> {
        options().from_str(self.text()).map_err(|error| self.ron_problem(&error))
    }

    /// The problem that a RON error in this piece stands for.
    pub(crate) fn ron_problem(&self, error: &SpannedError) -> Problem {
        let start = offset(self.text(), error.span.start);
        let end = offset(self.text(), error.span.end).max(start);
        let (message, help) = describe(&error.code);
        self.part(start..end).problem(message).with_help(help)
    }

    /// The place of a raw value that was read from this piece.
    pub(crate) fn place(&self, raw: &RawValue) -> Written {
        let inner = raw.trim().get_ron();
        let start = (inner.as_ptr() as usize).saturating_sub(self.text().as_ptr() as usize);
        self.part(start..start + inner.len())
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> Result<Vec<Written>, Problem> {
        let raw: Vec<&RawValue> = self.read()?;
        Ok(raw.into_iter().map(|item| self.place(item)).collect())
    }

    /// The entries of a map with string keys.
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, Problem> {
        let Pairs(raw) = self.read()?;
        raw.into_iter()
            .map(|(key, value)| {
                let key = self.place(key);
                let name = key.read()?;
                Ok(Entry { name, key, value: self.place(value) })
            })
            .collect()
    }
}

impl Problem {
    /// The problem with a hint what would do.
    pub(crate) fn with_help(self, help: impl Into<Option<String>>) -> Problem {
        Problem { help: help.into().map(visible), ..self }
    }
}

/// A message with control characters written out: what it quotes may hold some, and a terminal would obey them.
fn visible(message: String) -> String {
    if !message.contains(char::is_control) {
        return message;
    }
    let mut shown = String::with_capacity(message.len() + 8);
    for letter in message.chars() {
        match letter.is_control() {
            true => shown.extend(letter.escape_default()),
            false => shown.push(letter),
        }
    }
    shown
}

/// A map as the pairs that were written.
struct Pairs<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Pairs<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map `{\"name\": value, …}`")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// The byte offset of a line and a column in characters, both from 1.
fn offset(text: &str, position: Position) -> usize {
    let line_start: usize =
        text.split_inclusive('\n').take(position.line.saturating_sub(1)).map(str::len).sum();
    let line = text.get(line_start..).unwrap_or_default();
    let column = line.char_indices().nth(position.col.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    line_start + column
}

/// A RON error in this project's words: message and help.
fn describe(code: &Code) -> (String, Option<String>) {
    match code {
        Code::NoSuchEnumVariant { expected, found, outer } => {
            let what = outer.as_deref().map_or("value", plain_name);
            let message = format!("unknown {what} `{found}`; known: {}", list(expected.iter().copied()));
            (message, did_you_mean(found, expected.iter().copied()))
        }
        Code::NoSuchStructField { expected, found, outer } => {
            let place =
                outer.as_deref().map_or_else(String::new, |outer| format!(" in {}", plain_name(outer)));
            let known = if expected.is_empty() { "none".to_owned() } else { list(expected.iter().copied()) };
            let message = format!("unknown field `{found}`{place}; known: {known}");
            (message, did_you_mean(found, expected.iter().copied()))
        }
        Code::MissingStructField { field, outer } => {
            let place =
                outer.as_deref().map_or_else(String::new, |outer| format!(" in {}", plain_name(outer)));
            (format!("field `{field}` is missing{place}"), None)
        }
        Code::DuplicateStructField { field, .. } => (format!("field `{field}` is written twice"), None),
        Code::ExpectedStructLike | Code::ExpectedNamedStructLike(_) => (
            "expected an opening `(`".to_owned(),
            Some(
                "a value with fields needs its parentheses even where all fields are left out: `Easy()`"
                    .to_owned(),
            ),
        ),
        Code::SuggestRawIdentifier(_) | Code::ExpectedIdentifier => ("expected a name".to_owned(), None),
        Code::ExpectedInteger | Code::InvalidIntegerDigit { .. } => {
            ("expected a whole number".to_owned(), None)
        }
        Code::ExpectedFloat => ("expected a number".to_owned(), None),
        Code::ExpectedBoolean => ("expected true or false".to_owned(), None),
        Code::IntegerOutOfBounds => ("the number is out of range".to_owned(), None),
        Code::TrailingCharacters => ("unexpected text after the value".to_owned(), None),
        Code::Eof => ("the text ends too early".to_owned(), None),
        Code::ExceededRecursionLimit => ("values are nested too deeply".to_owned(), None),
        other => (lower_first(&other.to_string()), None),
    }
}

/// A type's name as a word of the language; a variant's name stays as it is.
fn plain_name(name: &str) -> &str {
    match name {
        "MachineSpec" => "machine",
        "HostSpec" => "host",
        "CommunicationModel" => "communication",
        "Penalized" => "penalized",
        "Step3" => "step3",
        "WorkloadSpec" => "workload",
        "PolicySpec" => "policy",
        "AllocatorSpec" => "allocator",
        "MeasureSpec" => "measure",
        "MemorySpec" => "memory",
        "SwapCharge" => "swap_charge",
        "Shares" => "shares",
        "SliceBackfill" => "slice_backfill",
        "Fit" => "fit",
        "UnfitNodes" => "unfit_nodes",
        "TimeUntilFit" => "time_until_fit",
        "Overrun" => "overrun",
        "Shadow" => "shadow",
        "EarlyEnd" => "early_end",
        "Order" => "order",
        "Reservations" => "reservations",
        "Holders" => "holders",
        "ImmediateService" => "immediate_service",
        "ServiceForm" => "service_form",
        "Slide" => "slide",
        "ShareAmong" => "share_among",
        "RunningWeight" => "running_weight",
        "ShareWeight" => "share_weight",
        "LimitRounding" => "limit_rounding",
        "LaterJobs" => "later_jobs",
        "ReservedSize" => "reserved_size",
        "Movable" => "movable",
        "SlopeOf" => "slope",
        "Sharing" => "sharing",
        "QueueRule" => "queue",
        "Pick" => "pick",
        "SplitRule" => "split",
        "Source" => "source",
        "Mode" => "mode",
        "Variant" => "variant",
        "Load" => "load",
        "Month" => "month",
        "O2kFit" => "o2k_fit",
        "RequestedTime" => "requested",
        "LoadBy" => "load_by",
        "LoadMeasure" => "load_measure",
        "Moldable" => "moldable",
        "Speedup" => "a speedup",
        "Parallelism" => "parallelism",
        "SizeField" => "size_field",
        "EstimateFloor" => "estimate_floor",
        "MissingEstimate" => "missing_estimate",
        "NoRunTime" => "no_run_time",
        "TooLarge" => "too_large",
        "NegativeSubmit" => "negative_submit",
        "MemoryField" => "memory_field",
        "MemoryModel" => "memory_model",
        "MemoryVector" => "memory vector",
        "EstimateSource" => "estimates",
        "ClaimSpec" => "claim",
        "FigureSpec" => "figure",
        "FigureKind" => "figure kind",
        "ComparisonSpec" => "comparison",
        "Predicate" => "predicate",
        "Direction" => "direction",
        "Passes" => "passes",
        "RawExperiment" => "an experiment",
        "RawCase" => "a case",
        "RawGroup" => "a zip group",
        "RawGrid" => "a grid of `union`",
        "RawAssumption" => "an assumption",
        other => other,
    }
}

fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_survive_nesting_and_comments() {
        let whole = Written::whole("f", "{ \"ä\": /* list */ [ 1, Two(x: 3) ], }");
        let entries = whole.entries().map_err(|p| p.message);
        let Ok([entry]) = entries.as_deref() else { panic!("{entries:?}") };
        assert_eq!((entry.name.as_str(), entry.key.text()), ("ä", "\"ä\""));
        let items = entry.value.items().map_err(|p| p.message);
        let Ok([one, two]) = items.as_deref() else { panic!("{items:?}") };
        assert_eq!((one.text(), two.text()), ("1", "Two(x: 3)"));
        assert_eq!(two.problem("x").position(), (1, 24));
    }

    #[test]
    fn messages_hold_no_control_characters() {
        let problem = Written::whole("f", "x").problem("`a\u{1b}[2J\n` ä").with_help("\u{7f}b".to_owned());
        assert_eq!(problem.message, "`a\\u{1b}[2J\\n` ä");
        assert_eq!(problem.help.as_deref(), Some("\\u{7f}b"));
    }

    #[test]
    fn ron_errors_carry_their_place_and_the_known_words() {
        let whole = Written::whole("f", "[Fcfs,\n  Eazy()]");
        let items = whole.items().map_err(|p| p.message);
        let Ok([_, second]) = items.as_deref() else { panic!("{items:?}") };
        let problem =
            second.read::<sim::PolicySpec>().map(|_| String::new()).unwrap_or_else(|p| p.to_string());
        assert!(problem.starts_with("f:2:3: unknown policy `Eazy`; known: Fcfs, Easy, "), "{problem}");
        assert!(problem.ends_with(" (did you mean `Easy`?)"), "{problem}");
    }
}
