//! `--version`, `man`, `completions`: what packages of the program are made of.

use crate::program::Folder;
use std::collections::BTreeSet;
use sweep::fingerprint::{families, of_model};

#[test]
fn the_short_version_is_a_line_and_the_long_one_says_all() {
    let folder = Folder::new();
    let short = folder.call("-V").done().out;
    assert_eq!(short, format!("backsweep {}\n", env!("CARGO_PKG_VERSION")));
    let long = folder.call("--version").done().out;
    assert!(long.starts_with(&short) && long.lines().all(|line| line.chars().count() <= 80), "{long}");
    let said = |label: &str| long.lines().find_map(|line| line.strip_prefix(label)).unwrap().trim();
    assert_eq!(said("model "), of_model().to_string());
    for (family, hash) in families() {
        assert!(long.contains(&format!("{} {family}\n", &hash.to_string()[..16])), "{family} in\n{long}");
    }
    let own = std::fs::read(env!("CARGO_BIN_EXE_backsweep")).unwrap();
    assert_eq!(said("build "), blake3::hash(&own).to_hex().as_str());
    assert_eq!(said("tables "), format!("schema version {}", table::SCHEMA_VERSION));
    assert!(said("compiler ").starts_with("rustc ") && said("target ").contains('-'), "{long}");
    assert!(["debug", "release"].contains(&said("profile ")), "{long}");
    assert_eq!(folder.call("run --version").done().out, long);
}

/// Every verb, such as `trace fetch`, with those above it and the program itself, by what the help lists.
fn verbs(folder: &Folder, above: &str, verbs_found: &mut BTreeSet<String>) {
    verbs_found.insert(above.to_owned());
    let help = folder.call(&format!("{above} --help")).done().out;
    let Some((_, listed)) = help.split_once("\nCommands:\n") else { return };
    for line in listed.lines().take_while(|line| line.starts_with("  ")) {
        let verb = line.split_whitespace().next().unwrap();
        // A description that is too long goes on below, further to the right.
        if verb != "help" && !line.starts_with("   ") {
            verbs(folder, format!("{above} {verb}").trim(), verbs_found);
        }
    }
}

#[test]
fn every_verb_has_a_manual_page() {
    let folder = Folder::new();
    assert_eq!(folder.call("man --dir pages").done().out, "");
    let mut expected = BTreeSet::new();
    verbs(&folder, "", &mut expected);
    assert!(expected.len() > 25 && expected.contains("trace fetch"), "{expected:?}");
    let file = |verb: &String| format!("pages/{}.1", format!("backsweep {verb}").trim().replace(' ', "-"));
    let mut names: BTreeSet<String> = expected.iter().map(file).collect();
    names.insert("pages/".to_owned());
    assert_eq!(folder.names().into_iter().collect::<BTreeSet<_>>(), names);
    for verb in &expected {
        let page = folder.read(&file(verb));
        let title =
            format!(".TH backsweep{}{}", if verb.is_empty() { "" } else { "-" }, verb.replace(' ', "-"));
        assert!(page.starts_with(&title), "{verb}: {page}");
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH OPTIONS"), "{verb}: {page}");
    }
    assert_eq!(folder.call("man").done().out, folder.read("pages/backsweep.1"));
    assert!(folder.read("pages/backsweep-run.1").contains(".SS Examples\n.nf\n"));
}

#[test]
fn every_shell_has_completions() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = folder.call(&format!("completions {shell}")).done().out;
        assert!(script.contains("reproduce") && script.contains("simulate"), "{shell}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.call(&format!("completions {shell}")).done().out;
        for value in ["pascual", "co-allocation", "lublin-feitelson", "HPC2N-2002-2.2-cln", "2000-02"] {
            assert!(script.contains(value), "{shell} does not offer {value}");
        }
    }
}

#[test]
fn unknown_studies_are_answered_with_the_known_ones() {
    Folder::new().call("reproduce pascul").refused(&["unknown study `pascul`", "pascual", "smoke"]);
}
