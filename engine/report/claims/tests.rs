#![allow(clippy::unwrap_used, clippy::expect_used)]

use super::{Topic, evaluate};
use std::sync::Arc;
use table::{ClaimSpec, Column, Direction, Filter, Frame, Predicate, Table};

/// A run: mode, policy, allocator, speed-up, replication, metric (none: the run failed).
type Run = (&'static str, &'static str, &'static str, f64, i64, Option<f64>);

const AXES: [&str; 3] = ["policy", "allocator", "speedup"];

fn frame(runs: &[Run]) -> Frame {
    let text = |name: &str, of: &dyn Fn(&Run) -> Option<&'static str>| {
        Column::text(name, runs.iter().map(|run| of(run).map(Arc::from)).collect())
    };
    Frame::from_columns(vec![
        text("mode", &|run| Some(run.0)),
        text("policy", &|run| Some(run.1)),
        text("allocator", &|run| Some(run.2)),
        // Not a number: the case does not have the axis.
        Column::real("speedup", runs.iter().map(|run| Some(run.3).filter(|x| !x.is_nan())).collect()),
        Column::int("replication", runs.iter().map(|run| Some(run.4)).collect()),
        text("status", &|run| Some(if run.5.is_some() { "ok" } else { "failed" })),
        text("message", &|run| if run.5.is_some() { None } else { Some("no log named X") }),
        Column::real("wait_s", runs.iter().map(|run| run.5).collect()),
        Column::real("response_s", runs.iter().map(|run| run.5.map(|wait| wait + 100.0)).collect()),
    ])
    .unwrap()
}

fn filter(text: &str) -> Filter {
    let pair = |pair: &str| pair.split_once('=').map(|(column, value)| (column.to_owned(), value.to_owned()));
    text.split_whitespace().filter_map(pair).collect()
}

fn claim(predicate: Predicate) -> ClaimSpec {
    ClaimSpec {
        id: "C1".to_owned(),
        statement: "a statement".to_owned(),
        source: "p. 1".to_owned(),
        published: None,
        modes: Vec::new(),
        predicates: vec![predicate],
    }
}

fn topic(axes: &[String]) -> Topic<'_> {
    Topic { study: "study", experiment: "exp", axes, settings: &[] }
}

/// One line per row: mode, group, measured, interval, verdict, reason.
fn found(predicate: Predicate, runs: &[Run]) -> Vec<String> {
    let axes = AXES.map(str::to_owned);
    let table = evaluate(&[claim(predicate)], &frame(runs), &Frame::default(), topic(&axes)).unwrap();
    let number = |name: &str, row: usize| {
        table.real(name).unwrap()[row].map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
    };
    let cell = |name: &str, row: usize| table.text(name).unwrap()[row].as_deref().unwrap_or("-").to_owned();
    let line = |row: usize| {
        format!(
            "{} [{}] {} ({}, {}) {}: {}",
            cell("mode", row),
            cell("group", row),
            number("measured", row),
            number("ci_low", row),
            number("ci_high", row),
            cell("verdict", row),
            cell("reason", row)
        )
    };
    (0..table.len()).map(line).collect()
}

fn ordering(lower: &str, upper: &str, for_each: &[&str]) -> Predicate {
    Predicate::Ordering {
        metric: "wait_s".to_owned(),
        lower: filter(lower),
        upper: filter(upper),
        only: Filter::new(),
        for_each: for_each.iter().map(|name| (*name).to_owned()).collect(),
        at_most: false,
    }
}

fn ratio(of: &str, over: &str, low: Option<f64>, high: Option<f64>) -> Predicate {
    Predicate::RatioRange {
        metric: "wait_s".to_owned(),
        over_metric: None,
        of: filter(of),
        over: filter(over),
        only: Filter::new(),
        for_each: Vec::new(),
        low,
        high,
    }
}

fn crossover(low: f64, high: f64) -> Predicate {
    Predicate::Crossover {
        metric: "wait_s".to_owned(),
        along: "speedup".to_owned(),
        of: filter("allocator=Block"),
        versus: filter("allocator=Free"),
        only: Filter::new(),
        for_each: vec!["policy".to_owned()],
        low: Some(low),
        high: Some(high),
    }
}

/// A level line at 100 and a curve through these values at 0, 0.1, 0.2, …
fn curves(mode: &'static str, policy: &'static str, replication: i64, values: &[f64]) -> Vec<Run> {
    let mut runs = vec![(mode, policy, "Free", 0.0, replication, Some(100.0))];
    let point = |(index, value): (usize, &f64)| {
        (mode, policy, "Block", index as f64 / 10.0, replication, Some(*value))
    };
    runs.extend(values.iter().enumerate().map(point));
    runs
}

#[test]
fn the_table_has_the_columns_of_the_schema() {
    let runs = frame(&[("twin", "Fcfs", "Free", 0.0, 0, Some(1.0))]);
    let axes = AXES.map(str::to_owned);
    let bound = Predicate::Bound {
        metric: "wait_s".to_owned(),
        only: Filter::new(),
        for_each: Vec::new(),
        low: None,
        high: Some(2.0),
    };
    let table = evaluate(&[claim(bound.clone())], &runs, &Frame::default(), topic(&axes)).unwrap();
    assert_eq!(table.names(), Table::Claims.columns(&axes, &[]));
    for doc in Table::Claims.leading() {
        assert_eq!(table.column(doc.column).unwrap().cells.cell_type(), doc.cell_type, "{}", doc.column);
    }
    assert_eq!(table.text("wanted").unwrap()[0].as_deref(), Some("wait_s: ≤ 2"));
    let empty = evaluate(&[claim(bound)], &runs.select(&[]), &Frame::default(), topic(&axes)).unwrap();
    assert_eq!(empty.names(), table.names());
    assert!(empty.is_empty());
}

#[test]
fn orderings_are_paired_and_judged_per_group_and_mode() {
    let mut runs = Vec::new();
    // Easy is always 10 to 12 below Fcfs, though replications differ by hundreds.
    for (replication, level) in [(0, 100.0), (1, 400.0), (2, 900.0)] {
        runs.push(("twin", "Fcfs", "Free", 0.0, replication, Some(level + 10.0 + replication as f64)));
        runs.push(("twin", "Easy", "Free", 0.0, replication, Some(level)));
        runs.push(("twin", "Fcfs", "Block", 0.0, replication, Some(level)));
        runs.push(("twin", "Easy", "Block", 0.0, replication, Some(level + 1.0 - replication as f64 * 1.5)));
    }
    runs.push(("trace", "Fcfs", "Free", 0.0, 0, Some(50.0)));
    runs.push(("trace", "Easy", "Free", 0.0, 0, Some(50.0)));
    let found = found(ordering("policy=Easy", "policy=Fcfs", &["allocator"]), &runs);
    assert_eq!(
        found,
        [
            "twin [allocator=Free] 11.000 (8.516, 13.484) holds: 467 against 478; clear over 3 replications",
            "twin [allocator=Block] 0.500 (-3.226, 4.226) holds: 466 against 467; within noise over 3 replications",
            "trace [allocator=Free] 0.000 (-, -) does not hold: 50 against 50; one run, no interval",
        ]
    );
}

#[test]
fn equality_is_enough_where_the_ordering_says_so() {
    let runs = [("trace", "Fcfs", "Free", 0.0, 0, Some(5.0)), ("trace", "Easy", "Free", 0.0, 0, Some(5.0))];
    let Predicate::Ordering { metric, lower, upper, only, for_each, .. } =
        ordering("policy=Easy", "policy=Fcfs", &[])
    else {
        unreachable!()
    };
    let found = found(Predicate::Ordering { metric, lower, upper, only, for_each, at_most: true }, &runs);
    assert_eq!(found, ["trace [] 0.000 (-, -) holds: 5 against 5; one run, no interval"]);
}

#[test]
fn ratios_average_the_ratios_of_pairs() {
    let run = |allocator, replication, value| ("twin", "Fcfs", allocator, 0.0, replication, Some(value));
    let runs = [run("Free", 0, 1.0), run("Free", 1, 100.0), run("Block", 0, 8.0), run("Block", 1, 1000.0)];
    assert_eq!(
        found(ratio("allocator=Block", "allocator=Free", Some(7.0), Some(100.0)), &runs),
        ["twin [] 9.000 (-3.706, 21.706) holds: 504 over 50.5; within noise over 2 replications"]
    );
    assert_eq!(
        found(ratio("allocator=Block", "allocator=Free", None, Some(0.5)), &runs[..3]),
        [
            "twin [] 8.000 (-, -) does not hold: 8 over 1; one run, no interval; 1 of 2 replications lack a value"
        ]
    );
    let zero = [run("Free", 0, 0.0), run("Block", 0, 8.0)];
    assert_eq!(
        found(ratio("allocator=Block", "allocator=Free", None, None), &zero),
        ["twin [] - (-, -) cannot be tested: the denominator is 0"]
    );
}

#[test]
fn a_metric_can_be_compared_with_another_of_the_same_run() {
    let share = Predicate::RatioRange {
        metric: "wait_s".to_owned(),
        over_metric: Some("response_s".to_owned()),
        of: filter("policy=Fcfs"),
        over: filter("policy=Fcfs"),
        only: Filter::new(),
        for_each: Vec::new(),
        low: Some(0.5),
        high: None,
    };
    let runs = [("trace", "Fcfs", "Free", 0.0, 0, Some(300.0))];
    assert_eq!(found(share, &runs), ["trace [] 0.750 (-, -) holds: 300 over 400; one run, no interval"]);
}

#[test]
fn what_is_missing_cannot_be_tested_and_says_why() {
    let run = |policy, allocator, speedup, value| ("trace", policy, allocator, speedup, 0, value);
    let runs = [
        run("Fcfs", "Free", 0.0, None),
        run("Easy", "Free", 0.0, Some(1.0)),
        run("Easy", "Block", 0.0, Some(1.0)),
        run("Easy", "Block", 0.1, Some(1.0)),
    ];
    let reason =
        |predicate| found(predicate, &runs).join("\n").split_once("cannot be tested: ").unwrap().1.to_owned();
    assert_eq!(
        reason(ordering("policy=Easy allocator=Free", "policy=Fcfs", &[])),
        "run failed: no log named X"
    );
    assert_eq!(reason(ordering("policy=Easy allocator=Free", "policy=Sjf", &[])), "no run with policy=Sjf");
    assert_eq!(
        reason(ordering("policy=A", "policy=B", &["speedup"])),
        "no run with policy=A or with policy=B"
    );
    assert_eq!(
        reason(ordering("colour=red", "policy=Easy", &[])),
        "`colour` is not an axis of this experiment"
    );
    assert_eq!(
        reason(ordering("policy=Easy", "policy=Easy", &["host"])),
        "`host` is not an axis of this experiment"
    );
    assert_eq!(
        reason(ordering("policy=Easy allocator=Free", "policy=Easy allocator=Block", &[])),
        "several runs of one replication with allocator=Block, policy=Easy: they differ in speedup"
    );
    let unknown = Predicate::Bound {
        metric: "mood".to_owned(),
        only: Filter::new(),
        for_each: Vec::new(),
        low: None,
        high: None,
    };
    assert_eq!(reason(unknown), "`mood` is not a metric of the runs table");
}

#[test]
fn either_curve_may_be_a_level_line_without_the_axis() {
    let level = |mut runs: Vec<Run>| {
        runs[0].3 = f64::NAN;
        runs
    };
    let falling = level(curves("trace", "Fcfs", 0, &[400.0, 200.0, 120.0, 60.0]));
    assert_eq!(
        found(crossover(0.2, 0.3), &falling),
        ["trace [policy=Fcfs] 0.233 (0.200, 0.300) holds: bracketed by grid points 0.2 … 0.3"]
    );
    // The line falls below the curve that rises.
    let rising = level(curves("trace", "Fcfs", 0, &[60.0, 80.0, 120.0, 200.0]));
    let mut exchanged = crossover(0.1, 0.2);
    if let Predicate::Crossover { of, versus, .. } = &mut exchanged {
        std::mem::swap(of, versus);
    }
    assert_eq!(
        found(exchanged, &rising),
        ["trace [policy=Fcfs] 0.150 (0.100, 0.200) holds: bracketed by grid points 0.1 … 0.2"]
    );
}

#[test]
fn a_crossover_of_one_run_is_bracketed_by_grid_points() {
    let runs = curves("trace", "Fcfs", 0, &[400.0, 200.0, 120.0, 60.0]);
    assert_eq!(
        found(crossover(0.2, 0.3), &runs),
        ["trace [policy=Fcfs] 0.233 (0.200, 0.300) holds: bracketed by grid points 0.2 … 0.3"]
    );
    assert_eq!(
        found(crossover(0.25, 0.3), &runs),
        ["trace [policy=Fcfs] 0.233 (0.200, 0.300) does not hold: bracketed by grid points 0.2 … 0.3"]
    );
}

#[test]
fn curves_that_do_not_cross_do_not_hold() {
    let never = curves("trace", "Fcfs", 0, &[400.0, 300.0, 200.0]);
    let at_once = curves("trace", "Easy", 0, &[90.0, 80.0, 70.0]);
    assert_eq!(
        found(crossover(0.0, 0.3), &[never, at_once].concat()),
        [
            "trace [policy=Fcfs] - (-, -) does not hold: the curves do not cross up to 0.2",
            "trace [policy=Easy] - (-, -) does not hold: the curve is not above at the first point, 0",
        ]
    );
    let single = curves("trace", "Fcfs", 0, &[400.0]);
    assert_eq!(
        found(crossover(0.0, 0.3), &single),
        [
            "trace [policy=Fcfs] - (-, -) cannot be tested: the two curves have fewer than two points in common"
        ]
    );
}

#[test]
fn crossovers_of_several_replications_need_half_of_them() {
    let crossing =
        |replication, at: f64| curves("twin", "Fcfs", replication, &[100.0 + at, 100.0 - 100.0 + at]);
    let never = |replication| curves("twin", "Fcfs", replication, &[400.0, 300.0]);
    let all = [crossing(0, 40.0), crossing(1, 50.0), crossing(2, 60.0)].concat();
    assert_eq!(
        found(crossover(0.02, 0.08), &all),
        ["twin [policy=Fcfs] 0.050 (0.025, 0.075) holds: clear over 3 replications"]
    );
    let most = [crossing(0, 40.0), crossing(1, 60.0), never(2)].concat();
    let [line] = found(crossover(0.0, 0.1), &most).try_into().unwrap();
    assert!(
        line.starts_with("twin [policy=Fcfs] 0.050 (-0.077, 0.177) holds: within noise over 2"),
        "{line}"
    );
    assert!(line.ends_with("only 2 of 3 replications cross (the curves do not cross up to 0.1)"), "{line}");
    let few = [crossing(0, 50.0), never(1), never(2)].concat();
    let [line] = found(crossover(0.0, 0.1), &few).try_into().unwrap();
    assert!(line.starts_with("twin [policy=Fcfs] 0.050 (0.000, 0.100) does not hold: bracketed"), "{line}");
}

#[test]
fn a_crossover_between_two_whole_curves_uses_common_points() {
    let mut runs = curves("trace", "Fcfs", 0, &[400.0, 200.0, 100.0]);
    runs.retain(|run| run.2 == "Block");
    for (speedup, value) in [(0.0, 100.0), (0.1, 150.0), (0.2, 200.0), (0.3, 1.0)] {
        runs.push(("trace", "Fcfs", "Free", speedup, 0, Some(value)));
    }
    assert_eq!(
        found(crossover(0.1, 0.2), &runs),
        ["trace [policy=Fcfs] 0.133 (0.100, 0.200) holds: bracketed by grid points 0.1 … 0.2"]
    );
}

#[test]
fn a_shift_is_second_minus_first() {
    let shift = |low, high| Predicate::CrossoverShift {
        metric: "wait_s".to_owned(),
        along: "speedup".to_owned(),
        of: filter("allocator=Block"),
        versus: filter("allocator=Free"),
        first: filter("policy=Fcfs"),
        second: filter("policy=Easy"),
        for_each: Vec::new(),
        low: Some(low),
        high: Some(high),
    };
    let first = curves("trace", "Fcfs", 0, &[400.0, 200.0, 150.0, 50.0]);
    let second = curves("trace", "Easy", 0, &[400.0, 150.0, 50.0, 40.0]);
    assert_eq!(
        found(shift(-0.15, -0.05), &[first.clone(), second].concat()),
        ["trace [] -0.100 (-0.200, 0.000) holds: bracketed by grid points -0.2 … 0"]
    );
    let never = curves("trace", "Easy", 0, &[400.0, 300.0]);
    assert_eq!(
        found(shift(-1.0, 1.0), &[first.clone(), never].concat()),
        ["trace [] - (-, -) does not hold: second: the curves do not cross up to 0.1"]
    );
    assert_eq!(
        found(shift(-1.0, 1.0), &first),
        ["trace [] - (-, -) cannot be tested: no run with allocator=Block, policy=Easy"]
    );
}

#[test]
fn monotone_curves_name_their_worst_step() {
    let monotone = |direction| Predicate::Monotone {
        metric: "wait_s".to_owned(),
        along: "speedup".to_owned(),
        direction,
        only: filter("allocator=Block"),
        for_each: Vec::new(),
    };
    let falling = curves("trace", "Fcfs", 0, &[400.0, 200.0, 150.0, 150.0]);
    assert_eq!(
        found(monotone(Direction::Falls), &falling),
        ["trace [] 1.000 (-, -) holds: 3 of 3 steps; flattest from 0.2 to 0.3: 0"]
    );
    assert_eq!(
        found(monotone(Direction::Rises), &falling),
        ["trace [] 0.333 (-, -) does not hold: 1 of 3 steps; worst from 0 to 0.1: −200"]
    );
    let noisy = [
        curves("twin", "Fcfs", 0, &[400.0, 200.0, 230.0]),
        curves("twin", "Fcfs", 1, &[500.0, 300.0, 290.0]),
    ];
    assert_eq!(
        found(monotone(Direction::Falls), &noisy.concat()),
        [
            "twin [] 0.500 (-, -) does not hold: 1 of 2 steps; worst from 0.1 to 0.2: 10 (−244 … 264, within noise)"
        ]
    );
    let single = curves("twin", "Fcfs", 0, &[400.0]);
    assert_eq!(
        found(monotone(Direction::Falls), &single),
        ["twin [] - (-, -) cannot be tested: the curve has fewer than two points"]
    );
}

#[test]
fn bounds_hold_on_their_ends() {
    let bound = |low, high| Predicate::Bound {
        metric: "wait_s".to_owned(),
        only: filter("policy=Fcfs"),
        for_each: vec!["speedup".to_owned()],
        low,
        high,
    };
    let runs = [("trace", "Fcfs", "Free", 0.1, 0, Some(5.0)), ("trace", "Fcfs", "Free", 0.2, 0, Some(6.0))];
    assert_eq!(
        found(bound(Some(5.0), Some(5.5)), &runs),
        [
            "trace [speedup=0.1] 5.000 (-, -) holds: one run, no interval",
            "trace [speedup=0.2] 6.000 (-, -) does not hold: one run, no interval",
        ]
    );
}
