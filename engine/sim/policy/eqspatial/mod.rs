//! Equal space partitioning on hosts (EQspatial): every job runs at once, on as many processors as its fair share of a host allows.
//!
//! Decides: a job that arrives is put on the host with enough free memory that has the most processors per requested processor, the new job's
//! counted. On a host the processors are shared out (1) to jobs that have credit, as many as they ask for; (2) with `full_after_s`, to jobs that
//! have been there for so long, as many as they ask for, as long as every other job keeps one; (3) to the others equally, none more than it asks for. A
//! change of what jobs already have is a repartition; the next one on the same host comes no sooner than `min_interval_s` after it. Until then a
//! new job runs on processors that happen to be free, perhaps on none, and those that an ended job leaves stay idle. Where no host has the memory, a
//! job waits. Meanwhile it earns as credit the processor time of its share as if all processors were one host and all waiting jobs ran too; it is repaid
//! once it has had as much since its start. Slowdown is linear. Estimates do not matter. With `immediate_service` a new job that has to wait gets a
//! test run: for the quantum, or until it ends, it has all the processors that it asks for and min(requested, initial) memory on the host that has
//! the most free memory of those with so much and no other test. What free processors do not suffice for is lent by the jobs there, one by one by the one
//! that has the most, and given back when the test is over. A job that does not end in the quantum and the memory loses its work and waits.
//! Source: Chiang 2001, §3.2.3, §3.2.2 ("as in the immediate service option"); `full_after_s`: §6.1.1 (EQspatial-5m/>50hr, 180000 s).
//! Parameters: `min_interval_s`: see above, 300 in the thesis and 0 for comparison; `full_after_s`: none in its EQspatial-5m;
//! `immediate_service`: `quantum_s` and `initial_mb`, one minute and 1 GB in the thesis; none leaves it out.
//! Differs: the thesis has no integers; *assumption*: shares are rounded down, and what is left goes one by one to jobs in the order of their placement.
//! *Assumptions*: processors that are taken into use by new jobs alone are no repartition; all arrivals of an instant are placed before one repartition;
//! a host with fewer processors in all than a job asks for is none for it; jobs with credit are served in the order of their placement until nothing is
//! left, and others may be left without; jobs of rule 2, in that order, get what leaves each other job one, hence part of their request where that is
//! less, and an equal share where there are more jobs than processors; time counts from the start, at whatever share; the end of a credit and the
//! coming of age are reasons to repartition; waiting jobs start in arrival order as memory is freed, and one that does not fit holds up nobody.
//! *Assumptions* on tests, of which the thesis says no more than who gets one, and that it needs the initial memory: the host, and whose processors
//! are used; a job for whose test there is no room is tried again in every pass, in arrival order, until it starts or is tested; lending is no
//! repartition, and while a host has a test there is none on it: new jobs run on what is free, and what ended jobs leave stays idle; what jobs lent that
//! have ended meanwhile is free after the test; a job earns no credit while it is tested, and keeps what it earned before; where new jobs are placed, and
//! what waiting jobs earn, a tested job counts like a running one.
//! Ties: hosts in the order of the table; jobs in the order of their placement, which is that of arrival among those placed in one pass; lenders: the last placed.
//! Cost per pass: a step per host, and one per job of the hosts where something changed; while jobs wait, one per job in the system; while some are untested,
//! one per such job and host.

mod credit;
mod lending;
mod partition;
mod shares;

use super::Policy;
use super::immediate_service::Terms;
use crate::cluster::machine::HostSpec;
use crate::job::{JobSlot, Request};
use crate::kernel::{Pass, Phase};
use crate::time::Span;
use credit::Queue;
use partition::Partition;

/// How the policy is to behave.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The least time between two repartitions of a host.
    pub min_interval: Span,
    /// Jobs that have been on their host for so long get all they ask for.
    pub full_after: Option<Span>,
    /// Test runs of new jobs for which no host has the memory.
    pub service: Option<Terms>,
}

/// The policy; see the module.
pub struct EqSpatial {
    settings: Settings,
    hosts: Vec<Partition>,
    queue: Queue,
}

impl EqSpatial {
    /// For a machine of these hosts.
    pub fn new(settings: Settings, hosts: &[HostSpec]) -> EqSpatial {
        EqSpatial { settings, hosts: hosts.iter().map(Partition::idle).collect(), queue: Queue::default() }
    }

    /// The host for a job that arrives: the one with the most processors per requested processor, of those with the memory.
    fn roomiest(&self, request: &Request) -> Option<usize> {
        let mut best: Option<(usize, u64, u64)> = None;
        for (index, host) in self.hosts.iter().enumerate().filter(|(_, host)| host.holds(request)) {
            let (available, requested) = host.offer(request.size);
            // The first of equal ones.
            if best.is_none_or(|(_, of, among)| available * among > of * requested) {
                best = Some((index, available, requested));
            }
        }
        best.map(|(index, ..)| index)
    }

    /// Puts a job on a host; false, and nothing done, if none has the memory.
    fn place(&mut self, pass: &Pass<'_>, job: JobSlot, credit: i128) -> bool {
        let request = pass.request(job);
        let host = self.roomiest(request);
        if let Some(host) = host {
            self.hosts[host].admit(job, request, pass.now(), credit);
        }
        host.is_some()
    }

    fn take_out(&mut self, pass: &Pass<'_>) {
        for &job in pass.ended() {
            if let Some(host) = pass.host(job) {
                self.hosts[host].leave(job, pass.request(job));
            }
        }
    }

    /// Ends the tests that are over; whether there were any.
    fn end_tests(&mut self, pass: &mut Pass<'_>) -> bool {
        let mut any = false;
        for host in &mut self.hosts {
            let has_ended = host.test.as_ref().is_some_and(|test| pass.phase(test.job) == Phase::Ended);
            if let Some(job) = host.end_test(pass, has_ended) {
                any = true;
                match has_ended {
                    true => self.queue.remove(job),
                    false => self.queue.put_back(job),
                }
            }
        }
        any
    }

    /// Tests waiting jobs that have not been tested.
    fn test_new(&mut self, pass: &mut Pass<'_>) {
        let Some(terms) = &self.settings.service else { return };
        let hosts = &mut self.hosts;
        self.queue.test(|job| {
            let mut best: Option<(usize, u64)> = None;
            for (index, host) in hosts.iter().enumerate() {
                let room = host.room_for_test(pass.request(job), terms);
                // The first of equal ones.
                best =
                    room.filter(|kb| best.is_none_or(|(_, most)| *kb > most)).map(|kb| (index, kb)).or(best);
            }
            if let Some((host, _)) = best {
                hosts[host].test(pass, host, job, terms);
            }
            best.is_some()
        });
    }

    /// Places the jobs that wait, if memory was freed, and the new ones.
    fn place_all(&mut self, pass: &Pass<'_>, freed: bool) {
        if freed && !self.queue.is_empty() {
            let mut queue = std::mem::take(&mut self.queue);
            queue.retain(|job, credit| !self.place(pass, job, credit));
            self.queue = queue;
        }
        for &job in pass.submitted() {
            if !self.place(pass, job, 0) {
                self.queue.push(job, pass.request(job).size);
            }
        }
    }
}

impl Policy for EqSpatial {
    fn name(&self) -> &'static str {
        "EQspatial"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        let now = pass.now();
        self.queue.accrue(now);
        self.hosts.iter_mut().for_each(|host| host.book(now));
        self.take_out(pass);
        let tested = self.end_tests(pass);
        self.place_all(pass, tested || !pass.ended().is_empty());
        for (index, host) in self.hosts.iter_mut().enumerate() {
            if host.is_due(now) {
                host.settle(pass, index, &self.settings);
            }
        }
        self.test_new(pass);
        let running = self.hosts.iter().flat_map(Partition::requests);
        self.queue.share_out(pass.cluster().nodes(), running);
    }
}
