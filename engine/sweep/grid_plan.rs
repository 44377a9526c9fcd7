//! A grid that has been read and typed but not yet laid out: fields with their values, groups, constraints. Overrides of
//! scales and of the command line are applied to this form.

use crate::axis::{Axis, Choice, Label, items};
use crate::constraint::Constraint;
use crate::field;
use crate::file::{GridFile, GroupFile};
use crate::normal_form::normal_form;
use crate::problem::Problem;
use crate::ron_text::{Entry, Written};
use crate::suggest::{did_you_mean, list};
use sim::metrics::{GroupMetrics, Metrics};
use std::collections::BTreeMap;

/// A grid with typed values.
#[derive(Clone, Debug)]
pub(crate) struct GridPlan {
    pub(crate) place: Written,
    /// Fields with one value, which are no columns of their own.
    pub(crate) set: Vec<Axis>,
    pub(crate) axes: Vec<Axis>,
    pub(crate) groups: Vec<Group>,
    pub(crate) exclude: Vec<Constraint>,
    pub(crate) only: Vec<Constraint>,
}

/// Fields that move together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) place: Written,
    /// With labels the group is one column.
    pub(crate) labelled: Option<Labelled>,
    /// Axes of equal length.
    pub(crate) axes: Vec<Axis>,
}

/// The one column of a labelled group.
#[derive(Clone, Debug)]
pub(crate) struct Labelled {
    pub(crate) name: String,
    pub(crate) labels: Vec<Label>,
}

/// Columns that tables have anyway, besides the metrics.
const RESERVED: &[&str] = &[
    "study",
    "experiment",
    "mode",
    "replication",
    "seed",
    "run_key",
    "status",
    "message",
    "grouping",
    "group",
    "metric",
    "n",
    "mean",
    "sd",
    "min",
    "max",
    "ci_low",
    "ci_high",
    "comparison",
    "mean_difference",
    "difference_ci_low",
    "difference_ci_high",
    "mean_ratio",
    "ratio_ci_low",
    "ratio_ci_high",
];

impl Group {
    /// The group with only the values that carry these labels.
    pub(crate) fn select(&self, indices: &[usize]) -> Group {
        let pick = |axis: &Axis| {
            let choices: Vec<Choice> = indices.iter().filter_map(|&i| axis.choices.get(i).cloned()).collect();
            Axis { choices, ..axis.clone() }
        };
        let labelled = self.labelled.as_ref().map(|labelled| Labelled {
            name: labelled.name.clone(),
            labels: indices.iter().filter_map(|&i| labelled.labels.get(i).cloned()).collect(),
        });
        Group { place: self.place.clone(), labelled, axes: self.axes.iter().map(pick).collect() }
    }

    /// The position of a label, or the problem that there is none such.
    pub(crate) fn find_label(&self, written: &Written) -> Result<usize, Problem> {
        let wanted = normal_form(written.text());
        let Some(Labelled { name, labels }) = &self.labelled else {
            return Err(written.problem("the group has no labels"));
        };
        labels.iter().position(|label| *label.text == *wanted).ok_or_else(|| {
            let known = || labels.iter().map(|label| &*label.text);
            let message = format!("`{name}` has no value `{wanted}`; known: {}", list(known()));
            written.problem(message).with_help(did_you_mean(&wanted, known()))
        })
    }
}

impl GridPlan {
    /// Types a grid. `main` is the experiment's own grid, whose labelled groups a grid of the union can set by label.
    pub(crate) fn read(file: &GridFile, main: Option<&GridPlan>, problems: &mut Vec<Problem>) -> GridPlan {
        let mut plan = GridPlan {
            place: file.place.clone(),
            set: Vec::new(),
            axes: Vec::new(),
            groups: Vec::new(),
            exclude: constraints(&file.exclude, problems),
            only: constraints(&file.only, problems),
        };
        for entry in &file.set {
            let group = main.and_then(|main| main.labelled_group(&entry.name));
            match group.map(|group| group.find_label(&entry.value).map(|index| group.select(&[index]))) {
                Some(group) => take(group, problems).into_iter().for_each(|group| plan.groups.push(group)),
                None => {
                    read_axis(entry, problems, Axis::single).into_iter().for_each(|axis| plan.set.push(axis))
                }
            }
        }
        for entry in &file.axes {
            plan.axes.extend(read_axis(entry, problems, Axis::read));
        }
        for group in &file.zip {
            plan.groups.extend(read_group(group, problems));
        }
        plan.report_duplicates(problems);
        plan.report_reserved(problems);
        plan
    }

    /// The group that is the column `name`.
    pub(crate) fn labelled_group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.labelled.as_ref().is_some_and(|labelled| labelled.name == name))
    }

    /// The columns of this grid with their labels and places, in the order of the text.
    pub(crate) fn columns(&self) -> Vec<(&str, Vec<&Label>, &Written)> {
        let mut columns = Vec::new();
        for axis in &self.axes {
            columns.push((axis.field.name, axis.labels(), &axis.place));
        }
        for group in &self.groups {
            match &group.labelled {
                Some(labelled) => {
                    columns.push((&labelled.name, labelled.labels.iter().collect(), &group.place))
                }
                None => columns
                    .extend(group.axes.iter().map(|axis| (axis.field.name, axis.labels(), &axis.place))),
            }
        }
        columns
    }

    /// The axes that are columns under their own names.
    pub(crate) fn plain_axes(&self) -> impl Iterator<Item = &Axis> {
        let unlabelled = self.groups.iter().filter(|group| group.labelled.is_none());
        self.axes.iter().chain(unlabelled.flat_map(|group| &group.axes))
    }

    /// Every field that this grid sets, in any way.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Axis> {
        self.set.iter().chain(&self.axes).chain(self.groups.iter().flat_map(|group| &group.axes))
    }

    fn report_duplicates(&self, problems: &mut Vec<Problem>) {
        let mut seen = BTreeMap::new();
        let fields =
            self.set.iter().chain(&self.axes).chain(self.groups.iter().flat_map(|group| &group.axes));
        for axis in fields {
            if seen.insert(axis.field.name, ()).is_some() {
                let message = format!("`{}` is set twice in this grid", axis.field.name);
                let help =
                    "a field is an axis of its own, part of one zip group, or set: one of these".to_owned();
                problems.push(axis.place.problem(message).with_help(help));
            }
        }
        let mut names = BTreeMap::new();
        for group in &self.groups {
            let Some(labelled) = &group.labelled else { continue };
            if names.insert(&labelled.name, ()).is_some() {
                problems.push(group.place.problem(format!("two zip groups are called `{}`", labelled.name)));
            }
        }
    }

    fn report_reserved(&self, problems: &mut Vec<Problem>) {
        let metrics = Metrics::NAMES.iter().chain(GroupMetrics::NAMES);
        let taken: Vec<&str> = RESERVED.iter().chain(metrics).copied().collect();
        for (name, _, place) in self.columns() {
            if taken.contains(&name) {
                let help = format!(
                    "make it a labelled group: zip: [(name: \"my_{name}\", labels: [..], fields: {{\"{name}\": [..]}})]"
                );
                let message = format!("duplicate column: every table already has a column `{name}`");
                problems.push(place.problem(message).with_help(help));
            }
        }
    }
}

impl Axis {
    /// What its column prints.
    pub(crate) fn labels(&self) -> Vec<&Label> {
        self.choices.iter().map(|choice| &choice.label).collect()
    }
}

type ReadAxis = fn(&'static field::Field, &Written, &Written) -> Result<Axis, Vec<Problem>>;

fn read_axis(entry: &Entry, problems: &mut Vec<Problem>, read: ReadAxis) -> Option<Axis> {
    let Some(field) = field::find(&entry.name) else {
        problems.push(field::unknown(&entry.name, &entry.key));
        return None;
    };
    read(field, &entry.key, &entry.value).map_err(|found| problems.extend(found)).ok()
}

fn constraints(written: &[Written], problems: &mut Vec<Problem>) -> Vec<Constraint> {
    written.iter().filter_map(|literal| take(Constraint::read(literal), problems)).collect()
}

fn read_group(file: &GroupFile, problems: &mut Vec<Problem>) -> Option<Group> {
    let before = problems.len();
    let mut axes: Vec<Axis> = Vec::new();
    for entry in &file.fields {
        let name = entry.name.strip_suffix('?');
        if name.is_some() && file.labels.is_none() {
            let message = format!("`{}` can stand in a group with name and labels only", entry.name);
            problems.push(entry.key.problem(message));
        }
        let entry = &Entry { name: name.unwrap_or(&entry.name).to_owned(), ..entry.clone() };
        let axis = read_axis(entry, problems, |field, key, value| {
            let items = items(field.name, value).map_err(|problem| vec![problem])?;
            Axis::with_repeats(field, key, &items)
        });
        axes.extend(axis.map(|axis| Axis { optional: name.is_some(), ..axis }));
    }
    let labelled = read_labels(file, problems);
    if problems.len() > before {
        return None;
    }
    let Some(first) = axes.first() else {
        problems.push(file.place.problem("a zip group without fields"));
        return None;
    };
    for axis in &axes[1..] {
        if axis.choices.len() != first.choices.len() {
            let (a, b) = (first.choices.len(), axis.choices.len());
            let message = format!(
                "zip of unequal lengths: `{}` has {a} values, `{}` has {b}",
                first.field.name, axis.field.name
            );
            problems.push(axis.place.problem(message));
        }
    }
    if let (Some(labelled), Some(place)) = (&labelled, &file.labels)
        && labelled.labels.len() != first.choices.len()
    {
        let (labels, values) = (labelled.labels.len(), first.choices.len());
        problems
            .push(place.problem(format!("{labels} labels for {values} values of `{}`", first.field.name)));
    }
    (problems.len() == before).then(|| Group { place: file.place.clone(), labelled, axes })
}

fn read_labels(file: &GroupFile, problems: &mut Vec<Problem>) -> Option<Labelled> {
    let (name_place, labels_place) = match (&file.name, &file.labels) {
        (None, None) => return None,
        (Some(name), Some(labels)) => (name, labels),
        (Some(name), None) => {
            problems.push(name.problem("a named zip group needs labels, one per value"));
            return None;
        }
        (None, Some(labels)) => {
            problems.push(labels.problem("a zip group with labels needs a name, which becomes its column"));
            return None;
        }
    };
    let name = take(name_place.read::<Option<String>>(), problems)??;
    if !is_identifier(&name) || field::find(&name).is_some() {
        let message =
            format!("`{name}` cannot name a column: it is no lower-case word, or is the name of a field");
        problems.push(name_place.problem(message));
        return None;
    }
    let mut labels: Vec<Label> = Vec::new();
    for item in take(labels_place.items(), problems)? {
        let text = take(item.read::<String>(), problems)?;
        if text.is_empty() || labels.iter().any(|label| *label.text == *text) {
            problems.push(item.problem(format!("the label \"{text}\" is empty or used twice")));
            return None;
        }
        labels.push(Label { text: text.into(), number: None });
    }
    Some(Labelled { name, labels })
}

/// Whether a text can be a column's name.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// The value, or `None` with its problem kept.
pub(crate) fn take<T>(result: Result<T, Problem>, problems: &mut Vec<Problem>) -> Option<T> {
    result.map_err(|problem| problems.push(problem)).ok()
}
