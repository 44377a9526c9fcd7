//! The search for the sizes of a plan.
//!
//! Every job begins at its least size; then the job that gains most run time by one more processor gets it, for as long as the
//! average turnaround time of a conservative schedule in arrival order falls. Source: Sabin, Lang & Sadayappan 2006, §6.1 and Fig. 6.

use super::schedule::Schedule;
use crate::time::{Span, Time};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The sizes that a waiting job may have. A rigid job has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The size that it begins with, in nodes.
    pub least: u32,
    /// The size that it may grow to.
    pub most: u32,
}

impl Sizes {
    /// The only size of a rigid job.
    pub const fn only(size: u32) -> Sizes {
        Sizes { least: size, most: size }
    }
}

/// A job's place in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Planned {
    /// Its size in nodes.
    pub size: u32,
    /// When it is to start.
    pub start: Time,
    /// How long it is expected to run on so many nodes.
    pub duration: Span,
}

impl Planned {
    /// When it is expected to end.
    pub fn end(&self) -> Time {
        self.start.saturating_add(self.duration)
    }
}

/// One processor more for one job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The job, by its position in the queue.
    pub job: usize,
    /// The size that was tried.
    pub size: u32,
    /// Whether it stayed, because the sum of the expected turnaround times fell.
    pub accepted: bool,
}

/// Plans sizes and starts; keeps its memory from plan to plan.
#[derive(Debug, Default)]
pub struct Planner {
    schedule: Schedule,
    candidates: BinaryHeap<Candidate>,
}

/// Unmarked jobs by what the next processor is worth, ties: the earliest in the queue. What it is worth changes only as the job grows, so no
/// entry is ever stale.
type Candidate = (Span, Reverse<usize>);

impl Planner {
    /// Plans the jobs of `queue`, which are in arrival order. `free` says from when on how many nodes are free if none of them runs, in time
    /// order; the first step begins now. `expected` is the time that a job, given by its position, is expected to run on a number of nodes:
    /// positive. `tell` hears of every trial.
    pub fn plan(
        &mut self,
        free: &[(Time, i64)],
        queue: &[Sizes],
        expected: impl Fn(usize, u32) -> Span,
        mut tell: impl FnMut(Trial),
    ) -> &[Planned] {
        let least = queue.iter().enumerate().map(|(job, sizes)| (sizes.least, expected(job, sizes.least)));
        self.schedule.begin(free, least);
        self.candidates.clear();
        let gain = |job: usize, size: u32, duration: Span| {
            (size < queue[job].most)
                .then(|| duration - expected(job, size + 1))
                .filter(|gain| *gain > Span::ZERO)
        };
        let all = self.schedule.placed().iter().enumerate();
        let worth = all.filter_map(|(job, at)| Some((gain(job, at.size, at.duration)?, Reverse(job))));
        self.candidates.extend(worth);
        while let Some((by, Reverse(job))) = self.candidates.pop() {
            let at = self.schedule.placed()[job];
            let (size, duration) = (at.size + 1, at.duration - by);
            let accepted = self.schedule.improves(job, size, duration);
            tell(Trial { job, size, accepted });
            if accepted && let Some(next) = gain(job, size, duration) {
                self.candidates.push((next, Reverse(job)));
            }
        }
        self.schedule.placed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The plan of jobs with so much work and perfect speedup, and the trials as (job, size, accepted).
    fn plan(free: &[(i64, i64)], work: &[i64]) -> (Vec<Planned>, Vec<(usize, u32, bool)>) {
        let free: Vec<(Time, i64)> = free.iter().map(|(at, nodes)| (Time(*at), *nodes)).collect();
        let queue = vec![Sizes { least: 1, most: 4 }; work.len()];
        let mut trials = Vec::new();
        let mut planner = Planner::default();
        let expected = |job: usize, size| Span(work[job] / i64::from(size));
        let planned = planner.plan(&free, &queue, expected, |trial| {
            trials.push((trial.job, trial.size, trial.accepted));
        });
        (planned.to_vec(), trials)
    }

    fn at(size: u32, start: i64, duration: i64) -> Planned {
        Planned { size, start: Time(start), duration: Span(duration) }
    }

    #[test]
    fn a_job_alone_gets_all() {
        let (planned, trials) = plan(&[(0, 4)], &[120]);
        assert_eq!(planned, [at(4, 0, 30)]);
        assert_eq!(trials, [(0, 2, true), (0, 3, true), (0, 4, true)]);
    }

    /// One node at a time, the search stops at 2 and 2 (sum 120). One job on 4 after the other would be better (30 + 60), but each step towards it is worse.
    #[test]
    fn two_equal_jobs_share() {
        let (planned, trials) = plan(&[(0, 4)], &[120, 120]);
        assert_eq!(planned, [at(2, 0, 60), at(2, 0, 60)]);
        assert_eq!(trials, [(0, 2, true), (1, 2, true), (0, 3, false), (1, 3, false)]);
    }

    /// Beside each other: 60 + 60. One on both nodes, then the other: 30 + 90.
    #[test]
    fn equal_sums_are_no_improvement() {
        let (planned, trials) = plan(&[(0, 2), (1000, 4)], &[60, 60]);
        assert_eq!(planned, [at(1, 0, 60), at(1, 0, 60)]);
        assert_eq!(trials, [(0, 2, false), (1, 2, false)]);
    }

    /// §6.1: a job given another processor may start later than before, if that pays.
    #[test]
    fn a_job_may_wait_for_its_nodes() {
        let (planned, trials) = plan(&[(5, 1), (15, 2)], &[120]);
        assert_eq!(planned, [at(2, 15, 60)]);
        assert_eq!(trials, [(0, 2, true), (0, 3, false)]);
    }

    /// The second gains more by its second node (60 to 40) than the first by its third.
    #[test]
    fn the_next_node_goes_to_the_job_that_gains_most_by_it() {
        let (_, trials) = plan(&[(0, 4)], &[120, 80]);
        assert_eq!(trials[..3], [(0, 2, true), (1, 2, true), (0, 3, false)]);
    }

    #[test]
    fn rigid_jobs_keep_their_size_and_an_empty_queue_is_planned() {
        let mut planner = Planner::default();
        let free = [(Time(0), 8)];
        let queue = [Sizes::only(5), Sizes::only(5), Sizes::only(3)];
        let planned = planner.plan(&free, &queue, |_, n| Span(i64::from(n) * 10), |_| panic!("no trial"));
        assert_eq!(planned, [at(5, 0, 50), at(5, 50, 50), at(3, 0, 30)]);
        assert_eq!(planner.plan(&free, &[], |_, _| Span(1), |_| ()), []);
    }
}
