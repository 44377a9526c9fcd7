//! The machine as an experiment writes it.

use super::communication::CommunicationModel;
use crate::error::SimError;
use serde::{Deserialize, Serialize};

/// Nodes and how they are joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum MachineSpec {
    /// Identical nodes without a topology, numbered from 0.
    Flat {
        /// Number of nodes.
        nodes: u32,
    },
    /// A k-ary n-tree: kⁿ leaf positions, of which the lowest-numbered `installed` hold a node.
    /// Source: Pascual & Miguel-Alonso 2008, §III; *assumption*: the missing nodes are the highest-numbered ones.
    Tree {
        /// k: ports down per switch, at least 2.
        arity: u32,
        /// n: stages of switches, at least 1.
        levels: u32,
        /// Installed nodes; all kⁿ where absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        installed: Option<u32>,
    },
    /// Hosts with processors and memory of their own. The nodes are the processors, numbered through in the order of the hosts; a job
    /// runs inside one host and holds its processors and its memory there. Source: Chiang 2001, §3.1, Table 4.
    Hosts {
        /// The hosts, at least one.
        hosts: Vec<HostSpec>,
    },
    /// A mini-grid: clusters of identical nodes, numbered through, each joined to a core that carries everything by one link. Jobs may lie in
    /// several clusters. Source: Jones et al. 2004, "Models"; *assumption*: the star.
    Clusters {
        /// Number of clusters, at least 1.
        clusters: u32,
        /// Nodes of each, at least 1.
        #[serde(default = "a_hundred")]
        nodes_per_cluster: u32,
        /// What it costs a job to communicate between clusters.
        #[serde(default)]
        communication: CommunicationModel,
    },
}

fn a_hundred() -> u32 {
    100
}

/// One host of a machine of hosts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostSpec {
    /// Its name; no two hosts have the same.
    pub name: String,
    /// Its processors, at least 1.
    pub processors: u32,
    /// Its memory in megabytes of 1024 kB, at least 1.
    pub memory_mb: u64,
}

impl HostSpec {
    /// Its memory in kilobytes.
    pub fn memory_kb(&self) -> u64 {
        self.memory_mb.saturating_mul(1024)
    }
}

/// The most memory that a host may have, in megabytes; keeps sums of kilobytes far from the end of 64 bits.
const MAX_MEMORY_MB: u64 = 1 << 30;

/// The most nodes a machine may have; bounds memory, and catches a typing error early.
pub const MAX_NODES: u32 = 1 << 22;

impl MachineSpec {
    /// Installed nodes.
    pub fn nodes(&self) -> u32 {
        match self {
            MachineSpec::Flat { nodes } => *nodes,
            MachineSpec::Tree { arity, levels, installed } => {
                installed.unwrap_or_else(|| arity.checked_pow(*levels).unwrap_or(u32::MAX))
            }
            MachineSpec::Hosts { hosts } => {
                hosts.iter().fold(0, |sum: u32, host| sum.saturating_add(host.processors))
            }
            MachineSpec::Clusters { clusters, nodes_per_cluster, .. } => {
                clusters.saturating_mul(*nodes_per_cluster)
            }
        }
    }

    /// The hosts of a machine of hosts; empty for the others.
    pub fn hosts(&self) -> &[HostSpec] {
        match self {
            MachineSpec::Hosts { hosts } => hosts,
            MachineSpec::Flat { .. } | MachineSpec::Tree { .. } | MachineSpec::Clusters { .. } => &[],
        }
    }

    /// The number of clusters of a mini-grid; 1 for the others.
    pub fn clusters(&self) -> u32 {
        match self {
            MachineSpec::Clusters { clusters, .. } => *clusters,
            MachineSpec::Flat { .. } | MachineSpec::Tree { .. } | MachineSpec::Hosts { .. } => 1,
        }
    }

    /// Checks the numbers: at least one node, at most [`MAX_NODES`] positions, no more installed than the tree has; hosts that all
    /// have processors, memory and a name of their own; clusters with nodes, and a communication model that makes sense.
    ///
    /// # Errors
    /// [`SimError::Machine`] with the reason.
    pub fn validate(&self) -> Result<(), SimError> {
        let problem = |reason: String| Err(SimError::Machine { reason });
        match self {
            MachineSpec::Hosts { hosts } => validate_hosts(hosts, self.nodes()).or_else(problem),
            MachineSpec::Clusters { clusters: 0, .. } => {
                problem("a mini-grid needs at least one cluster".into())
            }
            MachineSpec::Clusters { nodes_per_cluster: 0, .. } => {
                problem("a cluster needs at least one node: nodes_per_cluster is 0".into())
            }
            MachineSpec::Clusters { clusters, nodes_per_cluster, .. } if self.nodes() > MAX_NODES => {
                problem(format!(
                    "{clusters} clusters of {nodes_per_cluster} nodes have more than the {MAX_NODES} supported"
                ))
            }
            MachineSpec::Clusters { communication, .. } => communication.validate(),
            MachineSpec::Flat { nodes: 0 } => problem("a machine needs at least one node".into()),
            MachineSpec::Flat { nodes } if *nodes > MAX_NODES => {
                problem(format!("{nodes} nodes are more than the {MAX_NODES} supported"))
            }
            MachineSpec::Flat { .. } => Ok(()),
            &MachineSpec::Tree { arity, levels, installed } => {
                if arity < 2 || levels < 1 {
                    return problem(format!("a {arity}-ary {levels}-tree needs arity >= 2 and levels >= 1"));
                }
                match (arity.checked_pow(levels).filter(|&n| n <= MAX_NODES), installed) {
                    (None, _) => {
                        problem(format!("a {arity}-ary {levels}-tree has more than {MAX_NODES} nodes"))
                    }
                    (_, Some(0)) => problem("a machine needs at least one installed node".into()),
                    (Some(all), Some(some)) if some > all => {
                        problem(format!("{some} installed nodes, but a {arity}-ary {levels}-tree has {all}"))
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}

fn validate_hosts(hosts: &[HostSpec], nodes: u32) -> Result<(), String> {
    if hosts.is_empty() {
        return Err("a machine of hosts needs at least one host".into());
    }
    for (index, HostSpec { name, processors, memory_mb }) in hosts.iter().enumerate() {
        if name.trim().is_empty() {
            return Err(format!("host {} needs a name", index + 1));
        }
        if hosts[..index].iter().any(|other| other.name == *name) {
            return Err(format!("two hosts have the name `{name}`"));
        }
        if *processors == 0 {
            return Err(format!("host `{name}` needs at least one processor"));
        }
        if !(1..=MAX_MEMORY_MB).contains(memory_mb) {
            return Err(format!("host `{name}`: memory_mb {memory_mb} is not in 1..{MAX_MEMORY_MB}"));
        }
    }
    if nodes > MAX_NODES {
        return Err(format!("{nodes} processors are more than the {MAX_NODES} supported"));
    }
    Ok(())
}

/// What decides which jobs a machine can hold: its nodes, and its hosts where it has some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Capacity<'a> {
    /// All nodes.
    pub nodes: u32,
    /// The hosts of a machine of hosts; empty for the others.
    pub hosts: &'a [HostSpec],
    /// Among how many clusters the nodes are divided; 1 on machines that are no mini-grid.
    pub clusters: u32,
}

impl From<u32> for Capacity<'static> {
    fn from(nodes: u32) -> Capacity<'static> {
        Capacity { nodes, hosts: &[], clusters: 1 }
    }
}

impl<'a> From<&'a MachineSpec> for Capacity<'a> {
    fn from(machine: &'a MachineSpec) -> Capacity<'a> {
        Capacity { nodes: machine.nodes(), hosts: machine.hosts(), clusters: machine.clusters() }
    }
}

impl Capacity<'_> {
    /// The most nodes that one job can have.
    pub fn largest_job(&self) -> u32 {
        self.hosts.iter().map(|host| host.processors).max().unwrap_or(self.nodes)
    }

    /// The most memory, in kilobytes, that a job of `size` nodes can have; 0 where no host has so many processors, no limit without
    /// hosts.
    pub fn most_memory_kb(&self, size: u32) -> u64 {
        if self.hosts.is_empty() {
            return u64::MAX;
        }
        let large_enough = self.hosts.iter().filter(|host| host.processors >= size);
        large_enough.map(HostSpec::memory_kb).max().unwrap_or(0)
    }

    /// Whether the idle machine can hold a job of `size` nodes and `memory_kb` kilobytes.
    pub fn holds(&self, size: u32, memory_kb: u64) -> bool {
        size <= self.largest_job() && memory_kb <= self.most_memory_kb(size)
    }
}
