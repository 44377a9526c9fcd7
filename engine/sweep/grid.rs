//! A grid laid out: dimensions, and the rules that drop points.

use crate::axis::{Axis, Label};
use crate::column::Column;
use crate::constraint::{Constraint, Term};
use crate::field::{self, Field, Lack, Shape, Value};
use crate::grid_plan::{GridPlan, Group, take};
use crate::problem::Problem;
use crate::ron_text::Written;
use crate::run_spec::{AxisValue, Case};
use crate::suggest::{did_you_mean, list};
use crate::walk::Walk;
use std::collections::BTreeSet;
use workload::WorkloadSpec;

/// The points of one grid.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    base: Case,
    /// Sorted by name, so that the order in the text does not matter.
    dimensions: Vec<Dimension>,
    /// Which value of which dimension is applied when: whole objects before their parts.
    order: Vec<(usize, usize)>,
    /// Sorted by depth.
    rules: Vec<Rule>,
    /// For each column of the experiment the dimension and track that it is; `None`: the case itself knows.
    cells: Vec<Option<(usize, usize)>>,
}

/// Values that move together: one axis, a zip group, or a field that is set.
#[derive(Clone, Debug)]
struct Dimension {
    len: usize,
    steps: Vec<Step>,
    tracks: Vec<Track>,
}

/// A field that a dimension sets, with the value at each position.
#[derive(Clone, Debug)]
struct Step {
    field: &'static Field,
    values: Vec<Value>,
    /// Cases that lack the field stay as they are.
    optional: bool,
}

/// What a dimension prints in one column.
#[derive(Clone, Debug)]
struct Track {
    name: String,
    labels: Vec<Label>,
    cells: Vec<AxisValue>,
}

/// A constraint as truth tables over the positions on its dimensions.
#[derive(Clone, Debug)]
struct Rule {
    /// A point that matches is dropped (`exclude`), or one that does not (`only`).
    drops_matches: bool,
    /// It matches where all tables of one alternative do.
    alternatives: Vec<Vec<Truth>>,
    /// The last dimension it looks at.
    depth: usize,
}

/// A dimension, and for each position on it whether a term is true there.
type Truth = (usize, Vec<bool>);

impl Dimension {
    fn of_axis(axis: &Axis) -> Dimension {
        let labels = axis.labels().into_iter().cloned().collect();
        Dimension {
            len: axis.choices.len(),
            steps: vec![step(axis)],
            tracks: vec![Track { name: axis.field.name.to_owned(), labels, cells: Vec::new() }],
        }
    }

    fn of_group(group: &Group) -> Dimension {
        let tracks = match &group.labelled {
            Some(labelled) => {
                vec![Track {
                    name: labelled.name.clone(),
                    labels: labelled.labels.clone(),
                    cells: Vec::new(),
                }]
            }
            None => group.axes.iter().flat_map(|axis| Dimension::of_axis(axis).tracks).collect(),
        };
        let len = group.axes.first().map_or(0, |axis| axis.choices.len());
        Dimension { len, steps: group.axes.iter().map(step).collect(), tracks }
    }

    /// Keeps one position for each combination of what other fields depend on.
    fn keep_shapes(&mut self) {
        let mut seen = BTreeSet::new();
        let kept: Vec<usize> = (0..self.len).filter(|&at| seen.insert(self.shape_at(at))).collect();
        self.len = kept.len();
        for step in &mut self.steps {
            step.values = kept.iter().map(|&at| step.values[at].clone()).collect();
        }
        for track in &mut self.tracks {
            track.labels = kept.iter().map(|&at| track.labels[at].clone()).collect();
            track.cells.clear();
        }
    }

    /// What other fields depend on of the values at a position.
    fn shape_at(&self, at: usize) -> Vec<String> {
        let shape = |step: &Step| {
            let text = &step.values[at].canonical;
            match step.field.shape {
                Shape::Free => String::new(),
                Shape::Presence => (text == "None").to_string(),
                Shape::Value => text.clone(),
            }
        };
        self.steps.iter().map(shape).collect()
    }

    fn sort_key(&self) -> Option<&str> {
        self.tracks.iter().map(|track| track.name.as_str()).min()
    }
}

fn step(axis: &Axis) -> Step {
    let values = axis.choices.iter().map(|choice| choice.value.clone()).collect();
    Step { field: axis.field, values, optional: axis.optional }
}

impl Rule {
    fn drops(&self, index: &[usize]) -> bool {
        let is_true = |(dimension, truth): &Truth| truth[index[*dimension]];
        self.alternatives.iter().any(|terms| terms.iter().all(is_true)) == self.drops_matches
    }

    fn looks_at(&self, dimension: usize) -> bool {
        self.alternatives.iter().flatten().any(|(other, _)| *other == dimension)
    }
}

impl Grid {
    /// Lays a grid out under the columns of its experiment.
    pub(crate) fn build(
        plan: &GridPlan,
        base: &Case,
        columns: &[Column],
        problems: &mut Vec<Problem>,
    ) -> Grid {
        let axes = plan.set.iter().chain(&plan.axes).map(Dimension::of_axis);
        let mut dimensions: Vec<Dimension> =
            axes.chain(plan.groups.iter().map(Dimension::of_group)).collect();
        dimensions.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        let mut grid = Grid {
            base: base.clone(),
            order: order(&dimensions),
            dimensions,
            rules: Vec::new(),
            cells: Vec::new(),
        };
        for column in columns {
            let place = grid.find(&column.axis.name);
            if let Some((dimension, track)) = place {
                let track = &mut grid.dimensions[dimension].tracks[track];
                track.cells = track.labels.iter().map(|label| label.cell(column.axis.kind)).collect();
            } else if field::find(&column.axis.name).is_none() {
                let name = &column.axis.name;
                let label = column.labels.first().map_or("..", |label| &*label.text);
                let help = format!("set: {{\"{name}\": \"{label}\"}}");
                problems.push(plan.place.problem(format!("this grid has no `{name}`")).with_help(help));
            }
            grid.cells.push(place);
        }
        for (constraints, drops_matches) in [(&plan.exclude, true), (&plan.only, false)] {
            for constraint in constraints {
                grid.compile(constraint, drops_matches, columns, problems)
                    .into_iter()
                    .for_each(|r| grid.rules.push(r));
            }
        }
        grid.rules.sort_by_key(|rule| rule.depth);
        grid
    }

    fn find(&self, name: &str) -> Option<(usize, usize)> {
        self.dimensions.iter().enumerate().find_map(|(index, dimension)| {
            dimension.tracks.iter().position(|track| track.name == name).map(|track| (index, track))
        })
    }

    fn compile(
        &self,
        constraint: &Constraint,
        drops_matches: bool,
        columns: &[Column],
        problems: &mut Vec<Problem>,
    ) -> Option<Rule> {
        let before = problems.len();
        let mut table = |term| take(self.compile_term(term, columns), problems);
        let alternatives: Vec<Vec<Truth>> = constraint
            .alternatives
            .iter()
            .map(|terms| terms.iter().filter_map(&mut table).collect())
            .collect();
        let depth = alternatives.iter().flatten().map(|(dimension, _)| *dimension).max()?;
        (problems.len() == before).then_some(Rule { drops_matches, alternatives, depth })
    }

    fn compile_term(&self, term: &Term, columns: &[Column]) -> Result<Truth, Problem> {
        let name = field::flat(term.column.text());
        let Some((dimension, track)) = self.find(name) else {
            let known = || self.dimensions.iter().flat_map(|d| &d.tracks).map(|track| track.name.as_str());
            let message = format!(
                "the constraint names `{name}`, which is no axis of this grid; it has {}",
                list(known())
            );
            return Err(term.column.problem(message).with_help(did_you_mean(name, known())));
        };
        let wanted: Vec<Label> = term.values.iter().map(|value| Label::of(value.text())).collect();
        let labels = &self.dimensions[dimension].tracks[track].labels;
        if let Some(column) = columns.iter().find(|column| column.axis.name == name) {
            for (value, wanted) in term.values.iter().zip(&wanted) {
                check_value(term, value, wanted, column)?;
            }
        }
        let holds = |label: &Label| wanted.iter().any(|wanted| term.operator.holds(label, wanted));
        Ok((dimension, labels.iter().map(holds).collect()))
    }

    /// Number of dimensions.
    pub(crate) fn dimensions(&self) -> usize {
        self.dimensions.len()
    }

    /// Number of positions on a dimension.
    pub(crate) fn len_of(&self, dimension: usize) -> usize {
        self.dimensions[dimension].len
    }

    /// The last dimension that the first rule looks at which drops a point; `None` where the point stays.
    pub(crate) fn dropped_at(&self, index: &[usize]) -> Option<usize> {
        self.rules.iter().find(|rule| rule.drops(index)).map(|rule| rule.depth)
    }

    /// Points before any rule; saturates.
    pub(crate) fn product(&self) -> u128 {
        self.dimensions
            .iter()
            .fold(1, |product: u128, dimension| product.saturating_mul(dimension.len as u128))
    }

    /// A walk over all points that the rules leave.
    pub(crate) fn walk(&self) -> Walk {
        Walk::over(self, (0..self.dimensions.len()).collect())
    }

    /// Points and runs, where `passes` says how many runs a workload means by its source and whether its jobs are moldable. Only the dimensions that decide are walked.
    pub(crate) fn count(&self, passes: impl Fn(&WorkloadSpec) -> u64) -> (u64, u64) {
        let decides = |step: &Step| ["source", "moldable"].contains(&step.field.name);
        let (active, rest) = self.split(|dimension| dimension.steps.iter().any(decides));
        let order: Vec<_> =
            self.order.iter().filter(|(d, s)| decides(&self.dimensions[*d].steps[*s])).collect();
        let mut case = self.base.clone();
        let (mut points, mut runs) = (0, 0);
        let mut walk = Walk::over(self, active);
        while let Some(index) = walk.next(self) {
            for (dimension, step) in &order {
                // Both can be set in every case.
                let _always_there =
                    (self.dimensions[*dimension].steps[*step].values[index[*dimension]].apply)(&mut case);
            }
            points += rest;
            runs += rest * passes(&case.workload);
        }
        (points, runs)
    }

    /// A grid with one point for each combination of values that depend on one another, with the rules applied.
    pub(crate) fn shapes(&self) -> Grid {
        let mut grid = self.clone();
        for (at, dimension) in grid.dimensions.iter_mut().enumerate() {
            // A rule may tell any two positions apart.
            if !self.rules.iter().any(|rule| rule.looks_at(at)) {
                dimension.keep_shapes();
            }
        }
        grid
    }

    /// The dimensions that a rule or `also` names, and the number of points along the others.
    fn split(&self, also: impl Fn(&Dimension) -> bool) -> (Vec<usize>, u64) {
        let ruled = |index: usize| self.rules.iter().any(|rule| rule.looks_at(index));
        let (active, rest): (Vec<usize>, Vec<usize>) =
            (0..self.dimensions.len()).partition(|&index| ruled(index) || also(&self.dimensions[index]));
        let product =
            rest.iter().fold(1_u64, |product, &d| product.saturating_mul(self.dimensions[d].len as u64));
        (active, product)
    }

    /// The case at a point.
    pub(crate) fn case(&self, index: &[usize]) -> Result<Case, (&'static Field, Lack)> {
        let mut case = self.base.clone();
        self.apply(index, &mut case)?;
        Ok(case)
    }

    /// Turns a case of this grid into that at another point, without allocating where nothing on the heap differs.
    pub(crate) fn move_to(&self, index: &[usize], case: &mut Case) -> Result<(), (&'static Field, Lack)> {
        case.restore(&self.base);
        self.apply(index, case)
    }

    fn apply(&self, index: &[usize], case: &mut Case) -> Result<(), (&'static Field, Lack)> {
        for &(dimension, step) in &self.order {
            let Step { field, values, optional } = &self.dimensions[dimension].steps[step];
            match (values[index[dimension]].apply)(case) {
                Err(lack) if !optional => return Err((*field, lack)),
                _ => {}
            }
        }
        Ok(())
    }

    /// The cells of a point in the columns of the experiment.
    pub(crate) fn cells(&self, index: &[usize], case: &Case, columns: &[Column]) -> Vec<AxisValue> {
        let cell = |(place, column): (&Option<(usize, usize)>, &Column)| match place {
            Some((dimension, track)) => {
                self.dimensions[*dimension].tracks[*track].cells[index[*dimension]].clone()
            }
            None => column.cell_of(case),
        };
        self.cells.iter().zip(columns).map(cell).collect()
    }

    /// Where a point lies, for messages: `allocator = FirstFree, policy = Easy`; only what depends on one another.
    pub(crate) fn describe(&self, index: &[usize]) -> String {
        let shaping =
            |dimension: &Dimension| dimension.steps.iter().any(|step| step.field.shape != Shape::Free);
        let parts = self.dimensions.iter().zip(index).filter(|(dimension, _)| shaping(dimension));
        let text = |(dimension, &at): (&Dimension, &usize)| {
            dimension
                .tracks
                .iter()
                .map(|track| format!("{} = {}", track.name, track.labels[at].text))
                .collect::<Vec<_>>()
        };
        parts.flat_map(text).collect::<Vec<_>>().join(", ")
    }
}

fn check_value(term: &Term, value: &Written, wanted: &Label, column: &Column) -> Result<(), Problem> {
    let name = &column.axis.name;
    if column.is_numeric() {
        return match wanted.number.is_some() || &*wanted.text == "None" {
            true => Ok(()),
            false => Err(value.problem(format!("`{name}` is a number, `{}` is none", wanted.text))),
        };
    }
    if term.operator.is_order() {
        let help = "use = or !=".to_owned();
        return Err(term.column.problem(format!("`{name}` is no number and has no order")).with_help(help));
    }
    if column.labels.iter().any(|label| label.text == wanted.text) {
        return Ok(());
    }
    let known = || column.labels.iter().map(|label| &*label.text);
    let message = format!("`{name}` has no value `{}`; known: {}", wanted.text, list(known()));
    Err(value.problem(message).with_help(did_you_mean(&wanted.text, known())))
}

fn order(dimensions: &[Dimension]) -> Vec<(usize, usize)> {
    let all = dimensions
        .iter()
        .enumerate()
        .flat_map(|(d, dimension)| (0..dimension.steps.len()).map(move |s| (d, s)));
    let mut order: Vec<_> = all.collect();
    order.sort_by_key(|&(d, s)| (dimensions[d].steps[s].field.stage, dimensions[d].steps[s].field.name));
    order
}
