//! From a text to a validated experiment. All that can be checked together is checked together: first everything that stands
//! on its own, then what depends on the grid's columns, then the combinations.

use crate::axis::{Axis, Item};
use crate::case_file::CaseParts;
use crate::check;
use crate::column::columns;
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
use crate::references::Known;
use crate::ron_text::Written;
use crate::run_spec::Case;
use crate::wanted::Wanted;
use ron::value::RawValue;
use serde::Deserialize;
use std::collections::BTreeSet;
use workload::{Mode, WorkloadSpec};

/// More points than this are a typing error, not an experiment.
const MAX_POINTS: u128 = 1_000_000_000;

/// How many different bad combinations are listed.
const MAX_COMBINATIONS: usize = 12;

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
    let wanted = Wanted::read(file, problems);
    let assumptions = assumptions(file, base.as_ref().map(|(case, _)| case), problems);
    let (base, objects) = base?;
    if !problems.is_empty() {
        return None;
    }
    let columns = columns(&plans, &before, &objects);
    let grids: Vec<Grid> = plans.iter().map(|plan| Grid::build(plan, &base, &columns, problems)).collect();
    wanted.check(file, Known::Columns(&columns), problems);
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
        settings: wanted.settings,
        tables: wanted.tables,
        figures: wanted.figures,
        table_figures: wanted.table_figures,
        schedules: wanted.schedules,
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

pub(crate) fn is_file_name(name: &str) -> bool {
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
                Some(fault) => (fault.field, fault.message, fault.help.into_owned()),
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
    let runs_of = |workload: &WorkloadSpec| {
        let passes = (0..).map_while(|index| pass(modes, replications, workload, index));
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
                runs += runs_of(&case.workload);
            }
        }
    }
    (points, runs)
}
