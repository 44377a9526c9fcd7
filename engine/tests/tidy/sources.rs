//! Sizes, names, headers and forbidden words of the Rust sources.

use super::{TextFile, assert_none, files};

const MOST_LINES: usize = 500;
const MOST_LINES_OF_A_FUNCTION: usize = 80;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] =
    &["util", "utils", "common", "helper", "helpers", "manager", "managers", "handler", "handlers", "misc"];

fn sources() -> Vec<TextFile> {
    let mut all = files("engine", "rs");
    all.extend(files("benches", "rs"));
    all
}

#[test]
fn files_are_short() {
    let length = |file: &TextFile| file.text.lines().count();
    let long = sources().into_iter().filter(|file| length(file) > MOST_LINES);
    let found: Vec<String> = long.map(|file| format!("{}: {} lines", file.name, length(&file))).collect();
    assert_none("too long", &found);
}

#[test]
fn functions_are_short() {
    let mut found = Vec::new();
    for file in sources() {
        for (line, name, length) in functions(&file.text) {
            if length > MOST_LINES_OF_A_FUNCTION {
                found.push(format!("{}:{line}: {name} has {length} lines", file.name));
            }
        }
    }
    assert_none("too long", &found);
}

/// Line, name and length of every function of several lines. The text is as rustfmt leaves it: a function ends at the first line
/// with a closing brace at its own indentation.
fn functions(text: &str) -> Vec<(usize, String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let indent = &line[..line.len() - line.trim_start().len()];
        let closing = format!("{indent}}}");
        let ends_here = line.ends_with('}') || line.ends_with(';');
        let length = lines[at..].iter().position(|line| *line == closing).filter(|_| !ends_here);
        if let Some(length) = length {
            found.push((at + 1, name.to_owned(), length + 1));
        }
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let words = before.split_whitespace().all(|word| {
        matches!(word, "pub" | "const" | "async" | "unsafe" | "extern") || word.starts_with("pub(")
    });
    let end = after.find(['(', '<'])?;
    (words && end > 0).then(|| &after[..end])
}

#[test]
fn the_scanner_finds_functions() {
    let text = "impl A {\n    pub(crate) const fn short() -> u8 { 1 }\n    fn long<T>(\n        a: T,\n    ) {\n        if a {\n        }\n    }\n}\n\
                // fn no(\nfn two() {\n}\n";
    assert_eq!(functions(text), [(3, "long".to_owned(), 6), (11, "two".to_owned(), 2)]);
}

#[test]
fn nothing_is_left_undone() {
    // Put together here, so that this file does not hold them.
    let macros = ["todo", "unimplemented", "dbg"].map(|name| format!("{name}!("));
    let forbidden: Vec<String> = macros.into_iter().chain([format!("#[{}", "ignore")]).collect();
    let mut found = Vec::new();
    for file in sources() {
        for (at, line) in file.text.lines().enumerate() {
            let words = forbidden.iter().filter(|word| line.contains(word.as_str()));
            found.extend(words.map(|word| format!("{}:{}: {word}", file.name, at + 1)));
        }
    }
    assert_none("left undone", &found);
}

#[test]
fn names_say_what_is_inside() {
    let mut found = Vec::new();
    for file in sources() {
        let parts = file.name.split('/').map(|part| part.trim_end_matches(".rs"));
        let modules = file.text.lines().filter_map(|line| {
            let rest = line.trim_start().trim_start_matches("pub ").strip_prefix("mod ")?;
            rest.split([';', ' ', '{']).next()
        });
        let empty = parts.chain(modules).filter(|name| EMPTY_NAMES.contains(name));
        found.extend(empty.map(|name| format!("{}: {name}", file.name)));
    }
    assert_none("names that say nothing", &found);
}

/// Asserts that a file's module documentation has all these headers.
fn missing_headers(file: &TextFile, headers: &[&str]) -> Vec<String> {
    let opening: String =
        file.text.lines().map_while(|line| line.strip_prefix("//!")).collect::<Vec<_>>().join("\n");
    let missing = headers.iter().filter(|header| {
        // Some costs are per something: `Cost per pass:`.
        let has = |text: &str| opening.split(['\n', '.', ' ']).any(|word| word == text);
        !(has(&format!("{header}:")) || has(header) && opening.contains(&format!("{header} per ")))
    });
    missing.map(|header| format!("{}: {header}", file.name)).collect()
}

#[test]
fn policies_and_allocators_say_what_they_do() {
    let mut found = Vec::new();
    let mut number = 0;
    for (folder, behaviour) in [("policy", "Policy for "), ("allocator", "Allocator for ")] {
        for file in files(&format!("engine/sim/{folder}"), "rs") {
            if file.text.lines().any(|line| line.starts_with("impl") && line.contains(behaviour)) {
                number += 1;
                let headers = ["Decides", "Source", "Parameters", "Differs", "Ties", "Cost"];
                found.extend(missing_headers(&file, &headers));
            }
        }
    }
    assert!(number >= 7, "only {number} policies and allocators were found");
    assert_none("missing headers", &found);
}

#[test]
fn models_and_transforms_say_what_they_make() {
    let mut all = files("engine/workload/model", "rs");
    all.extend(files("engine/workload/transform", "rs"));
    let makes_jobs = |file: &TextFile| {
        let beside = matches!(file.name.matches('/').count(), 3);
        beside && file.stem() != "mod" && !file.stem().ends_with("_tests") && file.text.contains("Job")
    };
    let makers: Vec<TextFile> = all.into_iter().filter(makes_jobs).collect();
    assert!(makers.len() >= 4, "only {} models and transforms were found", makers.len());
    let headers = ["Generates", "Source", "Parameters", "Differs", "Cost"];
    let found: Vec<String> = makers.iter().flat_map(|file| missing_headers(file, &headers)).collect();
    assert_none("missing headers", &found);
}

#[test]
fn a_missing_header_is_noticed() {
    let text = "//! A policy.\n//!\n//! Decides: much. Source: none.\n//! Cost per pass: O(1). Differently: no.\n\n//! Ties: none\n";
    let file = TextFile { name: "a.rs".into(), path: "a.rs".into(), text: text.into() };
    let missing = missing_headers(&file, &["Decides", "Source", "Differs", "Ties", "Cost"]);
    assert_eq!(missing, ["a.rs: Differs", "a.rs: Ties"]);
}
