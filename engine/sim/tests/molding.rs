//! Jobs whose number of nodes is chosen when they start: how long they run, what counts, and what is illegal.

use crate::gantt;
use crate::scene::{EASY, Scene};
use crate::script::{get, run_script, scene, second, start_all};
use crate::workloads::{self, Accuracy};
use expect_test::expect;
use proptest::prelude::*;
use sim::kernel::{Pass, simulate_with};
use sim::metrics::measure;
use sim::observer::job_log::JobLog;
use sim::observer::measures::Measures;
use sim::observer::trace::Trace;
use sim::policy::Policy;
use sim::{AllocatorSpec, Job, MeasureSpec, PolicySpec, Setup, SimError, Span, Speedup, Time, simulate};

/// Starts every job on `self.0` nodes, in order of arrival, while they fit.
struct AllOn(u32);

impl Policy for AllOn {
    fn name(&self) -> &'static str {
        "all on a number"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        while pass.head().is_some_and(|head| pass.start_sized(head, self.0)) {}
    }
}

/// a: 12 s on 1 node and linear: 3 s on 4. b is of σ = 2, A = 10: S(3) = 45/17, so 12 s on 3 nodes are 31.764705… s on 1.
#[test]
fn run_times_and_expected_ends_are_those_on_the_chosen_nodes() {
    let script = |pass: &mut Pass<'_>| match second(pass) {
        0 => {
            let a = get(pass, 'a');
            assert!(pass.start_sized(a, 4));
            assert_eq!(pass.expected_end(a), Time::from_secs(6));
        }
        3 => {
            let b = get(pass, 'b');
            assert!(pass.start_sized(b, 1));
            assert_eq!(pass.expected_end(b), Time(3_000_000 + 31_764_706));
        }
        other => panic!("{other}"),
    };
    let script = move |pass: &mut Pass<'_>| {
        if pass.now() <= Time::from_secs(3) {
            script(pass);
        }
    };
    let run = run_script(&scene("nodes 4; a 0 1x12/24~8,0; b 3 3x12~10,2"), script).unwrap();
    let ran = run.lines.iter().map(|line| (line.size, line.start, line.finish)).collect::<Vec<_>>();
    let b = (1, Time::from_secs(3), Time(34_764_706));
    assert_eq!(ran, [(4, Time::ZERO, Time::from_secs(3)), b]);
}

#[test]
fn other_verbs_start_moldable_jobs_on_what_they_ask_for() {
    let scene = scene("nodes 4; a 0 2x4~8,0; b 0 2x3~8,1");
    let run = run_script(&scene, start_all).unwrap();
    expect![[r#"
              0
        0-1 | aaaa
        2-3 | bbb.
    "#]]
    .assert_eq(&gantt::draw(&scene, &run));
}

#[test]
fn a_job_that_does_not_fit_is_left_alone() {
    let script = |pass: &mut Pass<'_>| {
        if second(pass) == 0 {
            assert!(pass.start(get(pass, 'a')) && !pass.start_sized(get(pass, 'b'), 2));
            assert!(pass.start(get(pass, 'b')), "it still can start as it asked");
        }
    };
    let run = run_script(&scene("nodes 4; a 0 3x4; b 0 1x4~8,0"), script).unwrap();
    assert_eq!(run.lines[1].finish, Time::from_secs(4));
}

#[test]
fn a_job_that_goes_back_to_the_queue_may_be_molded_anew() {
    let scene = scene("nodes 4; a 0 1x12~4,0");
    let script = |pass: &mut Pass<'_>| match second(pass) {
        0 => {
            assert!(pass.start_sized(get(pass, 'a'), 3));
            pass.wake_at(Time::from_secs(2));
        }
        2 => {
            let a = get(pass, 'a');
            assert!(pass.requeue(a) && pass.start_sized(a, 2));
        }
        _ => {}
    };
    let line = run_script(&scene, script).unwrap().lines[0];
    assert_eq!((line.size, line.finish), (2, Time::from_secs(8)));
}

#[test]
fn what_cannot_be_chosen_is_illegal() {
    let reason = |text: &str, n: u32| {
        let script = move |pass: &mut Pass<'_>| {
            let a = get(pass, 'a');
            pass.start_sized(a, n);
        };
        match run_script(&scene(text), script).unwrap_err() {
            SimError::Illegal { reason, .. } => reason,
            other => panic!("{other}"),
        }
    };
    let rigid = "it cannot start on another number of nodes than it asks for, for it is rigid";
    assert_eq!(reason("nodes 4; a 0 1x4", 2), rigid);
    let number = "it cannot start on no nodes, or on more than there are";
    assert_eq!([0, 5].map(|n| reason("nodes 4; a 0 1x4~4,0", n)), [number; 2]);
    assert_eq!(reason("hosts 4@8; a 0 1x4~4,0", 2), "its size cannot be chosen on a machine of hosts");
}

#[test]
fn odd_speedups_are_refused() {
    for odd in ["0.5,0", "NaN,0", "2,-1", "2,inf"] {
        let error = scene(&format!("nodes 4; a 0 1x4~{odd}")).try_run().unwrap_err();
        assert!(matches!(error, SimError::BadJob { job: 97, .. }), "{error}");
    }
}

/// Both run on 4 nodes, a for 3 s; asked for were 12 and 48 node-seconds, 10 s apart.
#[test]
fn metrics_are_of_what_ran_and_the_load_of_what_was_asked_for() {
    let scene = scene("nodes 4; a 0 1x12~8,0; b 10 2x24~8,2");
    let mut log = JobLog::default();
    let on_four = || Box::new(AllOn(4));
    simulate_with(on_four(), &scene.setup, scene.jobs.iter().copied(), &mut log).unwrap();
    let b = log.lines[1];
    // S(2) = 1.846153…, S(4) = 3: 24 s on 2 nodes are 14.153846 s on 4.
    assert_eq!((b.size, b.finish - b.start), (4, scene.jobs[1].run_time_on(4)));
    let mut measures = Measures::new(&scene.setup, &MeasureSpec::default());
    simulate_with(on_four(), &scene.setup, scene.jobs.iter().copied(), &mut measures).unwrap();
    let metrics = measures.outcome().metrics;
    let run = (b.finish - b.start).as_secs_f64();
    assert_eq!(metrics.get("mean_run_s"), Some((3.0 + run) / 2.0));
    assert_eq!(metrics.get("mean_slowdown"), Some(1.0));
    assert_eq!(metrics.get("offered_load"), Some((12.0 + 48.0) / (4.0 * 10.0)));
    assert!((metrics.get("utilization").unwrap() - (3.0 + run) / (10.0 + run)).abs() < 1e-12);
}

/// a is of 12, b of 48 and c of 200 node-seconds before scaling, whatever they are now.
#[test]
fn groups_by_work_are_of_the_jobs_before_they_were_scaled() {
    let mut scene = scene("nodes 4; a 0 1x24; b 10 2x48; c 20 4x100");
    for job in &mut scene.jobs {
        job.unscaled_run_time = Span(job.run_time.0 / 2);
    }
    let spec = MeasureSpec { work_classes_node_s: vec![47.5, 200.0], ..MeasureSpec::default() };
    let groups = measure(&scene.setup, &scene.jobs, &spec).unwrap().groups;
    let work = groups.iter().filter(|group| group.grouping == "work");
    let found: Vec<_> = work.map(|group| (group.group.as_str(), group.values[0])).collect();
    let counts = [("<= 47.5 node-s", Some(1.0)), ("<= 200 node-s", Some(2.0)), ("> 200 node-s", Some(0.0))];
    assert_eq!(found, counts);
}

proptest! {
    /// Policies that do not choose sizes treat moldable jobs as rigid ones.
    #[test]
    fn speedups_that_nobody_uses_change_nothing(scene in workloads::scenes(Accuracy::Any), sigma in 0.0..2.0f64) {
        for policy in [EASY, PolicySpec::Fcfs] {
            let setup = Setup { policy, allocator: AllocatorSpec::FirstFree, ..scene.setup.clone() };
            let run = |speedup| {
                let jobs = scene.jobs.iter().map(|job| Job { speedup, ..*job });
                let mut log = JobLog::default();
                simulate(&setup, jobs, &mut log).unwrap();
                log.lines.iter().map(|line| (line.arrival, line.start, line.finish, line.size)).collect::<Vec<_>>()
            };
            prop_assert_eq!(run(None), run(Some(Speedup { parallelism: 3.5, sigma })));
        }
    }

    /// On any number of nodes a job ends its run time there after its start, and its nodes are as many.
    #[test]
    fn jobs_run_for_their_time_on_their_nodes(scene in workloads::scenes(Accuracy::Any), n in 1u32..9, sigma in 0.0..2.0f64) {
        let speedup = Some(Speedup { parallelism: 5.0, sigma });
        let jobs: Vec<Job> = scene.jobs.iter().map(|job| Job { speedup, ..*job }).collect();
        let setup = Setup { allocator: AllocatorSpec::FirstFree, ..scene.setup.clone() };
        let n = n.min(setup.machine.nodes());
        let mut log = (JobLog::default(), Trace::default());
        simulate_with(Box::new(AllOn(n)), &setup, jobs.iter().copied(), &mut log).unwrap();
        for line in &log.0.lines {
            prop_assert_eq!(line.size, n);
            prop_assert_eq!(line.finish - line.start, line.job.run_time_on(n));
        }
        prop_assert!(log.1.pieces.iter().all(|piece| piece.nodes.len() == n));
    }
}

#[test]
fn scenes_have_moldable_jobs() {
    let jobs = Scene::parse("nodes 4; a 0 1x12~8,0.5; b 0 1x1", PolicySpec::Fcfs).jobs;
    assert_eq!(jobs[0].speedup, Some(Speedup { parallelism: 8.0, sigma: 0.5 }));
    assert_eq!(jobs[1].speedup, None);
}
