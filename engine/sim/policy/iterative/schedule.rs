//! A conservative schedule that is tried with one job changed.

use super::free::Free;
use super::plan::Planned;
use super::shift::Shift;
use crate::time::{Span, Time};
use std::mem;

/// Positions between two kept profiles. Few: a copy costs about as much as some placements.
const STRIDE: usize = 8;

/// Jobs in arrival order, each at the earliest start that the running jobs and those before it leave.
///
/// A change of one job leaves those before it where they are. Those behind it are looked at in order, and only where what is free has changed before
/// they end; the rest follows as soon as nothing has. A change that cannot pay any more is given up on the way.
#[derive(Debug, Default)]
pub struct Schedule {
    now: Time,
    placed: Vec<Planned>,
    /// What is free for the jobs at positions 0, `STRIDE`, 2 `STRIDE` …
    profiles: Vec<Free>,
    /// The same in a trial, as far as it has come.
    tried: Vec<Free>,
    /// The earliest end of each job beside the running jobs alone.
    bounds: Vec<Time>,
    /// By position: the sum over it and all behind it of the time between that bound and the planned end, at most what they can gain.
    slack: Vec<i128>,
    work: Free,
    shift: Shift,
    /// What the trial changes: positions with starts, in order.
    moved: Vec<(usize, Time)>,
}

impl Schedule {
    /// Schedules jobs, given in arrival order by size and duration, beside those that run: `free` says from when on how many
    /// nodes are free, in time order; the first step begins now.
    pub fn begin(&mut self, free: &[(Time, i64)], jobs: impl Iterator<Item = (u32, Span)>) {
        let Some(&(now, _)) = free.first() else { return };
        self.now = now;
        self.placed.clear();
        self.bounds.clear();
        self.work.read(free);
        for (position, (size, duration)) in jobs.enumerate() {
            if position.is_multiple_of(STRIDE) {
                slot(&mut self.profiles, position).copy(&self.work);
                slot(&mut self.tried, position);
            }
            let start = self.work.place(self.now, duration, size);
            self.placed.push(Planned { size, start, duration });
            self.bounds.push(self.bound(size, duration));
        }
        self.slack.clear();
        self.slack.resize(self.placed.len() + 1, 0);
        self.sum_slack(self.placed.len());
    }

    /// The jobs' places, in arrival order.
    pub fn placed(&self) -> &[Planned] {
        &self.placed
    }

    /// Gives the job at `position` another size and duration, if the sum of all planned ends falls by it; else nothing changes.
    pub fn improves(&mut self, position: usize, size: u32, duration: Span) -> bool {
        self.rewind(position);
        let start = self.work.place(self.now, duration, size);
        let tried = Planned { size, start, duration };
        let Some(end) = self.replay(position, tried) else { return false };
        self.placed[position] = tried;
        self.bounds[position] = self.bound(size, duration);
        for &(job, start) in &self.moved {
            self.placed[job].start = start;
        }
        for kept in position / STRIDE + 1..end.div_ceil(STRIDE) {
            mem::swap(&mut self.profiles[kept], &mut self.tried[kept]);
        }
        let last = self.moved.last().map_or(position, |(job, _)| *job);
        self.sum_slack(last + 1);
        true
    }

    /// Makes `work` what is free for the job at `position`.
    fn rewind(&mut self, position: usize) {
        let kept = position / STRIDE;
        self.work.copy(&self.profiles[kept]);
        for at in &self.placed[kept * STRIDE..position] {
            self.work.hold(at.start, at.end(), at.size);
        }
    }

    /// Places anew what moves behind the job at `position`, now that it is placed as `tried`. If the sum of all ends falls by it, the first
    /// position from which on all is as it was; who starts at another time is in `moved` then.
    fn replay(&mut self, position: usize, tried: Planned) -> Option<usize> {
        let old = self.placed[position];
        self.moved.clear();
        self.shift.clear();
        self.shift.moved(&old, &tried);
        let mut change = later(old.end(), tried.end());
        let mut job = position + 1;
        while job < self.placed.len()
            && let Some(changed) = self.shift.differs_from()
        {
            if change >= self.slack[job] {
                return None;
            }
            if job.is_multiple_of(STRIDE) {
                self.tried[job / STRIDE].copy(&self.work);
            }
            let old = self.placed[job];
            let mut new = old;
            if changed < old.end() {
                new.start = self.work.place(self.looked_at_from(&old), old.duration, old.size);
            } else {
                self.work.hold(old.start, old.end(), old.size);
            }
            if new != old {
                self.shift.moved(&old, &new);
                self.moved.push((job, new.start));
                change += later(old.end(), new.end());
            }
            job += 1;
        }
        (change < 0).then_some(job)
    }

    /// From when on a job may start now. Not before its old start, unless it gets some of what has become free since: nothing else that stood
    /// in its way has gone.
    fn looked_at_from(&self, old: &Planned) -> Time {
        let gaining = |more: Time| Time(more.0.saturating_sub(old.duration.0).saturating_add(1));
        self.shift.more_from().map_or(old.start, gaining).min(old.start).max(self.now)
    }

    /// The earliest end of such a job beside the running jobs.
    fn bound(&self, size: u32, duration: Span) -> Time {
        self.profiles[0].earliest(self.now, duration, size).saturating_add(duration)
    }

    /// Brings `slack` up to date, for positions below `end`.
    fn sum_slack(&mut self, end: usize) {
        for job in (0..end).rev() {
            self.slack[job] = self.slack[job + 1] + later(self.bounds[job], self.placed[job].end());
        }
    }
}

/// By how many ticks `second` is later.
fn later(first: Time, second: Time) -> i128 {
    i128::from(second.0) - i128::from(first.0)
}

/// The profile kept for `position`, which is at most one beyond those that there are.
fn slot(profiles: &mut Vec<Free>, position: usize) -> &mut Free {
    let index = position / STRIDE;
    if index == profiles.len() {
        profiles.push(Free::default());
    }
    &mut profiles[index]
}
