//! The experiments that are asked for: those that come with the program, or files.

use crate::args::{ExperimentArgs, OverrideArgs};
use crate::diagnostic::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use sweep::explain::Filter;
use sweep::{Experiment, Overrides, Problems};

/// An experiment of the repository, carried by the program.
#[derive(Debug)]
struct Embedded {
    /// The folder, which is the study's name.
    study: &'static str,
    file: &'static str,
    text: &'static str,
}

/// By study and file name.
const EMBEDDED: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// What experiments of the program include, by path and text.
const PARTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/embedded_parts.rs"));

/// A quick grid for tests and first steps; part of a reproduction only if it is named.
const NOT_PUBLISHED: &str = "smoke";

/// The studies that come with the program.
pub fn studies() -> BTreeSet<&'static str> {
    EMBEDDED.iter().map(|embedded| embedded.study).collect()
}

/// The experiments of some of the program's studies, of all that are published where none is named; by study and name.
///
/// # Errors
/// An unknown study, or everything wrong with the experiments.
pub fn of_studies(studies: &[String], scale: &str) -> Result<Vec<Experiment>, Failure> {
    let known = self::studies();
    if let Some(unknown) = studies.iter().find(|study| !known.contains(study.as_str())) {
        let known: Vec<&str> = known.into_iter().collect();
        return Err(Failure::question(format!("unknown study `{unknown}`; known: {}", known.join(", ")))
            .hint("`backsweep run FILE.ron` runs an experiment from a file"));
    }
    let wanted = |study: &str| match studies {
        [] => study != NOT_PUBLISHED,
        named => named.iter().any(|name| name == study),
    };
    let overrides = Overrides { scale: Some(scale.to_owned()), set: Vec::new() };
    let chosen = EMBEDDED.iter().filter(|embedded| wanted(embedded.study));
    collect(chosen.map(|embedded| embedded.experiment(&overrides)))
}

impl Embedded {
    fn experiment(&self, overrides: &Overrides) -> Result<Experiment, Problems> {
        let name = format!("experiments/{}/{}", self.study, self.file);
        let part = |path: &Path| {
            PARTS.iter().find(|(name, _)| Path::new(name) == path).map(|(_, text)| (*text).to_owned())
        };
        Experiment::parse_with(&name, self.text, &part, overrides)
    }
}

/// Conditions on runs, as they are written on a command line.
///
/// # Errors
/// What is wrong with the first that is none.
pub fn filters<'a>(
    texts: impl Iterator<Item = &'a str>,
    experiments: &[Experiment],
) -> Result<Vec<Filter>, Failure> {
    texts
        .map(|text| Filter::read(text, experiments))
        .collect::<Result<_, _>>()
        .map_err(|problem| Failure::Problems(Problems(vec![problem])))
}

/// The names of the program's experiments of a study; none of a study that is not the program's.
pub fn names(study: &str) -> Vec<&'static str> {
    let own = EMBEDDED.iter().filter(|embedded| embedded.study == study);
    own.map(|embedded| embedded.file.trim_end_matches(".ron")).collect()
}

/// One of the program's experiments; `None` if there is none of this name, or it cannot be overridden like this.
pub fn of_program(study: &str, name: &str, overrides: &Overrides) -> Option<Experiment> {
    let is_it = |one: &&Embedded| one.study == study && one.file.trim_end_matches(".ron") == name;
    EMBEDDED.iter().find(is_it)?.experiment(overrides).ok()
}

/// The experiments of files.
///
/// # Errors
/// Everything wrong with the files and with what was set.
pub fn of_files(args: &ExperimentArgs) -> Result<Vec<Experiment>, Failure> {
    let OverrideArgs { set, scale } = args.overrides.clone();
    let overrides = Overrides { scale, set };
    collect(args.files.iter().map(|file| Experiment::load(file, &overrides)))
}

/// All experiments, or all problems of all of them.
fn collect(loaded: impl Iterator<Item = Result<Experiment, Problems>>) -> Result<Vec<Experiment>, Failure> {
    let (mut experiments, mut problems) = (Vec::new(), Vec::new());
    for result in loaded {
        match result {
            Ok(experiment) => experiments.push(experiment),
            Err(Problems(found)) => problems
                .extend(found.into_iter().filter(|problem| !problems.contains(problem)).collect::<Vec<_>>()),
        }
    }
    if !problems.is_empty() {
        return Err(Failure::Problems(Problems(problems)));
    }
    experiments.sort_by(|a, b| (&a.study, &a.name).cmp(&(&b.study, &b.name)));
    check_names(&experiments)?;
    Ok(experiments)
}

/// Two experiments must not write to the same tables, two figures of a study not to the same file.
fn check_names(experiments: &[Experiment]) -> Result<(), Failure> {
    let mut figures: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for pair in experiments.windows(2) {
        if (&pair[0].study, &pair[0].name) == (&pair[1].study, &pair[1].name) {
            let text = format!("two experiments are named {}/{}", pair[0].study, pair[0].name);
            return Err(Failure::question(text).hint("their tables would be written to the same folder"));
        }
    }
    for experiment in experiments {
        let bars = experiment.table_figures.iter().map(|figure| &figure.id);
        let schedules = experiment.schedules.iter().map(|schedule| &schedule.id);
        for id in experiment.figures.iter().map(|figure| &figure.id).chain(bars).chain(schedules) {
            if let Some(other) = figures.insert((&experiment.study, id), &experiment.name) {
                return Err(Failure::question(format!(
                    "the experiments `{other}` and `{}` of the study `{}` both draw a figure `{}`",
                    experiment.name, experiment.study, id
                ))
                .hint("figures of a study share a folder, so their ids must differ"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_of_the_program_loads_at_every_scale() {
        let studies: Vec<String> = EMBEDDED.iter().map(|embedded| embedded.study.to_owned()).collect();
        for scale in ["smoke", "paper", "full"] {
            match of_studies(&studies, scale) {
                Ok(experiments) => assert_eq!(experiments.len(), EMBEDDED.len()),
                Err(failure) => panic!("scale {scale}: {}", failure.render(100, false)),
            }
        }
    }

    #[test]
    fn a_study_bears_the_name_of_its_folder() {
        for embedded in EMBEDDED {
            let experiment = embedded.experiment(&Overrides::default());
            let found = experiment.map(|experiment| (experiment.study, experiment.name + ".ron"));
            assert_eq!(found, Ok((embedded.study.to_owned(), embedded.file.to_owned())));
        }
    }
}
