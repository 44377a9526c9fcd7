//! How the results of a study were made: what its manifests say, without hosts and paths.

use super::anchor::anchor;
use super::grid::{Cell, Grid, Head};
use super::html::{Html, element, join, list, separated, tag};
use super::{ExperimentResults, Record, StudyResults};
use crate::number::measured;
use std::collections::{BTreeMap, BTreeSet};

/// The beginning of a hash, with all of it for whoever points at it.
pub(super) fn short(hash: &str) -> Html {
    let shown: String = hash.chars().take(12).collect();
    element("code", &[("title", hash)], shown)
}

/// The section of a study; nothing where no experiment has a manifest.
pub(super) fn section(results: &StudyResults) -> Html {
    let recorded: Vec<(&ExperimentResults, &Record)> =
        results.experiments.iter().filter_map(|one| Some((one, one.record.as_ref()?))).collect();
    if recorded.is_empty() {
        return Html::default();
    }
    let study = &results.name;
    join([runs(study, &recorded), logs(study, &recorded), models(study, &recorded), warnings(&recorded)])
}

fn runs(study: &str, recorded: &[(&ExperimentResults, &Record)]) -> Html {
    let row = |(experiment, record): &(&ExperimentResults, &Record)| {
        let runs = record.runs;
        let set = record.set.iter().map(|(name, value)| Html::from(format!("{name}={value}")));
        vec![
            Cell::of(experiment.name.as_str()),
            record.scale.as_deref().map_or_else(Cell::none, Cell::of),
            if record.set.is_empty() { Cell::none() } else { Cell::of(separated(set, &Html::line_break())) },
            Cell::count(runs.planned),
            Cell::count(runs.answered),
            Cell::count(runs.executed),
            Cell::count(runs.failed),
            Cell::count(runs.skipped),
            Cell::number(Some(record.wall_s), measured(record.wall_s)),
            Cell::of(record.written.as_str()),
            Cell::of(format!("{} ({})", record.version, record.profile)),
            Cell::of(short(&record.experiment_hash)),
            Cell::of(short(&record.inputs)),
        ]
    };
    let heads = vec![
        Head::text("experiment"),
        Head::text("scale"),
        Head::text("set"),
        Head::number("runs"),
        Head::number("answered before"),
        Head::number("carried out"),
        Head::number("failed"),
        Head::number("left out"),
        Head::number("wall time of the call [s]"),
        Head::text("written"),
        Head::text("program"),
        Head::text("hash of its text"),
        Head::text("hash of all inputs"),
    ];
    let caption = format!(
        "Runs of {study}; hashes are blake3, an experiment’s results share a call with those beside it"
    )
    .into();
    Grid {
        anchor: anchor(&["runs", study]),
        caption,
        heads,
        rows: recorded.iter().map(row).collect(),
        foot: Vec::new(),
    }
    .html()
}

fn logs(study: &str, recorded: &[(&ExperimentResults, &Record)]) -> Html {
    let mut used: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut absent: BTreeSet<&str> = BTreeSet::new();
    for (_, record) in recorded {
        for (name, hashes) in &record.logs {
            used.entry(name).or_default().extend(hashes.iter().map(String::as_str));
        }
        absent.extend(record.absent_logs.iter().map(String::as_str));
    }
    if used.is_empty() && absent.is_empty() {
        return Html::default();
    }
    let present = used.iter().map(|(name, hashes)| {
        let hashes = separated(hashes.iter().map(|hash| short(hash)), &Html::from(", "));
        vec![Cell::of(*name), Cell::of("used"), Cell::of(hashes)]
    });
    let missing = absent
        .iter()
        .map(|name| vec![Cell::of(*name), Cell::of("not at hand, its runs left out"), Cell::none()]);
    let grid = Grid {
        anchor: anchor(&["logs", study]),
        caption: format!("Logs and files that {study} is about").into(),
        heads: vec![Head::text("log"), Head::text("state"), Head::text("blake3")],
        rows: present.chain(missing).collect(),
        foot: Vec::new(),
    };
    grid.html()
}

/// The fingerprints of all families; where experiments differ, each with its own.
fn models(study: &str, recorded: &[(&ExperimentResults, &Record)]) -> Html {
    let mut families: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for (experiment, record) in recorded {
        for (family, hash) in &record.model {
            families.entry((family, hash)).or_default().push(&experiment.name);
        }
    }
    let rows = families.iter().map(|((family, hash), experiments)| {
        let all = experiments.len() == recorded.len();
        let of = if all { "all".to_owned() } else { experiments.join(", ") };
        vec![Cell::of(*family), Cell::of(short(hash)), Cell::of(of)]
    });
    let grid = Grid {
        anchor: anchor(&["model", study]),
        caption: format!("Fingerprint of the model that answered {study}, family by family").into(),
        heads: vec![Head::text("family"), Head::text("fingerprint"), Head::text("experiments")],
        rows: rows.collect(),
        foot: Vec::new(),
    };
    tag("details", join([tag("summary", "Fingerprint of the model"), grid.html()]))
}

fn warnings(recorded: &[(&ExperimentResults, &Record)]) -> Html {
    let all = recorded.iter().flat_map(|(experiment, record)| {
        record.warnings.iter().map(|warning| Html::from(format!("{}: {warning}", experiment.name)))
    });
    let all = list(all);
    if all.is_empty() { all } else { join([tag("p", "What was odd when the files were written:"), all]) }
}
