//! Time slicing, worked out by hand: jobs in the slices of other classes. Of every hundred seconds the long slice is 0–50, the
//! medium one 50–80 and the short one 80–100 where the shares are 50 30 20, and loads take no time.

use crate::naive::time_sliced::Class;
use crate::sliced::{Sliced, check};
use expect_test::expect;

/// d would need two seconds of the next short slice, and the only free node belongs to b, which will want it then. At 150 it is
/// offered another.
#[test]
fn no_start_on_a_node_of_the_own_class() {
    check(
        "3 50 30 20 free-transfer; a 80 1x3/0; b 80 2x29/0; c 85 2x60/0; d 140 1x12/0",
        expect![[r#"
               80 a runs 3 on 0
               80 b runs 29 on 1 2
               83 a ends
              100 b is preempted
              100 c runs 60 on 0 1
              150 b runs 9 on 1 2
              150 c is preempted
              150 d runs 12 on 0
              159 b ends
              162 c runs 10 on 0 1
              162 d ends
              172 c ends
            a short 80-83 load 0 swap 0
            b short 80-159 load 0 swap 0
            c long 100-172 load 0 swap 0
            d short 150-162 load 0 swap 0
        "#]],
    );
}

/// As above, but d is done exactly when the slice ends.
#[test]
fn except_by_a_job_that_is_gone_before_the_switch() {
    check(
        "3 50 30 20 free-transfer; a 80 1x3/0; b 80 2x29/0; c 85 2x60/0; d 140 1x10/0",
        expect![[r#"
               80 a runs 3 on 0
               80 b runs 29 on 1 2
               83 a ends
              100 b is preempted
              100 c runs 60 on 0 1
              140 d runs 10 on 2
              150 b runs 9 on 1 2
              150 c is preempted
              150 d ends
              159 b ends
              159 c runs 10 on 0 1
              169 c ends
            a short 80-83 load 0 swap 0
            b short 80-159 load 0 swap 0
            c long 100-169 load 0 swap 0
            d short 140-150 load 0 swap 0
        "#]],
    );
}

/// At 45, d would take 23 seconds of short slices, of which b holds the first 20 and c the next 10. At 50 it is done before the
/// slice ends.
#[test]
fn a_start_in_another_slice_delays_nobody_of_its_class() {
    check(
        "3 50 30 20 free-transfer; a 0 2x100/0; b 30 2x20/0; c 31 3x10/0; d 45 1x28/0",
        expect![[r#"
                0 a runs 100 on 0 1
               50 d runs 28 on 2
               78 d ends
               80 a is preempted
               80 b runs 20 on 0 1
              100 a runs 20 on 0 1
              100 b ends
              120 a ends
              120 c runs 10 on 0 1 2
              130 c ends
            a long 0-120 load 0 swap 0
            b short 80-100 load 0 swap 0
            c short 120-130 load 0 swap 0
            d short 50-78 load 0 swap 0
        "#]],
    );
}

#[test]
fn under_easy_it_may_delay_all_but_the_first() {
    check(
        "3 50 30 20 free-transfer easy; a 0 2x100/0; b 30 2x20/0; c 31 3x10/0; d 45 1x28/0",
        expect![[r#"
                0 a runs 100 on 0 1
               45 d runs 28 on 2
               73 d ends
               80 a is preempted
               80 b runs 20 on 0 1
              100 a runs 20 on 0 1
              100 b ends
              120 a ends
              120 c runs 10 on 0 1 2
              130 c ends
            a long 0-120 load 0 swap 0
            b short 80-100 load 0 swap 0
            c short 120-130 load 0 swap 0
            d short 45-73 load 0 swap 0
        "#]],
    );
}

#[test]
fn preempted_jobs_come_before_shorter_ones_that_wait() {
    check(
        "1 50 30 20 free-transfer; a 60 1x40/0; b 70 1x29/0; c 101 1x5/0",
        expect![[r#"
               60 a runs 40 on 0
               80 a is preempted
               80 b runs 29 on 0
              109 a runs 20 on 0
              109 b ends
              129 a ends
              129 c runs 5 on 0
              134 c ends
            a medium 60-129 load 0 swap 0
            b short 80-109 load 0 swap 0
            c short 129-134 load 0 swap 0
        "#]],
    );
}

#[test]
fn shorter_ones_that_wait_come_first() {
    check(
        "1 50 30 20 free-transfer; a 0 1x40/0; b 0 1x5/0",
        expect![[r#"
                0 b runs 5 on 0
                5 a runs 40 on 0
                5 b ends
               45 a ends
            a medium 5-45 load 0 swap 0
            b short 0-5 load 0 swap 0
        "#]],
    );
}

#[test]
fn without_starts_in_other_slices_nodes_stay_empty() {
    check(
        "1 50 30 20 free-transfer own-only; a 0 1x60/0",
        expect![[r#"
                0 a runs 60 on 0
               50 a is preempted
              100 a runs 10 on 0
              110 a ends
            a long 0-110 load 0 swap 0
        "#]],
    );
}

/// In the second interval only long and short jobs are there: 50 to 20 of a hundred seconds are 71.4.
#[test]
fn adaptive_shares_leave_out_classes_without_jobs() {
    check(
        "1 50 30 20 free-transfer adaptive; a 0 1x300/0; b 90 1x29/0",
        expect![[r#"
                0 a runs 300 on 0
              171 a is preempted
              171 b runs 29 on 0
              200 a runs 129 on 0
              200 b ends
              329 a ends
            a long 0-329 load 0 swap 0
            b short 171-200 load 0 swap 0
        "#]],
    );
}

#[test]
fn a_class_without_a_slice_runs_in_those_of_others() {
    check(
        "1 50 0 50 free-transfer; a 0 1x60/0; b 0 1x40/0",
        expect![[r#"
                0 a runs 60 on 0
               60 a ends
               60 b runs 40 on 0
              100 b ends
            a long 0-60 load 0 swap 0
            b medium 60-100 load 0 swap 0
        "#]],
    );
}

#[test]
fn slices_begin_at_rounded_shares() {
    let scene = Sliced::parse("1 33.3 33.3 33.4 free-transfer; a 0 1x110/0");
    let began = [(0, Class::Long), (33, Class::Medium), (67, Class::Short), (100, Class::Long)];
    assert_eq!(scene.run().slices, began);
}

/// The third interval sees a alone.
#[test]
fn adaptive_slices_are_decided_when_the_interval_begins() {
    let scene = Sliced::parse("1 50 30 20 free-transfer adaptive; a 0 1x300/0; b 90 1x29/0");
    let began = [(0, Class::Long), (100, Class::Long), (171, Class::Short), (200, Class::Long)];
    assert_eq!(scene.run().slices, [&began[..], &[(300, Class::Long)]].concat());
}

/// At 0, b is to have all nodes at 52, which c would delay. Then d is given one until 60, so that at 1, when a is loaded and nothing
/// else happens, c is in nobody's way.
#[test]
fn a_start_in_another_slice_may_make_room_for_one_in_its_own() {
    check(
        "4 100 0 0; a 0 2x51/40; b 0 4x60/0; c 0 1x56/0; d 0 1x50/400",
        expect![[r#"
                0 a loads 1 on 0 1
                0 d loads 10 on 2
                1 a runs 51 on 0 1
                1 c runs 56 on 3
               10 d runs 50 on 2
               52 a ends
               57 c ends
               60 b runs 60 on 0 1 2 3
               60 d ends
              120 b ends
            a long 0-52 load 1 swap 0
            b long 60-120 load 0 swap 0
            c long 1-57 load 0 swap 0
            d medium 0-60 load 10 swap 0
        "#]],
    );
}

/// Of the second interval, 3 parts of 8 are 37.5 seconds.
#[test]
fn halves_of_seconds_are_rounded_up() {
    check(
        "1 20 30 50 free-transfer adaptive; a 90 1x40/0; b 90 1x29/0",
        expect![[r#"
               90 b runs 29 on 0
              100 a runs 40 on 0
              100 b is preempted
              138 a is preempted
              138 b runs 19 on 0
              157 a runs 2 on 0
              157 b ends
              159 a ends
            a medium 100-159 load 0 swap 0
            b short 90-157 load 0 swap 0
        "#]],
    );
}
