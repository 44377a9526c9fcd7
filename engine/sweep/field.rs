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
    /// Its flat name.
    pub name: &'static str,
    /// What its values are.
    pub kind: FieldKind,
    /// Which values it takes, in words.
    pub values: &'static str,
    /// Unit of its numbers; empty where there is none.
    pub unit: &'static str,
    /// The value of a case that does not say.
    pub default: &'static str,
    /// What it means, with its source or assumption.
    pub doc: &'static str,
    /// When it is applied: whole objects (0) before their parts (1) before parts of parts (2), so that a part is never lost.
    pub(crate) stage: u8,
    /// Whether it exists or makes sense only with some values of other fields, or they with some of its values.
    pub(crate) shapes: bool,
    pub(crate) parse: fn(&str) -> Result<Value, ValueError>,
    pub(crate) get: fn(&Case) -> Option<String>,
}

/// What a field's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Numbers.
    Real,
    /// Whole numbers.
    Int,
    /// Anything else.
    Text,
}

/// A field is looked up by this name; `None` where there is none such.
pub(crate) fn find(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.name == name)
}

/// The names of all fields.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FIELDS.iter().map(|field| field.name)
}

/// The problem of a name that is no field.
pub(crate) fn unknown(name: &str, place: &Written) -> Problem {
    let known = || FIELDS.iter().map(|field| field.name);
    place
        .problem(format!("unknown field `{name}`; known: {}", list(known())))
        .with_help(did_you_mean(name, known()))
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
    /// The value that a piece of text gives this field.
    pub(crate) fn read(&self, written: &Written) -> Result<Value, Problem> {
        (self.parse)(written.text()).map_err(|error| {
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
            (_, Code::IntegerOutOfBounds) | (FieldKind::Text, _) => None,
            (FieldKind::Int, _) => Some("whole number"),
            (FieldKind::Real, _) => Some("number"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::collections::BTreeSet;
    use workload::{Source, WorkloadSpec};

    fn case() -> Case {
        let source = Source::LublinFeitelson { variant: workload::Variant::Single, medium_offset: 2.5 };
        Case {
            machine: sim::MachineSpec::Flat { nodes: 8 },
            workload: WorkloadSpec::new(source),
            policy: sim::PolicySpec::Fcfs,
            allocator: sim::AllocatorSpec::FirstFree,
            passes: sim::Passes::default(),
            estimates: sim::EstimateSource::default(),
            measure: sim::MeasureSpec::default(),
        }
    }

    /// Fields that must be set first, and to what.
    type Needs = &'static [(&'static str, &'static str)];

    /// A value of each field that differs from its default, and what the case must have for the field to exist.
    const EXAMPLES: &[(&str, &str, Needs)] = &[
        ("machine", "Tree(arity: 4, levels: 2)", &[]),
        ("nodes", "16", &[]),
        ("policy", "Easy", &[]),
        ("overrun", "Extend", &[("policy", "Easy()")]),
        ("shadow", "Count", &[("policy", "Easy()")]),
        ("early_end", "Replan", &[("policy", "Conservative()")]),
        ("order", "ShortestFirst", &[("policy", "Priority(order: Arrival, reservations: All)")]),
        ("reservations", "AtMost(3)", &[("policy", "Priority(order: Arrival, reservations: All)")]),
        ("allocator", "Contiguous(relax: 1)", &[]),
        ("relax", "1", &[("allocator", "Contiguous()")]),
        ("source", "Log(name: \"x\")", &[]),
        ("n_jobs", "100", &[]),
        ("speedup", "0.25", &[]),
        ("scale_estimates", "false", &[]),
        ("load", "0.7", &[]),
        ("load_by", "RunTimes", &[("load", "0.5")]),
        ("size_field", "Allocated", &[]),
        ("estimate_floor", "AsLogged", &[]),
        ("missing_estimate", "QueueLimit(60)", &[]),
        ("no_run_time", "ZeroIsOneSecond", &[]),
        ("too_large", "Clamp", &[]),
        ("negative_submit", "Zero", &[]),
        ("passes", "PerEvent", &[]),
        ("estimates", "Actual", &[]),
        ("bound_s", "60.0", &[]),
    ];

    #[test]
    fn every_field_sets_what_it_gets_and_nothing_else() {
        let tried: BTreeSet<&str> = EXAMPLES.iter().map(|(name, ..)| *name).collect();
        assert_eq!(tried, FIELDS.iter().map(|field| field.name).collect());
        for (name, text, needs) in EXAMPLES {
            let mut before = case();
            for (other, value) in *needs {
                ((find(other).unwrap().parse)(value).unwrap().apply)(&mut before).unwrap();
            }
            let field = find(name).unwrap();
            let value = (field.parse)(text).unwrap();
            let mut after = before.clone();
            (value.apply)(&mut after).unwrap();
            assert_ne!(before, after, "{name}");
            assert_eq!((field.get)(&after), Some(value.canonical), "{name}");
            if let Some(old) = (field.get)(&before) {
                ((field.parse)(&old).unwrap().apply)(&mut after).unwrap();
                assert_eq!(before, after, "{name} touches another field");
            }
        }
    }

    #[test]
    fn the_printed_defaults_are_values() {
        for field in FIELDS.iter().filter(|field| !["none", "required"].contains(&field.default)) {
            assert!((field.parse)(field.default).is_ok(), "{}: {}", field.name, field.default);
        }
    }

    #[test]
    fn a_part_of_something_else_says_so() {
        let value = (find("overrun").unwrap().parse)("Extend").unwrap();
        let lack = (value.apply)(&mut case()).unwrap_err();
        assert_eq!(lack, Lack { object: "policy", variant: "Fcfs".into() });
    }

    #[test]
    fn parentheses_of_bare_names_do_not_matter() {
        for (with, without) in [("Easy()", "Easy"), ("Fcfs()", "Fcfs"), ("Conservative( )", "Conservative")] {
            let read = |text| (find("policy").unwrap().parse)(text).unwrap().canonical;
            assert_eq!(read(with), read(without));
        }
    }
}
