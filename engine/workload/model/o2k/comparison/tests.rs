//! The generator against the dissertation's tables. The tolerances are those of the lines themselves.

#![allow(clippy::unwrap_used)]
use super::*;
use crate::model::o2k::month::Month;

/// The months that policies are evaluated on.
const EVALUATED: [Month; 6] =
    [Month::Oct1999, Month::Nov1999, Month::Dec1999, Month::Jan2000, Month::Feb2000, Month::Mar2000];

fn missed(sections: &[Section]) -> Vec<String> {
    let wrong = |section: &Section| {
        let lines = section.lines.iter().filter(|line| !line.holds());
        lines.map(|line| format!("{}: {line}", section.title)).collect::<Vec<_>>()
    };
    sections.iter().flat_map(wrong).collect()
}

#[test]
fn the_raw_model_meets_tables_9_10_11_and_figure_29b() {
    let sections = compare_raw(1..=3, 60_000);
    assert_eq!(sections.iter().map(|section| section.lines.len()).collect::<Vec<_>>(), [12, 28, 60, 36, 14]);
    assert_eq!(missed(&sections), Vec::<String>::new());
}

#[test]
fn evaluated_months_meet_tables_6_7_and_8() {
    for month in EVALUATED {
        let sections = compare_month(month, 0.9, 1..=3);
        assert_eq!(sections.len(), if month < Month::Jan2000 { 1 } else { 3 }, "{month}");
        assert_eq!(missed(&sections), Vec::<String>::new());
    }
}

#[test]
fn late_months_meet_table_6() {
    for month in [Month::Oct2000, Month::Nov2000, Month::Dec2000] {
        let sections = compare_month(month, 0.9, 3..=3);
        assert_eq!(missed(&sections[..1]), Vec::<String>::new());
    }
}

/// The comparison is not one that anything passes: the raw model is no month, and another month is not this one.
#[test]
fn a_wrong_value_is_missed() {
    let line = |measured| Line::new("x", measured, Published::Value(2.0), 0.1);
    assert!(line(2.1).holds() && !line(2.11).holds() && !line(1.89).holds());
    assert!(line(1.0).to_string().ends_with("MISSED"));
    let line = |measured, published| Line::new("x", measured, published, 0.0).holds();
    assert!(line(1.0, Published::Above(1.0)) && !line(0.9, Published::Above(1.0)));
    assert!(line(1.0, Published::Below(1.0)) && !line(1.1, Published::Below(1.0)));
    assert!(line(1.5, Published::Range(1.0, 2.0)) && !line(2.1, Published::Range(1.0, 2.0)));
    let between =
        Line { accepted: Accepted::Between(1.0, 3.0), ..Line::new("x", 3.1, Published::Value(2.0), 0.0) };
    assert!(!between.holds());
    // Few jobs cannot meet the tables.
    assert!(!missed(&compare_raw(1..=1, 300)).is_empty());
}

#[test]
fn tables_fit_eighty_columns() {
    let sections = [compare_raw(1..=1, 2_000), compare_month(Month::Nov1999, 0.9, 1..=1)].concat();
    for section in sections {
        let text = section.to_string();
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert_eq!(text.lines().count(), section.lines.len() + 2);
    }
}
