//! Hashes the sources that can influence a run, per family, into constants of the library: the model fingerprint.
#![allow(clippy::print_stdout, reason = "cargo reads the standard output of a build script")]

mod family;
mod source_hash;

use family::{CORE, FAMILIES, FOLDERS, LIBRARIES, REGISTRIES};
use source_hash::TestModule;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Sources by path under `engine/`, with `/` between parts and without `.rs`.
type Sources = BTreeMap<String, source_hash::Digest>;

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let engine = here.parent().ok_or("the crate lies in engine/")?;
    let mut sources = Sources::new();
    for folder in FOLDERS {
        let folder = engine.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        read_folder(engine, &folder, &mut sources)?;
    }
    drop_test_files(&mut sources);
    let lock = engine.with_file_name("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=family.rs");
    println!("cargo::rerun-if-changed=source_hash.rs");
    let libraries = locked_versions(&fs::read_to_string(&lock).unwrap_or_default());
    let table = fingerprints(&sources, &libraries)?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("fingerprints.rs"), table)?;
    Ok(())
}

fn read_folder(engine: &Path, folder: &Path, sources: &mut Sources) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            // Integration tests cannot influence a run.
            if !path.ends_with("tests") {
                read_folder(engine, &path, sources)?;
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name = path.strip_prefix(engine)?.with_extension("");
            let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
            sources.insert(name.join("/"), source_hash::digest(&fs::read_to_string(&path)?));
        }
    }
    Ok(())
}

/// Drops the files of modules that exist in tests only, and what lies under them.
fn drop_test_files(sources: &mut Sources) {
    let mut test_files = Vec::new();
    for (path, source) in sources.iter() {
        let (beside, name) = path.rsplit_once('/').unwrap_or(("", path));
        let below = if matches!(name, "mod" | "lib") { beside } else { path };
        test_files.extend(source.test_modules.iter().map(|module| match module {
            TestModule::Named(name) => format!("{below}/{name}"),
            TestModule::At(file) => format!("{beside}/{}", file.trim_end_matches(".rs")),
        }));
    }
    sources.retain(|path, _| !test_files.iter().any(|module| is_under(path, module)));
}

fn is_under(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn family_of(path: &str) -> &'static str {
    FAMILIES.iter().find(|module| is_under(path, module)).copied().unwrap_or(CORE)
}

/// `name version` of each library that can influence arithmetic or random numbers, as locked.
fn locked_versions(lock: &str) -> String {
    let mut versions = String::new();
    let mut lines = lock.lines();
    while let Some(line) = lines.next() {
        let name = line.strip_prefix("name = ").map(|name| name.trim_matches('"'));
        if let (Some(name), Some(version)) =
            (name.filter(|name| LIBRARIES.contains(name)), lines.clone().next())
        {
            versions.push_str(&format!("{name} {version}\n"));
        }
    }
    versions
}

/// Rust source of the table: name and hash of each family, those it depends on included.
fn fingerprints(sources: &Sources, libraries: &str) -> Result<String, Box<dyn Error>> {
    let mut families: BTreeMap<&str, blake3::Hasher> = BTreeMap::new();
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    families.entry(CORE).or_default().update(libraries.as_bytes());
    for module in FAMILIES {
        families.entry(module).or_default();
    }
    for (path, source) in sources {
        let family = family_of(path);
        let hasher = families.entry(family).or_default();
        hasher.update(format!("\n{path} {}\n", source.text.len()).as_bytes()).update(source.text.as_bytes());
        if !REGISTRIES.contains(&path.as_str()) {
            let names = |module: &&&str| {
                module.rsplit('/').next().is_some_and(|name| source.identifiers.contains(name))
            };
            uses.entry(family).or_default().extend(FAMILIES.iter().filter(names));
        }
    }
    let mut table = String::from("const TABLE: &[(&str, [u8; 32])] = &[\n");
    for family in families.keys() {
        let mut all = blake3::Hasher::new();
        for member in reachable(family, &uses) {
            all.update(families.get(member).ok_or("an unlisted family")?.finalize().as_bytes());
        }
        writeln!(table, "    ({family:?}, {:?}),", all.finalize().as_bytes())?;
    }
    table.push_str("];\n");
    Ok(table)
}

/// A family and those it uses, directly or not.
fn reachable<'a>(family: &'a str, uses: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = vec![family];
    while let Some(next) = open.pop() {
        if found.insert(next) {
            open.extend(uses.get(next).into_iter().flatten());
        }
    }
    found
}
