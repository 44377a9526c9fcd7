//! `report`: the page of everything in a folder of results.

use super::EXPERIMENT;
use crate::program::Folder;
use std::fs;
use table::Frame;

const PAGE: &str = "results/index.html";

/// A folder with results of an experiment of its own.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    folder.call("run e.ron --set replications=2").done();
    folder
}

/// The names of elements that are open at the end, or closed out of order. What a style or program holds is no markup.
fn unbalanced(page: &str) -> Vec<String> {
    const VOID: [&str; 3] = ["meta", "!DOCTYPE", "br"];
    let (mut open, mut odd, mut rest): (Vec<String>, Vec<String>, &str) = (Vec::new(), Vec::new(), page);
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, after) = after.split_once('>').expect("a tag ends");
        rest = after;
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap().to_owned();
        if tag.starts_with('/') {
            if open.last() == Some(&name) { drop(open.pop()) } else { odd.push(name) }
        } else if !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
            if ["style", "script"].contains(&name.as_str()) {
                rest = &rest[rest.find(&format!("</{name}>")).expect("it is closed")..];
            }
            open.push(name);
        }
    }
    odd.extend(open);
    odd
}

#[test]
fn the_page_has_every_claim_of_a_study() {
    let folder = Folder::new();
    folder.call("reproduce smoke --scale smoke").done();
    let said = folder.call("report").done();
    assert_eq!(said.out, "");
    assert!(said.err.contains("results/index.html: 1 study, 1 experiment, 2 figures"), "{}", said.err);
    let page = folder.read(PAGE);
    assert_eq!(unbalanced(&page), Vec::<String>::new());
    let claims = Frame::read_parquet(&folder.path("results/smoke/smoke/claims.parquet")).unwrap();
    assert!(claims.len() > 2);
    for column in ["claim", "statement", "source", "group"] {
        for cell in claims.text(column).unwrap().iter().flatten() {
            assert!(page.contains(&**cell), "{cell}");
        }
    }
    for value in claims.real("measured").unwrap().iter().flatten() {
        assert!(page.contains(&format!("data-key=\"{value}\"")), "{value}");
    }
    for text in
        ["Backfilling against first come", "id=\"figure.smoke.wait-model\"", "early_end", "scale smoke"]
    {
        assert!(page.contains(text), "{text}");
    }
    for (name, texts) in [("scorecard.md", "S1"), ("smoke/smoke/manifest.json", "\"runs\"")] {
        assert!(folder.read(&format!("results/{name}")).contains(texts), "{name} is as it was");
    }
    folder.call("report smoke --quiet").done();
    assert_eq!(folder.read(PAGE), page, "the same results give the same bytes");
    let host = std::env::var("HOSTNAME").unwrap_or_default();
    assert!(host.is_empty() || !page.contains(&host));
    assert!(!page.contains(&folder.path("").display().to_string()));
}

#[test]
fn an_experiment_of_a_file_is_shown_too() {
    let folder = folder();
    folder.call("report").done();
    let page = folder.read(PAGE);
    for text in
        ["A quick grid", "EASY waits less than FCFS.", "replications=2", "id=\"figure.mine.waits-model\""]
    {
        assert!(page.contains(text), "{text}");
    }
    // Without its file the tables still say what was claimed.
    fs::remove_file(folder.path("e.ron")).unwrap();
    folder.call("report").done();
    let page = folder.read(PAGE);
    assert!(page.contains("EASY waits less than FCFS.") && !page.contains("A quick grid"));
}

#[test]
fn what_is_missing_or_changed_is_told() {
    let folder = folder();
    let figure = folder.path("results/mine/figures/waits-model.svg");
    let svg = fs::read_to_string(&figure).unwrap();
    fs::write(&figure, svg.replace("Mean waits", "Mean weights")).unwrap();
    fs::remove_file(folder.path("results/mine/quick/published.parquet")).unwrap();
    let said = folder.call("report");
    assert_eq!(said.code, Some(1), "{}", said.err);
    for text in ["figures/waits-model.svg is not as it was written", "published.parquet is not there"] {
        assert!(said.err.contains(text), "{}", said.err);
        assert!(folder.read(PAGE).contains(text));
    }
    fs::remove_file(&figure).unwrap();
    fs::remove_file(folder.path("results/mine/quick/manifest.json")).unwrap();
    assert!(folder.call("report").err.contains("there is no manifest.json"));
}

#[test]
fn a_study_that_is_partly_there_is_shown_as_such() {
    let folder = Folder::new();
    folder
        .write("e.ron", EXPERIMENT.replace("\"mine\"", "\"pascual\"").replace("\"quick\"", "\"placement\""));
    folder.call("run e.ron --set replications=2").done();
    folder.call("report").done();
    let page = folder.read(PAGE);
    assert!(page.contains("Only partly there: no results of assumptions, relaxed."), "{page}");
    assert!(page.contains("A quick grid"), "the text is that of the file");
    fs::remove_file(folder.path("e.ron")).unwrap();
    let said = folder.call("report");
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("pascual/placement: the experiment has another text by now"), "{}", said.err);
}

#[test]
fn nothing_to_show_is_a_malformed_question() {
    let folder = folder();
    folder.call("report --out nowhere").refused(&[
        "there are no results in nowhere",
        "backsweep reproduce",
        "--out",
    ]);
    folder.call("report other").refused(&["no results of `other` in results", "with results there: mine"]);
    assert!(!folder.path("nowhere").exists() && !folder.path(PAGE).exists());
}

#[test]
fn a_damaged_file_is_named_and_the_page_left_as_it_was() {
    let folder = folder();
    folder.call("report").done();
    let page = folder.read(PAGE);
    for name in [
        "mine/quick/claims.parquet",
        "mine/quick/published.parquet",
        "mine/figures/waits-model.svg",
        "mine/quick/manifest.json",
    ] {
        let path = folder.path(&format!("results/{name}"));
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let said = folder.call("report");
        assert_eq!(said.code, Some(1), "{name}: {}", said.err);
        assert!(said.err.contains("error:") && said.err.contains(name), "{name}: {}", said.err);
        assert_eq!(folder.read(PAGE), page);
        fs::write(&path, &bytes).unwrap();
    }
    let left: Vec<String> = folder.names().into_iter().filter(|name| name.ends_with(".tmp")).collect();
    assert_eq!(left, Vec::<String>::new());
}
