//! k-ary n-trees: blocks of kˡ leaves under one switch of stage l, and how many of their nodes are free.
//!
//! Source: Pascual & Miguel-Alonso 2008, §III and Fig. 1 (level of a job, blocks searched in order).

use super::node_set::{Placement, WORD, bits, count_in};

/// The shape of a k-ary n-tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// k: ports down per switch.
    pub arity: u32,
    /// n: stages of switches.
    pub levels: u32,
}

impl Shape {
    /// Leaves under one switch of stage `level`: k^level.
    pub fn block_size(self, level: u32) -> u32 {
        self.arity.pow(level)
    }

    /// The level of a job: the smallest l ≥ 1 with kˡ ≥ `size`, at most n.
    pub fn level_of(self, size: u32) -> u32 {
        (1..self.levels).find(|&level| self.block_size(level) >= size).unwrap_or(self.levels)
    }

    /// The smallest level whose one block holds the whole placement; 1 for an empty one.
    pub fn level_spanned(self, placement: &Placement) -> u32 {
        let Some((first, last)) = placement.span() else { return 1 };
        let joined = |level: &u32| first / self.block_size(*level) == last / self.block_size(*level);
        (1..self.levels).find(joined).unwrap_or(self.levels)
    }
}

/// Free nodes per block of every level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockCounts {
    shape: Shape,
    /// `free[l - 1][b]`: free nodes in block b of level l.
    free: Vec<Vec<u32>>,
}

impl BlockCounts {
    /// Counts of a tree whose lowest-numbered `present` leaves are free.
    pub fn new(shape: Shape, present: u32) -> BlockCounts {
        let leaves = shape.block_size(shape.levels);
        let free = (1..=shape.levels)
            .map(|level| {
                let size = shape.block_size(level);
                (0..leaves / size).map(|block| present.saturating_sub(block * size).min(size)).collect()
            })
            .collect();
        BlockCounts { shape, free }
    }

    /// The tree's shape.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Free nodes of each block of `level`, in node order.
    pub fn at_level(&self, level: u32) -> &[u32] {
        &self.free[level as usize - 1]
    }

    /// The most free nodes that one block of `level` has.
    pub fn largest(&self, level: u32) -> u32 {
        self.at_level(level).iter().copied().max().unwrap_or(0)
    }

    /// The first block of `level` with at least `size` free nodes.
    pub fn first_with(&self, level: u32, size: u32) -> Option<u32> {
        // Whole chunks are compared without a branch per block: levels near the leaves have a thousand blocks.
        const CHUNK: usize = 32;
        let counts = self.at_level(level);
        for (index, chunk) in counts.chunks(CHUNK).enumerate() {
            if chunk.iter().fold(false, |found, &free| found | (free >= size)) {
                let inside = chunk.iter().position(|&free| free >= size)?;
                return Some((index * CHUNK + inside) as u32);
            }
        }
        None
    }

    /// Counts the nodes of `placement` as taken.
    pub fn take(&mut self, placement: &Placement) {
        self.change(placement, |count, nodes| *count -= nodes);
    }

    /// Counts the nodes of `placement` as free again.
    pub fn give(&mut self, placement: &Placement) {
        self.change(placement, |count, nodes| *count += nodes);
    }

    fn change(&mut self, placement: &Placement, apply: impl Fn(&mut u32, u32)) {
        for (index, counts) in self.free.iter_mut().enumerate() {
            add_per_block(self.shape.block_size(index as u32 + 1), placement, |block, nodes| {
                apply(&mut counts[block as usize], nodes);
            });
        }
    }
}

/// Calls `add(block, nodes)` for the blocks of `size` leaves that `placement` touches; a block may come more than once.
pub fn add_per_block(size: u32, placement: &Placement, mut add: impl FnMut(u32, u32)) {
    for &(word, mask) in placement.words() {
        if size.is_multiple_of(WORD) {
            add(word * WORD / size, mask.count_ones());
        } else if WORD.is_multiple_of(size) {
            let block_mask = (1u64 << size) - 1;
            let mut rest = mask;
            while rest != 0 {
                let inside = rest.trailing_zeros() / size;
                let nodes = rest & (block_mask << (inside * size));
                add(word * (WORD / size) + inside, nodes.count_ones());
                rest ^= nodes;
            }
        } else {
            for bit in bits(mask) {
                add((word * WORD + bit) / size, 1);
            }
        }
    }
}

/// Of a set of nodes as bit words, the first aligned block of `width` nodes, out of `blocks`, with at least `size` members, 1 ≤ `size` ≤ `width`.
pub fn first_block_in(set: &[u64], width: u32, blocks: u32, size: u32) -> Option<u32> {
    if !lanes_can(width) {
        return (0..blocks).find(|block| count_in(set, block * width, (block + 1) * width) >= size);
    }
    // A lane's sum is at most `width`, far below half of what it can hold: this sets its highest bit where the sum is large enough.
    let each = u64::MAX / ((1 << (width - 1) << 1) - 1);
    let high = each << (width - 1);
    let short = each * ((1 << (width - 1)) - u64::from(size));
    let found = set.iter().enumerate().find_map(|(index, &word)| {
        let enough = (lane_sums(word, width) + short) & high;
        (enough != 0).then(|| index as u32 * (WORD / width) + enough.trailing_zeros() / width)
    });
    found.filter(|block| *block < blocks)
}

/// The most members that one aligned block of `width` nodes has, out of `blocks`.
pub fn largest_block_in(set: &[u64], width: u32, blocks: u32) -> u32 {
    if !lanes_can(width) {
        return (0..blocks).map(|block| count_in(set, block * width, (block + 1) * width)).max().unwrap_or(0);
    }
    let mask = (1 << (width - 1) << 1) - 1;
    let largest = |&word: &u64| {
        let sums = lane_sums(word, width);
        (0..WORD / width).map(|lane| sums >> (lane * width) & mask).max().unwrap_or(0) as u32
    };
    set.iter().map(largest).max().unwrap_or(0)
}

/// Whether blocks of this width can be counted several to a word, with room to compare.
fn lanes_can(width: u32) -> bool {
    matches!(width, 4 | 8 | 16 | 32)
}

/// The bits of each lane of `width` bits, counted.
fn lane_sums(word: u64, width: u32) -> u64 {
    let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
    let mut sums = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let mut done = 4;
    while done < width {
        // Of two neighbours the lower one is kept.
        let lower = u64::MAX / ((1 << done) + 1);
        sums = (sums & lower) + ((sums >> done) & lower);
        done *= 2;
    }
    sums
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn levels_follow_the_papers_examples() {
        let tree = Shape { arity: 4, levels: 3 };
        assert_eq!([1, 3, 4, 5, 14, 16, 17, 64].map(|size| tree.level_of(size)), [1, 1, 1, 2, 2, 2, 3, 3]);
        assert_eq!(tree.level_spanned(&Placement::of([3, 4])), 2);
        assert_eq!(tree.level_spanned(&Placement::of([15, 16])), 3);
    }

    #[test]
    fn counts_agree_with_counting_nodes_for_every_arity() {
        for (arity, levels, present) in [(4, 4, 240), (3, 5, 200), (2, 7, 128), (8, 3, 511), (5, 3, 125)] {
            let shape = Shape { arity, levels };
            let mut counts = BlockCounts::new(shape, present);
            let taken = Placement::of((0..present).filter(|node| node % 7 < 3 || *node > 100));
            counts.take(&taken);
            let busy: Vec<u32> = taken.nodes().collect();
            for level in 1..=levels {
                let size = shape.block_size(level);
                for (block, &free) in counts.at_level(level).iter().enumerate() {
                    let range = block as u32 * size..(block as u32 + 1) * size;
                    let expected = range.filter(|node| *node < present && !busy.contains(node)).count();
                    assert_eq!(free as usize, expected, "{arity}-ary level {level} block {block}");
                }
            }
            counts.give(&taken);
            assert_eq!(counts, BlockCounts::new(shape, present));
        }
    }

    #[test]
    fn first_with_finds_the_first_block() {
        let mut counts = BlockCounts::new(Shape { arity: 4, levels: 4 }, 240);
        counts.take(&Placement::of([0, 5, 9]));
        assert_eq!(counts.first_with(1, 4), Some(3));
        assert_eq!(counts.first_with(1, 3), Some(0));
        assert_eq!(counts.first_with(4, 238), None);
        assert_eq!(counts.largest(3), 64);
    }

    #[test]
    fn blocks_of_a_set_are_found_as_by_counting() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        for round in 0..400 {
            let words: Vec<u64> = (0..4)
                .map(|_| match round % 4 {
                    0 => next() & next() & next(),
                    1 => next() | next(),
                    2 if next() % 2 == 0 => u64::MAX,
                    _ => next() & next(),
                })
                .collect();
            for width in [2, 3, 4, 8, 9, 16, 27, 32, 64, 81, 128, 256] {
                let blocks = 256 / width;
                let counts: Vec<u32> =
                    (0..blocks).map(|block| count_in(&words, block * width, (block + 1) * width)).collect();
                assert_eq!(largest_block_in(&words, width, blocks), counts.iter().copied().max().unwrap());
                for size in 1..=width {
                    let slow = counts.iter().position(|count| *count >= size).map(|block| block as u32);
                    assert_eq!(
                        first_block_in(&words, width, blocks, size),
                        slow,
                        "{width} {size} {words:x?}"
                    );
                }
            }
        }
    }
}
