//! What goes wrong is said with policy, job and time, or with the numbers that make no sense.

use crate::scene::{EASY, Scene};
use crate::script::{get, run_script, scene, second, start_all};
use expect_test::{Expect, expect};
use sim::cluster::node_set::Placement;
use sim::job::{JobSlot, Rate};
use sim::kernel::Pass;
use sim::metrics::{measure, measure_while};
use sim::observer::While;
use sim::policy::{EarlyEnd, Order, Reservations};
use sim::{
    AllocatorSpec, EstimateSource, Job, MachineSpec, MeasureSpec, Passes, PolicySpec, Setup, SimError, Span,
    Time, simulate,
};
use std::cell::Cell;

/// What comes of an action at 3, when a and d run and leave no node free, b is suspended and c waits.
fn at_three(act: impl Fn(&mut Pass<'_>) -> bool + 'static) -> SimError {
    let scene = scene("nodes 4; a 0 3x9; b 0 1x9; d 0 1x9; c 1 3x9");
    let script = move |pass: &mut Pass<'_>| match second(pass) {
        0 => {
            for name in ['a', 'b'] {
                assert!(pass.start(get(pass, name)));
            }
            pass.suspend(get(pass, 'b'));
            assert!(pass.start(get(pass, 'd')));
            pass.wake_at(Time::from_secs(3));
        }
        3 => {
            assert!(!act(pass), "it was done");
        }
        _ => {}
    };
    run_script(&scene, script).unwrap_err()
}

fn check_illegal(act: impl Fn(&mut Pass<'_>) -> bool + 'static, expected: Expect) {
    let error = at_three(act);
    assert!(
        matches!(error, SimError::Illegal { policy: "the script", now, .. } if now == Time::from_secs(3))
    );
    expected.assert_eq(&error.to_string());
}

#[test]
fn only_waiting_jobs_start() {
    check_illegal(
        |pass| pass.start(get(pass, 'a')),
        expect!["the script did something illegal with job 97 at 3 s: it cannot start, for it does not wait"],
    );
    check_illegal(
        |pass| pass.start(get(pass, 'b')),
        expect!["the script did something illegal with job 98 at 3 s: it cannot start, for it does not wait"],
    );
    check_illegal(
        |pass| pass.start_avoiding(get(pass, 'd'), &Placement::of([0])),
        expect![
            "the script did something illegal with job 100 at 3 s: it cannot start, for it does not wait"
        ],
    );
    check_illegal(
        |pass| pass.start_on(get(pass, 'a'), Placement::of([0, 1, 2])),
        expect!["the script did something illegal with job 97 at 3 s: it cannot start, for it does not wait"],
    );
}

#[test]
fn jobs_start_on_free_nodes_of_the_right_number() {
    check_illegal(
        |pass| pass.start_on(get(pass, 'c'), Placement::of([1, 2, 3])),
        expect![
            "the script did something illegal with job 99 at 3 s: it cannot start on nodes that are not free"
        ],
    );
    check_illegal(
        |pass| pass.start_on(get(pass, 'c'), Placement::of([3, 4, 1_000_000])),
        expect![
            "the script did something illegal with job 99 at 3 s: it cannot start on nodes that are not free"
        ],
    );
    check_illegal(
        |pass| pass.start_on(get(pass, 'c'), Placement::of([3])),
        expect![
            "the script did something illegal with job 99 at 3 s: it cannot start on another number of nodes than it asked for"
        ],
    );
    check_illegal(
        |pass| pass.start_on(get(pass, 'c'), Placement::empty()),
        expect![
            "the script did something illegal with job 99 at 3 s: it cannot start on another number of nodes than it asked for"
        ],
    );
}

#[test]
fn only_running_jobs_are_suspended_and_slowed() {
    check_illegal(
        |pass| pass.suspend(get(pass, 'b')),
        expect![
            "the script did something illegal with job 98 at 3 s: it cannot be suspended, for it does not run"
        ],
    );
    check_illegal(
        |pass| pass.suspend(get(pass, 'c')),
        expect![
            "the script did something illegal with job 99 at 3 s: it cannot be suspended, for it does not run"
        ],
    );
    check_illegal(
        |pass| pass.set_rate(get(pass, 'b'), Rate::FULL),
        expect![
            "the script did something illegal with job 98 at 3 s: its rate cannot change, for it does not run"
        ],
    );
    check_illegal(
        |pass| pass.set_rate(get(pass, 'c'), Rate::STALLED),
        expect![
            "the script did something illegal with job 99 at 3 s: its rate cannot change, for it does not run"
        ],
    );
}

#[test]
fn only_suspended_jobs_resume() {
    check_illegal(
        |pass| pass.resume(get(pass, 'a')),
        expect![
            "the script did something illegal with job 97 at 3 s: it cannot resume, for it is not suspended"
        ],
    );
    check_illegal(
        |pass| pass.resume(get(pass, 'c')),
        expect![
            "the script did something illegal with job 99 at 3 s: it cannot resume, for it is not suspended"
        ],
    );
}

#[test]
fn work_is_added_to_started_jobs_and_never_taken_away() {
    check_illegal(
        |pass| pass.add_work(get(pass, 'c'), Span(1)),
        expect![
            "the script did something illegal with job 99 at 3 s: work can only be added to a started job, and never taken away"
        ],
    );
    check_illegal(
        |pass| pass.add_work(get(pass, 'a'), Span(-1)),
        expect![
            "the script did something illegal with job 97 at 3 s: work can only be added to a started job, and never taken away"
        ],
    );
}

#[test]
fn only_started_jobs_are_killed_and_only_once() {
    check_illegal(
        |pass| pass.kill(get(pass, 'c')),
        expect![
            "the script did something illegal with job 99 at 3 s: it cannot be killed, for it has not started or has ended"
        ],
    );
    check_illegal(
        |pass| {
            let a = get(pass, 'a');
            assert!(pass.kill(a));
            pass.kill(a)
        },
        expect![
            "the script did something illegal with job 97 at 3 s: it cannot be killed, for it has not started or has ended"
        ],
    );
}

/// The error names the first mistake, also when the policy goes on and makes others.
#[test]
fn the_first_mistake_is_reported() {
    check_illegal(
        |pass| pass.suspend(get(pass, 'c')) || pass.kill(get(pass, 'c')) || pass.resume(get(pass, 'a')),
        expect![
            "the script did something illegal with job 99 at 3 s: it cannot be suspended, for it does not run"
        ],
    );
}

/// A slot is worth something until the pass that reports the end of its job is over; afterwards it may be anyone's.
#[test]
fn an_ended_job_cannot_be_started_again() {
    let old: Cell<Option<JobSlot>> = Cell::new(None);
    let script = move |pass: &mut Pass<'_>| {
        if let Some(&job) = pass.ended().first() {
            old.set(Some(job));
        }
        start_all(pass);
        if second(pass) == 2 {
            pass.start(old.get().unwrap());
        }
    };
    let error = run_script(&scene("nodes 1; a 0 1x2"), script).unwrap_err();
    expect!["the script did something illegal with job 97 at 2 s: it cannot start, for it does not wait"]
        .assert_eq(&error.to_string());
}

#[test]
fn a_policy_that_never_starts_anything_stalls() {
    let error = run_script(&scene("nodes 2; a 0 1x2; b 4 1x2; c 5 1x2"), |_| {}).unwrap_err();
    expect!["the script stalled at 5 s: 3 jobs wait (first: job 97), and no event is left"]
        .assert_eq(&error.to_string());
    let expected = SimError::Stalled {
        policy: "the script",
        now: Time::from_secs(5),
        waiting: 3,
        first: u64::from('a'),
    };
    assert_eq!(error, expected);
}

#[test]
fn a_job_that_is_left_suspended_or_without_progress_stalls() {
    let suspend = |pass: &mut Pass<'_>| {
        start_all(pass);
        if second(pass) == 4 {
            pass.suspend(get(pass, 'a'));
        }
    };
    let error = run_script(&scene("nodes 2; a 0 1x9; b 4 1x2"), suspend).unwrap_err();
    expect!["the script stalled at 6 s: 1 jobs wait (first: job 97), and no event is left"]
        .assert_eq(&error.to_string());
    let stop = |pass: &mut Pass<'_>| {
        start_all(pass);
        if second(pass) == 4 {
            pass.set_rate(get(pass, 'a'), Rate::STALLED);
        }
    };
    let error = run_script(&scene("nodes 2; a 0 1x9; b 4 1x2"), stop).unwrap_err();
    expect!["the script stalled at 9 s: 1 jobs wait (first: job 97), and no event is left"]
        .assert_eq(&error.to_string());
}

/// No pass comes of it, so that the run is over.
#[test]
fn a_wake_in_the_past_is_none() {
    let script = |pass: &mut Pass<'_>| {
        pass.wake_at(pass.now());
        pass.wake_at(Time(pass.now().0 - 1));
        pass.wake_at(Time::NEVER);
    };
    assert!(matches!(run_script(&scene("nodes 1; a 3 1x1"), script), Err(SimError::Stalled { .. })));
}

/// The error of a run whose second job was changed so.
fn bad_job(change: impl Fn(&mut Job)) -> String {
    let mut scene = Scene::parse("nodes 4; a 5 1x2; b 6 1x2; c 7 1x2", PolicySpec::Fcfs);
    change(&mut scene.jobs[1]);
    let error = scene.try_run().unwrap_err();
    assert!(matches!(error, SimError::BadJob { .. }), "{error}");
    error.to_string()
}

#[test]
fn jobs_with_impossible_numbers_are_refused() {
    expect!["job 98: asks for 0 nodes of a machine of 4"].assert_eq(&bad_job(|job| job.size = 0));
    expect!["job 98: asks for 5 nodes of a machine of 4"].assert_eq(&bad_job(|job| job.size = 5));
    expect!["job 98: run time 0 s and estimate 2 s must be positive, and at most 1000000000000 s"]
        .assert_eq(&bad_job(|job| job.run_time = Span::ZERO));
    expect!["job 98: run time -0.000001 s and estimate 2 s must be positive, and at most 1000000000000 s"]
        .assert_eq(&bad_job(|job| job.run_time = Span(-1)));
    for wrong in [Span(i64::MIN), Span::FOREVER] {
        for message in [bad_job(|job| job.run_time = wrong), bad_job(|job| job.estimate = wrong)] {
            assert!(message.ends_with("must be positive, and at most 1000000000000 s"), "{message}");
        }
    }
    expect!["job 98: run time 2 s and estimate 0 s must be positive, and at most 1000000000000 s"]
        .assert_eq(&bad_job(|job| job.estimate = Span::ZERO));
}

#[test]
fn jobs_at_impossible_times_are_refused() {
    expect!["job 97: is followed by job 98, submitted earlier, at 4 s"]
        .assert_eq(&bad_job(|job| job.submit = Time::from_secs(4)));
    expect!["job 98: is followed by job 99, submitted earlier, at 7 s"]
        .assert_eq(&bad_job(|job| job.submit = Time::from_secs(8)));
    let mut scene = Scene::parse("nodes 4; a 0 1x2", PolicySpec::Fcfs);
    for submit in [Time(-1), Time(i64::MIN), Time::from_secs(sim::time::MAX_SECONDS) + Span(1), Time::NEVER] {
        scene.jobs[0].submit = submit;
        let error = scene.try_run().unwrap_err();
        assert!(matches!(error, SimError::BadJob { job: 97, .. }), "{submit}: {error}");
    }
}

/// The longest times there may be, one after the other on one node.
#[test]
fn the_longest_times_do_not_overflow() {
    let limit = Span::from_secs(sim::time::MAX_SECONDS);
    let mut scene = Scene::parse("nodes 1; a 0 1x1; b 0 1x1; c 0 1x1", PolicySpec::Fcfs);
    for job in &mut scene.jobs {
        (job.submit, job.run_time, job.estimate) = (Time::ZERO + limit, limit, limit);
    }
    for policy in [
        PolicySpec::Fcfs,
        EASY,
        PolicySpec::Conservative { early_end: EarlyEnd::Compress },
        PolicySpec::Conservative { early_end: EarlyEnd::Replan },
        PolicySpec::Priority { order: Order::LargestExpansionFirst, reservations: Reservations::All },
    ] {
        scene.setup.policy = policy;
        assert_eq!(scene.run().lines[2].finish.0, 4 * limit.0);
    }
}

#[test]
fn machines_with_impossible_numbers_are_refused() {
    let tree = |arity, levels, installed| MachineSpec::Tree { arity, levels, installed };
    let machines = [
        MachineSpec::Flat { nodes: 0 },
        MachineSpec::Flat { nodes: u32::MAX },
        tree(1, 3, None),
        tree(0, 0, None),
        tree(4, 0, None),
        tree(4, 3, Some(0)),
        tree(4, 3, Some(65)),
        tree(4, 16, None),
        tree(u32::MAX, u32::MAX, Some(1)),
    ];
    let mut said = String::new();
    for machine in machines {
        for allocator in [AllocatorSpec::FirstFree, AllocatorSpec::Contiguous { relax: 0 }] {
            let mut scene = Scene::parse("nodes 4; a 0 1x1", PolicySpec::Fcfs);
            if allocator == AllocatorSpec::FirstFree || !matches!(machine, MachineSpec::Flat { .. }) {
                (scene.setup.machine, scene.setup.allocator) = (machine.clone(), allocator);
                let error = scene.try_run().unwrap_err();
                assert!(matches!(error, SimError::Machine { .. }), "{error}");
                if scene.setup.allocator == AllocatorSpec::FirstFree {
                    said += &format!("{error}\n");
                }
            }
        }
    }
    expect![[r#"
        bad machine: a machine needs at least one node
        bad machine: 4294967295 nodes are more than the 4194304 supported
        bad machine: a 1-ary 3-tree needs arity >= 2 and levels >= 1
        bad machine: a 0-ary 0-tree needs arity >= 2 and levels >= 1
        bad machine: a 4-ary 0-tree needs arity >= 2 and levels >= 1
        bad machine: a machine needs at least one installed node
        bad machine: 65 installed nodes, but a 4-ary 3-tree has 64
        bad machine: a 4-ary 16-tree has more than 4194304 nodes
        bad machine: a 4294967295-ary 4294967295-tree has more than 4194304 nodes
    "#]]
    .assert_eq(&said);
}

#[test]
fn setups_that_make_no_sense_are_refused() {
    let mut scene = Scene::parse("nodes 4 contiguous; a 0 1x1", PolicySpec::Fcfs);
    expect!["bad setup: contiguous allocation needs a tree machine: machine: Tree(arity: k, levels: n)"]
        .assert_eq(&scene.try_run().unwrap_err().to_string());
    for weight in [f64::NAN, f64::INFINITY] {
        scene.setup.allocator = AllocatorSpec::FirstFree;
        let order = Order::Weighted { wait: 0.0, expansion: weight, nodes: 0.0, memory: 0.0, larger: 0.0 };
        scene.setup.policy = PolicySpec::Priority { order, reservations: Reservations::All };
        let error = scene.try_run().unwrap_err();
        assert!(matches!(error, SimError::Setup { .. }), "{error}");
    }
}

/// A machine without work does nothing, and a relaxation beyond the root is one up to the root.
#[test]
fn nothing_to_do_and_too_much_room_are_no_errors() {
    let scene = Scene::parse("nodes 4", PolicySpec::Fcfs);
    assert_eq!(simulate(&scene.setup, [], &mut ()).unwrap(), sim::RunReport::default());
    let mut scene = Scene::parse("tree 2x2 contiguous; a 0 3x1; b 0 2x1", PolicySpec::Fcfs);
    scene.setup.allocator = AllocatorSpec::Contiguous { relax: u32::MAX };
    assert_eq!(scene.run().start_of('b'), 1);
}

#[test]
fn a_queue_that_outlasts_time_is_an_error() {
    let jobs = (0..12).map(|id| Job {
        id,
        submit: Time::ZERO,
        run_time: Span::from_secs(sim::time::MAX_SECONDS),
        estimate: Span::from_secs(sim::time::MAX_SECONDS),
        size: 1,
        memory_kb: 0,
        ..Job::default()
    });
    let policies = [
        PolicySpec::Fcfs,
        EASY,
        PolicySpec::Conservative { early_end: EarlyEnd::Compress },
        PolicySpec::Priority { order: Order::Arrival, reservations: Reservations::All },
    ];
    for policy in policies {
        let setup = Setup {
            machine: MachineSpec::Flat { nodes: 1 },
            policy,
            allocator: AllocatorSpec::FirstFree,
            memory: None,
            passes: Passes::PerInstant,
            estimates: EstimateSource::Requested,
        };
        let error = simulate(&setup, jobs.clone(), &mut ()).unwrap_err();
        assert!(error.to_string().contains("later than the simulation can tell"), "{error}");
    }
}

#[test]
fn a_run_ends_before_the_pass_that_an_observer_does_not_want() {
    let scene = Scene::parse("nodes 1; a 0 1x2; b 4 1x2; c 9 1x2", PolicySpec::Fcfs);
    let passes_until = |limit: u32| {
        let mut asked = 0;
        let keep_going = || {
            asked += 1;
            asked <= limit
        };
        let result = measure_while(&scene.setup, &scene.jobs, &MeasureSpec::default(), keep_going);
        (result, asked)
    };
    let (result, asked) = passes_until(3);
    expect!["stopped at 6 s"].assert_eq(&result.unwrap_err().to_string());
    assert_eq!(asked, 4);
    // Three jobs start and end at instants of their own.
    let (result, asked) = passes_until(6);
    assert_eq!(result, measure(&scene.setup, &scene.jobs, &MeasureSpec::default()));
    assert!(result.is_ok());
    assert_eq!(asked, 6);
    // Of two observers, either may end the run.
    let mut both = ((), (While(|| false), While(|| true)));
    let stopped = simulate(&scene.setup, scene.jobs.iter().copied(), &mut both);
    assert_eq!(stopped, Err(SimError::Stopped { now: Time::ZERO }));
}
