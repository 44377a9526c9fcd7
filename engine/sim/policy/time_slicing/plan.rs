//! The plan of one class: how many nodes are free when, on an axis of that class's own time, from now (0) on.

use super::super::SliceBackfill;
use crate::cluster::profile::CountProfile;
use crate::time::{Span, Time};

pub(super) struct Plan {
    profile: CountProfile,
    backfill: SliceBackfill,
    /// Whether the one job that EASY protects has its reservation.
    protected: bool,
}

impl Plan {
    pub fn new(nodes: u32, backfill: SliceBackfill) -> Plan {
        Plan { profile: CountProfile::new(nodes, Time::ZERO), backfill, protected: false }
    }

    /// Nothing is held.
    pub fn reset(&mut self) {
        self.profile.reset(Time::ZERO);
        self.protected = false;
    }

    /// Holds nodes from now on for so long.
    pub fn hold(&mut self, length: Span, size: u32) {
        // Jobs beyond their estimates may share nodes with others of their class, so more can be held than there is.
        self.profile.overcommit(Time::ZERO, Time(length.0), size);
    }

    /// Whether so many nodes are free from now on for so long.
    pub fn fits(&self, length: Span, size: u32) -> bool {
        self.profile.fits(Time::ZERO, Time(length.0), size)
    }

    /// Reserves for a job that cannot start, at its earliest hole; nothing if such a job is not protected.
    pub fn reserve(&mut self, length: Span, size: u32) {
        if self.backfill == SliceBackfill::ProtectFirst && self.protected {
            return;
        }
        self.protected = true;
        let at = self.profile.earliest(Time::ZERO, length, size);
        if at < Time::NEVER {
            self.profile.overcommit(at, at.saturating_add(length), size);
        }
    }
}
