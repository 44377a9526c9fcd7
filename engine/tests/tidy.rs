//! The rules of the house, as a test: what reviewers would otherwise have to look for.

mod documents;
mod manifests;
mod registries;
mod sources;

use std::fs;
use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A text file of the repository.
pub struct TextFile {
    /// Its path below the repository, with `/` between the parts.
    pub name: String,
    pub path: PathBuf,
    pub text: String,
}

impl TextFile {
    pub fn read(name: &str) -> TextFile {
        let path = root().join(name);
        let text = fs::read_to_string(&path).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        TextFile { name: name.to_owned(), path, text }
    }

    /// The file's name without folders and ending.
    pub fn stem(&self) -> String {
        self.path.file_stem().unwrap().to_string_lossy().into_owned()
    }
}

/// All files with this ending in a folder of the repository and below, by name; without what is hidden or built.
pub fn files(folder: &str, ending: &str) -> Vec<TextFile> {
    let mut names = Vec::new();
    collect(folder, ending, &mut names);
    names.sort();
    assert!(!names.is_empty(), "no .{ending} file in {folder}/");
    names.iter().map(|name| TextFile::read(name)).collect()
}

fn collect(folder: &str, ending: &str, names: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let own = entry.file_name().into_string().unwrap();
        let name = if folder.is_empty() { own.clone() } else { format!("{folder}/{own}") };
        if own.starts_with('.') || name == "target" {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            collect(&name, ending, names);
        } else if own.ends_with(&format!(".{ending}")) {
            names.push(name);
        }
    }
}

/// Fails with all findings, one per line.
#[track_caller]
pub fn assert_none(what: &str, findings: &[String]) {
    assert!(findings.is_empty(), "{what}:\n  {}", findings.join("\n  "));
}
