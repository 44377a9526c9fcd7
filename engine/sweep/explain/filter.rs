//! Which runs somebody asks about: the language of constraints, or the beginning of a key.

use crate::axis::Label;
use crate::constraint::{Constraint, Operator, Term};
use crate::field;
use crate::problem::Problem;
use crate::ron_text::Written;
use crate::suggest::{did_you_mean, list};
use crate::{Experiment, PlannedRun, RunKey};
use std::collections::BTreeSet;

/// A condition on runs.
#[derive(Clone, Debug)]
pub enum Filter {
    /// `column = value and other > 0`: axes, labelled groups and fields of the case, and `replication`, `seed` and `mode`.
    Terms(Terms),
    /// Keys that begin so, in hexadecimal.
    Key(String),
}

/// Comparisons: what `or` joins, each what `and` joins.
#[derive(Clone, Debug)]
pub struct Terms(Vec<Vec<Test>>);

#[derive(Clone, Debug)]
struct Test {
    column: String,
    operator: Operator,
    wanted: Vec<Wanted>,
}

/// A value that a column is compared with.
#[derive(Clone, Debug)]
struct Wanted {
    label: Label,
    /// The value in the writer's own form, where the column is a field and the text one of its values.
    canonical: Option<String>,
}

/// Columns that every run has besides axes and fields.
const OTHERS: [&str; 3] = ["replication", "seed", "mode"];

/// Digits of a key that are taken for one; fewer could be a number.
const FEWEST_DIGITS: usize = 4;

impl Filter {
    /// Whether a text is the beginning of a key rather than a condition.
    pub fn is_key(text: &str) -> bool {
        text.len() >= FEWEST_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// Reads a filter for the runs of some experiments.
    ///
    /// # Errors
    /// A malformed condition, or one on a column that no experiment has.
    pub fn read(text: &str, experiments: &[Experiment]) -> Result<Filter, Problem> {
        if Filter::is_key(text) {
            return Ok(Filter::Key(text.to_ascii_lowercase()));
        }
        let hashes = "#".repeat(1 + text.matches('#').count());
        let literal = format!("r{hashes}\"{text}\"{hashes}");
        let constraint = Constraint::read(&Written::whole("filter", &literal))?;
        let alternative = |terms: &Vec<Term>| terms.iter().map(|term| test(term, experiments)).collect();
        let alternatives = constraint.alternatives.iter().map(alternative);
        Ok(Filter::Terms(Terms(alternatives.collect::<Result<_, _>>()?)))
    }

    /// Whether a run of an experiment is meant.
    pub fn matches(&self, experiment: &Experiment, run: &PlannedRun, key: &RunKey) -> bool {
        match self {
            Filter::Key(digits) => key.to_string().starts_with(digits),
            Filter::Terms(Terms(alternatives)) => {
                alternatives.iter().any(|tests| tests.iter().all(|test| test.holds(experiment, run)))
            }
        }
    }
}

fn test(term: &Term, experiments: &[Experiment]) -> Result<Test, Problem> {
    let name = field::flat(term.column.text()).to_owned();
    let columns = || experiments.iter().flat_map(|experiment| &experiment.columns);
    let is_column = columns().any(|column| column.axis.name == name);
    let field = field::find(&name);
    if !is_column && field.is_none() && !OTHERS.contains(&name.as_str()) {
        let columns = columns().map(|column| column.axis.name.clone());
        let others = field::names().chain(OTHERS).map(str::to_owned);
        let all: BTreeSet<String> = columns.chain(others).collect();
        let known = || all.iter().map(String::as_str);
        let message = format!("there is no column or field `{name}`; known: {}", list(known()));
        return Err(term.column.problem(message).with_help(did_you_mean(&name, known())));
    }
    let wanted = term.values.iter().map(|value| Wanted {
        label: Label::of(value.text()),
        canonical: field
            .and_then(|field| (field.access.parse)(value.text()).ok())
            .map(|value| value.canonical),
    });
    Ok(Test { wanted: wanted.collect(), operator: term.operator, column: name })
}

impl Test {
    fn holds(&self, experiment: &Experiment, run: &PlannedRun) -> bool {
        let name = self.column.as_str();
        let at = experiment.columns.iter().position(|column| column.axis.name == name);
        let cell = at.and_then(|at| run.point.get(at)).map(ToString::to_string);
        let own = field::find(name).and_then(|field| (field.access.get)(&run.spec.case));
        let cell = cell.or_else(|| match name {
            "replication" => Some(run.spec.replication.to_string()),
            "seed" => Some(run.spec.seed.to_string()),
            "mode" => Some(run.mode.to_string()),
            _ => own.clone(),
        });
        let cell = Label::of(cell.as_deref().unwrap_or("None"));
        self.wanted.iter().any(|wanted| {
            // `Easy()` is meant where the axis says `Easy(overrun: KillBackfilled)`.
            let same = !self.operator.is_order() && own.is_some() && own == wanted.canonical;
            self.operator.holds(if same { &wanted.label } else { &cell }, &wanted.label)
        })
    }
}
