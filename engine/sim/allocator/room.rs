//! Which sizes there is room for.

use crate::cluster::Cluster;
use crate::cluster::node_set::Placement;
use smallvec::SmallVec;

/// Which sizes an allocator could place: per class of sizes, the largest that fits. Within a class, every smaller size fits
/// too; across classes that need not be so (five nodes may fit under a second-stage switch where three fit under no first-stage one).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Room {
    /// (largest size of the class, largest size of the class that fits or 0), ascending.
    classes: SmallVec<[(u32, u32); 8]>,
}

impl Room {
    /// One class: all sizes up to `free` fit.
    pub fn up_to(free: u32) -> Room {
        Room { classes: SmallVec::from_slice(&[(u32::MAX, free)]) }
    }

    /// As many nodes as are free and not to be avoided, wherever they are.
    pub fn any(cluster: &Cluster, avoid: &Placement) -> Room {
        let free = cluster.free().words();
        let avoided: u32 =
            avoid.words().iter().map(|&(word, mask)| (free[word as usize] & mask).count_ones()).sum();
        Room::up_to(cluster.free_count() - avoided)
    }

    /// Adds the class of the sizes up to `top` (and above the class before), of which those up to `largest` fit.
    pub fn push(&mut self, top: u32, largest: u32) {
        self.classes.push((top, largest));
    }

    /// The same, without the sizes above `limit`.
    pub fn capped(&self, limit: u32) -> Room {
        Room { classes: self.classes.iter().map(|&(top, largest)| (top, largest.min(limit))).collect() }
    }

    /// Whether a job of `size` would be placed.
    pub fn fits(&self, size: u32) -> bool {
        self.classes.iter().find(|(top, _)| size <= *top).is_some_and(|(_, largest)| size <= *largest)
    }

    /// The largest size from `low` to `high` that fits, 0 for none.
    pub fn largest_between(&self, low: u32, high: u32) -> u32 {
        let mut best = 0;
        let mut bottom = 1;
        for &(top, largest) in &self.classes {
            let size = largest.min(top).min(high);
            if size >= bottom.max(low) {
                best = size;
            }
            if top >= high {
                break;
            }
            bottom = top + 1;
        }
        best
    }

    /// Whether nothing at all fits.
    pub fn is_empty(&self) -> bool {
        let mut bottom = 1;
        self.classes.iter().all(|&(top, largest)| {
            let empty = largest < bottom;
            bottom = top.saturating_add(1);
            empty
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_independent() {
        let mut room = Room::default();
        room.push(4, 2);
        room.push(16, 6);
        room.push(64, 6);
        assert_eq!(
            [1, 2, 3, 4, 5, 6, 7, 17].map(|s| room.fits(s)),
            [true, true, false, false, true, true, false, false]
        );
        assert_eq!(room.largest_between(3, 4), 0);
        assert_eq!(room.largest_between(3, 5), 5);
        assert_eq!(room.largest_between(1, 64), 6);
        assert_eq!([2, 5, 6].map(|s| room.capped(5).fits(s)), [true, true, false]);
        assert!(!room.is_empty());
        assert!(Room::up_to(0).is_empty());
        for low in 1..20 {
            for high in low..40 {
                let slow = (low..=high).rev().find(|s| room.fits(*s)).unwrap_or(0);
                assert_eq!(room.largest_between(low, high), slow, "{low}..={high}");
            }
        }
    }
}
