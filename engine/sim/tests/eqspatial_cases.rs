//! EQspatial: schedules worked out by hand, a rule each.

use crate::scene::check;
use expect_test::expect;
use sim::PolicySpec;

const fn eqspatial(min_interval_s: u64, full_after_s: Option<u64>) -> PolicySpec {
    PolicySpec::EqSpatial { min_interval_s, full_after_s, immediate_service: None }
}

/// The ideal form: repartitions at any time.
const IDEAL: PolicySpec = eqspatial(0, None);

/// a goes to B, which has twice as many processors per requested one; b sees the same ratio on both and goes to A; c finds A with 4/5 and B with 8/5.
#[test]
fn jobs_go_to_the_host_with_most_processors_per_requested_one() {
    check(
        "hosts 4@8,8@8; a 0 4x5; b 1 4x4; c 2 1x2",
        IDEAL,
        expect![[r#"
               0    5
         0-3 | .bbbb
         4-7 | aaaaa
           8 | ..cc.
        9-11 | .....
    "#]],
    );
}

/// B would be the better host for b and c, but has no memory for them.
#[test]
fn hosts_without_the_memory_are_not_considered() {
    check(
        "hosts 4@8,8@8; a 0 1x5@7; b 1 4x2@2; c 3 1x1@2",
        IDEAL,
        expect![[r#"
               0    5
           0 | .bbc.
         1-3 | .bb..
           4 | aaaaa
        5-11 | .....
    "#]],
    );
}

/// a alone has done half of its work when b comes; then both have two processors until a ends, and b four.
#[test]
fn processors_are_shared_equally() {
    check(
        "hosts 4@8; a 0 4x4; b 2 4x4",
        IDEAL,
        expect![[r#"
              0    5
        0-1 | aaaaaabb
        2-3 | aabbbbbb
    "#]],
    );
}

/// a has the one processor that it asks for, b and c share six of seven, and the one that is left goes to b, which was placed first.
#[test]
fn nobody_gets_more_than_it_asks_for_and_the_rest_goes_to_the_first() {
    check(
        "hosts 8@8; a 0 1x4; b 0 6x2; c 0 8x2",
        IDEAL,
        expect![[r#"
              0
          0 | aaaa
        1-4 | bbbc
        5-7 | cccc
    "#]],
    );
}

/// With more jobs than processors the last has none until another ends.
#[test]
fn the_last_of_too_many_jobs_waits_on_its_host() {
    check(
        "hosts 2@8; a 0 1x2; b 0 2x2; c 1 1x2",
        IDEAL,
        expect![[r#"
            0
        0 | aacc
        1 | bbbb
    "#]],
    );
}

/// b's arrival is the first repartition, at 1. c comes at 2 and finds no processor free; a ends at 3, and its processors stay idle until 6, when c and b get them.
#[test]
fn repartitions_keep_their_distance() {
    check(
        "hosts 4@8; a 0 4x2; b 1 4x4; c 2 1x3",
        eqspatial(5, None),
        expect![[r#"
              0    5
          0 | aaa...bb.
          1 | aaa...ccc
        2-3 | abbbbbbb.
    "#]],
    );
}

/// As above, but d comes while a's processors are idle: it may use them at once, which changes nothing for b and c.
#[test]
fn new_jobs_use_what_is_free_without_a_repartition() {
    check(
        "hosts 4@8; a 0 4x2; b 1 4x4; c 2 1x3; d 4 4x1",
        eqspatial(5, None),
        expect![[r#"
              0    5
          0 | aaa.ddbb.
          1 | aaa.ddccc
        2-3 | abbbbbbb.
    "#]],
    );
}

/// Hosts keep their distance each for itself: A repartitions at 1, when c comes, B at 2, when d does; what a and b leave stays idle.
#[test]
fn every_host_has_its_own_interval() {
    check(
        "hosts 2@8,2@8; a 0 2x2; b 0 2x3; c 1 2x2; d 2 2x2",
        eqspatial(9, None),
        expect![[r#"
                0    5
            0 | aaa...
            1 | acccc.
            2 | bbbb..
            3 | bbdddd
        "#]],
    );
}

/// a is 4 seconds old at 4 and gets all it asks for but one processor, which b keeps.
#[test]
fn old_jobs_get_all_but_a_processor_for_each_other() {
    check(
        "hosts 4@8; a 0 4x6; b 2 4x3",
        eqspatial(0, Some(4)),
        expect![[r#"
              0    5
        0-1 | aaaaaaaab
          2 | aabbbbbbb
          3 | aabbaaaab
    "#]],
    );
}

/// The same with an interval: a comes of age at 4, but the repartition at 2 puts its turn off until 5.
#[test]
fn coming_of_age_keeps_the_distance_too() {
    check(
        "hosts 4@8; a 0 4x8; b 2 4x4",
        eqspatial(3, Some(4)),
        expect![[r#"
              0    5    10
        0-1 | aaaaaaaaaaab
          2 | aabbbbbbbbbb
          3 | aabbbaaaaaab
    "#]],
    );
}

/// b waits from 1 to 4 for a's memory. Its share beside a would be 2 of 4 processors, so it has earned 6 processor-seconds when it starts: until they are
/// repaid, at 6, it has all three processors that it asks for, then an equal share.
#[test]
fn waiting_for_memory_earns_credit() {
    check(
        "hosts 4@5; a 0 4x4@4; b 1 3x4@4; c 4 4x3@1",
        IDEAL,
        expect![[r#"
              0    5    10
        0-1 | aaaabbbbbc
          2 | aaaabbcccc
          3 | aaaacccccc
    "#]],
    );
}

/// b earns as above and runs on A with three processors. For c, which asks for two, A offers one processor to two requested ones and B four to five; had
/// b no credit, both would offer four to five, and c would go to A.
#[test]
fn jobs_with_credit_count_neither_here_nor_there() {
    check(
        "hosts 4@4,4@4; a 0 4x4@4; d 0 3x8@1; b 1 3x4@4; c 5 2x3@0",
        IDEAL,
        expect![[r#"
              0    5
        0-2 | aaaabbbb.
          3 | aaaa.....
        4-5 | ddddddddd
          6 | dddddcccd
          7 | .....ccc.
    "#]],
    );
}

/// b waits for memory; c, which came later, needs little and does not wait for it.
#[test]
fn a_job_that_lacks_memory_holds_up_nobody() {
    check(
        "hosts 2@4; a 0 1x4@3; b 1 1x2@4; c 2 1x1@1; d 3 1x3@1",
        IDEAL,
        expect![[r#"
            0    5
        0 | aaaa..bb
        1 | ..cddd..
    "#]],
    );
}

/// With room for all, every job runs at once and without a change, whatever its estimate.
#[test]
fn without_contention_there_is_nothing_to_share() {
    check(
        "hosts 5@8,4@8; a 0 2x4/9; b 0 2x3; c 1 3x2/1; d 2 1x2",
        eqspatial(300, Some(0)),
        expect![[r#"
              0
        0-1 | aaaa
        2-4 | .cc.
        5-6 | bbb.
          7 | ..dd
          8 | ....
    "#]],
    );
}
