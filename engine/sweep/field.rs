//! The fields of a case that an experiment can vary, by their flat names, which are also the column names.

use crate::field_table::FIELDS;
use crate::normal_form::normal_form;
use crate::problem::Problem;
use crate::ron_text::{Written, options};
use crate::run_spec::Case;
use crate::suggest::{did_you_mean, list};
use ron::error::{Error as Code, SpannedError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::sync::Arc;

/// A field of a case that an experiment can set, vary and name in constraints.
#[derive(Debug)]
pub struct Field {
    /// Its flat name, which is also its column.
    pub name: &'static str,
    /// Where it stands in a case: `policy.overrun`. A name as good as the flat one.
    pub path: &'static str,
    /// What its values are.
    pub kind: FieldKind,
    /// Which values it takes, in words.
    pub values: &'static str,
    /// Unit of its numbers; empty where there is none.
    pub unit: &'static str,
    /// The value of a case that does not say.
    pub default: &'static str,
    /// What it means.
    pub doc: &'static str,
    /// The publication that it is from, or that it is an assumption; empty where it is neither.
    pub source: &'static str,
    /// When it is applied: whole objects (0) before their parts (1) before parts of parts (2), so that a part is never lost.
    pub(crate) stage: u8,
    /// What of its values other fields depend on.
    pub(crate) shape: Shape,
    pub(crate) access: Access,
}

/// How a field is read from text and from a case.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) parse: fn(&str) -> Result<Value, ValueError>,
    pub(crate) get: fn(&Case) -> Option<String>,
}

/// Which values of a field must be tried to find combinations of fields that make no sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Any one: no other field depends on it.
    Free,
    /// `None` and any other.
    Presence,
    /// Every one.
    Value,
}

/// What a field's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Numbers.
    Real,
    /// Whole numbers.
    Int,
    /// Lists of numbers: an axis of it is a list of lists.
    List,
    /// Anything else.
    Text,
}

/// A field is looked up by its flat name or its path; `None` where there is none such.
pub fn find(name: &str) -> Option<&'static Field> {
    FIELDS.iter().copied().find(|field| field.name == name || field.path == name)
}

/// The flat name of what may be written as a path; other names stay as they are.
pub(crate) fn flat(name: &str) -> &str {
    find(name).map_or(name, |field| field.name)
}

/// The names of all fields.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().map(|field| field.name)
}

/// Words by which `name` can be meant: paths where it is one, else flat names.
fn candidates(name: &str) -> Vec<&'static str> {
    let is_path = name.contains('.');
    FIELDS.iter().map(|field| if is_path { field.path } else { field.name }).collect()
}

/// Which field a name that is none may be meant for.
pub(crate) fn meant(name: &str) -> Option<String> {
    did_you_mean(name, candidates(name)).or_else(|| {
        // The last word of a path may be a flat name, and the other way round.
        let last = name.rsplit('.').next().unwrap_or(name);
        let by_end = |field: &&&Field| field.path.rsplit('.').next() == Some(last) || field.name == last;
        let field = FIELDS.iter().find(by_end)?;
        Some(format!("did you mean `{}` (`{}`)?", field.path, field.name))
    })
}

/// The problem of a name that is no field.
pub(crate) fn unknown(name: &str, place: &Written) -> Problem {
    let message = format!("unknown field `{name}`; known: {}", list(candidates(name)));
    place.problem(message).with_help(meant(name))
}

/// Writes a value into a case.
type Apply = dyn Fn(&mut Case) -> Result<(), Lack> + Send + Sync;

/// A value that fits its field, ready to be written into cases.
#[derive(Clone)]
pub(crate) struct Value {
    /// Writes it; fails where the case has no such field.
    pub(crate) apply: Arc<Apply>,
    /// The value in the writer's own form: equal exactly for equal values, and what [`Field::get`] gives back.
    pub(crate) canonical: String,
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Value").field(&self.canonical).finish()
    }
}

/// A case has no such field: `overrun` of first come, first served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lack {
    /// The object that should have the field, such as `policy`.
    pub(crate) object: &'static str,
    /// What that object is, such as `Fcfs`.
    pub(crate) variant: String,
}

impl Lack {
    /// `object` is of a kind that lacks the field.
    pub(crate) fn of(object: &'static str, value: &impl Serialize) -> Lack {
        let text = canonical(value);
        let variant = text.split('(').next().unwrap_or_default().to_owned();
        Lack { object, variant }
    }
}

/// Why a text is no value of a field.
#[derive(Debug)]
pub(crate) enum ValueError {
    /// It is not of the field's type.
    Ron(SpannedError),
    /// It is outside the field's range.
    Range(String),
}

/// Reads a value, checks it, and binds it to its place in a case.
pub(crate) fn value<T>(
    text: &str,
    check: fn(&T) -> Result<(), String>,
    apply: fn(&mut Case, T) -> Result<(), Lack>,
) -> Result<Value, ValueError>
where
    T: DeserializeOwned + Serialize + Clone + Send + Sync + 'static,
{
    let value: T = lenient(text)?;
    check(&value).map_err(ValueError::Range)?;
    let canonical = canonical(&value);
    Ok(Value { apply: Arc::new(move |case| apply(case, value.clone())), canonical })
}

/// Reads `Easy` as `Easy()` and `Fcfs()` as `Fcfs`: on a command line the difference is not worth an error.
fn lenient<T: DeserializeOwned>(text: &str) -> Result<T, ValueError> {
    let first = match options().from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let bare = normal_form(text);
    if bare.is_empty() || !bare.chars().all(char::is_alphanumeric) {
        return Err(ValueError::Ron(first));
    }
    options()
        .from_str(&format!("{bare}()"))
        .or_else(|_| options().from_str(&bare))
        .map_err(|_| ValueError::Ron(first))
}

/// A value in the writer's own form.
pub(crate) fn canonical(value: &impl Serialize) -> String {
    options().to_string(value).map_or_else(|_| String::new(), |text| normal_form(&text))
}

impl Field {
    /// Its value in a case, as RON; `None` where the case has no such field, or it is `None`.
    pub(crate) fn get(&self, case: &Case) -> Option<String> {
        (self.access.get)(case)
    }

    /// The single words among its values; empty where it takes other values too.
    pub fn words(&self) -> Vec<&'static str> {
        let words: Vec<&str> = self.values.split(", ").flat_map(|part| part.split(" or ")).collect();
        let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric());
        if words.len() > 1 && words.iter().all(is_word) { words } else { Vec::new() }
    }

    /// The value that a piece of text gives this field.
    pub(crate) fn read(&self, written: &Written) -> Result<Value, Problem> {
        (self.access.parse)(written.text()).map_err(|error| {
            let takes = || Some(format!("`{}` takes {}", self.name, self.values));
            let problem = match error {
                ValueError::Range(message) => written.problem(message),
                ValueError::Ron(error) => match self.wanted_number(&error) {
                    Some(number) => written.problem(format!("`{}` is no {number}", written.text())),
                    None => written.ron_problem(&error),
                },
            };
            let message = format!("`{}`: {}", self.name, problem.message);
            Problem { message, help: problem.help.or_else(takes), ..problem }
        })
    }

    /// What a text that is no number should have been; RON would only say where it stopped reading.
    fn wanted_number(&self, error: &SpannedError) -> Option<&'static str> {
        match (self.kind, &error.code) {
            (_, Code::IntegerOutOfBounds) | (FieldKind::Text | FieldKind::List, _) => None,
            (FieldKind::Int, _) => Some("whole number"),
            (FieldKind::Real, _) => Some("number"),
        }
    }
}
