//! Hosts that are drained: kept free for a job that has waited for too long.

use super::queue::Waiting;
use super::system::System;
use crate::job::JobSlot;
use crate::kernel::Pass;

/// Numbers for the draws of hosts, a stream that depends on its seed alone.
/// Source: Steele, Lea & Flood 2014, "Fast Splittable Pseudorandom Number Generators" (SplitMix64).
#[derive(Debug)]
struct Draws(u64);

impl Draws {
    /// One of `count` things, which are at least one, each equally often.
    fn one_of(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * count as u128) >> 64) as usize
    }
}

/// Who has which host to itself. At most one job per host and one host per job.
#[derive(Debug)]
pub struct Drains {
    draws: Draws,
    /// By host.
    of_host: Vec<Option<Waiting>>,
}

impl Drains {
    /// No host is drained.
    pub fn new(seed: u64, hosts: usize) -> Drains {
        Drains { draws: Draws(seed), of_host: vec![None; hosts] }
    }

    /// Whether a host is drained.
    pub fn has(&self, host: usize) -> bool {
        self.of_host[host].is_some()
    }

    /// Gives the host up that a job has, if it has one; that host.
    pub fn give_up(&mut self, job: JobSlot) -> Option<usize> {
        let has = |drained: &Option<Waiting>| drained.as_ref().is_some_and(|waiting| waiting.job == job);
        let host = self.of_host.iter().position(has)?;
        self.of_host[host] = None;
        Some(host)
    }

    /// Looks after the drained hosts in the order of the table: a job gives its host up if its time class is full or it is no longer its turn, and
    /// starts if there is room. Tells the hosts that are open again.
    pub fn settle(&mut self, pass: &mut Pass<'_>, system: &mut System, mut opened: impl FnMut(usize)) {
        for host in 0..self.of_host.len() {
            let Some(waiting) = self.of_host[host] else { continue };
            let lost = system.is_full(waiting.kind.time) || !system.has_turn(host, waiting.kind.size);
            if lost || system.start(pass, &waiting, host) {
                self.of_host[host] = None;
                opened(host);
            }
        }
    }

    /// Drains a host for each job that has waited for too long and has none, in arrival order. Where there is room, the job starts.
    pub fn grant(&mut self, pass: &mut Pass<'_>, system: &mut System) {
        for waiting in system.queue.overdue(pass.now()) {
            if !self.has_host(waiting.job) {
                self.grant_one(pass, system, waiting);
            }
        }
        debug_assert!(self.are_distinct(), "two hosts for one job");
    }

    fn has_host(&self, job: JobSlot) -> bool {
        self.of_host.iter().flatten().any(|waiting| waiting.job == job)
    }

    fn grant_one(&mut self, pass: &mut Pass<'_>, system: &mut System, waiting: Waiting) {
        if system.is_full(waiting.kind.time) {
            return;
        }
        let can = |host: &usize| {
            !self.has(*host)
                && system.classes.holds(*host, waiting.processors, waiting.kb)
                && system.has_turn(*host, waiting.kind.size)
        };
        let eligible: Vec<usize> = (0..self.of_host.len()).filter(can).collect();
        if eligible.is_empty() {
            return;
        }
        let host = eligible[self.draws.one_of(eligible.len())];
        if !system.start(pass, &waiting, host) {
            self.of_host[host] = Some(waiting);
        }
    }

    fn are_distinct(&self) -> bool {
        let mut jobs: Vec<JobSlot> = self.of_host.iter().flatten().map(|waiting| waiting.job).collect();
        jobs.sort_unstable();
        jobs.is_sorted_by(|a, b| a < b)
    }
}
