//! Scans over the steps that skip whole blocks by what the index says of them.

use super::{At, Count, Steps, extremes};
use crate::time::Time;

impl Steps {
    /// The first step from `at` on, itself included, with at least `count` free.
    pub(in super::super) fn first_at_least(&self, at: At, count: Count) -> Option<At> {
        let mut index = at.index;
        for block in at.block..self.slot.len() {
            if self.most[block] >= count {
                let wanted = count - self.lift[block];
                let free = &self.block(block).free()[index..];
                if let Some(offset) = free.iter().position(|&f| f >= wanted) {
                    return Some(At { block, index: index + offset });
                }
            }
            index = 0;
        }
        None
    }

    /// The first step from `at` on, itself included, with fewer than `count` free.
    pub(in super::super) fn first_below(&self, at: At, count: Count) -> Option<At> {
        let mut index = at.index;
        for block in at.block..self.slot.len() {
            if self.least[block] < count {
                let wanted = count - self.lift[block];
                let free = &self.block(block).free()[index..];
                if let Some(offset) = free.iter().position(|&f| f < wanted) {
                    return Some(At { block, index: index + offset });
                }
            }
            index = 0;
        }
        None
    }

    /// The last step from `at` on that begins before `time`; `at` itself if none does.
    pub(in super::super) fn last_before(&self, at: At, time: Time) -> At {
        let block = self.last_block(at.block, |first| first < time);
        let skip = if block == at.block { at.index } else { 0 };
        let later = self.block(block).times()[skip..].partition_point(|&t| t < time);
        At { block, index: skip + later.saturating_sub(1) }
    }

    /// The last step from `from` to `to`, both included, with fewer than `count` free.
    pub(in super::super) fn last_below(&self, from: At, to: At, count: Count) -> Option<At> {
        for block in (from.block..=to.block).rev() {
            if self.least[block] >= count {
                continue;
            }
            let wanted = count - self.lift[block];
            let start = if block == from.block { from.index } else { 0 };
            let end = if block == to.block { to.index + 1 } else { self.block(block).len };
            let free = self.block(block).free().get(start..end).unwrap_or_default();
            if let Some(offset) = free.iter().rposition(|&f| f < wanted) {
                return Some(At { block, index: start + offset });
            }
        }
        None
    }

    /// The least and the most that is free in the steps from `from` to `to`, both included.
    pub(in super::super) fn extremes(&self, from: At, to: At) -> (Count, Count) {
        let mut found = (Count::MAX, Count::MIN);
        for block in from.block..=to.block {
            let (mut least, mut most) = (self.least[block], self.most[block]);
            if block == from.block || block == to.block {
                let start = if block == from.block { from.index } else { 0 };
                let end = if block == to.block { to.index + 1 } else { self.block(block).len };
                (least, most) = extremes(self.block(block).free().get(start..end).unwrap_or_default());
                (least, most) = (least + self.lift[block], most + self.lift[block]);
            }
            found = (found.0.min(least), found.1.max(most));
        }
        found
    }
}
