//! Choosing, grouping, ordering and appending rows.

use crate::generate;
use proptest::prelude::*;
use std::cmp::Ordering;
use std::sync::Arc;
use table::{Cells, Column, Filter, Frame, TableError};

fn text(values: &[&str]) -> Vec<Option<Arc<str>>> {
    values.iter().map(|value| Some(Arc::from(*value))).collect()
}

fn sample() -> Frame {
    Frame::from_columns(vec![
        Column::text("allocator", text(&["FirstFree", "Contiguous", "Contiguous", "FirstFree"])),
        Column::real("speedup", vec![Some(0.0), Some(0.3), Some(0.0), None]),
        Column::int("jobs", vec![Some(2), Some(3), Some(9_007_199_254_740_993), None]),
        Column::flag("scale", vec![Some(true), Some(false), None, Some(true)]),
    ])
    .unwrap()
}

fn filter(entries: &[(&str, &str)]) -> Filter {
    entries.iter().map(|(column, value)| ((*column).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn numbers_filter_as_numbers_and_text_as_written() {
    let frame = sample();
    let rows = |entries: &[(&str, &str)]| frame.filter(&filter(entries)).unwrap();
    assert_eq!(rows(&[]), [0, 1, 2, 3]);
    assert_eq!(rows(&[("speedup", "0")]), [0, 2]);
    assert_eq!(rows(&[("speedup", "-0.0")]), [0, 2]);
    assert_eq!(rows(&[("speedup", " 0.30")]), [1]);
    assert_eq!(rows(&[("speedup", "3e-1")]), [1]);
    assert_eq!(rows(&[("speedup", "0.3000000001")]), [0_usize; 0]);
    assert_eq!(rows(&[("jobs", "3.0")]), [1]);
    assert_eq!(rows(&[("jobs", "9007199254740993")]), [2], "whole numbers beyond 2^53 stay exact");
    assert_eq!(rows(&[("jobs", "9007199254740992")]), [0_usize; 0]);
    assert_eq!(rows(&[("scale", "true")]), [0, 3]);
    assert_eq!(rows(&[("allocator", "Contiguous"), ("speedup", "0")]), [2]);
    assert_eq!(rows(&[("allocator", "contiguous")]), [0_usize; 0]);
}

#[test]
fn filters_that_cannot_match_are_errors() {
    let frame = sample();
    let error = |column, value| frame.filter(&filter(&[(column, value)])).unwrap_err().to_string();
    assert_eq!(
        error("alocator", "FirstFree"),
        "unknown column `alocator`; the table has `allocator`, `speedup`, `jobs`, `scale`"
    );
    assert_eq!(error("speedup", "fast"), "column `speedup` holds real numbers, which `fast` is not");
    assert_eq!(error("jobs", ""), "column `jobs` holds whole numbers, which `` is not");
    assert_eq!(error("scale", "1"), "column `scale` holds flags (true or false), which `1` is not");
}

#[test]
fn distinct_and_partition_keep_the_order_of_first_appearance() {
    let frame = sample();
    let distinct = frame.distinct(&["allocator"]).unwrap();
    assert_eq!(distinct.columns, [Column::text("allocator", text(&["FirstFree", "Contiguous"]))]);
    assert_eq!(frame.partition(&["allocator"]).unwrap(), [vec![0, 3], vec![1, 2]]);
    assert_eq!(
        frame.partition(&["speedup"]).unwrap(),
        [vec![0, 2], vec![1], vec![3]],
        "a missing value is its own"
    );
    assert_eq!(frame.partition(&[]).unwrap(), [vec![0, 1, 2, 3]]);
    assert_eq!(frame.select(&[]).partition(&["speedup"]).unwrap(), [[0_usize; 0]; 0]);
    assert!(matches!(frame.distinct(&["x"]), Err(TableError::UnknownColumn { name, .. }) if name == "x"));
}

#[test]
fn sorting_is_stable_and_puts_missing_values_last() {
    let mut frame = sample();
    frame.sort(&["speedup"]).unwrap();
    assert_eq!(*frame.real("speedup").unwrap(), [Some(0.0), Some(0.0), Some(0.3), None]);
    assert_eq!(frame.text("allocator").unwrap()[0].as_deref(), Some("FirstFree"));
    frame.sort(&["allocator", "jobs"]).unwrap();
    assert_eq!(frame.int("jobs").unwrap(), [Some(3), Some(9_007_199_254_740_993), Some(2), None]);
    frame.sort(&["scale"]).unwrap();
    assert_eq!(frame.flag("scale").unwrap(), [Some(false), Some(true), Some(true), None]);
    assert!(matches!(frame.sort(&["load"]), Err(TableError::UnknownColumn { .. })));
}

#[test]
fn appending_unites_columns() {
    let mut above =
        Frame::from_columns(vec![Column::int("load", vec![Some(1)]), Column::constant("trace", "HPC2N", 1)])
            .unwrap();
    above.metadata.insert("experiment_hash".into(), "a".into());
    let below = Frame::from_columns(vec![
        Column::flag("scale", vec![Some(true)]),
        Column::real("load", vec![Some(0.5)]),
    ])
    .unwrap();
    above.append(&below).unwrap();
    let expected = [
        Column::real("load", vec![Some(1.0), Some(0.5)]),
        Column::text("trace", vec![Some(Arc::from("HPC2N")), None]),
        Column::flag("scale", vec![None, Some(true)]),
    ];
    assert_eq!(above.columns, expected);
    assert_eq!(above.metadata["experiment_hash"], "a");
    let mut empty = Frame::new();
    empty.append(&above).unwrap();
    assert_eq!(empty.columns, expected);
}

#[test]
fn appending_text_to_numbers_is_refused_and_changes_nothing() {
    let mut above = Frame::from_columns(vec![Column::int("load", vec![Some(1)])]).unwrap();
    let before = above.clone();
    let error =
        above.append(&Frame::from_columns(vec![Column::constant("load", "x", 1)]).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "column `load` holds text, not whole numbers");
    assert_eq!(above, before);
}

fn equal(cells: &Cells, a: usize, b: usize) -> bool {
    cells.printed(a) == cells.printed(b)
}

proptest! {
    #[test]
    fn partition_agrees_with_comparing_every_pair(frame in generate::frame()) {
        let names = frame.names();
        let columns: Vec<&str> = names.iter().map(String::as_str).take(2).collect();
        let mut naive: Vec<Vec<usize>> = Vec::new();
        for row in 0..frame.len() {
            let same = |other: usize| {
                columns.iter().all(|name| equal(&frame.column(name).unwrap().cells, row, other))
            };
            match naive.iter_mut().find(|part| same(part[0])) {
                Some(part) => part.push(row),
                None => naive.push(vec![row]),
            }
        }
        prop_assert_eq!(frame.partition(&columns).unwrap(), naive.clone());
        let firsts: Vec<usize> = naive.iter().map(|part| part[0]).collect();
        let kept = frame.columns.len().min(2);
        prop_assert_eq!(frame.distinct(&columns).unwrap().columns, &frame.select(&firsts).columns[..kept]);
    }

    #[test]
    fn a_sorted_table_has_the_same_rows_in_order(frame in generate::frame()) {
        let mut sorted = frame.clone();
        sorted.sort(&["c0"]).unwrap();
        let order = |a: usize, b: usize| match &sorted.columns[0].cells {
            Cells::Text(cells) => (cells[a].is_none(), &cells[a]).cmp(&(cells[b].is_none(), &cells[b])),
            Cells::Int(cells) => (cells[a].is_none(), cells[a]).cmp(&(cells[b].is_none(), cells[b])),
            Cells::Flag(cells) => (cells[a].is_none(), cells[a]).cmp(&(cells[b].is_none(), cells[b])),
            Cells::Real(cells) => {
                let key = |cell: Option<f64>| cell.unwrap_or(f64::INFINITY);
                key(cells[a]).partial_cmp(&key(cells[b])).unwrap()
            }
        };
        prop_assert!((1..sorted.len()).all(|row| order(row - 1, row) != Ordering::Greater));
        let rows = |frame: &Frame| {
            let mut rows: Vec<Vec<Option<String>>> = (0..frame.len())
                .map(|row| frame.columns.iter().map(|column| column.cells.printed(row)).collect())
                .collect();
            rows.sort();
            rows
        };
        prop_assert_eq!(rows(&sorted), rows(&frame));
    }

    #[test]
    fn a_table_cut_in_two_and_appended_is_the_table(frame in generate::frame(), cut in 0..40_usize) {
        let cut = cut.min(frame.len());
        let mut joined = frame.select(&(0..cut).collect::<Vec<_>>());
        joined.append(&frame.select(&(cut..frame.len()).collect::<Vec<_>>())).unwrap();
        prop_assert_eq!(joined, frame);
    }

    #[test]
    fn a_printed_number_filters_for_itself(frame in generate::frame(), row in 0..40_usize) {
        for column in &frame.columns {
            let Some(printed) = column.cells.printed(row) else { continue };
            let found = frame.filter(&filter(&[(&column.name, &printed)])).unwrap();
            let naive: Vec<usize> = (0..frame.len()).filter(|other| equal(&column.cells, row, *other)).collect();
            prop_assert_eq!(found, naive);
        }
    }
}
