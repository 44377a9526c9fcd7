//! Plain and slow twins of the policies, written from the conventions in words and sharing no code with the library: lists
//! that are searched from end to end, sets of nodes as arrays of truth values, reservations found by trying every instant.
//! All times are ticks.

pub mod classes;
pub mod co_allocation;
mod easy;
pub mod equal;
mod fair;
pub mod hosts;
mod iterative;
pub mod links;
mod planned;
mod reserved;
mod served;
pub mod sizes;
pub mod time_sliced;
mod world;

use crate::scene::Scene;
use sim::policy::fair_share::Settings;
use sim::policy::{EarlyEnd, Overrun, Shadow};
use sim::{AllocatorSpec, EstimateSource, MachineSpec, Passes, PolicySpec};
use world::{Place, Scheme, World};

/// What became of one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub start: i64,
    pub finish: i64,
    pub nodes: Vec<u32>,
    pub backfilled: bool,
    pub killed: bool,
    /// The start that the job was first promised, by policies that promise one at submission.
    pub promise: Option<i64>,
}

/// Runs the scene, slowly; lines in arrival order.
pub fn run(scene: &Scene) -> Vec<Line> {
    let setup = &scene.setup;
    let (positions, shape) = match setup.machine {
        MachineSpec::Flat { nodes } => (nodes, None),
        MachineSpec::Tree { arity, levels, .. } => (arity.pow(levels), Some((arity as usize, levels))),
        MachineSpec::Hosts { .. } | MachineSpec::Clusters { .. } => panic!("not these twins'"),
    };
    let place = match setup.allocator {
        AllocatorSpec::FirstFree => Place::FirstFree,
        AllocatorSpec::Contiguous { relax } => {
            let (arity, levels) = shape.unwrap();
            Place::Block { arity, levels, relax }
        }
        ref other => panic!("not these twins': {other:?}"),
    };
    let actual = setup.estimates == EstimateSource::Actual;
    let mut world = World::new(&scene.jobs, actual, place, setup.machine.nodes(), positions);
    let mut scheme: Box<dyn Scheme> = match setup.policy {
        PolicySpec::Fcfs => Box::new(easy::Fcfs),
        PolicySpec::Easy { overrun, shadow } => {
            let (kill, count) = (overrun == Overrun::KillBackfilled, shadow == Shadow::Count);
            Box::new(easy::Easy { kill, count })
        }
        PolicySpec::Conservative { early_end: EarlyEnd::Compress } => Box::new(reserved::Compress::default()),
        PolicySpec::Conservative { early_end: EarlyEnd::Replan } => {
            Box::new(planned::Planned::conservative())
        }
        PolicySpec::Priority { order, reservations } => Box::new(planned::Planned::new(order, reservations)),
        PolicySpec::TimeSlicing { .. } => panic!("see time_sliced"),
        PolicySpec::PriorityBackfill { .. } => panic!("see hosts"),
        PolicySpec::EqSpatial { .. } => panic!("see equal"),
        PolicySpec::ClassPriority { .. } => panic!("see classes"),
        ref spec @ PolicySpec::FairShare { .. } => {
            let settings = Settings::of(spec).unwrap();
            Box::new(fair::FairShare { settings, nodes: setup.machine.nodes() as usize, kept: None })
        }
        PolicySpec::Iterative => Box::new(iterative::Iterative),
        PolicySpec::CoAllocation { .. } => panic!("see co_allocation"),
    };
    world.run(scheme.as_mut(), setup.passes == Passes::PerEvent);
    world.lines()
}
