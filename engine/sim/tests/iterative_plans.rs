//! Plans of the iterative search on random queues: trial by trial the same as the printed algorithm, and what holds of every plan.

use crate::naive::sizes::{self, Waiting};
use proptest::prelude::*;
use sim::cluster::profile::CountProfile;
use sim::policy::iterative::plan::{Planned, Planner, Sizes, Trial};
use sim::{Span, Time};

/// A queue at an instant.
#[derive(Debug, Clone)]
struct Queue {
    nodes: u32,
    now: i64,
    /// Running jobs: nodes, as a share of what is left, and expected end from now.
    running: Vec<(u32, i64)>,
    /// Least size and times from it on.
    waiting: Vec<(u32, Vec<i64>)>,
}

impl Queue {
    /// Free nodes beside the running jobs.
    fn free(&self) -> Vec<(Time, i64)> {
        let mut profile = CountProfile::new(self.nodes, Time(self.now));
        for &(nodes, end) in &self.running {
            profile.hold(Time(self.now), Time(self.now + end), nodes);
        }
        profile.steps().collect()
    }

    fn sizes(&self) -> Vec<Sizes> {
        let sizes =
            |(least, times): &(u32, Vec<i64>)| Sizes { least: *least, most: *least + times.len() as u32 - 1 };
        self.waiting.iter().map(sizes).collect()
    }

    fn expected(&self, job: usize, size: u32) -> Span {
        let (least, times) = &self.waiting[job];
        Span(times[(size - least) as usize])
    }

    /// The plan, and the trials as (job, size, accepted).
    fn plan(&self, planner: &mut Planner) -> (Vec<Planned>, Vec<(usize, u32, bool)>) {
        let mut trials = Vec::new();
        let tell = |trial: Trial| trials.push((trial.job, trial.size, trial.accepted));
        let planned = planner.plan(&self.free(), &self.sizes(), |job, n| self.expected(job, n), tell);
        (planned.to_vec(), trials)
    }

    fn naive(&self) -> sizes::Plan {
        let free: Vec<(i64, i64)> = self.free().iter().map(|(at, nodes)| (at.0, *nodes)).collect();
        let waiting = |(least, times): &(u32, Vec<i64>)| Waiting { least: *least, times: times.clone() };
        sizes::plan(&free, &self.waiting.iter().map(waiting).collect::<Vec<_>>())
    }
}

/// Times by size: any, or what work, a sequential part and a cost per processor give.
fn times(most: usize) -> impl Strategy<Value = Vec<i64>> {
    let any = prop::collection::vec(1i64..40, 1..=most);
    let law = (1i64..400, 0i64..60, 0i64..4, 1..=most).prop_map(|(work, alone, each, most)| {
        (1..=most as i64).map(|n| alone + work / n + each * n + 1).collect()
    });
    prop_oneof![1 => any, 3 => law]
}

fn queues(nodes: impl Strategy<Value = u32>, jobs: usize) -> impl Strategy<Value = Queue> {
    nodes.prop_flat_map(move |nodes| {
        let running = prop::collection::vec((1..=nodes, 1i64..100), 0..8);
        let moldable = times(nodes as usize).prop_map(|times| (1, times));
        let rigid = (1..=nodes, 1i64..60).prop_map(|(size, time)| (size, vec![time]));
        let between = (1..=nodes).prop_flat_map(move |least| {
            times((nodes - least + 1) as usize).prop_map(move |times| (least, times))
        });
        let waiting = prop::collection::vec(prop_oneof![6 => moldable, 1 => rigid, 1 => between], 0..=jobs);
        (0i64..50, running, waiting).prop_map(move |(now, running, waiting)| {
            let mut left = nodes;
            let fitting = running.into_iter().filter_map(|(share, end)| {
                let size = share.min(left);
                left -= size;
                (size > 0).then_some((size, end))
            });
            Queue { nodes, now, running: fitting.collect(), waiting }
        })
    })
}

fn check(queue: &Queue, planner: &mut Planner) -> Result<(), TestCaseError> {
    let (planned, trials) = queue.plan(planner);
    let (places, naive_trials) = queue.naive();
    prop_assert_eq!(&trials, &naive_trials);
    prop_assert_eq!(planned.iter().map(|at| (at.size, at.start.0)).collect::<Vec<_>>(), places);
    for (job, at) in planned.iter().enumerate() {
        prop_assert_eq!(at.duration, queue.expected(job, at.size));
    }
    Ok(())
}

/// The sum of the ends of a conservative schedule in arrival order, with these sizes.
fn sum_of_ends(queue: &Queue, sizes: &[u32]) -> i64 {
    let fixed = sizes.iter().enumerate().map(|(job, size)| (*size, vec![queue.expected(job, *size).0]));
    let rigid = Queue { waiting: fixed.collect(), ..queue.clone() };
    rigid.plan(&mut Planner::default()).0.iter().map(|at| at.end().0).sum()
}

/// Every way to choose sizes.
fn all_sizes(sizes: &[Sizes]) -> Vec<Vec<u32>> {
    sizes.iter().fold(vec![vec![]], |ways, sizes| {
        let with = |way: &Vec<u32>, size| way.iter().copied().chain([size]).collect();
        ways.iter().flat_map(|way| (sizes.least..=sizes.most).map(move |size| with(way, size))).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn few_jobs_are_planned_as_printed(first in queues(1u32..12, 12), second in queues(1u32..12, 12)) {
        let mut planner = Planner::default();
        check(&first, &mut planner)?;
        // Nothing of the first plan shows in the second.
        check(&second, &mut planner)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn long_queues_are_planned_as_printed(queue in queues(1u32..40, 70)) {
        check(&queue, &mut Planner::default())?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// The search never ends worse than it began, nor better than the best of all choices.
    #[test]
    fn plans_lie_between_the_least_sizes_and_the_optimum(queue in queues(1u32..5, 4)) {
        let (planned, _) = queue.plan(&mut Planner::default());
        let chosen: Vec<u32> = planned.iter().map(|at| at.size).collect();
        let sum = planned.iter().map(|at| at.end().0).sum::<i64>();
        prop_assert_eq!(sum, sum_of_ends(&queue, &chosen), "the plan is a conservative schedule");
        let least: Vec<u32> = queue.sizes().iter().map(|sizes| sizes.least).collect();
        prop_assert!(sum <= sum_of_ends(&queue, &least));
        let best = all_sizes(&queue.sizes()).iter().map(|sizes| sum_of_ends(&queue, sizes)).min();
        prop_assert!(best.is_some_and(|best| best <= sum));
    }
}
