//! First free: the lowest-numbered free nodes.
//!
//! Decides: a job of x nodes gets the x free nodes with the lowest numbers.
//! Source: Pascual & Miguel-Alonso 2008, §III "Non-contiguous" (a sequential search over the free nodes, ignoring locality).
//! Parameters: none.
//! Differs: none known.
//! Ties: none; node order is total.
//! Cost: one step per 64 nodes for a placement, constant for the room, one step per release for a reservation.

use super::{Allocator, Asked, Release, Reservation, Room, reserve_count};
use crate::cluster::Cluster;
use crate::cluster::node_set::{Placement, lowest_in};

/// The allocator; see the module.
pub struct FirstFree;

impl Allocator for FirstFree {
    fn place(&self, asked: &Asked<'_>, cluster: &Cluster) -> Option<Placement> {
        if asked.size > cluster.free_count() {
            return None;
        }
        self.place_in(asked.size, asked.candidates(cluster).words())
    }

    fn room(&self, cluster: &Cluster, avoid: &Placement) -> Room {
        Room::any(cluster, avoid)
    }

    fn place_in(&self, size: u32, free: &[u64]) -> Option<Placement> {
        lowest_in(free, size)
    }

    fn reserve(
        &self,
        size: u32,
        cluster: &Cluster,
        releases: &mut dyn Iterator<Item = Release<'_>>,
    ) -> Option<Reservation> {
        reserve_count(size, cluster.free_count(), releases)
    }

    fn counts_only(&self) -> bool {
        true
    }
}
