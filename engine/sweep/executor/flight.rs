//! The runs in flight: which they are, how long they have been running, and which of them have to end.

use super::shared::lock;
use super::stop::{Halt, Reason};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A run in flight.
#[derive(Clone, Debug)]
pub(super) struct Flight {
    /// Its place among the tasks.
    pub task: usize,
    /// When it began.
    pub begun: Instant,
    /// Whether no other may be in flight.
    pub alone: bool,
    /// Memory of the process when it began, in bytes; 0 where nobody watches that.
    pub resident: u64,
    /// Asks it to end.
    pub halt: Arc<Halt>,
}

/// A place for each worker.
#[derive(Debug)]
pub(super) struct Flights(Vec<Mutex<Option<Flight>>>);

impl Flights {
    /// Places for so many workers, all empty.
    pub fn new(workers: usize) -> Flights {
        Flights((0..workers).map(|_| Mutex::default()).collect())
    }

    /// A worker begins a run.
    pub fn begin(&self, worker: usize, flight: Flight) {
        *lock(&self.0[worker]) = Some(flight);
    }

    /// A worker's run is over.
    pub fn end(&self, worker: usize) {
        lock(&self.0[worker]).take();
    }

    /// Those in flight, the one begun first in front.
    pub fn all(&self) -> Vec<Flight> {
        let mut all: Vec<Flight> = self.0.iter().filter_map(|place| lock(place).clone()).collect();
        all.sort_by_key(|flight| (flight.begun, flight.task));
        all
    }

    /// Whether none is in flight.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|place| lock(place).is_none())
    }

    /// Asks all to end.
    pub fn abandon(&self) {
        self.all().iter().for_each(|flight| flight.halt.ask(Reason::Abandoned));
    }

    /// Asks those to end that have been running for longer than `limit`.
    pub fn end_late(&self, limit: Duration) {
        let late = self.all().into_iter().filter(|flight| flight.begun.elapsed() >= limit);
        late.for_each(|flight| flight.halt.ask(Reason::Late));
    }

    /// Asks the youngest to end, unless one was asked already: then its memory is still to be given back. A run that is alone
    /// has to end only if the process has grown since it began; else the memory is not its own.
    pub fn end_youngest(&self, resident: u64) {
        let all = self.all();
        if all.iter().any(|flight| flight.halt.asked()) {
            return;
        }
        if let Some(youngest) = all.last()
            && (!youngest.alone || resident > youngest.resident)
        {
            youngest.halt.ask(Reason::Memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flight(task: usize, begun: Instant, alone: bool) -> Flight {
        Flight { task, begun, alone, resident: 100, halt: Arc::default() }
    }

    fn reasons(flights: &Flights) -> Vec<Option<Reason>> {
        flights.all().iter().map(|flight| flight.halt.reason()).collect()
    }

    #[test]
    fn the_youngest_ends_for_want_of_memory_one_at_a_time() {
        let (flights, now) = (Flights::new(3), Instant::now());
        for (worker, age) in [(0, 5), (1, 9), (2, 7)] {
            flights.begin(worker, flight(worker, now + Duration::from_secs(age), false));
        }
        flights.end_youngest(1000);
        flights.end_youngest(1000);
        assert_eq!(reasons(&flights), [None, None, Some(Reason::Memory)]);
        flights.end(1);
        flights.end_youngest(1000);
        assert_eq!(reasons(&flights), [None, Some(Reason::Memory)]);
        flights.abandon();
        assert_eq!(reasons(&flights), [Some(Reason::Abandoned), Some(Reason::Memory)]);
    }

    #[test]
    fn a_run_alone_ends_only_for_memory_that_came_with_it() {
        let flights = Flights::new(1);
        flights.begin(0, flight(0, Instant::now(), true));
        flights.end_youngest(100);
        assert_eq!(reasons(&flights), [None]);
        flights.end_youngest(101);
        assert_eq!(reasons(&flights), [Some(Reason::Memory)]);
    }

    #[test]
    fn the_late_ones_end() {
        let flights = Flights::new(2);
        flights.begin(0, flight(0, Instant::now(), false));
        flights.end_late(Duration::from_secs(1000));
        assert_eq!(reasons(&flights), [None]);
        flights.end_late(Duration::ZERO);
        assert_eq!(reasons(&flights), [Some(Reason::Late)]);
    }
}
