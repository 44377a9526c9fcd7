//! Intelligent node selection: the free nodes with the fewest jobs allocated to them.
//!
//! Decides: a job of x nodes gets, of the free nodes, the x to which the fewest jobs are allocated. Jobs that are suspended stay allocated, so these
//! are the nodes on which the job meets the fewest others when its slice ends.
//! Source: Esbaugh 2010, §4.1 (Scojo-PECT's method, the "basic" and "intelligent" allocation of Tables 4-9).
//! Parameters: none.
//! Differs: none known.
//! Ties: lower number.
//! Cost: one step per free node and distinct number of jobs; constant for the room.

use super::{Allocator, Asked};
use crate::cluster::Cluster;
use crate::cluster::node_set::Placement;

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

    fn looks_at_tenants(&self) -> bool {
        true
    }
}
