//! The waiting jobs in the order of their priorities.

use super::profile::Need;
use crate::job::{JobSlot, Request};
use crate::policy::Order;
use crate::time::Time;

/// A waiting job.
#[derive(Clone, Copy, Debug)]
pub struct Waiting {
    /// The job.
    pub job: JobSlot,
    /// What it asks for.
    pub request: Request,
    /// The same, of a host.
    pub need: Need,
    /// The part of its priority that stays.
    fixed: f64,
    /// Its priority when the queue was last ranked.
    priority: f64,
}

impl Waiting {
    fn comes_before(&self, other: &Waiting) -> bool {
        let earlier = self.request.arrival < other.request.arrival;
        self.priority > other.priority || self.priority == other.priority && earlier
    }
}

/// The waiting jobs, in the order of the last ranking, newcomers behind.
#[derive(Debug)]
pub struct Queue {
    order: Order,
    /// The machine's average memory per processor.
    average_kb: f64,
    jobs: Vec<Waiting>,
}

impl Queue {
    /// Nobody waits.
    pub fn new(order: Order, average_kb: f64) -> Queue {
        Queue { order, average_kb, jobs: Vec::new() }
    }

    /// A job has come.
    pub fn push(&mut self, job: JobSlot, request: Request) {
        let fixed = self.order.fixed_priority(&request, self.average_kb);
        let need = Need::new(request.size, request.memory_kb);
        self.jobs.push(Waiting { job, request, need, fixed, priority: fixed });
    }

    /// Brings the jobs into the order of their priorities at `now`; ties: earlier arrival.
    pub fn rank(&mut self, now: Time) {
        if self.order.is_dynamic() {
            for waiting in &mut self.jobs {
                waiting.priority = self.order.waiting_priority(&waiting.request, now) + waiting.fixed;
            }
        }
        // By insertion: little has changed since the last time.
        for end in 1..self.jobs.len() {
            let waiting = self.jobs[end];
            let mut place = end;
            while place > 0 && waiting.comes_before(&self.jobs[place - 1]) {
                self.jobs[place] = self.jobs[place - 1];
                place -= 1;
            }
            self.jobs[place] = waiting;
        }
    }

    /// The jobs, the highest priority first.
    pub fn jobs(&self) -> &[Waiting] {
        &self.jobs
    }

    /// Takes out a job that may be here.
    pub fn take(&mut self, job: JobSlot) {
        self.jobs.retain(|waiting| waiting.job != job);
    }

    /// Takes out the jobs at these places, which ascend.
    pub fn remove(&mut self, places: &[usize]) {
        let (mut place, mut gone) = (0, places.iter().peekable());
        self.jobs.retain(|_| {
            let stays = gone.next_if_eq(&&place).is_none();
            place += 1;
            stays
        });
    }
}
