//! Class priority on hosts, slowly: at every event all that counts is worked out anew from the list of jobs and the specification, in whole seconds.

use super::hosts::{Stay, seconds};
use crate::scene::Scene;
use sim::policy::class_priority::{HostLimits, SizeClass, TimeClass};
use sim::{HostSpec, Job, PolicySpec};
use std::collections::{BTreeMap, BTreeSet};

/// How often what happened to hosts that were drained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drained {
    pub granted: u32,
    pub lost: u32,
    /// Jobs that started on their host, after the host had waited for them.
    pub served: u32,
    /// Jobs that started elsewhere.
    pub left: u32,
}

pub struct Slow<'a> {
    jobs: &'a [Job],
    hosts: &'a [HostSpec],
    times: &'a [TimeClass],
    sizes: &'a [SizeClass],
    limits: &'a [HostLimits],
    stream: u64,
    now: i64,
    pub stays: Vec<Option<Stay>>,
    queued: BTreeSet<usize>,
    /// Host and job.
    drains: BTreeMap<usize, usize>,
    pub drained: Drained,
}

/// Runs a scene of hosts under class priority.
pub fn run(scene: &Scene) -> Slow<'_> {
    let PolicySpec::ClassPriority { time_classes, size_classes, host_limits, drain_seed } =
        &scene.setup.policy
    else {
        panic!("not this twin's")
    };
    let mut slow = Slow {
        jobs: &scene.jobs,
        hosts: scene.setup.machine.hosts(),
        times: time_classes,
        sizes: size_classes,
        limits: host_limits,
        stream: *drain_seed,
        now: -1,
        stays: vec![None; scene.jobs.len()],
        queued: BTreeSet::new(),
        drains: BTreeMap::new(),
        drained: Drained::default(),
    };
    while let Some(next) = slow.next_event() {
        slow.now = next;
        slow.pass();
    }
    slow
}

impl<'a> Slow<'a> {
    fn next_event(&self) -> Option<i64> {
        let submits = self.jobs.iter().map(|job| seconds(job.submit.0));
        let ends = self.stays.iter().flatten().map(|stay| stay.finish);
        submits.chain(ends).filter(|at| *at > self.now).min()
    }

    /// The time class of a job.
    pub fn time(&self, job: usize) -> &'a TimeClass {
        let estimate = seconds(self.jobs[job].estimate.0) as u64;
        let class = self.times.iter().find(|class| estimate <= class.up_to_s);
        class.unwrap_or(self.times.last().unwrap())
    }

    /// The place of a job's size class.
    pub fn size(&self, job: usize) -> usize {
        let Job { size, memory_kb, .. } = self.jobs[job];
        let fits = |class: &SizeClass| size <= class.processors && memory_kb <= class.memory_mb * 1024;
        self.sizes.iter().position(fits).unwrap_or(self.sizes.len() - 1)
    }

    /// How many jobs of a size class a host may run.
    pub fn limit(&self, host: usize, size: usize) -> usize {
        for HostLimits { host: name, at_most } in self.limits {
            for (class, most) in at_most {
                if *name == self.hosts[host].name && *class == self.sizes[size].name {
                    return *most as usize;
                }
            }
        }
        usize::MAX
    }

    fn running(&self) -> Vec<usize> {
        let runs = |job: &usize| self.stays[*job].is_some_and(|stay| stay.finish > self.now);
        (0..self.jobs.len()).filter(runs).collect()
    }

    fn on(&self, host: usize) -> Vec<usize> {
        self.running().into_iter().filter(|job| self.stays[*job].unwrap().host == host).collect()
    }

    fn is_full(&self, job: usize) -> bool {
        let class = self.time(job);
        let others = self.running().into_iter().filter(|other| self.time(*other) == class).count();
        class.at_most.is_some_and(|most| others >= most as usize)
    }

    fn has_quota(&self, host: usize, size: usize) -> bool {
        self.on(host).into_iter().filter(|job| self.size(*job) == size).count() < self.limit(host, size)
    }

    pub fn could(&self, host: usize, job: usize) -> bool {
        let HostSpec { processors, memory_mb, .. } = self.hosts[host];
        self.jobs[job].size <= processors && self.jobs[job].memory_kb <= memory_mb * 1024
    }

    fn fits(&self, host: usize, job: usize) -> bool {
        let used =
            |of: fn(&Job) -> u64| self.on(host).into_iter().map(|job| of(&self.jobs[job])).sum::<u64>();
        let (processors, kb) = (used(|job| job.size.into()), used(|job| job.memory_kb));
        let Job { size, memory_kb, .. } = self.jobs[job];
        processors + u64::from(size) <= self.hosts[host].processors.into()
            && kb + memory_kb <= self.hosts[host].memory_mb * 1024
    }

    fn claims(&self, host: usize, job: usize) -> bool {
        !self.time(job).goes_first && !self.is_full(job) && self.could(host, job)
    }

    fn has_turn(&self, host: usize, size: usize) -> bool {
        let goes_before = |job: &usize| {
            let other = self.size(*job);
            other > size && self.has_quota(host, other) && self.claims(host, *job)
        };
        self.has_quota(host, size) && !self.queued.iter().any(goes_before)
    }

    fn may(&self, host: usize, job: usize) -> bool {
        !self.is_full(job) && self.has_turn(host, self.size(job))
    }

    fn start(&mut self, job: usize, host: usize) {
        assert!(!self.drains.contains_key(&host) && self.may(host, job) && self.fits(host, job));
        let finish = self.now + seconds(self.jobs[job].run_time.0);
        self.stays[job] = Some(Stay { host, start: self.now, finish });
        self.queued.remove(&job);
    }

    fn pass(&mut self) {
        let ended = self.stays.iter().flatten().filter(|stay| stay.finish == self.now);
        let mut called: BTreeSet<usize> = ended.map(|stay| stay.host).collect();
        self.look_after(&mut called);
        self.grant();
        called.extend((0..self.hosts.len()).filter(|host| self.on(*host).is_empty()));
        while let Some(host) = called.pop_first() {
            while let Some(job) = self.first_for(host) {
                self.start(job, host);
                let other = self.drains.iter().find(|(_, drained)| **drained == job).map(|(other, _)| *other);
                if let Some(other) = other {
                    self.drains.remove(&other);
                    self.drained.left += 1;
                    called.insert(other);
                }
            }
        }
        for job in 0..self.jobs.len() {
            if seconds(self.jobs[job].submit.0) == self.now {
                self.welcome(job);
            }
        }
    }

    fn look_after(&mut self, called: &mut BTreeSet<usize>) {
        for (host, job) in self.drains.clone() {
            let keeps = self.may(host, job);
            if keeps && !self.fits(host, job) {
                continue;
            }
            self.drains.remove(&host);
            called.insert(host);
            if keeps {
                self.start(job, host);
                self.drained.served += 1;
            } else {
                self.drained.lost += 1;
            }
        }
    }

    fn grant(&mut self) {
        for job in self.queued.clone() {
            let waited = self.now - seconds(self.jobs[job].submit.0);
            let overdue = self.time(job).drain_after_s.is_some_and(|after| waited as u64 >= after);
            if !overdue || self.drains.values().any(|other| *other == job) {
                continue;
            }
            let open = |host: &usize| !self.drains.contains_key(host);
            let eligible: Vec<usize> = (0..self.hosts.len())
                .filter(|host| open(host) && self.could(*host, job) && self.may(*host, job))
                .collect();
            if eligible.is_empty() {
                continue;
            }
            let host = eligible[self.draw(eligible.len())];
            if self.fits(host, job) {
                self.start(job, host);
            } else {
                self.drains.insert(host, job);
                self.drained.granted += 1;
            }
        }
    }

    /// SplitMix64, and the upper half of a product.
    fn draw(&mut self, count: usize) -> usize {
        self.stream = self.stream.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.stream;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * count as u128) >> 64) as usize
    }

    /// Whoever may start on a host before all others.
    fn first_for(&self, host: usize) -> Option<usize> {
        if self.drains.contains_key(&host) {
            return None;
        }
        let can = |job: &&usize| self.fits(host, **job) && self.may(host, **job);
        let order = |job: &&usize| (self.size(**job), self.time(**job).goes_first, usize::MAX - **job);
        self.queued.iter().filter(can).max_by_key(order).copied()
    }

    fn welcome(&mut self, job: usize) {
        let can =
            |host: &usize| !self.drains.contains_key(host) && self.fits(*host, job) && self.may(*host, job);
        let free = |host: usize| {
            let used: u32 = self.on(host).into_iter().map(|job| self.jobs[job].size).sum();
            self.hosts[host].processors - used
        };
        let best = (0..self.hosts.len()).filter(can).min_by_key(|host| (u32::MAX - free(*host), *host));
        match best {
            Some(host) => self.start(job, host),
            None => {
                self.queued.insert(job);
            }
        }
    }
}
