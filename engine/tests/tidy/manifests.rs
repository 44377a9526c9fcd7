//! The manifests: no dependency is declared in vain, and each is listed with its reason.

use super::{TextFile, assert_none, files};
use std::collections::{BTreeMap, BTreeSet};

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

/// Who uses what, by the manifests: the crates that declare each name; `fuzz` counts where nobody else does.
fn users() -> BTreeMap<String, BTreeSet<String>> {
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (folder, _) in PACKAGES {
        let manifest = TextFile::read(&format!("{folder}Cargo.toml"));
        let own = |heading: &str| heading.ends_with("dependencies") && !heading.starts_with("workspace");
        let user = if folder.is_empty() { "cli" } else { crate_of(folder) };
        for name in declared(&manifest.text, own) {
            let users = users.entry(name).or_default();
            if user != "fuzz" || users.is_empty() {
                users.insert(user.to_owned());
            }
        }
    }
    users.retain(|name, _| !PACKAGES.iter().any(|(folder, _)| crate_of(folder) == name));
    users
}

/// Rows of the tables in DEPENDENCIES.md that name a package: its cells.
fn listed(document: &str) -> BTreeMap<String, Vec<String>> {
    let rows = document.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().trim_end_matches('`').to_owned()).collect();
    rows.map(cells).map(|cells: Vec<String>| (cells[0].clone(), cells)).collect()
}

/// `scripts/licences` holds the licences themselves against those that the packages declare.
#[test]
fn every_dependency_is_listed_with_users_licence_and_reason() {
    let (listed, users) = (listed(&TextFile::read("engine/DEPENDENCIES.md").text), users());
    assert!(users.len() > 30, "only {} dependencies were found", users.len());
    let unlisted = users.keys().filter(|name| !listed.contains_key(*name));
    let mut found: Vec<String> = unlisted.map(|name| format!("{name} is not listed")).collect();
    for (name, cells) in &listed {
        let [_, licence, used_by, reason] = &cells[..] else { panic!("{name} has {} cells", cells.len()) };
        if licence.is_empty() || reason.is_empty() {
            found.push(format!("{name} has no licence or no reason"));
        }
        let used_by: BTreeSet<String> = used_by.split(", ").map(str::to_owned).collect();
        match users.get(name) {
            None => found.push(format!("{name} is no dependency")),
            Some(users) if *users != used_by => {
                found.push(format!("{name} is used by {users:?}, not {used_by:?}"))
            }
            Some(_) => {}
        }
    }
    assert_none("in engine/DEPENDENCIES.md", &found);
}

/// The names a lock file gives as dependencies of each package of the project.
fn locked(lock: &str) -> BTreeMap<String, Vec<String>> {
    let mut packages = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let quoted = |line: &str| line.split('"').nth(1).unwrap_or_default().to_owned();
        let name = package.lines().find(|line| line.starts_with("name = ")).map(quoted).unwrap();
        let below = package.lines().filter(|line| line.starts_with(" \""));
        // A name is followed by its version where the lock file has several.
        let names = below.map(|line| quoted(line).split(' ').next().unwrap_or_default().to_owned());
        packages.insert(name, names.collect());
    }
    packages.retain(|name, _| name.starts_with("backsweep-"));
    packages
}

/// The fuzz targets are no member of the workspace and have a lock file of their own, which nothing but fuzzing itself would miss.
#[test]
fn the_lock_file_of_the_fuzz_targets_knows_every_dependency() {
    let locked = locked(&TextFile::read("engine/fuzz/Cargo.lock").text);
    assert!(locked.len() >= 4, "only {} packages of the project are locked", locked.len());
    let mut missing = Vec::new();
    for (folder, _) in PACKAGES {
        let Some(names) = locked.get(&format!("backsweep-{}", crate_of(folder))) else { continue };
        let manifest = TextFile::read(&format!("{folder}Cargo.toml"));
        let needed = declared(&manifest.text, |heading| heading == "dependencies");
        let needed = needed.into_iter().map(|name| match PACKAGES.iter().any(|(f, _)| crate_of(f) == name) {
            true => format!("backsweep-{name}"),
            false => name,
        });
        missing.extend(
            needed.filter(|name| !names.contains(name)).map(|name| format!("{folder}Cargo.toml: {name}")),
        );
    }
    assert_none("not in engine/fuzz/Cargo.lock; `cargo metadata` in engine/fuzz adds them", &missing);
}

/// The name by which the other crates know the one in this folder.
fn crate_of(folder: &str) -> &str {
    folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}
