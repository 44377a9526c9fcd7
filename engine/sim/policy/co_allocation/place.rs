//! Which clusters a job gets how many nodes of.

use super::spec::{Settings, Sharing, SplitRule};
use crate::cluster::Cluster;
use crate::cluster::network::Parts;
use crate::cluster::node_set::{Placement, append_lowest};
use smallvec::SmallVec;

/// What is free in each cluster, as far as the pass has come.
#[derive(Default)]
pub(super) struct Room {
    free: Vec<u32>,
    all: u32,
    nodes_per_cluster: u32,
}

impl Room {
    /// Looks at the machine; one that is no mini-grid is one cluster.
    pub fn look(&mut self, cluster: &Cluster) {
        self.free.clear();
        self.all = cluster.free_count();
        match cluster.mini_grid() {
            Some(grid) => {
                self.free.extend_from_slice(grid.free());
                self.nodes_per_cluster = grid.nodes_per_cluster();
            }
            None => {
                self.free.push(self.all);
                self.nodes_per_cluster = cluster.nodes();
            }
        }
    }

    /// How many clusters there are.
    pub fn clusters(&self) -> usize {
        self.free.len()
    }

    /// Nodes of each of them.
    pub fn nodes_per_cluster(&self) -> u32 {
        self.nodes_per_cluster
    }

    /// Free nodes of a cluster.
    pub fn free(&self, cluster: u32) -> u32 {
        self.free[cluster as usize]
    }

    /// The most that a cluster has.
    pub fn most_free(&self) -> u32 {
        self.free.iter().copied().max().unwrap_or(0)
    }

    /// All of them.
    pub fn all_free(&self) -> u32 {
        self.all
    }

    /// Counts nodes as taken.
    pub fn take(&mut self, parts: &Parts) {
        for &(cluster, nodes) in parts {
            self.free[cluster as usize] -= nodes;
            self.all -= nodes;
        }
    }

    /// The free nodes with the lowest numbers in each of the clusters, of which it must be so many.
    pub fn nodes(&self, cluster: &Cluster, parts: &Parts) -> Placement {
        let (mut placement, free) = (Placement::empty(), cluster.free().words());
        for &(number, nodes) in parts {
            let first = number * self.nodes_per_cluster;
            append_lowest(&mut placement, free, first, first + self.nodes_per_cluster, nodes);
        }
        placement
    }

    /// The clusters for a job of `size`, ascending; `None` where it does not fit.
    pub fn place(&self, size: u32, home: u32, settings: Settings) -> Option<Parts> {
        let at_home = self.free(home) >= size;
        if settings.sharing == Sharing::Nothing || at_home && settings.home_first {
            return at_home.then(|| one(home, size));
        }
        if let Some(cluster) = self.best_fit(size) {
            return Some(one(cluster, size));
        }
        if settings.sharing == Sharing::Migration || self.all < size {
            return None;
        }
        let mut parts = match settings.split {
            SplitRule::LargestThenBestFit => self.one_by_one(size, |room, left| {
                room.best_fit(left).or_else(|| room.of_free(|free, least| free > least))
            }),
            SplitRule::LargestFirst => {
                self.one_by_one(size, |room, _| room.of_free(|free, least| free > least))
            }
            SplitRule::FewestIdle => self.one_by_one(size, |room, _| room.of_free(|free, most| free < most)),
            SplitRule::Even => self.evenly(size),
        };
        parts.sort_unstable();
        Some(parts)
    }

    /// The cluster with the fewest free nodes that has `size` of them.
    fn best_fit(&self, size: u32) -> Option<u32> {
        let mut best = None;
        for (cluster, &free) in (0..).zip(&self.free) {
            if free >= size && best.is_none_or(|(_, fewest)| free < fewest) {
                best = Some((cluster, free));
            }
        }
        best.map(|(cluster, _)| cluster)
    }

    /// The first of the clusters with free nodes that is better than all others.
    fn of_free(&self, better: impl Fn(u32, u32) -> bool) -> Option<u32> {
        let mut best = None;
        for (cluster, &free) in (0..).zip(&self.free) {
            if free > 0 && best.is_none_or(|(_, other)| better(free, other)) {
                best = Some((cluster, free));
            }
        }
        best.map(|(cluster, _)| cluster)
    }

    /// As many nodes as are wanted yet of the cluster that is chosen next, until all are found.
    fn one_by_one(&self, size: u32, next: impl Fn(&Room, u32) -> Option<u32>) -> Parts {
        let mut rest =
            Room { free: self.free.clone(), all: self.all, nodes_per_cluster: self.nodes_per_cluster };
        let (mut parts, mut left) = (Parts::new(), size);
        while left > 0
            && let Some(cluster) = next(&rest, left)
        {
            let nodes = rest.free(cluster).min(left);
            parts.push((cluster, nodes));
            rest.free[cluster as usize] = 0;
            left -= nodes;
        }
        parts
    }

    /// Equal parts on the fewest clusters that can hold the job.
    fn evenly(&self, size: u32) -> Parts {
        let mut clusters: SmallVec<[(u32, u32); 16]> =
            (0..).zip(&self.free).map(|(cluster, free)| (*free, cluster)).collect();
        clusters.sort_unstable_by_key(|(free, cluster)| (std::cmp::Reverse(*free), *cluster));
        let (mut number, mut held) = (0, 0);
        while held < size && number < clusters.len() {
            held += clusters[number].0;
            number += 1;
        }
        let mut left = size;
        // The smallest first: what it lacks, and what does not come out even, is left to the larger ones.
        let parts = clusters[..number].iter().enumerate().rev().map(|(before, &(free, cluster))| {
            let nodes = free.min(left / (before as u32 + 1));
            left -= nodes;
            (cluster, nodes)
        });
        parts.collect()
    }
}

/// All nodes on one cluster.
fn one(cluster: u32, size: u32) -> Parts {
    let mut parts = Parts::new();
    parts.push((cluster, size));
    parts
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::spec::{Pick, QueueRule};
    use super::*;

    fn room(free: &[u32]) -> Room {
        Room { free: free.to_vec(), all: free.iter().sum(), nodes_per_cluster: 10 }
    }

    fn settings(sharing: Sharing, home_first: bool, split: SplitRule) -> Settings {
        Settings { sharing, queue: QueueRule::Scan, pick: Pick::FirstCome, home_first, split }
    }

    fn split(free: &[u32], size: u32, rule: SplitRule) -> Vec<(u32, u32)> {
        room(free).place(size, 0, settings(Sharing::Splitting, true, rule)).unwrap().to_vec()
    }

    #[test]
    fn home_then_best_fit_then_parts() {
        let place = |sharing, home_first, size| {
            let settings = settings(sharing, home_first, SplitRule::LargestThenBestFit);
            room(&[4, 6, 3, 3]).place(size, 0, settings).map(|parts| parts.to_vec())
        };
        assert_eq!(place(Sharing::Splitting, true, 3), Some(vec![(0, 3)]));
        assert_eq!(place(Sharing::Splitting, false, 3), Some(vec![(2, 3)]));
        assert_eq!(place(Sharing::Migration, true, 5), Some(vec![(1, 5)]));
        assert_eq!(place(Sharing::Nothing, false, 3), Some(vec![(0, 3)]));
        assert_eq!(place(Sharing::Nothing, true, 5), None);
        assert_eq!(place(Sharing::Migration, true, 7), None);
        assert_eq!(place(Sharing::Splitting, true, 7), Some(vec![(1, 6), (2, 1)]));
        assert_eq!(place(Sharing::Splitting, true, 17), None);
    }

    #[test]
    fn largest_then_best_fit_leaves_large_clusters_alone() {
        let rule = SplitRule::LargestThenBestFit;
        assert_eq!(split(&[5, 8, 3, 8, 2], 10, rule), [(1, 8), (4, 2)]);
        assert_eq!(split(&[5, 8, 3, 8, 2], 12, rule), [(0, 4), (1, 8)]);
        assert_eq!(split(&[5, 8, 3, 8, 2], 20, rule), [(0, 4), (1, 8), (3, 8)]);
    }

    #[test]
    fn the_other_rules_take_largest_smallest_or_equal_parts() {
        assert_eq!(split(&[5, 8, 3, 8, 0], 10, SplitRule::LargestFirst), [(1, 8), (3, 2)]);
        assert_eq!(split(&[5, 8, 3, 8, 0], 10, SplitRule::FewestIdle), [(0, 5), (1, 2), (2, 3)]);
        assert_eq!(split(&[5, 8, 3, 8, 0], 10, SplitRule::Even), [(1, 5), (3, 5)]);
        assert_eq!(split(&[5, 8, 3, 8, 0], 11, SplitRule::Even), [(1, 6), (3, 5)]);
        assert_eq!(split(&[5, 8, 3, 8, 0], 19, SplitRule::Even), [(0, 5), (1, 7), (3, 7)]);
        assert_eq!(split(&[5, 8, 3, 8, 0], 24, SplitRule::Even), [(0, 5), (1, 8), (2, 3), (3, 8)]);
    }
}
