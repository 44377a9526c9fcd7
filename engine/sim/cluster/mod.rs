//! The machine's state during a run: which nodes are free, and when more will be.

pub mod communication;
pub mod hosts;
pub mod machine;
pub mod memory;
pub mod mini_grid;
pub mod network;
pub mod node_set;
pub mod profile;
pub mod tree;

use crate::error::SimError;
use crate::job::JobSlot;
use hosts::Hosts;
use machine::MachineSpec;
use memory::{MemorySpec, Tenants};
use mini_grid::MiniGrid;
use node_set::{NodeSet, Placement};
use tree::{BlockCounts, Shape};

/// The nodes of the machine and which of them are free.
#[derive(Clone, Debug)]
pub struct Cluster {
    nodes: u32,
    free_count: u32,
    free: NodeSet,
    shape: Option<Shape>,
    blocks: Option<BlockCounts>,
    tenants: Option<Tenants>,
    hosts: Option<Hosts>,
    mini_grid: Option<MiniGrid>,
}

/// The links of a mini-grid at one instant, in the unit of the jobs' bandwidths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkUse {
    /// Σ over the links of what is allotted on each.
    pub in_use: f64,
    /// Σ over the links of what each carries.
    pub capacity: f64,
}

impl Cluster {
    /// An idle machine. `count_blocks`: whether free nodes are counted per block of a tree, which only contiguous allocation needs.
    ///
    /// # Errors
    /// [`SimError::Machine`] for impossible numbers.
    pub fn new(machine: &MachineSpec, count_blocks: bool) -> Result<Cluster, SimError> {
        machine.validate()?;
        let nodes = machine.nodes();
        let shape = match *machine {
            MachineSpec::Flat { .. } | MachineSpec::Hosts { .. } | MachineSpec::Clusters { .. } => None,
            MachineSpec::Tree { arity, levels, .. } => Some(Shape { arity, levels }),
        };
        let mini_grid = match *machine {
            MachineSpec::Clusters { clusters, nodes_per_cluster, communication } => {
                Some(MiniGrid::idle(clusters, nodes_per_cluster, communication))
            }
            MachineSpec::Flat { .. } | MachineSpec::Hosts { .. } | MachineSpec::Tree { .. } => None,
        };
        let blocks = shape.filter(|_| count_blocks).map(|shape| BlockCounts::new(shape, nodes));
        let positions = shape.map_or(nodes, |shape| shape.block_size(shape.levels));
        Ok(Cluster {
            nodes,
            free_count: nodes,
            free: NodeSet::lowest(positions, nodes),
            shape,
            blocks,
            tenants: None,
            hosts: Hosts::idle(machine.hosts()),
            mini_grid,
        })
    }

    /// The same, which keeps account of who is allocated to which node, and of the memory of the nodes if `spec` limits it.
    ///
    /// # Errors
    /// [`SimError::Machine`] for impossible numbers, and for a memory of nodes where hosts have their own.
    pub fn with_tenants(mut self, spec: Option<MemorySpec>) -> Result<Cluster, SimError> {
        if self.hosts.is_some() && spec.is_some() {
            let reason = "hosts have memory of their own, `memory` is that of nodes";
            return Err(SimError::Machine { reason: reason.into() });
        }
        spec.map_or(Ok(()), |spec| spec.validate())?;
        self.tenants = Some(Tenants::new(self.nodes, spec));
        Ok(self)
    }

    /// Who is allocated to which node, with how much memory, where account of that is kept.
    pub fn tenants(&self) -> Option<&Tenants> {
        self.tenants.as_ref()
    }

    /// The same, for the kernel to change.
    pub fn tenants_mut(&mut self) -> Option<&mut Tenants> {
        self.tenants.as_mut()
    }

    /// The hosts, where the machine is one of hosts.
    pub fn hosts(&self) -> Option<&Hosts> {
        self.hosts.as_ref()
    }

    /// The clusters, where the machine is a mini-grid.
    pub fn mini_grid(&self) -> Option<&MiniGrid> {
        self.mini_grid.as_ref()
    }

    /// The same, for the kernel to change.
    pub(crate) fn mini_grid_mut(&mut self) -> Option<&mut MiniGrid> {
        self.mini_grid.as_mut()
    }

    /// How many clusters there are: 1 on machines that are no mini-grid.
    pub fn clusters(&self) -> u32 {
        self.mini_grid.as_ref().map_or(1, MiniGrid::clusters)
    }

    /// In how many clusters nodes lie, and whether all lie in one other than `home`; on machines that are no mini-grid in 1, at home.
    pub(crate) fn clusters_of(&self, placement: &Placement, home: u32) -> (u32, bool) {
        let Some(grid) = &self.mini_grid else { return (1, false) };
        let parts = grid.parts(placement);
        (parts.len() as u32, parts.len() == 1 && parts[0].0 != home)
    }

    /// Takes a job off the links between clusters, if it is on some.
    pub(crate) fn disconnect(&mut self, job: JobSlot, spans: u32) {
        if spans > 1
            && let Some(network) = self.mini_grid.as_mut().and_then(MiniGrid::network_mut)
        {
            network.leave(job);
        }
    }

    /// What is used of the links between the clusters; `None` unless they are contended.
    pub fn link_use(&self) -> Option<LinkUse> {
        let network = self.mini_grid.as_ref()?.network()?;
        Some(LinkUse { in_use: network.in_use(), capacity: network.capacity() })
    }

    /// Allocates a job that starts to its nodes, and to it `need_kb` of the memory of each node where nodes have memory.
    pub(crate) fn allocate(&mut self, job: JobSlot, need_kb: u64, placement: &Placement) {
        if let Some(tenants) = &mut self.tenants {
            tenants.allocate(job, need_kb, placement);
        }
    }

    /// Takes a job that has ended, and its memory, off its nodes.
    pub(crate) fn deallocate(&mut self, job: JobSlot, placement: &Placement) {
        if let Some(tenants) = &mut self.tenants {
            tenants.release(job, placement);
        }
    }

    /// Takes memory of a host for a job that starts there.
    pub(crate) fn hold(&mut self, host: Option<usize>, kb: u64) {
        if let (Some(hosts), Some(host)) = (&mut self.hosts, host) {
            hosts.hold(host, kb);
        }
    }

    /// Gives the memory of a host back that an ended job held.
    pub(crate) fn release(&mut self, host: Option<usize>, kb: u64) {
        if let (Some(hosts), Some(host)) = (&mut self.hosts, host) {
            hosts.release(host, kb);
        }
    }

    /// Installed nodes.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Free nodes.
    pub fn free_count(&self) -> u32 {
        self.free_count
    }

    /// Which nodes are free.
    pub fn free(&self) -> &NodeSet {
        &self.free
    }

    /// All installed nodes, free or not.
    pub fn installed(&self) -> NodeSet {
        let positions = self.shape.map_or(self.nodes, |shape| shape.block_size(shape.levels));
        NodeSet::lowest(positions, self.nodes)
    }

    /// The tree's shape, where the machine is one.
    pub fn shape(&self) -> Option<Shape> {
        self.shape
    }

    /// Free nodes per block, where they are counted.
    pub fn blocks(&self) -> Option<&BlockCounts> {
        self.blocks.as_ref()
    }

    /// Takes the nodes; false, and nothing done, where one of them is not free.
    pub fn occupy(&mut self, placement: &Placement) -> bool {
        if !self.free.contains_all(placement) {
            return false;
        }
        self.free.remove(placement);
        self.free_count -= placement.len();
        if let Some(blocks) = &mut self.blocks {
            blocks.take(placement);
        }
        if let Some(hosts) = &mut self.hosts {
            hosts.take(placement);
        }
        if let Some(grid) = &mut self.mini_grid {
            grid.take(placement);
        }
        true
    }

    /// Gives the nodes back; they must have been taken.
    pub fn vacate(&mut self, placement: &Placement) {
        self.free.insert(placement);
        self.free_count += placement.len();
        if let Some(blocks) = &mut self.blocks {
            blocks.give(placement);
        }
        if let Some(hosts) = &mut self.hosts {
            hosts.give(placement);
        }
        if let Some(grid) = &mut self.mini_grid {
            grid.give(placement);
        }
    }
}
