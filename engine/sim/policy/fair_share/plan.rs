//! What the walk along the queue asks of the nodes that are expected to be free.

use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::speedup::TimeOn;
use crate::time::Time;

/// Where and when jobs could run beside those that do, and beside one reservation.
pub(super) trait Plan: Default {
    /// A pass begins: nothing is reserved.
    fn begin(&mut self);

    /// A running job has ended.
    fn ended(&mut self, pass: &Pass<'_>, job: JobSlot);

    /// Whether there is a reservation.
    fn holds(&self) -> bool;

    /// Without a reservation: the start that is expected to end first, the earliest and on the fewest nodes of such.
    fn first_to_end(&mut self, pass: &Pass<'_>, sizes: &Sizes) -> Option<Choice>;

    /// Reserves such a start, later than now.
    fn hold(&mut self, pass: &Pass<'_>, choice: &Choice);

    /// Beside the reservation: the start now that is expected to end first, on the fewest nodes of such; with `whole_profile` only if none later is
    /// expected to end before it.
    fn beside(&mut self, pass: &Pass<'_>, sizes: &Sizes, whole_profile: bool) -> Option<Choice>;

    /// Carries out a start now.
    fn start(&mut self, pass: &mut Pass<'_>, job: JobSlot, choice: &Choice);
}

/// The numbers of nodes among which a job may choose, and how long it takes on them: never longer on more.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) least: u32,
    pub(super) most: u32,
    pub(super) times: TimeOn,
}

/// A start on so many nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) start: Time,
    pub(super) end: Time,
    pub(super) nodes: u32,
}

impl Sizes {
    /// A start on so many nodes.
    pub(super) fn choice(&self, start: Time, nodes: u32) -> Choice {
        Choice { start, end: start.saturating_add(self.times.on(nodes)), nodes }
    }

    /// The fewest nodes on which the job takes no longer.
    pub(super) fn narrow(&self, choice: Choice) -> Choice {
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
