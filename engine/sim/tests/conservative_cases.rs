//! Conservative backfilling, worked out by hand.

use crate::scene::{EXTEND, check, check_all};
use expect_test::expect;
use sim::PolicySpec;
use sim::policy::EarlyEnd;

const COMPRESS: PolicySpec = PolicySpec::Conservative { early_end: EarlyEnd::Compress };
const REPLAN: PolicySpec = PolicySpec::Conservative { early_end: EarlyEnd::Replan };

/// EASY starts d at 3, because b alone has a reservation; here c's, at 15, stands in its way.
#[test]
fn no_job_may_delay_any_earlier_one() {
    let jobs = "nodes 4; a 0 2x10; b 1 3x5; c 2 4x5; d 3 1x13";
    check_all(
        &[jobs],
        &[COMPRESS, REPLAN],
        expect![[r#"
            0    5    10   15   20   25   30
        0 | aaaaaaaaaabbbbbcccccddddddddddddd
        1 | aaaaaaaaaabbbbbccccc.............
        2 | ..........bbbbbccccc.............
        3 | ...............ccccc.............
    "#]],
    );
    check(
        jobs,
        EXTEND,
        expect![[r#"
              0    5    10   15   20
        0-1 | aaaaaaaaaabbbbb.ccccc
          2 | ...dddddddddddddccccc
          3 | ..........bbbbb.ccccc
    "#]],
    );
}

/// e fits exactly between now and b's reservation, d not.
#[test]
fn holes_are_filled_to_the_brim() {
    let jobs = "nodes 4; a 0 2x10; b 1 4x5; d 2 2x9; e 2 2x8; f 3 1x5";
    check_all(
        &[jobs],
        &[COMPRESS, REPLAN],
        expect![[r#"
              0    5    10   15   20
        0-1 | aaaaaaaaaabbbbbddddddddd
          2 | ..eeeeeeeebbbbbfffff....
          3 | ..eeeeeeeebbbbb.........
    "#]],
    );
}

/// Reservations before a ends at 4: b 10, c 18, d 10, e 14. Then b 4, c 14, d 4, e 8. When b ends early at 7: c 8, e 7.
#[test]
fn reservations_move_up_in_arrival_order_when_a_job_ends_early() {
    let jobs = "nodes 4; a 0 4x4/10; b 1 2x3/8; c 1 3x2/4; d 2 2x4/4; e 2 1x2/3";
    check(
        jobs,
        COMPRESS,
        expect![[r#"
              0    5    10
          0 | aaaabbbee.
          1 | aaaabbb.cc
        2-3 | aaaaddddcc
    "#]],
    );
}

/// Reservations: c 20, d 21, e 8. When b ends early at 4, d could run until 18 if e were not in its way. Compression looks at
/// d while e is still at 8, and only then moves e up; a new plan gives d the hole, for it came first.
#[test]
fn compression_keeps_what_was_promised_and_replanning_does_not() {
    let jobs = "nodes 3; a 0 1x20; b 0 2x4/8; c 0 3x1; d 0 1x14; e 0 2x1";
    check(
        jobs,
        COMPRESS,
        expect![[r#"
              0    5    10   15   20   25   30   35
          0 | aaaaaaaaaaaaaaaaaaaacdddddddddddddd
        1-2 | bbbbe...............c..............
    "#]],
    );
    check(
        jobs,
        REPLAN,
        expect![[r#"
            0    5    10   15   20
        0 | aaaaaaaaaaaaaaaaaaaac
        1 | bbbbdddddddddddddde.c
        2 | bbbb..............e.c
    "#]],
    );
}

/// The early end of a opens a hole for b and d before c, although c's nodes are free when c arrives.
#[test]
fn those_who_wait_come_before_those_who_arrive() {
    let jobs = "nodes 2; a 0 2x4/10; b 1 1x5; c 4 2x2; d 4 1x5";
    check_all(
        &[jobs],
        &[COMPRESS, REPLAN],
        expect![[r#"
            0    5    10
        0 | aaaabbbbbcc
        1 | aaaadddddcc
    "#]],
    );
}

/// At 10 the submission of c is handled before a ends; b's reservation holds all the same.
#[test]
fn a_reservation_that_is_due_waits_for_the_ends_of_its_instant() {
    let jobs = "a 0 1x10; b 1 1x5; c 10 1x1";
    let texts = [format!("nodes 1 per-event; {jobs}"), format!("tree 2x1/1 contiguous per-event; {jobs}")];
    check_all(
        &[&texts[0], &texts[1]],
        &[COMPRESS, REPLAN],
        expect![[r#"
            0    5    10   15
        0 | aaaaaaaaaabbbbbc
    "#]],
    );
}
