//! EQspatial done slowly: at every event everything is worked out anew, and processors are dealt one by one.
//!
//! Nothing is shared with the engine, its kernel neither: work is counted in processor-ticks.

use crate::scene::Scene;
use sim::{MachineSpec, PolicySpec};

/// A job, and what became of it.
#[derive(Clone, Debug)]
pub struct Mate {
    pub submit: i64,
    size: i64,
    memory_kb: u64,
    left: i64,
    credit: i64,
    earns: i64,
    /// Host, from its start on.
    pub host: Option<usize>,
    pub start: i64,
    pub end: Option<i64>,
    held: i64,
    /// When it got how many processors.
    pub history: Vec<(i64, u32)>,
}

impl Mate {
    fn on(&self, host: usize) -> bool {
        self.host == Some(host) && self.end.is_none()
    }

    fn waits(&self, now: i64) -> bool {
        self.submit <= now && self.host.is_none()
    }
}

pub struct World {
    pub jobs: Vec<Mate>,
    /// In the order of their placement.
    placed: Vec<usize>,
    /// Processors and kilobytes.
    hosts: Vec<(i64, u64)>,
    /// Per host.
    pub repartitions: Vec<Vec<i64>>,
    min_interval: i64,
    full_after: Option<i64>,
}

const SECOND: i64 = sim::time::TICKS_PER_SECOND;

fn deal(mut processors: i64, requests: &[i64]) -> Vec<i64> {
    let mut shares = vec![0; requests.len()];
    while processors > 0 && shares != requests {
        for (share, request) in shares.iter_mut().zip(requests) {
            if *share < *request && processors > 0 {
                *share += 1;
                processors -= 1;
            }
        }
    }
    shares
}

/// Runs the scene, which must be of hosts and `EqSpatial`, to its end.
pub fn run(scene: &Scene) -> World {
    let PolicySpec::EqSpatial { min_interval_s, full_after_s } = scene.setup.policy else { panic!() };
    let MachineSpec::Hosts { hosts } = &scene.setup.machine else { panic!() };
    let jobs = scene.jobs.iter().map(|job| Mate {
        submit: job.submit.0,
        size: i64::from(job.size),
        memory_kb: job.memory_kb,
        left: i64::from(job.size) * job.run_time.0,
        credit: 0,
        earns: 0,
        host: None,
        start: 0,
        end: None,
        held: 0,
        history: Vec::new(),
    });
    let mut world = World {
        jobs: jobs.collect(),
        placed: Vec::new(),
        hosts: hosts.iter().map(|host| (i64::from(host.processors), host.memory_kb())).collect(),
        repartitions: vec![Vec::new(); hosts.len()],
        min_interval: min_interval_s as i64 * SECOND,
        full_after: full_after_s.map(|seconds| seconds as i64 * SECOND),
    };
    let mut now = -1;
    while let Some(next) = world.next_event(now) {
        world.pass_time(now, next);
        now = next;
        world.schedule(now);
    }
    world
}

impl World {
    fn next_event(&self, now: i64) -> Option<i64> {
        let mut all: Vec<i64> = self.jobs.iter().map(|job| job.submit).collect();
        for job in self.jobs.iter().filter(|job| job.host.is_some() && job.end.is_none()) {
            if job.held > 0 {
                all.push(now + (job.left + job.held - 1) / job.held);
                all.push(now + (job.credit + job.held - 1) / job.held);
            }
            all.extend(self.full_after.map(|age| job.start + age));
        }
        let busy = (0..self.hosts.len()).filter(|host| self.jobs.iter().any(|job| job.on(*host)));
        all.extend(busy.filter_map(|host| Some(self.repartitions[host].last()? + self.min_interval)));
        all.into_iter().filter(|at| *at > now).min()
    }

    fn pass_time(&mut self, before: i64, now: i64) {
        for job in &mut self.jobs {
            if job.waits(before) {
                job.credit += job.earns * (now - before);
            } else if job.host.is_some() && job.end.is_none() {
                job.left = (job.left - job.held * (now - before)).max(0);
                job.credit = (job.credit - job.held * (now - before)).max(0);
                if job.left == 0 {
                    job.end = Some(now);
                    job.held = 0;
                }
            }
        }
    }

    fn schedule(&mut self, now: i64) {
        // Jobs are in the order of their arrival.
        for job in 0..self.jobs.len() {
            if self.jobs[job].waits(now)
                && let Some(host) = self.host_for(job, now)
            {
                (self.jobs[job].host, self.jobs[job].start) = (Some(host), now);
                self.placed.push(job);
            }
        }
        for host in 0..self.hosts.len() {
            self.share(host, now);
        }
        let total = self.hosts.iter().map(|(processors, _)| processors).sum();
        let mut all: Vec<usize> = self.placed.clone();
        all.retain(|job| self.jobs[*job].end.is_none());
        // Whoever runs comes first, by host.
        all.sort_by_key(|job| self.jobs[*job].host);
        all.extend((0..self.jobs.len()).filter(|job| self.jobs[*job].waits(now)));
        let requests: Vec<i64> = all.iter().map(|job| self.jobs[*job].size).collect();
        for (job, share) in all.into_iter().zip(deal(total, &requests)) {
            self.jobs[job].earns = share;
        }
    }

    fn host_for(&self, job: usize, now: i64) -> Option<usize> {
        let Mate { size, memory_kb, .. } = self.jobs[job];
        let mut best: Option<(f64, usize)> = None;
        for (host, (processors, kb)) in self.hosts.iter().enumerate() {
            let there = || self.jobs.iter().filter(|other| other.on(host));
            let used: u64 = there().map(|other| other.memory_kb).sum();
            if used + memory_kb > *kb || size > *processors {
                continue;
            }
            // A job placed at this instant will have what it asks for.
            let held = |other: &Mate| if other.start == now { other.size } else { other.held };
            let repaying: i64 = there().filter(|other| other.credit > 0).map(held).sum();
            let asked: i64 = there().filter(|other| other.credit == 0).map(|other| other.size).sum();
            let ratio = (processors - repaying).max(0) as f64 / (asked + size) as f64;
            if best.is_none_or(|(most, _)| ratio > most) {
                best = Some((ratio, host));
            }
        }
        best.map(|(_, host)| host)
    }

    fn fair(&self, here: &[usize], now: i64, processors: i64) -> Vec<i64> {
        let mut left = processors;
        let mut shares = vec![None; here.len()];
        for (share, job) in shares.iter_mut().zip(here).map(|(share, job)| (share, &self.jobs[*job])) {
            if job.credit > 0 {
                *share = Some(job.size.min(left));
                left -= job.size.min(left);
            }
        }
        for place in 0..here.len() {
            let job = &self.jobs[here[place]];
            let others = shares.iter().filter(|share| share.is_none()).count() as i64 - 1;
            let old = self.full_after.is_some_and(|age| now >= job.start + age);
            if shares[place].is_none() && old && left > others {
                shares[place] = Some(job.size.min(left - others));
                left -= job.size.min(left - others);
            }
        }
        let open: Vec<usize> = (0..here.len()).filter(|place| shares[*place].is_none()).collect();
        let requests: Vec<i64> = open.iter().map(|place| self.jobs[here[*place]].size).collect();
        for (place, share) in open.into_iter().zip(deal(left, &requests)) {
            shares[place] = Some(share);
        }
        shares.into_iter().flatten().collect()
    }

    fn share(&mut self, host: usize, now: i64) {
        let here: Vec<usize> = self.placed.iter().copied().filter(|job| self.jobs[*job].on(host)).collect();
        let processors = self.hosts[host].0;
        let mut shares = self.fair(&here, now, processors);
        let is_new = |job: usize| self.jobs[job].history.is_empty();
        if here.iter().zip(&shares).any(|(job, share)| !is_new(*job) && self.jobs[*job].held != *share) {
            if self.repartitions[host].last().is_none_or(|last| now - last >= self.min_interval) {
                self.repartitions[host].push(now);
            } else {
                let mut free = processors - here.iter().map(|job| self.jobs[*job].held).sum::<i64>();
                for (job, share) in here.iter().zip(&mut shares) {
                    *share = self.jobs[*job].held;
                    if is_new(*job) {
                        *share = free.min(self.jobs[*job].size);
                        free -= *share;
                    }
                }
            }
        }
        for (job, share) in here.into_iter().zip(shares) {
            let job = &mut self.jobs[job];
            if job.history.is_empty() || job.held != share {
                job.held = share;
                job.history.push((now, share as u32));
            }
        }
    }
}
