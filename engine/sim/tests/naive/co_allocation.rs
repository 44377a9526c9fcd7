//! A slow twin of co-allocation: it walks the list for every start and moves single nodes. The kernel carries out what it decides.

use sim::cluster::node_set::Placement;
use sim::job::JobSlot;
use sim::kernel::Pass;
use sim::policy::Policy;
use sim::policy::co_allocation::{Pick, QueueRule, Sharing, SplitRule};
use sim::{MachineSpec, PolicySpec};
use std::collections::BTreeSet;

pub struct Walk {
    sharing: Sharing,
    queue: QueueRule,
    pick: Pick,
    home_first: bool,
    split: SplitRule,
    clusters: u32,
    nodes: u32,
}

impl Walk {
    pub fn of(policy: &PolicySpec, machine: &MachineSpec) -> Walk {
        let &PolicySpec::CoAllocation { sharing, queue, pick, home_first, split } = policy else {
            panic!("{policy:?}")
        };
        let clusters = machine.clusters();
        Walk { sharing, queue, pick, home_first, split, clusters, nodes: machine.nodes() / clusters }
    }

    /// The free nodes of every cluster.
    fn free(&self, pass: &Pass<'_>) -> Vec<Vec<u32>> {
        let mut free = vec![Vec::new(); self.clusters as usize];
        for node in pass.cluster().free().nodes() {
            free[(node / self.nodes) as usize].push(node);
        }
        free
    }

    fn home(&self, pass: &Pass<'_>, job: JobSlot) -> usize {
        if self.clusters == 1 { 0 } else { pass.request(job).home as usize }
    }

    /// The nodes for a job.
    fn place(&self, pass: &Pass<'_>, job: JobSlot) -> Option<Vec<u32>> {
        let (size, home, free) = (pass.request(job).size as usize, self.home(pass, job), self.free(pass));
        let whole = |cluster: usize| free[cluster][..size].to_vec();
        let holds = |cluster: usize| free[cluster].len() >= size;
        if self.sharing == Sharing::Nothing || (self.home_first && holds(home)) {
            return holds(home).then(|| whole(home));
        }
        let all = 0..free.len();
        if let Some(best) = all.filter(|cluster| holds(*cluster)).min_by_key(|cluster| free[*cluster].len()) {
            return Some(whole(best));
        }
        let enough = free.iter().map(Vec::len).sum::<usize>() >= size;
        (self.sharing == Sharing::Splitting && enough).then(|| self.parts(&free, size))
    }

    fn parts(&self, free: &[Vec<u32>], size: usize) -> Vec<u32> {
        // Every cluster with its nodes, ties in the order of their numbers.
        let mut rest: Vec<&[u32]> =
            free.iter().map(Vec::as_slice).filter(|nodes| !nodes.is_empty()).collect();
        match self.split {
            SplitRule::LargestFirst => rest.sort_by_key(|nodes| usize::MAX - nodes.len()),
            SplitRule::FewestIdle => rest.sort_by_key(|nodes| nodes.len()),
            SplitRule::Even => return even(rest, size),
            SplitRule::LargestThenBestFit => return largest_then_best(rest, size),
        }
        rest.concat()[..size].to_vec()
    }

    /// Whether a job may start, given who could not.
    fn is_stopped(&self, stopped: &BTreeSet<usize>, home: usize) -> bool {
        match self.queue {
            QueueRule::Scan => false,
            QueueRule::Strict if self.sharing != Sharing::Nothing => !stopped.is_empty(),
            QueueRule::Strict | QueueRule::StrictPerCluster => stopped.contains(&home),
        }
    }
}

fn largest_then_best(mut rest: Vec<&[u32]>, size: usize) -> Vec<u32> {
    let mut found = Vec::new();
    loop {
        let left = size - found.len();
        let best = rest.iter().filter(|nodes| nodes.len() >= left).min_by_key(|nodes| nodes.len());
        if let Some(best) = best {
            found.extend(&best[..left]);
            return found;
        }
        let most = rest.iter().map(|nodes| nodes.len()).max().unwrap();
        let largest = rest.iter().position(|nodes| nodes.len() == most).unwrap();
        found.extend(rest.remove(largest));
    }
}

/// One node after the other, to whoever has got the fewest and has more; what is left over goes to those with the most.
fn even(mut rest: Vec<&[u32]>, size: usize) -> Vec<u32> {
    rest.sort_by_key(|nodes| usize::MAX - nodes.len());
    let fewest = (1..=rest.len()).find(|n| rest[..*n].iter().map(|nodes| nodes.len()).sum::<usize>() >= size);
    let mut given = vec![0; fewest.unwrap()];
    for _ in 0..size {
        let open = (0..given.len()).filter(|at| given[*at] < rest[*at].len());
        let next = open.min_by_key(|at| given[*at]).unwrap();
        given[next] += 1;
    }
    given.iter().zip(rest).flat_map(|(given, nodes)| nodes[..*given].to_vec()).collect()
}

impl Policy for Walk {
    fn name(&self) -> &'static str {
        "co-allocation, walked"
    }

    fn heeds_estimates(&self) -> bool {
        false
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        let mut stopped = BTreeSet::new();
        let mut queue: Vec<JobSlot> = pass.waiting().collect();
        if self.pick == Pick::LargestFits {
            // What did not fit when it was largest will not fit later in the pass.
            queue.sort_by_key(|job| u32::MAX - pass.request(*job).size);
        }
        for job in queue {
            let home = self.home(pass, job);
            if self.is_stopped(&stopped, home) {
                continue;
            }
            match self.place(pass, job) {
                Some(nodes) => assert!(pass.start_on(job, Placement::of(nodes))),
                None => drop(stopped.insert(home)),
            }
        }
    }
}
