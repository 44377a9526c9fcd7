//! Time slicing with node memory, worked out by hand. Of every hundred seconds the long slice is 0–50, the medium one 50–80 and
//! the short one 80–100 where the shares are 50 30 20; a second moves 40 of a node's 400.

use crate::sliced::check;
use expect_test::expect;

/// c and b displace parts of a, each at the end of its own load. a resumes when all its nodes are free, in the slice of another
/// class, and its load takes as long as on the node that misses most.
#[test]
fn the_displaced_pay_at_the_end_of_the_load() {
    check(
        "2 50 30 20; a 0 2x60/400; b 1 1x30/200; c 2 1x5/120",
        expect![[r#"
                0 a loads 10 on 0 1
               10 a runs 60 on 0 1
               50 a is preempted
               50 b loads 5 on 0
               50 c loads 3 on 1
               53 a is swapped out, 3
               53 c runs 5 on 1
               55 a is swapped out, 5
               55 b runs 30 on 0
               58 c ends
               85 a loads 5 on 0 1
               85 b ends
               90 a runs 28 on 0 1
              118 a ends
            a long 0-118 load 15 swap 8
            b medium 50-85 load 5 swap 0
            c short 50-58 load 3 swap 0
        "#]],
    );
}

/// Two jobs that displace a at once charge it twice, each for its own nodes.
#[test]
fn charges_of_one_instant_add_up() {
    check(
        "2 50 30 20; a 0 2x60/400; b 1 1x30/200; c 2 1x30/200",
        expect![[r#"
                0 a loads 10 on 0 1
               10 a runs 60 on 0 1
               50 a is preempted
               50 b loads 5 on 0
               50 c loads 5 on 1
               55 a is swapped out, 5
               55 a is swapped out, 5
               55 b runs 30 on 0
               55 c runs 30 on 1
               85 a loads 5 on 0 1
               85 b ends
               85 c ends
               90 a runs 30 on 0 1
              120 a ends
            a long 0-120 load 15 swap 10
            b medium 50-85 load 5 swap 0
            c medium 50-85 load 5 swap 0
        "#]],
    );
}

/// d, to be done at 33, would delay c, the second of those who wait.
#[test]
fn every_job_that_waits_holds_its_nodes() {
    check(
        "4 0 0 100; a 0 2x20/40; b 1 3x10/40; c 2 4x5/40; d 3 1x29/40",
        expect![[r#"
                0 a loads 1 on 0 1
                1 a runs 20 on 0 1
               21 a ends
               21 b loads 1 on 0 1 2
               22 b runs 10 on 0 1 2
               32 b ends
               32 c loads 1 on 0 1 2 3
               33 c runs 5 on 0 1 2 3
               38 c ends
               38 d loads 1 on 0
               39 d runs 29 on 0
               68 d ends
            a short 0-21 load 1 swap 0
            b short 21-32 load 1 swap 0
            c short 32-38 load 1 swap 0
            d short 38-68 load 1 swap 0
        "#]],
    );
}

/// As above, but only b, the first of those who wait, must not be delayed.
#[test]
fn under_easy_only_the_first_that_waits_holds_its_nodes() {
    check(
        "4 0 0 100 easy; a 0 2x20/40; b 1 3x10/40; c 2 4x5/40; d 3 1x29/40",
        expect![[r#"
                0 a loads 1 on 0 1
                1 a runs 20 on 0 1
                3 d loads 1 on 2
                4 d runs 29 on 2
               21 a ends
               21 b loads 1 on 0 1 3
               22 b runs 10 on 0 1 3
               32 b ends
               33 c loads 1 on 0 1 2 3
               33 d ends
               34 c runs 5 on 0 1 2 3
               39 c ends
            a short 0-21 load 1 swap 0
            b short 21-32 load 1 swap 0
            c short 33-39 load 1 swap 0
            d short 3-33 load 1 swap 0
        "#]],
    );
}

/// The 6 seconds count as overhead, and all of a is loaded anew.
#[test]
fn a_switch_interrupts_a_load() {
    check(
        "1 50 50 0; a 44 1x60/400; b 45 1x49/80",
        expect![[r#"
               44 a loads 10 on 0
               50 a is preempted
               50 b loads 2 on 0
               52 b runs 49 on 0
              100 a loads 10 on 0
              100 b is preempted
              110 a runs 60 on 0
              110 b is swapped out, 2
              150 a is preempted
              150 b loads 2 on 0
              152 a is swapped out, 2
              152 b runs 3 on 0
              155 a loads 2 on 0
              155 b ends
              157 a runs 22 on 0
              179 a ends
            a long 44-179 load 18 swap 2
            b medium 50-155 load 4 swap 2
        "#]],
    );
}

/// a is resident when b takes its node, so most of it stays.
#[test]
fn a_load_that_ends_at_the_switch_is_done() {
    check(
        "1 50 50 0; a 40 1x60/400; b 45 1x49/80",
        expect![[r#"
               40 a loads 10 on 0
               50 a runs 60 on 0
               50 a is preempted
               50 b loads 2 on 0
               52 a is swapped out, 2
               52 b runs 49 on 0
              100 a loads 2 on 0
              100 b is preempted
              102 a runs 62 on 0
              102 b is swapped out, 2
              150 a is preempted
              150 b loads 2 on 0
              152 a is swapped out, 2
              152 b runs 3 on 0
              155 a loads 2 on 0
              155 b ends
              157 a runs 16 on 0
              173 a ends
            a long 40-173 load 14 swap 4
            b medium 50-155 load 4 swap 2
        "#]],
    );
}

/// Nobody wants the node at 50. b comes too late: inside a slice nobody is evicted.
#[test]
fn a_load_goes_on_across_the_switch() {
    check(
        "1 50 50 0; a 44 1x60/400; b 52 1x30/80",
        expect![[r#"
               44 a loads 10 on 0
               54 a runs 60 on 0
              114 a ends
              114 b loads 2 on 0
              116 b runs 30 on 0
              146 b ends
            a long 44-114 load 10 swap 0
            b medium 114-146 load 2 swap 0
        "#]],
    );
}

/// c must make room in three turns: the oldest goes first, and only as far as needed. Who comes back becomes the newest, so that
/// at 102 it is b, and at 152 it is c that gives way.
#[test]
fn the_oldest_gives_way_first() {
    check(
        "1 50 30 20; a 0 1x100/160; b 20 1x45/160; c 60 1x20/160",
        expect![[r#"
                0 a loads 4 on 0
                4 a runs 100 on 0
               50 a is preempted
               50 b loads 4 on 0
               54 b runs 45 on 0
               80 b is preempted
               80 c loads 4 on 0
               84 a is swapped out, 2
               84 c runs 20 on 0
              100 a loads 2 on 0
              100 c is preempted
              102 a runs 56 on 0
              102 b is swapped out, 2
              150 a is preempted
              150 b loads 2 on 0
              152 b runs 21 on 0
              152 c is swapped out, 2
              173 b ends
              173 c loads 2 on 0
              175 c runs 6 on 0
              181 a runs 8 on 0
              181 c ends
              189 a ends
            a long 0-189 load 6 swap 2
            b medium 50-173 load 6 swap 2
            c short 80-181 load 6 swap 2
        "#]],
    );
}

/// At 90 c displaces both, who both pay.
#[test]
fn everyone_displaced_pays() {
    check(
        "1 50 30 20; a 0 1x100/160; b 20 1x45/160; c 60 1x20/400",
        expect![[r#"
                0 a loads 4 on 0
                4 a runs 100 on 0
               50 a is preempted
               50 b loads 4 on 0
               54 b runs 45 on 0
               80 b is preempted
               80 c loads 10 on 0
               90 a is swapped out, 4
               90 b is swapped out, 4
               90 c runs 20 on 0
              100 a loads 4 on 0
              100 c is preempted
              104 a runs 58 on 0
              104 c is swapped out, 4
              150 a is preempted
              150 b loads 4 on 0
              154 b runs 23 on 0
              154 c is swapped out, 4
              177 b ends
              177 c loads 8 on 0
              185 a is swapped out, 4
              185 c runs 18 on 0
              200 a loads 4 on 0
              200 c is preempted
              204 a runs 16 on 0
              204 c is swapped out, 4
              220 a ends
              220 c loads 4 on 0
              224 c runs 7 on 0
              231 c ends
            a long 0-220 load 12 swap 8
            b medium 50-177 load 8 swap 4
            c short 80-231 load 22 swap 12
        "#]],
    );
}

/// As printed, only b pays at 90, the last that had to go, and what it is charged for is what is left of it: at 150 nothing of it
/// is missing, although 160 of c lie there beside 160 of each of the others.
#[test]
fn as_printed_only_the_last_displaced_pays() {
    check(
        "1 50 30 20 last-displaced; a 0 1x100/160; b 20 1x45/160; c 60 1x20/400",
        expect![[r#"
                0 a loads 4 on 0
                4 a runs 100 on 0
               50 a is preempted
               50 b loads 4 on 0
               54 b runs 45 on 0
               80 b is preempted
               80 c loads 10 on 0
               90 b is swapped out, 4
               90 c runs 20 on 0
              100 a loads 4 on 0
              100 c is preempted
              104 a runs 54 on 0
              104 c is swapped out, 4
              150 a is preempted
              150 b runs 23 on 0
              173 b ends
              173 c loads 6 on 0
              179 a is swapped out, 4
              179 c runs 14 on 0
              193 a runs 12 on 0
              193 c ends
              205 a ends
            a long 0-205 load 8 swap 4
            b medium 50-173 load 4 swap 4
            c short 80-193 load 16 swap 4
        "#]],
    );
}
