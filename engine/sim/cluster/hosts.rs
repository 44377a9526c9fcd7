//! The hosts of a machine: what each of them has free of processors and memory.
//!
//! A host is a range of neighbouring nodes, its processors. A job holds its nodes while it runs, and memory of its host from its first
//! start until it ends, suspended or not: a job that is taken off its processors leaves its memory where it is (Chiang 2001, §3.2.2).

use super::machine::HostSpec;
use super::node_set::Placement;
use smallvec::SmallVec;
use std::ops::Range;

/// One host and what is free of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its processors, by node number.
    pub nodes: Range<u32>,
    /// Its memory in kilobytes.
    pub memory_kb: u64,
    /// Processors that no running job holds.
    pub free_processors: u32,
    /// Memory that no started job holds, in kilobytes.
    pub free_kb: u64,
}

impl Host {
    /// All its processors.
    pub fn processors(&self) -> u32 {
        self.nodes.end - self.nodes.start
    }

    /// Whether a job could start here now.
    pub fn fits(&self, size: u32, memory_kb: u64) -> bool {
        size <= self.free_processors && memory_kb <= self.free_kb
    }
}

/// The hosts of a machine, in the order of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosts {
    hosts: Vec<Host>,
    /// The host of each node.
    of_node: Vec<u32>,
}

impl Hosts {
    /// Idle hosts; `None` where there are none.
    pub fn idle(specs: &[HostSpec]) -> Option<Hosts> {
        let mut hosts = Hosts { hosts: Vec::with_capacity(specs.len()), of_node: Vec::new() };
        let mut first = 0;
        for (index, spec) in specs.iter().enumerate() {
            let (nodes, memory_kb) = (first..first + spec.processors, spec.memory_kb());
            first = nodes.end;
            hosts.of_node.resize(first as usize, index as u32);
            hosts.hosts.push(Host { nodes, memory_kb, free_processors: spec.processors, free_kb: memory_kb });
        }
        (!specs.is_empty()).then_some(hosts)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.hosts.len()
    }

    /// Never: a machine of hosts has at least one.
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
    }

    /// A host by its place in the table, from 0.
    pub fn get(&self, host: usize) -> &Host {
        &self.hosts[host]
    }

    /// All of them, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = &Host> {
        self.hosts.iter()
    }

    /// The host on which all nodes of a placement lie; `None` where they lie on several, on none, or there are no nodes.
    pub fn of(&self, placement: &Placement) -> Option<usize> {
        let (first, last) = placement.span()?;
        let host = *self.of_node.get(first as usize)?;
        (self.of_node.get(last as usize) == Some(&host)).then_some(host as usize)
    }

    /// The hosts on which a job could start now, those with the fewest free processors first; ties: order of the table.
    pub fn tightest_first(&self, size: u32, memory_kb: u64) -> SmallVec<[usize; 8]> {
        let fitting = self.hosts.iter().enumerate().filter(|(_, host)| host.fits(size, memory_kb));
        let mut fitting: SmallVec<[usize; 8]> = fitting.map(|(index, _)| index).collect();
        // Stable: ties stay in the order of the table.
        fitting.sort_by_key(|host| self.hosts[*host].free_processors);
        fitting
    }

    /// Whether a job would fit on some host if all were idle.
    pub fn can_ever_hold(&self, size: u32, memory_kb: u64) -> bool {
        self.hosts.iter().any(|host| size <= host.processors() && memory_kb <= host.memory_kb)
    }

    /// Counts the processors of a placement as taken. It must lie on one host.
    pub(super) fn take(&mut self, placement: &Placement) {
        if let Some(host) = self.of(placement) {
            self.hosts[host].free_processors -= placement.len();
        }
    }

    /// Counts the processors of a placement as free again.
    pub(super) fn give(&mut self, placement: &Placement) {
        if let Some(host) = self.of(placement) {
            self.hosts[host].free_processors += placement.len();
        }
    }

    /// Takes memory of a host; it must be free.
    pub(super) fn hold(&mut self, host: usize, kb: u64) {
        debug_assert!(self.hosts[host].free_kb >= kb, "memory was checked before");
        self.hosts[host].free_kb -= kb;
    }

    /// Gives memory of a host back.
    pub(super) fn release(&mut self, host: usize, kb: u64) {
        self.hosts[host].free_kb += kb;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn hosts() -> Hosts {
        let host = |name: &str, processors, memory_mb| HostSpec { name: name.into(), processors, memory_mb };
        Hosts::idle(&[host("a", 100, 2), host("b", 8, 4), host("c", 8, 1)]).unwrap()
    }

    #[test]
    fn hosts_are_ranges_of_nodes() {
        let hosts = hosts();
        assert_eq!(
            hosts.iter().map(|host| host.nodes.clone()).collect::<Vec<_>>(),
            [0..100, 100..108, 108..116]
        );
        assert_eq!(hosts.of(&Placement::of([0, 99])), Some(0));
        assert_eq!(hosts.of(&Placement::of([100, 107])), Some(1));
        assert_eq!(hosts.of(&Placement::of([99, 100])), None);
        assert_eq!(hosts.of(&Placement::of([115, 116])), None);
        assert_eq!(hosts.of(&Placement::empty()), None);
        assert_eq!(Hosts::idle(&[]), None);
    }

    #[test]
    fn processors_and_memory_are_counted_apart() {
        let mut hosts = hosts();
        let nodes = Placement::of([101, 102, 103]);
        hosts.take(&nodes);
        hosts.hold(1, 4000);
        assert_eq!((hosts.get(1).free_processors, hosts.get(1).free_kb), (5, 96));
        assert!(hosts.get(1).fits(5, 96) && !hosts.get(1).fits(6, 0) && !hosts.get(1).fits(1, 97));
        hosts.give(&nodes);
        assert_eq!((hosts.get(1).free_processors, hosts.get(1).free_kb), (8, 96));
        hosts.release(1, 4000);
        assert_eq!(hosts, self::hosts());
    }

    #[test]
    fn the_tightest_host_comes_first_and_ties_go_by_the_table() {
        let mut hosts = hosts();
        assert_eq!(hosts.tightest_first(1, 1)[..], [1, 2, 0]);
        assert_eq!(hosts.tightest_first(8, 1025)[..], [1, 0]);
        hosts.take(&Placement::of(0..95));
        assert_eq!(hosts.tightest_first(1, 1)[..], [0, 1, 2]);
        assert_eq!(hosts.tightest_first(6, 1)[..], [1, 2]);
        assert!(hosts.can_ever_hold(100, 2048) && !hosts.can_ever_hold(100, 2049));
        assert!(hosts.can_ever_hold(8, 4096) && !hosts.can_ever_hold(101, 0));
    }
}
