//! Contiguous: an aligned block of a k-ary n-tree.
//!
//! Decides: a job of x nodes has level l, the smallest with kˡ ≥ x; it gets the first x free nodes of the first aligned block
//! of kˡ leaves that has x free nodes. If there is none, the job cannot be placed.
//! Source: Pascual & Miguel-Alonso 2008, §III "Contiguous" and Fig. 1.
//! Parameters: k, n from the machine; `relax`: how many further levels up are searched when there is no such block (0 in the
//! paper, 1 in its future work, §V).
//! Differs: the prose says jobs of less than k nodes are of level 1, Fig. 1 and the prose's example say up to k; the latter is taken.
//! Fig. 1 reuses the name k for a counter; its evident meaning is taken.
//! Reservations: the earliest instant at which, by the expected ends, some such block has room; the reserved nodes are the
//! first x that are free in it then (*assumption*: the paper does not say which). Ties: lower level, then lower block.
//! Cost: one step per block of the level for a placement; one per block of all levels for the room; one per touched block and
//! release for a reservation.

use super::{Allocator, Asked, Release, Reservation, Room, Spare};
use crate::cluster::Cluster;
use crate::cluster::node_set::{NodeSet, Placement, first_in};
use crate::cluster::tree::{BlockCounts, Shape, add_per_block, first_block_in, largest_block_in};
use smallvec::SmallVec;
use std::borrow::Cow;

/// The allocator; see the module.
pub struct Contiguous {
    /// Levels above the job's own that are searched too.
    pub relax: u32,
    /// The tree.
    pub shape: Shape,
}

impl Contiguous {
    fn levels(&self, size: u32) -> std::ops::RangeInclusive<u32> {
        let level = self.shape.level_of(size);
        level..=level.saturating_add(self.relax).min(self.shape.levels)
    }

    fn first_block(&self, size: u32, counts: &BlockCounts) -> Option<(u32, u32)> {
        self.levels(size).find_map(|level| Some((level, counts.first_with(level, size)?)))
    }

    fn nodes_of(&self, (level, block): (u32, u32), size: u32, free: &NodeSet) -> Option<Placement> {
        let width = self.shape.block_size(level);
        free.first_in(block * width, (block + 1) * width, size)
    }
}

/// The free nodes and block counts without those in `avoid`.
fn without<'a>(cluster: &'a Cluster, avoid: &Placement) -> Option<(Cow<'a, NodeSet>, Cow<'a, BlockCounts>)> {
    let counts = cluster.blocks()?;
    if avoid.is_empty() {
        return Some((Cow::Borrowed(cluster.free()), Cow::Borrowed(counts)));
    }
    let mut free_and_avoided = Placement::empty();
    for &(word, mask) in avoid.words() {
        free_and_avoided.push(word, mask & cluster.free().words()[word as usize]);
    }
    let mut free = cluster.free().clone();
    let mut counts = counts.clone();
    free.remove(&free_and_avoided);
    counts.take(&free_and_avoided);
    Some((Cow::Owned(free), Cow::Owned(counts)))
}

impl Allocator for Contiguous {
    fn place(&self, asked: &Asked<'_>, cluster: &Cluster) -> Option<Placement> {
        let size = asked.size;
        if size > cluster.free_count() {
            return None;
        }
        let (free, counts) = without(cluster, asked.avoid)?;
        self.nodes_of(self.first_block(size, &counts)?, size, &free)
    }

    fn room(&self, cluster: &Cluster, avoid: &Placement) -> Room {
        let mut room = Room::default();
        let Some((_, counts)) = without(cluster, avoid) else { return room };
        for level in 1..=self.shape.levels {
            let searched = level.saturating_add(self.relax).min(self.shape.levels);
            room.push(self.shape.block_size(level), counts.largest(searched));
        }
        room
    }

    fn place_in(&self, size: u32, free: &[u64]) -> Option<Placement> {
        self.levels(size).find_map(|level| {
            let width = self.shape.block_size(level);
            let block = first_block_in(free, width, self.shape.block_size(self.shape.levels) / width, size)?;
            first_in(free, block * width, (block + 1) * width, size)
        })
    }

    fn room_in(&self, free: &[u64]) -> Room {
        let largest = |level: u32| {
            let width = self.shape.block_size(level);
            largest_block_in(free, width, self.shape.block_size(self.shape.levels) / width)
        };
        let mut room = Room::default();
        let by_level: SmallVec<[u32; 8]> = (1..=self.shape.levels).map(largest).collect();
        for level in 1..=self.shape.levels {
            let searched = level.saturating_add(self.relax).min(self.shape.levels);
            room.push(self.shape.block_size(level), by_level[searched as usize - 1]);
        }
        room
    }

    fn reserve(
        &self,
        size: u32,
        cluster: &Cluster,
        releases: &mut dyn Iterator<Item = Release<'_>>,
    ) -> Option<Reservation> {
        let counts = cluster.blocks()?;
        let mut levels: Vec<(u32, Vec<u32>)> =
            self.levels(size).map(|level| (level, counts.at_level(level).to_vec())).collect();
        let mut free = cluster.free().clone();
        let mut reached = None;
        for release in releases {
            if reached.is_some_and(|at| release.at > at) {
                break;
            }
            free.insert(release.nodes);
            for (level, counts) in &mut levels {
                add_per_block(self.shape.block_size(*level), release.nodes, |block, nodes| {
                    let count = &mut counts[block as usize];
                    *count += nodes;
                    if *count >= size {
                        reached = Some(release.at);
                    }
                });
            }
        }
        let at = reached?;
        let block = levels.iter().find_map(|(level, counts)| {
            Some((*level, counts.iter().position(|&count| count >= size)? as u32))
        })?;
        Some(Reservation { at, spare: Spare::AllBut(self.nodes_of(block, size, &free)?) })
    }

    fn counts_only(&self) -> bool {
        false
    }
}
