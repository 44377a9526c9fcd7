//! The hash of each family of sources, those it depends on included. Used by the build script; compiled into the library for its
//! tests only.

use crate::family::{CORE, FAMILIES, FILES, FOLDERS, Family, LIBRARIES, REGISTRIES};
use crate::source_hash::{Digest, TestModule, digest, digest_tokens};
use crate::source_parts::{foreign_implementations, split};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

/// The sources that make up the model: path under `engine/`, with `/` between parts and without `.rs`, and text.
pub type Sources = BTreeMap<String, String>;

/// Reads the model's sources below `engine`.
///
/// # Errors
/// Where a folder or a file cannot be read.
pub fn read_sources(engine: &Path) -> io::Result<Sources> {
    let mut sources = Sources::new();
    for folder in FOLDERS {
        read_folder(engine, &engine.join(folder), &mut sources)?;
    }
    for file in FILES {
        sources.insert((*file).to_owned(), fs::read_to_string(engine.join(file).with_extension("rs"))?);
    }
    Ok(sources)
}

fn read_folder(engine: &Path, folder: &Path, sources: &mut Sources) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            // Integration tests cannot influence a run.
            if !path.ends_with("tests") {
                read_folder(engine, &path, sources)?;
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name = path.strip_prefix(engine).unwrap_or(&path).with_extension("");
            let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
            sources.insert(name.join("/"), fs::read_to_string(&path)?);
        }
    }
    Ok(())
}

/// Hash of each family by its module, and of [`CORE`].
pub fn family_hashes(sources: &Sources, lock: &str) -> BTreeMap<&'static str, [u8; 32]> {
    collect(sources, lock).finish()
}

fn collect(sources: &Sources, lock: &str) -> Families {
    let mut families = Families::default();
    families.of(CORE).text(LIBRARIES_TITLE, &locked_versions(lock));
    let mut members: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, digest) in without_test_files(sources) {
        let family = family_of(path);
        match REGISTRIES.contains(&path).then(|| split(path, &sources[path])).flatten() {
            Some(parts) => {
                families.of(CORE).tokens(path, &digest_tokens(parts.core));
                families.of(CORE).text(path, &parts.notes.join("\n"));
                for part in parts.parts {
                    let place = format!("{path} {}", part.place);
                    families.of(part.family).tokens(&place, &digest_tokens(part.tokens));
                }
            }
            None => families.of(family).tokens(path, &digest),
        }
        members.entry(family).or_default().push(&sources[path]);
    }
    for family in FAMILIES.iter().map(|family| family.module) {
        let texts = members.remove(family).unwrap_or_default();
        match foreign_implementations(&texts) {
            Some(found) => {
                found.into_iter().for_each(|tokens| families.of(CORE).tokens(family, &digest_tokens(tokens)))
            }
            None => texts.iter().for_each(|text| families.of(CORE).tokens(family, &digest(text))),
        }
    }
    families
}

const LIBRARIES_TITLE: &str = "libraries";

/// What belongs to one family.
#[derive(Default)]
struct Content {
    text: String,
    identifiers: BTreeSet<String>,
}

impl Content {
    /// Adds text that names nothing.
    fn text(&mut self, title: &str, text: &str) {
        self.text.push_str(&format!("\n{title} {}\n", text.len()));
        self.text.push_str(text);
    }

    fn tokens(&mut self, title: &str, digest: &Digest) {
        self.text(title, &digest.text);
        self.identifiers.extend(digest.identifiers.iter().cloned());
    }

    fn names(&self, family: &'static Family) -> bool {
        names_of(family).any(|name| self.identifiers.contains(name))
    }
}

/// The words by which code can use a family.
fn names_of(family: &'static Family) -> impl Iterator<Item = &'static str> {
    let module = family.module.rsplit('/').next();
    let variants = family.variants.iter().filter_map(|name| name.rsplit("::").next());
    module.into_iter().chain(variants).chain(family.types.iter().copied())
}

struct Families(BTreeMap<&'static str, Content>);

impl Default for Families {
    /// Every family has a hash, even one without sources.
    fn default() -> Families {
        let names = FAMILIES.iter().map(|family| family.module).chain([CORE]);
        Families(names.map(|name| (name, Content::default())).collect())
    }
}

impl Families {
    fn of(&mut self, family: &'static str) -> &mut Content {
        self.0.entry(family).or_default()
    }

    fn finish(&self) -> BTreeMap<&'static str, [u8; 32]> {
        let own: BTreeMap<_, _> =
            self.0.iter().map(|(name, content)| (*name, blake3::hash(content.text.as_bytes()))).collect();
        let hash = |family: &&'static str| {
            let mut all = blake3::Hasher::new();
            for member in self.reachable(family) {
                all.update(member.as_bytes()).update(own[member].as_bytes());
            }
            (*family, *all.finalize().as_bytes())
        };
        self.0.keys().map(hash).collect()
    }

    /// A family and those it uses, directly or not.
    fn reachable(&self, family: &'static str) -> BTreeSet<&'static str> {
        let mut found = BTreeSet::new();
        let mut open = vec![family];
        while let Some(next) = open.pop() {
            if found.insert(next) {
                let content = &self.0[next];
                let used = FAMILIES.iter().filter(|family| content.names(family));
                open.extend(used.map(|family| family.module));
            }
        }
        found
    }
}

/// The sources without the files of modules that exist in tests only, and what lies under them.
fn without_test_files(sources: &Sources) -> Vec<(&str, Digest)> {
    let digests: Vec<(&str, Digest)> =
        sources.iter().map(|(path, text)| (path.as_str(), digest(text))).collect();
    let mut test_files = Vec::new();
    for (path, source) in &digests {
        let (beside, name) = path.rsplit_once('/').unwrap_or(("", path));
        let below = if matches!(name, "mod" | "lib") { beside } else { path };
        test_files.extend(source.test_modules.iter().map(|module| match module {
            TestModule::Named(name) => format!("{below}/{name}"),
            TestModule::At(file) => format!("{beside}/{}", file.trim_end_matches(".rs")),
        }));
    }
    let counts = |path: &str| !test_files.iter().any(|module| is_under(path, module));
    digests.into_iter().filter(|(path, _)| counts(path)).collect()
}

fn is_under(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn family_of(path: &str) -> &'static str {
    FAMILIES.iter().map(|family| family.module).find(|module| is_under(path, module)).unwrap_or(CORE)
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

#[cfg(test)]
#[path = "family_hash_tests.rs"]
mod tests;
