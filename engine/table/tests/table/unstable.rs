//! Unstable runs in the summary and the comparisons table.

use std::sync::Arc;
use table::{Column, ComparisonSpec, Crossover, Frame, compare, is_without_end, statistics, summarise};

/// Case, replication, status, response, when it was unstable.
type Row = (&'static str, i64, &'static str, Option<f64>, Option<f64>);

fn runs(rows: &[Row]) -> Frame {
    let text = |value: fn(&Row) -> &'static str| rows.iter().map(|row| Some(Arc::from(value(row)))).collect();
    Frame::from_columns(vec![
        Column::constant("study", "s", rows.len()),
        Column::constant("experiment", "e", rows.len()),
        Column::constant("mode", "model", rows.len()),
        Column::text("policy", text(|row| row.0)),
        Column::int("replication", rows.iter().map(|row| Some(row.1)).collect()),
        Column::text("status", text(|row| row.2)),
        Column::real("mean_response_s", rows.iter().map(|row| row.3).collect()),
        Column::real("unstable_at_s", rows.iter().map(|row| row.4).collect()),
    ])
    .unwrap()
}

fn mixed() -> Frame {
    runs(&[
        ("stable", 0, "ok", Some(2.0), None),
        ("stable", 1, "ok", Some(4.0), None),
        ("stable", 2, "failed", None, None),
        ("once", 0, "ok", Some(5.0), None),
        ("once", 1, "unstable", None, Some(70.0)),
        ("late", 0, "ok", Some(6.0), None),
        ("late", 2, "unstable", None, Some(80.0)),
        ("always", 0, "unstable", None, Some(10.0)),
        ("always", 1, "unstable", None, Some(20.0)),
    ])
}

#[test]
fn one_unstable_replication_takes_the_mean_of_all() {
    let axes = ["policy".to_owned()];
    let summary = summarise(&mixed(), &axes, &["mean_response_s", "unstable_at_s"]).unwrap();
    let (n, unstable) = (summary.int("n").unwrap(), summary.int("unstable").unwrap());
    let mean = summary.real("mean").unwrap();
    let found: Vec<(i64, i64, Option<f64>)> =
        (0..summary.len()).map(|row| (n[row].unwrap(), unstable[row].unwrap(), mean[row])).collect();
    let wanted = [
        // stable
        (2, 0, Some(3.0)),
        (0, 0, None),
        // once
        (1, 1, None),
        (1, 1, Some(70.0)),
        // late
        (1, 1, None),
        (1, 1, Some(80.0)),
        // always
        (0, 2, None),
        (2, 2, Some(15.0)),
    ];
    assert_eq!(found, wanted);
    for name in ["sd", "ci_low", "ci_high", "min", "max"] {
        assert_eq!(summary.real(name).unwrap()[2], None, "{name}");
    }
}

#[test]
fn a_comparison_with_an_unstable_run_has_no_mean() {
    let spec = ComparisonSpec {
        id: "c".into(),
        metrics: vec!["mean_response_s".into()],
        baseline: [("policy".to_owned(), "stable".to_owned())].into(),
    };
    let table = compare(&mixed(), &["policy".to_owned()], &[spec]).unwrap();
    assert_eq!(table.int("n").unwrap(), [Some(1), Some(1), Some(0)]);
    // The third replication of the baseline failed, so that nothing is compared with the unstable one.
    assert_eq!(table.int("unstable").unwrap(), [Some(1), Some(0), Some(2)]);
    assert_eq!(*table.real("mean_difference").unwrap(), [None, Some(4.0), None]);
    assert_eq!(*table.real("mean_ratio").unwrap(), [None, Some(3.0), None]);
}

#[test]
fn waits_responses_and_slowdowns_grow_without_end() {
    for metric in ["mean_wait_s", "p95_response_s", "mean_bounded_slowdown"] {
        assert!(is_without_end(metric), "{metric}");
    }
    for metric in ["utilization", "mean_split_slowdown", "response_half_width_s", "unstable_at_s"] {
        assert!(!is_without_end(metric), "{metric}");
    }
}

#[test]
fn a_curve_that_comes_down_from_infinity_crosses_in_the_middle() {
    let (x, infinity) = ([1.0, 2.0, 4.0], f64::INFINITY);
    let crossing = |of: [f64; 3], versus: [f64; 3]| statistics::crossover(&x, &of, &versus);
    assert_eq!(crossing([infinity, infinity, 1.0], [3.0; 3]), Some(Crossover::At(3.0)));
    assert_eq!(crossing([5.0, 4.0, 1.0], [3.0, 3.0, infinity]), Some(Crossover::At(3.0)));
    assert_eq!(crossing([infinity; 3], [3.0; 3]), Some(Crossover::AboveLast));
    assert_eq!(crossing([1.0; 3], [infinity; 3]), Some(Crossover::BelowFirst));
    // Two infinities cannot be compared.
    assert_eq!(crossing([infinity, 4.0, 1.0], [infinity, 3.0, 3.0]), None);
}
