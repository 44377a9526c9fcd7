//! The machine in front of a log whose submit times are start times.
//!
//! Decides: when the original machine would have started each demanded job; that instant becomes its submission. Source:
//! none, a device of the twins: LLNL Thunder's log has no waits, its field 2 is in effect the start. Parameters: nodes in
//! service. The order is FCFS with one reservation for the head (EASY) on exact run times; candidates in arrival order. Cost
//! per event: O(r + q), r running jobs until the reservation, q waiting jobs.

use super::demand::Draft;
use std::collections::{BTreeMap, VecDeque};
use std::iter::Peekable;

/// Holds jobs back until they start.
pub(super) struct Gate<I: Iterator<Item = Draft>> {
    demand: Peekable<I>,
    in_service: u32,
    free: u32,
    /// Nodes that become free at each instant.
    ends: BTreeMap<i64, u32>,
    waiting: VecDeque<Draft>,
    started: VecDeque<Draft>,
}

impl<I: Iterator<Item = Draft>> Gate<I> {
    pub(super) fn new(demand: I, in_service: u32) -> Gate<I> {
        Gate {
            demand: demand.peekable(),
            in_service,
            free: in_service,
            ends: BTreeMap::new(),
            waiting: VecDeque::new(),
            started: VecDeque::new(),
        }
    }

    fn start(&mut self, job: Draft, now: i64) {
        self.free -= job.size;
        *self.ends.entry(now + i64::from(job.run_time_s)).or_insert(0) += job.size;
        self.started.push_back(Draft { submit_s: now, ..job });
    }

    /// Starts what can start at `now`.
    fn pass(&mut self, now: i64) {
        while let Some(head) = self.waiting.front().copied() {
            if head.size > self.free {
                break;
            }
            self.waiting.pop_front();
            self.start(head, now);
        }
        let Some(head) = self.waiting.front().copied() else { return };
        let (shadow, mut extra) = self.reservation(head.size);
        let mut kept = VecDeque::with_capacity(self.waiting.len());
        for (position, job) in std::mem::take(&mut self.waiting).into_iter().enumerate() {
            let in_time = now + i64::from(job.run_time_s) <= shadow;
            if position == 0 || job.size > self.free || !(in_time || job.size <= extra) {
                kept.push_back(job);
                continue;
            }
            if !in_time {
                extra -= job.size;
            }
            self.start(job, now);
        }
        self.waiting = kept;
    }

    /// When `size` nodes are free, and how many are left over then.
    fn reservation(&self, size: u32) -> (i64, u32) {
        let mut free = self.free;
        for (end, nodes) in &self.ends {
            free += nodes;
            if free >= size {
                return (*end, free - size);
            }
        }
        (i64::MAX, 0)
    }
}

impl<I: Iterator<Item = Draft>> Iterator for Gate<I> {
    type Item = Draft;

    fn next(&mut self) -> Option<Draft> {
        loop {
            if let Some(job) = self.started.pop_front() {
                return Some(job);
            }
            let arrival = self.demand.peek().map(|job| job.submit_s);
            let end = self.ends.first_key_value().map(|(end, _)| *end);
            let now = match (arrival, end) {
                (Some(arrival), Some(end)) => arrival.min(end),
                (one, other) => one.or(other)?,
            };
            if let Some(nodes) = self.ends.remove(&now) {
                self.free += nodes;
            }
            while let Some(job) = self.demand.next_if(|job| job.submit_s <= now) {
                // a job larger than the nodes in service would wait for ever
                let size = job.size.min(self.in_service);
                self.waiting.push_back(Draft { size, ..job });
            }
            self.pass(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Draft, Gate};

    #[test]
    fn starts_are_those_of_easy_on_exact_run_times() {
        // (submit, run time, size) on 4 nodes: the second waits for the first; the third would delay it, the fourth does not
        let jobs = [(0, 10, 3), (1, 10, 4), (2, 20, 1), (3, 7, 1)];
        let demand = jobs.iter().zip(0..).map(|(&(submit, run, size), i)| Draft::lone(submit, i, run, size));
        let starts: Vec<(i64, u32)> =
            Gate::new(demand, 4).map(|job| (job.submit_s, job.run_time_s)).collect();
        assert_eq!(starts, [(0, 10), (3, 7), (10, 10), (20, 20)]);
    }
}
