//! What the files of experiments say, for the page.

use crate::evidence;
use crate::experiments;
use crate::manifest::Manifest;
use report::page::ExperimentText;
use std::path::Path;
use sweep::{Experiment, Overrides};

/// The text of an experiment: of the program's and that of the file that was named, the one that the results were made from; if that is
/// no longer at hand, the program's, which may have changed since.
pub fn find(study: &str, name: &str, manifest: Option<&Manifest>) -> Option<Experiment> {
    let question = manifest.map(|manifest| &manifest.question);
    let asked = question.map(|question| Overrides {
        scale: question.scale.clone(),
        set: question.set.clone().into_iter().collect(),
    });
    let overrides = || asked.iter().cloned().chain([Overrides::default()]);
    let is_it =
        |found: &Experiment| question.is_none_or(|question| question.experiment_hash == found.text_hash);
    let of_program = overrides().find_map(|overrides| experiments::of_program(study, name, &overrides));
    let of_file = || {
        let manifest = manifest?;
        let path = Path::new(&manifest.invocation.directory).join(&manifest.question.file);
        overrides().find_map(|overrides| Experiment::load(&path, &overrides).ok()).filter(is_it)
    };
    match of_program {
        Some(experiment) if !is_it(&experiment) => of_file().or(Some(experiment)),
        Some(experiment) => Some(experiment),
        None => of_file(),
    }
}

/// What of an experiment's text is on the page.
pub fn of(experiment: &Experiment) -> ExperimentText {
    ExperimentText {
        title: experiment.title.clone(),
        source: experiment.source.clone(),
        claims: experiment.claims.clone(),
        figures: experiment.figures.clone(),
        tables: experiment.tables.clone(),
        assumptions: evidence::assumptions(experiment).collect(),
    }
}
