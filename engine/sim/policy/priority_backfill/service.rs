//! Immediate service: a test run of a short quantum for new jobs that cannot start.
//!
//! Decides: after a pass, every new job that waits is tried in arrival order. It gets its processors and min(requested, initial) memory on the
//! host with the fewest free processors that has both; reservations are ignored (*assumption*). In the preemptive form it else takes the
//! processors of running jobs, victims, that have run for longer than t without interruption and are expected to run for longer than t,
//! on a host with the memory: by increasing slowdown, (now − submit)/executed, until there are enough, then those are spared that are
//! not needed, from the highest slowdown down; of all hosts the one with the least surplus. Victims keep their memory. They go on
//! on their processors when the test ends. A job that ends within the quantum and the memory leaves; else it goes back to the queue,
//! and gets no second service. A job that gets none stays pending.
//! Source: Chiang 2001, §3.2.2, §3.4 (the event that wakes the scheduler), §5.5 (one minute, 1 GB; "soon": without preemption).
//! Parameters: see [`ImmediateService`](crate::policy::ImmediateService); t = `settled_quanta` quanta.
//! Differs: *assumption*: pending jobs are tried in every pass, and woken a second after the next job has run for t.
//! What victims hold beyond the need stays idle: nobody else gets processors that they will need again.
//! Ties: slowdowns: earlier arrival; hosts: order of the table.
//! Cost: per pass and pending job a look at all hosts, in the preemptive form at all running jobs.

use super::profile::Need;
use super::queue::Queue;
use super::running::Running;
use crate::cluster::hosts::Host;
use crate::cluster::node_set::Placement;
use crate::job::{JobSlot, Request};
use crate::kernel::{Pass, Phase};
use crate::policy::immediate_service::Terms;
use crate::time::{Span, Time};

/// A test run.
#[derive(Debug)]
struct Test {
    job: JobSlot,
    host: usize,
    ends: Time,
    victims: Vec<JobSlot>,
    /// What the victims left that the test does not use.
    idle: Placement,
}

/// The jobs that are tested, and those that wait for a test.
#[derive(Debug)]
pub struct Service {
    terms: Terms,
    tests: Vec<Test>,
    /// In arrival order.
    pending: Vec<JobSlot>,
    wake: Time,
}

/// A host and the jobs that make room on it.
struct Room {
    host: usize,
    victims: Vec<JobSlot>,
    surplus: u32,
}

impl Service {
    /// Nobody is tested.
    pub fn new(terms: Terms) -> Service {
        Service { terms, tests: Vec::new(), pending: Vec::new(), wake: Time::NEVER }
    }

    /// Ends the tests whose time has come or whose job has ended, and lets their victims go on. Whether something happened that calls for a pass.
    pub fn end_tests(&mut self, pass: &mut Pass<'_>, running: &mut Running, queue: &mut Queue) -> bool {
        let now = pass.now();
        // A test whose job is done at the end of its quantum is over when the job has ended.
        let (over, tests): (Vec<Test>, Vec<Test>) = self.tests.drain(..).partition(|test| {
            pass.phase(test.job) == Phase::Ended || test.ends <= now && pass.requeue(test.job)
        });
        self.tests = tests;
        for test in &over {
            if pass.phase(test.job) == Phase::Waiting {
                running.end(test.job, now);
                queue.push(test.job, *pass.request(test.job));
            }
            running.use_again(test.host, &test.idle);
            for &victim in &test.victims {
                let resumed = pass.resume(victim);
                debug_assert!(resumed, "its processors were kept for it");
                running.go_on(pass, victim);
            }
        }
        self.pending.retain(|job| pass.phase(*job) == Phase::Waiting);
        self.pending.extend(pass.submitted());
        !over.is_empty() || self.wake == now
    }

    /// Tests the new jobs that wait still.
    pub fn serve(&mut self, pass: &mut Pass<'_>, running: &mut Running, queue: &mut Queue) {
        let pending = std::mem::take(&mut self.pending);
        for job in pending {
            if pass.phase(job) != Phase::Waiting {
                continue;
            }
            match self.room(pass, running, job) {
                Some(room) => {
                    queue.take(job, running);
                    self.test(pass, running, job, room);
                }
                None => self.pending.push(job),
            }
        }
        self.wake_up(pass, running);
    }

    fn room(&self, pass: &Pass<'_>, running: &Running, job: JobSlot) -> Option<Room> {
        let hosts = pass.cluster().hosts()?;
        let Request { size, memory_kb, .. } = *pass.request(job);
        let kb = memory_kb.min(self.terms.initial_kb);
        let free = |host: &(usize, &Host)| host.1.free_processors - running.idle_processors(host.0);
        let with_memory = || hosts.iter().enumerate().filter(|(_, host)| host.free_kb >= kb);
        let tightest = with_memory().filter(|host| free(host) >= size).min_by_key(|host| free(host));
        if let Some((host, _)) = tightest {
            return Some(Room { host, victims: Vec::new(), surplus: 0 });
        }
        if !self.terms.preempts {
            return None;
        }
        let rooms = with_memory().filter_map(|host| self.victims(pass, running, host.0, free(&host), size));
        rooms.min_by_key(|room| room.surplus)
    }

    /// Whether a running job may be preempted.
    fn is_eligible(&self, pass: &Pass<'_>, running: &Running, job: JobSlot) -> bool {
        let (now, settled) = (pass.now(), self.terms.settled);
        now - running.since(job) > settled
            && pass.expected_end(job) - now > settled
            && !self.tests.iter().any(|test| test.job == job)
    }

    fn victims(&self, pass: &Pass<'_>, running: &Running, host: usize, free: u32, size: u32) -> Option<Room> {
        let eligible =
            pass.running().filter(|job| running.host(*job) == host && self.is_eligible(pass, running, *job));
        let mut victims: Vec<JobSlot> = eligible.collect();
        let elapsed = |job: JobSlot| i128::from((pass.now() - pass.request(job).submit).0);
        let executed = |job: JobSlot| {
            let began = pass.expected_end(job) - pass.request(job).estimate;
            i128::from((pass.now() - began).0)
        };
        victims.sort_by(|&a, &b| {
            let slowdowns = (elapsed(a) * executed(b)).cmp(&(elapsed(b) * executed(a)));
            slowdowns.then(pass.request(a).arrival.cmp(&pass.request(b).arrival))
        });
        let mut total = free;
        let enough = victims.iter().position(|victim| {
            total += pass.request(*victim).size;
            total >= size
        })?;
        victims.truncate(enough + 1);
        for place in (0..victims.len()).rev() {
            let own = pass.request(victims[place]).size;
            if total - own >= size {
                total -= own;
                victims.remove(place);
            }
        }
        Some(Room { host, victims, surplus: total - size })
    }

    fn test(&mut self, pass: &mut Pass<'_>, running: &mut Running, job: JobSlot, room: Room) {
        let Room { host, victims, .. } = room;
        let Request { size, memory_kb, .. } = *pass.request(job);
        let (kb, ends) = (memory_kb.min(self.terms.initial_kb), pass.now() + self.terms.quantum);
        let Some(nodes) = pass.cluster().hosts().map(|hosts| hosts.get(host).nodes.clone()) else { return };
        // What is free comes first, what the victims leave fills up.
        let usable = running.usable(pass.cluster().free());
        let mut chosen: Vec<u32> =
            usable.nodes().filter(|node| nodes.contains(node)).take(size as usize).collect();
        let own = chosen.len() as u32;
        let mut idle = Vec::new();
        for &victim in &victims {
            for node in pass.placement(victim).nodes() {
                if chosen.len() < size as usize { chosen.push(node) } else { idle.push(node) }
            }
            pass.suspend(victim);
            running.pause(victim, self.terms.quantum);
        }
        let idle = Placement::of(idle);
        running.leave_idle(host, &idle);
        let started = pass.start_test(job, Placement::of(chosen), kb, !victims.is_empty());
        debug_assert!(started, "there was room for the test");
        running.hold(job, host, Need::new(own, kb), pass.now(), ends);
        pass.wake_at(ends);
        self.tests.push(Test { job, host, ends, victims, idle });
    }

    /// Asks for a pass when the next running job may be preempted, if a job waits for that.
    fn wake_up(&mut self, pass: &mut Pass<'_>, running: &Running) {
        let now = pass.now();
        if self.pending.is_empty() || !self.terms.preempts {
            return;
        }
        let settles = |job: JobSlot| running.since(job) + self.terms.settled + Span::from_secs(1);
        let next =
            pass.running().filter(|job| !self.tests.iter().any(|test| test.job == *job)).filter(|job| {
                settles(*job) > now && pass.expected_end(*job) - settles(*job) > self.terms.settled
            });
        let next = next.map(settles).min().unwrap_or(Time::NEVER);
        if self.wake <= now || next < self.wake {
            self.wake = next;
            pass.wake_at(next);
        }
    }
}
