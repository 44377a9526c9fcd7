//! Constructors and typed access.

use std::sync::Arc;
use table::{CellType, Cells, Column, Frame, TableError};

fn sample() -> Frame {
    Frame::new()
        .with(Column::constant("policy", "Easy", 2))
        .unwrap()
        .with(Column::real("speedup", vec![Some(0.3), None]))
        .unwrap()
        .with(Column::int("jobs", vec![Some(7), Some(-1)]))
        .unwrap()
        .with(Column::flag("scale_estimates", vec![Some(true), None]))
        .unwrap()
}

#[test]
fn columns_are_read_by_their_type() {
    let frame = sample();
    assert_eq!((frame.len(), frame.is_empty()), (2, false));
    assert_eq!(frame.names(), ["policy", "speedup", "jobs", "scale_estimates"]);
    assert_eq!(frame.text("policy").unwrap()[1].as_deref(), Some("Easy"));
    assert_eq!(*frame.real("speedup").unwrap(), [Some(0.3), None]);
    assert_eq!(*frame.real("jobs").unwrap(), [Some(7.0), Some(-1.0)], "whole numbers are numbers");
    assert_eq!(frame.int("jobs").unwrap(), [Some(7), Some(-1)]);
    assert_eq!(frame.flag("scale_estimates").unwrap(), [Some(true), None]);
    assert!(frame.column("load").is_none());
    let empty = Frame::new();
    assert_eq!((empty.len(), empty.is_empty(), empty.names().len()), (0, true, 0));
}

#[test]
fn an_unknown_column_is_answered_with_the_known_ones() {
    let error = sample().text("polcy").unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown column `polcy`; the table has `policy`, `speedup`, `jobs`, `scale_estimates`"
    );
    assert_eq!(Frame::new().real("x").unwrap_err().to_string(), "unknown column `x`; the table has none");
}

#[test]
fn a_wrong_type_is_named() {
    let frame = sample();
    let messages = [
        frame.text("jobs").unwrap_err().to_string(),
        frame.real("policy").unwrap_err().to_string(),
        frame.int("speedup").unwrap_err().to_string(),
        frame.flag("jobs").unwrap_err().to_string(),
    ];
    assert_eq!(
        messages,
        [
            "column `jobs` holds whole numbers, not text",
            "column `policy` holds text, not real numbers",
            "column `speedup` holds real numbers, not whole numbers",
            "column `jobs` holds whole numbers, not flags (true or false)",
        ]
    );
}

#[test]
fn unequal_columns_are_refused_by_both_constructors() {
    let (long, short) = (Column::int("a", vec![None; 3]), Column::int("b", vec![None; 2]));
    let one_by_one = Frame::new().with(long.clone()).unwrap().with(short.clone()).unwrap_err();
    let at_once = Frame::from_columns(vec![long, short]).unwrap_err();
    for error in [one_by_one, at_once] {
        assert_eq!(error.to_string(), "column `b` has 2 rows where the table has 3");
    }
}

#[test]
fn two_columns_of_one_name_are_refused_by_both_constructors() {
    let twice = || Column::int("jobs", vec![None]);
    let one_by_one = Frame::new().with(twice()).unwrap().with(twice()).unwrap_err();
    let at_once = Frame::from_columns(vec![twice(), twice()]).unwrap_err();
    for error in [one_by_one, at_once] {
        assert_eq!(error.to_string(), "two columns are named `jobs`");
    }
}

#[test]
fn nan_becomes_missing_and_infinity_an_error() {
    let frame = Frame::new().with(Column::real("x", vec![Some(f64::NAN), Some(1.0)])).unwrap();
    assert_eq!(*frame.real("x").unwrap(), [None, Some(1.0)]);
    for infinity in [f64::INFINITY, f64::NEG_INFINITY] {
        let error = Frame::from_columns(vec![Column::real("x", vec![None, Some(infinity)])]).unwrap_err();
        assert!(matches!(error, TableError::Infinite { row: 1, value, .. } if value == infinity), "{error}");
    }
    let error = Frame::new().with(Column::real("x", vec![Some(f64::INFINITY)])).unwrap_err();
    assert_eq!(error.to_string(), "column `x` has the infinite value inf in row 0");
}

#[test]
fn a_frame_filled_by_hand_can_be_validated() {
    let mut frame = sample();
    frame.columns[1].cells = Cells::Real(vec![Some(f64::NAN), Some(-0.0)]);
    frame.validate().unwrap();
    assert_eq!(frame.columns[1].cells.printed(0), None);
    assert_eq!(frame.columns[1].cells.printed(1).as_deref(), Some("0"), "no second spelling of zero");
    frame.columns[2].name = "policy".to_owned();
    assert!(matches!(frame.validate(), Err(TableError::DuplicateColumn { column }) if column == "policy"));
}

#[test]
fn cells_print_in_their_shortest_exact_form() {
    let printed = |cells: Cells| cells.printed(0);
    assert_eq!(printed(Cells::Real(vec![Some(0.1 + 0.2)])).as_deref(), Some("0.30000000000000004"));
    assert_eq!(printed(Cells::Real(vec![Some(2.0)])).as_deref(), Some("2"));
    assert_eq!(printed(Cells::Int(vec![Some(-2)])).as_deref(), Some("-2"));
    assert_eq!(printed(Cells::Flag(vec![Some(false)])).as_deref(), Some("false"));
    assert_eq!(printed(Cells::Text(vec![Some(Arc::from("Easy"))])).as_deref(), Some("Easy"));
    for cell_type in [CellType::Text, CellType::Real, CellType::Int, CellType::Flag] {
        let missing = Cells::missing(cell_type, 1);
        assert_eq!((missing.cell_type(), missing.len(), missing.is_empty()), (cell_type, 1, false));
        assert_eq!((missing.printed(0), missing.printed(1)), (None, None), "missing, and beyond the end");
    }
}
