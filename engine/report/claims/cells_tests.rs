#![allow(clippy::unwrap_used)]

use crate::claims::{Topic, evaluate};
use std::collections::BTreeMap;
use std::sync::Arc;
use table::{ClaimSpec, Column, Except, Filter, Frame, Predicate};

/// Measured in two replications, and the bounds.
type CellRow = (&'static str, [f64; 2], Option<f64>, Option<f64>);

const CELLS: [CellRow; 5] = [
    ("Table 6: jobs", [10.0, 10.0], Some(10.0), Some(10.0)),
    // The mean is inside, the interval is not.
    ("Table 6: demand", [4.0, 6.0], Some(4.5), Some(5.5)),
    // Outside, and clearly so.
    ("Table 6: memory", [1.0, 1.0], None, Some(0.5)),
    ("Table 6: illegible", [3.0, 3.0], None, None),
    ("Table 60: other", [9.0, 9.0], None, Some(0.0)),
];

fn groups() -> Frame {
    let rows: Vec<(i64, &CellRow)> = [0_usize, 1]
        .into_iter()
        .flat_map(|replication| CELLS.iter().map(move |cell| (replication as i64, cell)))
        .collect();
    let text = |name: &str, cells: Vec<&str>| {
        Column::text(name, cells.into_iter().map(|cell| Some(Arc::from(cell))).collect())
    };
    Frame::from_columns(vec![
        text("mode", vec!["model"; rows.len()]),
        text("month", vec!["2000-02"; rows.len()]),
        Column::int("replication", rows.iter().map(|row| Some(row.0)).collect()),
        text("grouping", vec!["model"; rows.len()]),
        text("group", rows.iter().map(|row| row.1.0).collect()),
        Column::real("cell", rows.iter().map(|row| Some(row.1.1[row.0 as usize])).collect()),
        Column::real("cell_low", rows.iter().map(|row| row.1.2).collect()),
        Column::real("cell_high", rows.iter().map(|row| row.1.3).collect()),
    ])
    .unwrap()
}

fn runs() -> Frame {
    let text = |name: &str, cell: &str| Column::text(name, vec![Some(Arc::from(cell)); 2]);
    Frame::from_columns(vec![
        text("mode", "model"),
        text("month", "2000-02"),
        Column::int("replication", vec![Some(0), Some(1)]),
    ])
    .unwrap()
}

fn row(table: &str, share: f64, groups: &Frame) -> BTreeMap<&'static str, String> {
    let predicate = Predicate::Cells {
        table: table.to_owned(),
        only: Filter::new(),
        except: Except::new(),
        for_each: vec!["month".to_owned()],
        share,
    };
    let claim = ClaimSpec {
        id: "C21".to_owned(),
        statement: "meets".to_owned(),
        source: "here".to_owned(),
        published: None,
        modes: Vec::new(),
        predicates: vec![predicate],
    };
    let axes = ["month".to_owned()];
    let topic = Topic { study: "chiang", experiment: "workload", axes: &axes, settings: &[] };
    let table = evaluate(&[claim], &runs(), groups, topic).unwrap();
    assert_eq!(table.len(), 1);
    ["group", "measured", "ci_low", "ci_high", "verdict", "reason"]
        .into_iter()
        .map(|name| (name, table.column(name).unwrap().cells.printed(0).unwrap_or_default()))
        .collect()
}

#[test]
fn cells_are_counted_by_their_means() {
    let row = row("Table 6", 1.0, &groups());
    assert_eq!(row["group"], "month=2000-02");
    assert_eq!(row["verdict"], "does not hold");
    let share = |name: &str| row[name].parse::<f64>().unwrap();
    assert!((share("measured") - 2.0 / 3.0).abs() < 1e-12);
    assert!((share("ci_low") - 1.0 / 3.0).abs() < 1e-12, "the demand may be outside");
    assert!((share("ci_high") - 2.0 / 3.0).abs() < 1e-12);
    for part in ["2 of 3 cells", "Table 6: memory: 1", "1 more could not be met"] {
        assert!(row["reason"].contains(part), "{}", row["reason"]);
    }
}

#[test]
fn a_smaller_share_may_be_enough() {
    assert_eq!(row("Table 6", 0.6, &groups())["verdict"], "holds");
}

#[test]
fn without_cells_nothing_is_tested() {
    let none = row("Table 9", 1.0, &groups());
    assert_eq!(none["verdict"], "cannot be tested");
    assert!(none["reason"].contains("set `model_cells`"), "{}", none["reason"]);
}
