//! From a text to a validated experiment. All that can be checked together is checked together: first everything that stands
//! on its own, then what depends on the grid's columns, then the combinations.

use crate::axis::{Axis, Item};
use crate::case_file::CaseParts;
use crate::check;
use crate::column::{Column, columns};
use crate::experiment::{Assumption, Experiment, pass};
use crate::field;
use crate::file::ExperimentFile;
use crate::grid::Grid;
use crate::grid_plan::{GridPlan, take};
use crate::include::{Included, ReadText};
use crate::nested::expand;
use crate::overrides::{self, Overrides, Settings};
use crate::plan::Seen;
use crate::problem::{Problem, Problems};
use crate::references::{self, Known};
use crate::ron_text::Written;
use crate::run_spec::Case;
use ron::value::RawValue;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use table::{ClaimSpec, ComparisonSpec, FigureSpec};
use workload::{Mode, Source};

/// More points than this are a typing error, not an experiment.
const MAX_POINTS: u128 = 1_000_000_000;

/// How many different bad combinations are listed.
const MAX_COMBINATIONS: usize = 12;

/// What a file asks of the results.
struct Wanted {
    claims: Vec<ClaimSpec>,
    figures: Vec<FigureSpec>,
    comparisons: Vec<ComparisonSpec>,
}

/// Reads and validates an experiment; `text_of` finds what it includes.
pub(crate) fn experiment(
    name: &str,
    text: &str,
    text_of: ReadText<'_>,
    overrides: &Overrides,
) -> Result<Experiment, Problems> {
    let whole = Written::whole(name, text);
    let mut files = Included::new(text_of);
    let mut problems = Vec::new();
    let read = match ExperimentFile::read(&whole, &mut files) {
        Ok(file) => experiment_of(&file, overrides, &mut problems),
        Err(found) => {
            problems = found;
            None
        }
    };
    match read {
        Some(experiment) if problems.is_empty() => {
            let text_hash = files.hash(text).to_hex().to_string();
            Ok(Experiment { file: name.to_owned(), text_hash, ..experiment })
        }
        _ => {
            problems.sort_by_key(|problem| (problem.file != name, problem.span.start));
            problems.dedup();
            Err(Problems(problems))
        }
    }
}

fn experiment_of(
    file: &ExperimentFile,
    overrides: &Overrides,
    problems: &mut Vec<Problem>,
) -> Option<Experiment> {
    let name = folder_name(&file.name, problems);
    let study = folder_name(&file.study, problems);
    let title = take(file.title.read(), problems);
    let source = take(file.source.read(), problems);
    let mut settings = settings(file, problems);
    let base = base_case(file, problems);
    let before = plans(file, problems);
    let mut plans = before.clone();
    overrides::check_scales(overrides.scale.as_deref(), &file.scales, &before, &settings, problems);
    overrides::apply(overrides, &file.scales, &mut settings, &mut plans, problems);
    let wanted = wanted(file, problems);
    let assumptions = assumptions(file, base.as_ref().map(|(case, _)| case), problems);
    let (base, objects) = base?;
    if !problems.is_empty() {
        return None;
    }
    let columns = columns(&plans, &before, &objects);
    let grids: Vec<Grid> = plans.iter().map(|plan| Grid::build(plan, &base, &columns, problems)).collect();
    check_references(file, &wanted, &columns, problems);
    check_sizes(&plans, &grids, problems);
    if !problems.is_empty() {
        return None;
    }
    for (plan, grid) in plans.iter().zip(&grids) {
        check_combinations(plan, grid, &file.base_place, problems);
    }
    let modes = settings.modes.unwrap_or_default();
    let (points, runs) = count(&grids, &modes, settings.replications);
    Some(Experiment {
        name: name?,
        study: study?,
        title: title?,
        source: source?,
        file: String::new(),
        text_hash: String::new(),
        seed: settings.seed,
        replications: settings.replications,
        modes,
        scales: file.scales.iter().map(|entry| entry.name.clone()).collect(),
        scale: overrides.scale.clone(),
        set: overrides.set.clone(),
        base,
        comparisons: wanted.comparisons,
        claims: wanted.claims,
        figures: wanted.figures,
        assumptions,
        columns,
        grids,
        points,
        runs,
    })
}

/// A name that is used as a folder.
fn folder_name(written: &Written, problems: &mut Vec<Problem>) -> Option<String> {
    let name: String = take(written.read(), problems)?;
    if is_file_name(&name) {
        return Some(name);
    }
    let message = format!("`{name}` cannot be a folder: use lower-case letters, digits, - and _");
    problems.push(written.problem(message));
    None
}

fn is_file_name(name: &str) -> bool {
    let good = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_');
    good && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}

fn settings(file: &ExperimentFile, problems: &mut Vec<Problem>) -> Settings {
    let mut settings = Settings { replications: 1, seed: 1, modes: None };
    for (name, written) in
        [("replications", &file.replications), ("seed", &file.seed), ("modes", &file.modes)]
    {
        if let Some(written) = written {
            take(settings.read(name, written), problems);
        }
    }
    settings
}

fn base_case(file: &ExperimentFile, problems: &mut Vec<Problem>) -> Option<(Case, Vec<Axis>)> {
    let parts = CaseParts::read(&file.base, &file.base_place, problems)?;
    match parts.case.into_case() {
        Some(case) => Some((case, parts.objects)),
        None => {
            problems.push(file.base_place.problem("field `workload` is missing in the base case"));
            None
        }
    }
}

fn plans(file: &ExperimentFile, problems: &mut Vec<Problem>) -> Vec<GridPlan> {
    let main = GridPlan::read(&file.grid, None, problems);
    let union: Vec<GridPlan> =
        file.union.iter().map(|grid| GridPlan::read(grid, Some(&main), problems)).collect();
    std::iter::once(main).chain(union).collect()
}

fn wanted(file: &ExperimentFile, problems: &mut Vec<Problem>) -> Wanted {
    let claims: Vec<ClaimSpec> = read_all(&file.claims, |claim: &ClaimSpec| &claim.id, "claim", problems);
    let figures: Vec<FigureSpec> =
        read_all(&file.figures, |figure: &FigureSpec| &figure.id, "figure", problems);
    let comparisons: Vec<ComparisonSpec> =
        read_all(&file.comparisons, |comparison: &ComparisonSpec| &comparison.id, "comparison", problems);
    let wanted = Wanted { claims, figures, comparisons };
    for (claim, place) in wanted.claims.iter().zip(&file.claims) {
        if claim.predicates.is_empty() {
            problems.push(place.problem(format!("the claim `{}` has no predicates", claim.id)));
        }
    }
    for (figure, place) in wanted.figures.iter().zip(&file.figures) {
        if !figure.id.is_empty() && !is_file_name(&figure.id) {
            let message = format!(
                "the figure id `{}` cannot be a file: use lower-case letters, digits, - and _",
                figure.id
            );
            problems.push(place.quoted(&figure.id).problem(message));
        }
    }
    // A list that could not be read whole is shorter than its places; its problems are known already.
    wanted.check(file, Known::Metrics, problems);
    wanted
}

fn read_all<T: DeserializeOwned>(
    written: &[Written],
    id: fn(&T) -> &String,
    what: &str,
    problems: &mut Vec<Problem>,
) -> Vec<T> {
    let items: Vec<T> = written.iter().filter_map(|item| take(item.read(), problems)).collect();
    let mut seen = BTreeSet::new();
    if items.len() == written.len() {
        for (item, place) in items.iter().zip(written) {
            if id(item).is_empty() || !seen.insert(id(item)) {
                let message = format!("the {what} id `{}` is empty or used twice", id(item));
                problems.push(place.quoted(id(item)).problem(message));
            }
        }
        return items;
    }
    Vec::new()
}

impl Wanted {
    fn check(&self, file: &ExperimentFile, known: Known<'_>, problems: &mut Vec<Problem>) {
        for (claim, place) in self.claims.iter().zip(&file.claims) {
            references::check(place, &references::of_claim(claim), known, problems);
        }
        for (figure, place) in self.figures.iter().zip(&file.figures) {
            references::check(place, &references::of_figure(figure), known, problems);
        }
        for (comparison, place) in self.comparisons.iter().zip(&file.comparisons) {
            references::check(place, &references::of_comparison(comparison), known, problems);
        }
    }
}

fn check_references(file: &ExperimentFile, wanted: &Wanted, columns: &[Column], problems: &mut Vec<Problem>) {
    wanted.check(file, Known::Columns(columns), problems);
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAssumption<'a> {
    #[serde(borrow)]
    field: &'a RawValue,
    reason: String,
    #[serde(borrow, default)]
    sweep: Vec<&'a RawValue>,
}

fn assumptions(file: &ExperimentFile, base: Option<&Case>, problems: &mut Vec<Problem>) -> Vec<Assumption> {
    file.assumptions.iter().filter_map(|written| assumption(written, base, problems)).collect()
}

fn assumption(written: &Written, base: Option<&Case>, problems: &mut Vec<Problem>) -> Option<Assumption> {
    let raw: RawAssumption<'_> = take(written.read(), problems)?;
    let place = written.place(raw.field);
    let name: String = take(place.read(), problems)?;
    let Some(field) = field::find(&name) else {
        problems.push(field::unknown(&name, &place));
        return None;
    };
    let values = raw.sweep.iter().map(|raw| expand(written.place(raw)));
    let items: Vec<Item> =
        take(values.collect::<Result<Vec<_>, _>>(), problems)?.into_iter().flatten().collect();
    let axis = Axis::of_items(field, &place, &items).map_err(|found| problems.extend(found)).ok()?;
    let sweep = axis.choices.iter().map(|choice| choice.label.text.to_string()).collect();
    let value = base.and_then(|base| field.get(base));
    Some(Assumption { field: field.name.to_owned(), reason: raw.reason, value, sweep })
}

fn check_sizes(plans: &[GridPlan], grids: &[Grid], problems: &mut Vec<Problem>) {
    for (plan, grid) in plans.iter().zip(grids) {
        let product = grid.product();
        if product > MAX_POINTS {
            let message = format!("the grid has {product} points, more than {MAX_POINTS}");
            problems.push(plan.place.problem(message));
            continue;
        }
        if product > 0 && grid.walk().next(grid).is_none() {
            let rules = || plan.exclude.iter().chain(&plan.only);
            let place = rules().next().map_or(&plan.place, |constraint| &constraint.place);
            let help = "loosen `exclude` or `only`".to_owned();
            problems
                .push(place.problem(format!("the constraints drop all {product} points")).with_help(help));
        }
    }
    if problems.is_empty() && grids.iter().all(|grid| grid.product() == 0) {
        problems.extend(plans.first().map(|plan| plan.place.problem("no point is left")));
    }
}

/// Tries one point of each combination of fields that depend on one another.
fn check_combinations(plan: &GridPlan, grid: &Grid, base: &Written, problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    let grid = &grid.shapes();
    let mut walk = grid.walk();
    while let Some(index) = walk.next(grid) {
        let (field, message, help) = match grid.case(index) {
            Err((field, lack)) => {
                let (object, variant) = (lack.object, lack.variant);
                let varied = plan.fields().any(|axis| axis.field.name == object && axis.choices.len() > 1);
                let help = match varied {
                    true => {
                        let inside = field.path.rsplit('.').next().unwrap_or(field.name);
                        format!(
                            "vary it inside the values that have it: \"{object}\": [.., Name({inside}: [a, b])]; or drop \
                             these points with exclude: [\"{object} = {variant}\"]"
                        )
                    }
                    false => format!("give the case a {object} that has `{}`", field.name),
                };
                (field.name, format!("{object} {variant} has no `{}`", field.name), help)
            }
            Ok(case) => match check::combination(&case) {
                Some(fault) => (fault.field, fault.message, fault.help.to_owned()),
                None => continue,
            },
        };
        if !seen.insert(message.clone()) {
            continue;
        }
        let place = plan.fields().find(|axis| axis.field.name == field).map_or(base, |axis| &axis.place);
        let at = grid.describe(index);
        let message = if at.is_empty() { message } else { format!("{message} (at {at})") };
        problems.push(place.problem(message).with_help(help));
        if seen.len() >= MAX_COMBINATIONS {
            return;
        }
    }
}

/// Points and runs. Several grids may share points, which only a walk finds.
fn count(grids: &[Grid], modes: &[Mode], replications: u32) -> (u64, u64) {
    let runs_of = |source: &Source| {
        let passes = (0..).map_while(|index| pass(modes, replications, source, index));
        passes.map(|pass| u64::from(pass.replications)).sum()
    };
    if let [grid] = grids {
        return grid.count(runs_of);
    }
    let mut seen = Seen::default();
    let (mut points, mut runs) = (0, 0);
    for grid in grids {
        let mut walk = grid.walk();
        while let Some(index) = walk.next(grid) {
            let Ok(case) = grid.case(index) else { continue };
            if seen.is_new(&case) {
                points += 1;
                runs += runs_of(&case.workload.source);
            }
        }
    }
    (points, runs)
}
