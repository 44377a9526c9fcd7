//! The waiting jobs in the order of their priorities.

use super::plan::{Plan, Reserved};
use super::profile::Need;
use super::running::Running;
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
    /// Its reservation, which the profiles hold.
    pub plan: Option<Plan>,
}

impl Waiting {
    /// Its reservation.
    pub fn reserved(&self) -> Option<Reserved> {
        self.plan.map(|plan| plan.reserved)
    }

    /// The end of a reservation for it.
    pub fn until(&self, reserved: Reserved) -> Time {
        reserved.from.saturating_add(self.request.estimate)
    }

    fn comes_before(&self, other: &Waiting) -> bool {
        let earlier = self.request.arrival < other.request.arrival;
        self.priority > other.priority || self.priority == other.priority && earlier
    }
}

/// The waiting jobs: those that keep a reservation, in the order in which they got it, then the others in the order of the last ranking,
/// newcomers behind.
#[derive(Debug)]
pub struct Queue {
    order: Order,
    /// The machine's average memory per processor.
    average_kb: f64,
    jobs: Vec<Waiting>,
    /// How many at the front keep a reservation.
    kept: usize,
}

impl Queue {
    /// Nobody waits.
    pub fn new(order: Order, average_kb: f64) -> Queue {
        Queue { order, average_kb, jobs: Vec::new(), kept: 0 }
    }

    /// A job has come.
    pub fn push(&mut self, job: JobSlot, request: Request) {
        let fixed = self.order.fixed_priority(&request, self.average_kb);
        let need = Need::new(request.size, request.memory_kb);
        self.jobs.push(Waiting { job, request, need, fixed, priority: fixed, plan: None });
    }

    /// Brings the jobs into the order of their priorities at `now`, behind those that keep a reservation; ties: earlier arrival.
    pub fn rank(&mut self, now: Time) {
        let jobs = &mut self.jobs[self.kept..];
        if self.order.is_dynamic() {
            for waiting in jobs.iter_mut() {
                waiting.priority = self.order.waiting_priority(&waiting.request, now) + waiting.fixed;
            }
        }
        // By insertion: little has changed since the last time.
        for end in 1..jobs.len() {
            if !jobs[end].comes_before(&jobs[end - 1]) {
                continue;
            }
            let place = jobs[..end].partition_point(|other| !jobs[end].comes_before(other));
            jobs[place..=end].rotate_right(1);
        }
    }

    /// The jobs in the order in which they are considered.
    pub fn jobs(&self) -> &[Waiting] {
        &self.jobs
    }

    /// The same, for changing their reservations.
    pub fn jobs_mut(&mut self) -> &mut [Waiting] {
        &mut self.jobs
    }

    /// How many at the front keep a reservation.
    pub fn kept(&self) -> usize {
        self.kept
    }

    /// Lets so many keep a reservation, or all where there are fewer.
    pub fn keep(&mut self, count: usize) {
        self.kept = count.min(self.jobs.len());
    }

    /// Takes out a job that may be here, with its reservation.
    pub fn take(&mut self, job: JobSlot, running: &mut Running) {
        let Some(place) = self.jobs.iter().position(|waiting| waiting.job == job) else { return };
        let waiting = self.jobs.remove(place);
        self.kept -= usize::from(place < self.kept);
        running.give_back(&waiting);
    }

    /// Gives the reservations back whose start has come.
    pub fn forget_due(&mut self, now: Time, running: &mut Running) {
        let due = |waiting: &&mut Waiting| waiting.reserved().is_some_and(|reserved| reserved.from <= now);
        for waiting in self.jobs.iter_mut().filter(due) {
            running.give_back(waiting);
            waiting.plan = None;
        }
    }

    /// Takes out the jobs at these places, which ascend.
    pub fn remove(&mut self, places: &[usize]) {
        if places.is_empty() {
            return;
        }
        self.kept -= places.partition_point(|place| *place < self.kept);
        let (mut place, mut gone) = (0, places.iter().peekable());
        self.jobs.retain(|_| {
            let stays = gone.next_if_eq(&&place).is_none();
            place += 1;
            stays
        });
    }
}
