//! What an experiment asks of its results: claims, published tables, figures and comparisons.

use crate::assemble::is_file_name;
use crate::file::ExperimentFile;
use crate::grid_plan::take;
use crate::problem::Problem;
use crate::references::{self, Known, Reference};
use crate::ron_text::Written;
use serde::de::DeserializeOwned;
use sim::time::MAX_SECONDS;
use std::collections::BTreeSet;
use table::{ClaimSpec, ComparisonSpec, FigureSpec, ScheduleSpec, TableFigureSpec, TableSpec};

/// What a file asks of the results.
pub(crate) struct Wanted {
    pub(crate) claims: Vec<ClaimSpec>,
    pub(crate) settings: Vec<String>,
    pub(crate) tables: Vec<TableSpec>,
    pub(crate) figures: Vec<FigureSpec>,
    pub(crate) table_figures: Vec<TableFigureSpec>,
    pub(crate) schedules: Vec<ScheduleSpec>,
    pub(crate) comparisons: Vec<ComparisonSpec>,
}

impl Wanted {
    /// Reads everything and checks what needs no columns.
    pub(crate) fn read(file: &ExperimentFile, problems: &mut Vec<Problem>) -> Wanted {
        let settings = file.settings.as_ref().and_then(|place| take(place.read(), problems));
        let wanted = Wanted {
            claims: read_all(&file.claims, |claim: &ClaimSpec| &claim.id, "claim", problems),
            settings: settings.unwrap_or_default(),
            tables: read_all(&file.tables, |table: &TableSpec| &table.id, "table", problems),
            figures: read_all(&file.figures, |figure: &FigureSpec| &figure.id, "figure", problems),
            table_figures: read_all(
                &file.table_figures,
                |figure: &TableFigureSpec| &figure.id,
                "table figure",
                problems,
            ),
            schedules: read_all(&file.schedules, |one: &ScheduleSpec| &one.id, "schedule", problems),
            comparisons: read_all(&file.comparisons, |one: &ComparisonSpec| &one.id, "comparison", problems),
        };
        for (claim, place) in wanted.claims.iter().zip(&file.claims) {
            if claim.predicates.is_empty() {
                problems.push(place.problem(format!("the claim `{}` has no predicates", claim.id)));
            }
            for mode in claim.modes.iter().filter(|mode| !references::MODES.contains(&mode.as_str())) {
                let message = format!("there is no mode `{mode}`; known: {}", references::MODES.join(", "));
                problems.push(place.quoted(mode).problem(message));
            }
        }
        let figures = wanted.figures.iter().map(|figure| &figure.id).zip(&file.figures);
        let bars = wanted.table_figures.iter().map(|figure| &figure.id).zip(&file.table_figures);
        let tables = wanted.tables.iter().map(|table| &table.id).zip(&file.tables);
        let schedules = wanted.schedules.iter().map(|schedule| &schedule.id).zip(&file.schedules);
        figures.chain(bars).chain(schedules).for_each(|(id, place)| file_name("figure", id, place, problems));
        tables.for_each(|(id, place)| file_name("table", id, place, problems));
        wanted.check_tables(file, problems);
        for (schedule, place) in wanted.schedules.iter().zip(&file.schedules) {
            let (from, to) = (schedule.from_s.unwrap_or(0.0), schedule.to_s.unwrap_or(MAX_SECONDS as f64));
            if !(from >= 0.0 && from < to && to <= MAX_SECONDS as f64) {
                problems.push(place.problem(format!("from {from} s to {to} s is no time")));
            }
        }
        // A list that could not be read whole is shorter than its places; its problems are known already.
        wanted.check(file, Known::Metrics, problems);
        wanted
    }

    /// Checks what tables say of themselves, and that figures are of tables and columns that there are.
    fn check_tables(&self, file: &ExperimentFile, problems: &mut Vec<Problem>) {
        for (table, place) in self.tables.iter().zip(&file.tables) {
            problems.extend(table.faults().into_iter().map(|fault| place.problem(fault)));
        }
        for (figure, place) in self.table_figures.iter().zip(&file.table_figures) {
            let known: Vec<&str> = self.tables.iter().map(|table| table.id.as_str()).collect();
            for (id, _) in &figure.tables {
                let Some(table) = self.tables.iter().find(|table| table.id == *id) else {
                    let message = format!("there is no table `{id}`; known: {}", known.join(", "));
                    problems.push(place.quoted(id).problem(message));
                    continue;
                };
                for (label, _) in &figure.columns {
                    if !table.columns.iter().any(|column| column.label == *label) {
                        let message = format!("table `{id}` has no column `{label}`");
                        problems.push(place.quoted(label).problem(message));
                    }
                }
            }
        }
    }

    /// Checks that everything named exists.
    pub(crate) fn check(&self, file: &ExperimentFile, known: Known<'_>, problems: &mut Vec<Problem>) {
        for (claim, place) in self.claims.iter().zip(&file.claims) {
            references::check(place, &references::of_claim(claim), known, problems);
        }
        for (table, place) in self.tables.iter().zip(&file.tables) {
            references::check(place, &references::of_table(table), known, problems);
        }
        for (figure, place) in self.figures.iter().zip(&file.figures) {
            references::check(place, &references::of_figure(figure), known, problems);
        }
        for (schedule, place) in self.schedules.iter().zip(&file.schedules) {
            references::check(place, &references::of_schedule(schedule), known, problems);
        }
        for (comparison, place) in self.comparisons.iter().zip(&file.comparisons) {
            references::check(place, &references::of_comparison(comparison), known, problems);
        }
        if let Some(place) = &file.settings {
            let columns: Vec<Reference<'_>> =
                self.settings.iter().map(|column| Reference::Column(column)).collect();
            references::check(place, &columns, known, problems);
        }
    }
}

fn file_name(what: &str, id: &str, place: &Written, problems: &mut Vec<Problem>) {
    if !id.is_empty() && !is_file_name(id) {
        let message =
            format!("the {what} id `{id}` cannot be a file: use lower-case letters, digits, - and _");
        problems.push(place.quoted(id).problem(message));
    }
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
