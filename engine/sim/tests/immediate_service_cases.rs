//! Test runs of new jobs: schedules worked out by hand, and what holds of all.

use crate::scene::{Run, Scene};
use crate::workloads::{Accuracy, cases, hosts_scenes, orders};
use crate::{gantt, script};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use sim::cluster::node_set::Placement;
use sim::kernel::Pass;
use sim::policy::{Holders, ImmediateService, Order, Reservations, ServiceForm, Slide};
use sim::{PolicySpec, Time};
use std::collections::BTreeMap;

fn served(order: Order, quantum_s: u64, form: ServiceForm) -> PolicySpec {
    PolicySpec::PriorityBackfill {
        order,
        reservations: Reservations::AtMost(1),
        holders: Holders::DynamicJob,
        slide: Slide::Sliding,
        grace_s: 0,
        immediate_service: Some(ImmediateService { quantum_s, initial_mb: 2, form, settled_quanta: 2 }),
    }
}

#[track_caller]
fn check(text: &str, form: ServiceForm, change: impl Fn(&mut Scene), expected: Expect) -> Run {
    let mut scene = Scene::parse(text, served(Order::Arrival, 2, form));
    change(&mut scene);
    let run = scene.run();
    expected.assert_eq(&gantt::draw(&scene, &run));
    run
}

/// b asks for 20 s on all processors, and ends within its test of 2 s: a, which has run for more than 4 s, leaves its processors and goes on after it, its
/// end moved by 1 s, the length of the test.
#[test]
fn a_job_that_ends_in_its_test_costs_its_victim_no_more_than_it_ran() {
    let run = check(
        "hosts 2@8; a 0 2x20; b 6 2x1/20@1",
        ServiceForm::Preemptive,
        |_| (),
        expect![[r#"
              0    5    10   15   20
        0-1 | aaaaaabaaaaaaaaaaaaaa
    "#]],
    );
    assert_eq!(run.lines[0].finish, Time::from_secs(21));
}

/// b is done when its quantum is over, at 7, and c comes. A pass for c alone comes before b's end, and leaves b to it.
#[test]
fn a_job_that_is_done_at_the_end_of_its_quantum_has_ended() {
    for passes in ["", " per-event"] {
        let run = check(
            &format!("hosts 2@8{passes}; a 0 2x10; b 5 2x2/20@1; c 7 2x3@1"),
            ServiceForm::Preemptive,
            |_| (),
            expect![[r#"
                  0    5    10   15
            0-1 | aaaaabbaaaaaccc
        "#]],
        );
        assert_eq!(run.lines[1].finish, Time::from_secs(7));
    }
}

/// b runs for longer than its test and is queued from scratch; it runs when a has ended.
#[test]
fn a_job_that_does_not_end_in_its_test_waits_for_a_whole_run() {
    check(
        "hosts 2@8; a 0 2x10; b 5 2x3@1",
        ServiceForm::Preemptive,
        |_| (),
        expect![[r#"
              0    5    10   15
        0-1 | aaaaabbaaaaabbb
    "#]],
    );
}

/// At 2, a has not run for more than 4 s, nor at 4; at 5 it has, and b is tested. c comes when a has no more than 4 s to go.
#[test]
fn only_settled_jobs_with_enough_to_do_are_preempted() {
    check(
        "hosts 2@8; a 0 2x12; b 2 2x1@1; c 10 2x1@1",
        ServiceForm::Preemptive,
        |_| (),
        expect![[r#"
              0    5    10
        0-1 | aaaaabaaaaaaac
    "#]],
    );
}

/// b would end within its test, but needs more at its peak than the 2 MB that it gets there.
#[test]
fn a_test_without_the_memory_does_not_finish() {
    let peak = |scene: &mut Scene| scene.jobs[1].peak_memory_kb = 3 * 1024;
    check(
        "hosts 2@8; a 0 2x10; b 5 2x1@4",
        ServiceForm::Preemptive,
        peak,
        expect![[r#"
              0    5    10
        0-1 | aaaaabbaaaaab
    "#]],
    );
    let peak = |scene: &mut Scene| scene.jobs[1].peak_memory_kb = 2 * 1024;
    check(
        "hosts 2@8; a 0 2x10; b 5 2x1@4",
        ServiceForm::Preemptive,
        peak,
        expect![[r#"
              0    5    10
        0-1 | aaaaabaaaaa
    "#]],
    );
}

/// Memory keeps b and c from starting beside a, but not from tests with 2 MB. c finds no processors for its own until that of b is over.
#[test]
fn soon_uses_what_is_free_and_waits_for_it() {
    let peak = |scene: &mut Scene| scene.jobs[2].peak_memory_kb = 1024;
    check(
        "hosts 3@8; a 0 1x9@5; b 1 2x5@4; c 2 2x1@4",
        ServiceForm::Soon,
        peak,
        expect![[r#"
            0    5    10
        0 | aaaaaaaaabbbbb
        1 | .bbc.....bbbbb
        2 | .bbc..........
    "#]],
    );
}

/// At 9, a, b and c have run for 7 s and waited for 2, 1 and 0. Beside the free processor c, b and a give 8 of the 5 that d needs, and of these
/// neither b nor c is needed.
#[test]
fn victims_are_those_of_least_slowdown_and_no_more_than_needed() {
    check(
        "hosts 8@8; x 0 8x2; a 0 4x20; b 1 2x20; c 2 1x20; d 9 5x1@1",
        ServiceForm::Preemptive,
        |_| (),
        expect![[r#"
                  0    5    10   15   20
            0-3 | xxaaaaaaadaaaaaaaaaaaaa
            4-5 | xxbbbbbbbbbbbbbbbbbbbb.
              6 | xxcccccccccccccccccccc.
              7 | xx.......d.............
        "#]],
    );
}

/// Requeued jobs stand where they stood, whether others came before, after or both.
#[test]
fn a_requeued_job_is_back_at_its_place_in_the_queue() {
    let scene = script::scene("hosts 4@8; a 0 1x9; b 0 1x9; c 0 1x9; d 0 1x9");
    let script = |pass: &mut Pass<'_>| {
        let names = |pass: &Pass<'_>| {
            pass.waiting().map(|job| pass.request(job).id as u8 as char).collect::<String>()
        };
        match script::second(pass) {
            0 => {
                let [a, b, c, d] = ['a', 'b', 'c', 'd'].map(|name| script::get(pass, name));
                for (job, node) in [(a, 0), (b, 1), (d, 3)] {
                    assert!(pass.start_on(job, Placement::of([node])));
                }
                assert_eq!(names(pass), "c");
                assert!(pass.requeue(d) && pass.requeue(a) && pass.requeue(b));
                assert_eq!(names(pass), "abcd");
                assert_eq!(pass.cluster().free_count(), 4);
                assert!(pass.start(c) && pass.start(d));
                pass.wake_at(Time::from_secs(4));
            }
            4 => {
                assert!(pass.requeue(script::get(pass, 'd')));
                assert_eq!(names(pass), "abd");
                script::start_all(pass);
            }
            _ => {}
        }
    };
    let run = script::run_script(&scene, script).unwrap();
    assert_eq!(
        run.lines.iter().map(|line| line.finish).collect::<Vec<_>>(),
        [13, 13, 9, 13].map(Time::from_secs)
    );
    assert_eq!(run.lines.iter().filter(|line| line.killed).count(), 0);
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn a_quantum_of_nothing_is_the_base_policy(scene in hosts_scenes(1..30, Accuracy::Any), order in orders()) {
        let under = |quantum: Option<u64>| {
            let mut scene = scene.clone();
            scene.setup.policy = served(order, quantum.unwrap_or(0), ServiceForm::Preemptive);
            if let (None, PolicySpec::PriorityBackfill { immediate_service, .. }) = (quantum, &mut scene.setup.policy) {
                *immediate_service = None;
            }
            scene.run()
        };
        let (base, nothing) = (under(None), under(Some(0)));
        prop_assert_eq!(base.lines, nothing.lines);
        prop_assert_eq!(base.pieces, nothing.pieces);
    }

    /// Every job ends once, no node has two jobs at a time, and what a job did last, after its test or over its preemptions, is its work.
    #[test]
    fn work_is_whole_and_nodes_are_of_one_job(
        mut scene in hosts_scenes(1..40, Accuracy::Any),
        order in orders(),
        quantum in 1u64..4,
        form in prop::sample::select(vec![ServiceForm::Preemptive, ServiceForm::Soon]),
        peaks in prop::collection::vec(0u64..8192, 40),
    ) {
        scene.setup.policy = served(order, quantum, form);
        for (job, peak) in scene.jobs.iter_mut().zip(peaks) {
            job.peak_memory_kb = peak.min(job.memory_kb);
        }
        let run = scene.run();
        prop_assert_eq!(run.lines.len(), scene.jobs.len());
        let mut of_node: BTreeMap<u32, Vec<(Time, Time)>> = BTreeMap::new();
        for (arrival, line) in run.lines.iter().enumerate() {
            prop_assert!(!line.killed && line.start >= line.job.submit);
            let own = run.pieces.iter().filter(|piece| piece.arrival == arrival as u64);
            let last = own.clone().filter(|piece| piece.from >= line.start);
            let done: i64 = last.map(|piece| (piece.to - piece.from).0).sum();
            prop_assert_eq!(done, line.job.run_time.0);
            let lost: i64 = own.filter(|piece| piece.from < line.start).map(|piece| (piece.to - piece.from).0).sum();
            prop_assert!(lost == 0 || lost == quantum as i64 * sim::time::TICKS_PER_SECOND);
        }
        for piece in &run.pieces {
            for node in piece.nodes.nodes() {
                of_node.entry(node).or_default().push((piece.from, piece.to));
            }
        }
        for times in of_node.values_mut() {
            times.sort_unstable();
            prop_assert!(times.windows(2).all(|pair| pair[0].1 <= pair[1].0));
        }
    }
}
