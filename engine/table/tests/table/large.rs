//! A large experiment, in more than one row group, is written, read, summarised and compared whole. How fast: `benches/tables.rs`.

use std::sync::Arc;
use table::{Column, ComparisonSpec, Frame, compare, summarise};

const ROWS: usize = 200_000;
const REPLICATIONS: usize = 5;

fn text(value: impl Fn(usize) -> String) -> Vec<Option<Arc<str>>> {
    (0..ROWS).map(|row| Some(Arc::from(value(row)))).collect()
}

/// 40,000 cases of five replications: 2 policies × 2 allocators × 10,000 loads, with 22 metrics.
fn runs() -> Frame {
    let case = |row: usize| row / REPLICATIONS;
    let mut columns = vec![
        Column::constant("study", "large", ROWS),
        Column::constant("experiment", "large", ROWS),
        Column::constant("mode", "model", ROWS),
        Column::text("policy", text(|row| format!("Policy{}", case(row) % 2))),
        Column::text("allocator", text(|row| format!("Allocator{}", case(row) / 2 % 2))),
        Column::real("load", (0..ROWS).map(|row| Some((case(row) / 4) as f64 * 1e-4)).collect()),
        Column::int("replication", (0..ROWS).map(|row| i64::try_from(row % REPLICATIONS).ok()).collect()),
        Column::text("run_key", text(|row| format!("{row:064x}"))),
        Column::constant("status", "ok", ROWS),
    ];
    for metric in 0..22_u64 {
        let value =
            |row: usize| Some(((row as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> metric) as f64 * 1e-9);
        columns.push(Column::real(&format!("m{metric}"), (0..ROWS).map(value).collect()));
    }
    Frame::from_columns(columns).unwrap()
}

#[test]
fn two_hundred_thousand_runs_are_whole() {
    let runs = runs();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("runs.parquet");
    runs.write_parquet(&path).unwrap();
    assert_eq!(Frame::read_parquet(&path).unwrap(), runs);
    let axes = ["policy", "allocator", "load"].map(str::to_owned);
    let metrics: Vec<String> = (0..22).map(|metric| format!("m{metric}")).collect();
    let names: Vec<&str> = metrics.iter().map(String::as_str).collect();
    let summary = summarise(&runs, &axes, &names).unwrap();
    assert_eq!(summary.len(), ROWS / REPLICATIONS * 22);
    let baseline = [("policy".to_owned(), "Policy0".to_owned())].into();
    let spec = ComparisonSpec { id: "policies".into(), metrics, baseline };
    let comparisons = compare(&runs, &axes, &[spec]).unwrap();
    assert_eq!(comparisons.len(), ROWS / REPLICATIONS / 2 * 22);
    assert!(comparisons.int("n").unwrap().iter().all(|n| *n == Some(5)));
}
