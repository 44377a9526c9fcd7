//! The summary and comparisons tables against slow, obvious twins.

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use table::statistics::{paired_differences, paired_ratios, sample};
use table::{Column, ComparisonSpec, Frame, Sample, compare, summarise};

/// One run: policy, load, mode, replication, whether it succeeded, wait.
#[derive(Clone, Debug)]
struct Run {
    case: (&'static str, i64, &'static str),
    replication: i64,
    ok: bool,
    wait: Option<f64>,
}

/// Runs in any order, each (case, replication) at most once.
fn runs() -> impl Strategy<Value = Vec<Run>> {
    let policy = prop_oneof![Just("Fcfs"), Just("Easy"), Just("Conservative")];
    let mode = prop_oneof![Just("trace"), Just("twin")];
    let wait = prop_oneof![4 => (0..5_i32).prop_map(|wait| Some(f64::from(wait))), 1 => Just(None)];
    let run = ((policy, 0..2_i64, mode), 0..4_i64, proptest::bool::weighted(0.8), wait);
    vec(run, 0..60).prop_map(|runs| {
        let mut seen = Vec::new();
        let mut kept = Vec::new();
        for (case, replication, ok, wait) in runs {
            if !seen.contains(&(case, replication)) {
                seen.push((case, replication));
                kept.push(Run { case, replication, ok, wait });
            }
        }
        kept
    })
}

fn frame(runs: &[Run]) -> Frame {
    let text =
        |value: &dyn Fn(&Run) -> &'static str| runs.iter().map(|run| Some(Arc::from(value(run)))).collect();
    Frame::from_columns(vec![
        Column::constant("study", "s", runs.len()),
        Column::constant("experiment", "e", runs.len()),
        Column::text("mode", text(&|run| run.case.2)),
        Column::text("policy", text(&|run| run.case.0)),
        Column::int("load", runs.iter().map(|run| Some(run.case.1)).collect()),
        Column::int("replication", runs.iter().map(|run| Some(run.replication)).collect()),
        Column::text("status", text(&|run| if run.ok { "ok" } else { "failed" })),
        Column::real("wait", runs.iter().map(|run| run.wait).collect()),
    ])
    .unwrap()
}

/// The cases with a successful run, in order of first appearance.
fn cases(runs: &[Run]) -> Vec<(&'static str, i64, &'static str)> {
    let mut cases = Vec::new();
    for run in runs {
        if !cases.contains(&run.case) && runs.iter().any(|other| other.ok && other.case == run.case) {
            cases.push(run.case);
        }
    }
    cases
}

/// Replication → wait of a case.
fn waits(runs: &[Run], case: (&str, i64, &str)) -> BTreeMap<i64, f64> {
    let of_case = runs.iter().filter(|run| run.ok && run.case == case);
    of_case.filter_map(|run| Some((run.replication, run.wait?))).collect()
}

fn row_case(frame: &Frame, row: usize) -> (String, i64, String) {
    let text = |name| frame.text(name).unwrap()[row].as_deref().unwrap().to_owned();
    (text("policy"), frame.int("load").unwrap()[row].unwrap(), text("mode"))
}

fn assert_interval(frame: &Frame, row: usize, prefix: &str, expected: &Sample) {
    let value = |end: &str| frame.real(&format!("{prefix}{end}")).unwrap()[row];
    let expected = expected.interval;
    assert_eq!(value("ci_low"), expected.map(|interval| interval.low));
    assert_eq!(value("ci_high"), expected.map(|interval| interval.high));
}

proptest! {
    #[test]
    fn the_summary_agrees_with_its_twin(runs in runs()) {
        let axes = ["policy".to_owned(), "load".to_owned()];
        let summary = summarise(&frame(&runs), &axes, &["wait"]).unwrap();
        let cases = cases(&runs);
        prop_assert_eq!(summary.len(), cases.len());
        for (row, case) in cases.into_iter().enumerate() {
            prop_assert_eq!(row_case(&summary, row), (case.0.to_owned(), case.1, case.2.to_owned()));
            let values: Vec<f64> = waits(&runs, case).into_values().collect();
            let expected = sample(&values);
            let real = |name: &str| summary.real(name).unwrap()[row];
            prop_assert_eq!(summary.int("n").unwrap()[row], Some(values.len() as i64));
            prop_assert_eq!([real("mean"), real("sd")], [expected.mean, expected.sd]);
            prop_assert_eq!([real("min"), real("max")], [expected.min, expected.max]);
            assert_interval(&summary, row, "", &expected);
        }
    }

    #[test]
    fn the_comparisons_agree_with_their_twin(runs in runs(), fix_load in any::<bool>()) {
        let axes = ["policy".to_owned(), "load".to_owned()];
        let mut baseline = BTreeMap::from([("policy".to_owned(), "Fcfs".to_owned())]);
        if fix_load {
            baseline.insert("load".to_owned(), "0".to_owned());
        }
        let spec = ComparisonSpec { id: "to Fcfs".into(), metrics: vec!["wait".into()], baseline };
        let table = compare(&frame(&runs), &axes, &[spec]).unwrap();
        let is_baseline = |case: (&str, i64, &str)| case.0 == "Fcfs" && (case.1 == 0 || !fix_load);
        let compared: Vec<_> = cases(&runs).into_iter().filter(|case| !is_baseline(*case)).collect();
        prop_assert_eq!(table.len(), compared.len());
        for (row, case) in compared.into_iter().enumerate() {
            prop_assert_eq!(row_case(&table, row), (case.0.to_owned(), case.1, case.2.to_owned()));
            let of = waits(&runs, case);
            let versus = waits(&runs, ("Fcfs", if fix_load { 0 } else { case.1 }, case.2));
            let both: Vec<i64> = of.keys().copied().filter(|replication| versus.contains_key(replication)).collect();
            let take = |waits: &BTreeMap<i64, f64>| both.iter().map(|number| waits[number]).collect::<Vec<_>>();
            let (of, versus) = (take(&of), take(&versus));
            let differences = paired_differences(&of, &versus).unwrap();
            let ratios = paired_ratios(&of, &versus).unwrap();
            prop_assert_eq!(table.int("n").unwrap()[row], Some(both.len() as i64));
            prop_assert_eq!(table.real("mean_difference").unwrap()[row], differences.mean);
            prop_assert_eq!(table.real("mean_ratio").unwrap()[row], ratios.mean);
            assert_interval(&table, row, "difference_", &differences);
            assert_interval(&table, row, "ratio_", &ratios);
            prop_assert!(!versus.contains(&0.0) || ratios.mean.is_none());
        }
    }
}
