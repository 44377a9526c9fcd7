//! FCFS and EASY, worked out by hand.

use crate::scene::{EASY, check, check_all};
use expect_test::expect;
use sim::PolicySpec;

const FCFS: PolicySpec = PolicySpec::Fcfs;

#[test]
fn fcfs_lets_nobody_pass_a_head_that_does_not_fit() {
    check(
        "nodes 4; a 0 2x10; b 1 4x5; c 2 2x8",
        FCFS,
        expect![[r#"
              0    5    10   15   20
        0-1 | aaaaaaaaaabbbbbcccccccc
        2-3 | ..........bbbbb........
    "#]],
    );
}

#[test]
fn fcfs_starts_all_that_fit_in_one_pass() {
    check(
        "nodes 4; a 0 4x3; b 1 2x4; c 1 1x2; d 2 2x2; e 2 1x1",
        FCFS,
        expect![[r#"
            0    5
        0 | aaabbbbe
        1 | aaabbbb.
        2 | aaaccdd.
        3 | aaa..dd.
    "#]],
    );
}

#[test]
fn easy_backfills_a_job_that_ends_at_the_shadow_time_exactly() {
    check(
        "nodes 4; a 0 2x10; b 1 4x5; c 2 2x8",
        EASY,
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaaaaaabbbbb
        2-3 | ..ccccccccbbbbb
    "#]],
    );
}

#[test]
fn easy_does_not_backfill_a_job_that_ends_after_the_shadow_time() {
    check(
        "nodes 4; a 0 2x10; b 1 4x5; c 2 2x8/9",
        EASY,
        expect![[r#"
              0    5    10   15   20
        0-1 | aaaaaaaaaabbbbbcccccccc
        2-3 | ..........bbbbb........
    "#]],
    );
}

/// b's shadow time is 10 with one extra node: too few for c, enough for d, used up for e.
#[test]
fn easy_gives_the_extra_nodes_away_once() {
    check(
        "nodes 5; a 0 3x10; b 1 4x5; c 2 2x20; d 3 1x20; e 4 1x20",
        EASY,
        expect![[r#"
              0    5    10   15   20   25   30   35
        0-1 | aaaaaaaaaabbbbbcccccccccccccccccccc
          2 | aaaaaaaaaabbbbbeeeeeeeeeeeeeeeeeeee
          3 | ...dddddddddddddddddddd............
          4 | ..........bbbbb....................
    "#]],
    );
}

/// d ends in time, so that the extra node stays for e.
#[test]
fn easy_charges_no_extra_nodes_to_jobs_that_end_in_time() {
    check(
        "nodes 5; a 0 3x10; b 1 4x5; d 3 1x6; e 4 1x20",
        EASY,
        expect![[r#"
              0    5    10   15   20
        0-2 | aaaaaaaaaabbbbb.........
          3 | ...dddddd.bbbbb.........
          4 | ....eeeeeeeeeeeeeeeeeeee
    "#]],
    );
}

/// At 10 both a and b end, which leaves two extra nodes beside those of d; counting a alone would leave none for e.
#[test]
fn easy_counts_all_jobs_that_end_at_the_shadow_time() {
    check(
        "nodes 6; a 0 2x10; b 0 2x10; c 0 1x5; d 1 4x4; e 2 2x15",
        EASY,
        expect![[r#"
              0    5    10   15   20
        0-1 | aaaaaaaaaadddd......
        2-3 | bbbbbbbbbbdddd......
          4 | ccccceeeeeeeeeeeeeee
          5 | .....eeeeeeeeeeeeeee
    "#]],
    );
}

/// a ends early at 4, but d was backfilled on its word, so that b waits for d. c would outlast b's old and new shadow times.
#[test]
fn easy_does_not_take_nodes_back_when_a_job_ends_early() {
    check(
        "nodes 4; a 0 3x4/10; b 1 4x5; c 2 1x3/9; d 3 1x6",
        EASY,
        expect![[r#"
              0    5    10   15
          0 | aaaa.....bbbbbccc
        1-2 | aaaa.....bbbbb...
          3 | ...ddddddbbbbb...
    "#]],
    );
}

/// c's shadow time is 20 until a ends early at 3, then 12, when d should end, and 6 when d has ended early too. e, at 3,
/// comes too late to run until 13.
#[test]
fn easy_makes_a_new_reservation_after_an_early_end() {
    check(
        "nodes 4; a 0 2x3/20; b 0 1x6; c 1 4x5; d 2 1x3/10; e 3 1x3/10",
        EASY,
        expect![[r#"
            0    5    10
        0 | aaa...ccccceee
        1 | aaa...ccccc...
        2 | bbbbbbccccc...
        3 | ..ddd.ccccc...
    "#]],
    );
}

#[test]
fn easy_considers_later_jobs_in_queue_order() {
    check(
        "nodes 4; a 0 3x10; b 1 4x5; c 2 1x6; d 3 1x2; e 3 1x2",
        EASY,
        expect![[r#"
              0    5    10   15
          0 | aaaaaaaaaabbbbbee
        1-2 | aaaaaaaaaabbbbb..
          3 | ..ccccccddbbbbb..
    "#]],
    );
}

/// With perfect estimates c ends at 10, so that it may pass b; as requested it may not.
#[test]
fn actual_estimates_are_the_run_times() {
    let jobs = "a 0 2x10/40; b 1 4x5/50; c 2 2x8/60";
    check(
        &format!("nodes 4 actual; {jobs}"),
        EASY,
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaaaaaabbbbb
        2-3 | ..ccccccccbbbbb
    "#]],
    );
    check(
        &format!("nodes 4; {jobs}; d 3 1x3/100"),
        EASY,
        expect![[r#"
              0    5    10   15   20
        0-1 | aaaaaaaaaabbbbbcccccccc
          2 | ..........bbbbbddd.....
          3 | ..........bbbbb........
    "#]],
    );
}

/// a and b end at 10, b long before its estimate. One pass for the instant starts c. One pass per event sees the end of a
/// first: c would have to wait until 100, so that d may start.
#[test]
fn a_pass_between_two_ends_of_one_instant_may_backfill() {
    let jobs = "a 0 2x10; b 0 2x10/100; c 1 3x5; d 2 2x8/50";
    check(
        &format!("nodes 4; {jobs}"),
        EASY,
        expect![[r#"
              0    5    10   15   20
        0-1 | aaaaaaaaaacccccdddddddd
          2 | bbbbbbbbbbccccc........
          3 | bbbbbbbbbb.............
    "#]],
    );
    check(
        &format!("nodes 4 per-event; {jobs}"),
        EASY,
        expect![[r#"
              0    5    10   15   20
        0-1 | aaaaaaaaaaddddddddccccc
          2 | bbbbbbbbbb........ccccc
          3 | bbbbbbbbbb.............
    "#]],
    );
}

/// At 10, a ends early and b and c arrive. One pass per event takes the submissions first: b does not fit yet, and c may pass it.
#[test]
fn with_a_pass_per_event_submissions_come_before_ends() {
    let jobs = "a 0 1x10/30; b 10 2x5; c 10 1x15";
    check(
        &format!("nodes 2; {jobs}"),
        EASY,
        expect![[r#"
            0    5    10   15   20   25   30
        0 | aaaaaaaaaabbbbbccccccccccccccc
        1 | ..........bbbbb...............
    "#]],
    );
    check(
        &format!("nodes 2 per-event; {jobs}"),
        EASY,
        expect![[r#"
            0    5    10   15   20   25   30
        0 | aaaaaaaaaa...............bbbbb
        1 | ..........cccccccccccccccbbbbb
    "#]],
    );
}

/// FCFS asks only whether the head fits, so that more passes in an instant change nothing.
#[test]
fn with_a_pass_per_event_fcfs_is_the_same() {
    let jobs = "a 0 2x5; b 0 3x5; c 5 1x5; d 5 4x2; e 5 1x1";
    let texts = [format!("nodes 4; {jobs}"), format!("nodes 4 per-event; {jobs}")];
    check_all(
        &[&texts[0], &texts[1]],
        &[FCFS],
        expect![[r#"
            0    5    10
        0 | aaaaabbbbbdde
        1 | aaaaabbbbbdd.
        2 | .....bbbbbdd.
        3 | .....cccccdd.
    "#]],
    );
}
