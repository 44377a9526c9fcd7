//! The axis columns of an experiment: one schema for all its grids, and the values that each column is known to have.

use crate::axis::{Axis, Choice, Label};
use crate::field::{self, FieldKind};
use crate::grid_plan::GridPlan;
use crate::run_spec::{AxisColumn, AxisValue, Case, ColumnKind};
use std::collections::BTreeMap;

/// A column and what is known of its values.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) axis: AxisColumn,
    /// Every label in the file or the overrides, first met first.
    pub(crate) labels: Vec<Label>,
    /// A field's value in the writer's form → how the file writes it, for grids in which the field is no axis.
    written: BTreeMap<String, Label>,
}

impl Column {
    /// What the column prints for a case in which its field is no axis.
    pub(crate) fn cell_of(&self, case: &Case) -> AxisValue {
        let canonical = field::find(&self.axis.name).and_then(|field| field.get(case));
        canonical.map_or(AxisValue::Missing, |text| match self.written.get(&text) {
            Some(label) => label.cell(self.axis.kind),
            None => Label::of(&text).cell(self.axis.kind),
        })
    }

    /// Whether the column prints numbers.
    pub(crate) fn is_numeric(&self) -> bool {
        self.axis.kind != ColumnKind::Text
    }
}

/// The columns of the grids, sorted by name. `plans` decide which there are; `before` are the grids before the overrides and
/// `base` the whole objects of the base case as written, which only add to what is known.
pub(crate) fn columns(plans: &[GridPlan], before: &[GridPlan], base: &[Axis]) -> Vec<Column> {
    let mut found: BTreeMap<String, Vec<Label>> = BTreeMap::new();
    for (name, labels, _) in plans.iter().flat_map(GridPlan::columns) {
        add(found.entry(name.to_owned()).or_default(), labels);
    }
    for (name, labels, _) in before.iter().flat_map(GridPlan::columns) {
        if let Some(known) = found.get_mut(name) {
            add(known, labels);
        }
    }
    let single = || plans.iter().chain(before).flat_map(|plan| &plan.set);
    for axis in single() {
        if let Some(known) = found.get_mut(axis.field.name) {
            add(known, axis.labels());
        }
    }
    found
        .into_iter()
        .map(|(name, labels)| {
            let kind = kind(&name, &labels, plans);
            let axes = plans.iter().chain(before).flat_map(GridPlan::plain_axes).chain(single()).chain(base);
            let mut written = BTreeMap::new();
            for Choice { label, value } in
                axes.filter(|axis| axis.field.name == name).flat_map(|axis| &axis.choices)
            {
                written.entry(value.canonical.clone()).or_insert_with(|| label.clone());
            }
            Column { axis: AxisColumn { name, kind }, labels, written }
        })
        .collect()
}

fn add(known: &mut Vec<Label>, labels: Vec<&Label>) {
    let mut seen: std::collections::BTreeSet<_> = known.iter().map(|label| label.text.clone()).collect();
    for label in labels {
        if seen.insert(label.text.clone()) {
            known.push(label.clone());
        }
    }
}

/// A field of whole numbers is an `Int` column; a field of numbers too where every one is written without a point and no grid
/// leaves it to the base case.
fn kind(name: &str, labels: &[Label], plans: &[GridPlan]) -> ColumnKind {
    let in_every_grid = || plans.iter().all(|plan| plan.fields().any(|axis| axis.field.name == name));
    match field::find(name).map(|field| field.kind) {
        Some(FieldKind::Int) => ColumnKind::Int,
        Some(FieldKind::Real) if labels.iter().all(Label::is_whole) && in_every_grid() => ColumnKind::Int,
        Some(FieldKind::Real) => ColumnKind::Real,
        Some(FieldKind::Text | FieldKind::List) | None => ColumnKind::Text,
    }
}
