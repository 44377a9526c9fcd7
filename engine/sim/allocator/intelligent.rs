//! Intelligent node selection: the free nodes with the fewest jobs allocated to them.
//!
//! Decides: a job of x nodes gets, of the free nodes, the x to which the fewest jobs are allocated. Jobs that are suspended stay allocated, so these
//! are the nodes on which the job meets the fewest others when its slice ends.
//! Source: Esbaugh 2010, §4.1 (Scojo-PECT's method, the "basic" and "intelligent" allocation of Tables 4-9).
//! Parameters: none.
//! Differs: none known.
//! Ties: lower number.
//! Cost: one step per free node and distinct number of jobs; constant for the room.

use super::{Allocator, Asked, Release, Reservation, Room, reserve_count};
use crate::cluster::Cluster;
use crate::cluster::node_set::{Placement, lowest_in};

/// The allocator; see the module.
pub struct IntelligentNodeSelection;

impl Allocator for IntelligentNodeSelection {
    fn place(&self, asked: &Asked<'_>, cluster: &Cluster) -> Option<Placement> {
        let candidates = asked.candidates(cluster);
        let tenants = cluster.tenants()?;
        let mut nodes: Vec<(usize, u32)> =
            candidates.nodes().map(|node| (tenants.claims(node).len(), node)).collect();
        let size = asked.size as usize;
        if nodes.len() < size {
            return None;
        }
        if let Some(last) = size.checked_sub(1) {
            nodes.select_nth_unstable(last);
        }
        Some(Placement::of(nodes[..size].iter().map(|&(_, node)| node)))
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

    fn looks_at_tenants(&self) -> bool {
        true
    }
}
