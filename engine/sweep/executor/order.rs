//! The order of work: longest expected first, but the runs that share a workload together, and workloads of one source
//! together, so that each is made once and kept no longer than needed.

use super::cost::CostModel;
use crate::canonical;
use crate::error::SweepError;
use crate::{RunSpec, Task};
use std::collections::HashMap;
use workload::WorkloadSpec;

/// Tasks in the order of execution.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Order {
    /// Group and task of each step; the steps of a group are adjacent.
    pub steps: Vec<(usize, usize)>,
    /// Number of tasks of each group: runs on the very same jobs.
    pub groups: Vec<usize>,
}

/// What identifies the jobs of a run.
pub(super) fn workload_id(spec: &RunSpec) -> Result<String, SweepError> {
    id(&spec.case.workload, spec)
}

/// What identifies the jobs of a run before speed-up and load scaling.
pub(super) fn source_id(spec: &RunSpec) -> Result<String, SweepError> {
    id(&untransformed(&spec.case.workload), spec)
}

/// The workload as its source and rules give it.
pub(super) fn untransformed(workload: &WorkloadSpec) -> WorkloadSpec {
    WorkloadSpec { speedup: 0.0, scale_estimates: true, load: None, ..workload.clone() }
}

fn id(workload: &WorkloadSpec, spec: &RunSpec) -> Result<String, SweepError> {
    canonical::text(&(workload, spec.case.machine.nodes(), spec.seed))
        .map_err(|source| SweepError::Canonical { source })
}

/// Groups of tasks, by what they share.
struct Share {
    /// Expected seconds of its longest task.
    longest: f64,
    source: usize,
    tasks: Vec<(usize, f64)>,
}

/// Orders the tasks. Ties keep the order they came in, so the order is the same every time.
pub(super) fn order(tasks: &[Task], costs: &CostModel) -> Result<Order, SweepError> {
    let mut sources: Vec<f64> = Vec::new();
    let mut source_of: HashMap<String, usize> = HashMap::new();
    let mut groups: Vec<Share> = Vec::new();
    let mut group_of: HashMap<String, usize> = HashMap::new();
    for (index, task) in tasks.iter().enumerate() {
        let cost = costs.rank(&task.spec)?;
        let source = *source_of.entry(source_id(&task.spec)?).or_insert_with(|| {
            sources.push(0.0);
            sources.len() - 1
        });
        let group = *group_of.entry(workload_id(&task.spec)?).or_insert_with(|| {
            groups.push(Share { longest: 0.0, source, tasks: Vec::new() });
            groups.len() - 1
        });
        groups[group].tasks.push((index, cost));
        groups[group].longest = groups[group].longest.max(cost);
        sources[source] = sources[source].max(cost);
    }
    let by_source =
        |a: &Share, b: &Share| sources[b.source].total_cmp(&sources[a.source]).then(a.source.cmp(&b.source));
    groups.sort_by(|a, b| by_source(a, b).then(b.longest.total_cmp(&a.longest)));
    let mut order = Order::default();
    for (group, share) in groups.iter_mut().enumerate() {
        share.tasks.sort_by(|a, b| b.1.total_cmp(&a.1));
        order.steps.extend(share.tasks.iter().map(|(task, _)| (group, *task)));
        order.groups.push(share.tasks.len());
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::executor::cost_class;
    use crate::test_case::task;
    use sim::PolicySpec;

    #[test]
    fn long_runs_come_first_and_shared_workloads_stay_together() {
        let of = |nodes: u32, jobs: u64, policy: PolicySpec, speedup: f64| {
            let mut task = task(nodes, 0);
            task.spec.case_mut().workload.jobs = Some(jobs);
            task.spec.case_mut().workload.speedup = speedup;
            task.spec.case_mut().policy = policy;
            task
        };
        let easy =
            || PolicySpec::Easy { overrun: Default::default(), shadow: sim::policy::Shadow::Placement };
        let tasks = [
            of(8, 10, PolicySpec::Fcfs, 0.0),
            of(16, 900, PolicySpec::Fcfs, 0.0),
            of(8, 10, easy(), 0.1),
            of(16, 900, easy(), 0.0),
            of(16, 800, easy(), 0.0),
            of(8, 10, easy(), 0.0),
        ];
        let mut costs = CostModel::default();
        costs.learn(cost_class(&tasks[0].spec.case).unwrap(), 1.0, 1000.0);
        costs.learn(cost_class(&tasks[2].spec.case).unwrap(), 9.0, 1000.0);
        let order = order(&tasks, &costs).unwrap();
        assert_eq!(order.steps, [(0, 3), (0, 1), (1, 4), (2, 5), (2, 0), (3, 2)]);
        assert_eq!(order.groups, [2, 1, 2, 1]);
    }
}
