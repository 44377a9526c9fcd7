#![allow(clippy::unwrap_used)]

use super::{Topic, evaluate};
use std::sync::Arc;
use table::{ClaimSpec, Column, Except, Filter, Frame, Predicate, Quantity};

/// Memory model, allocation, replication, overhead.
type Run = (&'static str, &'static str, i64, f64);

/// Overheads of two allocators against a baseline, over two memory models and two replications, as round numbers.
fn runs() -> Frame {
    let mut rows: Vec<Run> = Vec::new();
    for (memory, best, worst) in [("MM1", [90.0, 88.0], [95.0, 97.0]), ("MM2", [70.0, 74.0], [96.0, 98.0])] {
        for replication in 0..2 {
            rows.push((memory, "free", replication, 100.0 * (replication + 1) as f64));
            let scale = (replication + 1) as f64;
            rows.push((memory, "best", replication, best[replication as usize] * scale));
            rows.push((memory, "worst", replication, worst[replication as usize] * scale));
        }
    }
    let text = |name: &str, of: &dyn Fn(&Run) -> &'static str| {
        Column::text(name, rows.iter().map(|row| Some(Arc::from(of(row)))).collect())
    };
    Frame::from_columns(vec![
        text("mode", &|_| "model"),
        text("memory", &|row| row.0),
        text("allocation", &|row| row.1),
        Column::int("replication", rows.iter().map(|row| Some(row.2)).collect()),
        text("status", &|_| "ok"),
        text("message", &|_| ""),
        Column::real("overhead_s", rows.iter().map(|row| Some(row.3)).collect()),
    ])
    .unwrap()
}

fn filter(text: &str) -> Filter {
    let pair = |pair: &str| pair.split_once('=').map(|(column, value)| (column.to_owned(), value.to_owned()));
    text.split_whitespace().filter_map(pair).collect()
}

fn reduction(of: &str) -> Quantity {
    Quantity::Reduction { metric: "overhead_s".to_owned(), of: filter(of), over: filter("allocation=free") }
}

fn not_free() -> Except {
    Except::from([("allocation".to_owned(), vec!["free".to_owned()])])
}

fn mean(of: Quantity, across: &[&str], except: Except) -> Quantity {
    let across = across.iter().map(|name| (*name).to_owned()).collect();
    Quantity::Mean { of: Box::new(of), across, only: Filter::new(), except }
}

fn found_under(settings: &[&str], predicate: Predicate) -> Vec<String> {
    let claim = ClaimSpec {
        id: "E1".to_owned(),
        statement: "a statement".to_owned(),
        source: "§6".to_owned(),
        published: None,
        modes: Vec::new(),
        predicates: vec![predicate],
    };
    let axes = ["memory", "allocation"].map(str::to_owned);
    let settings: Vec<String> = settings.iter().map(|name| (*name).to_owned()).collect();
    let topic = Topic { study: "study", experiment: "exp", axes: &axes, settings: &settings };
    let table = evaluate(&[claim], &runs(), &Frame::default(), topic).unwrap();
    let cell = |name: &str, row: usize| table.text(name).unwrap()[row].as_deref().unwrap_or("-").to_owned();
    let line = |row: usize| {
        let measured =
            table.real("measured").unwrap()[row].map_or("-".to_owned(), |value| format!("{value:.3}"));
        let head = format!("{} [{}] {measured}", cell("setting", row), cell("group", row));
        format!("{head} {}: {}", cell("verdict", row), cell("reason", row))
    };
    (0..table.len()).map(line).collect()
}

fn found(predicate: Predicate) -> Vec<String> {
    found_under(&[], predicate)
}

fn value(value: Quantity, for_each: &[&str], except: Except, above: f64) -> Predicate {
    let for_each = for_each.iter().map(|name| (*name).to_owned()).collect();
    Predicate::Value {
        value,
        only: Filter::new(),
        except,
        for_each,
        above: Some(above),
        low: None,
        high: None,
    }
}

#[test]
fn a_reduction_is_paired_with_a_baseline_that_the_place_does_not_name() {
    assert_eq!(
        found(value(reduction(""), &["memory", "allocation"], not_free(), 0.0)),
        [
            "- [memory=MM1, allocation=best] 0.110 holds: within noise over 2 replications",
            "- [memory=MM1, allocation=worst] 0.040 holds: within noise over 2 replications",
            "- [memory=MM2, allocation=best] 0.280 holds: clear over 2 replications",
            "- [memory=MM2, allocation=worst] 0.030 holds: within noise over 2 replications",
        ]
    );
}

#[test]
fn means_are_taken_in_each_replication_and_can_be_compared() {
    let best = mean(reduction("allocation=best"), &["memory"], Except::new());
    let worst = mean(reduction("allocation=worst"), &["memory"], Except::new());
    let all = mean(reduction(""), &["memory", "allocation"], not_free());
    assert_eq!(found(value(all, &[], Except::new(), 0.0)), ["- [] 0.115 holds: clear over 2 replications"]);
    let gain = Quantity::Difference { of: Box::new(best), minus: Box::new(worst) };
    assert_eq!(
        found(value(gain, &[], Except::new(), 0.2)),
        ["- [] 0.160 does not hold: within noise over 2 replications"]
    );
}

#[test]
fn the_largest_is_judged_by_its_margin_or_counted() {
    let largest = |at: &str, in_at_least| Predicate::Largest {
        value: reduction(""),
        along: "memory".to_owned(),
        at: at.to_owned(),
        only: Filter::new(),
        except: not_free(),
        for_each: vec!["allocation".to_owned()],
        in_at_least,
    };
    assert_eq!(
        found(largest("MM2", None)),
        [
            "- [allocation=best] 0.170 holds: 0.28 against 0.11 at MM1; within noise over 2 replications",
            "- [allocation=worst] -0.010 does not hold: 0.03 against 0.04 at MM1; clear over 2 replications",
        ]
    );
    let counted = "1.000 holds: 1 of 2: allocation=best: 0.28 against 0.11 at MM1, allocation=worst: 0.03 against 0.04 at MM1";
    assert_eq!(found(largest("MM2", Some(1))), [format!("- [] {counted}; 1 of them within noise")]);
    assert!(found(largest("MM2", Some(2)))[0].starts_with("- [] 1.000 does not hold"));
    assert_eq!(
        found(largest("MM9", None))[0],
        "- [allocation=best] - cannot be tested: no run with memory=MM9"
    );
}

#[test]
fn agreement_allows_for_the_scatter_of_both_means() {
    let agrees = |published, samples| Predicate::Agrees {
        value: reduction("allocation=best"),
        published,
        rounding: 0.005,
        samples,
        only: filter("memory=MM1"),
        except: Except::new(),
        for_each: Vec::new(),
    };
    let verdict = |published, samples| found(agrees(published, samples))[0].clone();
    // Two values, 0.10 and 0.12: t(0.975, 1) · sd · √(1/2 + 1/2) = 12.706 · 0.01414 = 0.1797.
    assert!(
        verdict(0.29, 2).contains("0.110 holds: 0.18 away, 0.18 expected of 2 and 2"),
        "{}",
        verdict(0.29, 2)
    );
    assert!(verdict(0.30, 2).contains("does not hold"), "{}", verdict(0.30, 2));
    assert!(verdict(0.30, 1).contains("holds"), "a single published sample scatters more");
}

#[test]
fn settings_are_parts_of_their_own() {
    assert_eq!(
        found_under(&["memory"], value(reduction("allocation=best"), &[], Except::new(), 0.2)),
        [
            "MM1 [] 0.110 does not hold: within noise over 2 replications",
            "MM2 [] 0.280 holds: within noise over 2 replications",
        ]
    );
    let both = found_under(&["memory", "allocation"], value(reduction(""), &[], Except::new(), 0.0));
    assert_eq!(both.len(), 6);
    assert!(
        both[0].starts_with("memory=MM1, allocation=free [] - cannot") || both[0].contains("0.000"),
        "{both:?}"
    );
}

#[test]
fn what_is_lacking_is_told() {
    let told = |quantity: Quantity| found(value(quantity, &["memory"], Except::new(), 0.0))[0].clone();
    let unknown = Quantity::Metric { metric: "mood".to_owned(), of: filter("allocation=best") };
    assert_eq!(told(unknown), "- [memory=MM1] - cannot be tested: `mood` is not a metric of the runs table");
    let group = Quantity::Metric { metric: "jobs[size <= 1]".to_owned(), of: filter("allocation=best") };
    assert_eq!(
        told(group),
        "- [memory=MM1] - cannot be tested: no run has the group of `jobs[size <= 1]`, as no jobs are grouped by size"
    );
    assert_eq!(
        told(reduction("allocation=none")),
        "- [memory=MM1] - cannot be tested: no run with allocation=none, memory=MM1"
    );
    assert_eq!(
        told(reduction("")),
        "- [memory=MM1] - cannot be tested: several runs of one replication with memory=MM1: they differ in allocation"
    );
    let nothing = Except::from([("memory".to_owned(), vec!["MM1".to_owned(), "MM2".to_owned()])]);
    assert_eq!(
        found(value(reduction("allocation=best"), &["memory"], nothing, 0.0)),
        ["- [] - cannot be tested: no run is left with any values"]
    );
}
