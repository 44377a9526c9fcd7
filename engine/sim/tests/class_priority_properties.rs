//! Class priority on random scenes: the same as its slow twin, a special case, and what holds of every schedule.

use crate::naive::classes::{self, Drained};
use crate::naive::hosts::seconds;
use crate::scene::{Run, Scene};
use crate::workloads::{Accuracy, cases, hosts_scenes};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sim::policy::class_priority::{HostLimits, SizeClass, TimeClass};
use sim::policy::{Holders, Order, Reservations, Slide};
use sim::{HostSpec, Job, MachineSpec, Passes, PolicySpec};

fn time_classes() -> impl Strategy<Value = Vec<TimeClass>> {
    let at_most = prop_oneof![3 => Just(None), 2 => (1u32..4).prop_map(Some)];
    let drain_after = prop_oneof![1 => Just(None), 3 => (0u64..25).prop_map(Some)];
    let class = (1u64..20, at_most, drain_after, prop::bool::weighted(0.3));
    prop::collection::vec(class, 1..4).prop_map(|raw| {
        let mut up_to_s = 0;
        let named = |(index, (more, at_most, drain_after_s, goes_first))| {
            up_to_s += more;
            TimeClass { name: format!("time {index}"), up_to_s, drain_after_s, at_most, goes_first }
        };
        raw.into_iter().enumerate().map(named).collect()
    })
}

fn size_classes() -> impl Strategy<Value = Vec<SizeClass>> {
    prop::collection::vec((1u32..4, 0u64..4), 1..4).prop_map(|raw| {
        let (mut processors, mut memory_mb) = (0, 0);
        let named = |(index, (more, more_mb))| {
            processors += more;
            memory_mb += more_mb;
            SizeClass { name: format!("size {index}"), processors, memory_mb }
        };
        raw.into_iter().enumerate().map(named).collect()
    })
}

/// For up to three hosts; classes that there are not are taken out later.
fn limits() -> impl Strategy<Value = Vec<HostLimits>> {
    let limit = prop_oneof![2 => Just(None), 1 => Just(Some(0)), 3 => (1u32..4).prop_map(Some)];
    prop::collection::vec(prop::collection::vec(limit, 3), 3).prop_map(|hosts| {
        let host = |(host, limits): (usize, Vec<Option<u32>>)| HostLimits {
            host: host.to_string(),
            at_most: (0..).zip(limits).filter_map(|(at, most)| Some((format!("size {at}"), most?))).collect(),
        };
        hosts.into_iter().enumerate().map(host).collect()
    })
}

/// Takes out what there is not, and the limits of a class that no host could run.
fn sensible(mut limits: Vec<HostLimits>, sizes: usize, hosts: usize) -> Vec<HostLimits> {
    limits.truncate(hosts);
    for size in 0..3 {
        let name = format!("size {size}");
        let is_never = |limits: &HostLimits| limits.at_most.contains(&(name.clone(), 0));
        if size >= sizes || limits.iter().all(is_never) {
            limits.iter_mut().for_each(|limits| limits.at_most.retain(|(class, _)| *class != name));
        }
    }
    limits
}

/// Scenes of jobs of which each can start some time.
fn class_scenes(number: std::ops::Range<usize>) -> impl Strategy<Value = Scene> {
    let policy = (time_classes(), size_classes(), limits(), 0u64..1000);
    (hosts_scenes(number, Accuracy::Any), policy).prop_map(|(mut scene, policy)| {
        let (time_classes, size_classes, limits, drain_seed) = policy;
        let hosts = scene.setup.machine.hosts().len();
        let host_limits = sensible(limits, size_classes.len(), hosts);
        scene.setup.policy =
            PolicySpec::ClassPriority { time_classes, size_classes, host_limits, drain_seed };
        let mut jobs = scene.jobs.clone();
        jobs.retain(|job| can_ever_run(&scene, *job));
        scene.jobs = jobs;
        scene
    })
}

fn can_ever_run(scene: &Scene, job: Job) -> bool {
    let alone = Scene { setup: scene.setup.clone(), jobs: vec![job] };
    alone.try_run().is_ok()
}

fn host_of(scene: &Scene, node: u32) -> usize {
    let mut first = 0;
    let hosts = scene.setup.machine.hosts().iter();
    let ends = hosts.map(|host| {
        first += host.processors;
        first
    });
    ends.take_while(|end| *end <= node).count()
}

/// Host, start and end of the jobs in arrival order.
fn stays(scene: &Scene, run: &Run) -> Vec<(usize, i64, i64)> {
    let stay = |(arrival, line): (usize, &sim::observer::job_log::JobLine)| {
        (host_of(scene, run.nodes_of(arrival)[0]), seconds(line.start.0), seconds(line.finish.0))
    };
    run.lines.iter().enumerate().map(stay).collect()
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn the_policy_does_what_its_twin_does(scene in class_scenes(1..40)) {
        let twin = classes::run(&scene);
        let of_twin: Vec<_> =
            twin.stays.iter().map(|stay| stay.unwrap()).map(|stay| (stay.host, stay.start, stay.finish)).collect();
        prop_assert_eq!(stays(&scene, &scene.run()), of_twin);
    }

    #[test]
    fn no_limit_is_ever_exceeded(scene in class_scenes(1..40), per_event: bool) {
        let mut scene = scene;
        if per_event {
            scene.setup.passes = Passes::PerEvent;
        }
        let run = scene.run();
        prop_assert_eq!(run.lines.len(), scene.jobs.len());
        let (stays, twin) = (stays(&scene, &run), classes::run(&scene));
        for (job, &(host, start, finish)) in stays.iter().enumerate() {
            let line = &run.lines[job];
            prop_assert!(line.start >= line.job.submit && !line.killed);
            prop_assert_eq!(line.finish - line.start, line.job.run_time);
            prop_assert!(run.nodes_of(job).iter().all(|node| host_of(&scene, *node) == host));
            // What runs when a job starts is the most that runs until the next one does.
            let beside: Vec<usize> =
                (0..stays.len()).filter(|other| stays[*other].1 <= start && start < stays[*other].2).collect();
            prop_assert!(start < finish && beside.contains(&job));
            let of_time = beside.iter().filter(|other| twin.time(**other) == twin.time(job)).count();
            prop_assert!(twin.time(job).at_most.is_none_or(|most| of_time <= most as usize));
            let here: Vec<usize> = beside.into_iter().filter(|other| stays[*other].0 == host).collect();
            let of_size = here.iter().filter(|other| twin.size(**other) == twin.size(job)).count();
            prop_assert!(of_size <= twin.limit(host, twin.size(job)));
            let HostSpec { processors, memory_mb, .. } = scene.setup.machine.hosts()[host];
            prop_assert!(here.iter().map(|other| scene.jobs[*other].size).sum::<u32>() <= processors);
            prop_assert!(here.iter().map(|other| scene.jobs[*other].memory_kb).sum::<u64>() <= memory_mb * 1024);
        }
    }

    /// With one class and one host nothing is left but a walk through the queue that starts what fits.
    #[test]
    fn on_one_host_without_classes_it_is_a_greedy_walk(scene in hosts_scenes(1..40, Accuracy::Any)) {
        let mut scene = scene;
        let capacity = sim::Capacity::from(&scene.setup.machine);
        let (processors, kb) = (capacity.largest_job(), capacity.most_memory_kb(1));
        let all = HostSpec { name: "all".into(), processors, memory_mb: kb / 1024 };
        scene.setup.machine = MachineSpec::Hosts { hosts: vec![all] };
        scene.setup.policy = PolicySpec::PriorityBackfill {
            order: Order::Arrival,
            reservations: Reservations::AtMost(0),
            holders: Holders::DynamicJob,
            slide: Slide::Sliding,
            grace_s: 0,
            immediate_service: None,
        };
        let walk = scene.run();
        let all = |up_to_s, goes_first| TimeClass {
            name: "all".into(),
            up_to_s,
            drain_after_s: None,
            at_most: None,
            goes_first,
        };
        for goes_first in [false, true] {
            scene.setup.policy = PolicySpec::ClassPriority {
                time_classes: vec![all(1, goes_first)],
                size_classes: vec![SizeClass { name: "all".into(), processors: 1, memory_mb: 1 }],
                host_limits: Vec::new(),
                drain_seed: 0,
            };
            let run = scene.run();
            prop_assert_eq!(&run.lines, &walk.lines);
            prop_assert_eq!(&run.pieces, &walk.pieces);
        }
    }
}

/// Else the properties above would say little of draining.
#[test]
fn random_scenes_show_all_that_happens_to_drained_hosts() {
    let (mut runner, strategy) = (TestRunner::deterministic(), class_scenes(20..40));
    let mut sum = Drained::default();
    for _ in 0..400 {
        let Drained { granted, lost, served, left } =
            classes::run(&strategy.new_tree(&mut runner).unwrap().current()).drained;
        assert!(lost + served + left <= granted);
        sum.granted += granted;
        sum.lost += lost;
        sum.served += served;
        sum.left += left;
    }
    assert!([sum.lost, sum.served, sum.left].into_iter().all(|number| number >= 20), "{sum:?}");
}
