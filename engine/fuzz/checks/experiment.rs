//! The experiment language: any text is either an experiment whose plan holds together, or has problems with places.

use super::assert_printable;
use std::collections::HashSet;
use sweep::{
    AxisValue, ColumnKind, Experiment, Overrides, Problem, Problems, RunSpec, parse_case, run_key::spec_text,
};

/// The name that the text goes by.
const NAME: &str = "fuzz.ron";
/// Runs of one experiment that are looked at.
const LOOKED_AT: usize = 1000;

/// Checks a text as an experiment and as a case. Comment lines `// --set NAME=VALUES` and `// --scale NAME` in it are taken for
/// options of the command line too.
pub fn check(text: &str) {
    check_one(text, &Overrides::default());
    let overrides = overrides(text);
    if overrides != Overrides::default() {
        check_one(text, &overrides);
    }
    if let Err(problems) = parse_case(NAME, text) {
        check_problems(text, &problems);
    }
}

fn overrides(text: &str) -> Overrides {
    let options = || text.lines().filter_map(|line| line.strip_prefix("// --"));
    let set = options().filter_map(|option| option.strip_prefix("set ")?.split_once('='));
    Overrides {
        scale: options().find_map(|option| option.strip_prefix("scale ")).map(str::to_owned),
        set: set.map(|(name, values)| (name.to_owned(), values.to_owned())).collect(),
    }
}

fn check_one(text: &str, overrides: &Overrides) {
    match Experiment::parse(NAME, text, overrides) {
        Ok(experiment) => check_plan(&experiment),
        Err(problems) => check_problems(text, &problems),
    }
}

fn check_problems(text: &str, Problems(problems): &Problems) {
    assert!(!problems.is_empty(), "refused without a reason");
    problems.iter().for_each(|problem| check_problem(text, problem));
}

fn check_problem(text: &str, problem: &Problem) {
    match problem.file.as_str() {
        NAME => assert_eq!(&*problem.text, text, "not the text that was given"),
        "--set" | "--scale" => {}
        other => panic!("a problem in an unknown place {other:?}"),
    }
    let span = &problem.span;
    assert!(span.start <= span.end, "{problem:?}");
    assert!(problem.text.get(span.clone()).is_some(), "{span:?} is no part of the text: {}", problem.message);
    assert_printable(&problem.message);
    problem.help.iter().for_each(|help| assert_printable(help));
    assert!(problem.to_string().contains(&problem.message));
}

fn check_plan(experiment: &Experiment) {
    assert!(!experiment.is_empty() && experiment.points() > 0, "nothing to run");
    assert!(experiment.len() as u64 >= experiment.points(), "points without runs");
    let columns = experiment.columns();
    let names: HashSet<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names.len(), columns.len(), "two columns of one name: {columns:?}");
    let mut places = HashSet::new();
    let mut number = 0;
    for run in experiment.runs().take(LOOKED_AT + 1) {
        number += 1;
        assert_eq!(run.point.len(), columns.len());
        for (cell, column) in run.point.iter().zip(&columns) {
            let fits = match cell {
                AxisValue::Missing => true,
                AxisValue::Real(value) => column.kind == ColumnKind::Real && value.is_finite(),
                AxisValue::Int(_) => column.kind == ColumnKind::Int,
                AxisValue::Text(_) => column.kind == ColumnKind::Text,
            };
            assert!(fits, "{cell:?} in {column:?}");
        }
        let place = format!("{:?} {} {}", run.point, run.mode, run.spec.replication);
        assert!(places.insert(place), "two runs at {:?}, {}", run.point, run.mode);
        check_spec(&run.spec);
    }
    assert_eq!(number, experiment.len().min(LOOKED_AT + 1), "other runs than were counted");
}

/// The store keeps a run's specification as text; later tools must read the same run out of it.
fn check_spec(spec: &RunSpec) {
    let text = spec_text(spec, None).unwrap_or_else(|problem| panic!("no canonical text: {problem}"));
    let read: RunSpec = serde_json::from_str(&text).unwrap_or_else(|problem| panic!("{problem}: {text}"));
    assert_eq!(&read, spec, "{text}");
}
