//! The plan of one class: how many nodes are free when, on an axis of that class's own time, from now (0) on.

use super::super::SliceBackfill;
use crate::cluster::profile::CountProfile;
use crate::time::{Span, Time};

pub(super) struct Plan {
    profile: CountProfile,
    backfill: SliceBackfill,
    /// Whether the one job that EASY protects has its reservation.
    protected: bool,
    /// From when on the least number that has been free since now is smaller than before, and that number. One asks for each
    /// waiting job what fits now, and there are few such falls until nothing is left.
    falls: Vec<(Time, i64)>,
    /// Reservations by size and length, and when they begin. What is held is never given back before a reset, so a job that is no
    /// smaller and no shorter begins no earlier, and its search begins there. None of them says what another one says too.
    begins: Vec<(u32, Span, Time)>,
}

/// So many reservations are remembered: asking each of them must cost less than a search.
const REMEMBERED: usize = 32;

impl Plan {
    pub fn new(nodes: u32, backfill: SliceBackfill) -> Plan {
        Plan {
            profile: CountProfile::new(nodes, Time::ZERO),
            backfill,
            protected: false,
            falls: Vec::new(),
            begins: Vec::new(),
        }
    }

    /// Nothing is held.
    pub fn reset(&mut self) {
        self.profile.reset(Time::ZERO);
        self.protected = false;
        self.begins.clear();
    }

    /// Holds nodes from now on for so long.
    pub fn hold(&mut self, length: Span, size: u32) {
        // Jobs beyond their estimates may share nodes with others of their class, so more can be held than there is.
        self.profile.overcommit(Time::ZERO, Time(length.0), size);
    }

    /// Looks at what is held; to be called before [`fits`](Plan::fits) after each change. Says whether an answer may differ
    /// from those before.
    pub fn look(&mut self) -> bool {
        let mut changed = false;
        let mut count = 0;
        let mut fall = Some((Time::ZERO, self.profile.available_at(Time::ZERO)));
        while let Some((from, free)) = fall {
            if self.falls.get(count) != Some(&(from, free)) {
                self.falls.truncate(count);
                self.falls.push((from, free));
                changed = true;
            }
            count += 1;
            let next = u32::try_from(free).ok().map(|free| self.profile.drops_below(from, free));
            fall = next.filter(|at| *at < Time::NEVER).map(|at| (at, self.profile.available_at(at)));
        }
        changed |= self.falls.len() > count;
        self.falls.truncate(count);
        changed
    }

    /// Whether so many nodes are free from now on for so long.
    pub fn fits(&self, length: Span, size: u32) -> bool {
        let least = self.falls.iter().take_while(|(from, _)| from.0 < length.0).last();
        let fits = least.is_none_or(|(_, free)| *free >= i64::from(size));
        debug_assert_eq!(fits, self.profile.fits(Time::ZERO, Time(length.0), size), "after a change unseen");
        fits
    }

    /// Reserves for a job that cannot start, at its earliest hole; nothing if such a job is not protected.
    pub fn reserve(&mut self, length: Span, size: u32) {
        if self.backfill == SliceBackfill::ProtectFirst && self.protected {
            return;
        }
        self.protected = true;
        let from =
            self.begins.iter().filter(|(s, l, _)| *s <= size && *l <= length).map(|(_, _, at)| *at).max();
        let at = self.profile.earliest(from.unwrap_or(Time::ZERO), length, size);
        debug_assert_eq!(at, self.profile.earliest(Time::ZERO, length, size), "a hole before another's");
        if at < Time::NEVER {
            self.profile.overcommit(at, at.saturating_add(length), size);
            self.begins.retain(|(s, l, other)| *s < size || *l < length || *other > at);
            if self.begins.len() < REMEMBERED {
                self.begins.push((size, length, at));
            }
        }
    }
}
