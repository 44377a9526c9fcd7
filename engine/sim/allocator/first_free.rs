//! First free: the lowest-numbered free nodes.
//!
//! Decides: a job of x nodes gets the x free nodes with the lowest numbers.
//! Source: Pascual & Miguel-Alonso 2008, §III "Non-contiguous" (a sequential search over the free nodes, ignoring locality).
//! Parameters: none.
//! Differs: none known.
//! Ties: none; node order is total.
//! Cost: one step per 64 nodes for a placement, constant for the room, one step per release for a reservation.

use super::{Allocator, Asked};
use crate::cluster::Cluster;
use crate::cluster::node_set::Placement;

/// The allocator; see the module.
pub struct FirstFree;

impl Allocator for FirstFree {
    fn place(&self, asked: &Asked<'_>, cluster: &Cluster) -> Option<Placement> {
        if asked.size > cluster.free_count() {
            return None;
        }
        self.place_in(asked.size, asked.candidates(cluster).words())
    }
}
