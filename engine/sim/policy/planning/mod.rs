//! Policies that plan: reservations in an availability profile.

mod availability;
mod book;
mod conservative;
mod priority;
mod replan;
mod running;

use super::{EarlyEnd, Order, Policy, Reservations};
use crate::allocator::Allocator;
use crate::cluster::profile::{CountProfile, NodeProfile};

/// Conservative backfilling for a machine of `nodes` nodes and an allocator.
pub fn conservative(early_end: EarlyEnd, nodes: u32, allocator: &dyn Allocator) -> Box<dyn Policy> {
    match (early_end, allocator.counts_only()) {
        (EarlyEnd::Compress, true) => Box::new(conservative::Conservative::<CountProfile>::new()),
        (EarlyEnd::Compress, false) => Box::new(conservative::Conservative::<NodeProfile>::new()),
        (EarlyEnd::Replan, true) => Box::new(replan::Replan::<CountProfile>::new(nodes)),
        (EarlyEnd::Replan, false) => Box::new(replan::Replan::<NodeProfile>::new(nodes)),
    }
}

/// Priority backfilling for an allocator.
pub fn priority(order: Order, reservations: Reservations, allocator: &dyn Allocator) -> Box<dyn Policy> {
    if allocator.counts_only() {
        Box::new(priority::Priority::<CountProfile>::new(order, reservations))
    } else {
        Box::new(priority::Priority::<NodeProfile>::new(order, reservations))
    }
}
