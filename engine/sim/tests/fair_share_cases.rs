//! Fair shares of moldable jobs: schedules worked out by hand.

use crate::gantt;
use crate::scene::Scene;
use expect_test::{Expect, expect};
use sim::policy::fair_share::{LaterJobs, with_factors as fair};
use sim::{PolicySpec, SimError};

fn check(text: &str, policy: PolicySpec, expected: Expect) {
    let scene = Scene::parse(text, policy);
    expected.assert_eq(&gantt::draw(&scene, &scene.run()));
}

/// §4.2: with twice the overbooking two equal jobs that scale perfectly run one after the other, each twice as fast: (T/2 + T)/2 = 75 %.
#[test]
fn overbooking_serializes_equal_jobs() {
    let text = "nodes 12; a 0 1x48~12,0; b 0 1x48~12,0";
    check(
        text,
        fair(1.0, 0.0),
        expect![[r#"
               0    5
         0-5 | aaaaaaaa
        6-11 | bbbbbbbb
    "#]],
    );
    check(
        text,
        fair(2.0, 0.0),
        expect![[r#"
               0    5
        0-11 | aaaabbbb
    "#]],
    );
    let mean = |overbooking| {
        let lines = Scene::parse(text, fair(overbooking, 0.0)).run().lines;
        lines.iter().map(|line| line.finish.0 as f64).sum::<f64>() / 2.0
    };
    assert_eq!(mean(2.0), 0.75 * mean(1.0));
}

/// Shares of 2, 4 and 6 nodes go by the roots of 4, 16 and 36 node-seconds.
#[test]
fn shares_go_by_roots() {
    check(
        "nodes 12; a 0 1x4~12,0; b 0 1x16~12,0; c 0 1x36~12,0",
        fair(1.0, 0.0),
        expect![[r#"
               0    5
         0-1 | aa....
         2-5 | bbbb..
        6-11 | cccccc
    "#]],
    );
}

/// Both have a share of 6. Within half of it b, which scales badly, loses 3 to a.
#[test]
fn efficiency_moves_nodes() {
    check(
        "nodes 12; a 0 1x27~12,0; b 0 1x27~12,2",
        fair(1.0, 0.5),
        expect![[r#"
                   0    5    10
             0-8 | aaa.......
            9-11 | bbbbbbbbbb
        "#]],
    );
}

/// b waits for the nodes of a. c could start beside them on one node and end at 17 s, but waits for four of them, to end at 12 s,
/// unless it looks at now alone.
#[test]
fn later_jobs_start_if_that_is_best() {
    let text = "nodes 4; a 0 3x4; b 1 3x4; c 1 1x16~4,0";
    let policy = |later| {
        let mut policy = fair(4.0, 0.0);
        if let PolicySpec::FairShare { later_jobs, .. } = &mut policy {
            *later_jobs = later;
        }
        policy
    };
    check(
        text,
        policy(LaterJobs::WholeProfile),
        expect![[r#"
              0    5    10
        0-2 | aaaabbbbcccc
          3 | ........cccc
    "#]],
    );
    check(
        text,
        policy(LaterJobs::StartingNow),
        expect![[r#"
              0    5    10   15
        0-2 | aaaabbbb.........
          3 | .cccccccccccccccc
    "#]],
    );
}

#[test]
fn what_cannot_be_planned_is_refused() {
    let refused = |text: &str, policy: PolicySpec| match Scene::parse(text, policy).try_run() {
        Err(SimError::Setup { reason }) => reason,
        other => panic!("{other:?}"),
    };
    let factor = "an overbooking factor of 0 is not above 0";
    assert_eq!(refused("nodes 4; a 0 1x1", fair(0.0, 0.0)), factor);
    let factor = "an efficiency factor of -1 is not 0 or more";
    assert_eq!(refused("nodes 4; a 0 1x1", fair(1.0, -1.0)), factor);
}

/// c ends first, at 8 s, on the block that has two free nodes when a ends. e would still be on a node of it then; d would not.
#[test]
fn reservations_are_of_blocks() {
    check(
        "tree 2x2 contiguous; a 0 1x4; b 0 2x9; c 1 1x8~4,0; e 1 1x4; d 1 1x3",
        fair(8.0, 0.0),
        expect![[r#"
                  0    5    10
              0 | aaaacccceeee
              1 | .dddcccc....
            2-3 | bbbbbbbbb...
        "#]],
    );
}
