//! One scheduling pass: who of the slice's class, and then who of the others, runs now.

use super::plan::Plan;
use super::world::{State, World};
use super::{Class, SHORTER_FIRST};

impl World<'_> {
    pub fn pass(&mut self, switch: bool) {
        let (own, end) = self.slices[0];
        if switch {
            for job in self.jobs_in(own, State::Preempted) {
                self.resume(job);
            }
        }
        self.start_own(own, end);
        if !self.rules.non_type {
            return;
        }
        let others = || SHORTER_FIRST.into_iter().filter(|class| *class != own);
        for class in others() {
            for job in self.jobs_in(class, State::Preempted) {
                if self.own_nodes_free(job) {
                    self.resume(job);
                }
            }
        }
        for class in others() {
            self.start_other(class, end);
        }
    }

    /// Seconds from its start to its end if nobody stops it.
    fn length(&self, job: usize) -> i64 {
        self.rules.seconds(self.jobs[job].work.memory) + self.jobs[job].work.run
    }

    fn start_own(&mut self, own: Class, end: i64) {
        let mut plan = Plan::new(self.rules.nodes);
        for job in self.jobs.iter().filter(|job| job.active()) {
            let left = job.until_end(self.now);
            let taken = if job.class == own { left } else { left.min(end - self.now) };
            plan.take(0, taken, job.work.width);
        }
        let mut reserved = false;
        for job in self.jobs_in(own, State::Waiting) {
            let (length, width) = (self.length(job), self.jobs[job].work.width);
            let at = plan.earliest(length, width);
            if at == 0 {
                self.start(job, &self.free_nodes());
            }
            if at == 0 || !self.rules.easy || !reserved {
                plan.take(at, at + length, width);
            }
            reserved |= at > 0;
        }
    }

    fn start_other(&mut self, class: Class, end: i64) {
        let rest = end - self.now;
        let mut plan = Plan::new(self.rules.nodes);
        for (number, job) in self.jobs.iter().enumerate().filter(|(_, job)| job.class == class) {
            if job.active() {
                plan.take(0, job.until_end(self.now) - rest, job.work.width);
            } else if job.state == State::Preempted {
                plan.take(0, job.left + self.load_needed(number), job.work.width);
            }
        }
        let mut reserved = false;
        for job in self.jobs_in(class, State::Waiting) {
            let (length, width) = (self.length(job), self.jobs[job].work.width);
            let after = (length - rest).max(0);
            let free = self.free_nodes();
            let mut candidates = free.clone();
            if after > 0 {
                candidates.retain(|node| !self.has_class(*node, class));
            }
            let room_later = after == 0 || plan.fits(0, after, width);
            if width <= free.len() && room_later && width <= candidates.len() {
                self.start(job, &candidates);
                plan.take(0, after, width);
            } else if !self.rules.easy || !reserved {
                let at = plan.earliest(length, width);
                plan.take(at, at + length, width);
                reserved = true;
            }
        }
    }
}
