//! An observer with a system of its own: which jobs wait, which run where, and what follows from that.

use sim::cluster::Cluster;
use sim::observer::{JobRecord, Observer};
use sim::{AllocatorSpec, MachineSpec, Time};
use std::collections::{BTreeMap, BTreeSet};

/// A running job as the watcher saw it start.
#[derive(Clone, Debug)]
pub struct Seen {
    pub start: i64,
    pub estimate: i64,
    pub nodes: BTreeSet<u32>,
}

/// Calls `after(now, waiting sizes by arrival, running jobs by arrival, cluster)` after every pass.
pub struct Watch<F> {
    waiting: BTreeMap<u64, u32>,
    running: BTreeMap<u64, Seen>,
    after: F,
}

impl<F: FnMut(i64, &BTreeMap<u64, u32>, &BTreeMap<u64, Seen>, &Cluster)> Watch<F> {
    pub fn new(after: F) -> Watch<F> {
        Watch { waiting: BTreeMap::new(), running: BTreeMap::new(), after }
    }
}

impl<F: FnMut(i64, &BTreeMap<u64, u32>, &BTreeMap<u64, Seen>, &Cluster)> Observer for Watch<F> {
    fn submitted(&mut self, now: Time, job: &JobRecord<'_>) {
        assert_eq!(now, job.job.submit);
        assert!(self.waiting.insert(job.arrival, job.job.size).is_none());
    }

    fn started(&mut self, now: Time, job: &JobRecord<'_>) {
        assert!(self.waiting.remove(&job.arrival).is_some(), "job {} started twice", job.job.id);
        let nodes: BTreeSet<u32> = job.placement.nodes().collect();
        assert_eq!(nodes.len(), job.job.size as usize);
        let seen = Seen { start: now.0, estimate: job.job.estimate.0, nodes };
        self.running.insert(job.arrival, seen);
    }

    fn ended(&mut self, now: Time, job: &JobRecord<'_>) {
        assert_eq!(now, job.ended);
        assert!(self.running.remove(&job.arrival).is_some(), "job {} ended twice", job.job.id);
    }

    fn passed(&mut self, now: Time, waiting: usize, cluster: &Cluster) {
        assert_eq!(waiting, self.waiting.len());
        let mut busy = BTreeSet::new();
        for seen in self.running.values() {
            for &node in &seen.nodes {
                assert!(node < cluster.nodes(), "node {node} is not installed");
                assert!(busy.insert(node), "node {node} runs two jobs at {now}");
            }
        }
        assert_eq!(cluster.free_count() as usize, cluster.nodes() as usize - busy.len());
        assert!(cluster.free().len() == cluster.free_count());
        (self.after)(now.0, &self.waiting, &self.running, cluster);
    }
}

/// Whether a job of `size` has a place among the installed nodes that are not busy.
pub fn has_place(machine: &MachineSpec, allocator: &AllocatorSpec, size: u32, busy: &BTreeSet<u32>) -> bool {
    let free = |nodes: std::ops::Range<u32>| nodes.filter(|node| !busy.contains(node)).count() as u32;
    let installed = machine.nodes();
    match (allocator, machine) {
        (&AllocatorSpec::Contiguous { relax }, &MachineSpec::Tree { arity, levels, .. }) => {
            let own = level_of(arity, size);
            (own..=(own + relax).min(levels)).any(|level| {
                let width = arity.pow(level);
                (0..installed.div_ceil(width))
                    .any(|block| free(block * width..((block + 1) * width).min(installed)) >= size)
            })
        }
        _ => free(0..installed) >= size,
    }
}

/// The smallest level from 1 on whose blocks have `size` leaves.
pub fn level_of(arity: u32, size: u32) -> u32 {
    (1..).find(|level| arity.pow(*level) >= size).unwrap()
}
