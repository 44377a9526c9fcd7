//! The words of an experiment file beside the fields of a case: its parts, and what claims, tables, figures and comparisons consist of.

use crate::ron_text::options;
use ron::error::Error as Code;
use serde::de::DeserializeOwned;
use table::{
    CellMark, ClaimSpec, ComparisonSpec, FigureKind, FigureSpec, Predicate, Quantity, ScheduleSpec,
    TableColumn, TableFigureSpec, TableRow, TableSpec,
};

/// A part of an experiment file.
#[derive(Debug)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// What it is, in RON.
    pub values: &'static str,
    /// What counts where it is left out; `required` where it must not be.
    pub default: &'static str,
    /// What it means.
    pub doc: &'static str,
}

const fn part(name: &'static str, values: &'static str, default: &'static str, doc: &'static str) -> Part {
    Part { name, values, default, doc }
}

/// Every part of an experiment file, in their usual order.
pub static PARTS: &[Part] = &[
    part("format", "1", "1", "Version of the language that the file is written in."),
    part(
        "name",
        "\"name\"",
        "required",
        "The experiment's name and the folder of its tables; not in included files.",
    ),
    part("study", "\"name\"", "required", "The study that it belongs to, the folder above."),
    part("title", "\"text\"", "required", "A line for people; not in included files."),
    part("source", "\"text\"", "required", "The publication, section and figures that it reproduces."),
    part(
        "include",
        "[\"parts/base.ron\", ..]",
        "[]",
        "Files with parts that several experiments share, relative to this file. What this file says itself wins; two included files must not say the same.",
    ),
    part(
        "base",
        "(machine: .., workload: .., policy: .., ..)",
        "required",
        "The case that the axes start from; its fields are those of `schema`.",
    ),
    part("modes", "[Trace, Twin]", "as each source says", "In which modes the logs are run."),
    part(
        "axes",
        "{\"field\": [a, b], \"other\": Range(from: .., to: .., step: ..)}",
        "{}",
        "Fields, by name or path, and their values: a list, Range with step or count, or LogRange with count. Lists inside a value are written out: Easy(overrun: [KillBackfilled, Extend]).",
    ),
    part(
        "zip",
        "[(name: \"..\", labels: [..], fields: {\"field\": [..]})]",
        "[]",
        "Fields that move together; with name and labels they are one column. There, a field written \"field?\" is set only in cases whose objects have it.",
    ),
    part(
        "exclude",
        "[\"a = x and b > 1 or c in [2, 3]\"]",
        "[]",
        "Points that match any of these are dropped. Comparisons: = != < <= > >= in; `and` binds tighter than `or`.",
    ),
    part("only", "[\"a = x\"]", "[]", "Points that do not match all of these are dropped."),
    part(
        "union",
        "[(set: {..}, axes: {..}, zip: [..], exclude: [..], only: [..])]",
        "[]",
        "Further grids over the same base case; a case in several grids is run once.",
    ),
    part(
        "replications",
        "a whole number, 1 or more",
        "1",
        "How often every case with randomness is run; recorded jobs are run once.",
    ),
    part(
        "seed",
        "a whole number",
        "1",
        "The master seed, from which the seed of each replication is derived.",
    ),
    part(
        "scales",
        "{\"smoke\": {\"n_jobs\": 1000, \"replications\": 2}}",
        "{}",
        "Named changes of fields, axes, replications, seed or modes, chosen with --scale.",
    ),
    part(
        "comparisons",
        "[(id: .., metrics: [..], baseline: {..})]",
        "[]",
        "Paired differences against a baseline case, for the comparisons table.",
    ),
    part(
        "claims",
        "[(id: .., statement: .., source: .., predicates: [..])]",
        "[]",
        "Published statements to test on the tables.",
    ),
    part(
        "settings",
        "[\"column\", ..]",
        "[]",
        "Columns whose values are choices that the publication leaves open: every claim is tested under each combination of them, and reports say under how many it holds.",
    ),
    part(
        "tables",
        "[(id: .., title: .., source: .., heading: .., columns: [..], rows: [..])]",
        "[]",
        "Published tables, to be measured cell by cell and shown in their own layout beside what is printed.",
    ),
    part(
        "figures",
        "[(id: .., title: .., kind: .., x: .., y: .., y_label: ..)]",
        "[]",
        "Figures to draw from the summary table, or cumulative ones from the groups table.",
    ),
    part(
        "table_figures",
        "[(id: .., title: .., tables: [..], columns: [..], y_label: ..)]",
        "[]",
        "Bars to draw from published tables.",
    ),
    part(
        "schedules",
        "[(id: .., title: .., only: {..}, from_s: Some(..), to_s: Some(..), colour: Class)]",
        "[]",
        "Schedules to draw, nodes over time, each of one run, which is carried out again for it.",
    ),
    part(
        "assumptions",
        "[(field: \"..\", reason: \"..\", sweep: [..])]",
        "[]",
        "Values that the publication does not print: the field, why this value, and which others were tried.",
    ),
];

/// Something with named parts that an experiment file can hold: a claim, a predicate, a figure.
#[derive(Debug)]
pub struct Form {
    /// Its name as written, or what it is where it has none.
    pub name: &'static str,
    /// Its parts.
    pub fields: Vec<&'static str>,
}

/// The forms of claims, their predicates and quantities, tables, figures and comparisons.
pub fn forms() -> Vec<Form> {
    let plain = |name, fields| Form { name, fields };
    let mut forms = vec![
        plain("claim", fields_of::<ClaimSpec>("")),
        plain("figure", fields_of::<FigureSpec>("")),
        plain("comparison", fields_of::<ComparisonSpec>("")),
        plain("table", fields_of::<TableSpec>("")),
        plain("table column", fields_of::<TableColumn>("")),
        plain("table row", fields_of::<TableRow>("")),
        plain("table mark", fields_of::<CellMark>("")),
        plain("table figure", fields_of::<TableFigureSpec>("")),
        plain("schedule", fields_of::<ScheduleSpec>("")),
    ];
    forms.extend(predicates().into_iter().map(|name| Form { name, fields: fields_of::<Predicate>(name) }));
    forms.extend(quantities().into_iter().map(|name| Form { name, fields: fields_of::<Quantity>(name) }));
    forms
}

/// The names of the quantities that claims and published tables are about.
pub fn quantities() -> Vec<&'static str> {
    variants_of::<Quantity>()
}

/// The names of the predicates of claims.
pub fn predicates() -> Vec<&'static str> {
    variants_of::<Predicate>()
}

/// The names of the kinds of figures.
pub fn figure_kinds() -> Vec<&'static str> {
    variants_of::<FigureKind>()
}

/// A name that nothing has: what is known instead is in the error.
const NOTHING: &str = "Nothing_is_called_this";

fn variants_of<T: DeserializeOwned>() -> Vec<&'static str> {
    match options().from_str::<T>(NOTHING).map_err(|error| error.code) {
        Err(Code::NoSuchEnumVariant { expected, .. }) => expected.to_vec(),
        _ => Vec::new(),
    }
}

fn fields_of<T: DeserializeOwned>(variant: &str) -> Vec<&'static str> {
    match options().from_str::<T>(&format!("{variant}({NOTHING}: 1)")).map_err(|error| error.code) {
        Err(Code::NoSuchStructField { expected, .. }) => expected.to_vec(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Experiment, Overrides};

    #[test]
    fn every_part_that_is_read_is_listed() {
        let problems = Experiment::parse("x", "(nothing: 1)", &Overrides::default()).unwrap_err();
        let message = &problems.0[0].message;
        let known: Vec<&str> = message.split("known: ").nth(1).unwrap().split(", ").collect();
        assert_eq!(known, PARTS.iter().map(|part| part.name).collect::<Vec<_>>());
    }

    #[test]
    fn required_parts_are_those_that_are_missed() {
        let problems = Experiment::parse("x", "()", &Overrides::default()).unwrap_err().to_string();
        for part in PARTS {
            let missed = problems.contains(&format!("`{}` is missing", part.name));
            assert_eq!(missed, part.default == "required", "{}", part.name);
        }
    }

    #[test]
    fn the_forms_have_their_parts() {
        let forms = forms();
        assert_eq!(forms.len(), 9 + predicates().len() + quantities().len());
        assert!(forms.iter().all(|form| form.fields.len() >= 2), "{forms:?}");
        assert_eq!(figure_kinds(), ["Lines", "Bars", "Cumulative", "Groups", "GroupBars"]);
        assert!(predicates().contains(&"Crossover"));
    }
}
