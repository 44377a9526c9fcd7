//! One host: who is on it, and how its processors are shared out among them.

use super::Settings;
use super::lending::Test;
use super::shares::equal_shares;
use crate::cluster::machine::HostSpec;
use crate::job::{JobSlot, Request};
use crate::kernel::Pass;
use crate::time::{Span, Time};

/// A job on the host.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    pub job: JobSlot,
    request: u32,
    pub held: u32,
    started: Time,
    /// Processors × ticks that it gets at its full request before it is treated like the others.
    credit: i128,
    /// It was placed in this pass and has not started yet.
    is_new: bool,
}

/// A host, its jobs and their processors.
#[derive(Debug)]
pub struct Partition {
    pub(super) processors: u32,
    pub(super) free_kb: u64,
    /// In the order of their placement.
    pub(super) members: Vec<Member>,
    pub(super) test: Option<Test>,
    requested: u32,
    creditors: usize,
    /// Until when credits are booked.
    booked: Time,
    /// The last change of what jobs had.
    repartitioned: Option<Time>,
    /// When to look at the host again.
    pub(super) due: Time,
    wanted: Vec<u32>,
}

impl Partition {
    /// A host without jobs.
    pub fn idle(host: &HostSpec) -> Partition {
        Partition {
            processors: host.processors,
            free_kb: host.memory_kb(),
            members: Vec::new(),
            test: None,
            requested: 0,
            creditors: 0,
            booked: Time::ZERO,
            repartitioned: None,
            due: Time::NEVER,
            wanted: Vec::new(),
        }
    }

    /// Whether a job can be placed here now.
    pub fn holds(&self, request: &Request) -> bool {
        request.size <= self.processors && request.memory_kb <= self.free_kb
    }

    /// Processors, and how many are requested of them if a job of this size comes too; those held by jobs with credit, and their requests, do not
    /// count.
    pub fn offer(&self, size: u32) -> (u64, u64) {
        let tested = self.test.as_ref().map_or(0, |test| test.size);
        let (mut available, mut requested) = (self.processors, self.requested + tested + size);
        if self.creditors > 0 {
            for member in self.members.iter().filter(|member| member.credit > 0) {
                // Who was placed in this pass is about to get its request.
                let held = if member.is_new { member.request } else { member.held };
                available = available.saturating_sub(held);
                requested -= member.request;
            }
        }
        (u64::from(available), u64::from(requested))
    }

    /// The requests of the jobs here, of one in a test last.
    pub fn requests(&self) -> impl Iterator<Item = u32> + '_ {
        self.members.iter().map(|member| member.request).chain(self.test.iter().map(|test| test.size))
    }

    /// Processors that nobody has.
    pub(super) fn free(&self) -> u32 {
        let tested = self.test.as_ref().map_or(0, |test| test.size);
        self.processors - tested - self.members.iter().map(|member| member.held).sum::<u32>()
    }

    /// Takes a waiting job in; it starts when the host is settled.
    pub fn admit(&mut self, job: JobSlot, request: &Request, now: Time, credit: i128) {
        let Request { size, memory_kb, .. } = *request;
        self.members.push(Member { job, request: size, held: 0, started: now, credit, is_new: true });
        self.free_kb -= memory_kb;
        self.requested += size;
        self.creditors += usize::from(credit > 0);
        self.due = now;
    }

    /// Takes out a job that has ended.
    pub fn leave(&mut self, job: JobSlot, request: &Request) {
        let Some(place) = self.members.iter().position(|member| member.job == job) else { return };
        let member = self.members.remove(place);
        self.free_kb += request.memory_kb;
        self.requested -= member.request;
        self.creditors -= usize::from(member.credit > 0);
        if let Some(test) = &mut self.test {
            test.lenders.retain(|(lender, _)| *lender != job);
        }
        self.due = Time::ZERO;
    }

    /// Takes what jobs have had since the last time off their credits.
    pub fn book(&mut self, now: Time) {
        let ticks = i128::from((now - self.booked).0);
        self.booked = now;
        if self.creditors == 0 {
            return;
        }
        for member in self.members.iter_mut().filter(|member| member.credit > 0) {
            member.credit = (member.credit - i128::from(member.held) * ticks).max(0);
        }
        self.creditors = self.members.iter().filter(|member| member.credit > 0).count();
    }

    /// Whether something has changed, or was put off until now.
    pub fn is_due(&self, now: Time) -> bool {
        self.due <= now
    }

    /// Starts the new jobs, and shares the processors out anew if that is allowed now.
    pub fn settle(&mut self, pass: &mut Pass<'_>, host: usize, settings: &Settings) {
        let now = pass.now();
        let mut wanted = std::mem::take(&mut self.wanted);
        self.share(now, settings, &mut wanted);
        let changes = |(member, share): (&Member, &u32)| !member.is_new && member.held != *share;
        let mut allowed = Time::NEVER;
        if let Some(test) = &self.test {
            allowed = test.ends;
            self.make_do(&mut wanted);
        } else if self.members.iter().zip(&wanted).any(changes) {
            let next = self.repartitioned.map_or(now, |last| last.saturating_add(settings.min_interval));
            if next <= now {
                self.repartitioned = Some(now);
            } else {
                allowed = next;
                self.make_do(&mut wanted);
            }
        }
        self.apply(pass, host, &wanted);
        self.wanted = wanted;
        self.due = allowed.min(self.next_turn(now, settings));
        pass.wake_at(self.due);
    }

    /// What everyone should have.
    fn share(&self, now: Time, settings: &Settings, wanted: &mut Vec<u32>) {
        wanted.clear();
        wanted.extend(self.members.iter().map(|member| member.request));
        if self.requested <= self.processors {
            return;
        }
        let mut left = self.processors;
        let mut others: Vec<usize> = Vec::with_capacity(self.members.len());
        for (place, member) in self.members.iter().enumerate() {
            if member.credit > 0 {
                wanted[place] = member.request.min(left);
                left -= wanted[place];
            } else {
                others.push(place);
            }
        }
        if let Some(full_after) = settings.full_after {
            let mut rest = others.len() as u32;
            others.retain(|&place| {
                let old = now - self.members[place].started >= full_after && left >= rest;
                if old {
                    rest -= 1;
                    wanted[place] = self.members[place].request.min(left - rest);
                    left -= wanted[place];
                }
                !old
            });
        }
        let requests: Vec<u32> = others.iter().map(|place| self.members[*place].request).collect();
        let mut shares = Vec::with_capacity(requests.len());
        equal_shares(left, &requests, &mut shares);
        for (place, share) in others.into_iter().zip(shares) {
            wanted[place] = share;
        }
    }

    /// Without a repartition: new jobs get what is free, the others keep what they have.
    fn make_do(&self, wanted: &mut [u32]) {
        let mut free = self.free();
        for (member, share) in self.members.iter().zip(wanted) {
            *share = if member.is_new { member.request.min(free) } else { member.held };
            free -= *share - member.held;
        }
    }

    /// Gives everyone what it is to have: first those that give up processors, then those that get more, then the new ones.
    fn apply(&mut self, pass: &mut Pass<'_>, host: usize, wanted: &[u32]) {
        let old = |member: &Member, shrinks: bool, share: u32| {
            !member.is_new && share != member.held && (share < member.held) == shrinks
        };
        for shrinks in [true, false] {
            for (member, share) in self.members.iter_mut().zip(wanted) {
                if old(member, shrinks, *share) {
                    let resized = pass.resize(member.job, *share);
                    debug_assert!(resized, "no more is shared out than there is");
                    member.held = *share;
                }
            }
        }
        for (member, share) in self.members.iter_mut().zip(wanted).filter(|(member, _)| member.is_new) {
            let started = pass.start_partly(member.job, host, *share);
            debug_assert!(started, "the host has the memory");
            (member.is_new, member.held) = (false, *share);
        }
    }

    /// When time alone changes what someone should have: a credit is repaid, or a job comes of age.
    fn next_turn(&self, now: Time, settings: &Settings) -> Time {
        let mut next = Time::NEVER;
        if self.requested <= self.processors {
            return next;
        }
        for member in &self.members {
            if member.credit > 0 && member.held > 0 {
                let held = i128::from(member.held);
                let ticks = (member.credit + held - 1) / held;
                next = next.min(now.saturating_add(Span(i64::try_from(ticks).unwrap_or(i64::MAX))));
            }
            if let Some(full_after) = settings.full_after.filter(|_| member.held < member.request) {
                let of_age = member.started.saturating_add(full_after);
                next = next.min(if of_age > now { of_age } else { Time::NEVER });
            }
        }
        next
    }
}
