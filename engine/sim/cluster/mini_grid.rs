//! A mini-grid: clusters of equal size, what is free in each, and what it costs jobs to lie in several. Source: Jones et al. 2004, "Models".

use super::communication::{CommunicationModel, Penalized, slowed, stretch};
use super::network::{Network, Parts};
use super::node_set::{Placement, WORD};
use crate::job::{Communication, Rate};

/// The clusters of a mini-grid; cluster i has the nodes from i · n to (i + 1) · n − 1.
#[derive(Clone, Debug)]
pub struct MiniGrid {
    nodes_per_cluster: u32,
    free: Vec<u32>,
    /// The cluster of the first node of each word of a set of nodes.
    of_word: Vec<u32>,
    model: CommunicationModel,
    network: Option<Network>,
}

impl MiniGrid {
    /// Idle clusters.
    pub fn idle(clusters: u32, nodes_per_cluster: u32, model: CommunicationModel) -> MiniGrid {
        let network = match model {
            CommunicationModel::Contended { link_bandwidth, step3 } => {
                Some(Network::idle(clusters, link_bandwidth, step3))
            }
            CommunicationModel::Ideal | CommunicationModel::FixedPenalty { .. } => None,
        };
        let words = (clusters * nodes_per_cluster).div_ceil(WORD);
        let of_word = (0..words).map(|word| word * WORD / nodes_per_cluster).collect();
        MiniGrid {
            nodes_per_cluster,
            free: vec![nodes_per_cluster; clusters as usize],
            of_word,
            model,
            network,
        }
    }

    /// How many clusters there are.
    pub fn clusters(&self) -> u32 {
        self.free.len() as u32
    }

    /// Nodes of each.
    pub fn nodes_per_cluster(&self) -> u32 {
        self.nodes_per_cluster
    }

    /// How many nodes of each are free, by its number.
    pub fn free(&self) -> &[u32] {
        &self.free
    }

    /// The first node of a cluster, and the one behind its last.
    pub fn nodes_of(&self, cluster: u32) -> (u32, u32) {
        (cluster * self.nodes_per_cluster, (cluster + 1) * self.nodes_per_cluster)
    }

    /// The links, where they are contended.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// The same, for the kernel to change.
    pub(crate) fn network_mut(&mut self) -> Option<&mut Network> {
        self.network.as_mut()
    }

    /// The clusters of a placement, ascending, with how many of its nodes lie in each.
    pub fn parts(&self, placement: &Placement) -> Parts {
        let mut parts = Parts::new();
        for &(word, mask) in placement.words() {
            let mut cluster = self.of_word[word as usize];
            let (mut mask, first) = (mask, word * WORD);
            while mask != 0 {
                let end = (cluster + 1) * self.nodes_per_cluster;
                let here = if end - first >= WORD { mask } else { mask & ((1 << (end - first)) - 1) };
                let nodes = here.count_ones();
                match parts.last_mut() {
                    Some((last, count)) if *last == cluster => *count += nodes,
                    _ if nodes > 0 => parts.push((cluster, nodes)),
                    _ => {}
                }
                mask ^= here;
                cluster += 1;
            }
        }
        parts
    }

    /// Whether a job that lies in several clusters runs at another rate than its policy's.
    pub(crate) fn slows_split_jobs(&self) -> bool {
        self.model != CommunicationModel::Ideal
    }

    /// The rate of a job that lies in several clusters, where that does not depend on others.
    pub(crate) fn fixed_rate(&self, communication: Communication) -> Rate {
        match self.model {
            CommunicationModel::FixedPenalty { penalty, penalized: Penalized::WholeJob } => {
                slowed(1.0 + penalty)
            }
            CommunicationModel::FixedPenalty { penalty, penalized: Penalized::Communication } => {
                slowed(stretch(communication.share, 1.0 / (1.0 + penalty)))
            }
            CommunicationModel::Ideal | CommunicationModel::Contended { .. } => Rate::FULL,
        }
    }

    /// Counts the nodes of a placement as taken.
    pub(super) fn take(&mut self, placement: &Placement) {
        for (cluster, nodes) in self.parts(placement) {
            self.free[cluster as usize] -= nodes;
        }
    }

    /// Counts them as free again.
    pub(super) fn give(&mut self, placement: &Placement) {
        for (cluster, nodes) in self.parts(placement) {
            self.free[cluster as usize] += nodes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_count_nodes_by_cluster() {
        let nodes = [0, 63, 64, 99, 100, 127, 128, 199, 450];
        let of = |size| {
            MiniGrid::idle(500_u32.div_ceil(size), size, CommunicationModel::Ideal)
                .parts(&Placement::of(nodes))
        };
        assert_eq!(of(100)[..], [(0, 4), (1, 4), (4, 1)]);
        assert_eq!(of(64)[..], [(0, 2), (1, 4), (2, 1), (3, 1), (7, 1)][..]);
        assert_eq!(of(500)[..], [(0, 9)]);
        assert_eq!(of(1).len(), 9);
        assert!(MiniGrid::idle(2, 3, CommunicationModel::Ideal).parts(&Placement::empty()).is_empty());
    }

    #[test]
    fn what_is_taken_is_given_back() {
        let mut grid = MiniGrid::idle(3, 100, CommunicationModel::Ideal);
        grid.take(&Placement::of(90..210));
        assert_eq!(grid.free(), [90, 0, 90]);
        grid.give(&Placement::of(90..150));
        assert_eq!(grid.free(), [100, 50, 90]);
        assert_eq!(grid.nodes_of(2), (200, 300));
    }

    #[test]
    fn a_penalty_is_of_the_whole_job_or_of_its_communication() {
        let rate = |penalized, share| {
            let model = CommunicationModel::FixedPenalty { penalty: 1.0, penalized };
            MiniGrid::idle(2, 3, model).fixed_rate(Communication { share, bandwidth: 1.0 })
        };
        assert_eq!(rate(Penalized::WholeJob, 0.5), Rate(1 << 31));
        assert_eq!(rate(Penalized::Communication, 0.5), slowed(1.5));
        assert_eq!(rate(Penalized::Communication, 0.0), Rate::FULL);
    }
}
