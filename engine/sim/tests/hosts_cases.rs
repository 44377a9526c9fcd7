//! Machines of hosts: where jobs start, what they hold, and what is refused. Times worked out by hand.

use crate::scene::{EASY, Scene, check};
use crate::script::{find, get, run_script, scene, second, start_all};
use expect_test::expect;
use sim::cluster::node_set::Placement;
use sim::kernel::Pass;
use sim::policy::{EarlyEnd, Order, Reservations, Shares, SliceBackfill};
use sim::{AllocatorSpec, MachineSpec, MemorySpec, PolicySpec, SimError, Time};

/// a fits on both hosts and goes to B, which has fewer free processors; b fits on A only; c waits for B; d waits behind it although A has a
/// free processor; e asks for memory that B alone has, and waits for a processor there.
#[test]
fn jobs_start_on_the_tightest_host_that_fits() {
    check(
        "hosts 4@8,3@16; a 0 2x4@8; b 0 3x6@2; c 1 3x3@1; d 2 1x2@1; e 3 1x2@9",
        PolicySpec::Fcfs,
        expect![[r#"
                  0    5
            0-2 | bbbbbb...
              3 | ....dd...
              4 | aaaacccee
              5 | aaaaccc..
              6 | ....ccc..
        "#]],
    );
}

/// B has the processors for b, but not the memory until a ends; c behind it waits although A would hold it.
#[test]
fn memory_alone_keeps_a_job_waiting() {
    check(
        "hosts 2@4,8@8; a 0 2x5@8; b 1 4x2@1; c 2 2x1@4",
        PolicySpec::Fcfs,
        expect![[r#"
              0    5
        0-1 | .....c.
        2-3 | aaaaabb
        4-5 | .....bb
        6-9 | .......
    "#]],
    );
}

/// No job spans hosts, although there are processors enough.
#[test]
fn a_job_runs_inside_one_host() {
    check(
        "hosts 2@4,2@4,4@4; a 0 4x3@1; b 1 4x2@1; c 1 1x1@1",
        PolicySpec::Fcfs,
        expect![[r#"
              0    5
          0 | ...c.
        1-3 | .....
        4-7 | aaabb
    "#]],
    );
}

/// a leaves its processors to b but not its memory: c has to wait for it although processors are free.
#[test]
fn a_suspended_job_keeps_its_memory() {
    let scene = scene("hosts 4@10; a 0 4x6@6; b 2 2x3@4; c 2 2x1@5");
    let script = |pass: &mut Pass<'_>| {
        let host = pass.cluster().hosts().unwrap().get(0).clone();
        match second(pass) {
            2 => {
                let a = get(pass, 'a');
                assert!(pass.suspend(a));
                assert_eq!(pass.host(a), Some(0));
                assert!(pass.start_at(get(pass, 'b'), 0));
                let c = get(pass, 'c');
                assert!(!pass.start_at(c, 0) && !pass.start_at(c, 1) && !pass.start(c));
                assert_eq!(pass.host(c), None);
                let host = pass.cluster().hosts().unwrap().get(0);
                assert_eq!((host.free_processors, host.free_kb), (2, 0));
            }
            5 => {
                assert_eq!((host.free_processors, host.free_kb), (4, 4 * 1024));
                let a = get(pass, 'a');
                assert!(pass.resume(a));
            }
            9 => {
                assert_eq!((host.free_processors, host.free_kb), (4, 10 * 1024));
                assert!(find(pass, 'a').is_none() || pass.ended().len() == 1);
                start_all(pass);
            }
            _ => start_all(pass),
        }
    };
    let run = run_script(&scene, script).unwrap();
    assert_eq!(run.lines.iter().map(|line| line.finish).collect::<Vec<_>>(), [9, 5, 10].map(Time::from_secs));
}

#[test]
fn a_killed_job_gives_its_memory_back() {
    let scene = scene("hosts 4@10; a 0 4x6@10; b 2 2x3@10");
    let script = |pass: &mut Pass<'_>| {
        if second(pass) == 2 {
            pass.kill(get(pass, 'a'));
        }
        start_all(pass);
    };
    assert_eq!(run_script(&scene, script).unwrap().start_of('b'), 2);
}

#[test]
fn nodes_of_several_hosts_and_memory_that_is_taken_are_illegal() {
    let start_on = |nodes: &'static [u32], text: &str| {
        let script = move |pass: &mut Pass<'_>| {
            if let Some(b) = find(pass, 'b') {
                pass.start_on(b, Placement::of(nodes.iter().copied()));
            } else {
                start_all(pass);
            }
        };
        run_script(&scene(text), script).unwrap_err().to_string()
    };
    expect!["the script did something illegal with job 98 at 1 s: it cannot start on nodes that are not all of one host"]
        .assert_eq(&start_on(&[1, 2], "hosts 2@4,2@4; b 1 2x1@1"));
    expect![[r#"the script did something illegal with job 98 at 1 s: it cannot start on a host without the memory it asks for"#]]
        .assert_eq(&start_on(&[1], "hosts 2@4,2@4; a 0 1x9@2; b 1 1x1@3"));
}

#[test]
fn jobs_that_no_host_can_ever_hold_are_refused() {
    let refused = |job: &str| {
        Scene::parse(&format!("hosts 4@8,8@4; {job}"), PolicySpec::Fcfs).try_run().unwrap_err().to_string()
    };
    expect!["job 97: asks for 9 processors and 0 kB, which none of 2 hosts has"]
        .assert_eq(&refused("a 0 9x1"));
    expect!["job 97: asks for 5 processors and 5120 kB, which none of 2 hosts has"]
        .assert_eq(&refused("a 0 5x1@5"));
    assert_eq!(Scene::parse("hosts 4@8,8@4; a 0 4x1@8; b 0 8x1@4", PolicySpec::Fcfs).run().start_of('b'), 0);
}

#[test]
fn policies_and_allocators_of_one_pool_are_refused_on_hosts() {
    let policies = [
        EASY,
        PolicySpec::Conservative { early_end: EarlyEnd::Compress },
        PolicySpec::Priority { order: Order::Arrival, reservations: Reservations::All },
        PolicySpec::TimeSlicing {
            interval_s: 60,
            shares: Shares::default(),
            adaptive: false,
            backfill: SliceBackfill::ProtectAll,
            non_type: true,
            short_below_s: 1,
            long_above_s: 2,
        },
    ];
    let mut said = String::new();
    for policy in policies {
        said += &format!("{}\n", Scene::parse("hosts 4@8; a 0 1x1", policy).try_run().unwrap_err());
    }
    let mut scene = Scene::parse("hosts 4@8; a 0 1x1", PolicySpec::Fcfs);
    for allocator in [AllocatorSpec::IntelligentNodeSelection, AllocatorSpec::Contiguous { relax: 0 }] {
        scene.setup.allocator = allocator;
        said += &format!("{}\n", scene.try_run().unwrap_err());
    }
    scene.setup.allocator = AllocatorSpec::FirstFree;
    scene.setup.memory = Some(MemorySpec::default());
    said += &format!("{}\n", scene.try_run().unwrap_err());
    expect![[r#"
        bad setup: Easy plans for nodes of one pool; on a machine of hosts use Fcfs or a policy of hosts
        bad setup: Conservative plans for nodes of one pool; on a machine of hosts use Fcfs or a policy of hosts
        bad setup: Priority plans for nodes of one pool; on a machine of hosts use Fcfs or a policy of hosts
        bad setup: TimeSlicing plans for nodes of one pool; on a machine of hosts use Fcfs or a policy of hosts
        bad setup: IntelligentNodeSelection chooses among nodes of one pool; on a machine of hosts use FirstFree
        bad setup: contiguous allocation needs a tree machine: machine: Tree(arity: k, levels: n)
        bad machine: hosts have memory of their own, `memory` is that of nodes
    "#]].assert_eq(&said);
}

#[test]
fn hosts_with_impossible_numbers_are_refused() {
    let mut said = String::new();
    let mut scene = Scene::parse("hosts 4@8,4@8; a 0 1x1", PolicySpec::Fcfs);
    let MachineSpec::Hosts { hosts } = scene.setup.machine.clone() else { unreachable!() };
    let mut refuse = |change: &dyn Fn(&mut Vec<sim::HostSpec>)| {
        let mut hosts = hosts.clone();
        change(&mut hosts);
        scene.setup.machine = MachineSpec::Hosts { hosts };
        let error = scene.try_run().unwrap_err();
        assert!(matches!(error, SimError::Machine { .. }), "{error}");
        said += &format!("{error}\n");
    };
    refuse(&|hosts| hosts.clear());
    refuse(&|hosts| hosts[1].name = " ".into());
    refuse(&|hosts| hosts[1].name = "A".into());
    refuse(&|hosts| hosts[0].processors = 0);
    refuse(&|hosts| hosts[0].memory_mb = 0);
    refuse(&|hosts| hosts[1].memory_mb = u64::MAX);
    refuse(&|hosts| hosts[1].processors = u32::MAX);
    expect![[r#"
        bad machine: a machine of hosts needs at least one host
        bad machine: host 2 needs a name
        bad machine: two hosts have the name `A`
        bad machine: host `A` needs at least one processor
        bad machine: host `A`: memory_mb 0 is not in 1..1073741824
        bad machine: host `B`: memory_mb 18446744073709551615 is not in 1..1073741824
        bad machine: 4294967295 processors are more than the 4194304 supported
    "#]]
    .assert_eq(&said);
}
