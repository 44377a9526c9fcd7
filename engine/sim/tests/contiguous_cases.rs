//! Contiguous allocation on k-ary n-trees, worked out by hand.

use crate::scene::{EASY, check, check_all, easy};
use expect_test::expect;
use sim::PolicySpec;
use sim::policy::{EarlyEnd, Order, Overrun, Reservations, Shadow};

const FCFS: PolicySpec = PolicySpec::Fcfs;

/// Pascual & Miguel-Alonso 2008, §III. Four nodes are free from the start, one under each of the last four switches, but h
/// needs a whole first-stage switch, which is free at 5. With `relax` one level up will do.
#[test]
fn a_job_of_four_nodes_needs_an_empty_switch_of_a_4_ary_3_tree() {
    let jobs = "a 0 16x9; b 0 16x9; c 0 16x9; d 0 3x9; e 0 3x9; f 0 3x9; g 0 3x5; h 1 4x3";
    check(
        &format!("tree 4x3 contiguous; {jobs}"),
        FCFS,
        expect![[r#"
                0    5
         0-15 | aaaaaaaaa
        16-31 | bbbbbbbbb
        32-47 | ccccccccc
        48-50 | ddddddddd
           51 | .........
        52-54 | eeeeeeeee
           55 | .........
        56-58 | fffffffff
           59 | .........
        60-62 | ggggghhh.
           63 | .....hhh.
    "#]],
    );
    check(
        &format!("tree 4x3; {jobs}"),
        FCFS,
        expect![[r#"
                0    5
         0-15 | aaaaaaaaa
        16-31 | bbbbbbbbb
        32-47 | ccccccccc
        48-50 | ddddddddd
        51-53 | eeeeeeeee
        54-56 | fffffffff
        57-59 | ggggg....
        60-63 | .hhh.....
    "#]],
    );
    check(
        &format!("tree 4x3 contiguous+1; {jobs}"),
        FCFS,
        expect![[r#"
                0    5
         0-15 | aaaaaaaaa
        16-31 | bbbbbbbbb
        32-47 | ccccccccc
        48-50 | ddddddddd
           51 | .hhh.....
        52-54 | eeeeeeeee
           55 | .hhh.....
        56-58 | fffffffff
           59 | .hhh.....
        60-62 | ggggg....
           63 | .hhh.....
    "#]],
    );
}

/// The same section. From 1 on there are 13 free nodes under each second-stage switch: enough for j, too few for i.
#[test]
fn a_job_of_fourteen_nodes_needs_fourteen_free_under_one_second_stage_switch() {
    let jobs =
        "a 0 3x8; b 0 13x1; c 0 3x9; d 0 13x1; e 0 3x9; f 0 13x1; g 0 3x9; h 0 13x1; i 1 14x2; j 2 13x4";
    check(
        &format!("tree 4x3 contiguous; {jobs}"),
        EASY,
        expect![[r#"
                0    5    10
          0-2 | aaaaaaaaii
         3-13 | b.jjjj..ii
        14-15 | b.jjjj....
        16-18 | ccccccccc.
        19-31 | d.........
        32-34 | eeeeeeeee.
        35-47 | f.........
        48-50 | ggggggggg.
        51-63 | h.........
    "#]],
    );
    check(
        &format!("tree 4x3; {jobs}"),
        EASY,
        expect![[r#"
                0    5
          0-2 | aaaaaaaa.
         3-15 | bii......
        16-18 | ccccccccc
           19 | dii......
        20-31 | d.jjjj...
        32-34 | eeeeeeeee
           35 | f.jjjj...
        36-47 | f........
        48-50 | ggggggggg
        51-63 | h........
    "#]],
    );
}

/// The last of four switches has two nodes of four: too few for d, enough for e. Larger jobs use what there is.
#[test]
fn missing_nodes_are_the_highest_and_are_never_used() {
    check(
        "tree 4x2/14 contiguous; a 0 4x5; b 0 4x6; c 0 4x7; d 1 3x2; e 1 2x3",
        FCFS,
        expect![[r#"
                0    5
          0-2 | aaaaadd.
            3 | aaaaa...
          4-7 | bbbbbb..
         8-11 | ccccccc.
        12-13 | .....eee
    "#]],
    );
    check(
        "tree 4x2/14 contiguous; a 0 4x5; b 0 4x6; c 0 4x7; e 1 2x3; d 1 3x2",
        FCFS,
        expect![[r#"
                0    5
          0-2 | aaaaadd
            3 | aaaaa..
          4-7 | bbbbbb.
         8-11 | ccccccc
        12-13 | .eee...
    "#]],
    );
    check(
        "tree 4x2/14 contiguous; a 0 14x2; b 1 13x2",
        FCFS,
        expect![[r#"
               0
        0-12 | aabb
          13 | aa..
    "#]],
    );
}

/// From 2 on, nodes 1, 3 and 6-7 are free, and 6-7 is a block of d's own level. e finds none left: it waits for 9, or takes
/// 1 and 3 one level up.
#[test]
fn relaxed_jobs_try_their_own_level_first() {
    let jobs = "a 0 1x9; x 0 1x2; b 0 1x9; y 0 1x2; c 0 2x9; d 2 2x9; e 3 2x3";
    check(
        &format!("tree 2x3 contiguous; {jobs}"),
        EASY,
        expect![[r#"
              0    5    10
          0 | aaaaaaaaaeee
          1 | xx.......eee
          2 | bbbbbbbbb...
          3 | yy..........
        4-5 | ccccccccc...
        6-7 | ..ddddddddd.
    "#]],
    );
    check_all(
        &[&format!("tree 2x3 contiguous+1; {jobs}"), &format!("tree 2x3 contiguous+2; {jobs}")],
        &[EASY],
        expect![[r#"
                  0    5    10
              0 | aaaaaaaaa..
              1 | xx.eee.....
              2 | bbbbbbbbb..
              3 | yy.eee.....
            4-5 | ccccccccc..
            6-7 | ..ddddddddd
        "#]],
    );
}

/// From 2 on, nodes 1 and 7 are free, which have no switch in common but the root.
#[test]
fn relaxed_jobs_go_up_so_many_levels_and_no_further() {
    let jobs = "a 0 1x9; x 0 1x2; b 0 2x9; c 0 3x9; d 2 2x3";
    check_all(
        &[&format!("tree 2x3 contiguous; {jobs}"), &format!("tree 2x3 contiguous+1; {jobs}")],
        &[EASY],
        expect![[r#"
                  0    5    10
              0 | aaaaaaaaaddd
              1 | xx.......ddd
            2-3 | bbbbbbbbb...
            4-6 | ccccccccc...
              7 | ............
        "#]],
    );
    check(
        &format!("tree 2x3 contiguous+2; {jobs}"),
        EASY,
        expect![[r#"
              0    5
          0 | aaaaaaaaa
          1 | xxddd....
        2-3 | bbbbbbbbb
        4-6 | ccccccccc
          7 | ..ddd....
    "#]],
    );
}

/// c needs a block of four: 4-7 at 6, when b ends. Until then d may use its nodes 6-7; e may not, for it would outlast 6.
#[test]
fn the_shadow_time_is_when_a_block_becomes_free() {
    check(
        "tree 2x3 contiguous; a 0 4x10; b 0 2x6; c 1 4x5; d 2 2x4; e 3 2x5",
        EASY,
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaaaaaaeeeee
        2-3 | aaaaaaaaaa.....
        4-5 | bbbbbbccccc....
        6-7 | ..ddddccccc....
    "#]],
    );
    check(
        "tree 2x3 contiguous; a 0 4x10; b 0 2x6; c 1 4x5; e 3 2x5; d 4 2x2",
        EASY,
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaaaaaaeeeee
        2-3 | aaaaaaaaaa.....
        4-5 | bbbbbbccccc....
        6-7 | ....ddccccc....
    "#]],
    );
}

/// Both blocks of four become free at 9, the first of them is reserved for d. e and f outlast it, so they must stay off 0-3:
/// they find room on 5 and 6-7, and g none, although 0-1 are free.
#[test]
fn jobs_that_outlast_the_shadow_time_stay_off_the_reserved_nodes() {
    check(
        "tree 2x3 contiguous; a 0 2x4; b 0 2x9; c 0 1x9; d 1 4x3; e 2 1x9; f 5 2x6; g 5 2x6; h 5 2x4",
        EASY,
        expect![[r#"
                  0    5    10   15
            0-1 | aaaa.hhhhddd.....
            2-3 | bbbbbbbbbddd.....
              4 | ccccccccc..gggggg
              5 | ..eeeeeeeeegggggg
            6-7 | .....ffffff......
        "#]],
    );
}

/// c finds a block, 4-7, at 4. By count too it is due at 4, with two extra nodes, the holes 1 and 3, but d takes 6-7 in their
/// place. At 4, enough nodes are free, and d, though not late, is in the way: it is killed, or c waits for it.
#[test]
fn a_shadow_time_that_counts_nodes_does_not_ask_where_they_are() {
    let jobs = "tree 2x3 contiguous; a 0 1x9; p 0 1x1; b 0 1x9; q 0 1x4; x 0 2x4; c 1 4x3; d 2 2x6";
    check(
        jobs,
        EASY,
        expect![[r#"
              0    5    10
          0 | aaaaaaaaa....
          1 | p............
          2 | bbbbbbbbb....
          3 | qqqq.........
        4-5 | xxxxcccdddddd
        6-7 | ....ccc......
    "#]],
    );
    check(
        jobs,
        easy(Overrun::KillBackfilled, Shadow::Count),
        expect![[r#"
              0    5
          0 | aaaaaaaaa
          1 | p........
          2 | bbbbbbbbb
          3 | qqqq.....
        4-5 | xxxxccc..
        6-7 | ..ddccc..
        killed d at 4
    "#]],
    );
    check(
        jobs,
        easy(Overrun::Extend, Shadow::Count),
        expect![[r#"
              0    5    10
          0 | aaaaaaaaa..
          1 | p..........
          2 | bbbbbbbbb..
          3 | qqqq.......
        4-5 | xxxx....ccc
        6-7 | ..ddddddccc
    "#]],
    );
}

/// c's reservation is for 4-7 at 6; f may run there before it, and d and e, which would outlast 6, are to follow a.
#[test]
fn conservative_reservations_are_for_certain_nodes() {
    let jobs = "tree 2x3 contiguous; a 0 4x10; b 0 2x6; c 1 4x5; d 2 2x5; e 3 2x4; f 3 1x3";
    let policies = [
        PolicySpec::Conservative { early_end: EarlyEnd::Compress },
        PolicySpec::Conservative { early_end: EarlyEnd::Replan },
        PolicySpec::Priority { order: Order::Arrival, reservations: Reservations::All },
    ];
    check_all(
        &[jobs],
        &policies,
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaaaaaaddddd
        2-3 | aaaaaaaaaaeeee.
        4-5 | bbbbbbccccc....
          6 | ...fffccccc....
          7 | ......ccccc....
    "#]],
    );
}
