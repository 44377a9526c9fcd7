//! What a scale or the command line changes in an experiment: a field's value, an axis's values, or how often it is run.

use crate::axis::{Axis, Item, is_many, items};
use crate::field::{self, Field};
use crate::grid_plan::{GridPlan, take};
use crate::nested::{expand, split};
use crate::normal_form::normal_form;
use crate::problem::Problem;
use crate::ron_text::{Entry, Written};
use crate::suggest::{did_you_mean, list};
use std::collections::BTreeSet;
use workload::Mode;

/// Changes to an experiment from outside its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// One of the experiment's scales.
    pub scale: Option<String>,
    /// Axis or field, and its values as typed: RON values separated by commas, a range, or labels of a zip group.
    pub set: Vec<(String, String)>,
}

/// The scales that an experiment without its own accepts and leaves as written.
pub const SCALES: &[&str] = &["smoke", "paper", "full"];

/// How often an experiment is run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) replications: u32,
    pub(crate) seed: u64,
    /// `None`: each log in the mode that its source says.
    pub(crate) modes: Option<Vec<Mode>>,
}

/// The settings that an override can name beside fields and columns.
const SETTINGS: &[&str] = &["replications", "seed", "modes"];

/// One change: what, and to which values.
struct Change {
    name: String,
    place: Written,
    value: Written,
    items: Vec<Item>,
}

impl Settings {
    /// Reads one setting; all checks of settings are here.
    pub(crate) fn read(&mut self, name: &str, written: &Written) -> Result<(), Problem> {
        match name {
            "replications" => {
                self.replications = written.read()?;
                if self.replications == 0 {
                    return Err(written.problem("an experiment needs at least one replication"));
                }
            }
            "seed" => self.seed = written.read()?,
            _ => {
                let modes: Vec<Mode> = match written.text().starts_with('[') {
                    true => written.read()?,
                    false => vec![written.read()?],
                };
                if modes.is_empty() {
                    return Err(written.problem("`modes` has no values; known: Trace, Twin"));
                }
                if modes.iter().collect::<BTreeSet<_>>().len() < modes.len() {
                    return Err(written.problem("`modes` has the same value twice"));
                }
                // Sorted: the order in which modes are written decides nothing.
                self.modes = Some(modes.into_iter().collect::<BTreeSet<_>>().into_iter().collect());
            }
        }
        Ok(())
    }
}

/// Applies the chosen scale, then what was set by hand.
pub(crate) fn apply(
    overrides: &Overrides,
    scales: &[Entry],
    settings: &mut Settings,
    plans: &mut [GridPlan],
    problems: &mut Vec<Problem>,
) {
    let mut changes = Vec::new();
    if let Some(name) = &overrides.scale {
        changes.extend(take(scale(name, scales), problems).unwrap_or_default());
    }
    for (name, values) in &overrides.set {
        let written = Written::whole("--set", &format!("{name}={values}"));
        changes.extend(take(change_by_hand(name, &written), problems));
    }
    for change in &changes {
        if SETTINGS.contains(&change.name.as_str()) {
            take(settings.read(&change.name, &change.value), problems);
        } else if let Err(found) = apply_change(change, plans) {
            problems.extend(found);
        }
    }
}

/// Checks the scales that were not chosen, so that a mistake in `full` is not found on the evening it is needed.
pub(crate) fn check_scales(
    chosen: Option<&str>,
    scales: &[Entry],
    plans: &[GridPlan],
    settings: &Settings,
    problems: &mut Vec<Problem>,
) {
    for (index, entry) in scales.iter().enumerate() {
        if scales[..index].iter().any(|other| other.name == entry.name) {
            problems.push(entry.key.problem(format!("the scale `{}` is written twice", entry.name)));
        } else if chosen != Some(&entry.name) {
            let alone = Overrides { scale: Some(entry.name.clone()), set: Vec::new() };
            apply(&alone, std::slice::from_ref(entry), &mut settings.clone(), &mut plans.to_vec(), problems);
        }
    }
}

fn scale(name: &str, scales: &[Entry]) -> Result<Vec<Change>, Problem> {
    match scales.iter().find(|entry| entry.name == name) {
        Some(entry) => entry.value.entries()?.into_iter().map(change_by_scale).collect(),
        None if scales.is_empty() && SCALES.contains(&name) => Ok(Vec::new()),
        None => {
            let own = || scales.iter().map(|entry| entry.name.as_str());
            let known: Vec<&str> = if scales.is_empty() { SCALES.to_vec() } else { own().collect() };
            let problem = Written::whole("--scale", name)
                .problem(format!("unknown scale `{name}`; known: {}", list(known.iter().copied())));
            Err(problem.with_help(did_you_mean(name, known)))
        }
    }
}

fn change_by_scale(entry: Entry) -> Result<Change, Problem> {
    let items = match (SETTINGS.contains(&entry.name.as_str()), is_many(&entry.name, &entry.value)) {
        (true, _) => vec![Item::written(entry.value.clone())],
        (false, true) => items(&entry.name, &entry.value)?,
        (false, false) => expand(entry.value.clone())?,
    };
    Ok(Change { name: entry.name, place: entry.key, value: entry.value, items })
}

fn change_by_hand(name: &str, written: &Written) -> Result<Change, Problem> {
    let place = written.part(0..name.len());
    let value = written.part(name.len() + 1..written.text().len());
    if value.text().trim().is_empty() {
        return Err(place.problem(format!("`{name}` has no values")));
    }
    let items = match is_many(name, &value) {
        true if !SETTINGS.contains(&name) => items(name, &value)?,
        _ => {
            let parts = split(value.text()).into_iter().map(|span| expand(value.part(span)));
            parts.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect()
        }
    };
    let value = match name == "modes" && !value.text().starts_with('[') {
        true => Written::whole("--set", &format!("[{}]", value.text())),
        false => value,
    };
    Ok(Change { name: name.to_owned(), place, value, items })
}

fn apply_change(change: &Change, plans: &mut [GridPlan]) -> Result<(), Vec<Problem>> {
    if plans.iter().any(|plan| plan.labelled_group(&change.name).is_some()) {
        return select_labels(change, plans).map_err(|problem| vec![problem]);
    }
    let Some(field) = field::find(&change.name) else {
        let columns = plans.iter().flat_map(|plan| plan.columns()).map(|(name, ..)| name);
        let known: BTreeSet<&str> = columns.chain(SETTINGS.iter().copied()).collect();
        let own = || did_you_mean(&change.name, known.iter().copied());
        let near = match change.name.contains('.') {
            true => field::meant(&change.name).or_else(own),
            false => own().or_else(|| field::meant(&change.name)),
        };
        let other: Vec<_> = field::names().filter(|name| !known.contains(name)).collect();
        let message = format!(
            "unknown axis `{}`; this experiment has {}; other fields: {}",
            change.name,
            list(known.iter().copied()),
            list(other)
        );
        return Err(vec![change.place.problem(message).with_help(near)]);
    };
    let axis = Axis::of_items(field, &change.place, &change.items)?;
    plans.iter_mut().try_for_each(|plan| set_field(field, &axis, plan)).map_err(|problem| vec![problem])
}

/// Keeps the values with these labels; a grid of the union that has none of them ends up without points.
fn select_labels(change: &Change, plans: &mut [GridPlan]) -> Result<(), Problem> {
    let mut wanted = BTreeSet::new();
    for item in &change.items {
        let found: Vec<_> = plans
            .iter()
            .filter_map(|plan| plan.labelled_group(&change.name))
            .map(|g| g.find_label(item.place()))
            .collect();
        if let Some(Err(problem)) = found.iter().find(|_| found.iter().all(Result::is_err)) {
            return Err(problem.clone());
        }
        if !wanted.insert(normal_form(item.text())) {
            return Err(item.problem(format!("`{}` has the value {} twice", change.name, item.text())));
        }
    }
    for group in plans.iter_mut().flat_map(|plan| &mut plan.groups) {
        let Some(labelled) = group.labelled.as_ref().filter(|labelled| labelled.name == change.name) else {
            continue;
        };
        let kept = labelled.labels.iter().enumerate().filter(|(_, label)| wanted.contains(&*label.text));
        let indices: Vec<usize> = kept.map(|(index, _)| index).collect();
        *group = group.select(&indices);
    }
    Ok(())
}

fn set_field(field: &'static Field, axis: &Axis, plan: &mut GridPlan) -> Result<(), Problem> {
    for group in &plan.groups {
        if !group.axes.iter().any(|other| other.field.name == field.name) {
            continue;
        }
        let message = format!("`{}` moves together with other fields and cannot be set alone", field.name);
        let help =
            group.labelled.as_ref().map(|labelled| format!("choose among the values of `{}`", labelled.name));
        return Err(axis.place.problem(message).with_help(help));
    }
    plan.set.retain(|other| other.field.name != field.name);
    match plan.axes.iter_mut().find(|other| other.field.name == field.name) {
        Some(old) => *old = axis.clone(),
        None if axis.choices.len() == 1 => plan.set.push(axis.clone()),
        None => plan.axes.push(axis.clone()),
    }
    Ok(())
}
