#![allow(clippy::unwrap_used)]

use super::{Topic, evaluate};
use std::sync::Arc;
use table::{ClaimSpec, Column, Direction, Except, Filter, Frame, Predicate, Quantity};

/// Policy, x, replication, mean response (none: unstable).
type Run = (&'static str, f64, i64, Option<f64>);

fn frame(runs: &[Run]) -> Frame {
    let text = |name: &str, of: &dyn Fn(&Run) -> Option<&'static str>| {
        Column::text(name, runs.iter().map(|run| of(run).map(Arc::from)).collect())
    };
    Frame::from_columns(vec![
        text("mode", &|_| Some("model")),
        text("policy", &|run| Some(run.0)),
        Column::real("x", runs.iter().map(|run| Some(run.1)).collect()),
        Column::int("replication", runs.iter().map(|run| Some(run.2)).collect()),
        text("status", &|run| Some(if run.3.is_some() { "ok" } else { "unstable" })),
        text("message", &|run| {
            run.3.is_none().then_some("more than 300 jobs wait at 7 s, and ever more would")
        }),
        Column::real("mean_response_s", runs.iter().map(|run| run.3).collect()),
        Column::real("utilization", runs.iter().map(|run| run.3.map(|_| 0.5)).collect()),
    ])
    .unwrap()
}

/// Measured, verdict and reason of the one finding.
fn found(predicate: Predicate, runs: &[Run]) -> (Option<f64>, String, String) {
    let claim = ClaimSpec {
        id: "C1".to_owned(),
        statement: "a statement".to_owned(),
        source: "p. 1".to_owned(),
        published: None,
        modes: Vec::new(),
        predicates: vec![predicate],
    };
    let axes = ["policy", "x"].map(str::to_owned);
    let topic = Topic { study: "study", experiment: "exp", axes: &axes, settings: &[] };
    let table = evaluate(&[claim], &frame(runs), &Frame::default(), topic).unwrap();
    assert_eq!(table.len(), 1);
    let text = |name: &str| table.text(name).unwrap()[0].as_deref().unwrap_or("-").to_owned();
    (table.real("measured").unwrap()[0], text("verdict"), text("reason"))
}

fn of(policy: &str) -> Filter {
    [("policy".to_owned(), policy.to_owned())].into()
}

fn ordering(metric: &str, lower: &str, upper: &str) -> Predicate {
    Predicate::Ordering {
        metric: metric.to_owned(),
        lower: of(lower),
        upper: of(upper),
        at_most: false,
        only: Filter::new(),
        for_each: Vec::new(),
    }
}

#[test]
fn an_unstable_run_is_above_every_stable_one() {
    let runs =
        [("a", 1.0, 0, Some(2.0)), ("b", 1.0, 0, None), ("a", 1.0, 1, Some(2.0)), ("b", 1.0, 1, Some(3.0))];
    let (measured, verdict, reason) = found(ordering("mean_response_s", "a", "b"), &runs);
    assert_eq!((measured, verdict.as_str()), (None, "holds"));
    assert_eq!(reason, "2 against ∞; infinite, as a run is unstable; so in 1 of 2 replications");
    let (measured, verdict, reason) = found(ordering("mean_response_s", "b", "a"), &runs);
    assert_eq!((measured, verdict.as_str()), (None, "does not hold"));
    assert_eq!(reason, "∞ against 2; minus infinity, as a run is unstable; so in 1 of 2 replications");
}

#[test]
fn two_unstable_runs_are_not_compared() {
    let runs = [("a", 1.0, 0, None), ("b", 1.0, 0, None)];
    for predicate in [ordering("mean_response_s", "a", "b"), ordering("mean_response_s", "b", "a")] {
        let (measured, verdict, reason) = found(predicate, &runs);
        assert_eq!((measured, verdict.as_str()), (None, "does not hold"));
        assert!(reason.contains("two unstable runs cannot be compared, which counts as not met"), "{reason}");
    }
}

#[test]
fn other_metrics_of_unstable_runs_are_undefined() {
    let runs = [("a", 1.0, 0, None), ("b", 1.0, 0, Some(3.0))];
    let (_, verdict, reason) = found(ordering("utilization", "a", "b"), &runs);
    assert_eq!(verdict, "cannot be tested");
    assert_eq!(
        reason,
        "utilization is undefined in an unstable run: more than 300 jobs wait at 7 s, and ever more would"
    );
}

#[test]
fn ratios_and_quantities_carry_infinity() {
    let runs = [("a", 1.0, 0, Some(2.0)), ("b", 1.0, 0, None)];
    let ratio = |of_: &str, over: &str, low, high| Predicate::RatioRange {
        metric: "mean_response_s".to_owned(),
        over_metric: None,
        of: of(of_),
        over: of(over),
        low,
        high,
        only: Filter::new(),
        for_each: Vec::new(),
    };
    assert_eq!(found(ratio("b", "a", Some(1.5), None), &runs).1, "holds");
    assert_eq!(found(ratio("b", "a", None, Some(1.5)), &runs).1, "does not hold");
    // A finite number over infinity is 0.
    let (measured, verdict, _) = found(ratio("a", "b", None, Some(1.5)), &runs);
    assert_eq!((measured, verdict.as_str()), (Some(0.0), "holds"));
    let mean = Quantity::Mean {
        of: Box::new(Quantity::Metric { metric: "mean_response_s".to_owned(), of: Filter::new() }),
        across: vec!["policy".to_owned()],
        only: Filter::new(),
        except: Except::new(),
    };
    let value = Predicate::Value {
        value: mean,
        above: None,
        low: None,
        high: Some(10.0),
        only: Filter::new(),
        except: Except::new(),
        for_each: Vec::new(),
    };
    let (measured, verdict, reason) = found(value, &runs);
    assert_eq!((measured, verdict.as_str()), (None, "does not hold"), "{reason}");
}

fn crossover() -> Predicate {
    Predicate::Crossover {
        metric: "mean_response_s".to_owned(),
        along: "x".to_owned(),
        of: of("a"),
        versus: of("b"),
        low: None,
        high: None,
        only: Filter::new(),
        for_each: Vec::new(),
    }
}

#[test]
fn a_curve_comes_down_from_infinity() {
    let mut runs =
        vec![("a", 1.0, 0, None), ("a", 2.0, 0, None), ("a", 4.0, 0, Some(2.0)), ("a", 8.0, 0, Some(1.0))];
    runs.extend([1.0, 2.0, 4.0, 8.0].map(|x| ("b", x, 0, Some(3.0))));
    assert_eq!(found(crossover(), &runs).0, Some(3.0));
    // Where both are unstable, neither is above the other.
    for run in runs.iter_mut().filter(|run| run.1 == 1.0) {
        run.3 = None;
    }
    assert_eq!(found(crossover(), &runs).0, Some(3.0));
    let falls = |policy: &str| Predicate::Monotone {
        metric: "mean_response_s".to_owned(),
        along: "x".to_owned(),
        direction: Direction::Falls,
        only: of(policy),
        for_each: Vec::new(),
    };
    let (measured, verdict, reason) = found(falls("a"), &runs);
    assert_eq!((measured, verdict.as_str()), (Some(2.0 / 3.0), "does not hold"));
    assert_eq!(reason, "2 of 3 steps; from 1 to 2 a run is unstable");
    assert_eq!(found(falls("b"), &runs).1, "holds");
}
