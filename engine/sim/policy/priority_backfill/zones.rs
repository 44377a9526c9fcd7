//! Sets of hosts.

use std::ops::{BitAnd, BitOr, BitOrAssign};

/// A set of hosts, in which hosts whose places in the table differ by a multiple of 64 are one: both are in it or neither is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zones(u64);

impl Zones {
    /// No host.
    pub const NONE: Zones = Zones(0);
    /// Every host.
    pub const ALL: Zones = Zones(u64::MAX);

    /// The smallest set with this host.
    pub fn of(host: usize) -> Zones {
        Zones(1 << (host % 64))
    }

    /// Whether the host is in it.
    pub fn has(self, host: usize) -> bool {
        self.0 & Zones::of(host).0 != 0
    }

    /// The hosts in it of a table of so many, ascending.
    pub fn hosts(self, count: usize) -> impl Iterator<Item = usize> {
        let (mut first, mut left) = (0, self.0);
        std::iter::from_fn(move || {
            while left == 0 {
                first += 64;
                if first >= count {
                    return None;
                }
                left = self.0;
            }
            let host = first + left.trailing_zeros() as usize;
            left &= left - 1;
            (host < count).then_some(host)
        })
    }

    /// Whether no host is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those of these that are not in the other.
    pub fn without(self, other: Zones) -> Zones {
        Zones(self.0 & !other.0)
    }
}

impl BitOr for Zones {
    type Output = Zones;

    fn bitor(self, other: Zones) -> Zones {
        Zones(self.0 | other.0)
    }
}

impl BitOrAssign for Zones {
    fn bitor_assign(&mut self, other: Zones) {
        self.0 |= other.0;
    }
}

impl BitAnd for Zones {
    type Output = Zones;

    fn bitand(self, other: Zones) -> Zones {
        Zones(self.0 & other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_64_apart_are_one() {
        let zones = Zones::of(3) | Zones::of(70);
        assert_eq!((0..80).filter(|host| zones.has(*host)).collect::<Vec<_>>(), [3, 6, 67, 70]);
        assert_eq!(zones.hosts(70).collect::<Vec<_>>(), [3, 6, 67]);
        assert_eq!(zones.hosts(6).collect::<Vec<_>>(), [3]);
        assert!(zones.without(Zones::ALL).is_empty() && !zones.without(Zones::of(6)).is_empty());
    }
}
