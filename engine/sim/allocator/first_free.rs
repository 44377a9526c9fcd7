//! First free: the lowest-numbered free nodes.
//!
//! Decides: a job of x nodes gets the x free nodes with the lowest numbers.
//! Source: Pascual & Miguel-Alonso 2008, §III "Non-contiguous" (a sequential search over the free nodes, ignoring locality).
//! Parameters: none.
//! Differs: none known.
//! Ties: none; node order is total.
//! Cost: one step per 64 nodes for a placement, constant for the room, one step per release for a reservation.

use super::{Allocator, Release, Reservation, Room, reserve_count};
use crate::cluster::Cluster;
use crate::cluster::node_set::{Placement, lowest_bits};

/// The allocator; see the module.
pub struct FirstFree;

impl Allocator for FirstFree {
    fn place(&self, size: u32, cluster: &Cluster, avoid: &Placement) -> Option<Placement> {
        if size > cluster.free_count() {
            return None;
        }
        if avoid.is_empty() {
            return self.place_in(size, cluster.free().words());
        }
        let mut free = cluster.free().clone();
        free.remove(avoid);
        self.place_in(size, free.words())
    }

    fn room(&self, cluster: &Cluster, avoid: &Placement) -> Room {
        let reserved: u32 = avoid
            .words()
            .iter()
            .map(|&(word, mask)| (cluster.free().words()[word as usize] & mask).count_ones())
            .sum();
        Room::up_to(cluster.free_count() - reserved)
    }

    fn place_in(&self, size: u32, free: &[u64]) -> Option<Placement> {
        let mut placement = Placement::empty();
        for (word, &mask) in free.iter().enumerate() {
            if mask != 0 {
                placement.push(word as u32, lowest_bits(mask, size - placement.len()));
                if placement.len() == size {
                    return Some(placement);
                }
            }
        }
        None
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
