//! First free: the lowest-numbered free nodes.
//!
//! Decides: a job of x nodes gets the x free nodes with the lowest numbers; on a machine of hosts, those of the host with the fewest free
//! processors among the hosts with enough processors and memory.
//! Source: Pascual & Miguel-Alonso 2008, §III "Non-contiguous" (a sequential search over the free nodes, ignoring locality); hosts: Chiang
//! 2001, §3.2.1 ("the host with the smallest free processors").
//! Parameters: none.
//! Differs: none known. Room and reservations count nodes, whatever their hosts: policies that ask for them are refused on hosts.
//! Ties: hosts in the order of the table; node order is total.
//! Cost: one step per 64 nodes and per host for a placement, constant for the room, one step per release for a reservation.

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
        let candidates = asked.candidates(cluster);
        let Some(hosts) = cluster.hosts() else { return self.place_in(asked.size, candidates.words()) };
        hosts.tightest_first(asked.size, asked.memory_kb).into_iter().find_map(|host| {
            let nodes = &hosts.get(host).nodes;
            candidates.first_in(nodes.start, nodes.end, asked.size)
        })
    }
}
