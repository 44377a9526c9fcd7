//! Jobs that outlive their estimates, worked out by hand.

use crate::scene::{EASY as KILL, EXTEND, Scene, check, check_all};
use expect_test::expect;
use sim::PolicySpec;
use sim::policy::{EarlyEnd, Order, Reservations};

/// c was backfilled on the promise to end at 10, when b is due.
#[test]
fn a_backfilled_job_that_holds_the_heads_nodes_is_killed() {
    check(
        "nodes 4; a 0 2x10; b 1 4x5; c 2 2x12/8",
        KILL,
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaaaaaabbbbb
        2-3 | ..ccccccccbbbbb
        killed c at 10
    "#]],
    );
}

#[test]
fn extended_jobs_let_the_reservation_slip() {
    check(
        "nodes 4; a 0 2x10; b 1 4x5; c 2 2x12/8",
        EXTEND,
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaaaaaa....bbbbb
        2-3 | ..ccccccccccccbbbbb
    "#]],
    );
}

/// a started in its turn.
#[test]
fn a_job_that_was_not_backfilled_is_not_killed() {
    check(
        "nodes 4; a 0 2x12/10; b 1 4x5; c 2 2x8",
        KILL,
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaaaaaaaabbbbb
        2-3 | ..cccccccc..bbbbb
    "#]],
    );
}

/// b lacks two nodes at 10. c, d and e are late; d and e started last.
#[test]
fn those_who_started_last_are_killed_as_many_as_needed() {
    check(
        "nodes 5; a 0 2x10; b 1 4x5; c 2 1x12/8; d 3 1x12/7; e 3 1x12/7",
        KILL,
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaaaaaabbbbb
          2 | ..cccccccccccc.
          3 | ...dddddddbbbbb
          4 | ...eeeeeeebbbbb
        killed d at 10
        killed e at 10
    "#]],
    );
}

/// b lacks one node at 10. d and e started last, at the same time; e arrived later.
#[test]
fn of_two_that_started_together_the_later_arrival_is_killed() {
    check(
        "nodes 6; a 0 3x10; b 1 4x5; c 2 1x12/8; d 3 1x12/7; e 3 1x12/7",
        KILL,
        expect![[r#"
              0    5    10   15
        0-2 | aaaaaaaaaabbbbb
          3 | ..cccccccccccc.
          4 | ...dddddddddddd
          5 | ...eeeeeeebbbbb
        killed e at 10
    "#]],
    );
}

/// At 10 the end of c would not be enough for b, because a runs on. At 12 it is.
#[test]
fn nobody_is_killed_in_vain() {
    check(
        "nodes 4; a 0 1x12/10; b 1 4x5; c 2 1x20/8",
        KILL,
        expect![[r#"
              0    5    10   15
          0 | aaaaaaaaaaaabbbbb
          1 | ..ccccccccccbbbbb
        2-3 | ............bbbbb
        killed c at 12
    "#]],
    );
}

/// c is late and is killed; d, on the extra node, is within its estimate.
#[test]
fn a_backfilled_job_within_its_estimate_is_not_killed() {
    check(
        "nodes 4; a 0 2x10; b 1 3x5; c 2 1x12/8; d 2 1x14",
        KILL,
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaaaaaabbbbb.
          2 | ..ccccccccbbbbb.
          3 | ..dddddddddddddd
        killed c at 10
    "#]],
    );
}

/// c ends at 10 as it said, in an event of its own after that of a: when a's end is handled, c is due but not late.
#[test]
fn a_job_that_ends_on_time_is_not_killed_between_two_events_of_an_instant() {
    check(
        "nodes 2 per-event; a 0 1x10; b 1 2x5; c 2 1x8",
        KILL,
        expect![[r#"
            0    5    10   15
        0 | aaaaaaaaaabbbbb
        1 | ..ccccccccbbbbb
    "#]],
    );
    check(
        "nodes 2 per-event; a 0 1x10; b 1 2x5; c 2 1x8; d 10 1x3",
        KILL,
        expect![[r#"
            0    5    10   15
        0 | aaaaaaaaaabbbbbddd
        1 | ..ccccccccbbbbb...
    "#]],
    );
}

#[test]
fn a_late_job_is_killed_with_a_pass_per_event_too() {
    check(
        "nodes 2 per-event; a 0 1x10; b 1 2x5; c 2 1x9/8; d 10 1x3",
        KILL,
        expect![[r#"
            0    5    10   15
        0 | aaaaaaaaaabbbbbddd
        1 | ..ccccccccbbbbb...
        killed c at 10
    "#]],
    );
}

/// b waits for the block 4-7, which only the end of c makes whole. d started later than c, so that it is killed first all
/// the same, as it would be on any machine.
#[test]
fn in_a_tree_the_order_of_killing_is_the_same() {
    check(
        "tree 2x3 contiguous; a 0 3x20; x 0 2x10; b 1 4x5; c 2 2x12/8; d 3 1x12/7; e 12 1x3",
        KILL,
        expect![[r#"
                  0    5    10   15   20
            0-2 | aaaaaaaaaaaaaaaaaaaa
              3 | ...ddddddd..eee.....
            4-5 | xxxxxxxxxxbbbbb.....
            6-7 | ..ccccccccbbbbb.....
            killed c at 10
            killed d at 10
        "#]],
    );
}

fn planners() -> Vec<PolicySpec> {
    let mut policies = vec![
        PolicySpec::Conservative { early_end: EarlyEnd::Compress },
        PolicySpec::Conservative { early_end: EarlyEnd::Replan },
    ];
    for reservations in [Reservations::AtMost(0), Reservations::AtMost(1), Reservations::All] {
        policies.push(PolicySpec::Priority { order: Order::Arrival, reservations });
    }
    policies
}

/// a is expected to end at 10 and ends at 14; b's reservation slips with it, and d, at 12, may not take its place.
#[test]
fn planned_jobs_wait_for_a_job_that_runs_on() {
    let policies = [
        PolicySpec::Conservative { early_end: EarlyEnd::Compress },
        PolicySpec::Conservative { early_end: EarlyEnd::Replan },
        PolicySpec::Priority { order: Order::Arrival, reservations: Reservations::All },
    ];
    let jobs = "a 0 1x14/10; b 1 2x5; c 2 1x8; d 12 1x3";
    let machines = ["nodes 2", "nodes 2 per-event", "tree 2x1 contiguous", "tree 2x1 contiguous per-event"];
    let texts = machines.map(|machine| format!("{machine}; {jobs}"));
    check_all(
        &texts.each_ref().map(String::as_str),
        &policies,
        expect![[r#"
            0    5    10   15   20
        0 | aaaaaaaaaaaaaabbbbbddd
        1 | ..cccccccc....bbbbb...
    "#]],
    );
}

/// While a runs on for an hour nothing happens, so that there is nothing to decide.
#[test]
fn waiting_for_a_job_that_runs_on_costs_no_passes() {
    for machine in
        ["nodes 1", "nodes 1 per-event", "tree 2x1/1 contiguous", "tree 2x1/1 contiguous per-event"]
    {
        for policy in planners().into_iter().chain([KILL, EXTEND]) {
            let text = format!("{machine}; a 0 1x3600/10; b 1 1x5; c 2 1x5; d 3 1x5/2");
            let scene = Scene::parse(&text, policy);
            let run = scene.run();
            assert_eq!(
                ['a', 'b', 'c', 'd'].map(|name| run.start_of(name)),
                [0, 3600, 3605, 3610],
                "{scene:?}"
            );
            assert!(run.report.passes <= 20, "{} passes: {scene:?}", run.report.passes);
        }
    }
}
