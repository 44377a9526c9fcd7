//! Waiting jobs by size: the earliest, or the largest, of those up to a size.

use crate::job::JobSlot;

/// Lists of jobs of equal size in order of arrival. A tree over the sizes has the first arrival below each of its nodes.
#[derive(Default)]
pub(super) struct BySize {
    /// First and last slot of each size, [`NONE`] where no job has it.
    lines: Vec<(u32, u32)>,
    /// A binary tree: node k has the children 2k and 2k + 1, the leaves are the second half. [`NEVER`] where there is no job.
    tree: Vec<u64>,
    /// Which sizes there are, a bit each.
    present: Vec<u64>,
    /// By slot: the next job of the same size, and the job's own arrival.
    next: Vec<(u32, u64)>,
}

const NONE: u32 = u32::MAX;
const NEVER: u64 = u64::MAX;

impl BySize {
    /// Whether no job waits.
    pub fn is_empty(&self) -> bool {
        self.tree.get(1).is_none_or(|first| *first == NEVER)
    }

    /// Adds a job that arrived after all others.
    pub fn add(&mut self, size: u32, arrival: u64, job: JobSlot) {
        self.make_room(size as usize);
        let slot = job.0 as usize;
        if self.next.len() <= slot {
            self.next.resize(slot + 1, (NONE, NEVER));
        }
        self.next[slot] = (NONE, arrival);
        let (first, last) = &mut self.lines[size as usize];
        let before = std::mem::replace(last, job.0);
        if before == NONE {
            *first = job.0;
            self.present[size as usize / 64] |= 1 << (size % 64);
            self.set(size as usize, arrival);
        } else {
            self.next[before as usize].0 = job.0;
        }
    }

    /// Size and arrival of the job that arrived first among those of at most `limit`.
    pub fn earliest(&self, limit: u32) -> Option<(u32, u64)> {
        if self.is_empty() {
            return None;
        }
        let leaves = self.lines.len();
        let last = (limit as usize).min(leaves - 1);
        // From the leaf of the limit upwards: whatever hangs to the left of the way.
        let mut at = leaves + last;
        let (mut earliest, mut found) = (self.tree[at], at);
        while at > 1 {
            if at % 2 == 1 && self.tree[at - 1] < earliest {
                (earliest, found) = (self.tree[at - 1], at - 1);
            }
            at /= 2;
        }
        if earliest == NEVER {
            return None;
        }
        while found < leaves {
            found = 2 * found + usize::from(self.tree[2 * found] != earliest);
        }
        Some(((found - leaves) as u32, earliest))
    }

    /// Size and arrival of the largest job of at most `limit`; ties: the first to have arrived.
    pub fn largest(&self, limit: u32) -> Option<(u32, u64)> {
        let last = self.lines.len().checked_sub(1)?.min(limit as usize);
        let up_to = u64::MAX >> (63 - last % 64);
        let words = self.present[..=last / 64].iter().enumerate().rev();
        let mut masked =
            words.map(|(word, bits)| (word, if word == last / 64 { bits & up_to } else { *bits }));
        let (word, bits) = masked.find(|(_, bits)| *bits != 0)?;
        let size = word * 64 + 63 - bits.leading_zeros() as usize;
        Some((size as u32, self.tree[self.lines.len() + size]))
    }

    /// Takes out the first job of a size.
    pub fn take(&mut self, size: u32) -> Option<JobSlot> {
        let size = size as usize;
        let (first, _) = self.lines[size];
        let next = self.next.get(first as usize)?.0;
        if next == NONE {
            self.lines[size] = (NONE, NONE);
            self.present[size / 64] &= !(1 << (size % 64));
            self.set(size, NEVER);
        } else {
            self.lines[size].0 = next;
            self.set(size, self.next[next as usize].1);
        }
        Some(JobSlot(first))
    }

    /// The first arrival of a size is another.
    fn set(&mut self, size: usize, arrival: u64) {
        let mut at = self.lines.len() + size;
        self.tree[at] = arrival;
        while at > 1 {
            at /= 2;
            let first = self.tree[2 * at].min(self.tree[2 * at + 1]);
            if std::mem::replace(&mut self.tree[at], first) == first {
                return;
            }
        }
    }

    /// Grows to hold jobs of a size.
    fn make_room(&mut self, size: usize) {
        if size < self.lines.len() {
            return;
        }
        let leaves = (size + 1).next_power_of_two().max(64);
        self.lines.resize(leaves, (NONE, NONE));
        self.present.resize(leaves / 64, 0);
        self.tree = vec![NEVER; 2 * leaves];
        for size in 0..leaves {
            if let Some((_, arrival)) = self.next.get(self.lines[size].0 as usize) {
                self.tree[leaves + size] = *arrival;
            }
        }
        for at in (1..leaves).rev() {
            self.tree[at] = self.tree[2 * at].min(self.tree[2 * at + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a list that is walked. Slots are used again, as in the kernel.
        #[test]
        fn it_finds_what_a_walk_finds(acts in prop::collection::vec((0u8..4, 1u32..200), 1..200)) {
            let (mut index, mut list, mut vacant) = (BySize::default(), Vec::<(u32, JobSlot)>::new(), vec![]);
            for (arrival, (act, number)) in (0u64..).zip(acts) {
                let fits = list.iter().enumerate().filter(|(_, (size, _))| *size <= number);
                let (taken, expected) = match act {
                    0 | 1 => {
                        let job = vacant.pop().unwrap_or(JobSlot((list.len() + vacant.len()) as u32));
                        index.add(number, arrival, job);
                        list.push((number, job));
                        continue;
                    }
                    2 => (index.earliest(number), fits.map(|(at, _)| at).next()),
                    _ => {
                        let best = fits.max_by_key(|(at, (size, _))| (*size, std::cmp::Reverse(*at)));
                        (index.largest(number), best.map(|(at, _)| at))
                    }
                };
                let taken = taken.and_then(|(size, _)| index.take(size));
                let expected = expected.map(|at| list.remove(at).1);
                prop_assert_eq!(taken, expected);
                prop_assert_eq!(index.is_empty(), list.is_empty());
                vacant.extend(taken);
            }
        }
    }
}
