//! Jobs whose processors change while they run: what they hold, how far they get, and what is illegal.

use crate::scene::{Run, Scene};
use crate::script::{find, get, run_script, scene, second, start_all};
use crate::{gantt, workloads};
use expect_test::{Expect, expect};
use proptest::prelude::*;
use sim::job::Rate;
use sim::kernel::{Pass, Phase};
use sim::{PolicySpec, Span, Time};

fn check(text: &str, script: impl FnMut(&mut Pass<'_>) + 'static, expected: Expect) -> Run {
    let scene = scene(text);
    let run = run_script(&scene, script).unwrap();
    expected.assert_eq(&gantt::draw(&scene, &run));
    run
}

/// a gives up its highest processors, gets back the lowest free ones, and b starts on fewer than it asks for. a's 16 processor-seconds: 4·1 + 2·3 +
/// 3·2; b's 8: 1·4 + 2·2.
#[test]
fn processors_change_and_work_does_not() {
    let script = |pass: &mut Pass<'_>| match second(pass) {
        0 => {
            start_all(pass);
            pass.wake_at(Time::from_secs(1));
        }
        1 => {
            let a = get(pass, 'a');
            assert!(pass.resize(a, 2));
            assert_eq!((pass.placement(a).len(), pass.cluster().free_count()), (2, 4));
            pass.wake_at(Time::from_secs(2));
        }
        2 => {
            let b = get(pass, 'b');
            assert!(pass.start_partly(b, 0, 1));
            assert_eq!((pass.host(b), pass.phase(b)), (Some(0), Phase::Running));
            pass.wake_at(Time::from_secs(4));
        }
        4 => {
            let a = get(pass, 'a');
            assert!(pass.resize(a, 3));
            pass.wake_at(Time::from_secs(5));
        }
        5 => {
            let b = get(pass, 'b');
            assert!(!pass.resize(b, 2), "processors are free on the other host only");
        }
        6 => {
            let b = get(pass, 'b');
            assert!(pass.resize(b, 2));
        }
        _ => {}
    };
    let text = "hosts 4@8,2@8; a 0 4x4; b 2 2x4";
    let run = check(
        text,
        script,
        expect![[r#"
              0    5
          0 | aaaaaabb
          1 | aaaaaa..
          2 | a.bbbbbb
          3 | a...aa..
        4-5 | ........
    "#]],
    );
    assert_eq!(run.lines.iter().map(|line| line.finish).collect::<Vec<_>>(), [6, 8].map(Time::from_secs));
}

/// b has no processors from 1 to 3: it makes no progress, has no piece, and keeps its memory, so that c waits for it.
#[test]
fn a_job_without_processors_keeps_its_memory() {
    let script = |pass: &mut Pass<'_>| match second(pass) {
        0 => {
            start_all(pass);
            assert!(pass.start_partly(get(pass, 'b'), 0, 0));
        }
        1 => {
            let b = get(pass, 'b');
            assert!(pass.placement(b).is_empty());
            assert_eq!((pass.host(b), pass.phase(b)), (Some(0), Phase::Running));
            assert_eq!(pass.cluster().hosts().unwrap().get(0).free_kb, 1024);
            assert!(!pass.start_partly(get(pass, 'c'), 0, 0));
        }
        3 => {
            let b = get(pass, 'b');
            assert!(pass.resize(b, 2));
        }
        5 => assert!(pass.start_partly(get(pass, 'c'), 0, 2)),
        _ => {}
    };
    check(
        "hosts 4@8; a 0 4x3@2; b 0 2x2@5; c 1 2x1@2",
        script,
        expect![[r#"
              0    5
        0-1 | aaabbc
        2-3 | aaa...
    "#]],
    );
}

/// A rate and a share multiply: a at half rate on half of its processors needs four times as long.
#[test]
fn rates_and_processors_are_independent() {
    let script = |pass: &mut Pass<'_>| {
        start_all(pass);
        if second(pass) == 0 {
            let a = get(pass, 'a');
            assert!(pass.resize(a, 2) && pass.set_rate(a, Rate(Rate::FULL.0 / 2)));
            pass.wake_at(Time::from_secs(4));
        }
        if second(pass) == 4 {
            let a = get(pass, 'a');
            assert!(pass.suspend(a) && pass.resume(a) && pass.resize(a, 4));
            assert!(pass.add_work(a, Span::from_secs(1)));
        }
    };
    check(
        "hosts 4@8; a 0 4x4",
        script,
        expect![[r#"
              0    5    10
        0-1 | aaaaaaaaaaaa
        2-3 | ....aaaaaaaa
    "#]],
    );
}

/// A suspended job comes back with the processors that it had.
#[test]
fn suspension_keeps_the_share() {
    let script = |pass: &mut Pass<'_>| {
        start_all(pass);
        let Some(a) = find(pass, 'a') else { return };
        match second(pass) {
            0 => {
                assert!(pass.resize(a, 1));
                pass.wake_at(Time::from_secs(2));
            }
            2 => {
                assert!(pass.suspend(a));
                pass.wake_at(Time::from_secs(3));
            }
            3 => assert!(pass.resume(a)),
            _ => {}
        }
    };
    check(
        "hosts 4@8; a 0 4x1",
        script,
        expect![[r#"
              0    5
          0 | aa.aa
        1-3 | .....
    "#]],
    );
}

#[test]
fn illegal_changes_are_refused() {
    let said = |text: &str, act: fn(&mut Pass<'_>)| {
        let script = move |pass: &mut Pass<'_>| {
            if pass.waiting_count() > 0 {
                act(pass)
            }
        };
        run_script(&scene(text), script).unwrap_err().to_string() + "\n"
    };
    let hosts = "hosts 4@8; a 0 2x4";
    let all = [
        said(hosts, |pass| assert!(!pass.resize(get(pass, 'a'), 1))),
        said(hosts, |pass| assert!(!pass.start_partly(get(pass, 'a'), 0, 3))),
        said(hosts, |pass| {
            let a = get(pass, 'a');
            assert!(pass.start_partly(a, 0, 1) && !pass.start_partly(a, 0, 1));
        }),
        said(hosts, |pass| {
            let a = get(pass, 'a');
            assert!(pass.start_partly(a, 0, 1) && !pass.resize(a, 3));
        }),
        said("nodes 4; a 0 2x4", |pass| assert!(!pass.start_partly(get(pass, 'a'), 0, 1))),
        said("nodes 4; a 0 2x4", |pass| {
            let a = get(pass, 'a');
            assert!(pass.start(a) && !pass.resize(a, 1));
        }),
    ];
    expect![[r#"
        the script did something illegal with job 97 at 0 s: its processors cannot change, for it does not run
        the script did something illegal with job 97 at 0 s: it cannot start on more processors than it asks for
        the script did something illegal with job 97 at 0 s: it cannot start, for it does not wait
        the script did something illegal with job 97 at 0 s: it cannot have more processors than it asks for
        the script did something illegal with job 97 at 0 s: it can start on fewer nodes than it asks for only on a host
        the script did something illegal with job 97 at 0 s: its nodes can change only on a host
    "#]].assert_eq(&all.concat());
    let stalled = |pass: &mut Pass<'_>| {
        if let Some(a) = find(pass, 'a').filter(|a| pass.phase(*a) == Phase::Waiting) {
            assert!(!pass.start_partly(a, 1, 1) && pass.start_partly(a, 0, 0));
        }
    };
    expect!["the script stalled at 4 s: 1 jobs wait (first: job 97), and no event is left"]
        .assert_eq(&run_script(&scene(hosts), stalled).unwrap_err().to_string());
}

/// Resizes at random, from a small generator of its own.
fn fidget(mut seed: u64, mut budget: u32) -> impl FnMut(&mut Pass<'_>) {
    move |pass: &mut Pass<'_>| {
        let mut roll = |sides: u32| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % u64::from(sides)) as u32
        };
        for job in pass.running().collect::<Vec<_>>() {
            let size = pass.request(job).size;
            let before = pass.placement(job).clone();
            if budget == 0 {
                pass.resize(job, before.len().max(1));
            } else if roll(2) == 0 {
                let wanted = roll(size + 1);
                if !pass.resize(job, wanted) {
                    assert_eq!(&before, pass.placement(job));
                }
            }
        }
        for job in pass.waiting().collect::<Vec<_>>() {
            let (size, host) = (pass.request(job).size, roll(2) as usize);
            pass.start_partly(job, host, if budget == 0 { 1 } else { roll(size + 1) });
        }
        if budget > 0 {
            budget -= 1;
            pass.wake_at(pass.now() + Span(1 + i64::from(roll(1_500_000))));
        }
    }
}

proptest! {
    #![proptest_config(workloads::cases(4))]

    /// Whatever happens to its processors, a job ends in the very tick in which they have done its work.
    #[test]
    fn work_is_conserved(
        jobs in prop::collection::vec((0i64..4, 1u32..6, 1i64..9_000_000), 1..12),
        seed in 1u64..u64::MAX,
        budget in 0u32..60,
    ) {
        let mut scene = Scene::parse("hosts 5@8,5@8", PolicySpec::Fcfs);
        let mut submit = 0;
        for (id, (gap, size, run_time)) in jobs.into_iter().enumerate() {
            submit += gap;
            let mut job = Scene::parse(&format!("nodes 1; a {submit} {size}x1"), PolicySpec::Fcfs).jobs[0];
            (job.id, job.run_time) = (id as u64, Span(run_time));
            scene.jobs.push(job);
        }
        let run = run_script(&scene, fidget(seed, budget)).unwrap();
        for line in &run.lines {
            let pieces = run.pieces.iter().filter(|piece| piece.job == line.job.id);
            let mut last = 0;
            let done: i64 = pieces.map(|piece| {
                last = i64::from(piece.nodes.len());
                last * (piece.to - piece.from).0
            }).sum();
            let work = line.job.run_time.0 * i64::from(line.job.size);
            // The last tick may not be needed in full.
            prop_assert!((work..work + last).contains(&done), "{line:?}: {done} of {work}");
        }
    }
}
