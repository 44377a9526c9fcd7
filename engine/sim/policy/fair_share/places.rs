//! The same where it matters which nodes are free. The reservation is of certain nodes: those that the allocator would take when it begins.

use super::plan::{Choice, Plan, Sizes};
use crate::allocator::Room;
use crate::cluster::node_set::{NodeSet, Placement};
use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::policy::releases::Releases;
use crate::time::Time;

/// Running jobs by expected end, the reservation of the pass, and what has been looked at of the time to come.
#[derive(Default)]
pub(super) struct Places {
    releases: Releases,
    held: Option<Held>,
    /// Now and the instants at which more is free, as far as somebody has asked; of the pass as it is.
    moments: Vec<Moment>,
}

/// What is kept free for one job.
struct Held {
    of: Choice,
    on: Placement,
}

/// An instant.
struct Moment {
    at: Time,
    /// Nodes that are expected to be free.
    free: NodeSet,
    room: Room,
    /// Without the reserved nodes, if there is a reservation.
    beside: Room,
    /// How many of the releases are counted.
    releases: usize,
}

impl Moment {
    fn new(pass: &Pass<'_>, at: Time, free: NodeSet, releases: usize, held: Option<&Held>) -> Moment {
        let room = pass.allocator().room_in(free.words());
        let beside = match held {
            Some(held) => pass.allocator().room_in(without(&free, &held.on).words()),
            None => room.clone(),
        };
        Moment { at, free, room, beside, releases }
    }

    /// The most nodes on which a job can start, and where they are looked for.
    fn widest(&self, held: Option<&Held>, sizes: &Sizes) -> Option<(Choice, &Room)> {
        let within = |room: &Room| match room.largest_between(sizes.least, sizes.most) {
            0 => None,
            nodes => Some(sizes.choice(self.at, nodes)),
        };
        let Some(held) = held.filter(|held| self.at < held.of.end) else {
            return Some((within(&self.room)?, &self.room));
        };
        if self.at < held.of.start {
            let choice = within(&self.room)?;
            if choice.end <= held.of.start {
                return Some((choice, &self.room));
            }
        }
        Some((within(&self.beside)?, &self.beside))
    }
}

fn without(free: &NodeSet, reserved: &Placement) -> NodeSet {
    let mut words = free.words().to_vec();
    for &(word, mask) in reserved.words() {
        words[word as usize] &= !mask;
    }
    NodeSet::from_words(&words)
}

/// The fewest nodes that there is room for and on which the job takes no longer.
fn narrowest((choice, room): (Choice, &Room), sizes: &Sizes) -> Choice {
    let least = sizes.narrow(choice).nodes;
    let nodes = (least..choice.nodes).find(|nodes| room.fits(*nodes)).unwrap_or(choice.nodes);
    Choice { nodes, ..choice }
}

impl Places {
    /// Whether there is a moment of this position; it is then known.
    fn look(&mut self, pass: &Pass<'_>, index: usize) -> bool {
        while self.moments.len() <= index {
            let next = match self.moments.last() {
                None => {
                    Some(Moment::new(pass, pass.now(), pass.cluster().free().clone(), 0, self.held.as_ref()))
                }
                Some(last) => self.after(pass, last),
            };
            match next {
                Some(next) => self.moments.push(next),
                None => return false,
            }
        }
        true
    }

    fn after(&self, pass: &Pass<'_>, last: &Moment) -> Option<Moment> {
        let mut releases = self.releases.upcoming(pass).skip(last.releases).peekable();
        // What is reserved comes free as well.
        let also = self.held.as_ref().map(|held| held.of.end).filter(|end| *end > last.at);
        let at = releases.peek().map(|release| release.at).into_iter().chain(also).min()?;
        let (mut free, mut counted) = (last.free.clone(), last.releases);
        while let Some(release) = releases.next_if(|release| release.at <= at) {
            free.insert(release.nodes);
            counted += 1;
        }
        Some(Moment::new(pass, at, free, counted, self.held.as_ref()))
    }
}

impl Plan for Places {
    fn begin(&mut self) {
        self.held = None;
        self.moments.clear();
    }

    fn ended(&mut self, pass: &Pass<'_>, job: JobSlot) {
        self.releases.remove(pass.expected_end(job), job);
    }

    fn holds(&self) -> bool {
        self.held.is_some()
    }

    fn first_to_end(&mut self, pass: &Pass<'_>, sizes: &Sizes) -> Option<Choice> {
        let shortest = sizes.times.on(sizes.most);
        let mut best: Option<(Choice, usize)> = None;
        for index in 0.. {
            if !self.look(pass, index) {
                break;
            }
            let moment = &self.moments[index];
            if best.is_some_and(|(best, _)| best.end <= moment.at.saturating_add(shortest)) {
                break;
            }
            let found = moment.widest(None, sizes).map(|(found, _)| found);
            let found = found.filter(|found| best.is_none_or(|(best, _)| found.end < best.end));
            best = found.map(|found| (found, index)).or(best);
        }
        best.map(|(choice, index)| narrowest((choice, &self.moments[index].room), sizes))
    }

    fn hold(&mut self, pass: &Pass<'_>, choice: &Choice) {
        let then = self.moments.iter().find(|moment| moment.at == choice.start);
        let on = then.and_then(|then| pass.allocator().place_in(choice.nodes, then.free.words()));
        debug_assert!(on.is_some(), "the room promised a placement");
        self.held = on.map(|on| Held { of: *choice, on });
        self.moments.clear();
    }

    fn beside(&mut self, pass: &Pass<'_>, sizes: &Sizes, whole_profile: bool) -> Option<Choice> {
        self.look(pass, 0);
        let best = self.moments[0].widest(self.held.as_ref(), sizes)?.0;
        let shortest = sizes.times.on(sizes.most);
        for index in 1.. {
            if !whole_profile || !self.look(pass, index) {
                break;
            }
            let moment = &self.moments[index];
            if best.end <= moment.at.saturating_add(shortest) {
                break;
            }
            if moment.widest(self.held.as_ref(), sizes).is_some_and(|(found, _)| found.end < best.end) {
                return None;
            }
        }
        self.moments[0].widest(self.held.as_ref(), sizes).map(|found| narrowest(found, sizes))
    }

    fn start(&mut self, pass: &mut Pass<'_>, job: JobSlot, choice: &Choice) {
        let in_the_way = self.held.as_ref().filter(|held| choice.end > held.of.start);
        let avoid = in_the_way.map(|held| held.on.clone()).unwrap_or_else(Placement::empty);
        let started = pass.start_sized_avoiding(job, choice.nodes, &avoid);
        debug_assert!(started, "the room promised a placement");
        self.releases.insert(pass.expected_end(job), job);
        self.moments.clear();
    }
}
