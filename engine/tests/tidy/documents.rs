//! The documents: links, commands, names and places in them exist.

use super::{TextFile, assert_none, files, root};
use crate::program::Folder;
use expect_test::expect_file;
use sim::metrics::{GroupMetrics, Metrics};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use sweep::FIELDS;
use table::Table;

fn documents() -> Vec<TextFile> {
    files("", "md")
}

#[test]
fn the_documents_are_there() {
    for name in [
        "README.md",
        "CHANGELOG.md",
        "CITATION.cff",
        "CONTRIBUTING.md",
        "engine/ARCHITECTURE.md",
        "engine/DEPENDENCIES.md",
        "engine/GLOSSARY.md",
    ] {
        assert!(!TextFile::read(name).text.trim().is_empty(), "{name} is empty");
    }
}

#[test]
fn documents_are_plain_text_without_places_of_one_machine() {
    let mut found = Vec::new();
    for file in documents() {
        for (at, line) in file.text.lines().enumerate() {
            let mut note = |what: &str| found.push(format!("{}:{}: {what}", file.name, at + 1));
            if line.contains('\t') {
                note("a tab");
            }
            if line.ends_with(' ') {
                note("a space at the end");
            }
            if ["<<<<<<<", "=======", ">>>>>>>"].iter().any(|mark| line.starts_with(mark)) {
                note("what a merge left");
            }
            for place in ["/tmp/", "/home/", "/root/", "/Users/"] {
                if line.contains(place) {
                    note(place);
                }
            }
        }
    }
    assert_none("in documents", &found);
}

#[test]
fn links_lead_somewhere() {
    let mut found = Vec::new();
    for file in documents() {
        for target in link_targets(&file.text) {
            let path = target.split('#').next().unwrap();
            let elsewhere = path.is_empty() || path.contains("://") || path.starts_with("mailto:");
            if !elsewhere && !file.path.parent().unwrap().join(path).exists() {
                found.push(format!("{}: {target}", file.name));
            }
        }
    }
    assert_none("broken links", &found);
}

/// What stands in the round brackets of `[..](..)` and `![..](..)`, outside of code.
fn link_targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for line in prose(text) {
        let mut rest = line.as_str();
        while let Some(at) = rest.find("](") {
            // An escaped bracket ends no link.
            let escaped = rest[..at].ends_with('\\');
            rest = &rest[at + 2..];
            let end = rest.find([')', ' ']).unwrap_or(rest.len());
            if !escaped {
                targets.push(rest[..end].to_owned());
            }
        }
    }
    targets
}

/// The lines outside of code blocks, without code in backticks.
fn prose(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            lines.push(line.split('`').step_by(2).collect::<Vec<_>>().join("`"));
        }
    }
    lines
}

#[test]
fn links_are_found_outside_of_code() {
    let text = "a [b](c.md#d) ![e](f.svg \"g\") `[h](i)`\n```\n[j](k)\n```\n[l](m) \\[n\\](o)\n";
    assert_eq!(link_targets(text), ["c.md#d", "f.svg", "m"]);
}

/// The commands in the shell blocks of the documents, as words, without the program's name.
fn commands() -> Vec<(String, Vec<String>)> {
    let mut commands = Vec::new();
    for file in documents() {
        let mut in_shell = false;
        for line in file.text.lines().map(str::trim) {
            if line.starts_with("```") {
                in_shell = matches!(line, "```sh" | "```bash" | "```console");
                continue;
            }
            let line = line.trim_start_matches("$ ");
            let called =
                line.strip_prefix("backsweep ").or_else(|| line.strip_prefix("cargo run --release -- "));
            if let Some(called) = called.filter(|_| in_shell) {
                let words = called.split(" #").next().unwrap().split_whitespace();
                commands.push((format!("{}: {line}", file.name), words.map(str::to_owned).collect()));
            }
        }
    }
    commands
}

#[test]
fn commands_in_documents_exist() {
    let folder = Folder::new();
    let (mut found, mut readme) = (Vec::new(), 0);
    for (place, words) in commands() {
        readme += usize::from(place.starts_with("README.md"));
        let Some(verb) = words.first().filter(|word| !word.starts_with('-')) else { continue };
        let path = match (verb.as_str(), words.get(1)) {
            ("trace" | "workload" | "slurm" | "store", Some(second)) => format!("{verb} {second}"),
            _ => verb.clone(),
        };
        let help = folder.call(&format!("{path} --help"));
        if help.code != Some(0) {
            found.push(format!("{place}: there is no `{path}`"));
            continue;
        }
        for option in words.iter().filter(|word| word.starts_with("--")) {
            let option = option.split('=').next().unwrap();
            if !help.out.split(|c: char| !(c.is_alphanumeric() || c == '-')).any(|word| word == option) {
                found.push(format!("{place}: `{path}` has no {option}"));
            }
        }
    }
    assert!(readme > 0, "README.md shows no command");
    assert_none("commands that do not work", &found);
}

/// Files and lines that a recipe names as ``In `file`, after `line`:`` above a block.
fn recipe_steps(text: &str) -> Vec<(&str, &str)> {
    let mut steps = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_suffix(':')) {
        let Some(begin) = line.rfind("In `") else { continue };
        let Some((file, place)) = line[begin + 4..].split_once("`, ") else { continue };
        let anchor = ["after ", "before ", "in place of "].iter().find_map(|word| place.strip_prefix(word));
        steps.extend(anchor.map(|anchor| (file, anchor.trim_matches('`'))));
    }
    steps
}

#[test]
fn recipes_name_lines_that_are_there_once() {
    let document = TextFile::read("CONTRIBUTING.md");
    let steps = recipe_steps(&document.text);
    assert!(steps.len() > 30, "only {} steps were found", steps.len());
    let mut found = Vec::new();
    for (file, anchor) in steps {
        let times = TextFile::read(file).text.lines().filter(|line| line.trim() == anchor).count();
        if times != 1 {
            found.push(format!("{file} has {times} lines `{anchor}`"));
        }
    }
    assert_none("in CONTRIBUTING.md", &found);
}

/// What stands in backticks, word by word.
fn quoted(text: &str) -> BTreeSet<&str> {
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn the_glossary_has_every_field() {
    let glossary = TextFile::read("engine/GLOSSARY.md");
    let terms = quoted(&glossary.text);
    let missing: Vec<String> = FIELDS
        .iter()
        .map(|field| field.name)
        .filter(|name| !terms.contains(name))
        .map(str::to_owned)
        .collect();
    assert_none("not in GLOSSARY.md", &missing);
}

/// A name that is changed in the code is changed in the glossary.
#[test]
fn names_in_the_glossary_are_in_the_code() {
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).map(str::to_owned).collect()
    };
    let sources = files("engine", "rs").into_iter().chain(files("experiments", "ron"));
    let known: BTreeSet<String> = sources.flat_map(|file| words(&file.text)).collect();
    let glossary = TextFile::read("engine/GLOSSARY.md");
    let is_name = |word: &String| word.len() > 2 && word.starts_with(|c: char| c.is_ascii_alphabetic());
    let named: BTreeSet<String> =
        quoted(&glossary.text).into_iter().flat_map(words).filter(is_name).collect();
    assert!(named.len() > 100, "only {} names were found", named.len());
    let missing: Vec<String> = named.difference(&known).cloned().collect();
    assert_none("in GLOSSARY.md, but in no source", &missing);
}

#[test]
fn the_dictionary_is_that_of_the_program() {
    let printed = Folder::new().call("schema --tables").done().out;
    assert!(printed.lines().all(|line| line.chars().count() <= 80), "{printed}");
    expect_file!["../../../results/DICTIONARY.md"].assert_eq(&printed);
}

#[test]
fn the_dictionary_has_every_metric_in_order() {
    let names = |table: Table| table.metrics().iter().map(|doc| doc.column).collect::<Vec<_>>();
    assert_eq!(names(Table::Runs), Metrics::NAMES);
    assert_eq!(names(Table::Groups), GroupMetrics::NAMES);
}

/// All files and folders of the repository that are neither hidden nor built, with `/` before every part.
fn paths_below(folder: &Path) -> Vec<String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with('.') || path == root().join("target") {
            continue;
        }
        paths.push(format!("/{}", path.strip_prefix(root()).unwrap().display()));
        if path.is_dir() {
            paths.extend(paths_below(&path));
        }
    }
    paths
}

#[test]
fn places_named_in_the_architecture_exist() {
    let document = TextFile::read("engine/ARCHITECTURE.md");
    let names = quoted(&document.text);
    let is_place = |name: &&&str| {
        name.ends_with(".rs") || name.ends_with('/') || name.ends_with(".toml") || name.ends_with(".md")
    };
    let is_one = |name: &&&str| !name.contains([' ', '*', '<', '{', '(']);
    let places: Vec<&&str> = names.iter().filter(is_place).filter(is_one).collect();
    assert!(places.len() > 20, "only {} places are named", places.len());
    let known = paths_below(root());
    let exists = |name: &str| {
        // Results and stores appear with use.
        let made_later =
            ["results/", ".backsweep/", "quarantine/", "logs/"].iter().any(|place| name.starts_with(place));
        let end = format!("/{}", name.trim_end_matches('/'));
        made_later || known.iter().any(|path| path.ends_with(&end))
    };
    let missing: Vec<String> =
        places.into_iter().filter(|name| !exists(name)).map(|name| (*name).to_owned()).collect();
    assert_none("named in ARCHITECTURE.md, but not there", &missing);
}
