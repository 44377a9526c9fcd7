//! Co-allocation in mini-grids, worked out by hand.

use crate::scene::{Scene, check, check_all};
use expect_test::expect;
use sim::policy::co_allocation::{Pick, QueueRule, Sharing, SplitRule};
use sim::{AllocatorSpec, PolicySpec, SimError, Time};

fn with(sharing: Sharing, queue: QueueRule, pick: Pick, home_first: bool, split: SplitRule) -> PolicySpec {
    PolicySpec::CoAllocation { sharing, queue, pick, home_first, split }
}

fn scan(sharing: Sharing) -> PolicySpec {
    with(sharing, QueueRule::Scan, Pick::FirstCome, true, SplitRule::LargestThenBestFit)
}

fn queued(sharing: Sharing, queue: QueueRule) -> PolicySpec {
    with(sharing, queue, Pick::FirstCome, true, SplitRule::LargestThenBestFit)
}

fn split(split: SplitRule) -> PolicySpec {
    with(Sharing::Splitting, QueueRule::Scan, Pick::FirstCome, true, split)
}

/// All are submitted at cluster 0, where a and then d find room.
const BUSY_HOME: &str = "grid 2x4; a 0 3x4; b 0 3x3; c 0 2x2; d 0 1x2";

#[test]
fn without_sharing_jobs_wait_for_their_home() {
    check(
        BUSY_HOME,
        scan(Sharing::Nothing),
        expect![[r#"
              0    5
        0-1 | aaaabbbcc
          2 | aaaabbb..
          3 | dd.......
        4-7 | .........
    "#]],
    );
}

/// b fits at the other cluster, c nowhere.
#[test]
fn a_job_that_does_not_fit_at_home_migrates() {
    check(
        BUSY_HOME,
        scan(Sharing::Migration),
        expect![[r#"
              0    5
        0-2 | aaaa.
          3 | dd...
        4-5 | bbbcc
          6 | bbb..
          7 | .....
    "#]],
    );
}

/// One node is free on each cluster when it is c's turn.
#[test]
fn a_job_that_fits_nowhere_is_split() {
    check(
        BUSY_HOME,
        scan(Sharing::Splitting),
        expect![[r#"
              0
        0-2 | aaaa
          3 | ccdd
        4-6 | bbb.
          7 | cc..
    "#]],
    );
}

/// The links carry half of what c demands of them, so that its 2 s become 4.
#[test]
fn a_split_job_is_as_slow_as_its_links() {
    check(
        "grid 2x4 links=0.5; a 0 3x4; b 0 3x3; c 0 2x2%1,1; d 0 1x2",
        scan(Sharing::Splitting),
        expect![[r#"
                  0    5
            0-2 | aaaa.
              3 | cccc.
              4 | bbbdd
            5-6 | bbb..
              7 | cccc.
        "#]],
    );
}

/// b does not fit; c, of the same home, does, and so does d of the other.
const HELD_UP: &str = "grid 2x4; a 0 3x3; b 1 2x2; c 1 1x2; d 1 3x1^1; e 1 3x2^1";

#[test]
fn a_scan_goes_on_behind_jobs_that_do_not_fit() {
    check(
        HELD_UP,
        scan(Sharing::Nothing),
        expect![[r#"
              0    5
        0-1 | aaabb
          2 | aaa..
          3 | .cc..
        4-6 | .dee.
          7 | .....
    "#]],
    );
}

/// c waits for b, but d starts.
#[test]
fn without_sharing_a_strict_queue_is_one_for_each_home() {
    let policies =
        [QueueRule::Strict, QueueRule::StrictPerCluster].map(|queue| queued(Sharing::Nothing, queue));
    check_all(
        &[HELD_UP],
        &policies,
        expect![[r#"
              0    5
        0-1 | aaabb
          2 | aaacc
          3 | .....
        4-6 | .dee.
          7 | .....
    "#]],
    );
}

/// a and x leave two nodes on each cluster. b of cluster 0 wants three and waits, and so does all behind it.
const STRICT: &str = "grid 2x4; a 0 2x3; x 0 2x3^1; b 1 3x1; c 1 1x2; d 1 2x2^1";

#[test]
fn a_strict_queue_stops_at_the_first_job_that_does_not_fit() {
    check(
        STRICT,
        queued(Sharing::Migration, QueueRule::Strict),
        expect![[r#"
              0    5
        0-1 | aaab.
          2 | ...b.
          3 | ...cc
        4-5 | xxxdd
        6-7 | .....
    "#]],
    );
}

/// c is behind b at the same home; d is not.
#[test]
fn a_queue_for_each_cluster_stops_only_those_of_the_same_home() {
    check(
        STRICT,
        queued(Sharing::Migration, QueueRule::StrictPerCluster),
        expect![[r#"
              0    5
        0-1 | aaab.
          2 | ...b.
          3 | ...cc
        4-5 | xxx..
        6-7 | .dd..
    "#]],
    );
}

/// At 2, when six nodes come free, c and d come before b, which arrived first.
#[test]
fn the_largest_job_that_fits_may_come_first() {
    let pick = |pick| with(Sharing::Splitting, QueueRule::Scan, pick, true, SplitRule::LargestThenBestFit);
    let scene = "grid 2x4; a 0 6x2; x 0 2x4; b 1 1x2; c 1 3x2; d 1 3x1; e 1 8x1";
    check(
        scene,
        pick(Pick::LargestFits),
        expect![[r#"
              0    5
        0-2 | aacc.e
          3 | aadbbe
        4-5 | aad..e
        6-7 | xxxx.e
    "#]],
    );
    check(
        scene,
        pick(Pick::FirstCome),
        expect![[r#"
              0    5
          0 | aabbde
        1-2 | aaccde
          3 | aacc.e
        4-5 | aa...e
        6-7 | xxxx.e
    "#]],
    );
}

/// a leaves one node at cluster 1, where c, of cluster 0, fits best.
#[test]
fn best_fit_may_come_before_home() {
    let pick = |home| {
        with(Sharing::Migration, QueueRule::Scan, Pick::FirstCome, home, SplitRule::LargestThenBestFit)
    };
    let scene = "grid 2x4; a 0 3x3^1; c 1 1x2^0; d 1 4x1^0";
    check(
        scene,
        pick(false),
        expect![[r#"
              0
        0-2 | aaa
          3 | .cc
        4-7 | .d.
    "#]],
    );
    check(
        scene,
        pick(true),
        expect![[r#"
              0
          0 | .ccd
        1-3 | ...d
        4-6 | aaa.
          7 | ....
    "#]],
    );
}

/// a, b and c leave 2, 4, 3 and 1 nodes.
const SPLIT: &str = "grid 4x5; a 0 3x2^0; b 0 1x2^1; c 0 2x2^2; d 0 4x2^3; s 1 5x1";

/// All of cluster 1, then the cluster that holds one node with the fewest.
#[test]
fn splits_take_the_largest_then_what_fits_best() {
    check(
        SPLIT,
        split(SplitRule::LargestThenBestFit),
        expect![[r#"
                0
          0-2 | aa
          3-4 | ..
            5 | bb
          6-9 | .s
        10-11 | cc
        12-14 | ..
        15-18 | dd
           19 | .s
    "#]],
    );
}

#[test]
fn splits_take_the_largest_parts() {
    check(
        SPLIT,
        split(SplitRule::LargestFirst),
        expect![[r#"
                0
          0-2 | aa
          3-4 | ..
            5 | bb
          6-9 | .s
        10-11 | cc
           12 | .s
        13-14 | ..
        15-18 | dd
           19 | ..
    "#]],
    );
}

#[test]
fn splits_take_what_is_left_over() {
    check(
        SPLIT,
        split(SplitRule::FewestIdle),
        expect![[r#"
                0
          0-2 | aa
          3-4 | .s
            5 | bb
          6-9 | ..
        10-11 | cc
        12-13 | .s
           14 | ..
        15-18 | dd
           19 | .s
    "#]],
    );
}

/// Three nodes on the one with the most, and two on the next.
#[test]
fn splits_take_equal_parts() {
    check(
        SPLIT,
        split(SplitRule::Even),
        expect![[r#"
                0
          0-2 | aa
          3-4 | ..
            5 | bb
          6-8 | .s
            9 | ..
        10-11 | cc
        12-13 | .s
           14 | ..
        15-18 | dd
           19 | ..
    "#]],
    );
}

/// A split job that outlives its estimate brings no pass about: submissions, end of a and submission of s, end of c, end of s.
#[test]
fn nobody_asks_for_estimates() {
    let run = Scene::parse("grid 2x2 penalty=0.5; a 0 2x1; c 0 2x4; s 1 3x4", scan(Sharing::Splitting)).run();
    assert_eq!(run.lines[2].finish, Time::from_secs(10));
    assert_eq!(run.report.passes, 4);
}

#[test]
fn jobs_larger_than_a_cluster_need_splitting() {
    let run = |sharing| Scene::parse("grid 2x4; a 0 1x1; b 0 5x1", scan(sharing)).try_run();
    run(Sharing::Splitting).unwrap();
    for (sharing, name) in [(Sharing::Nothing, "Nothing"), (Sharing::Migration, "Migration")] {
        let Err(SimError::BadJob { job: 98, reason }) = run(sharing) else { panic!("{:?}", run(sharing)) };
        assert_eq!(reason, format!("asks for 5 nodes of clusters with 4, and sharing is {name}"));
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let refusal = |scene: &str, policy: PolicySpec, allocator| {
        let mut scene = Scene::parse(scene, policy);
        scene.setup.allocator = allocator;
        match scene.try_run() {
            Err(SimError::Setup { reason }) => reason,
            other => panic!("{other:?}"),
        }
    };
    let free = AllocatorSpec::FirstFree;
    for queue in [QueueRule::Strict, QueueRule::StrictPerCluster] {
        let policy = with(Sharing::Splitting, queue, Pick::LargestFits, true, SplitRule::LargestThenBestFit);
        assert_eq!(
            refusal("grid 2x4", policy, free.clone()),
            "LargestFits looks beyond jobs that do not fit: it needs queue: Scan"
        );
    }
    assert_eq!(
        refusal("hosts 4@4", scan(Sharing::Splitting), free),
        "CoAllocation plans for nodes of one pool; on a machine of hosts use Fcfs or a policy of hosts"
    );
    for (scene, allocator) in [
        ("grid 2x4", AllocatorSpec::IntelligentNodeSelection),
        ("tree 2x2", AllocatorSpec::Contiguous { relax: 0 }),
    ] {
        assert_eq!(
            refusal(scene, scan(Sharing::Splitting), allocator),
            "CoAllocation chooses the nodes itself; it needs FirstFree"
        );
    }
    assert_eq!(
        refusal("grid 2x4", PolicySpec::Fcfs, AllocatorSpec::Contiguous { relax: 0 }),
        "contiguous allocation needs a tree machine: machine: Tree(arity: k, levels: n)"
    );
}
