//! Allocators: which nodes a job gets. An allocator decides where, never when or how many.

mod contiguous;
mod first_free;
mod intelligent;
mod memory_aware;
mod room;

pub use room::Room;

use crate::cluster::Cluster;
use crate::cluster::machine::MachineSpec;
use crate::cluster::node_set::{NodeSet, Placement, lowest_in};
use crate::cluster::tree::Shape;
use crate::error::SimError;
use crate::job::JobSlot;
use crate::time::{Span, Time};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Where jobs go. All methods are pure: they answer, the kernel acts. What they answer by themselves is right where any free nodes will do, whichever an
/// allocator prefers; one that cannot use every free node answers all of them itself.
pub trait Allocator {
    /// The nodes for a job that could start now; `None` where there is no room.
    fn place(&self, asked: &Asked<'_>, cluster: &Cluster) -> Option<Placement>;

    /// Which sizes [`place`](Allocator::place) would find room for on the nodes outside of `avoid`.
    fn room(&self, cluster: &Cluster, avoid: &Placement) -> Room {
        Room::any(cluster, avoid)
    }

    /// The nodes for a job of `size` if the free nodes were those of `free` (bit words, node 0 lowest); what reservations that
    /// lie in the future ask.
    fn place_in(&self, size: u32, free: &[u64]) -> Option<Placement> {
        lowest_in(free, size)
    }

    /// Which sizes [`place_in`](Allocator::place_in) would find room for.
    fn room_in(&self, free: &[u64]) -> Room {
        Room::up_to(free.iter().map(|word| word.count_ones()).sum())
    }

    /// When a placement for `size` nodes first becomes possible, if nodes come free as `releases` says (ascending times, all
    /// later than now; every release of one instant counts), and what others may use until then. `None`: never.
    fn reserve(
        &self,
        size: u32,
        cluster: &Cluster,
        releases: &mut dyn Iterator<Item = Release<'_>>,
    ) -> Option<Reservation> {
        reserve_count(size, cluster.free_count(), releases)
    }

    /// Whether nodes are interchangeable to this allocator, so that counting them is enough.
    fn counts_only(&self) -> bool {
        true
    }

    /// Whether it asks the cluster who is allocated where.
    fn looks_at_tenants(&self) -> bool {
        false
    }
}

/// What a job asks for, and what an allocator may want to know to answer.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// Nodes.
    pub size: u32,
    /// Memory in kilobytes: per node; on a machine of hosts, of the job.
    pub memory_kb: u64,
    /// Nodes it must not get.
    pub avoid: &'a Placement,
    /// Of a job that is allocated somewhere: how long it is expected to need its nodes yet, and its position in the arrival order.
    pub outlook: &'a dyn Fn(JobSlot) -> (Span, u64),
}

impl Asked<'_> {
    /// So many nodes, any of them, for a job without memory.
    pub fn nodes(size: u32, avoid: &Placement) -> Asked<'_> {
        Asked { size, memory_kb: 0, avoid, outlook: &|_| (Span::ZERO, 0) }
    }

    /// The free nodes that are not to be avoided.
    pub fn candidates<'c>(&self, cluster: &'c Cluster) -> Cow<'c, NodeSet> {
        let mut free = Cow::Borrowed(cluster.free());
        if !self.avoid.is_empty() {
            free.to_mut().remove(self.avoid);
        }
        free
    }
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
    /// The free nodes to which the fewest jobs are allocated (Scojo-PECT's "intelligent" or "basic" node selection; Esbaugh 2010, §4.1).
    IntelligentNodeSelection,
    /// The two-stage heuristic (Esbaugh 2010, §4.2, Fig. 14, App. B): nodes that hold the job beside all that is allocated there, else those that
    /// will do so soonest.
    MemoryAware {
        /// How nodes are chosen where enough of them hold the job.
        first: Fit,
        /// How the rest are chosen where not.
        second: Fit,
        /// Which nodes count as unable to hold the job.
        #[serde(default)]
        unfit_nodes: UnfitNodes,
        /// What those are ranked by.
        #[serde(default)]
        time_until_fit: TimeUntilFit,
    },
}

/// Which of several nodes a job gets, by what is free of their memory (Esbaugh 2010, §4.2, App. C).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fit {
    /// Least free memory first; ties: lower number.
    BestFit,
    /// Most free memory first; ties: higher number, because it is the list of best fit taken from its end (Fig. 23).
    WorstFit,
    /// Lower number first.
    FirstFit,
}

/// Which nodes the second stage counts as unable to hold the job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum UnfitNodes {
    /// Those that cannot hold it beside all that is allocated to them (§4.2).
    #[default]
    CannotHoldAll,
    /// Those whose allocated memory is less than what the job needs, empty ones included (App. B, as printed).
    AsPrinted,
}

/// What those nodes are ranked by; ties: lower number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeUntilFit {
    /// When enough of the jobs allocated there will have ended for all others and the job to fit together (§4.2).
    #[default]
    AllFit,
    /// When the first of the jobs allocated there will have ended (Fig. 14, App. B).
    SoonestRelease,
}

impl AllocatorSpec {
    /// The allocator that behaves as written, for a machine of this shape.
    ///
    /// # Errors
    /// [`SimError::Setup`] where the allocator does not fit the machine.
    pub fn build(&self, machine: &MachineSpec) -> Result<Box<dyn Allocator>, SimError> {
        match (self, machine) {
            (AllocatorSpec::FirstFree, _) => Ok(Box::new(first_free::FirstFree)),
            (AllocatorSpec::IntelligentNodeSelection, MachineSpec::Hosts { .. }) => {
                Err(not_on_hosts("IntelligentNodeSelection"))
            }
            (AllocatorSpec::MemoryAware { .. }, MachineSpec::Hosts { .. }) => {
                Err(not_on_hosts("MemoryAware"))
            }
            (AllocatorSpec::IntelligentNodeSelection, _) => {
                Ok(Box::new(intelligent::IntelligentNodeSelection))
            }
            (&AllocatorSpec::MemoryAware { first, second, unfit_nodes, time_until_fit }, _) => {
                Ok(Box::new(memory_aware::MemoryAware { first, second, unfit_nodes, time_until_fit }))
            }
            (&AllocatorSpec::Contiguous { relax }, &MachineSpec::Tree { arity, levels, .. }) => {
                Ok(Box::new(contiguous::Contiguous { relax, shape: Shape { arity, levels } }))
            }
            (AllocatorSpec::Contiguous { .. }, _) => Err(SimError::Setup {
                reason: "contiguous allocation needs a tree machine: machine: Tree(arity: k, levels: n)"
                    .into(),
            }),
        }
    }
}

fn not_on_hosts(allocator: &str) -> SimError {
    SimError::Setup {
        reason: format!("{allocator} chooses among nodes of one pool; on a machine of hosts use FirstFree"),
    }
}
