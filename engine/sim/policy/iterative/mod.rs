//! Sizes of moldable jobs by iterative search.
//!
//! Decides: in every pass, size and start of every waiting job. All begin on one node, in a conservative schedule in arrival order beside the
//! running jobs' expected ends; then the unmarked job that gains most run time by one more node gets it, if the sum of the expected turnaround times
//! falls, else it is marked; until no unmarked job gains. Jobs whose planned start is now start on their planned sizes. Nothing is remembered.
//! Source: Sabin, Lang & Sadayappan 2006, §6.1 and Fig. 6.
//! Parameters: none.
//! Differs: the paper leaves the order of the schedule open; it is that of arrival. Its Fig. 6 does not say what happens when no unmarked job
//! gains, where the search ends here. A rigid job keeps its size. A job beyond its estimate is expected to end one tick from now.
//! Ties: equal gains go to the earlier arrival; a sum that stays the same has not fallen.
//! Cost per pass: one schedule per trial, from the job tried on to where all is as it was; as many trials as nodes are handed out, and one more per job.

mod free;
pub mod plan;
mod schedule;
mod shift;

use super::Policy;
use super::releases::Releases;
use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::speedup::TimeOn;
use crate::time::Time;
use plan::{Planner, Sizes};

/// The policy; see the module.
#[derive(Debug, Default)]
pub struct Iterative {
    releases: Releases,
    planner: Planner,
    queue: Vec<JobSlot>,
    sizes: Vec<Sizes>,
    estimates: Vec<TimeOn>,
}

impl Iterative {
    fn look_at_the_queue(&mut self, pass: &Pass<'_>) {
        let most = pass.cluster().nodes();
        self.queue.clear();
        self.queue.extend(pass.waiting());
        let requests = || self.queue.iter().map(|job| pass.request(*job));
        self.sizes.clear();
        self.sizes.extend(requests().map(|request| match request.speedup {
            Some(_) => Sizes { least: 1, most },
            None => Sizes::only(request.size),
        }));
        self.estimates.clear();
        self.estimates.extend(requests().map(|request| request.estimates()));
    }

    /// The free nodes from now on, if every running job ends when expected.
    fn free_nodes(&self, pass: &Pass<'_>) -> Vec<(Time, i64)> {
        let mut free = i64::from(pass.cluster().free_count());
        let mut steps = vec![(pass.now(), free)];
        for release in self.releases.upcoming(pass) {
            free += i64::from(release.nodes.len());
            match steps.last_mut() {
                Some(last) if last.0 == release.at => last.1 = free,
                _ => steps.push((release.at, free)),
            }
        }
        steps
    }
}

impl Policy for Iterative {
    fn name(&self) -> &'static str {
        "iterative sizes of moldable jobs"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        for &job in pass.ended() {
            self.releases.remove(pass.expected_end(job), job);
        }
        self.look_at_the_queue(pass);
        let free = self.free_nodes(pass);
        let estimates = &self.estimates;
        let planned = self.planner.plan(&free, &self.sizes, |job, size| estimates[job].on(size), |_| ());
        for (&job, at) in self.queue.iter().zip(planned) {
            if at.start == pass.now() && pass.start_sized(job, at.size) {
                self.releases.insert(pass.expected_end(job), job);
            }
        }
    }
}
