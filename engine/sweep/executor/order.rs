//! The order of work: longest expected first, but the runs that share a workload together, and workloads of one source
//! together, so that each is made once and kept no longer than needed.

use super::cost::{CostClasses, CostModel};
use super::simulator::untransformed;
use crate::canonical;
use crate::error::SweepError;
use crate::{RunMode, Task};
use sim::Capacity;
use std::collections::HashMap;
use std::hash::Hash;
use std::mem::discriminant;
use workload::WorkloadSpec;

/// A task in the order of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    /// Its place among the tasks.
    pub task: usize,
    /// Tasks on the very same jobs have the same group, and stand together.
    pub group: usize,
    /// Groups whose jobs are made of the same ones have the same source, and stand together.
    pub source: usize,
    /// Tasks of one cost class have the same.
    pub class: usize,
    /// Classes of the same kind of policy have the same.
    pub policy: usize,
    /// Expected seconds, by which it was ordered.
    pub rank_s: f64,
    /// Whether earlier runs vouch for that number; else it is a guess.
    pub known: bool,
    /// Sources that cost about the same have the same level; it only falls along the order.
    pub level: i32,
}

/// Costs are on one level within a factor of four.
fn level(cost: f64) -> i32 {
    (cost.max(1e-12).log2() / 2.0).floor() as i32
}

/// Groups of tasks, by what they share.
struct Share {
    /// Expected seconds of its longest task.
    longest: f64,
    source: usize,
    tasks: Vec<Entry>,
}

/// Orders the tasks. `start`, from 0 to below 1, is where among things of the same level the order begins, so that processes
/// that begin at the same time do not all begin with the same runs; at 0, ties keep the order they came in.
pub(super) fn order(tasks: &[Task], costs: &CostModel, start: f64) -> Result<Vec<Entry>, SweepError> {
    let mut classes = CostClasses::default();
    let mut workloads = Workloads::default();
    let (mut sources, mut groups) = (Numbers::default(), Numbers::default());
    let (mut of_cost, mut policies) = (Numbers::default(), Numbers::default());
    let (mut longest, mut shares): (Vec<f64>, Vec<Share>) = (Vec::new(), Vec::new());
    for (task, Task { spec, .. }) in tasks.iter().enumerate() {
        let class = classes.of(&spec.case)?;
        let expected = costs.expected_in(class, spec);
        let (class, policy) = (of_cost.number(class), policies.number(discriminant(&spec.case.policy)));
        let rank_s = expected.unwrap_or_else(|| CostModel::guess_s(spec));
        let (workload, source) = workloads.numbers(&spec.case.workload)?;
        let machine = Capacity::from(&spec.case.machine);
        // A log has the same jobs whatever the seed, which decides what is done to them.
        let seed = if RunMode::of(&spec.case.workload.source).is_drawn() { spec.seed } else { 0 };
        let source = sources.number((source, machine, seed));
        let group = groups.number((workload, machine, spec.seed));
        if source == longest.len() {
            longest.push(0.0);
        }
        if group == shares.len() {
            shares.push(Share { longest: 0.0, source, tasks: Vec::new() });
        }
        let known = expected.is_some();
        shares[group].tasks.push(Entry { task, group, source, class, policy, rank_s, known, level: 0 });
        shares[group].longest = shares[group].longest.max(rank_s);
        longest[source] = longest[source].max(rank_s);
    }
    Ok(arrange(&longest, shares, start))
}

/// Sources by their longest task, then groups, then tasks.
fn arrange(longest: &[f64], shares: Vec<Share>, start: f64) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(shares.iter().map(|share| share.tasks.len()).sum());
    let mut of_source: Vec<Vec<Share>> = longest.iter().map(|_| Vec::new()).collect();
    for share in shares {
        of_source[share.source].push(share);
    }
    let mut sources: Vec<(f64, Vec<Share>)> = longest.iter().copied().zip(of_source).collect();
    by_cost(&mut sources, |(cost, _)| *cost, start);
    for (cost, mut groups) in sources {
        by_cost(&mut groups, |group| group.longest, start);
        for mut group in groups {
            by_cost(&mut group.tasks, |entry| entry.rank_s, start);
            entries.extend(group.tasks.into_iter().map(|entry| Entry { level: level(cost), ..entry }));
        }
    }
    entries
}

/// Sorts by falling cost, and turns each stretch of the same level so that it begins at the fraction `start` of it.
fn by_cost<T>(items: &mut [T], cost: impl Fn(&T) -> f64, start: f64) {
    items.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
    if start > 0.0 {
        for alike in items.chunk_by_mut(|a, b| level(cost(a)) == level(cost(b))) {
            alike.rotate_left((start * alike.len() as f64) as usize);
        }
    }
}

/// Numbers for things, in the order in which they come.
struct Numbers<T>(HashMap<T, usize>);

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Numbers(HashMap::new())
    }
}

impl<T: Hash + Eq> Numbers<T> {
    fn number(&mut self, of: T) -> usize {
        let next = self.0.len();
        *self.0.entry(of).or_insert(next)
    }
}

/// Numbers for workloads and for what they are made from. Consecutive tasks mostly have one of a few workloads, and to make its
/// canonical text takes longer than anything else that is done for a task.
#[derive(Default)]
struct Workloads {
    known: Numbers<String>,
    sources: Numbers<String>,
    recent: Vec<(WorkloadSpec, (usize, usize))>,
}

/// How many workloads are remembered: more than most axes have, few enough to search one by one.
const REMEMBERED: usize = 64;

impl Workloads {
    fn numbers(&mut self, workload: &WorkloadSpec) -> Result<(usize, usize), SweepError> {
        if let Some((_, numbers)) = self.recent.iter().find(|(known, _)| known == workload) {
            return Ok(*numbers);
        }
        let text = |workload: &WorkloadSpec| {
            canonical::text(workload).map_err(|source| SweepError::Canonical { source })
        };
        let source = self.sources.number(text(&untransformed(workload))?);
        let numbers = (self.known.number(text(workload)?), source);
        if self.recent.len() >= REMEMBERED {
            self.recent.remove(0);
        }
        self.recent.push((workload.clone(), numbers));
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::executor::cost_class;
    use crate::test_case::task;
    use sim::PolicySpec;
    use workload::{Mode, Source};

    fn of(nodes: u32, jobs: u64, policy: PolicySpec, speedup: f64) -> Task {
        let mut task = task(nodes, 0);
        task.spec.case_mut().workload.jobs = Some(jobs);
        task.spec.case_mut().workload.speedup = speedup;
        task.spec.case_mut().policy = policy;
        task
    }

    fn easy() -> PolicySpec {
        PolicySpec::Easy { overrun: Default::default(), shadow: sim::policy::Shadow::Placement }
    }

    fn places(entries: &[Entry]) -> Vec<usize> {
        entries.iter().map(|entry| entry.task).collect()
    }

    #[test]
    fn long_runs_come_first_and_shared_workloads_stay_together() {
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
        let order = order(&tasks, &costs, 0.0).unwrap();
        assert_eq!(places(&order), [3, 1, 4, 5, 0, 2]);
        let groups: Vec<usize> = order.iter().map(|entry| entry.group).collect();
        assert!(groups[0] == groups[1] && groups[3] == groups[4]);
        assert!(groups[2] != groups[0] && groups[5] != groups[4] && groups[2] != groups[5]);
        assert!(order.iter().all(|entry| entry.known));
        assert!(order.is_sorted_by(|a, b| a.level >= b.level));
    }

    #[test]
    fn another_start_turns_what_costs_the_same_and_nothing_else() {
        // Two long runs on one workload, then eight workloads that cost a tenth.
        let mut tasks = vec![of(64, 1000, PolicySpec::Fcfs, 0.0), of(64, 1000, easy(), 0.0)];
        tasks.extend((1..9).map(|nodes| of(nodes, 100, PolicySpec::Fcfs, 0.0)));
        let order = |start| places(&order(&tasks, &CostModel::default(), start).unwrap());
        assert_eq!(order(0.0), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        assert_eq!(order(0.5), [1, 0, 6, 7, 8, 9, 2, 3, 4, 5]);
        assert_eq!(order(0.99), [1, 0, 9, 2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn a_log_is_one_source_for_all_seeds_and_a_model_one_for_each() {
        let sources = |source: Source| {
            let seeded = |seed| {
                let mut task = of(8, 10, PolicySpec::Fcfs, 0.1);
                task.spec.case_mut().workload.source = source.clone();
                task.spec.seed = seed;
                task
            };
            let order = order(&[1, 2].map(seeded), &CostModel::default(), 0.0).unwrap();
            assert_ne!(order[0].group, order[1].group);
            order[0].source == order[1].source
        };
        assert!(sources(Source::Log { name: "CTC-SP2-1996-3.1-cln".to_owned(), mode: Mode::Trace }));
        assert!(!sources(of(8, 10, PolicySpec::Fcfs, 0.0).spec.case.workload.source.clone()));
    }
}
