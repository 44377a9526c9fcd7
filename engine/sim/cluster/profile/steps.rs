//! The storage of [`CountProfile`](super::CountProfile): steps in time order, in blocks of bounded size.
//!
//! A step says how many nodes are free from its time to the time of the next step; the last step lasts for ever. An index
//! beside the blocks keeps, per block, its first time and the least and most free of its steps, in one array per property
//! so that a scan over blocks stays in cache. Adding to a range touches the steps of the two boundary blocks only; blocks
//! in between are lifted as a whole.
//!
//! Cost: with n steps and blocks of b, finding a time O(log n), adding to a range O(b + n/b), a scan O(b + n/b) per run.

mod search;

use crate::time::Time;

/// Steps per block. Measured from 16 to 128 on profiles of some hundred to some ten thousand steps, it hardly matters.
const CAPACITY: usize = 64;
/// A block below this size is fused with a neighbour if the two fit in [`ROOMY`].
const SPARSE: usize = CAPACITY / 4;
/// The most steps a fused block may have, so that the next insertions do not split it again.
const ROOMY: usize = CAPACITY / 4 * 3;
/// So many blocks are searched one by one before the rest is halved: most ends lie near their beginnings.
const NEAR: usize = 8;

/// Free nodes; signed because a caller may commit more than there is.
pub(super) type Count = i64;

#[derive(Clone, Debug)]
struct Block {
    len: usize,
    times: [Time; CAPACITY],
    /// Without the block's lift.
    free: [Count; CAPACITY],
}

impl Block {
    fn empty() -> Block {
        Block { len: 0, times: [Time::ZERO; CAPACITY], free: [0; CAPACITY] }
    }

    fn times(&self) -> &[Time] {
        &self.times[..self.len]
    }

    fn free(&self) -> &[Count] {
        &self.free[..self.len]
    }

    fn insert(&mut self, index: usize, time: Time, free: Count) {
        self.times.copy_within(index..self.len, index + 1);
        self.free.copy_within(index..self.len, index + 1);
        self.times[index] = time;
        self.free[index] = free;
        self.len += 1;
    }

    fn remove(&mut self, from: usize, to: usize) {
        self.times.copy_within(to..self.len, from);
        self.free.copy_within(to..self.len, from);
        self.len -= to - from;
    }
}

/// The position of a step; valid until the next change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    block: usize,
    index: usize,
}

/// A non-empty sequence of steps with strictly rising times, neighbours differing in what is free.
#[derive(Debug)]
pub(super) struct Steps {
    // One element per block, in time order.
    first: Vec<Time>,
    lift: Vec<Count>,
    least: Vec<Count>,
    most: Vec<Count>,
    slot: Vec<u32>,
    // Blocks by slot.
    blocks: Vec<Block>,
    vacant: Vec<u32>,
}

impl Clone for Steps {
    fn clone(&self) -> Steps {
        Steps {
            first: self.first.clone(),
            lift: self.lift.clone(),
            least: self.least.clone(),
            most: self.most.clone(),
            slot: self.slot.clone(),
            blocks: self.blocks.clone(),
            vacant: self.vacant.clone(),
        }
    }

    /// Keeps the memory of `self`: policies copy a base profile at every pass.
    fn clone_from(&mut self, source: &Steps) {
        self.first.clone_from(&source.first);
        self.lift.clone_from(&source.lift);
        self.least.clone_from(&source.least);
        self.most.clone_from(&source.most);
        self.slot.clone_from(&source.slot);
        self.blocks.clone_from(&source.blocks);
        self.vacant.clone_from(&source.vacant);
    }
}

impl Steps {
    /// One step: `free` from `start` for ever.
    pub(super) fn new(start: Time, free: Count) -> Steps {
        let mut steps = Steps {
            first: Vec::new(),
            lift: Vec::new(),
            least: Vec::new(),
            most: Vec::new(),
            slot: Vec::new(),
            blocks: Vec::new(),
            vacant: Vec::new(),
        };
        steps.reset(start, free);
        steps
    }

    /// Back to one step, keeping the memory.
    pub(super) fn reset(&mut self, start: Time, free: Count) {
        self.vacant.append(&mut self.slot);
        self.first.clear();
        self.lift.clear();
        self.least.clear();
        self.most.clear();
        self.open_block(0);
        let block = &mut self.blocks[self.slot[0] as usize];
        block.insert(0, start, free);
        self.refresh(0);
    }

    /// The time of the first step.
    pub(super) fn start(&self) -> Time {
        self.first[0]
    }

    /// The number of steps.
    pub(super) fn len(&self) -> usize {
        (0..self.slot.len()).map(|b| self.block(b).len).sum()
    }

    fn block(&self, block: usize) -> &Block {
        &self.blocks[self.slot[block] as usize]
    }

    fn block_mut(&mut self, block: usize) -> &mut Block {
        &mut self.blocks[self.slot[block] as usize]
    }

    /// When the step begins.
    pub(super) fn time(&self, at: At) -> Time {
        self.block(at.block).times[at.index]
    }

    /// What is free during the step.
    pub(super) fn free(&self, at: At) -> Count {
        self.block(at.block).free[at.index] + self.lift[at.block]
    }

    /// The step in force at `time`; the first one if `time` lies before it.
    pub(super) fn locate(&self, time: Time) -> At {
        if time <= self.first[0] {
            return At { block: 0, index: 0 };
        }
        let block = self.first.partition_point(|&first| first <= time).saturating_sub(1);
        let index = self.block(block).times().partition_point(|&t| t <= time).saturating_sub(1);
        At { block, index }
    }

    /// The step in force at `time`, which does not lie before the step at `from`; quick if it is near.
    fn locate_behind(&self, from: At, time: Time) -> At {
        let block = self.last_block(from.block, |first| first <= time);
        let skip = if block == from.block { from.index } else { 0 };
        let begun = self.block(block).times()[skip..].partition_point(|&t| t <= time);
        At { block, index: skip + begun.saturating_sub(1) }
    }

    /// The last block from `block` on whose first step has begun, as `begun` tells; `block` itself if no later one has.
    fn last_block(&self, block: usize, begun: impl Fn(Time) -> bool) -> usize {
        let later = &self.first[block + 1..];
        let (near, far) = later.split_at(later.len().min(NEAR));
        match near.iter().position(|&first| !begun(first)) {
            Some(count) => block + count,
            None => block + near.len() + far.partition_point(|&first| begun(first)),
        }
    }

    /// The step after `at`.
    pub(super) fn next(&self, at: At) -> Option<At> {
        if at.index + 1 < self.block(at.block).len {
            return Some(At { block: at.block, index: at.index + 1 });
        }
        (at.block + 1 < self.slot.len()).then_some(At { block: at.block + 1, index: 0 })
    }

    /// The step before `at`.
    pub(super) fn previous(&self, at: At) -> Option<At> {
        if at.index > 0 {
            return Some(At { block: at.block, index: at.index - 1 });
        }
        let block = at.block.checked_sub(1)?;
        Some(At { block, index: self.block(block).len - 1 })
    }

    /// All steps in time order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Time, Count)> + '_ {
        (0..self.slot.len()).flat_map(move |b| {
            let (block, lift) = (self.block(b), self.lift[b]);
            block.times().iter().zip(block.free()).map(move |(&time, &free)| (time, free + lift))
        })
    }

    /// Adds `delta`, not zero, to what is free over [from, to); `to` may be [`Time::NEVER`]. `from` lies in the profile.
    pub(super) fn add(&mut self, from: Time, to: Time, delta: Count) {
        let mut start = self.cut(self.locate(from), from);
        let mut end = At { block: self.slot.len(), index: 0 };
        if to != Time::NEVER {
            end = self.cut(self.locate_behind(start, to), to);
            let stayed = self.block(start.block).len;
            if start.index >= stayed {
                start = At { block: start.block + 1, index: start.index - stayed };
            }
        }
        self.add_between(start, end, delta);
        // The later one first, so that the position of the earlier one stays valid.
        for at in [end, start] {
            self.merge(at);
        }
        for at in [end, start] {
            self.fuse_if_sparse(at.block);
        }
    }

    /// Forgets everything before `time`, which must not lie before the first step.
    pub(super) fn forget_before(&mut self, time: Time) {
        let At { block, index } = self.locate(time);
        if block > 0 {
            self.vacant.extend(self.slot.drain(..block));
            self.first.drain(..block);
            self.lift.drain(..block);
            self.least.drain(..block);
            self.most.drain(..block);
        }
        let front = self.block_mut(0);
        if index > 0 {
            front.remove(0, index);
        }
        front.times[0] = time;
        self.first[0] = time;
        if index > 0 {
            self.refresh(0);
        }
    }

    /// Makes `time`, at which the step at `at` is in force, the beginning of a step.
    fn cut(&mut self, mut at: At, time: Time) -> At {
        if self.time(at) == time {
            return at;
        }
        if self.block(at.block).len == CAPACITY {
            self.split(at.block);
            if at.index >= CAPACITY / 2 {
                at = At { block: at.block + 1, index: at.index - CAPACITY / 2 };
            }
        }
        let block = self.block_mut(at.block);
        // The new step repeats its predecessor, so the block's extremes stay as they are.
        block.insert(at.index + 1, time, block.free[at.index]);
        At { block: at.block, index: at.index + 1 }
    }

    /// Adds `delta` to the steps from `start` to before `end`.
    fn add_between(&mut self, start: At, end: At, delta: Count) {
        if start.block == end.block {
            self.add_within(start.block, start.index, end.index, delta);
            return;
        }
        self.add_within(start.block, start.index, self.block(start.block).len, delta);
        let whole = start.block + 1..end.block;
        for column in [&mut self.lift, &mut self.least, &mut self.most] {
            for value in &mut column[whole.clone()] {
                *value += delta;
            }
        }
        if end.index > 0 {
            self.add_within(end.block, 0, end.index, delta);
        }
    }

    fn add_within(&mut self, block: usize, start: usize, end: usize, delta: Count) {
        for free in &mut self.block_mut(block).free[start..end] {
            *free += delta;
        }
        self.refresh_extremes(block);
    }

    /// Removes the step at `at`, if there is one, when it repeats its predecessor.
    fn merge(&mut self, at: At) {
        if at.block == self.slot.len() {
            return;
        }
        let Some(previous) = self.previous(at) else { return };
        if self.free(at) != self.free(previous) {
            return;
        }
        let block = self.block_mut(at.block);
        block.remove(at.index, at.index + 1);
        if block.len == 0 {
            self.close_block(at.block);
        } else if at.index == 0 {
            self.refresh(at.block);
        }
    }

    /// Fuses a sparse block with its successor, or else its predecessor, if the two fit in one.
    fn fuse_if_sparse(&mut self, block: usize) {
        if block >= self.slot.len() || self.block(block).len >= SPARSE {
            return;
        }
        let fits = |left: usize| {
            left + 1 < self.slot.len() && self.block(left).len + self.block(left + 1).len <= ROOMY
        };
        if fits(block) {
            self.fuse(block);
        } else if block > 0 && fits(block - 1) {
            self.fuse(block - 1);
        }
    }

    /// Appends the block behind `left` to it.
    fn fuse(&mut self, left: usize) {
        let change = self.lift[left + 1] - self.lift[left];
        let pair = [self.slot[left] as usize, self.slot[left + 1] as usize];
        let Ok([target, source]) = self.blocks.get_disjoint_mut(pair) else { return };
        for (&time, &free) in source.times().iter().zip(source.free()) {
            target.insert(target.len, time, free + change);
        }
        self.close_block(left + 1);
        self.refresh_extremes(left);
    }

    /// Moves the upper half of a full block to a new one behind it.
    fn split(&mut self, block: usize) {
        let half = CAPACITY / 2;
        self.open_block(block + 1);
        let pair = [self.slot[block] as usize, self.slot[block + 1] as usize];
        let Ok([lower, upper]) = self.blocks.get_disjoint_mut(pair) else { return };
        upper.times[..CAPACITY - half].copy_from_slice(&lower.times[half..]);
        upper.free[..CAPACITY - half].copy_from_slice(&lower.free[half..]);
        upper.len = CAPACITY - half;
        lower.len = half;
        self.lift[block + 1] = self.lift[block];
        self.refresh_extremes(block);
        self.refresh(block + 1);
    }

    /// Puts an empty block at position `block` of the index.
    fn open_block(&mut self, block: usize) {
        let slot = self.vacant.pop().unwrap_or_else(|| {
            self.blocks.push(Block::empty());
            (self.blocks.len() - 1) as u32
        });
        self.blocks[slot as usize].len = 0;
        self.slot.insert(block, slot);
        self.first.insert(block, Time::ZERO);
        self.lift.insert(block, 0);
        self.least.insert(block, 0);
        self.most.insert(block, 0);
    }

    fn close_block(&mut self, block: usize) {
        self.vacant.push(self.slot.remove(block));
        self.first.remove(block);
        self.lift.remove(block);
        self.least.remove(block);
        self.most.remove(block);
    }

    /// Brings the index of a non-empty block up to date.
    fn refresh(&mut self, block: usize) {
        self.first[block] = self.block(block).times[0];
        self.refresh_extremes(block);
    }

    fn refresh_extremes(&mut self, block: usize) {
        let (least, most) = extremes(self.block(block).free());
        self.least[block] = least + self.lift[block];
        self.most[block] = most + self.lift[block];
    }
}

fn extremes(free: &[Count]) -> (Count, Count) {
    free.iter().fold((Count::MAX, Count::MIN), |(least, most), &f| (least.min(f), most.max(f)))
}

#[cfg(test)]
impl Steps {
    /// Everything that the index says about the blocks, and the order of the steps.
    pub(super) fn check(&self) {
        assert_eq!(self.slot.len() + self.vacant.len(), self.blocks.len());
        for block in 0..self.slot.len() {
            let steps = self.block(block);
            assert!((1..=CAPACITY).contains(&steps.len));
            let (least, most) = extremes(steps.free());
            let lift = self.lift[block];
            assert_eq!(
                (self.first[block], self.least[block], self.most[block]),
                (steps.times[0], least + lift, most + lift)
            );
        }
        let all: Vec<(Time, Count)> = self.iter().collect();
        assert!(all.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1));
        assert_eq!(all.len(), self.len());
    }

    /// The number of blocks.
    pub(super) fn block_count(&self) -> usize {
        self.slot.len()
    }
}
