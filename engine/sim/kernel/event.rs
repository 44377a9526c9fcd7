//! Events and their total order.

use crate::job::JobSlot;
use crate::time::Time;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What happens, in the order in which it happens within one instant. Submissions are read from the workload and never enter
/// the queue: they come after all events of their instant (a wake does nothing but cause the pass), or, with one pass per
/// event, before them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum EventClass {
    /// A running job has done its work.
    Finish,
    /// A job's memory is wholly loaded on all its nodes.
    Loaded,
    /// A running job has reached its expected end without finishing.
    EstimateExpired,
    /// A policy asked to be called.
    Wake,
}

/// One event. The derived order is the total order of a run: time, class, sequence; slot and version never decide, because
/// sequences are unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Event {
    /// When.
    pub at: Time,
    /// What.
    pub class: EventClass,
    /// Counts all events ever scheduled.
    pub sequence: u64,
    /// Whose; meaningless for a wake.
    pub slot: JobSlot,
    /// The job's version when the event was scheduled; an event of an older version is void.
    pub version: u32,
}

/// The future events of a run.
#[derive(Debug, Default)]
pub(crate) struct EventQueue {
    heap: BinaryHeap<Reverse<Event>>,
    scheduled: u64,
}

impl EventQueue {
    /// Adds an event behind all others of its time and class.
    pub fn schedule(&mut self, at: Time, class: EventClass, slot: JobSlot, version: u32) {
        self.scheduled += 1;
        self.heap.push(Reverse(Event { at, class, sequence: self.scheduled, slot, version }));
    }

    /// The next event.
    pub fn peek(&self) -> Option<&Event> {
        self.heap.peek().map(|Reverse(event)| event)
    }

    /// Takes the next event.
    pub fn pop(&mut self) -> Option<Event> {
        self.heap.pop().map(|Reverse(event)| event)
    }

    /// How many events were ever scheduled.
    pub fn scheduled(&self) -> u64 {
        self.scheduled
    }
}
