//! By how much a profile differs from what it was.

use super::plan::Planned;
use crate::time::Time;

/// The difference of two profiles of free nodes: what the second has more, over time.
///
/// Kept as the instants at which it changes and by how much, in time order; changes of nothing are left out, so it is empty where the
/// profiles are equal. Cost: O(n) per job that moves.
#[derive(Debug, Default)]
pub struct Shift {
    changes: Vec<(Time, i64)>,
    more_from: Option<Time>,
}

impl Shift {
    /// The profiles are equal.
    pub fn clear(&mut self) {
        self.changes.clear();
        self.more_from = None;
    }

    /// A job is elsewhere in the second.
    pub fn moved(&mut self, old: &Planned, new: &Planned) {
        self.add(old, i64::from(old.size));
        self.add(new, -i64::from(new.size));
        let mut sum = 0;
        let mut changes = self.changes.iter();
        self.more_from = changes.find_map(|(time, by)| {
            sum += by;
            (sum > 0).then_some(*time)
        });
    }

    /// The first instant at which the profiles differ; `None` if they are equal.
    pub fn differs_from(&self) -> Option<Time> {
        self.changes.first().map(|(at, _)| *at)
    }

    /// The first instant at which the second has more free.
    pub fn more_from(&self) -> Option<Time> {
        self.more_from
    }

    fn add(&mut self, job: &Planned, more: i64) {
        if job.start < job.end() {
            self.change(job.start, more);
            self.change(job.end(), -more);
        }
    }

    fn change(&mut self, at: Time, by: i64) {
        let index = self.changes.partition_point(|(time, _)| *time < at);
        match self.changes.get_mut(index) {
            Some((time, sum)) if *time == at => {
                *sum += by;
                if *sum == 0 {
                    self.changes.remove(index);
                }
            }
            _ => self.changes.insert(index, (at, by)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Span;

    fn at(size: u32, start: i64, end: i64) -> Planned {
        Planned { size, start: Time(start), duration: Span(end - start) }
    }

    #[test]
    fn what_is_taken_back_leaves_nothing() {
        let mut shift = Shift::default();
        assert_eq!((shift.differs_from(), shift.more_from()), (None, None));
        shift.moved(&at(2, 5, 12), &at(3, 5, 9));
        assert_eq!((shift.differs_from(), shift.more_from()), (Some(Time(5)), Some(Time(9))));
        shift.moved(&at(1, 20, 23), &at(1, 9, 12));
        let changes = [(5, -1), (9, 2), (12, -1), (20, 1), (23, -1)];
        assert_eq!(shift.changes, changes.map(|(at, by)| (Time(at), by)));
        shift.moved(&at(1, 9, 12), &at(1, 20, 23));
        shift.moved(&at(3, 5, 9), &at(2, 5, 12));
        assert_eq!((shift.differs_from(), shift.more_from()), (None, None));
    }
}
