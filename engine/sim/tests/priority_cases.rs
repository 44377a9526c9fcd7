//! Priority backfilling, worked out by hand: orders, ties and numbers of reservations.

use crate::scene::{check, check_all};
use expect_test::expect;
use sim::PolicySpec;
use sim::policy::{Order, Reservations};

fn priority(order: Order, reservations: Reservations) -> PolicySpec {
    PolicySpec::Priority { order, reservations }
}

/// Five jobs wait for four nodes; letters in the order of their arrival.
const LINE: &str = "nodes 4; a 0 4x5; b 1 2x3/6; c 1 4x2/2; d 2 3x3/6; e 3 4x4/4; f 4 1x2/9";

#[test]
fn shortest_first_goes_by_estimate() {
    check(
        LINE,
        priority(Order::ShortestFirst, Reservations::All),
        expect![[r#"
              0    5    10   15
        0-1 | aaaaacceeeebbbddd
          2 | aaaaacceeeeff.ddd
          3 | aaaaacceeee......
    "#]],
    );
}

#[test]
fn smallest_first_goes_by_nodes() {
    check(
        LINE,
        priority(Order::SmallestFirst, Reservations::All),
        expect![[r#"
              0    5    10   15
          0 | aaaaaff.dddcceeee
        1-2 | aaaaabbbdddcceeee
          3 | aaaaa......cceeee
    "#]],
    );
}

#[test]
fn largest_first_goes_by_nodes() {
    check(
        LINE,
        priority(Order::LargestFirst, Reservations::All),
        expect![[r#"
              0    5    10   15
        0-1 | aaaaacceeeedddbbb
          2 | aaaaacceeeeddd...
          3 | aaaaacceeeeff....
    "#]],
    );
}

#[test]
fn largest_expansion_first_goes_by_wait_over_estimate() {
    check(
        LINE,
        priority(Order::LargestExpansionFirst, Reservations::All),
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaccbbbeeeeddd
          2 | aaaaacc...eeeeddd
          3 | aaaaacc...eeeeff.
    "#]],
    );
}

#[test]
fn a_weight_on_expansion_is_largest_expansion_first() {
    let weighted = Order::Weighted { wait: 0.0, expansion: 0.5, nodes: 0.0, memory: 0.0, larger: 0.0 };
    check(
        LINE,
        priority(weighted, Reservations::All),
        expect![[r#"
              0    5    10   15
        0-1 | aaaaaccbbbeeeeddd
          2 | aaaaacc...eeeeddd
          3 | aaaaacc...eeeeff.
    "#]],
    );
}

#[test]
fn weights_of_zero_are_arrival_order() {
    let weighted = Order::Weighted { wait: 0.0, expansion: 0.0, nodes: 0.0, memory: 0.0, larger: 0.0 };
    let policies = [weighted, Order::Arrival].map(|order| priority(order, Reservations::All));
    check_all(
        &[LINE],
        &policies,
        expect![[r#"
            0    5    10   15
        0 | aaaaabbbccdddeeeeff
        1 | aaaaabbbccdddeeee..
        2 | aaaaa...ccdddeeee..
        3 | aaaaa...cc...eeee..
    "#]],
    );
}

#[test]
fn a_weight_on_nodes_is_largest_first() {
    let weighted = Order::Weighted { wait: 0.0, expansion: 0.0, nodes: 2.0, memory: 0.0, larger: 0.0 };
    check(
        LINE,
        priority(weighted, Reservations::All),
        expect![[r#"
              0    5    10   15
        0-1 | aaaaacceeeedddbbb
          2 | aaaaacceeeeddd...
          3 | aaaaacceeeeff....
    "#]],
    );
}

/// The wait counts in hours, so that b's one node more outweighs the 3 s that c has waited longer, unless those weigh 3600 times more.
#[test]
fn waits_are_weighed_in_hours() {
    let jobs = "nodes 2; a 0 2x5; c 1 1x5; b 4 2x5";
    check(
        jobs,
        priority(
            Order::Weighted { wait: 1.0, expansion: 0.0, nodes: 1.0, memory: 0.0, larger: 0.0 },
            Reservations::AtMost(0),
        ),
        expect![[r#"
            0    5    10   15
        0 | aaaaabbbbbccccc
        1 | aaaaabbbbb.....
    "#]],
    );
    check(
        jobs,
        priority(
            Order::Weighted { wait: 3600.0, expansion: 0.0, nodes: 1.0, memory: 0.0, larger: 0.0 },
            Reservations::AtMost(0),
        ),
        expect![[r#"
                0    5    10   15
            0 | aaaaacccccbbbbb
            1 | aaaaa.....bbbbb
        "#]],
    );
}

/// Equal estimates: b before c before d, whatever their sizes.
#[test]
fn ties_go_to_the_earlier_arrival() {
    let jobs = "nodes 2; a 0 2x5; b 1 2x3; c 1 1x3; d 1 1x3; e 2 2x3";
    let policies = [Order::ShortestFirst, Order::Arrival].map(|order| priority(order, Reservations::All));
    check_all(
        &[jobs],
        &policies,
        expect![[r#"
            0    5    10
        0 | aaaaabbbccceee
        1 | aaaaabbbdddeee
    "#]],
    );
}

/// Without a reservation b waits for d, then for e and f, which started whenever nodes were free, then for c.
const GREEDY: &str = "nodes 4; a 0 2x6; b 1 4x3; c 2 3x4; d 3 2x9; e 4 1x14; f 5 1x12";

#[test]
fn without_reservations_the_queue_is_scanned_greedily() {
    check(
        GREEDY,
        priority(Order::Arrival, Reservations::AtMost(0)),
        expect![[r#"
              0    5    10   15   20   25
          0 | aaaaaaeeeeeeeeeeeeee..bbb
          1 | aaaaaaffffffffffffccccbbb
        2-3 | ...ddddddddd......ccccbbb
    "#]],
    );
}

#[test]
fn a_reservation_protects_the_first() {
    check(
        GREEDY,
        priority(Order::Arrival, Reservations::AtMost(1)),
        expect![[r#"
              0    5    10   15   20   25
        0-1 | aaaaaabbbccccddddddddd...
          2 | ......bbbccccffffffffffff
          3 | ......bbbeeeeeeeeeeeeee..
    "#]],
    );
}

/// b is due at 6 on four of the six nodes. c, at 10, has no room beside both e and f, and d, at 13, beside neither.
const PROTECTED: &str = "nodes 6; a 0 4x6; b 1 4x4; c 2 5x3; d 3 6x2; e 4 1x20; f 5 1x20";

#[test]
fn one_reservation_protects_one() {
    check(
        PROTECTED,
        priority(Order::Arrival, Reservations::AtMost(1)),
        expect![[r#"
              0    5    10   15   20   25
        0-3 | aaaaaabbbb..............cccdd
          4 | ....eeeeeeeeeeeeeeeeeeeecccdd
          5 | .....ffffffffffffffffffff..dd
    "#]],
    );
}

#[test]
fn two_reservations_protect_two() {
    check(
        PROTECTED,
        priority(Order::Arrival, Reservations::AtMost(2)),
        expect![[r#"
              0    5    10   15   20   25   30   35   40   45
          0 | aaaaaabbbbccc...........ddffffffffffffffffffff
        1-3 | aaaaaabbbbccc...........dd....................
          4 | ....eeeeeeeeeeeeeeeeeeeedd....................
          5 | ..........ccc...........dd....................
    "#]],
    );
}

#[test]
fn three_reservations_protect_three_as_do_reservations_for_all() {
    let policies =
        [Reservations::AtMost(3), Reservations::All].map(|number| priority(Order::Arrival, number));
    check_all(
        &[PROTECTED],
        &policies,
        expect![[r#"
              0    5    10   15   20   25   30   35
          0 | aaaaaabbbbcccddeeeeeeeeeeeeeeeeeeee
          1 | aaaaaabbbbcccddffffffffffffffffffff
        2-3 | aaaaaabbbbcccdd....................
          4 | ..........cccdd....................
          5 | .............dd....................
    "#]],
    );
}

/// The reservations go to the jobs of highest priority: here to d, the shortest, and not to b.
#[test]
fn reservations_follow_the_order() {
    check(
        PROTECTED,
        priority(Order::ShortestFirst, Reservations::AtMost(1)),
        expect![[r#"
              0    5    10   15   20   25   30
        0-3 | aaaaaaddcccbbbb................
          4 | ......ddcccffffffffffffffffffff
          5 | ......ddeeeeeeeeeeeeeeeeeeee...
    "#]],
    );
}
