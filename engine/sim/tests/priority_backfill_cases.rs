//! Priority backfilling on hosts: schedules worked out by hand.

use crate::scene::{Scene, check, check_all};
use expect_test::expect;
use sim::PolicySpec;
use sim::policy::{Holders, Order, Reservations, Slide};

const fn backfill(order: Order, reservations: u32, holders: Holders, slide: Slide) -> PolicySpec {
    PolicySpec::PriorityBackfill {
        order,
        reservations: Reservations::AtMost(reservations),
        holders,
        slide,
        grace_s: 0,
        immediate_service: None,
    }
}

const fn dynamic(order: Order) -> PolicySpec {
    backfill(order, 1, Holders::DynamicJob, Slide::Sliding)
}

/// a and b hold a host each. c has its reservation on A, which is expected to be free at 6. d would hold memory of A beyond that, e ends in
/// time. At 9 both hosts hold d and f, and B has fewer free processors.
#[test]
fn a_reservation_is_on_the_host_with_the_earliest_start() {
    check(
        "hosts 6@8,4@8; a 0 5x6@1; b 0 4x9@1; c 1 4x3@7; d 2 1x9@2; e 3 1x3@2; f 9 1x1@1",
        dynamic(Order::Arrival),
        expect![[r#"
                  0    5    10   15
            0-3 | aaaaaaccc.........
              4 | aaaaaa............
              5 | ...eee............
              6 | bbbbbbbbbddddddddd
              7 | bbbbbbbbbf........
            8-9 | bbbbbbbbb.........
        "#]],
    );
}

/// The reservation of b leaves a processor, but not the memory that c asks for beyond 5; d asks for less.
#[test]
fn a_backfilled_job_leaves_processors_and_memory_to_the_reservation() {
    check(
        "hosts 4@8; a 0 3x5@4; b 1 3x5@6; c 2 1x9@3; d 3 1x9@2",
        dynamic(Order::Arrival),
        expect![[r#"
              0    5    10   15
          0 | aaaaabbbbbccccccccc
        1-2 | aaaaabbbbb.........
          3 | ...ddddddddd.......
    "#]],
    );
}

/// Under SJF shorter jobs than b come and start before it, until none is left at 11. If it keeps the reservation that it got at 1, it starts at 4;
/// then c, waiting alone, gets one, and keeps it too.
#[test]
fn a_fixed_job_keeps_its_reservation_when_shorter_jobs_come() {
    let text = "hosts 2@8; a 0 1x4; b 1 2x9; c 2 1x5; d 5 1x4; e 8 1x3";
    check(
        text,
        dynamic(Order::ShortestFirst),
        expect![[r#"
            0    5    10   15   20
        0 | aaaa.dddd..bbbbbbbbb
        1 | ..ccccc.eeebbbbbbbbb
    "#]],
    );
    check(
        text,
        backfill(Order::ShortestFirst, 1, Holders::FixedJob, Slide::Sliding),
        expect![[r#"
            0    5    10   15   20
        0 | aaaabbbbbbbbbccccc..
        1 | ....bbbbbbbbbeeedddd
    "#]],
    );
}

/// As in Figures 2 and 56: b is expected to end at 9 and ends at 4. If reservations slide, c starts when a ends; if not, it starts at 9, and d
/// is backfilled before it.
#[test]
fn a_reservation_slides_when_a_job_ends_early_or_stays() {
    let text = "hosts 4@8; a 0 2x6; b 0 2x4/9; c 1 4x2; d 2 2x5";
    check(
        text,
        backfill(Order::Arrival, 1, Holders::FixedJob, Slide::Sliding),
        expect![[r#"
              0    5    10
        0-1 | aaaaaaccddddd
        2-3 | bbbb..cc.....
    "#]],
    );
    check(
        text,
        backfill(Order::Arrival, 1, Holders::FixedJob, Slide::NonSliding),
        expect![[r#"
              0    5    10
        0-1 | aaaaaa...cc
        2-3 | bbbbdddddcc
    "#]],
    );
}

/// a outlives its estimate. The frozen reservation of b finds no room at 4 and is planned anew, a second from then, and again until a has
/// ended; with grace it is planned for 4 + 5 at once, and c is backfilled before it.
#[test]
fn a_job_beyond_its_estimate_is_expected_to_end_soon_or_after_the_grace() {
    let text = "hosts 2@8; a 0 1x7/4; b 1 2x2; c 5 1x4";
    let frozen = backfill(Order::Arrival, 1, Holders::FixedJob, Slide::NonSliding);
    check_all(
        &[text],
        &[frozen.clone(), dynamic(Order::Arrival)],
        expect![[r#"
            0    5    10
        0 | aaaaaaabbcccc
        1 | .......bb....
    "#]],
    );
    let PolicySpec::PriorityBackfill { order, reservations, holders, slide, .. } = frozen else {
        unreachable!()
    };
    let graced = PolicySpec::PriorityBackfill {
        order,
        reservations,
        holders,
        slide,
        grace_s: 5,
        immediate_service: None,
    };
    check(
        text,
        graced,
        expect![[r#"
            0    5    10
        0 | aaaaaaa..bb
        1 | .....ccccbb
    "#]],
    );
}

/// When a ends, at 2 h, b has waited for 2 h and asks for 4 h, c for 1 h and 1 h: under Priority-backfill that is 2 + 5 · 6/4 = 9.5 and 1 + 5 · 2/1 =
/// 11. Under MHPCC-MS* it is 120 + 10 · 6/4 = 135 and 60 + 10 · 2/1 = 80. d and e differ in what they hold alone, 8 processors and 8 MB of
/// the 1 MB per processor: where the larger of both counts, or neither, they tie, and e came first.
#[test]
fn weights_are_those_of_table_12() {
    let text = "hosts 8@8; a 0 8x7200; b 0 8x14400; c 3600 8x3600; e 3600 1x14400@8; d 3600 8x14400";
    let starts = |order: Order| {
        let run = Scene::parse(text, dynamic(order)).run();
        let mut names = vec!['b', 'c', 'd', 'e'];
        names.sort_by_key(|name| run.start_of(*name));
        names.into_iter().collect::<String>()
    };
    assert_eq!(starts(Order::Arrival), "bced");
    assert_eq!(starts(Order::PriorityP), "cbde");
    assert_eq!(starts(Order::PriorityPm), "cbed");
    assert_eq!(starts(Order::NcsaMs), "cbed");
    assert_eq!(starts(Order::LxfW), "cbed");
    assert_eq!(starts(Order::MhpccMs), "bcde");
    assert_eq!(starts(Order::LargestExpansionFirst), "cbed");
    let memory = Order::Weighted { wait: 0.0, expansion: 0.0, nodes: 0.0, memory: 1.0, larger: 0.0 };
    assert_eq!(starts(memory), "ebcd");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |text: &str, policy| Scene::parse(text, policy).try_run().unwrap_err().to_string();
    expect!["bad setup: PriorityBackfill plans for hosts; it needs machine: Hosts(hosts: [..])"]
        .assert_eq(&refused("nodes 4; a 0 1x1", dynamic(Order::Arrival)));
    let staying = backfill(Order::Arrival, 1, Holders::DynamicJob, Slide::NonSliding);
    expect![
        "bad setup: reservations that are given anew in every pass cannot stay: NonSliding needs FixedJob"
    ]
    .assert_eq(&refused("hosts 4@8; a 0 1x1", staying));
    let on_nodes = PolicySpec::Priority { order: Order::NcsaMs, reservations: Reservations::All };
    expect!["bad setup: this order counts memory, which only hosts share out; use PriorityBackfill on a machine of hosts"].assert_eq(&refused("nodes 4; a 0 1x1", on_nodes));
}
