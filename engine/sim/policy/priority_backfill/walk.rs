//! One pass: the holders of reservations, then the others by priority.

use super::queue::{Queue, Waiting};
use super::running::{Reserved, Running};
use super::{Holder, Settings};
use crate::kernel::Pass;
use crate::policy::{Holders, Slide};

/// A pass over the waiting jobs.
pub struct Walk<'a, 'b> {
    pub running: &'a mut Running,
    pub pass: &'a mut Pass<'b>,
    /// Reservations that are forgotten at the end of the pass.
    pub temporary: Vec<Reserved>,
}

impl Walk<'_, '_> {
    /// Those that keep their reservations: start or reserve again. Frozen ones before their time are left alone.
    pub fn holders(&mut self, settings: &Settings, holders: &mut Vec<Holder>) {
        let now = self.pass.now();
        holders.retain_mut(|holder| {
            match holder.frozen {
                Some(frozen) if frozen.from > now => return true,
                Some(frozen) => self.running.give_back(&frozen),
                None => {}
            }
            let started = self.start(&holder.waiting);
            if !started {
                holder.frozen = self.reserve(settings, &holder.waiting);
            }
            !started
        });
    }

    /// The others by priority.
    pub fn queue(&mut self, settings: &Settings, queue: &mut Queue, holders: &mut Vec<Holder>) {
        queue.rank(self.pass.now());
        let keep = settings.holders == Holders::FixedJob;
        let mut left = settings.reservations.saturating_sub(holders.len());
        let room = queue.jobs().iter().enumerate().filter(|(_, job)| self.running.has_room(job));
        let mut candidates: Vec<usize> = room.map(|(place, _)| place).collect();
        let mut gone = Vec::new();
        for (place, waiting) in queue.jobs().iter().enumerate() {
            // Reservations and starts only take away: who cannot start now will not in this pass.
            while candidates
                .last()
                .is_some_and(|&last| last < place || !self.running.can_start(&queue.jobs()[last]))
            {
                candidates.pop();
            }
            if candidates.is_empty() && !(keep && left > 0) {
                break;
            }
            if self.start(waiting) {
                gone.push(place);
            } else if left > 0 {
                left -= 1;
                let frozen = self.reserve(settings, waiting);
                if keep {
                    holders.push(Holder { waiting: *waiting, frozen });
                    gone.push(place);
                }
            }
        }
        queue.remove(&gone);
    }

    /// Forgets the reservations that are made anew in the next pass.
    pub fn end(self) {
        for reserved in &self.temporary {
            self.running.give_back(reserved);
        }
    }

    fn start(&mut self, waiting: &Waiting) -> bool {
        let Some(hosts) = self.pass.cluster().hosts() else { return false };
        let Some(host) = self.running.tightest(hosts, waiting) else { return false };
        let nodes = hosts.get(host).nodes.clone();
        let usable = self.running.usable(self.pass.cluster().free());
        let placement = usable.first_in(nodes.start, nodes.end, waiting.request.size);
        let started = placement.is_some_and(|placement| self.pass.start_on(waiting.job, placement));
        debug_assert!(started, "the profile promised room");
        if started {
            self.running.start(self.pass, waiting.job, host, waiting.need);
        }
        started
    }

    /// Reserves for a job; the reservation is returned where it stays as it is.
    fn reserve(&mut self, settings: &Settings, waiting: &Waiting) -> Option<Reserved> {
        let reserved = self.running.reserve(waiting)?;
        match settings.slide {
            Slide::NonSliding => {
                self.pass.wake_at(reserved.from);
                Some(reserved)
            }
            Slide::Sliding => {
                self.temporary.push(reserved);
                None
            }
        }
    }
}
