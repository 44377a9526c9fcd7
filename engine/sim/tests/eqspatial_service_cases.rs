//! Test runs under EQspatial: schedules worked out by hand, a rule each.

use crate::gantt;
use crate::scene::Scene;
use expect_test::{Expect, expect};
use sim::policy::{ImmediateService, ServiceForm};
use sim::{MeasureSpec, PolicySpec};

/// Tests of 2 s and 2 MB.
const fn served(min_interval_s: u64) -> PolicySpec {
    PolicySpec::EqSpatial {
        min_interval_s,
        full_after_s: None,
        immediate_service: Some(ImmediateService {
            quantum_s: 2,
            initial_mb: 2,
            form: ServiceForm::Preemptive,
            settled_quanta: 10,
        }),
    }
}

/// The scene, in which the jobs of these names use a megabyte at their peak, and the others what they ask for.
fn scene(text: &str, min_interval_s: u64, modest: &str) -> Scene {
    let mut scene = Scene::parse(text, served(min_interval_s));
    for job in &mut scene.jobs {
        if modest.contains(char::from(job.id as u8)) {
            job.peak_memory_kb = 1024;
        }
    }
    scene
}

#[track_caller]
fn check(text: &str, min_interval_s: u64, modest: &str, expected: Expect) {
    let scene = scene(text, min_interval_s, modest);
    expected.assert_eq(&gantt::draw(&scene, &scene.run()));
}

/// There is no memory for b. a lends it two processors and gets them back when b has ended, in the very second in which its quantum ends.
#[test]
fn a_job_without_memory_is_tested_on_lent_processors() {
    check(
        "hosts 4@6; a 0 4x4@4; b 1 2x2@3",
        0,
        "b",
        expect![[r#"
              0    5
        0-1 | aaaaa
        2-3 | abbaa
    "#]],
    );
}

/// b runs for longer than its quantum, or needs more than the 2 MB, and waits for the memory of a.
#[test]
fn a_test_in_vain_is_lost() {
    check(
        "hosts 4@6; a 0 4x4@4; b 1 2x3@3",
        0,
        "b",
        expect![[r#"
              0    5
        0-1 | aaaaabbb
        2-3 | abbaa...
    "#]],
    );
    check(
        "hosts 4@6; a 0 4x4@4; b 1 2x1@3",
        0,
        "",
        expect![[r#"
              0    5
        0-1 | aaaaab
        2-3 | abbaa.
    "#]],
    );
}

/// b takes the free processor, two of a, which has most, and one of c, which has as many as a then and was placed later.
#[test]
fn the_job_that_has_most_lends_first() {
    check(
        "hosts 7@6; a 0 4x3@2; c 0 2x3@2; b 1 4x2@3",
        0,
        "b",
        expect![[r#"
              0
        0-1 | aaaa
        2-3 | abba
          4 | cccc
          5 | cbbc
          6 | .bb.
    "#]],
    );
}

/// c has to wait until the test of b is over, and has its own then.
#[test]
fn a_host_has_one_test_at_a_time() {
    check(
        "hosts 4@9; a 0 4x6@7; b 1 2x2@3; c 1 2x2@3",
        0,
        "bc",
        expect![[r#"
              0    5
        0-1 | aaaaaaaa
        2-3 | abbccaaa
    "#]],
    );
}

/// Neither host has memory for c: its test is on B, where more is free, and where it has to borrow.
#[test]
fn the_host_with_most_free_memory_tests() {
    check(
        "hosts 4@5,2@8; a 0 2x5@3; b 0 2x5@5; c 1 2x1@6",
        0,
        "c",
        expect![[r#"
              0    5
        0-1 | aaaaa.
        2-3 | ......
        4-5 | bcbbbb
    "#]],
    );
}

/// Beside a and b there are not even the 2 MB of a test for c; when a has ended, at 4, there is all that it asks for.
#[test]
fn a_test_needs_the_initial_memory() {
    check(
        "hosts 4@6; a 0 2x4@3; b 0 2x6@2; c 1 2x1@3",
        0,
        "c",
        expect![[r#"
              0    5
        0-1 | aaaac.
        2-3 | bbbbbb
    "#]],
    );
}

/// d comes while b is tested: no processor is free, and it gets its share when the test is over, at 3.
#[test]
fn there_is_no_repartition_during_a_test() {
    check(
        "hosts 4@8; a 0 4x5@4; b 1 2x2@5; d 2 4x2@1",
        0,
        "b",
        expect![[r#"
              0    5
        0-1 | aaaaaaaa
        2-3 | abbdddda
    "#]],
    );
}

/// a and c lend a processor each. a ends at 2: what it kept is idle, what it lent is free after the test, and c has all of it from 3 on.
#[test]
fn what_an_ended_job_has_lent_is_free_after_the_test() {
    check(
        "hosts 4@8; a 0 3x1@2; c 0 4x4@3; b 1 2x2@4",
        0,
        "b",
        expect![[r#"
            0    5
        0 | aa.ccc
        1 | abbccc
        2 | cccccc
        3 | cbbccc
    "#]],
    );
}

/// The repartition at 1, when c comes, allows the next at 6, when a ends and c gets all: lending at 2 and giving back at 4 are none.
#[test]
fn lending_is_no_repartition() {
    check(
        "hosts 4@8; a 0 4x3@3; c 1 4x4@3; b 2 2x2@4",
        5,
        "b",
        expect![[r#"
            0    5
        0 | aaaaaacc
        1 | aabbaacc
        2 | accccccc
        3 | acbbcccc
    "#]],
    );
}

/// b is tested from 1 to 3 on all processors of a, which earns it nothing. From 3 to 6 it earns two processors, then one until it starts at 8, beside
/// a and c: it has all four until 10.
#[test]
fn a_test_earns_no_credit() {
    check(
        "hosts 4@6; a 0 4x5@4; b 1 4x4@4; c 6 4x3@1",
        0,
        "",
        expect![[r#"
              0    5    10
        0-1 | abbaaaaabbbbbb
        2-3 | abbaaaccbbcccc
    "#]],
    );
}

/// Whose test took processors of others, and who ended in it.
#[test]
fn tests_are_counted() {
    let of = |text: &str, modest: &str| {
        let scene = scene(text, 0, modest);
        let metrics =
            sim::metrics::measure(&scene.setup, &scene.jobs, &MeasureSpec::default()).unwrap().metrics;
        ["at_once_share", "tested_share", "preempting_test_share", "finished_in_test_share"]
            .map(|name| metrics.get(name).unwrap())
    };
    assert_eq!(of("hosts 4@6; a 0 4x4@4; b 1 2x2@3", "b"), [0.5, 0.5, 0.5, 1.0]);
    assert_eq!(of("hosts 4@6; a 0 2x4@4; b 1 2x2@3", ""), [0.5, 0.5, 0.0, 0.0]);
}

/// Forms and settled times are of priority backfilling.
#[test]
fn tests_of_equal_shares_have_no_victims() {
    for service in [
        ImmediateService { form: ServiceForm::Soon, ..ImmediateService::default() },
        ImmediateService { settled_quanta: 3, ..ImmediateService::default() },
    ] {
        let mut scene = scene("hosts 4@6; a 0 4x4@4", 0, "");
        if let PolicySpec::EqSpatial { immediate_service, .. } = &mut scene.setup.policy {
            *immediate_service = Some(service);
        }
        let told = scene.try_run().unwrap_err().to_string();
        assert!(told.contains("form and settled_quanta are of PriorityBackfill"), "{told}");
    }
}
