//! The metrics of hosts, worked out by hand.

use crate::scene::Scene;
use sim::metrics::{GroupMetrics, Metrics, measure};
use sim::policy::{Holders, ImmediateService, Order, Reservations, ServiceForm, Slide};
use sim::{MeasureSpec, Outcome, PolicySpec};

const SHARING: PolicySpec =
    PolicySpec::EqSpatial { min_interval_s: 0, full_after_s: None, immediate_service: None };

const fn served(quantum_s: u64, form: ServiceForm) -> PolicySpec {
    PolicySpec::PriorityBackfill {
        order: Order::Arrival,
        reservations: Reservations::AtMost(1),
        holders: Holders::DynamicJob,
        slide: Slide::Sliding,
        grace_s: 0,
        immediate_service: Some(ImmediateService { quantum_s, initial_mb: 2, form, settled_quanta: 2 }),
    }
}

fn measured(text: &str, policy: PolicySpec, stretch: (Option<f64>, Option<f64>)) -> Outcome {
    let mut scene = Scene::parse(text, policy);
    for job in &mut scene.jobs {
        // In a test of 2 MB it can end.
        job.peak_memory_kb = 1024;
    }
    let (submitted_from_s, submitted_before_s) = stretch;
    let spec = MeasureSpec { submitted_from_s, submitted_before_s, ..MeasureSpec::default() };
    measure(&scene.setup, &scene.jobs, &spec).unwrap()
}

const ALL: (Option<f64>, Option<f64>) = (None, None);

/// Shares of time within one, two and three times the processors, and the largest multiple: of the hosts, then of all.
fn requested(outcome: &Outcome) -> Vec<(&str, [Option<f64>; 4])> {
    let names = ["requested_within_p", "requested_within_2p", "requested_within_3p", "max_requested_ratio"];
    let at = |name: &str| GroupMetrics::NAMES.iter().position(|other| *other == name).unwrap();
    let hosts = outcome.groups.iter().filter(|group| group.grouping == "host");
    let mut all: Vec<_> = hosts.map(|host| (&*host.group, names.map(|name| host.values[at(name)]))).collect();
    all.push(("all", names.map(|name| outcome.metrics.get(name))));
    all
}

/// At once, tested, tested at the expense of others, finished in the test.
fn shares(metrics: &Metrics) -> [Option<f64>; 4] {
    ["at_once_share", "tested_share", "preempting_test_share", "finished_in_test_share"]
        .map(|name| metrics.get(name))
}

/// On A are a from 0 to 6 and b from 2 to 8, which ask for four of four processors each, and share them; B is idle.
#[test]
fn requests_are_measured_in_multiples_of_the_processors() {
    let text = "hosts 4@8,2@8; a 0 4x4; b 2 4x4";
    let outcome = measured(text, SHARING, ALL);
    let idle = ("B", [1.0, 1.0, 1.0, 0.0].map(Some));
    assert_eq!(
        requested(&outcome),
        [("A", [0.5, 1.0, 1.0, 2.0].map(Some)), idle, ("all", [0.75, 1.0, 1.0, 2.0].map(Some))]
    );
    // From 1 to 5, of which a is alone for a second; then before b comes, and after all is over.
    let a_within = |from, before| requested(&measured(text, SHARING, (from, before)))[0].1;
    assert_eq!(a_within(Some(1.0), Some(5.0)), [0.25, 1.0, 1.0, 2.0].map(Some));
    assert_eq!(a_within(None, Some(2.0)), [1.0, 1.0, 1.0, 1.0].map(Some));
    assert_eq!(a_within(Some(7.0), Some(100.0)), [1.0, 1.0, 1.0, 1.0].map(Some));
    assert_eq!(a_within(Some(8.0), Some(100.0)), [None; 4]);
}

/// One processor cannot be shared out: the first job has it, and they end at 6, 8, 11 and 15.
#[test]
fn jobs_without_processors_ask_for_them_all_the_same() {
    let outcome = measured("hosts 1@8; a 5 1x1; b 5 1x2; c 5 1x3; d 5 1x4", SHARING, ALL);
    assert_eq!(requested(&outcome)[0], ("A", [0.4, 0.7, 0.9, 4.0].map(Some)));
    assert_eq!(outcome.metrics.get("at_once_share"), Some(1.0));
}

/// b runs from 6 to 7 in its test, on the processors of a, which is suspended meanwhile; it is over at 21.
#[test]
fn suspended_jobs_and_tests_ask_for_their_processors() {
    let outcome = measured("hosts 2@8; a 0 2x20; b 6 2x1/20@1", served(2, ServiceForm::Preemptive), ALL);
    assert_eq!(requested(&outcome)[0].1, [20.0 / 21.0, 1.0, 1.0, 2.0].map(Some));
    // b started when it was submitted, but in a test.
    assert_eq!(shares(&outcome.metrics), [0.5, 0.5, 0.5, 1.0].map(Some));
    let jobs: Vec<_> = outcome.groups.iter().filter(|group| group.grouping == "host").collect();
    assert_eq!(
        jobs.iter().map(|host| (&*host.group, host.values[0])).collect::<Vec<_>>(),
        [("A", Some(2.0))]
    );
}

/// b's test from 5 to 7 is in vain; it runs from 12 to 15.
#[test]
fn a_job_that_went_back_to_the_queue_is_not_there() {
    let text = "hosts 2@8; a 0 2x10; b 5 2x3@1";
    let outcome = measured(text, served(2, ServiceForm::Preemptive), ALL);
    assert_eq!(requested(&outcome)[0].1, [13.0 / 15.0, 1.0, 1.0, 2.0].map(Some));
    assert_eq!(shares(&outcome.metrics), [Some(0.5), Some(0.5), Some(0.5), Some(0.0)]);
    // Of the jobs submitted before 5 there is only a, and none was tested.
    let early = measured(text, served(2, ServiceForm::Preemptive), (None, Some(5.0)));
    assert_eq!(shares(&early.metrics), [Some(1.0), Some(0.0), Some(0.0), None]);
    let late = measured(text, served(2, ServiceForm::Preemptive), (Some(5.0), None));
    assert_eq!(shares(&late.metrics), [Some(0.0), Some(1.0), Some(1.0), Some(0.0)]);
}

/// b and c are tested on free processors, b in vain.
#[test]
fn tests_on_free_processors_preempt_nobody() {
    let outcome = measured("hosts 3@8; a 0 1x9@5; b 1 2x5@4; c 2 2x1@4", served(2, ServiceForm::Soon), ALL);
    assert_eq!(shares(&outcome.metrics), [1.0 / 3.0, 2.0 / 3.0, 0.0, 0.5].map(Some));
}

/// Without tests there is no share of tested jobs.
#[test]
fn policies_without_tests_have_no_shares_of_them() {
    for policy in [served(0, ServiceForm::Soon), SHARING, PolicySpec::Fcfs] {
        let outcome = measured("hosts 2@8; a 0 2x20; b 6 2x1", policy, ALL);
        assert_eq!(shares(&outcome.metrics)[1..], [None; 3]);
        assert!(outcome.metrics.get("at_once_share").is_some());
    }
}
