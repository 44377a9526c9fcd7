//! What one host has free of processors and memory, now and later.
//!
//! Steps in order of time; the last one lasts for ever. A hold may leave less than nothing, where jobs run on into what was promised.

use crate::time::{Span, Time};

/// Processors and memory of one host that a job or a reservation needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// Processors.
    pub processors: i64,
    /// Kilobytes.
    pub kb: i64,
}

impl Need {
    /// Of a job.
    pub fn new(processors: u32, kb: u64) -> Need {
        Need { processors: processors.into(), kb: i64::try_from(kb).unwrap_or(i64::MAX / 4) }
    }

    /// Whether there is enough of both in `free`.
    pub fn fits(self, free: Need) -> bool {
        self.processors <= free.processors && self.kb <= free.kb
    }

    fn plus(self, other: Need, sign: i64) -> Need {
        Need { processors: self.processors + sign * other.processors, kb: self.kb + sign * other.kb }
    }
}

/// From `at` until the next step, `free` is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    at: Time,
    free: Need,
}

/// The profile of one host from the present on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostProfile {
    /// At least one; times ascend, neighbours differ.
    steps: Vec<Step>,
}

impl HostProfile {
    /// All of the host, free from `now` on.
    pub fn idle(now: Time, all: Need) -> HostProfile {
        HostProfile { steps: vec![Step { at: now, free: all }] }
    }

    /// Forgets the time before `now`.
    pub fn advance(&mut self, now: Time) {
        let gone = self.steps.partition_point(|step| step.at <= now).saturating_sub(1);
        self.steps.drain(..gone);
        self.steps[0].at = self.steps[0].at.max(now);
    }

    /// What is free now.
    pub fn free_now(&self) -> Need {
        self.steps[0].free
    }

    /// Takes `need` over [from, to).
    pub fn hold(&mut self, from: Time, to: Time, need: Need) {
        self.change(from, to, need, -1);
    }

    /// Gives `need` back over [from, to).
    pub fn release(&mut self, from: Time, to: Time, need: Need) {
        self.change(from, to, need, 1);
    }

    fn change(&mut self, from: Time, to: Time, need: Need, sign: i64) {
        let from = from.max(self.steps[0].at);
        if from >= to {
            return;
        }
        let first = self.step_at(from);
        let last = self.step_at(to);
        for step in &mut self.steps[first..last] {
            step.free = step.free.plus(need, sign);
        }
        self.join(last);
        self.join(first);
    }

    /// The step that begins at `at`, made where there is none.
    fn step_at(&mut self, at: Time) -> usize {
        let index = self.steps.partition_point(|step| step.at < at);
        if at < Time::NEVER && self.steps.get(index).is_none_or(|step| step.at > at) {
            self.steps.insert(index, Step { at, free: self.steps[index - 1].free });
        }
        index
    }

    /// Takes a step away that is no different from the one before.
    fn join(&mut self, index: usize) {
        if index > 0 && self.steps.get(index).is_some_and(|step| step.free == self.steps[index - 1].free) {
            self.steps.remove(index);
        }
    }

    /// Whether `need` is free from now for so long.
    pub fn fits_now(&self, duration: Span, need: Need) -> bool {
        let end = self.steps[0].at.saturating_add(duration);
        self.steps.iter().take_while(|step| step.at < end).all(|step| need.fits(step.free))
    }

    /// Whether `need` is free for so long from a time that is not past.
    pub fn fits_from(&self, from: Time, duration: Span, need: Need) -> bool {
        let end = from.saturating_add(duration);
        let first = self.steps.partition_point(|step| step.at <= from).saturating_sub(1);
        self.steps[first..].iter().take_while(|step| step.at < end).all(|step| need.fits(step.free))
    }

    /// The earliest time in [after, before), and not past, from which `need` is free for so long.
    pub fn earliest(&self, duration: Span, need: Need, after: Time, before: Time) -> Option<Time> {
        let first = if after <= self.steps[0].at {
            0
        } else {
            self.steps.partition_point(|step| step.at <= after) - 1
        };
        let mut start = None;
        for (index, step) in self.steps.iter().enumerate().skip(first) {
            if !need.fits(step.free) {
                start = None;
                if step.at >= before {
                    return None;
                }
                continue;
            }
            let from = *start.get_or_insert(step.at.max(after));
            if from >= before {
                return None;
            }
            let until = self.steps.get(index + 1).map_or(Time::NEVER, |next| next.at);
            if until >= from.saturating_add(duration) {
                return Some(from);
            }
        }
        None
    }
}

#[cfg(test)]
#[path = "profile_tests.rs"]
mod tests;
