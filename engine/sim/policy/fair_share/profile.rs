//! When how many nodes are expected to be free, and what a job makes of it. Nodes only come free as time goes by, except for the one
//! reservation, so the best start at an instant is that on the most nodes.

use crate::job::JobSlot;
use crate::speedup::TimeOn;
use crate::time::{Span, Time};

/// Running jobs by expected end, with their nodes.
#[derive(Debug, Default)]
pub(super) struct Profile {
    ends: Vec<(Time, JobSlot, u32)>,
}

/// The numbers of nodes among which a job may choose, and how long it takes on them: never longer on more.
pub(super) struct Sizes<'a> {
    pub(super) least: u32,
    pub(super) most: u32,
    pub(super) times: &'a TimeOn,
}

/// A start on so many nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) start: Time,
    pub(super) end: Time,
    pub(super) nodes: u32,
}

/// What is kept free for one job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reservation {
    of: Choice,
    /// Nodes that are left when it begins.
    extra: u32,
}

impl Reservation {
    /// A job starts now beside it.
    pub(super) fn beside(&mut self, choice: &Choice) {
        if choice.end > self.of.start {
            self.extra -= choice.nodes;
        }
    }
}

impl Sizes<'_> {
    fn end(&self, start: Time, nodes: u32) -> Time {
        start.saturating_add(self.times.on(nodes))
    }

    /// The fewest nodes on which the job takes no longer.
    fn narrow(&self, choice: Choice) -> Choice {
        let time = self.times.on(choice.nodes);
        let (mut least, mut nodes) = (self.least, choice.nodes);
        if nodes > least && self.times.on(nodes - 1) > time {
            return choice;
        }
        while least < nodes {
            let middle = least + (nodes - least) / 2;
            match self.times.on(middle) > time {
                true => least = middle + 1,
                false => nodes = middle,
            }
        }
        Choice { nodes, ..choice }
    }
}

/// The most nodes on which a job can start at an instant with `free` nodes, beside the reservation.
fn widest_at(at: Time, free: u32, reservation: Option<&Reservation>, sizes: &Sizes<'_>) -> Option<Choice> {
    let nodes = free.min(sizes.most);
    if nodes < sizes.least {
        return None;
    }
    let on = |nodes| Choice { start: at, end: sizes.end(at, nodes), nodes };
    let Some(held) = reservation.filter(|held| at < held.of.end) else { return Some(on(nodes)) };
    let left = if at < held.of.start {
        let choice = on(nodes);
        if choice.end <= held.of.start {
            return Some(choice);
        }
        held.extra
    } else {
        free.saturating_sub(held.of.nodes)
    };
    let nodes = nodes.min(left);
    (nodes >= sizes.least).then(|| on(nodes))
}

/// The start at an instant with `free` nodes that ends first, on the fewest nodes that will do.
pub(super) fn best_at(
    at: Time,
    free: u32,
    reservation: Option<&Reservation>,
    sizes: &Sizes<'_>,
) -> Option<Choice> {
    widest_at(at, free, reservation, sizes).map(|choice| sizes.narrow(choice))
}

impl Profile {
    /// A job was started.
    pub(super) fn insert(&mut self, end: Time, job: JobSlot, nodes: u32) {
        let at = self.ends.partition_point(|(other, slot, _)| (*other, *slot) < (end, job));
        self.ends.insert(at, (end, job, nodes));
    }

    /// A job has ended.
    pub(super) fn remove(&mut self, end: Time, job: JobSlot) {
        if let Ok(at) = self.ends.binary_search_by_key(&(end, job), |(end, job, _)| (*end, *job)) {
            self.ends.remove(at);
        }
    }

    /// Now and the instants at which more nodes are expected to be free, with their number. `also` is one more instant to show.
    fn instants(&self, now: Time, free: u32, also: Option<Time>) -> impl Iterator<Item = (Time, u32)> + '_ {
        let soon = now + Span::TICK;
        let mut ends = self.ends.iter().map(move |&(end, _, nodes)| (end.max(soon), nodes)).peekable();
        let (mut free, mut also, mut next) = (free, also, Some(now));
        std::iter::from_fn(move || {
            let at = next?;
            while let Some((_, nodes)) = ends.next_if(|(end, _)| *end <= at) {
                free += nodes;
            }
            also = also.filter(|also| *also > at);
            next = ends.peek().map(|(end, _)| *end).into_iter().chain(also).min();
            Some((at, free))
        })
    }

    /// The start that is expected to end first, the earliest and on the fewest nodes of such.
    pub(super) fn best(&self, now: Time, free: u32, sizes: &Sizes<'_>) -> Option<Choice> {
        let shortest = sizes.times.on(sizes.most);
        let mut best: Option<Choice> = None;
        for (at, free) in self.instants(now, free, None) {
            if best.is_some_and(|best| best.end <= at.saturating_add(shortest)) {
                break;
            }
            let found = widest_at(at, free, None, sizes);
            best = found.filter(|found| best.is_none_or(|best| found.end < best.end)).or(best);
        }
        best.map(|choice| sizes.narrow(choice))
    }

    /// The same beside a reservation, if it starts now.
    pub(super) fn best_if_now(
        &self,
        now: Time,
        free: u32,
        reservation: &Reservation,
        sizes: &Sizes<'_>,
    ) -> Option<Choice> {
        let best = widest_at(now, free, Some(reservation), sizes)?;
        let shortest = sizes.times.on(sizes.most);
        for (at, free) in self.instants(now, free, Some(reservation.of.end)).skip(1) {
            if best.end <= at.saturating_add(shortest) {
                break;
            }
            if widest_at(at, free, Some(reservation), sizes).is_some_and(|found| found.end < best.end) {
                return None;
            }
        }
        Some(sizes.narrow(best))
    }

    /// The reservation of a choice for later.
    pub(super) fn reserve(&self, now: Time, free: u32, of: &Choice) -> Reservation {
        let then = self.instants(now, free, None).take_while(|(at, _)| *at <= of.start).last();
        let free = then.map_or(free, |(_, free)| free);
        Reservation { of: *of, extra: free - of.nodes }
    }
}
