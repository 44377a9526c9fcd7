//! When how many nodes are expected to be free, and what a job makes of it. Nodes only come free as time goes by, except for the one
//! reservation, so the best start at an instant is that on the most nodes.

use super::plan::{Choice, Plan, Sizes};
use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::time::{Span, Time};

/// Running jobs by expected end, with their nodes, and the reservation of the pass.
#[derive(Debug, Default)]
pub(super) struct Profile {
    ends: Vec<(Time, JobSlot, u32)>,
    held: Option<Reservation>,
}

/// What is kept free for one job.
#[derive(Clone, Copy, Debug)]
struct Reservation {
    of: Choice,
    /// Nodes that are left when it begins.
    extra: u32,
}

impl Reservation {
    /// A job starts now beside it.
    fn beside(&mut self, choice: &Choice) {
        if choice.end > self.of.start {
            self.extra -= choice.nodes;
        }
    }
}

/// The most nodes on which a job can start at an instant with `free` nodes, beside the reservation.
fn widest_at(at: Time, free: u32, reservation: Option<&Reservation>, sizes: &Sizes) -> Option<Choice> {
    let nodes = free.min(sizes.most);
    if nodes < sizes.least {
        return None;
    }
    let on = |nodes| sizes.choice(at, nodes);
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
fn best_at(at: Time, free: u32, reservation: Option<&Reservation>, sizes: &Sizes) -> Option<Choice> {
    widest_at(at, free, reservation, sizes).map(|choice| sizes.narrow(choice))
}

impl Profile {
    /// A job was started.
    fn insert(&mut self, end: Time, job: JobSlot, nodes: u32) {
        let at = self.ends.partition_point(|(other, slot, _)| (*other, *slot) < (end, job));
        self.ends.insert(at, (end, job, nodes));
    }

    /// A job has ended.
    fn remove(&mut self, end: Time, job: JobSlot) {
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
    fn best(&self, now: Time, free: u32, sizes: &Sizes) -> Option<Choice> {
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
    fn best_if_now(&self, now: Time, free: u32, reservation: &Reservation, sizes: &Sizes) -> Option<Choice> {
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
    fn reserve(&self, now: Time, free: u32, of: &Choice) -> Reservation {
        let then = self.instants(now, free, None).take_while(|(at, _)| *at <= of.start).last();
        let free = then.map_or(free, |(_, free)| free);
        Reservation { of: *of, extra: free - of.nodes }
    }
}

impl Plan for Profile {
    fn begin(&mut self) {
        self.held = None;
    }

    fn ended(&mut self, pass: &Pass<'_>, job: JobSlot) {
        self.remove(pass.expected_end(job), job);
    }

    fn holds(&self) -> bool {
        self.held.is_some()
    }

    fn first_to_end(&mut self, pass: &Pass<'_>, sizes: &Sizes) -> Option<Choice> {
        self.best(pass.now(), pass.cluster().free_count(), sizes)
    }

    fn hold(&mut self, pass: &Pass<'_>, choice: &Choice) {
        self.held = Some(self.reserve(pass.now(), pass.cluster().free_count(), choice));
    }

    fn beside(&mut self, pass: &Pass<'_>, sizes: &Sizes, whole_profile: bool) -> Option<Choice> {
        let (now, free, held) = (pass.now(), pass.cluster().free_count(), self.held.as_ref()?);
        match whole_profile {
            true => self.best_if_now(now, free, held, sizes),
            false => best_at(now, free, Some(held), sizes),
        }
    }

    fn start(&mut self, pass: &mut Pass<'_>, job: JobSlot, choice: &Choice) {
        let started = pass.start_sized(job, choice.nodes);
        debug_assert!(started, "the profile promised free nodes");
        self.insert(pass.expected_end(job), job, choice.nodes);
        if let Some(held) = &mut self.held {
            held.beside(choice);
        }
    }
}
