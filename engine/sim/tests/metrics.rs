//! Every metric of tiny workloads, worked out by hand.

use crate::scene::{EASY, Scene};
use sim::metrics::{GroupMetrics, Metrics, WaitReading, measure};
use sim::policy::{Shares, SliceBackfill};
use sim::{MeasureSpec, Outcome, PolicySpec};

fn measured(text: &str, spec: &MeasureSpec) -> Outcome {
    let scene = Scene::parse(text, EASY);
    measure(&scene.setup, &scene.jobs, spec).unwrap()
}

fn close(found: Option<f64>, expected: Option<f64>) -> bool {
    match (found, expected) {
        (Some(found), Some(expected)) => (found - expected).abs() <= 1e-12 * expected.abs(),
        (None, None) => true,
        _ => false,
    }
}

fn check_metrics(found: &Metrics, expected: &[(&str, Option<f64>)]) {
    let names: Vec<&str> = expected.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, Metrics::NAMES);
    assert_eq!(found.0.len(), Metrics::NAMES.len());
    for &(name, value) in expected {
        assert!(close(found.get(name), value), "{name}: {:?}, not {value:?}", found.get(name));
    }
    assert_eq!(found.get("no such metric"), None);
}

/// a runs from 0 to 10 on nodes 0-1. b, of four nodes, waits for it from 1 on and runs from 10 to 15, because c, backfilled at 2
/// for 8 s of its 12, is killed at 10. d, p, q start at 20 on nodes 0, 1, 2. When p ends at 22, r starts on 1 and 3: one level
/// above its own. r ends at 30, d and q at 40.
const MIXED: &str =
    "tree 2x2 contiguous+1; a 0 2x10; b 1 4x5; c 2 2x12/8; d 20 1x20; p 20 1x2; q 20 1x20; r 22 2x8";

fn mixed() -> Outcome {
    let (run_time_classes_s, size_classes) = (vec![4.0, 10.5], vec![1, 2]);
    let coarse_run_time_classes_s = vec![10.5];
    let spec = MeasureSpec {
        bound_s: 10.0,
        run_time_classes_s,
        coarse_run_time_classes_s,
        size_classes,
        ..MeasureSpec::default()
    };
    measured(MIXED, &spec)
}

#[test]
fn every_metric_of_a_run() {
    check_metrics(
        &mixed().metrics,
        &[
            ("jobs", Some(7.0)),
            ("killed", Some(1.0)),
            ("backfilled", Some(1.0)),
            ("mean_wait_s", Some(9.0 / 7.0)),
            ("median_wait_s", Some(0.0)),
            ("p95_wait_s", Some(9.0)),
            ("p99_wait_s", Some(9.0)),
            ("max_wait_s", Some(9.0)),
            // 10 + 5 + 8 + 20 + 2 + 20 + 8: what c ran, not what it wanted to.
            ("mean_run_s", Some(73.0 / 7.0)),
            // 10 + 14 + 8 + 20 + 2 + 20 + 8.
            ("mean_response_s", Some(82.0 / 7.0)),
            ("p95_response_s", Some(20.0)),
            ("max_response_s", Some(20.0)),
            // b's is 14/5.
            ("mean_slowdown", Some(8.8 / 7.0)),
            // b's is 14/10, and no other is above 1.
            ("mean_bounded_slowdown", Some(7.4 / 7.0)),
            ("p95_bounded_slowdown", Some(1.4)),
            ("max_bounded_slowdown", Some(1.4)),
            // 20 + 20 + 16 + 20 + 2 + 20 + 16 node-seconds of 4 nodes in 40 s.
            ("utilization", Some(114.0 / 160.0)),
            ("makespan_s", Some(40.0)),
            ("mean_queue_length", Some(9.0 / 40.0)),
            ("max_queue_length", Some(1.0)),
            ("mean_level_excess", Some(1.0 / 7.0)),
            // All the work asked for, 8 node-seconds more, in the 22 s of arrivals.
            ("offered_load", Some(122.0 / 88.0)),
            // Nothing loads, nothing is suspended.
            ("overhead_s", Some(0.0)),
            ("first_load_s", Some(0.0)),
            ("swap_out_s", Some(0.0)),
            ("overhead_share", Some(0.0)),
            ("reload_share", Some(0.0)),
            ("node_overhead_share", Some(0.0)),
            ("node_reload_share", Some(0.0)),
            ("suspensions", Some(0.0)),
            // As bounded, but 0.8 of c and r and 0.2 of p stay below 1.
            ("mean_relative_response", Some(6.2 / 7.0)),
            // Of hosts.
            ("at_once_share", None),
            ("tested_share", None),
            ("preempting_test_share", None),
            ("finished_in_test_share", None),
            ("requested_within_p", None),
            ("requested_within_2p", None),
            ("requested_within_3p", None),
            ("max_requested_ratio", None),
            // Of a steady state.
            ("response_half_width_s", None),
            ("warm_up_jobs", None),
            ("response_sd_s", None),
            ("migrated_share", None),
            ("split_share", None),
            ("mean_split_slowdown", None),
            ("link_utilization", None),
            ("unstable_at_s", None),
        ],
    );
}

#[test]
fn every_metric_of_every_group() {
    let expected = [
        // p; a, b and r; c, d and q.
        ("run_time", "<= 4 s", [1.0, 2.0 / 122.0, 0.0, 0.0, 0.0, 2.0, 1.0, 1.0, 0.2, 0.0]),
        (
            "run_time",
            "<= 10.5 s",
            [3.0, 56.0 / 122.0, 3.0, 9.0, 9.0, 32.0 / 3.0, 1.6, 3.4 / 3.0, 3.2 / 3.0, 0.0],
        ),
        ("run_time", "> 10.5 s", [3.0, 64.0 / 122.0, 0.0, 0.0, 0.0, 16.0, 1.0, 1.0, 2.8 / 3.0, 0.0]),
        // a, b, p and r; c, d and q.
        (
            "coarse_run_time",
            "<= 10.5 s",
            [4.0, 58.0 / 122.0, 9.0 / 4.0, 9.0, 9.0, 8.5, 5.8 / 4.0, 4.4 / 4.0, 3.4 / 4.0, 0.0],
        ),
        ("coarse_run_time", "> 10.5 s", [3.0, 64.0 / 122.0, 0.0, 0.0, 0.0, 16.0, 1.0, 1.0, 2.8 / 3.0, 0.0]),
        // d, p and q; a, c and r; b.
        ("size", "<= 1", [3.0, 42.0 / 122.0, 0.0, 0.0, 0.0, 14.0, 1.0, 1.0, 2.2 / 3.0, 0.0]),
        ("size", "<= 2", [3.0, 60.0 / 122.0, 0.0, 0.0, 0.0, 26.0 / 3.0, 1.0, 1.0, 2.6 / 3.0, 0.0]),
        ("size", "> 2", [1.0, 20.0 / 122.0, 9.0, 9.0, 9.0, 14.0, 2.8, 1.4, 1.4, 0.0]),
    ];
    assert_eq!(
        GroupMetrics::NAMES,
        [
            "jobs",
            "work_share",
            "mean_wait_s",
            "p95_wait_s",
            "max_wait_s",
            "mean_response_s",
            "mean_slowdown",
            "mean_bounded_slowdown",
            "mean_relative_response",
            "overhead_s",
            "requested_within_p",
            "requested_within_2p",
            "requested_within_3p",
            "max_requested_ratio",
            "cell",
            "cell_low",
            "cell_high",
        ]
    );
    let groups = mixed().groups;
    assert_eq!(groups.len(), expected.len());
    for (found, (grouping, group, values)) in groups.iter().zip(expected) {
        assert_eq!((found.grouping.as_str(), found.group.as_str()), (grouping, group));
        // There are no hosts.
        let values = values.map(Some).into_iter().chain([None; 4]);
        for ((name, &found), value) in GroupMetrics::NAMES.iter().zip(&found.values).zip(values) {
            assert!(close(found, value), "{grouping} {group} {name}: {found:?}, not {value:?}");
        }
    }
}

/// Twenty jobs of one second queue up at the same time on one node, and one comes before and one after: those count that are
/// submitted in the stretch, its begin inside, its end outside; the machine is measured over all.
#[test]
fn only_jobs_submitted_in_the_stretch_count() {
    let spec = |from_s, before_s| MeasureSpec {
        submitted_from_s: Some(from_s),
        submitted_before_s: Some(before_s),
        ..MeasureSpec::default()
    };
    let text = "nodes 2; a 0 2x10; b 1 2x4; c 2 1x4; d 20 1x4";
    let jobs_of = |from_s, before_s| {
        let outcome = measured(text, &spec(from_s, before_s));
        let of = |name| outcome.metrics.get(name);
        ["jobs", "mean_wait_s", "max_wait_s", "utilization", "mean_queue_length"].map(of)
    };
    // b waits 9 s, c 12 s. 36 of 48 node-seconds, 21 s of waiting in 24 s.
    let machine = |jobs, mean, max| [jobs, mean, max, Some(36.0 / 48.0), Some(21.0 / 24.0)];
    assert_eq!(jobs_of(1.0, 20.0), machine(Some(2.0), Some(10.5), Some(12.0)));
    assert_eq!(jobs_of(1.0, 2.0), machine(Some(1.0), Some(9.0), Some(9.0)));
    assert_eq!(jobs_of(0.0, 21.0), machine(Some(4.0), Some(5.25), Some(12.0)));
    assert_eq!(jobs_of(21.0, 30.0), machine(Some(0.0), None, None));
    let outcome = measured(text, &spec(1.0, 20.0));
    let sizes: Vec<_> = outcome.groups.iter().filter(|group| group.grouping == "size").collect();
    assert_eq!(sizes.iter().map(|group| group.values[0]).collect::<Vec<_>>(), [1.0, 1.0, 0.0, 0.0].map(Some));
}

/// A job that is interrupted waits for its first start, or for all that it does not run.
#[test]
fn waits_may_count_all_that_is_not_running() {
    let of = |text: &str, policy, wait| {
        let scene = Scene::parse(text, policy);
        measure(&scene.setup, &scene.jobs, &MeasureSpec { wait, ..MeasureSpec::default() }).unwrap().metrics
    };
    // Nothing is interrupted: both readings agree.
    let plain = of(MIXED, EASY, WaitReading::UntilStart);
    assert_eq!(plain, of(MIXED, EASY, WaitReading::BeyondRunTime));
    assert!(plain.get("max_wait_s").is_some_and(|wait| wait > 0.0));
    // Two long jobs and a short one take turns by the hour: the first of them starts at once, and ends late.
    let turns = "nodes 1; a 0 1x20000; b 0 1x20000; c 0 1x500";
    let policy = PolicySpec::TimeSlicing {
        interval_s: 3600,
        shares: Shares::default(),
        adaptive: false,
        backfill: SliceBackfill::ProtectAll,
        non_type: false,
        short_below_s: 600,
        long_above_s: 10_800,
    };
    let until_start = of(turns, policy.clone(), WaitReading::UntilStart);
    let beyond = of(turns, policy, WaitReading::BeyondRunTime);
    let get = |metrics: &Metrics, name| metrics.get(name).unwrap();
    let (response, run) = (get(&beyond, "mean_response_s"), get(&beyond, "mean_run_s"));
    assert!((get(&beyond, "mean_wait_s") - (response - run)).abs() < 1e-9);
    assert!(get(&until_start, "mean_wait_s") < get(&beyond, "mean_wait_s"));
}

/// Twenty jobs of one second queue up on one node: waits 0 … 19, responses 1 … 20. With a bound of 4 s, the bounded slowdowns are
/// 1 for responses up to 4, and a quarter of the response beyond.
#[test]
fn percentiles_are_nearest_ranks() {
    let jobs: String = ('a'..='t').map(|name| format!("; {name} 0 1x1")).collect();
    let spec = MeasureSpec {
        bound_s: 4.0,
        run_time_classes_s: vec![],
        size_classes: vec![],
        ..MeasureSpec::default()
    };
    let outcome = measured(&format!("nodes 1{jobs}"), &spec);
    let bounded = (4.0 + (5..=20).sum::<i32>() as f64 / 4.0) / 20.0;
    check_metrics(
        &outcome.metrics,
        &[
            ("jobs", Some(20.0)),
            ("killed", Some(0.0)),
            ("backfilled", Some(0.0)),
            ("mean_wait_s", Some(9.5)),
            ("median_wait_s", Some(9.0)),
            ("p95_wait_s", Some(18.0)),
            ("p99_wait_s", Some(19.0)),
            ("max_wait_s", Some(19.0)),
            ("mean_run_s", Some(1.0)),
            ("mean_response_s", Some(10.5)),
            ("p95_response_s", Some(19.0)),
            ("max_response_s", Some(20.0)),
            ("mean_slowdown", Some(10.5)),
            ("mean_bounded_slowdown", Some(bounded)),
            ("p95_bounded_slowdown", Some(4.75)),
            ("max_bounded_slowdown", Some(5.0)),
            ("utilization", Some(1.0)),
            ("makespan_s", Some(20.0)),
            ("mean_queue_length", Some(9.5)),
            // After the pass that started the first.
            ("max_queue_length", Some(19.0)),
            // No tree, no levels.
            ("mean_level_excess", None),
            // All arrive at once: no span to divide by.
            ("offered_load", None),
            // Nothing loads, nothing is suspended.
            ("overhead_s", Some(0.0)),
            ("first_load_s", Some(0.0)),
            ("swap_out_s", Some(0.0)),
            ("overhead_share", Some(0.0)),
            ("reload_share", Some(0.0)),
            ("node_overhead_share", Some(0.0)),
            ("node_reload_share", Some(0.0)),
            ("suspensions", Some(0.0)),
            ("mean_relative_response", Some(2.625)),
            // Of hosts.
            ("at_once_share", None),
            ("tested_share", None),
            ("preempting_test_share", None),
            ("finished_in_test_share", None),
            ("requested_within_p", None),
            ("requested_within_2p", None),
            ("requested_within_3p", None),
            ("max_requested_ratio", None),
            ("response_half_width_s", None),
            ("warm_up_jobs", None),
            ("response_sd_s", None),
            ("migrated_share", None),
            ("split_share", None),
            ("mean_split_slowdown", None),
            ("link_utilization", None),
            ("unstable_at_s", None),
        ],
    );
    let labels: Vec<_> = outcome.groups.iter().map(|group| (&*group.grouping, &*group.group)).collect();
    assert_eq!(labels, [("run_time", "all"), ("size", "all")]);
}

/// Counts are zero and all else is undefined; nothing is NaN.
#[test]
fn a_run_without_jobs_has_no_means() {
    let outcome = measured("nodes 3", &MeasureSpec::default());
    for (name, value) in Metrics::NAMES.iter().zip(&outcome.metrics.0) {
        match *name {
            "jobs" | "killed" | "backfilled" | "max_queue_length" | "overhead_s" | "first_load_s"
            | "swap_out_s" | "suspensions" => assert_eq!(*value, Some(0.0), "{name}"),
            _ => assert_eq!(*value, None, "{name}"),
        }
    }
    for group in &outcome.groups {
        assert_eq!(group.values[0], Some(0.0));
        for (name, value) in GroupMetrics::NAMES.iter().zip(&group.values).skip(1) {
            assert_eq!(*value, (*name == "overhead_s").then_some(0.0), "{group:?}: {name}");
        }
    }
}

/// A machine that is idle at first is measured from the first submission on.
#[test]
fn time_before_the_first_submission_does_not_count() {
    let spec = MeasureSpec::default();
    let (early, late) =
        (measured("nodes 2; a 0 1x10; b 5 2x5", &spec), measured("nodes 2; a 100 1x10; b 105 2x5", &spec));
    assert_eq!(early, late);
    assert!(close(early.metrics.get("utilization"), Some(20.0 / 30.0)));
}
