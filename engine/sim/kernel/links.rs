//! Jobs of a mini-grid that lie in several clusters: how fast they run. Source: Jones et al. 2004, "Residual Execution Time".
//!
//! A job on contended links gets its rate after the pass, when all who started or ended in it are known; its finish is moved only if that is not the full rate. A change of its fraction leaves the
//! completed share of its work as it is: both residual times have shrunk in proportion, and the one of communication is stretched anew.

use super::pass::{Pass, Transition};
use crate::cluster::communication::{slowed, stretch};
use crate::job::{JobSlot, Rate};

impl Pass<'_> {
    /// The rate of a job that is to run from now on at `rate`, were it all in one cluster. What contended links make of it is known after the pass.
    pub(super) fn connect(&mut self, job: JobSlot, rate: Rate) -> Rate {
        let entry = self.jobs.get(job);
        let Some(grid) = self.cluster.mini_grid_mut().filter(|_| entry.spans > 1) else { return rate };
        let communication = entry.request.communication;
        if grid.network().is_some() {
            let parts = grid.parts(&entry.placement);
            if let Some(network) = grid.network_mut() {
                network.join(job, entry.request.arrival, &parts, communication);
            }
            return rate;
        }
        if grid.slows_split_jobs() { grid.fixed_rate(communication) } else { rate }
    }

    /// Takes a job off its links that is taken off its nodes.
    pub(super) fn disconnect(&mut self, job: JobSlot) {
        self.cluster.disconnect(job, self.jobs.get(job).spans);
    }

    /// Whether the kernel decides the rate of a job, since it lies in several clusters.
    pub(super) fn is_slowed(&self, job: JobSlot) -> bool {
        self.jobs.get(job).spans > 1 && self.cluster.mini_grid().is_some_and(|grid| grid.slows_split_jobs())
    }

    /// Shares the links out among those who are on them after the pass, and moves the finishes that this moves.
    pub(super) fn share_links(&mut self) {
        let Some(network) = self.cluster.mini_grid_mut().and_then(|grid| grid.network_mut()) else { return };
        let moved: smallvec::SmallVec<[_; 16]> = network.allot().iter().copied().collect();
        let now = self.now;
        for allotted in moved {
            let entry = self.jobs.get_mut(allotted.job);
            let rate = slowed(stretch(entry.request.communication.share, allotted.fraction));
            if rate != entry.rate() {
                entry.settle(now);
                entry.progress_from(now, rate);
                self.schedule_end(allotted.job);
                if !allotted.joined {
                    self.transitions.push(Transition::RateChanged(allotted.job));
                }
            }
        }
    }
}
