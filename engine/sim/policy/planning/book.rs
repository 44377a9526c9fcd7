//! The reservations of conservative backfilling: in arrival order, and by start.

use crate::job::JobSlot;
use crate::time::{Span, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A waiting job's reservation.
pub struct Reserved<C> {
    /// The job.
    pub job: JobSlot,
    /// Its place in the arrival order.
    pub arrival: u64,
    /// When it is to start.
    pub start: Time,
    /// For how long.
    pub duration: Span,
    /// What it holds meanwhile.
    pub claim: C,
    /// Whether the job has started, so that the entry only waits to be swept.
    gone: bool,
}

impl<C> Reserved<C> {
    /// When the job is expected to end.
    pub fn end(&self) -> Time {
        self.start.saturating_add(self.duration)
    }
}

/// All reservations. An array in arrival order, because compression walks it at every early end, with gaps that are swept now and then;
/// beside it a heap of starts, in which entries of moved or started jobs are dropped when they come up.
pub struct Book<C> {
    reservations: Vec<Reserved<C>>,
    live: usize,
    starts: BinaryHeap<Reverse<(Time, u64)>>,
}

impl<C> Book<C> {
    /// No reservations.
    pub fn new() -> Book<C> {
        Book { reservations: Vec::new(), live: 0, starts: BinaryHeap::new() }
    }

    /// Adds the reservation of a job that arrived after all others.
    pub fn add(&mut self, job: JobSlot, arrival: u64, start: Time, duration: Span, claim: C) {
        self.starts.push(Reverse((start, arrival)));
        self.reservations.push(Reserved { job, arrival, start, duration, claim, gone: false });
        self.live += 1;
    }

    /// The reservations in arrival order.
    pub fn iter(&self) -> impl Iterator<Item = &Reserved<C>> {
        self.reservations.iter().filter(|reserved| !reserved.gone)
    }

    /// Offers every reservation, in arrival order, to `shift`, which may move it to an earlier start and says whether it did.
    pub fn shift_each(&mut self, mut shift: impl FnMut(&mut Reserved<C>) -> bool) {
        for reserved in &mut self.reservations {
            if !reserved.gone && shift(reserved) {
                self.starts.push(Reverse((reserved.start, reserved.arrival)));
            }
        }
        // Stale starts lie later than the ones that replaced them and would pile up.
        if self.starts.len() > 8 * self.live + 64 {
            self.starts = self.iter().map(|reserved| Reverse((reserved.start, reserved.arrival))).collect();
        }
    }

    /// The reservation with the earliest start; ties: the earlier arrival.
    pub fn first(&mut self) -> Option<&Reserved<C>> {
        while let Some(&Reverse((start, arrival))) = self.starts.peek() {
            if let Some(index) = self.find(start, arrival) {
                return Some(&self.reservations[index]);
            }
            self.starts.pop();
        }
        None
    }

    /// Takes the first reservation out.
    pub fn remove_first(&mut self) {
        let Some(Reverse((start, arrival))) = self.starts.pop() else { return };
        if let Some(index) = self.find(start, arrival) {
            self.reservations[index].gone = true;
            self.live -= 1;
        }
        if self.live < self.reservations.len() / 2 {
            self.reservations.retain(|reserved| !reserved.gone);
        }
    }

    /// Takes all reservations out and returns their jobs in arrival order.
    pub fn take_jobs(&mut self) -> Vec<JobSlot> {
        let jobs = self.iter().map(|reserved| reserved.job).collect();
        self.reservations.clear();
        self.starts.clear();
        self.live = 0;
        jobs
    }

    fn find(&self, start: Time, arrival: u64) -> Option<usize> {
        let index = self.reservations.binary_search_by_key(&arrival, |reserved| reserved.arrival).ok()?;
        let reserved = &self.reservations[index];
        (!reserved.gone && reserved.start == start).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(book: &mut Book<u32>) -> Vec<(i64, u64)> {
        let mut order = Vec::new();
        while let Some(first) = book.first() {
            order.push((first.start.0, first.arrival));
            book.remove_first();
        }
        order
    }

    #[test]
    fn moved_reservations_come_up_at_their_new_start() {
        let mut book = Book::new();
        for (arrival, start) in [(0, 50), (1, 40), (2, 40), (3, 90)] {
            book.add(JobSlot(arrival as u32), arrival, Time(start), Span(5), 1);
        }
        book.shift_each(|reserved| {
            let moved = reserved.arrival == 3;
            if moved {
                reserved.start = Time(45);
            }
            moved
        });
        assert_eq!(starts(&mut book), [(40, 1), (40, 2), (45, 3), (50, 0)]);
        assert!(book.first().is_none());
    }

    #[test]
    fn stale_starts_do_not_pile_up() {
        let mut book = Book::new();
        for arrival in 0..4 {
            book.add(JobSlot(arrival as u32), arrival, Time(10_000), Span(5), 1);
        }
        for _ in 0..1000 {
            book.shift_each(|reserved| {
                reserved.start = Time(reserved.start.0 - 1);
                true
            });
        }
        assert!(book.starts.len() <= 8 * 4 + 64 + 4, "{}", book.starts.len());
        assert_eq!(starts(&mut book), [(9000, 0), (9000, 1), (9000, 2), (9000, 3)]);
    }
}
