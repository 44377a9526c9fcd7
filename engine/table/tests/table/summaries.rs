//! The summary and comparisons tables by hand, and the data dictionary they keep to.

use std::collections::BTreeSet;
use std::sync::Arc;
use table::schema::ColumnDoc;
use table::{CellType, Column, ComparisonSpec, Frame, Table, TableError, compare, summarise};

/// A runs table of one experiment with the axes `allocator` and `speedup`: allocator, speedup, mode, replication, status, wait.
type Row = (&'static str, f64, &'static str, i64, &'static str, Option<f64>);

fn runs(rows: &[Row]) -> Frame {
    let text = |value: fn(&Row) -> &'static str| rows.iter().map(|row| Some(Arc::from(value(row)))).collect();
    let mut frame = Frame::from_columns(vec![
        Column::constant("study", "pascual", rows.len()),
        Column::constant("experiment", "placement", rows.len()),
        Column::text("mode", text(|row| row.2)),
        Column::text("allocator", text(|row| row.0)),
        Column::real("speedup", rows.iter().map(|row| Some(row.1)).collect()),
        Column::int("replication", rows.iter().map(|row| Some(row.3)).collect()),
        Column::text("status", text(|row| row.4)),
        Column::real("mean_wait_s", rows.iter().map(|row| row.5).collect()),
        Column::int("jobs", vec![Some(10); rows.len()]),
    ])
    .unwrap();
    frame.metadata.insert("experiment_hash".into(), "00ff".into());
    frame
}

fn placement() -> Frame {
    runs(&[
        ("Contiguous", 0.3, "twin", 1, "ok", Some(12.0)),
        ("FirstFree", 0.0, "twin", 0, "ok", Some(2.0)),
        ("FirstFree", 0.0, "twin", 1, "ok", Some(4.0)),
        ("FirstFree", 0.0, "twin", 2, "failed", Some(1e9)),
        ("Contiguous", 0.3, "twin", 0, "ok", Some(8.0)),
        ("Contiguous", 0.3, "twin", 2, "ok", Some(1e9)),
        ("FirstFree", 0.0, "trace", 0, "ok", Some(5.0)),
        ("Contiguous", 0.3, "trace", 0, "ok", Some(20.0)),
        ("Contiguous", 0.5, "trace", 0, "failed", None),
        ("Contiguous", 0.0, "model", 0, "ok", Some(1.0)),
    ])
}

fn axes() -> Vec<String> {
    vec!["allocator".to_owned(), "speedup".to_owned()]
}

fn against(entries: &[(&str, &str)]) -> ComparisonSpec {
    ComparisonSpec {
        id: "contiguous".into(),
        metrics: vec!["mean_wait_s".into()],
        baseline: entries.iter().map(|(column, value)| ((*column).to_owned(), (*value).to_owned())).collect(),
    }
}

fn check_against_dictionary(frame: &Frame, table: Table) {
    assert_eq!(frame.names(), table.columns(&axes(), &[]));
    for doc in table.leading().iter().chain(table.trailing()) {
        assert_eq!(frame.column(doc.column).unwrap().cells.cell_type(), doc.cell_type, "{}", doc.column);
    }
}

fn keys(frame: &Frame) -> Vec<String> {
    let names = ["mode", "allocator", "speedup"];
    let value =
        |row: usize| names.map(|name| frame.column(name).unwrap().cells.printed(row).unwrap()).join(" ");
    (0..frame.len()).map(value).collect()
}

#[test]
fn the_summary_of_a_small_experiment() {
    let summary = summarise(&placement(), &axes(), &["mean_wait_s", "jobs"]).unwrap();
    check_against_dictionary(&summary, Table::Summary);
    assert_eq!(summary.metadata, placement().metadata);
    let waits: Vec<usize> = (0..summary.len()).step_by(2).collect();
    assert_eq!(summary.text("metric").unwrap()[1].as_deref(), Some("jobs"));
    let waits = summary.select(&waits);
    assert_eq!(
        keys(&waits),
        [
            "twin Contiguous 0.3",
            "twin FirstFree 0",
            "trace FirstFree 0",
            "trace Contiguous 0.3",
            "model Contiguous 0"
        ],
        "in order of first appearance, without the case that has no run"
    );
    assert_eq!(waits.int("n").unwrap()[..3], [Some(3), Some(2), Some(1)]);
    assert_eq!(waits.real("mean").unwrap()[1..3], [Some(3.0), Some(5.0)]);
    assert_eq!(waits.real("sd").unwrap()[1..3], [Some(2.0_f64.sqrt()), None]);
    assert_eq!(waits.real("min").unwrap()[1..3], [Some(2.0), Some(5.0)]);
    assert_eq!(waits.real("max").unwrap()[1..3], [Some(4.0), Some(5.0)]);
    let low = waits.real("ci_low").unwrap()[1].unwrap();
    let high = waits.real("ci_high").unwrap()[1].unwrap();
    assert!(
        (low - (3.0 - 12.706_204_736_432_1)).abs() < 1e-9 && (high + low - 6.0).abs() < 1e-12,
        "{low} {high}"
    );
    assert_eq!(waits.real("ci_low").unwrap()[2], None);
}

#[test]
fn a_metric_that_no_run_defines_has_no_mean() {
    let summary =
        summarise(&runs(&[("FirstFree", 0.0, "twin", 0, "ok", None)]), &axes(), &["mean_wait_s"]).unwrap();
    assert_eq!((summary.int("n").unwrap(), &*summary.real("mean").unwrap()), (&[Some(0)][..], &[None][..]));
}

#[test]
fn the_comparison_of_a_small_experiment() {
    let spec = against(&[("allocator", "FirstFree"), ("speedup", "0.0")]);
    let table = compare(&placement(), &axes(), &[spec]).unwrap();
    check_against_dictionary(&table, Table::Comparisons);
    assert_eq!(keys(&table), ["twin Contiguous 0.3", "trace Contiguous 0.3", "model Contiguous 0"]);
    assert_eq!(
        table.int("n").unwrap(),
        [Some(2), Some(1), Some(0)],
        "a failed run has no pair, a lone case none"
    );
    assert_eq!(*table.real("mean_difference").unwrap(), [Some(7.0), Some(15.0), None]);
    assert_eq!(*table.real("mean_ratio").unwrap(), [Some(3.5), Some(4.0), None]);
    let low = table.real("difference_ci_low").unwrap();
    assert!((low[0].unwrap() - (7.0 - 12.706_204_736_432_1)).abs() < 1e-9);
    assert_eq!(low[1..], [None, None]);
    assert_eq!(table.text("comparison").unwrap()[0].as_deref(), Some("contiguous"));
}

#[test]
fn a_baseline_that_fixes_one_axis_matches_the_others() {
    let table = compare(&placement(), &axes(), &[against(&[("allocator", "FirstFree")])]).unwrap();
    assert_eq!(table.int("n").unwrap(), [Some(0), Some(0), Some(0)], "FirstFree exists at speed-up 0 only");
    let modes = against(&[("mode", "trace")]);
    let table = compare(&placement(), &axes(), &[modes]).unwrap();
    assert_eq!(keys(&table), ["twin Contiguous 0.3", "twin FirstFree 0", "model Contiguous 0"]);
    assert_eq!(*table.real("mean_ratio").unwrap(), [Some(0.4), Some(0.4), None]);
}

#[test]
fn empty_tables_have_all_their_columns() {
    let no_runs = placement().select(&[]);
    check_against_dictionary(&summarise(&no_runs, &axes(), &["jobs"]).unwrap(), Table::Summary);
    check_against_dictionary(&compare(&placement(), &axes(), &[]).unwrap(), Table::Comparisons);
}

#[test]
fn what_cannot_be_summarised_is_said() {
    let error = |axes: &[&str], metric: &str| {
        let axes: Vec<String> = axes.iter().map(|axis| (*axis).to_owned()).collect();
        summarise(&placement(), &axes, &[metric]).unwrap_err()
    };
    assert!(matches!(error(&["load"], "jobs"), TableError::UnknownColumn { name, .. } if name == "load"));
    assert!(
        matches!(error(&["allocator", "speedup"], "wait"), TableError::UnknownColumn { name, .. } if name == "wait")
    );
    assert!(matches!(error(&["allocator", "speedup"], "status"), TableError::WrongType { .. }));
    assert!(
        matches!(error(&["allocator", "speedup", "mode"], "jobs"), TableError::DuplicateColumn { column } if column == "mode")
    );
}

#[test]
fn an_axis_named_like_a_statistic_is_refused() {
    let renamed = |name: &str| {
        let mut frame = placement();
        frame.columns[4].name = name.to_owned();
        (frame, vec!["allocator".to_owned(), name.to_owned()])
    };
    let (frame, axes) = renamed("mean");
    let error = summarise(&frame, &axes, &["jobs"]).unwrap_err();
    assert_eq!(error.to_string(), "two columns are named `mean`");
    let (frame, axes) = renamed("mean_ratio");
    let error = compare(&frame, &axes, &[against(&[("allocator", "FirstFree")])]).unwrap_err();
    assert_eq!(error.to_string(), "two columns are named `mean_ratio`");
}

#[test]
fn runs_that_cannot_be_told_apart_are_refused() {
    let twice = runs(&[
        ("FirstFree", 0.0, "twin", 1, "ok", Some(2.0)),
        ("FirstFree", 0.0, "twin", 1, "failed", None),
        ("FirstFree", 0.0, "twin", 1, "ok", Some(2.0)),
    ]);
    let message = "replication 1 of the case study=pascual, experiment=placement, mode=twin, allocator=FirstFree, \
                   speedup=0 is in the runs table twice";
    assert_eq!(summarise(&twice, &axes(), &["jobs"]).unwrap_err().to_string(), message);
    assert_eq!(compare(&twice, &axes(), &[]).unwrap_err().to_string(), message);
    let mut unnumbered = placement();
    unnumbered.columns[5] = Column::int("replication", vec![None; unnumbered.len()]);
    assert!(matches!(summarise(&unnumbered, &axes(), &["jobs"]), Err(TableError::NoReplication { row: 0 })));
}

#[test]
fn a_baseline_must_fix_axes_to_values_they_can_have() {
    let error = |column, value| compare(&placement(), &axes(), &[against(&[(column, value)])]).unwrap_err();
    assert_eq!(
        error("allocater", "FirstFree").to_string(),
        "the baseline of comparison `contiguous` fixes `allocater`, which is not an axis; the axes are `allocator`, \
         `speedup`"
    );
    assert!(matches!(error("status", "ok"), TableError::BaselineNotAnAxis { .. }));
    assert!(matches!(error("speedup", "none"), TableError::BadFilterValue { .. }));
    let spec = ComparisonSpec { metrics: vec!["wait".into()], ..against(&[("speedup", "0")]) };
    let error = compare(&placement(), &axes(), &[spec]).unwrap_err();
    assert!(matches!(error, TableError::UnknownColumn { name, .. } if name == "wait"));
}

#[test]
fn the_dictionary_describes_every_column_once() {
    for table in Table::ALL {
        let docs: Vec<&ColumnDoc> =
            table.leading().iter().chain(table.trailing()).chain(table.metrics()).collect();
        let names: BTreeSet<&str> = docs.iter().map(|doc| doc.column).collect();
        assert_eq!(names.len(), docs.len(), "{}", table.name());
        for doc in docs {
            assert!(!doc.description.is_empty(), "{}", doc.column);
            assert!(
                doc.cell_type != CellType::Text || doc.unit.is_empty(),
                "text has no unit: {}",
                doc.column
            );
            assert_eq!(
                doc.column.ends_with("_s"),
                doc.unit == "s",
                "the suffix says the unit: {}",
                doc.column
            );
        }
        assert_eq!(table.file_name(), format!("{}.parquet", table.name()));
    }
    let runs = Table::Runs.columns(&axes(), &["jobs", "mean_wait_s"]).join(" ");
    let expected =
        "study experiment mode allocator speedup replication seed run_key status message jobs mean_wait_s";
    assert_eq!(runs, expected);
    assert_eq!(Table::Claims.columns(&axes(), &["jobs"]).len(), 16, "claims have neither axes nor metrics");
}
