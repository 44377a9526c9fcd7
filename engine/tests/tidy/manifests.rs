//! The manifests: no dependency is declared in vain.

use super::{TextFile, assert_none, files};
use std::collections::BTreeMap;

/// Folder of every package, and where its sources are.
const PACKAGES: &[(&str, &[&str])] = &[
    ("", &["engine/cli", "engine/tests", "benches"]),
    ("engine/sim/", &["engine/sim"]),
    ("engine/workload/", &["engine/workload"]),
    ("engine/table/", &["engine/table"]),
    ("engine/sweep/", &["engine/sweep"]),
    ("engine/report/", &["engine/report"]),
    ("engine/fuzz/", &["engine/fuzz"]),
];

/// The names declared in the sections of a manifest whose headings `wanted` takes.
fn declared(manifest: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    let mut inside = false;
    for line in manifest.lines() {
        if let Some(heading) = line.strip_prefix('[') {
            inside = wanted(heading.trim_end_matches(']'));
        } else if let Some((name, _)) = line.split_once(['=', '.']).filter(|_| inside) {
            names.push(name.trim().to_owned());
        }
    }
    names
}

#[test]
fn every_shared_dependency_is_used() {
    let workspace = TextFile::read("Cargo.toml");
    let shared = declared(&workspace.text, |heading| heading == "workspace.dependencies");
    assert!(shared.len() > 20, "only {} shared dependencies were found", shared.len());
    let used: Vec<String> = PACKAGES
        .iter()
        .flat_map(|(folder, _)| {
            let manifest = TextFile::read(&format!("{folder}Cargo.toml"));
            declared(&manifest.text, |heading| {
                heading.ends_with("dependencies") && !heading.starts_with("workspace")
            })
        })
        .collect();
    let unused: Vec<String> = shared.into_iter().filter(|name| !used.contains(name)).collect();
    assert_none("in [workspace.dependencies], but used by no crate", &unused);
}

#[test]
fn every_dependency_is_named_in_the_sources_of_its_crate() {
    let mut found = Vec::new();
    for (folder, sources) in PACKAGES {
        let manifest = TextFile::read(&format!("{folder}Cargo.toml"));
        let own = |heading: &str| heading.ends_with("dependencies") && !heading.starts_with("workspace");
        let mut uses: BTreeMap<String, bool> = BTreeMap::new();
        uses.extend(declared(&manifest.text, own).into_iter().map(|name| (name, false)));
        for source in sources.iter().flat_map(|folder| files(folder, "rs")) {
            for (name, used) in &mut uses {
                let name = name.replace('-', "_");
                *used |=
                    source.text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name);
            }
        }
        let unused = uses.into_iter().filter(|(_, used)| !used);
        found.extend(unused.map(|(name, _)| format!("{folder}Cargo.toml: {name}")));
    }
    assert_none("dependencies that no source names", &found);
}
