//! Jobs whose number of nodes is chosen when they start. Source: Sabin, Lang and Sadayappan 2006, §3.2.
//!
//! A moldable job has a [`Speedup`](crate::Speedup). It may start on any number of nodes, which it keeps until it ends; its run time and its
//! estimate are then those on so many nodes. Started by any other verb it runs on the nodes it asks for, like a rigid one.

use super::pass::{NOT_WAITING, Pass};
use crate::cluster::node_set::Placement;
use crate::job::JobSlot;
use crate::kernel::Phase;

impl Pass<'_> {
    /// Starts a waiting job on `n` nodes where the allocator places them; false, and nothing done, if there is no room. Illegal for a rigid job
    /// unless it asks for so many, for no nodes or more than there are, and on a machine of hosts.
    pub fn start_sized(&mut self, job: JobSlot, n: u32) -> bool {
        self.start_sized_avoiding(job, n, &Placement::empty())
    }

    /// As [`start_sized`](Pass::start_sized), on none of the nodes in `avoid`.
    pub fn start_sized_avoiding(&mut self, job: JobSlot, n: u32, avoid: &Placement) -> bool {
        let request = *self.request(job);
        if n == request.size {
            return self.start_avoiding(job, avoid);
        }
        if self.phase(job) != Phase::Waiting {
            return self.illegal(job, NOT_WAITING);
        }
        if request.speedup.is_none() {
            return self.illegal(
                job,
                "it cannot start on another number of nodes than it asks for, for it is rigid",
            );
        }
        if n == 0 || n > self.cluster.nodes() {
            return self.illegal(job, "it cannot start on no nodes, or on more than there are");
        }
        if self.cluster.hosts().is_some() {
            return self.illegal(job, "its size cannot be chosen on a machine of hosts");
        }
        match self.find_place(job, n, avoid) {
            Some(placement) => {
                self.jobs.get_mut(job).mold(n);
                self.start_with(job, placement, request.memory_kb)
            }
            None => false,
        }
    }
}
