//! Jobs whose processors change while they run. Source: Chiang 2001, §3.2.3.
//!
//! A job on a host may run on fewer processors than it asks for, and their number may change at any pass. Slowdown is linear: it progresses at its
//! rate times the processors it has over those it asks for, and no work is lost or won by a change. Without processors it still is a running job,
//! which keeps its memory on its host and makes no progress. Its expected end does not move.

use super::pass::{NOT_WAITING, Pass, Transition};
use crate::job::JobSlot;
use crate::kernel::Phase;

impl Pass<'_> {
    /// Starts a waiting job on the lowest-numbered free processors of a host, so many of those it asks for, or none at all; false, and nothing
    /// done, if there is no such host or it lacks processors or memory. Illegal for more than it asks for, and on a machine without hosts.
    pub fn start_partly(&mut self, job: JobSlot, host: usize, processors: u32) -> bool {
        if self.phase(job) != Phase::Waiting {
            return self.illegal(job, NOT_WAITING);
        }
        let request = *self.request(job);
        if processors > request.size {
            return self.illegal(job, "it cannot start on more processors than it asks for");
        }
        let Some(hosts) = self.cluster.hosts() else {
            return self.illegal(job, "it can start on fewer nodes than it asks for only on a host");
        };
        let there = (host < hosts.len()).then(|| hosts.get(host));
        let Some(there) = there.filter(|there| there.fits(processors, request.memory_kb)) else {
            return false;
        };
        let nodes = there.nodes.clone();
        let Some(placement) = self.cluster.free().first_in(nodes.start, nodes.end, processors) else {
            return false;
        };
        self.cluster.occupy(&placement);
        self.put(job, Some(host), placement, request.memory_kb);
        true
    }

    /// Gives a running job another number of processors of its host: it loses those with the highest numbers, or gets the free ones with the lowest
    /// numbers; false, and nothing done, if too few are free. Illegal for more than it asks for, and on a machine without hosts.
    pub fn resize(&mut self, job: JobSlot, processors: u32) -> bool {
        let entry = self.jobs.get(job);
        if entry.phase != Phase::Running {
            return self.illegal(job, "its processors cannot change, for it does not run");
        }
        if processors > entry.request.size {
            return self.illegal(job, "it cannot have more processors than it asks for");
        }
        let (Some(host), Some(hosts)) = (entry.host, self.cluster.hosts()) else {
            return self.illegal(job, "its nodes can change only on a host");
        };
        let before = entry.placement.len();
        let placement = if processors <= before {
            let (kept, given_up) = entry.placement.split(processors);
            self.cluster.vacate(&given_up);
            kept
        } else {
            let nodes = &hosts.get(host).nodes;
            let more = self.cluster.free().first_in(nodes.start, nodes.end, processors - before);
            let Some(more) = more else { return false };
            let all = entry.placement.union(&more);
            self.cluster.occupy(&more);
            all
        };
        if processors != before {
            let now = self.now;
            let entry = self.jobs.get_mut(job);
            entry.placement = placement;
            entry.settle(now);
            entry.set_share(processors);
            self.schedule_end(job);
            self.transitions.push(Transition::Resized(job));
        }
        true
    }
}
