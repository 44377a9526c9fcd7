//! Which nodes starting jobs get under time slicing, worked out by hand. Of every hundred seconds the long slice is 0–50, the medium one 50–80 and
//! the short one 80–100 where the shares are 50 30 20; a second moves 40 of a node's 400.

use crate::sliced::check;
use expect_test::expect;

#[test]
fn the_lowest_free_nodes_may_belong_to_another_slice() {
    check(
        "2 50 30 20 free-transfer; a 0 1x60/0; b 50 1x40/0",
        expect![[r#"
                0 a runs 60 on 0
               50 a is preempted
               50 b runs 40 on 0
               90 a runs 10 on 0
               90 b ends
              100 a ends
            a long 0-100 load 0 swap 0
            b medium 50-90 load 0 swap 0
        "#]],
    );
}

#[test]
fn intelligent_selection_avoids_nodes_of_other_jobs() {
    check(
        "2 50 30 20 free-transfer intelligent; a 0 1x60/0; b 50 1x40/0",
        expect![[r#"
                0 a runs 60 on 0
               50 b runs 40 on 1
               60 a ends
               90 b ends
            a long 0-60 load 0 swap 0
            b medium 50-90 load 0 swap 0
        "#]],
    );
}

/// At 50 the nodes have 360, 280, 280 and 400 free.
#[test]
fn best_fit_takes_the_fullest_node_that_fits() {
    check(
        "4 50 30 20 fit=best,best; a 0 1x200/40; b 0 1x200/120; c 0 1x200/120; d 50 1x30/240",
        expect![[r#"
                0 a loads 1 on 0
                0 b loads 3 on 1
                0 c loads 3 on 2
                1 a runs 200 on 0
                3 b runs 200 on 1
                3 c runs 200 on 2
               50 b is preempted
               50 d loads 6 on 1
               56 d runs 30 on 1
               86 b runs 153 on 1
               86 d ends
              201 a ends
              203 c ends
              239 b ends
            a long 0-201 load 1 swap 0
            b long 0-239 load 3 swap 0
            c long 0-203 load 3 swap 0
            d medium 50-86 load 6 swap 0
        "#]],
    );
}

/// Of equally empty nodes the last. At 50 the nodes have 400, 280, 280 and 360 free.
#[test]
fn worst_fit_is_best_fit_from_the_back() {
    check(
        "4 50 30 20 fit=worst,worst; a 0 1x200/40; b 0 1x200/120; c 0 1x200/120; d 50 3x30/240",
        expect![[r#"
                0 a loads 1 on 3
                0 b loads 3 on 2
                0 c loads 3 on 1
                1 a runs 200 on 3
                3 b runs 200 on 2
                3 c runs 200 on 1
               50 a is preempted
               50 b is preempted
               50 d loads 6 on 0 2 3
               56 d runs 30 on 0 2 3
               86 a runs 151 on 3
               86 b runs 153 on 2
               86 d ends
              203 c ends
              237 a ends
              239 b ends
            a long 0-237 load 1 swap 0
            b long 0-239 load 3 swap 0
            c long 0-203 load 3 swap 0
            d medium 50-86 load 6 swap 0
        "#]],
    );
}

/// d fits on node 3 alone, and needs two. The others are ranked by the rests of a, b and c, which are 151, 153 and 103; node 3 is
/// left to others.
#[test]
fn nodes_that_do_not_fit_go_by_the_time_until_they_do() {
    check(
        "4 50 30 20 fit=best,worst; a 0 1x200/40; b 0 1x200/120; c 0 1x150/120; d 50 2x30/400",
        expect![[r#"
                0 a loads 1 on 0
                0 b loads 3 on 1
                0 c loads 3 on 2
                1 a runs 200 on 0
                3 b runs 200 on 1
                3 c runs 150 on 2
               50 a is preempted
               50 c is preempted
               50 d loads 10 on 0 2
               60 a is swapped out, 1
               60 c is swapped out, 3
               60 d runs 30 on 0 2
               90 a loads 1 on 0
               90 c loads 3 on 2
               90 d ends
               91 a runs 152 on 0
               93 c runs 106 on 2
              199 c ends
              203 b ends
              243 a ends
            a long 0-243 load 2 swap 1
            b long 0-203 load 3 swap 0
            c long 0-199 load 6 swap 3
            d medium 50-90 load 10 swap 0
        "#]],
    );
}

/// Every node has less memory promised than d needs, and none of it on node 3.
#[test]
fn as_printed_empty_nodes_do_not_fit() {
    check(
        "4 50 30 20 fit=best,worst unfit-as-printed; a 0 1x200/40; b 0 1x200/120; c 0 1x150/120; d 50 2x30/400",
        expect![[r#"
                0 a loads 1 on 0
                0 b loads 3 on 1
                0 c loads 3 on 2
                1 a runs 200 on 0
                3 b runs 200 on 1
                3 c runs 150 on 2
               50 c is preempted
               50 d loads 10 on 2 3
               60 c is swapped out, 3
               60 d runs 30 on 2 3
               90 c loads 3 on 2
               90 d ends
               93 c runs 106 on 2
              199 c ends
              201 a ends
              203 b ends
            a long 0-201 load 1 swap 0
            b long 0-203 load 3 swap 0
            c long 0-199 load 6 swap 3
            d medium 50-90 load 10 swap 0
        "#]],
    );
}

/// d needs three nodes. It fits on 0 and 3, so it gets 1 and 2, and of the others the emptier one.
#[test]
fn the_rest_goes_by_the_second_fit() {
    check(
        "4 50 30 20 fit=best,worst; a 0 1x200/40; b 0 1x200/120; c 0 1x200/120; d 50 3x30/360",
        expect![[r#"
                0 a loads 1 on 0
                0 b loads 3 on 1
                0 c loads 3 on 2
                1 a runs 200 on 0
                3 b runs 200 on 1
                3 c runs 200 on 2
               50 b is preempted
               50 c is preempted
               50 d loads 9 on 1 2 3
               59 b is swapped out, 2
               59 c is swapped out, 2
               59 d runs 30 on 1 2 3
               89 b loads 2 on 1
               89 c loads 2 on 2
               89 d ends
               91 b runs 155 on 1
               91 c runs 155 on 2
              201 a ends
              246 b ends
              246 c ends
            a long 0-201 load 1 swap 0
            b long 0-246 load 5 swap 2
            c long 0-246 load 5 swap 2
            d medium 50-89 load 9 swap 0
        "#]],
    );
}

/// At 80 both jobs on a node must be gone before e fits with the rest of them; a's rest on node 0 is 355 and b's on node 1 is
/// 255.
#[test]
fn it_fits_when_the_last_that_must_go_is_gone() {
    check(
        "2 50 30 20 fit=best,best; a 0 1x400/200; b 0 1x300/200; c 50 1x40/40; d 50 1x50/40; e 80 1x10/400",
        expect![[r#"
                0 a loads 5 on 0
                0 b loads 5 on 1
                5 a runs 400 on 0
                5 b runs 300 on 1
               50 a is preempted
               50 b is preempted
               50 c loads 1 on 0
               50 d loads 1 on 1
               51 c runs 40 on 0
               51 d runs 50 on 1
               80 d is preempted
               80 e loads 10 on 1
               90 b is swapped out, 5
               90 d is swapped out, 1
               90 e runs 10 on 1
               91 a runs 355 on 0
               91 c ends
              100 b loads 5 on 1
              100 e ends
              105 b runs 260 on 1
              150 b is preempted
              150 d loads 1 on 1
              151 d runs 22 on 1
              173 b runs 215 on 1
              173 d ends
              388 b ends
              446 a ends
            a long 0-446 load 5 swap 0
            b long 0-388 load 10 swap 5
            c medium 50-91 load 1 swap 0
            d medium 50-173 load 2 swap 1
            e short 80-100 load 10 swap 0
        "#]],
    );
}

/// As above, but the soonest to go are c on node 0 after 11 seconds and d on node 1 after 21.
#[test]
fn or_when_the_first_that_can_go_is_gone() {
    check(
        "2 50 30 20 fit=best,best soonest-release; a 0 1x400/200; b 0 1x300/200; c 50 1x40/40; d 50 1x50/40; e 80 1x10/400",
        expect![[r#"
                0 a loads 5 on 0
                0 b loads 5 on 1
                5 a runs 400 on 0
                5 b runs 300 on 1
               50 a is preempted
               50 b is preempted
               50 c loads 1 on 0
               50 d loads 1 on 1
               51 c runs 40 on 0
               51 d runs 50 on 1
               80 c is preempted
               80 e loads 10 on 0
               90 a is swapped out, 5
               90 c is swapped out, 1
               90 e runs 10 on 0
              100 a loads 5 on 0
              100 b runs 255 on 1
              100 d is preempted
              100 e ends
              105 a runs 360 on 0
              150 a is preempted
              150 b is preempted
              150 c loads 1 on 0
              150 d runs 1 on 1
              151 b runs 205 on 1
              151 c runs 12 on 0
              151 d ends
              163 a runs 315 on 0
              163 c ends
              356 b ends
              478 a ends
            a long 0-478 load 10 swap 5
            b long 0-356 load 5 swap 0
            c medium 50-163 load 2 swap 1
            d medium 50-151 load 1 swap 0
            e short 80-100 load 10 swap 0
        "#]],
    );
}

/// 440 of node 0 are claimed at 80, so nothing fits there, not even c, which needs no memory.
#[test]
fn nothing_fits_where_more_is_claimed_than_there_is() {
    check(
        "2 50 30 20 fit=first,first; a 0 1x200/400; b 50 2x40/40; c 80 1x5/0",
        expect![[r#"
                0 a loads 10 on 0
               10 a runs 200 on 0
               50 a is preempted
               50 b loads 1 on 0 1
               51 a is swapped out, 1
               51 b runs 40 on 0 1
               80 a loads 1 on 0
               80 b is preempted
               80 c runs 5 on 1
               81 a runs 161 on 0
               81 b is swapped out, 1
               85 c ends
              150 a is preempted
              150 b loads 1 on 0 1
              151 a is swapped out, 1
              151 b runs 12 on 0 1
              163 a loads 1 on 0
              163 b ends
              164 a runs 93 on 0
              257 a ends
            a long 0-257 load 12 swap 2
            b medium 50-163 load 2 swap 1
            c short 80-85 load 0 swap 0
        "#]],
    );
}
