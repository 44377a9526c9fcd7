//! Priority backfilling on hosts, slowly: every pass is worked out anew from lists of jobs, in whole seconds.

use super::served::Served;
use crate::scene::Scene;
use sim::policy::{Holders, Order, Slide, Weights};
use sim::{Job, PolicySpec};

/// What is held of a host over [from, to).
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    pub host: usize,
    pub from: i64,
    pub to: i64,
    pub size: u64,
    pub kb: u64,
}

/// Where and when a job runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    pub host: usize,
    pub start: i64,
    pub finish: i64,
}

pub struct Slow<'a> {
    pub jobs: &'a [Job],
    /// Processors and kilobytes.
    pub hosts: Vec<(u64, u64)>,
    order: Order,
    reservations: usize,
    keep: bool,
    freeze: bool,
    grace: i64,
    pub now: i64,
    pub stays: Vec<Option<Stay>>,
    /// Jobs with a reservation that they keep, and its box where that is frozen.
    pub kept: Vec<(usize, Option<Hold>)>,
    /// Of policies with test runs.
    pub served: Option<Served>,
}

pub fn seconds(ticks: i64) -> i64 {
    assert_eq!(ticks % sim::time::TICKS_PER_SECOND, 0);
    ticks / sim::time::TICKS_PER_SECOND
}

/// Runs a scene of hosts under priority backfilling; stays in arrival order.
pub fn run(scene: &Scene) -> Vec<Stay> {
    run_to_end(scene).stays.into_iter().map(|stay| stay.expect("every job starts")).collect()
}

/// Runs it, with test runs if there are any, and tells all.
pub fn run_to_end(scene: &Scene) -> Slow<'_> {
    let PolicySpec::PriorityBackfill { order, reservations, holders, slide, grace_s, immediate_service } =
        scene.setup.policy
    else {
        panic!("not this twin's")
    };
    let hosts = scene.setup.machine.hosts().iter();
    let mut slow = Slow {
        jobs: &scene.jobs,
        hosts: hosts.map(|host| (u64::from(host.processors), host.memory_kb())).collect(),
        order,
        reservations: reservations.limit(),
        keep: holders == Holders::FixedJob,
        freeze: slide == Slide::NonSliding,
        grace: grace_s.cast_signed(),
        now: -1,
        stays: vec![None; scene.jobs.len()],
        kept: Vec::new(),
        served: immediate_service.map(|terms| Served::new(terms, scene.jobs.len())),
    };
    while let Some(next) = slow.next_event() {
        slow.now = next;
        slow.end_tests();
        slow.pass();
        slow.begin_tests();
    }
    slow
}

impl Slow<'_> {
    /// The next submission, end or frozen start.
    fn next_event(&self) -> Option<i64> {
        let submits = self.jobs.iter().map(|job| seconds(job.submit.0));
        let ends = self.stays.iter().flatten().map(|stay| stay.finish);
        let starts = self.kept.iter().filter_map(|(_, frozen)| frozen.map(|frozen| frozen.from));
        let tests = self.served.iter().flat_map(Served::events);
        submits.chain(ends).chain(starts).chain(tests).filter(|at| *at > self.now && *at < i64::MAX).min()
    }

    pub fn estimate(&self, job: usize) -> i64 {
        seconds(self.jobs[job].estimate.0)
    }

    /// Processors and memory that the running jobs hold, suspended ones too, until when that is expected.
    pub fn running(&self) -> Vec<Hold> {
        let mut holds: Vec<Hold> = self.served.iter().flat_map(Served::holds).collect();
        for (job, stay) in self.stays.iter().enumerate() {
            let Some(stay) = stay.filter(|stay| stay.finish > self.now) else { continue };
            let expected = self.expected_end(job);
            let later = [expected, expected + self.grace, self.now + 1];
            let to = later.into_iter().find(|to| *to > self.now).unwrap();
            holds.push(self.hold(job, stay.host, self.now, to));
        }
        holds
    }

    fn hold(&self, job: usize, host: usize, from: i64, to: i64) -> Hold {
        let Job { size, memory_kb: kb, .. } = self.jobs[job];
        Hold { host, from, to, size: size.into(), kb }
    }

    /// Whether a job fits on a host over [from, from + estimate), beside all that is held.
    fn fits(&self, job: usize, host: usize, from: i64, holds: &[Hold]) -> bool {
        let to = from + self.estimate(job);
        let (processors, kb) = self.hosts[host];
        let own = self.hold(job, host, from, to);
        (from..to).all(|at| {
            let held = || holds.iter().filter(|hold| hold.host == host && hold.from <= at && at < hold.to);
            held().map(|hold| hold.size).sum::<u64>() + own.size <= processors
                && held().map(|hold| hold.kb).sum::<u64>() + own.kb <= kb
        })
    }

    fn start(&mut self, job: usize, boxes: &[Hold]) -> bool {
        let running = self.running();
        let all: Vec<Hold> = running.iter().chain(boxes).copied().collect();
        let free = |host: usize| {
            let held = running.iter().filter(|hold| hold.host == host).map(|hold| hold.size).sum::<u64>();
            self.hosts[host].0 - held
        };
        let fitting = (0..self.hosts.len()).filter(|host| self.fits(job, *host, self.now, &all));
        let Some(host) = fitting.min_by_key(|host| (free(*host), *host)) else { return false };
        let finish = self.now + seconds(self.jobs[job].run_time.0);
        self.stays[job] = Some(Stay { host, start: self.now, finish });
        if let Some(served) = &mut self.served {
            served.started(job, self.now);
        }
        true
    }

    /// The earliest box, and the first host that has one then.
    fn reserve(&self, job: usize, boxes: &[Hold]) -> Hold {
        let all: Vec<Hold> = self.running().iter().chain(boxes).copied().collect();
        let mut from = self.now;
        loop {
            let host = (0..self.hosts.len()).find(|host| self.fits(job, *host, from, &all));
            if let Some(host) = host {
                return self.hold(job, host, from, from + self.estimate(job));
            }
            from = all.iter().map(|hold| hold.to).filter(|to| *to > from).min().expect("it fits in the end");
        }
    }

    fn pass(&mut self) {
        // Frozen boxes count until it is their holders' turn, the others from then on.
        let mut boxes: Vec<(usize, Hold)> =
            self.kept.iter().filter_map(|(job, frozen)| Some((*job, (*frozen)?))).collect();
        for (job, frozen) in std::mem::take(&mut self.kept) {
            if frozen.is_some_and(|frozen| frozen.from > self.now) {
                self.kept.push((job, frozen));
                continue;
            }
            boxes.retain(|(other, _)| *other != job);
            if !self.start(job, &only(&boxes)) {
                let reserved = self.reserve(job, &only(&boxes));
                boxes.push((job, reserved));
                self.kept.push((job, self.freeze.then_some(reserved)));
            }
        }
        for job in self.by_priority() {
            if self.start(job, &only(&boxes)) || boxes.len() >= self.reservations {
                continue;
            }
            let reserved = self.reserve(job, &only(&boxes));
            boxes.push((job, reserved));
            if self.keep {
                self.kept.push((job, self.freeze.then_some(reserved)));
            }
        }
    }

    /// The jobs that wait without a reservation that they keep; ties of priority go to the earlier arrival.
    fn by_priority(&self) -> Vec<usize> {
        let waits = |job: &usize| seconds(self.jobs[*job].submit.0) <= self.now && self.stays[*job].is_none();
        let kept = |job: &usize| {
            self.kept.iter().any(|(other, _)| other == job)
                || self.served.as_ref().is_some_and(|served| served.is_tested(*job))
        };
        let mut waiting: Vec<usize> = (0..self.jobs.len()).filter(|job| waits(job) && !kept(job)).collect();
        waiting.sort_by(|a, b| self.priority(*b).total_cmp(&self.priority(*a)));
        waiting
    }

    fn priority(&self, job: usize) -> f64 {
        let Job { submit, size, memory_kb, .. } = self.jobs[job];
        let (estimate, wait) = (self.estimate(job) as f64, (self.now - seconds(submit.0)) as f64);
        let processors: u64 = self.hosts.iter().map(|(processors, _)| processors).sum();
        let kb: u64 = self.hosts.iter().map(|(_, kb)| kb).sum();
        let (nodes, memory) = (f64::from(size), memory_kb as f64 / (kb as f64 / processors as f64));
        match self.order {
            Order::Arrival => 0.0,
            Order::ShortestFirst => -estimate,
            Order::LargestExpansionFirst => (wait + estimate) / estimate,
            Order::SmallestFirst => -nodes,
            Order::LargestFirst => nodes,
            other => {
                let Weights { wait: w, expansion: x, nodes: p, memory: m, larger: pe } =
                    other.weights().unwrap();
                let moving = w * wait / 3600.0 + x * ((wait + estimate) / estimate);
                moving + (p * nodes + m * memory + pe * nodes.max(memory))
            }
        }
    }
}

fn only(boxes: &[(usize, Hold)]) -> Vec<Hold> {
    boxes.iter().map(|(_, hold)| *hold).collect()
}
