//! What is free when, for a schedule that is made over and over.

use crate::time::{Span, Time};

/// The number of free nodes as a step function of time: from when on how many, in time order.
///
/// A plan has some hundred steps, is copied and walked through all the time, and only ever filled: that is quicker here than in a
/// [`CountProfile`](crate::cluster::profile::CountProfile), which is made for long ones that change in place. Neighbouring steps may be equal.
/// Cost: O(n) for all, with a small constant.
#[derive(Debug, Default)]
pub struct Free {
    steps: Vec<(Time, i64)>,
}

/// Where a job fits: a start, and the steps from the one in force then to before the first that begins when the job has ended.
struct Window {
    start: Time,
    first: usize,
    behind: usize,
}

impl Free {
    /// Takes over `steps`, in the memory that is there.
    pub fn read(&mut self, steps: &[(Time, i64)]) {
        self.steps.clear();
        self.steps.extend_from_slice(steps);
    }

    /// Takes over `other`, likewise.
    pub fn copy(&mut self, other: &Free) {
        self.read(&other.steps);
    }

    /// The earliest t ≥ `from` with `size` nodes free over [t, t + `duration`); [`Time::NEVER`] if there is none. `from` does not lie before the
    /// first step, and `duration` is positive.
    pub fn earliest(&self, from: Time, duration: Span, size: u32) -> Time {
        self.window(from, duration, i64::from(size)).map_or(Time::NEVER, |window| window.start)
    }

    /// Takes the nodes there, and says when.
    pub fn place(&mut self, from: Time, duration: Span, size: u32) -> Time {
        let Some(window) = self.window(from, duration, i64::from(size)) else { return Time::NEVER };
        let end = window.start.saturating_add(duration);
        self.take(&window, end, i64::from(size));
        window.start
    }

    /// Takes `size` nodes over [from, to), which begins in the profile; nothing if it is empty.
    pub fn hold(&mut self, from: Time, to: Time, size: u32) {
        if from < to {
            let first = self.in_force(from);
            let within = self.steps[first + 1..].iter().take_while(|(begins, _)| *begins < to).count();
            self.take(&Window { start: from, first, behind: first + 1 + within }, to, i64::from(size));
        }
    }

    fn window(&self, from: Time, duration: Span, size: i64) -> Option<Window> {
        let mut first = self.in_force(from);
        loop {
            // Behind an obstacle, the next step that has enough may begin a window; none that began before it can go on.
            first += self.steps[first..].iter().position(|(_, nodes)| *nodes >= size)?;
            let start = self.steps[first].0.max(from);
            let end = start.saturating_add(duration);
            let later = &self.steps[first + 1..];
            let stop = later.iter().position(|&(begins, nodes)| begins >= end || nodes < size);
            let behind = stop.map_or(self.steps.len(), |stop| first + 1 + stop);
            match self.steps.get(behind) {
                Some(&(begins, _)) if begins < end => first = behind,
                _ => return Some(Window { start, first, behind }),
            }
        }
    }

    fn take(&mut self, window: &Window, end: Time, size: i64) {
        let Window { start, mut first, mut behind } = *window;
        if self.steps[first].0 < start {
            self.steps.insert(first + 1, (start, self.steps[first].1));
            first += 1;
            behind += 1;
        }
        if end < Time::NEVER && self.steps.get(behind).is_none_or(|(begins, _)| *begins != end) {
            self.steps.insert(behind, (end, self.steps[behind - 1].1));
        }
        for (_, nodes) in &mut self.steps[first..behind] {
            *nodes -= size;
        }
    }

    /// The step in force at `time`.
    fn in_force(&self, time: Time) -> usize {
        self.steps.partition_point(|(begins, _)| *begins <= time).saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::profile::CountProfile;

    #[test]
    fn it_answers_as_the_profile_it_was_read_from() {
        let mut profile = CountProfile::new(8, Time(3));
        let mut free = Free::default();
        free.read(&[(Time(3), 8)]);
        for (from, to, size) in [(3, 9, 4), (5, 20, 2), (9, 12, 6), (30, i64::MAX, 5)] {
            profile.hold(Time(from), Time(to), size);
            free.hold(Time(from), Time(to), size);
        }
        free.hold(Time(7), Time(7), 8);
        for from in 3..40 {
            for (duration, size) in (1..15).flat_map(|duration| (1..=9).map(move |size| (duration, size))) {
                let (from, duration) = (Time(from), Span(duration));
                let earliest = profile.earliest(from, duration, size);
                assert_eq!(free.earliest(from, duration, size), earliest);
                let (mut placed, mut held) = (Free::default(), Free::default());
                placed.copy(&free);
                held.copy(&free);
                assert_eq!(placed.place(from, duration, size), earliest);
                held.hold(earliest, earliest.saturating_add(duration), size);
                assert_eq!(placed.steps, held.steps);
            }
        }
    }
}
