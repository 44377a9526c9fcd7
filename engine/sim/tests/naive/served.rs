//! Test runs of new jobs beside slow priority backfilling: at every event the victims are worked out anew from lists of jobs.

use super::hosts::{Hold, Slow, Stay, seconds};
use sim::policy::{ImmediateService, ServiceForm};

/// A test run.
#[derive(Clone, Debug)]
pub struct Test {
    pub job: usize,
    pub host: usize,
    pub from: i64,
    /// End of the quantum, or of the job if that is not later.
    pub over: i64,
    pub ends_job: bool,
    /// Processors that were free, and memory.
    pub own: Hold,
    pub victims: Vec<usize>,
}

/// What test runs add to the state of a scene.
#[derive(Clone, Debug)]
pub struct Served {
    terms: ImmediateService,
    tests: Vec<Test>,
    /// New jobs that have not been tested, in arrival order.
    pending: Vec<usize>,
    wake: i64,
    /// Per job: how long it was suspended, and since when it runs without interruption.
    pub paused: Vec<i64>,
    since: Vec<i64>,
    /// All tests that there were.
    pub done: Vec<Test>,
    /// Per job: from when to when it had processors.
    pub pieces: Vec<Vec<(i64, i64)>>,
}

impl Served {
    pub fn new(terms: ImmediateService, jobs: usize) -> Served {
        Served {
            terms,
            tests: Vec::new(),
            pending: Vec::new(),
            wake: -1,
            paused: vec![0; jobs],
            since: vec![0; jobs],
            done: Vec::new(),
            pieces: vec![Vec::new(); jobs],
        }
    }

    fn quantum(&self) -> i64 {
        self.terms.quantum_s.cast_signed()
    }

    /// t.
    fn settled(&self) -> i64 {
        self.quantum() * self.terms.settled_quanta.cast_signed()
    }

    /// When something happens.
    pub fn events(&self) -> impl Iterator<Item = i64> + '_ {
        self.tests.iter().map(|test| test.over).chain([self.wake])
    }

    pub fn is_tested(&self, job: usize) -> bool {
        self.tests.iter().any(|test| test.job == job)
    }

    fn is_suspended(&self, job: usize) -> bool {
        self.tests.iter().any(|test| test.victims.contains(&job))
    }

    /// How much later a job ends than it would without tests, as far as that can be told.
    pub fn delay(&self, job: usize) -> i64 {
        self.paused[job] + if self.is_suspended(job) { self.quantum() } else { 0 }
    }

    /// What tests hold, to the end of their quanta.
    pub fn holds(&self) -> impl Iterator<Item = Hold> + '_ {
        self.tests.iter().map(|test| test.own)
    }

    /// A job has started for good.
    pub fn started(&mut self, job: usize, now: i64) {
        self.since[job] = now;
    }
}

impl Slow<'_> {
    /// Ends the tests that are over, and lets their victims go on.
    pub fn end_tests(&mut self) {
        let now = self.now;
        let Some(served) = &mut self.served else { return };
        let (over, tests): (Vec<Test>, Vec<Test>) = served.tests.drain(..).partition(|test| test.over <= now);
        served.tests = tests;
        for test in over {
            served.pieces[test.job].push((test.from, now));
            if test.ends_job {
                self.stays[test.job] = Some(Stay { host: test.host, start: test.from, finish: now });
            }
            for &victim in &test.victims {
                let stay = self.stays[victim].as_mut().expect("it has started");
                let pause = now - test.from;
                served.paused[victim] += pause;
                served.since[victim] = now;
                stay.finish = stay.start + seconds(self.jobs[victim].run_time.0) + served.paused[victim];
            }
            served.done.push(test);
        }
    }

    /// Tests new jobs that could not start.
    pub fn begin_tests(&mut self) {
        let Some(served) = &mut self.served else { return };
        let new = (0..self.jobs.len()).filter(|job| seconds(self.jobs[*job].submit.0) == self.now);
        served.pending.extend(new);
        served.pending.retain(|job| self.stays[*job].is_none());
        for job in served.pending.clone() {
            if let Some(test) = self.test(job) {
                self.kept.retain(|(other, _)| *other != job);
                let served = self.served.as_mut().expect("asked above");
                for &victim in &test.victims {
                    served.pieces[victim].push((served.since[victim], self.now));
                    // Not before it goes on.
                    self.stays[victim].as_mut().expect("it runs").finish = i64::MAX;
                }
                served.pending.retain(|other| *other != job);
                served.tests.push(test);
            }
        }
        self.ask_for_waking();
    }

    /// When the next job that runs becomes eligible, unless a call comes before that.
    fn ask_for_waking(&mut self) {
        let Some(served) = &self.served else { return };
        if served.pending.is_empty() || served.terms.form == ServiceForm::Soon {
            return;
        }
        let settled = served.settled();
        let eligible_at = |job: &usize| served.since[*job] + settled + 1;
        let next = self.runs().filter(|job| {
            eligible_at(job) > self.now && self.expected_end(*job) - eligible_at(job) > settled
        });
        let next = next.map(|job| eligible_at(&job)).min();
        let (now, wake) = (self.now, served.wake);
        if let Some(next) = next.filter(|next| wake <= now || *next < wake) {
            self.served.as_mut().expect("asked above").wake = next;
        }
    }

    /// Jobs that run, tests and suspended ones not counted.
    fn runs(&self) -> impl Iterator<Item = usize> + '_ {
        let runs = |job: &usize| self.stays[*job].is_some_and(|stay| stay.finish > self.now);
        let served = self.served.as_ref();
        (0..self.jobs.len())
            .filter(runs)
            .filter(move |job| !served.is_some_and(|served| served.is_suspended(*job)))
    }

    pub fn expected_end(&self, job: usize) -> i64 {
        let start = self.stays[job].expect("it has started").start;
        start + self.estimate(job) + self.served.as_ref().map_or(0, |served| served.delay(job))
    }

    fn test(&self, job: usize) -> Option<Test> {
        let served = self.served.as_ref()?;
        let asked = &self.jobs[job];
        let (size, kb) = (u64::from(asked.size), asked.memory_kb.min(served.terms.initial_mb * 1024));
        let held = |host: usize, of: fn(&Hold) -> u64| {
            self.running().iter().filter(|hold| hold.host == host).map(of).sum::<u64>()
        };
        let mut best: Option<(u64, u64, usize, Vec<usize>)> = None;
        for (host, (processors, memory)) in self.hosts.iter().enumerate() {
            if held(host, |hold| hold.kb) + kb > *memory {
                continue;
            }
            let free = processors - held(host, |hold| hold.size);
            let victims = if free >= size {
                Vec::new()
            } else {
                match self.victims(host, size - free) {
                    Some(victims) if served.terms.form == ServiceForm::Preemptive => victims,
                    _ => continue,
                }
            };
            let left: u64 = victims.iter().map(|victim| u64::from(self.jobs[*victim].size)).sum();
            // Without victims is better than with; then the fewest free processors, or the fewest left over.
            let found = (u64::from(!victims.is_empty()), free + left - size, host, victims);
            if best.as_ref().is_none_or(|best| (found.0, found.1) < (best.0, best.1)) {
                best = Some(found);
            }
        }
        let (_, _, host, victims) = best?;
        let free = self.hosts[host].0 - held(host, |hold| hold.size);
        let until = self.now + served.quantum();
        let end = self.now + seconds(asked.run_time.0);
        let enough = kb == asked.memory_kb || kb >= asked.peak_kb();
        let ends_job = enough && end <= until;
        let own = Hold { host, from: self.now, to: until, size: size.min(free), kb };
        let over = if ends_job { end } else { until };
        Some(Test { job, host, from: self.now, over, ends_job, own, victims })
    }

    /// The jobs on a host that leave `needed` processors to a test, if any do.
    fn victims(&self, host: usize, needed: u64) -> Option<Vec<usize>> {
        let served = self.served.as_ref()?;
        let settled = served.settled();
        let on_host = |job: &usize| self.stays[*job].is_some_and(|stay| stay.host == host);
        let mut eligible: Vec<usize> = self.runs().filter(on_host).collect();
        eligible.retain(|job| {
            self.now - served.since[*job] > settled && self.expected_end(*job) - self.now > settled
        });
        // Elapsed over executed; equal ones stay in arrival order.
        let elapsed = |job: usize| self.now - seconds(self.jobs[job].submit.0);
        let executed = |job: usize| self.now - self.stays[job].expect("it runs").start - served.paused[job];
        eligible.sort_by(|a, b| (elapsed(*a) * executed(*b)).cmp(&(elapsed(*b) * executed(*a))));
        let sum = |jobs: &[usize]| jobs.iter().map(|job| u64::from(self.jobs[*job].size)).sum::<u64>();
        let enough = (0..=eligible.len()).find(|count| sum(&eligible[..*count]) >= needed)?;
        eligible.truncate(enough);
        for candidate in eligible.clone().into_iter().rev() {
            let without: Vec<usize> = eligible.iter().copied().filter(|job| *job != candidate).collect();
            if sum(&without) >= needed {
                eligible = without;
            }
        }
        Some(eligible)
    }

    /// From when to when every job had processors, in arrival order.
    pub fn pieces(&self) -> Vec<Vec<(i64, i64)>> {
        let served = self.served.as_ref().expect("of scenes with tests");
        let mut pieces = served.pieces.clone();
        for (job, stay) in self.stays.iter().enumerate() {
            let stay = stay.expect("every job starts");
            if !served.done.iter().any(|test| test.job == job && test.ends_job) {
                pieces[job].push((served.since[job], stay.finish));
            }
        }
        pieces
    }
}
