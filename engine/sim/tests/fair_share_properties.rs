//! Fair shares against their slow twin, and against EASY where no size can be chosen.

use crate::scene::{EXTEND, Scene};
use crate::twins::compare;
use crate::workloads::{Accuracy, cases, scenes};
use proptest::prelude::*;
use sim::policy::fair_share::{
    LaterJobs, LimitRounding, Movable, ReservedSize, RunningWeight, ShareAmong, ShareWeight, SlopeOf,
};
use sim::{AllocatorSpec, EstimateSource, MachineSpec, PolicySpec, Speedup};

fn either<T: Clone + std::fmt::Debug + 'static>(a: T, b: T) -> impl Strategy<Value = T> {
    prop_oneof![Just(a), Just(b)]
}

fn any_fair_share() -> impl Strategy<Value = PolicySpec> {
    let factors = (
        prop_oneof![Just(1.0), Just(2.0), Just(4.0), 0.2..6.0f64],
        prop_oneof![2 => Just(0.0), 2 => Just(1.0), 1 => Just(0.5), 1 => 0.0..1.5f64],
    );
    let weights = (
        either(ShareAmong::WaitingAndRunning, ShareAmong::Waiting),
        either(RunningWeight::Full, RunningWeight::Remaining),
        either(ShareWeight::Requested, ShareWeight::Sequential),
        prop::sample::select(vec![LimitRounding::Floor, LimitRounding::Nearest, LimitRounding::Ceil]),
    );
    let choices = (
        either(LaterJobs::WholeProfile, LaterJobs::StartingNow),
        either(ReservedSize::Renewed, ReservedSize::KeepsSize),
        either(Movable::Directional, Movable::Printed),
        either(SlopeOf::RightDerivative, SlopeOf::ForwardDifference),
    );
    (factors, weights, choices).prop_map(|((overbooking, efficiency), weights, choices)| {
        let (share_among, running_weight, share_weight, limit_rounding) = weights;
        let (later_jobs, reserved_size, movable, slope) = choices;
        PolicySpec::FairShare {
            overbooking,
            efficiency,
            share_among,
            running_weight,
            share_weight,
            limit_rounding,
            later_jobs,
            reserved_size,
            movable,
            slope,
        }
    })
}

/// On a machine of interchangeable nodes; times with fractions, as those of moldable jobs are.
fn flat(mut scene: Scene, most: u32) -> Scene {
    let nodes = 1 + scene.setup.machine.nodes() % most;
    scene.setup.machine = MachineSpec::Flat { nodes };
    scene.setup.allocator = AllocatorSpec::FirstFree;
    for job in &mut scene.jobs {
        job.size = 1 + job.size % nodes;
    }
    scene
}

fn any_scenes() -> impl Strategy<Value = Scene> {
    prop_oneof![scenes(Accuracy::Exact), scenes(Accuracy::UpperBound), scenes(Accuracy::Any)]
}

/// On a tree, in aligned blocks.
fn on_a_tree(mut scene: Scene, (arity, levels, relax): (u32, u32, u32)) -> Scene {
    let nodes = arity.pow(levels);
    // Some leaves may be missing.
    let installed = scene.setup.machine.nodes().is_multiple_of(3).then_some(nodes - nodes / 4);
    scene.setup.machine = MachineSpec::Tree { arity, levels, installed };
    scene.setup.allocator = AllocatorSpec::Contiguous { relax };
    for job in &mut scene.jobs {
        job.size = 1 + job.size % (nodes - nodes / 4);
    }
    scene
}

fn any_shape() -> impl Strategy<Value = (u32, u32, u32)> {
    let shapes = prop::sample::select(vec![(2u32, 3u32), (2, 4), (3, 2), (4, 2)]);
    (shapes, 0u32..2).prop_map(|((arity, levels), relax)| (arity, levels, relax))
}

fn molded_on_trees() -> impl Strategy<Value = Scene> {
    (moldable_scenes(), any_shape()).prop_map(|(scene, shape)| on_a_tree(scene, shape))
}

fn moldable_scenes() -> impl Strategy<Value = Scene> {
    let sigma = prop_oneof![Just(0.0), Just(1.0), 0.0..2.0f64];
    let parallelism = prop_oneof![Just(1.0), Just(12.0), 1.0..16.0f64];
    let speedup = (parallelism, sigma).prop_map(|(parallelism, sigma)| Speedup { parallelism, sigma });
    let speedups = prop::collection::vec(prop::option::weighted(0.85, speedup), 40);
    (any_scenes(), speedups).prop_map(|(scene, speedups)| {
        let mut scene = flat(scene, 16);
        for (job, speedup) in scene.jobs.iter_mut().zip(speedups) {
            job.speedup = speedup;
        }
        scene
    })
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn fair_shares_are_those_of_the_twin(scene in moldable_scenes(), policy in any_fair_share()) {
        compare(scene, policy)?;
    }

    #[test]
    fn in_blocks_of_a_tree_as_well(scene in molded_on_trees(), policy in any_fair_share()) {
        compare(scene, policy)?;
    }

    #[test]
    fn exact_estimates_too(mut scene in moldable_scenes(), policy in any_fair_share()) {
        scene.setup.estimates = EstimateSource::Actual;
        compare(scene, policy)?;
    }

    /// A rigid job may run on the nodes that it asks for only, so all that is left is one reservation in arrival order.
    #[test]
    fn with_rigid_jobs_it_is_easy(scene in any_scenes(), policy in any_fair_share()) {
        let mut scene = flat(scene, 81);
        scene.setup.policy = EXTEND;
        let easy = scene.run().lines;
        scene.setup.policy = policy;
        prop_assert_eq!(scene.run().lines, easy);
    }

    #[test]
    fn with_rigid_jobs_it_is_easy_on_trees_too(
        scene in any_scenes(),
        shape in any_shape(),
        policy in any_fair_share(),
    ) {
        let mut scene = on_a_tree(scene, shape);
        scene.setup.policy = EXTEND;
        let easy = scene.run().lines;
        scene.setup.policy = policy;
        prop_assert_eq!(scene.run().lines, easy);
    }

    /// Every job runs for its time on its nodes, and no node has two.
    #[test]
    fn schedules_are_sound(mut scene in prop_oneof![moldable_scenes(), molded_on_trees()], policy in any_fair_share()) {
        scene.setup.policy = policy;
        let run = scene.run();
        let mut taken: Vec<(u32, i64, i64)> = Vec::new();
        for piece in &run.pieces {
            taken.extend(piece.nodes.nodes().map(|node| (node, piece.from.0, piece.to.0)));
        }
        taken.sort_unstable();
        prop_assert!(taken.windows(2).all(|two| two[0].0 != two[1].0 || two[0].2 <= two[1].1));
        for line in &run.lines {
            prop_assert_eq!(line.finish - line.start, line.job.run_time_on(line.size));
            prop_assert!(line.job.speedup.is_some() || line.size == line.job.size);
        }
    }
}
