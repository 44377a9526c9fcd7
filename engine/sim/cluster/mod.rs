//! The machine's state during a run: which nodes are free, and when more will be.

pub mod machine;
pub mod memory;
pub mod node_set;
pub mod profile;
pub mod tree;

use crate::error::SimError;
use machine::MachineSpec;
use memory::{MemorySpec, Tenants};
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
            MachineSpec::Flat { .. } => None,
            MachineSpec::Tree { arity, levels, .. } => Some(Shape { arity, levels }),
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
        })
    }

    /// The same, which keeps account of who is allocated to which node, and of the memory of the nodes if `spec` limits it.
    ///
    /// # Errors
    /// [`SimError::Machine`] for impossible numbers.
    pub fn with_tenants(mut self, spec: Option<MemorySpec>) -> Result<Cluster, SimError> {
        spec.map_or(Ok(()), |spec| spec.validate())?;
        self.tenants = Some(Tenants::new(self.nodes, spec));
        Ok(self)
    }

    /// Who is allocated to which node, with how much memory, where account of that is kept.
    pub fn tenants(&self) -> Option<&Tenants> {
        self.tenants.as_ref()
    }

    /// The same, for the kernel to change.
    pub(crate) fn tenants_mut(&mut self) -> Option<&mut Tenants> {
        self.tenants.as_mut()
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
        true
    }

    /// Gives the nodes back; they must have been taken.
    pub fn vacate(&mut self, placement: &Placement) {
        self.free.insert(placement);
        self.free_count += placement.len();
        if let Some(blocks) = &mut self.blocks {
            blocks.give(placement);
        }
    }
}
