#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::xml::{Piece, pieces};
use super::{
    ExperimentResults, ExperimentText, PictureFile, Record, RecordedRuns, Results, StudyResults, page,
};
use crate::scorecard::Assumption;
use expect_test::expect;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use table::{ClaimSpec, Column, FigureKind, FigureSpec, Frame, Predicate};

const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"400\" height=\"300\" viewBox=\"0 0 1600 1200\" role=\"img\">\n\
    <title>Fig. 3: waits — model</title>\n<rect x=\"0\" y=\"0\" width=\"1600\" height=\"1200\" opacity=\"1\" fill=\"#FFFFFF\" \
    stroke=\"none\"/>\n</svg>\n";

/// Claim, mode, setting, predicate, group, measured, interval, verdict, reason.
type Row = (
    &'static str,
    &'static str,
    Option<&'static str>,
    i64,
    &'static str,
    Option<f64>,
    Option<(f64, f64)>,
    &'static str,
    Option<&'static str>,
);

const ROWS: [Row; 6] = [
    ("A1", "model", None, 0, "load=0.6", Some(0.5), Some((0.25, 0.75)), "holds", Some("clear")),
    ("A1", "model", None, 0, "load=0.8", Some(1.5), Some((0.5, 2.5)), "does not hold", Some("within noise")),
    ("A1", "model", None, 1, "", Some(1234.5), None, "holds", None),
    ("A10", "model", None, 0, "", None, None, "cannot be tested", Some("no <run>")),
    ("A1", "model", Some("a=1"), 0, "", Some(2.0), None, "holds", None),
    ("A1", "model", Some("a=2"), 0, "", Some(3.0), None, "does not hold", None),
];

fn claims() -> Frame {
    let text = |name: &str, of: &dyn Fn(&Row) -> Option<&'static str>| {
        Column::text(name, ROWS.iter().map(|row| of(row).map(Arc::from)).collect())
    };
    let real =
        |name: &str, of: &dyn Fn(&Row) -> Option<f64>| Column::real(name, ROWS.iter().map(of).collect());
    let mut frame = Frame::from_columns(vec![
        text("study", &|_| Some("mine")),
        text("experiment", &|_| Some("quick")),
        text("claim", &|row| Some(row.0)),
        text("mode", &|row| Some(row.1)),
        text("setting", &|row| row.2),
        text("statement", &|_| Some("EASY waits < FCFS & more.")),
        text("source", &|row| Some(if row.0 == "A1" { "§4, Fig. 3" } else { "§5" })),
        text("published", &|row| (row.0 == "A1").then_some("0.5 to 1")),
        Column::int("predicate", ROWS.iter().map(|row| Some(row.3)).collect()),
        text("group", &|row| Some(row.4)),
        real("measured", &|row| row.5),
        real("ci_low", &|row| Some(row.6?.0)),
        real("ci_high", &|row| Some(row.6?.1)),
        text("wanted", &|row| Some(if row.3 == 0 { "ratio ≤ 1" } else { "wait ≥ 10" })),
        text("verdict", &|row| Some(row.7)),
        text("reason", &|row| row.8),
    ])
    .unwrap();
    frame.metadata.insert("scale".to_owned(), "smoke".to_owned());
    frame
}

fn cells() -> Frame {
    let text = |name: &str, cells: [Option<&str>; 2]| {
        Column::text(name, cells.map(|cell| cell.map(Arc::from)).to_vec())
    };
    let real = |name: &str, cells: [Option<f64>; 2]| Column::real(name, cells.to_vec());
    Frame::from_columns(vec![
        text("study", [Some("mine"); 2]),
        text("experiment", [Some("quick"); 2]),
        text("mode", [Some("model"); 2]),
        text("table", [Some("table4"); 2]),
        text("row", [Some("MM1"), Some("MM2")]),
        text("column", [Some("Gain"); 2]),
        text("unit", [Some("%"); 2]),
        Column::int("n", vec![Some(3), Some(0)]),
        real("measured", [Some(7.25), None]),
        real("ci_low", [Some(5.0), None]),
        real("ci_high", [Some(9.5), None]),
        real("published", [Some(6.04), Some(7.0)]),
        text("published_text", [Some("6.04%"), Some("s thesL")]),
        text("mark", [None, Some("inferred")]),
        text("mark_reason", [None, Some("the text says so")]),
        Column::flag("inside", vec![Some(true), None]),
        Column::int("n_published", vec![Some(7), None]),
        Column::int("n_sign", vec![Some(1200), None]),
        text("reason", [None, Some("no run")]),
    ])
    .unwrap()
}

fn text() -> ExperimentText {
    let predicate = Predicate::Bound {
        metric: "mean_wait_s".to_owned(),
        only: BTreeMap::new(),
        for_each: Vec::new(),
        low: None,
        high: None,
    };
    let claim = |id: &str| ClaimSpec {
        id: id.to_owned(),
        statement: String::new(),
        source: String::new(),
        published: None,
        modes: Vec::new(),
        predicates: vec![predicate.clone()],
    };
    let figure = |id: &str, y: &str| FigureSpec {
        id: id.to_owned(),
        title: String::new(),
        kind: FigureKind::Lines,
        x: "load".to_owned(),
        x_label: None,
        y: y.to_owned(),
        y_label: "wait [s]".to_owned(),
        y_divisor: 1.0,
        normalise_by: None,
        log_y: true,
        series: vec!["policy".to_owned()],
        panels: Vec::new(),
        only: BTreeMap::new(),
        except: table::Except::new(),
    };
    ExperimentText {
        title: "Does backfilling pay?".to_owned(),
        source: "Nobody 2001".to_owned(),
        claims: vec![claim("A1"), claim("A10")],
        figures: vec![figure("figure3", "utilization"), figure("waits", "mean_wait_s")],
        tables: Vec::new(),
        assumptions: vec![Assumption {
            study: "mine".to_owned(),
            field: "bound_s".to_owned(),
            value: Some("10.0".to_owned()),
            reason: "usual".to_owned(),
            sweep: vec!["1.0".to_owned(), "60.0".to_owned()],
        }],
    }
}

fn results() -> Results {
    let named = |name: &str| PictureFile { name: name.to_owned(), svg: SVG.to_owned() };
    let mut waits = named("waits-model.svg");
    waits.svg = waits.svg.replace("Fig. 3: ", "");
    let record = Record {
        written: "2001-02-03T04:05:06Z".to_owned(),
        wall_s: 12.34,
        version: "0.1.0".to_owned(),
        profile: "release".to_owned(),
        scale: Some("smoke".to_owned()),
        runs: RecordedRuns { planned: 8, answered: 3, executed: 5, failed: 0, skipped: 0 },
        logs: BTreeMap::from([("HPC2N".to_owned(), vec!["ab".repeat(32)])]),
        absent_logs: vec!["CTC".to_owned()],
        experiment_hash: "cd".repeat(32),
        inputs: "ef".repeat(32),
        model: BTreeMap::from([("core".to_owned(), "01".repeat(32))]),
        ..Record::default()
    };
    let experiment = ExperimentResults {
        name: "quick".to_owned(),
        text: Some(text()),
        claims: Some(claims()),
        published: Some(cells()),
        pictures: vec![waits, named("figure3-model.svg")],
        record: Some(record),
        remarks: vec!["groups.parquet is not there".to_owned()],
    };
    let study = StudyResults {
        name: "mine".to_owned(),
        experiments: vec![experiment],
        absent: vec!["slow".to_owned()],
    };
    Results { studies: vec![study] }
}

/// The page as XML: its style and program are no markup, and the type of the document is no element.
fn as_xml(page: &str) -> String {
    let mut out = page.strip_prefix("<!DOCTYPE html>\n").unwrap().trim_end().to_owned();
    for name in ["<style>\n:root", "<script>\n"] {
        let begin = out.find(name).unwrap() + name.find('>').unwrap() + 1;
        let end = begin + out[begin..].find("</").unwrap();
        out.replace_range(begin..end, "");
    }
    out
}

/// What a reader without a style sees between two texts.
fn plain(page: &str, from: &str, to: &str) -> String {
    let begin = page.find(from).unwrap();
    let part = &page[begin..begin + page[begin..].find(to).unwrap()];
    let mut out = String::new();
    for piece in part.split('<').map(|piece| piece.split_once('>').unwrap_or(("", piece))) {
        match piece.0 {
            "/tr" | "/caption" => out.push('\n'),
            tag if tag.starts_with("/t") && tag != "/tr" => out.push_str(" | "),
            "br/" => out.push_str(" / "),
            _ => {}
        }
        out.push_str(piece.1);
    }
    out
}

#[test]
fn the_page_is_well_formed_and_its_links_lead_somewhere() {
    let page = page(&results()).unwrap();
    let page = as_xml(&page);
    let pieces = pieces(&page).unwrap();
    let (mut ids, mut targets) = (BTreeSet::new(), Vec::new());
    for piece in &pieces {
        let Piece::Open(name, attributes, _) = piece else { continue };
        for (attribute, value) in attributes {
            match *attribute {
                "id" => assert!(ids.insert(*value), "{value} twice"),
                "href" => targets.push(value.strip_prefix('#').unwrap()),
                "aria-labelledby" => targets.extend(value.split(' ')),
                "src" => panic!("<{name}> loads something"),
                _ => {}
            }
        }
    }
    for target in targets {
        assert!(ids.contains(target), "nothing is called {target}");
    }
    assert!(pieces.len() > 300 && ids.len() > 30);
    assert!(!page.contains("{{"));
}

#[test]
fn the_scorecard_has_a_row_for_every_claim_and_mode() {
    let page = page(&results()).unwrap();
    expect![[r#"
        Claims of mine, with what was measured
        claim | statement | source | mode | verdict | measured | 95 % interval | why | shown in | 
         | A1 | EASY waits &lt; FCFS &amp; more. | §4, Fig. 3 / printed: 0.5 to 1 | model | ✗ does not hold / 2 of 3 | 0.5 … 1.5 / 1,235 | 0.25 … 2.5 / — | load=0.8: 1.5; within noise / 1 of 3 within noise | figure3-model, measurements | 
        A10 | EASY waits &lt; FCFS &amp; more. | §5 | model | ? cannot be tested / 0 of 1 tested | — | — | no &lt;run&gt; | waits-model, measurements | 
         | "#]]
    .assert_eq(&plain(&page, "<caption id=\"scorecard.mine-caption\">", "</table>"));
}

#[test]
fn every_measurement_and_setting_is_there() {
    let page = page(&results()).unwrap();
    let measured = plain(&page, "<details id=\"claim.mine.A1\">", "</details>");
    for text in ["load=0.6 | model | 0.5 | 0.25 … 0.75 | ✓ holds | clear", "wanted: ratio ≤ 1", "1,235 | — |"]
    {
        assert!(measured.contains(text), "{text} is not in\n{measured}");
    }
    let swept = plain(&page, "<caption id=\"matrix.mine.quick.model-caption\">", "</table>");
    for text in ["a=1 | ✓holds", "a=2 | ✗does not hold", "holds in | 1/2"] {
        assert!(swept.contains(text), "{text} is not in\n{swept}");
    }
}

#[test]
fn a_published_table_has_what_is_printed_beside_what_was_measured() {
    let page = page(&results()).unwrap();
    expect![[r#"
        table4 (model, 3 replications; numbers in %)
        row | Gain | 
         | MM1 | 7.25 / 5 … 9.5 / printed 6.04% ✓ inside | 
        MM2 | — / printed 7 (inferred) | 
         | "#]]
    .assert_eq(&plain(&page, "<caption id=\"table.mine.quick.table4.model-caption\">", "</table>"));
    for text in
        ["MM2, Gain: inferred, read as “s thesL”: the text says so", "not measured: no run", "7 / 1,200"]
    {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn the_page_tells_what_is_missing_and_how_the_rest_was_made() {
    let page = page(&results()).unwrap();
    for text in [
        "Only partly there: no results of slow.",
        "quick: groups.parquet is not there.",
        "not at hand, its runs left out",
        "Results written <time datetime=\"2001-02-03T04:05:06Z\">2001-02-03 04:05:06 UTC</time> by backsweep 0.1.0 (release).",
        "<code title=\"0101",
        "Nobody 2001",
        "wait [s] over load, on a logarithmic axis; one series for each policy.",
    ] {
        assert!(page.contains(text), "{text}");
    }
    let bare = StudyResults {
        name: "bare".to_owned(),
        experiments: vec![ExperimentResults { name: "e".to_owned(), ..ExperimentResults::default() }],
        absent: Vec::new(),
    };
    let page = super::page(&Results { studies: vec![bare] }).unwrap();
    assert!(pieces(&as_xml(&page)).is_ok() && page.contains("id=\"study.bare\""));
}

#[test]
fn equal_results_give_equal_bytes() {
    assert_eq!(page(&results()).unwrap(), page(&results()).unwrap());
}

#[test]
fn a_table_that_lacks_a_column_is_refused() {
    let mut results = results();
    results.studies[0].experiments[0].published.as_mut().unwrap().columns.pop();
    let problem = page(&results).unwrap_err();
    assert!(format!("{problem:?}").contains("reason"), "{problem:?}");
}
