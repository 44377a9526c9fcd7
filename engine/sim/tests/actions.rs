//! What policies may do beyond starting jobs: times worked out by hand.

use crate::gantt;
use crate::scene::{Run, Scene};
use crate::script::{find, get, run_script, scene, second, start_all};
use expect_test::{Expect, expect};
use sim::cluster::node_set::Placement;
use sim::job::{JobSlot, Rate};
use sim::kernel::{Pass, Phase};
use sim::{Span, Time};
use std::cell::RefCell;
use std::rc::Rc;

const HALF: Rate = Rate(Rate::FULL.0 / 2);

fn draw(scene: &Scene, script: impl FnMut(&mut Pass<'_>) + 'static, expected: Expect) -> Run {
    let run = run_script(scene, script).unwrap();
    expected.assert_eq(&gantt::draw(scene, &run));
    run
}

/// Put back in the pass that took it off, a goes on at its rate as if nothing had happened: one piece, 4 s at full and 8 s at half speed.
#[test]
fn a_suspension_that_is_taken_back_did_not_happen() {
    let scene = scene("nodes 2; a 0 2x8; b 6 1x1");
    let script = |pass: &mut Pass<'_>| {
        match second(pass) {
            0 => pass.wake_at(Time::from_secs(4)),
            4 => assert!(pass.set_rate(get(pass, 'a'), HALF)),
            6 => {
                let a = get(pass, 'a');
                assert!(pass.suspend(a) && pass.resume(a));
                assert_eq!((pass.phase(a), pass.cluster().free_count()), (Phase::Running, 0));
            }
            _ => {}
        }
        start_all(pass);
    };
    let run = run_script(&scene, script).unwrap();
    assert_eq!(run.pieces.iter().filter(|piece| piece.job == u64::from('a')).count(), 1);
    assert_eq!(run.lines[0].finish, Time::from_secs(12));
}

/// a works for 3 s, is off its nodes from 3 to 7 while b has them, and finishes its other 5 s on the same nodes.
#[test]
fn a_suspended_job_resumes_on_its_own_nodes_and_keeps_its_progress() {
    let scene = scene("nodes 4; a 0 2x8/9; b 3 4x4; c 7 1x2");
    let script = |pass: &mut Pass<'_>| {
        match second(pass) {
            3 => {
                let a = get(pass, 'a');
                assert!(pass.suspend(a));
                assert_eq!((pass.phase(a), pass.cluster().free_count()), (Phase::Suspended, 4));
                assert_eq!(pass.placement(a), &Placement::of([0, 1]));
                assert!(pass.start(get(pass, 'b')));
                // Its nodes are taken.
                assert!(!pass.resume(a));
                assert_eq!(pass.expected_end(a), Time::from_secs(9));
            }
            7 => {
                let a = get(pass, 'a');
                assert!(pass.resume(a));
                assert_eq!((pass.phase(a), pass.placement(a)), (Phase::Running, &Placement::of([0, 1])));
                assert_eq!((pass.expected_end(a), pass.started_at(a)), (Time::from_secs(13), Time::ZERO));
            }
            _ => {}
        }
        if second(pass) != 3 {
            start_all(pass);
        }
    };
    let run = draw(
        &scene,
        script,
        expect![[r#"
              0    5    10
        0-1 | aaabbbbaaaaa
          2 | ...bbbbcc...
          3 | ...bbbb.....
    "#]],
    );
    assert_eq!(run.lines[0].finish, Time::from_secs(12));
    assert_eq!(run.pieces.iter().filter(|piece| piece.job == u64::from('a')).count(), 2);
}

/// 10 s of work: 2 s at full rate, 6 s at half, 4 s at none, then 5 s at full.
#[test]
fn a_change_of_rate_moves_the_finish() {
    let scene = scene("nodes 1; a 0 1x10");
    let script = |pass: &mut Pass<'_>| {
        start_all(pass);
        let rate = match second(pass) {
            2 => HALF,
            8 => Rate::STALLED,
            12 => Rate::FULL,
            _ => Rate(1),
        };
        if rate != Rate(1) {
            pass.set_rate(get(pass, 'a'), rate);
        }
        [2, 8, 12].into_iter().for_each(|at| pass.wake_at(Time::from_secs(at)));
    };
    let run = draw(
        &scene,
        script,
        expect![[r#"
            0    5    10   15
        0 | aaaaaaaaaaaaaaaaa
    "#]],
    );
    assert_eq!(run.lines[0].finish, Time::from_secs(17));
}

/// Seven ticks of work at a third of the full rate (rounded down to 2^-32) take a little more than 21 ticks: 22.
#[test]
fn a_finish_between_two_ticks_is_at_the_later_one() {
    let mut scene = scene("nodes 1; a 0 1x1");
    scene.jobs[0].run_time = Span(7);
    let third = |pass: &mut Pass<'_>| {
        start_all(pass);
        if second(pass) == 0 {
            pass.set_rate(get(pass, 'a'), Rate(Rate::FULL.0 / 3));
        }
    };
    let script = move |pass: &mut Pass<'_>| {
        if pass.now() == Time::ZERO {
            third(pass);
        }
    };
    assert_eq!(run_script(&scene, script).unwrap().lines[0].finish, Time(22));
}

/// Suspending resets the rate: a resumed job runs at full speed.
#[test]
fn a_resumed_job_runs_at_full_rate() {
    let scene = scene("nodes 1; a 0 1x10");
    let script = |pass: &mut Pass<'_>| match second(pass) {
        0 => {
            start_all(pass);
            pass.set_rate(get(pass, 'a'), HALF);
            pass.wake_at(Time::from_secs(4));
        }
        4 => {
            pass.suspend(get(pass, 'a'));
            pass.wake_at(Time::from_secs(9));
        }
        9 => {
            pass.resume(get(pass, 'a'));
        }
        _ => {}
    };
    draw(
        &scene,
        script,
        expect![[r#"
            0    5    10   15
        0 | aaaa.....aaaaaaaa
    "#]],
    );
}

/// 3 s are added to a while it runs and 2 s to b while it is suspended; expected ends move with them.
#[test]
fn added_work_is_done_at_full_rate_after_the_rest() {
    let scene = scene("nodes 2; a 0 1x4/6; b 0 1x5");
    let script = |pass: &mut Pass<'_>| match second(pass) {
        0 => {
            start_all(pass);
            [2, 3].into_iter().for_each(|at| pass.wake_at(Time::from_secs(at)));
        }
        2 => {
            let (a, b) = (get(pass, 'a'), get(pass, 'b'));
            assert!(pass.add_work(a, Span::from_secs(3)));
            assert_eq!(pass.expected_end(a), Time::from_secs(9));
            assert!(pass.suspend(b) && pass.add_work(b, Span::from_secs(2)));
            assert_eq!(pass.expected_end(b), Time::from_secs(7));
        }
        3 => {
            let b = get(pass, 'b');
            assert!(pass.resume(b));
            assert_eq!(pass.expected_end(b), Time::from_secs(8));
        }
        _ => {}
    };
    draw(
        &scene,
        script,
        expect![[r#"
            0    5
        0 | aaaaaaa.
        1 | bb.bbbbb
    "#]],
    );
}

/// a is killed while it runs, b while it is suspended and c in the instant of its start.
#[test]
fn killed_jobs_leave_at_once() {
    let scene = scene("nodes 3; a 0 1x9; b 0 1x9; c 4 1x9; d 4 3x2");
    let script = |pass: &mut Pass<'_>| match second(pass) {
        0 => {
            start_all(pass);
            pass.wake_at(Time::from_secs(3));
        }
        3 => {
            pass.suspend(get(pass, 'b'));
        }
        4 => {
            let c = get(pass, 'c');
            assert!(pass.start(c));
            let doomed = [get(pass, 'a'), get(pass, 'b'), c];
            for job in doomed {
                assert!(pass.kill(job));
                assert_eq!(pass.phase(job), Phase::Ended);
            }
            assert_eq!(pass.ended(), doomed);
            start_all(pass);
        }
        _ => assert!(pass.ended().iter().all(|job| pass.request(*job).id == u64::from('d'))),
    };
    let run = draw(
        &scene,
        script,
        expect![[r#"
            0    5
        0 | aaaadd
        1 | bbb.dd
        2 | ....dd
        killed a at 4
        killed b at 4
        killed c at 4
    "#]],
    );
    let c = run.lines[2];
    assert_eq!((c.start, c.finish, c.killed), (Time::from_secs(4), Time::from_secs(4), true));
}

/// Jobs start on nodes of the policy's choice, or off some.
#[test]
fn a_policy_may_choose_the_nodes() {
    let scene = scene("nodes 6; a 0 2x3; b 0 2x3; c 0 2x3; d 0 2x3");
    let script = |pass: &mut Pass<'_>| {
        if second(pass) == 0 {
            assert!(pass.start_on(get(pass, 'a'), Placement::of([1, 4])));
            assert!(pass.start_avoiding(get(pass, 'b'), &Placement::of([0, 1, 2])));
            assert!(!pass.start_avoiding(get(pass, 'c'), &Placement::of([2])));
            assert!(pass.start(get(pass, 'c')));
        }
        start_all(pass);
    };
    draw(
        &scene,
        script,
        expect![[r#"
            0    5
        0 | cccddd
        1 | aaaddd
        2 | ccc...
        3 | bbb...
        4 | aaa...
        5 | bbb...
    "#]],
    );
}

type Seen = Rc<RefCell<Vec<(i64, Vec<char>, Vec<char>, Vec<char>)>>>;

/// Starts all it can and notes what each pass reports: second, submitted, ended, expired.
fn note(seen: &Seen) -> impl FnMut(&mut Pass<'_>) + 'static {
    let seen = Rc::clone(seen);
    move |pass| {
        let names = |jobs: &[JobSlot]| -> Vec<char> {
            jobs.iter().map(|job| char::from_u32(pass.request(*job).id as u32).unwrap()).collect()
        };
        let news = (second(pass), names(pass.submitted()), names(pass.ended()), names(pass.expired()));
        seen.borrow_mut().push(news);
        start_all(pass);
        if let Some(a) = find(pass, 'a') {
            assert!(pass.is_backfilled(a) || pass.started_at(a) == Time::ZERO);
        }
    }
}

/// a and b end at 5 in the order of their starts, c's estimate runs out then, and d and e arrive.
#[test]
fn a_pass_per_instant_hears_of_everything_at_once() {
    let seen = Seen::default();
    run_script(&scene("nodes 4; a 0 1x5; b 0 1x5; c 0 1x7/5; d 5 1x1; e 5 1x1"), note(&seen)).unwrap();
    let expected = vec![
        (0, vec!['a', 'b', 'c'], vec![], vec![]),
        (5, vec!['d', 'e'], vec!['a', 'b'], vec!['c']),
        (6, vec![], vec!['d', 'e'], vec![]),
        (7, vec![], vec!['c'], vec![]),
    ];
    assert_eq!(*seen.borrow(), expected);
}

#[test]
fn a_pass_per_event_hears_of_one_thing_at_a_time() {
    let seen = Seen::default();
    run_script(&scene("nodes 4 per-event; a 0 1x5; b 0 1x5; c 0 1x7/5; d 5 1x1; e 5 1x1"), note(&seen))
        .unwrap();
    let expected = vec![
        (0, vec!['a'], vec![], vec![]),
        (0, vec!['b'], vec![], vec![]),
        (0, vec!['c'], vec![], vec![]),
        (5, vec!['d'], vec![], vec![]),
        (5, vec!['e'], vec![], vec![]),
        (5, vec![], vec!['a'], vec![]),
        (5, vec![], vec!['b'], vec![]),
        (5, vec![], vec![], vec!['c']),
        (6, vec![], vec!['d'], vec![]),
        (6, vec![], vec!['e'], vec![]),
        (7, vec![], vec!['c'], vec![]),
    ];
    assert_eq!(*seen.borrow(), expected);
}

/// A change of rate between two events of the instant in which a is expected to end does not hide that it has not.
#[test]
fn a_late_job_is_reported_once_whatever_happens_to_its_rate() {
    for machine in ["nodes 2", "nodes 2 per-event"] {
        let reports = Rc::new(RefCell::new(Vec::new()));
        let seen = Rc::clone(&reports);
        let script = move |pass: &mut Pass<'_>| {
            start_all(pass);
            seen.borrow_mut().extend(pass.expired().iter().map(|_| second(pass)));
            if (5..8).contains(&second(pass)) {
                let a = get(pass, 'a');
                pass.set_rate(a, Rate::FULL);
            }
        };
        let scene = scene(&format!("{machine}; a 0 1x9/5; b 5 1x1; c 7 1x1"));
        run_script(&scene, script).unwrap();
        assert_eq!(*reports.borrow(), [5], "{machine}");
    }
}

/// A slow job is late when its estimate is over; more work makes it late again.
#[test]
fn a_job_that_is_given_more_time_can_be_late_again() {
    let reports = Rc::new(RefCell::new(Vec::new()));
    let seen = Rc::clone(&reports);
    let script = move |pass: &mut Pass<'_>| {
        start_all(pass);
        seen.borrow_mut().extend(pass.expired().iter().map(|_| second(pass)));
        if let Some(a) = find(pass, 'a').filter(|_| matches!(second(pass), 0 | 8)) {
            match second(pass) {
                0 => pass.set_rate(a, HALF),
                _ => pass.add_work(a, Span::from_secs(4)),
            };
        }
    };
    // 6 s of work at half rate, and 4 s more from 8 on: 12 + 8 = 20. Expected: 6, then 10.
    let run = run_script(&scene("nodes 2; a 0 1x6; b 8 1x1"), script).unwrap();
    assert_eq!(*reports.borrow(), [6, 10]);
    assert_eq!(run.lines[0].finish, Time::from_secs(20));
}
