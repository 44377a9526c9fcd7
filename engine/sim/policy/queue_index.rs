//! The queue in arrival order, indexed so that the next job that may be backfilled is found without walking over those that
//! may not.
//!
//! A tournament tree over queue positions: each node keeps, per class of sizes, the shortest estimate and the smallest size
//! below it. Classes are powers of two: class c holds the sizes from 2^(c−1) + 1 to 2^c. A subtree is entered only if one of
//! its classes may hold an eligible job. Cost of a search: O(log n) subtrees per class, plus those entered in vain because the
//! shortest estimate and the smallest size of a class belong to different jobs.

use crate::allocator::Room;
use crate::job::JobSlot;
use crate::time::Span;

/// Jobs per leaf; they are searched one by one.
const BUCKET: usize = 16;
const GONE: u32 = u32::MAX;

/// Which jobs a search is for.
pub trait Search {
    /// Whether it is for a job of this size and estimate.
    fn admits(&self, size: u32, estimate: Span) -> bool;

    /// What jobs of the sizes from `low` to `high` must at least satisfy to be admitted; never stricter than
    /// [`admits`](Search::admits).
    fn limits(&self, low: u32, high: u32) -> Limits;
}

/// What a search may find among the sizes of one class; a job that satisfies neither line is not admitted.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest size that is admitted if its estimate is at most `window`; 0 for none.
    pub room: u32,
    /// Longest estimate for `room`.
    pub window: Span,
    /// Largest size that is admitted whatever its estimate; 0 for none.
    pub spare: u32,
}

/// Which jobs are wanted: those that fit `room` and have an estimate of at most `window`, and those that fit `spare` whatever
/// their estimate.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Sizes that can be placed now.
    pub room: Room,
    /// Time until the reservation, which jobs of `room` must not outlast.
    pub window: Span,
    /// Sizes that can be placed now without touching the reservation.
    pub spare: Room,
}

impl Search for Wanted {
    fn admits(&self, size: u32, estimate: Span) -> bool {
        (estimate <= self.window && self.room.fits(size)) || self.spare.fits(size)
    }

    fn limits(&self, low: u32, high: u32) -> Limits {
        let spare = self.spare.largest_between(low, high);
        Limits { room: self.room.largest_between(low, high), window: self.window, spare }
    }
}

#[derive(Clone, Copy, Debug)]
struct Item {
    job: JobSlot,
    /// 0: gone.
    size: u32,
    estimate: i64,
}

const NO_ITEM: Item = Item { job: JobSlot(GONE), size: 0, estimate: 0 };

/// What a subtree holds of one class of sizes.
#[derive(Clone, Copy, Debug)]
struct Best {
    estimate: i64,
    size: u32,
}

const NOTHING: Best = Best { estimate: i64::MAX, size: u32::MAX };

/// The queue; see the module.
#[derive(Debug)]
pub struct QueueIndex {
    classes: usize,
    items: Vec<Item>,
    /// Heap-ordered tree over buckets, `classes` entries per node; node 1 is the root.
    best: Vec<Best>,
    buckets: usize,
    /// Position by slot.
    positions: Vec<u32>,
    next: usize,
    head: usize,
    len: usize,
}

fn class_of(size: u32) -> usize {
    (u32::BITS - (size - 1).leading_zeros()) as usize
}

impl QueueIndex {
    /// An empty queue of jobs of at most `nodes` nodes.
    pub fn new(nodes: u32) -> QueueIndex {
        let mut index = QueueIndex {
            classes: class_of(nodes) + 1,
            items: Vec::new(),
            best: Vec::new(),
            buckets: 0,
            positions: Vec::new(),
            next: 0,
            head: 0,
            len: 0,
        };
        index.rebuild(4);
        index
    }

    /// Whether no job waits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a job behind all others.
    pub fn push(&mut self, job: JobSlot, size: u32, estimate: Span) {
        if self.next == self.items.len() {
            let needed = (2 * self.len).max(4 * BUCKET).div_ceil(BUCKET);
            self.rebuild(needed.next_power_of_two());
        }
        self.put(Item { job, size, estimate: estimate.0 });
        let class = class_of(size);
        let mut node = self.buckets + (self.next - 1) / BUCKET;
        while node >= 1 {
            let best = &mut self.best[node * self.classes + class];
            if best.estimate <= estimate.0 && best.size <= size {
                break;
            }
            best.estimate = best.estimate.min(estimate.0);
            best.size = best.size.min(size);
            node /= 2;
        }
    }

    /// Takes a job out; it must be in the queue.
    pub fn remove(&mut self, job: JobSlot) {
        let position = self.positions[job.0 as usize] as usize;
        let class = class_of(self.items[position].size);
        self.items[position] = NO_ITEM;
        self.positions[job.0 as usize] = GONE;
        self.len -= 1;
        let bucket = position / BUCKET;
        let mut node = self.buckets + bucket;
        let mut fresh = self.best_of_bucket(bucket, class);
        loop {
            let slot = node * self.classes + class;
            if self.best[slot].estimate == fresh.estimate && self.best[slot].size == fresh.size {
                break;
            }
            self.best[slot] = fresh;
            if node == 1 {
                break;
            }
            let sibling = self.best[(node ^ 1) * self.classes + class];
            fresh =
                Best { estimate: fresh.estimate.min(sibling.estimate), size: fresh.size.min(sibling.size) };
            node /= 2;
        }
        while self.head < self.next && self.items[self.head].size == 0 {
            self.head += 1;
        }
    }

    /// The first job.
    pub fn head(&self) -> Option<JobSlot> {
        (self.len > 0).then(|| self.items[self.head].job)
    }

    /// The first job at or behind position `from`.
    pub fn at_or_behind(&self, from: usize) -> Option<JobSlot> {
        self.items.get(from..self.next)?.iter().find(|item| item.size > 0).map(|item| item.job)
    }

    /// The position of the first job; a place to search from.
    pub fn head_position(&self) -> usize {
        self.head
    }

    /// The position of a job that is in the queue.
    pub fn position(&self, job: JobSlot) -> usize {
        self.positions[job.0 as usize] as usize
    }

    /// The first admitted job at or behind position `from`.
    pub fn find(&self, from: usize, search: &impl Search) -> Option<JobSlot> {
        if from >= self.next {
            return None;
        }
        let mut limits = [Limits { room: 0, window: Span::ZERO, spare: 0 }; 33];
        for (class, limit) in limits.iter_mut().enumerate().take(self.classes) {
            let (low, high) = if class == 0 { (1, 1) } else { ((1u32 << (class - 1)) + 1, bit(class)) };
            *limit = search.limits(low, high);
        }
        let limits = &limits[..self.classes];
        let first = from / BUCKET;
        if let Some(job) = self.search_bucket(first, from, search) {
            return Some(job);
        }
        // Up from the first bucket; every right sibling on the way covers buckets further back.
        let mut node = self.buckets + first;
        while node > 1 {
            if node.is_multiple_of(2)
                && let Some(job) = self.descend(node + 1, limits, search)
            {
                return Some(job);
            }
            node /= 2;
        }
        None
    }

    fn descend(&self, node: usize, limits: &[Limits], search: &impl Search) -> Option<JobSlot> {
        if !self.may_hold(node, limits) {
            return None;
        }
        if node >= self.buckets {
            return self.search_bucket(node - self.buckets, 0, search);
        }
        self.descend(2 * node, limits, search).or_else(|| self.descend(2 * node + 1, limits, search))
    }

    fn may_hold(&self, node: usize, limits: &[Limits]) -> bool {
        let best = &self.best[node * self.classes..][..self.classes];
        best.iter().zip(limits).fold(false, |any, (best, limit)| {
            any | ((best.estimate <= limit.window.0) & (best.size <= limit.room)) | (best.size <= limit.spare)
        })
    }

    fn search_bucket(&self, bucket: usize, from: usize, search: &impl Search) -> Option<JobSlot> {
        let start = (bucket * BUCKET).max(from);
        let end = ((bucket + 1) * BUCKET).min(self.next);
        let items = self.items.get(start..end)?;
        items
            .iter()
            .find(|item| item.size > 0 && search.admits(item.size, Span(item.estimate)))
            .map(|item| item.job)
    }

    fn put(&mut self, item: Item) {
        let slot = item.job.0 as usize;
        if slot >= self.positions.len() {
            self.positions.resize(slot + 1, GONE);
        }
        self.positions[slot] = self.next as u32;
        self.items[self.next] = item;
        self.next += 1;
        self.len += 1;
    }

    fn best_of_bucket(&self, bucket: usize, class: usize) -> Best {
        let mut best = NOTHING;
        for item in &self.items[bucket * BUCKET..(bucket + 1) * BUCKET] {
            if item.size > 0 && class_of(item.size) == class {
                best.estimate = best.estimate.min(item.estimate);
                best.size = best.size.min(item.size);
            }
        }
        best
    }

    /// Closes the gaps that started jobs left, with room for `buckets` buckets.
    fn rebuild(&mut self, buckets: usize) {
        let alive: Vec<Item> = self.items.iter().copied().filter(|item| item.size > 0).collect();
        self.buckets = buckets;
        self.items = vec![NO_ITEM; buckets * BUCKET];
        self.best = vec![NOTHING; 2 * buckets * self.classes];
        (self.next, self.head, self.len) = (0, 0, 0);
        for item in alive {
            self.put(item);
        }
        for bucket in 0..self.next.div_ceil(BUCKET) {
            for class in 0..self.classes {
                self.best[(buckets + bucket) * self.classes + class] = self.best_of_bucket(bucket, class);
            }
        }
        for node in (1..buckets).rev() {
            for class in 0..self.classes {
                let (left, right) = (
                    self.best[2 * node * self.classes + class],
                    self.best[(2 * node + 1) * self.classes + class],
                );
                self.best[node * self.classes + class] =
                    Best { estimate: left.estimate.min(right.estimate), size: left.size.min(right.size) };
            }
        }
    }
}

fn bit(class: usize) -> u32 {
    1u32.checked_shl(class as u32).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(queue: &[(u32, u32, i64)], from: usize, wanted: &Wanted) -> Option<u32> {
        queue
            .iter()
            .skip(from)
            .find(|(_, size, estimate)| wanted.admits(*size, Span(*estimate)))
            .map(|(job, ..)| *job)
    }

    fn rooms() -> impl Strategy<Value = Room> {
        prop_oneof![
            (0u32..70).prop_map(Room::up_to),
            (0u32..5, 0u32..17, 0u32..65).prop_map(|(a, b, c)| {
                let mut room = Room::default();
                room.push(4, a);
                room.push(16, a.max(b));
                room.push(64, a.max(b).max(c));
                room
            }),
        ]
    }

    proptest! {
        #[test]
        fn finds_what_a_walk_over_the_queue_finds(
            steps in prop::collection::vec((0u8..4, 1u32..65, 1i64..50, 0usize..200), 1..400),
            room in rooms(), spare in rooms(), window in 0i64..60,
        ) {
            let wanted = Wanted { room, window: Span(window), spare };
            let mut index = QueueIndex::new(64);
            let mut queue: Vec<(u32, u32, i64)> = Vec::new();
            let mut vacant: Vec<u32> = Vec::new();
            let mut fresh = 0;
            for (kind, size, estimate, at) in steps {
                if kind == 0 && !queue.is_empty() {
                    let (job, ..) = queue.remove(at % queue.len());
                    index.remove(JobSlot(job));
                    vacant.push(job);
                } else {
                    let job = vacant.pop().unwrap_or_else(|| { fresh += 1; fresh - 1 });
                    index.push(JobSlot(job), size, Span(estimate));
                    queue.push((job, size, estimate));
                }
                prop_assert_eq!(index.head().map(|job| job.0), queue.first().map(|(job, ..)| *job));
                if !queue.is_empty() {
                    let from = at % queue.len();
                    let position = index.position(JobSlot(queue[from].0));
                    prop_assert_eq!(index.find(position, &wanted).map(|job| job.0), naive(&queue, from, &wanted));
                }
            }
        }
    }
}
