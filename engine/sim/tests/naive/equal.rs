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
    peak_kb: u64,
    run_time: i64,
    left: i64,
    credit: i64,
    earns: i64,
    /// Host, from its start on.
    pub host: Option<usize>,
    pub start: i64,
    pub end: Option<i64>,
    held: i64,
    /// When it got how many processors, in its last run.
    pub history: Vec<(i64, u32)>,
    /// From and until when it was tested.
    pub test: Option<(i64, Option<i64>)>,
}

/// A test on a host.
struct Test {
    job: usize,
    kb: u64,
    from: i64,
    /// End of the quantum.
    until: i64,
    /// The job's end, if it can end.
    end: Option<i64>,
    owed: Vec<usize>,
}

impl Test {
    fn over(&self) -> i64 {
        self.end.map_or(self.until, |end| end.min(self.until))
    }
}

impl Mate {
    fn on(&self, host: usize) -> bool {
        self.host == Some(host) && self.end.is_none()
    }

    fn waits(&self, now: i64) -> bool {
        self.submit <= now && self.host.is_none() && self.test.is_none_or(|(_, until)| until.is_some())
    }

    /// Has so many processors from now on.
    fn hold(&mut self, now: i64, processors: i64) {
        self.held = processors;
        self.history.retain(|(since, _)| *since < now);
        if self.history.last().is_none_or(|(_, held)| i64::from(*held) != processors) {
            self.history.push((now, processors as u32));
        }
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
    /// Quantum and initial memory.
    service: Option<(i64, u64)>,
    /// Per host.
    tests: Vec<Option<Test>>,
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
    let PolicySpec::EqSpatial { min_interval_s, full_after_s, immediate_service } = scene.setup.policy else {
        panic!()
    };
    let MachineSpec::Hosts { hosts } = &scene.setup.machine else { panic!() };
    let jobs = scene.jobs.iter().map(|job| Mate {
        submit: job.submit.0,
        size: i64::from(job.size),
        memory_kb: job.memory_kb,
        peak_kb: job.peak_kb(),
        run_time: job.run_time.0,
        left: i64::from(job.size) * job.run_time.0,
        credit: 0,
        earns: 0,
        host: None,
        start: 0,
        end: None,
        held: 0,
        history: Vec::new(),
        test: None,
    });
    let mut world = World {
        jobs: jobs.collect(),
        placed: Vec::new(),
        hosts: hosts.iter().map(|host| (i64::from(host.processors), host.memory_kb())).collect(),
        repartitions: vec![Vec::new(); hosts.len()],
        min_interval: min_interval_s as i64 * SECOND,
        full_after: full_after_s.map(|seconds| seconds as i64 * SECOND),
        service: immediate_service
            .filter(|service| service.quantum_s > 0)
            .map(|service| (service.quantum_s as i64 * SECOND, service.initial_mb * 1024)),
        tests: hosts.iter().map(|_| None).collect(),
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
        all.extend(self.tests.iter().flatten().map(Test::over));
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

    /// Ends the tests that are over and gives back what was lent.
    fn end_tests(&mut self, now: i64) {
        for host in 0..self.hosts.len() {
            let Some(test) = self.tests[host].take_if(|test| test.over() <= now) else { continue };
            let job = &mut self.jobs[test.job];
            job.test = Some((test.from, Some(now)));
            if test.end.is_some_and(|end| end <= now) {
                (job.host, job.start, job.end) = (Some(host), test.from, Some(now));
                job.history = vec![(test.from, job.size as u32)];
            }
            for lender in test.owed {
                let job = &mut self.jobs[lender];
                if job.end.is_none() {
                    job.hold(now, job.held + 1);
                }
            }
        }
    }

    fn begin_tests(&mut self, now: i64) {
        let Some((quantum, initial_kb)) = self.service else { return };
        for job in 0..self.jobs.len() {
            let Mate { size, memory_kb, peak_kb, run_time, .. } = self.jobs[job];
            if !self.jobs[job].waits(now) || self.jobs[job].test.is_some() {
                continue;
            }
            let kb = memory_kb.min(initial_kb);
            let mut best: Option<(u64, usize)> = None;
            for (host, (processors, total_kb)) in self.hosts.iter().enumerate() {
                let free_kb = total_kb - self.used_kb(host);
                let fits = self.tests[host].is_none() && size <= *processors && kb <= free_kb;
                if fits && best.is_none_or(|(most, _)| free_kb > most) {
                    best = Some((free_kb, host));
                }
            }
            let Some((_, host)) = best else { continue };
            let mut owed = Vec::new();
            let mut free = self.free(host);
            while free < size {
                let here = || self.placed.iter().copied().filter(|job| self.jobs[*job].on(host));
                let most = here().map(|job| self.jobs[job].held).max().unwrap();
                let lender = here().rfind(|job| self.jobs[*job].held == most).unwrap();
                self.jobs[lender].hold(now, most - 1);
                owed.push(lender);
                free += 1;
            }
            let end = (kb == memory_kb || kb >= peak_kb).then_some(now + run_time);
            self.jobs[job].test = Some((now, None));
            self.tests[host] = Some(Test { job, kb, from: now, until: now + quantum, end, owed });
        }
    }

    /// Processors that nobody has.
    fn free(&self, host: usize) -> i64 {
        let held: i64 = self.jobs.iter().filter(|job| job.on(host)).map(|job| job.held).sum();
        self.hosts[host].0 - held - self.tested(host)
    }

    /// Processors of the test.
    fn tested(&self, host: usize) -> i64 {
        self.tests[host].as_ref().map_or(0, |test| self.jobs[test.job].size)
    }

    fn used_kb(&self, host: usize) -> u64 {
        let held = self.jobs.iter().filter(|job| job.on(host)).map(|job| job.memory_kb);
        held.sum::<u64>() + self.tests[host].as_ref().map_or(0, |test| test.kb)
    }

    fn schedule(&mut self, now: i64) {
        self.end_tests(now);
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
        self.begin_tests(now);
        let total = self.hosts.iter().map(|(processors, _)| processors).sum();
        let mut all = Vec::new();
        // Whoever runs comes first, by host, and there who is tested last.
        for (host, test) in self.tests.iter().enumerate() {
            all.extend(self.placed.iter().copied().filter(|job| self.jobs[*job].on(host)));
            all.extend(test.iter().map(|test| test.job));
        }
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
            if self.used_kb(host) + memory_kb > *kb || size > *processors {
                continue;
            }
            // A job placed at this instant will have what it asks for.
            let held = |other: &Mate| if other.start == now { other.size } else { other.held };
            let repaying: i64 = there().filter(|other| other.credit > 0).map(held).sum();
            let asked: i64 = there().filter(|other| other.credit == 0).map(|other| other.size).sum();
            let asked = asked + self.tested(host);
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
        let changes = |(job, share): (&usize, &i64)| !is_new(*job) && self.jobs[*job].held != *share;
        let has_test = self.tests[host].is_some();
        if has_test || here.iter().zip(&shares).any(changes) {
            let allowed = self.repartitions[host].last().is_none_or(|last| now - last >= self.min_interval);
            if allowed && !has_test {
                self.repartitions[host].push(now);
            } else {
                let mut free = self.free(host);
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
                job.hold(now, share);
            }
        }
    }
}
