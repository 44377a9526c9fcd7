//! Allocators: which nodes a job gets. An allocator decides where, never when or how many.

mod contiguous;
mod first_free;
mod room;

pub use room::Room;

use crate::cluster::Cluster;
use crate::cluster::machine::MachineSpec;
use crate::cluster::node_set::Placement;
use crate::cluster::tree::Shape;
use crate::error::SimError;
use crate::time::Time;
use serde::{Deserialize, Serialize};

/// Where jobs go. All methods are pure: they answer, the kernel acts.
pub trait Allocator {
    /// The nodes for a job of `size`, none of them in `avoid`; `None` where there is no room.
    fn place(&self, size: u32, cluster: &Cluster, avoid: &Placement) -> Option<Placement>;

    /// Which sizes [`place`](Allocator::place) would find room for.
    fn room(&self, cluster: &Cluster, avoid: &Placement) -> Room;

    /// The nodes for a job of `size` if the free nodes were those of `free` (bit words, node 0 lowest); what reservations that
    /// lie in the future ask.
    fn place_in(&self, size: u32, free: &[u64]) -> Option<Placement>;

    /// When a placement for `size` nodes first becomes possible, if nodes come free as `releases` says (ascending times, all
    /// later than now; every release of one instant counts), and what others may use until then. `None`: never.
    fn reserve(
        &self,
        size: u32,
        cluster: &Cluster,
        releases: &mut dyn Iterator<Item = Release<'_>>,
    ) -> Option<Reservation>;

    /// Whether nodes are interchangeable to this allocator, so that counting them is enough.
    fn counts_only(&self) -> bool;
}

/// Nodes that are expected to come free.
#[derive(Clone, Copy, Debug)]
pub struct Release<'a> {
    /// When.
    pub at: Time,
    /// Which.
    pub nodes: &'a Placement,
}

/// A reservation for the one job that has priority.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// The shadow time: when the placement becomes possible.
    pub at: Time,
    /// What jobs that run beyond the shadow time may use.
    pub spare: Spare,
}

/// What jobs that run beyond a shadow time may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spare {
    /// So many nodes, whichever (the extra nodes).
    Count(u32),
    /// All nodes but these.
    AllBut(Placement),
}

/// The reservation for `size` of interchangeable nodes, of which `free` are free now and fewer than `size`; `None`: never.
pub fn reserve_count(
    size: u32,
    mut free: u32,
    releases: &mut dyn Iterator<Item = Release<'_>>,
) -> Option<Reservation> {
    let mut reached = None;
    for release in releases {
        if reached.is_some_and(|at| release.at > at) {
            break;
        }
        free += release.nodes.len();
        if free >= size {
            reached = Some(release.at);
        }
    }
    reached.map(|at| Reservation { at, spare: Spare::Count(free - size) })
}

/// An allocator as an experiment writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum AllocatorSpec {
    /// The lowest-numbered free nodes ("non-contiguous" in Pascual & Miguel-Alonso 2008, §III).
    #[default]
    FirstFree,
    /// The first aligned block of the job's level in a k-ary n-tree that has enough free nodes.
    Contiguous {
        /// How many levels above the job's own are searched when its own level has no room (0 in the paper; 1 is its
        /// future work).
        #[serde(default)]
        relax: u32,
    },
}

impl AllocatorSpec {
    /// The allocator that behaves as written, for a machine of this shape.
    ///
    /// # Errors
    /// [`SimError::Setup`] where the allocator does not fit the machine.
    pub fn build(&self, machine: &MachineSpec) -> Result<Box<dyn Allocator>, SimError> {
        match (self, machine) {
            (AllocatorSpec::FirstFree, _) => Ok(Box::new(first_free::FirstFree)),
            (&AllocatorSpec::Contiguous { relax }, &MachineSpec::Tree { arity, levels, .. }) => {
                Ok(Box::new(contiguous::Contiguous { relax, shape: Shape { arity, levels } }))
            }
            (AllocatorSpec::Contiguous { .. }, MachineSpec::Flat { .. }) => Err(SimError::Setup {
                reason: "contiguous allocation needs a tree machine: machine: Tree(arity: k, levels: n)"
                    .into(),
            }),
        }
    }
}
