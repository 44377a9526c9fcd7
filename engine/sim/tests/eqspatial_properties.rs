//! EQspatial on random scenes: the same as its slow twin, and what it promises.

use crate::naive::equal;
use crate::scene::Scene;
use crate::workloads::cases;
use proptest::prelude::*;
use sim::cluster::Cluster;
use sim::cluster::node_set::Placement;
use sim::observer::job_log::{JobLine, JobLog};
use sim::observer::{JobRecord, Observer};
use sim::policy::ImmediateService;
use sim::{
    AllocatorSpec, EstimateSource, HostSpec, Job, MachineSpec, Passes, PolicySpec, Setup, Span, Time,
    simulate,
};
use std::collections::BTreeMap;
use std::ops::Range;

/// What jobs hold, by arrival, and when what was there before changed.
#[derive(Default)]
struct Books {
    /// When a job got how many processors.
    histories: BTreeMap<u64, Vec<(i64, u32)>>,
    /// Memory of the jobs that are there.
    present: BTreeMap<u64, u64>,
    /// Per host.
    repartitions: BTreeMap<usize, Vec<i64>>,
    /// When jobs were tested.
    tests: BTreeMap<u64, (i64, Option<i64>)>,
    /// Memory of a test at most.
    initial_kb: u64,
    hosts: Vec<Range<u32>>,
    problem: Option<String>,
}

impl Books {
    /// The host of a placement, if all of it is on one.
    fn host_of(&mut self, placement: &Placement) -> Option<usize> {
        let (first, last) = placement.span()?;
        let host = self.hosts.iter().position(|nodes| nodes.contains(&first) && nodes.contains(&last));
        if host.is_none() {
            self.problem.get_or_insert(format!("{placement:?} is not on one host"));
        }
        host
    }
}

impl Observer for Books {
    fn begin(&mut self, cluster: &Cluster) {
        self.hosts = cluster.hosts().unwrap().iter().map(|host| host.nodes.clone()).collect();
    }

    fn started(&mut self, now: Time, job: &JobRecord<'_>) {
        let is_test = job.test.is_some_and(|test| test.lasts);
        if is_test {
            self.tests.insert(job.arrival, (now.0, None));
        }
        let most_kb = if is_test { self.initial_kb } else { u64::MAX };
        self.present.insert(job.arrival, job.job.memory_kb.min(most_kb));
        self.histories.insert(job.arrival, vec![(now.0, job.placement.len())]);
        self.host_of(job.placement);
    }

    fn resized(&mut self, now: Time, job: &JobRecord<'_>) {
        let (history, held) = (self.histories.get_mut(&job.arrival).unwrap(), job.placement.len());
        history.retain(|(since, _)| *since < now.0);
        if history.last().is_none_or(|(_, before)| *before != held) {
            history.push((now.0, held));
        }
        if let Some(host) = self.host_of(job.placement) {
            let all = self.repartitions.entry(host).or_default();
            if all.last() != Some(&now.0) {
                all.push(now.0);
            }
        }
    }

    fn requeued(&mut self, now: Time, job: &JobRecord<'_>, _nodes: &Placement) {
        self.present.remove(&job.arrival);
        self.tests.get_mut(&job.arrival).unwrap().1 = Some(now.0);
    }

    fn ended(&mut self, now: Time, job: &JobRecord<'_>) {
        self.present.remove(&job.arrival);
        if job.test.is_some_and(|test| test.lasts) {
            self.tests.get_mut(&job.arrival).unwrap().1 = Some(now.0);
        }
    }

    fn passed(&mut self, now: Time, _waiting: usize, cluster: &Cluster) {
        let hosts = cluster.hosts().unwrap();
        let free: u32 = hosts.iter().map(|host| host.free_processors).sum();
        let held_kb: u64 = hosts.iter().map(|host| host.memory_kb - host.free_kb).sum();
        if free != cluster.free().len() || held_kb != self.present.values().sum::<u64>() {
            self.problem.get_or_insert(format!("books do not balance at {now}"));
        }
    }
}

fn scenes() -> impl Strategy<Value = Scene> {
    let hosts = prop::collection::vec((1u32..9, 2u64..10), 1..4);
    let gap = prop_oneof![3 => Just(0i64), 3 => 0i64..5, 1 => 5i64..30];
    let run_time = prop_oneof![4 => 1i64..10, 1 => 10i64..50];
    let memory = prop_oneof![2 => Just(0u64), 3 => 0u64..10];
    let peak = prop_oneof![1 => Just(0u64), 2 => 0u64..10_000];
    let jobs = prop::collection::vec((gap, 0u32..9, run_time, (memory, peak), 0i64..3), 1..30);
    let service = (1u64..5, 0u64..6).prop_map(|(quantum_s, initial_mb)| ImmediateService {
        quantum_s,
        initial_mb,
        ..ImmediateService::default()
    });
    let policy = (
        prop::sample::select(vec![0u64, 1, 5, 20]),
        prop::option::of(0u64..15),
        prop_oneof![1 => Just(None), 3 => service.prop_map(Some)],
    );
    (hosts, jobs, policy).prop_map(|(hosts, raw, (min_interval_s, full_after_s, immediate_service))| {
        let named = |(index, &(processors, memory_mb)): (usize, &(u32, u64))| HostSpec {
            name: format!("host {index}"),
            processors,
            memory_mb,
        };
        let mut submit = 0;
        let mut jobs = Vec::new();
        for (id, (gap, size, run_time, (megabytes, peak_kb), fraction)) in raw.into_iter().enumerate() {
            submit += gap;
            // Cut to what the host of its number holds.
            let (processors, memory_mb) = hosts[id % hosts.len()];
            jobs.push(Job {
                id: id as u64,
                submit: Time::from_secs(submit),
                run_time: Span(Span::from_secs(run_time).0 + fraction),
                estimate: Span::from_secs(run_time / 2 + 1),
                size: 1 + size % processors,
                memory_kb: megabytes.min(memory_mb) * 1024,
                peak_memory_kb: peak_kb.min(megabytes.min(memory_mb) * 1024),
                ..Job::default()
            });
        }
        let setup = Setup {
            machine: MachineSpec::Hosts { hosts: hosts.iter().enumerate().map(named).collect() },
            policy: PolicySpec::EqSpatial { min_interval_s, full_after_s, immediate_service },
            allocator: AllocatorSpec::FirstFree,
            memory: None,
            passes: Passes::PerInstant,
            estimates: EstimateSource::Requested,
        };
        Scene { setup, jobs }
    })
}

fn watched(scene: &Scene) -> (Vec<JobLine>, Books) {
    let service = service_of(scene);
    let initial_kb = service.map_or(0, |service| service.initial_mb * 1024);
    let mut observer = (JobLog::default(), Books { initial_kb, ..Books::default() });
    simulate(&scene.setup, scene.jobs.iter().copied(), &mut observer).unwrap();
    (observer.0.by_arrival(), observer.1)
}

fn service_of(scene: &Scene) -> Option<ImmediateService> {
    let PolicySpec::EqSpatial { immediate_service, .. } = scene.setup.policy else { panic!() };
    immediate_service
}

/// Where processors may be lent or given back, `tests` began or ended.
fn intervals_are_kept(changes: &[i64], tests: &BTreeMap<u64, (i64, Option<i64>)>, scene: &Scene) -> bool {
    let PolicySpec::EqSpatial { min_interval_s, .. } = scene.setup.policy else { panic!() };
    let lends = |at: &&i64| tests.values().any(|(from, until)| *from == **at || *until == Some(**at));
    let repartitions: Vec<&i64> = changes.iter().filter(|at| !lends(at)).collect();
    repartitions.windows(2).all(|pair| pair[1] - pair[0] >= Span::from_secs(min_interval_s as i64).0)
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn every_job_has_the_processors_that_the_twin_gives_it(scene in scenes()) {
        let (lines, books) = watched(&scene);
        let twin = equal::run(&scene);
        for (line, mate) in lines.iter().zip(&twin.jobs) {
            prop_assert_eq!(&books.histories[&line.arrival], &mate.history, "job {}", line.job.id);
            prop_assert_eq!((line.start.0, Some(line.finish.0)), (mate.start, mate.end), "job {}", line.job.id);
            prop_assert_eq!(books.tests.get(&line.arrival), mate.test.as_ref(), "job {}", line.job.id);
        }
    }

    #[test]
    fn promises_are_kept(scene in scenes(), per_event: bool) {
        let mut scene = scene;
        if per_event {
            scene.setup.passes = Passes::PerEvent;
        }
        let (lines, books) = watched(&scene);
        prop_assert_eq!(&books.problem, &None);
        prop_assert_eq!(lines.len(), scene.jobs.len());
        for repartitions in books.repartitions.values() {
            prop_assert!(intervals_are_kept(repartitions, &books.tests, &scene), "{repartitions:?}");
        }
        let quantum = service_of(&scene).map_or(0, |service| Span::from_secs(service.quantum_s as i64).0);
        for (from, until) in books.tests.values() {
            prop_assert!(until.is_some_and(|until| until - from <= quantum));
        }
        for line in &lines {
            let job = &line.job;
            prop_assert!(!line.killed && line.finish - line.start >= job.run_time, "{line:?}");
            let history = &books.histories[&line.arrival];
            let ends = history[1..].iter().map(|(at, _)| *at).chain([line.finish.0]);
            let spans = history.iter().zip(ends).map(|((from, held), to)| (to - from) * i64::from(*held));
            let (work, done) = (job.run_time.0 * i64::from(job.size), spans.sum::<i64>());
            // What it got in the instant of its end it had no use for.
            let last = history.iter().rfind(|(since, _)| *since < line.finish.0).unwrap();
            let last = i64::from(last.1).max(1);
            prop_assert!((work..work + last).contains(&done), "{line:?}: {done} of {work}");
        }
    }

    #[test]
    fn a_quantum_of_nothing_is_the_policy_without_tests(scene in scenes()) {
        let under = |quantum: Option<u64>| {
            let mut scene = scene.clone();
            if let PolicySpec::EqSpatial { immediate_service, .. } = &mut scene.setup.policy {
                *immediate_service =
                    quantum.map(|quantum_s| ImmediateService { quantum_s, ..ImmediateService::default() });
            }
            scene.run()
        };
        let (base, nothing) = (under(None), under(Some(0)));
        prop_assert_eq!(base.lines, nothing.lines);
        prop_assert_eq!(base.pieces, nothing.pieces);
    }
}
