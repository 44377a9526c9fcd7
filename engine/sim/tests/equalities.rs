//! Policies, allocators and machines that must give the same schedule, because one is a special case of the other.

use crate::scene::{EASY as KILL, EXTEND, Run, Scene, easy};
use crate::workloads::{Accuracy, cases, policies, scenes, tree_scenes};
use proptest::prelude::*;
use sim::job::JobSlot;
use sim::kernel::{Pass, simulate_with};
use sim::observer::job_log::JobLog;
use sim::observer::trace::Trace;
use sim::policy::{EarlyEnd, Order, Overrun, Policy, Reservations, Shadow};
use sim::{AllocatorSpec, MachineSpec, Passes, PolicySpec};

const COMPRESS: PolicySpec = PolicySpec::Conservative { early_end: EarlyEnd::Compress };
const REPLAN: PolicySpec = PolicySpec::Conservative { early_end: EarlyEnd::Replan };

fn arrival_order(reservations: Reservations) -> PolicySpec {
    PolicySpec::Priority { order: Order::Arrival, reservations }
}

fn under(mut scene: Scene, policy: PolicySpec) -> Run {
    scene.setup.policy = policy;
    scene.run()
}

/// The same times and the same nodes.
fn same(a: &Run, b: &Run) -> Result<(), TestCaseError> {
    prop_assert_eq!(&a.lines, &b.lines);
    prop_assert_eq!(&a.pieces, &b.pieces);
    Ok(())
}

fn same_starts(a: &Run, b: &Run) -> Result<(), TestCaseError> {
    for (a, b) in a.lines.iter().zip(&b.lines) {
        prop_assert_eq!(a.start, b.start, "job {}", a.job.id);
    }
    Ok(())
}

/// Starts every waiting job that fits, in arrival order.
struct Greedy;

impl Policy for Greedy {
    fn name(&self) -> &'static str {
        "greedy"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        for job in pass.waiting().collect::<Vec<JobSlot>>() {
            pass.start(job);
        }
    }
}

fn greedily(scene: &Scene) -> Run {
    let mut observer = (JobLog::default(), Trace::default());
    let jobs = scene.jobs.iter().copied();
    let report = simulate_with(Box::new(Greedy), &scene.setup, jobs, &mut observer).unwrap();
    Run { lines: observer.0.by_arrival(), pieces: observer.1.pieces, report }
}

proptest! {
    #![proptest_config(cases(4))]

    #[test]
    fn one_reservation_is_easy(scene in scenes(Accuracy::Any)) {
        same(&under(scene.clone(), arrival_order(Reservations::AtMost(1))), &under(scene, EXTEND))?;
    }

    #[test]
    fn reservations_for_all_are_conservative_backfilling_replanned(scene in scenes(Accuracy::Any)) {
        same(&under(scene.clone(), arrival_order(Reservations::All)), &under(scene, REPLAN))?;
    }

    #[test]
    fn more_reservations_than_jobs_are_reservations_for_all(scene in scenes(Accuracy::Any)) {
        let many = arrival_order(Reservations::AtMost(scene.jobs.len() as u32));
        same(&under(scene.clone(), arrival_order(Reservations::All)), &under(scene, many))?;
    }

    #[test]
    fn compressing_is_replanning_where_estimates_are_exact(mut scene in scenes(Accuracy::Exact)) {
        // With one pass per event, a plan made between two ends of an instant may be another.
        scene.setup.passes = Passes::PerInstant;
        same_starts(&under(scene.clone(), COMPRESS), &under(scene, REPLAN))?;
    }

    #[test]
    fn no_reservation_is_a_greedy_scan(scene in scenes(Accuracy::Any)) {
        same(&under(scene.clone(), arrival_order(Reservations::AtMost(0))), &greedily(&scene))?;
    }

    #[test]
    fn nobody_is_killed_where_estimates_are_upper_bounds(scene in scenes(Accuracy::UpperBound)) {
        same(&under(scene.clone(), KILL), &under(scene, EXTEND))?;
    }

    /// Where nodes are interchangeable, enough of them are a placement.
    #[test]
    fn under_first_free_a_placement_is_a_count(scene in tree_scenes(Accuracy::Any), kill: bool) {
        let overrun = if kill { Overrun::KillBackfilled } else { Overrun::Extend };
        let count = under(scene.clone(), easy(overrun, Shadow::Count));
        same(&count, &under(scene, easy(overrun, Shadow::Placement)))?;
    }

    #[test]
    fn on_one_node_all_policies_in_arrival_order_are_fcfs(mut scene in scenes(Accuracy::Any)) {
        scene.setup.machine = MachineSpec::Flat { nodes: 1 };
        scene.setup.allocator = AllocatorSpec::FirstFree;
        scene.jobs.iter_mut().for_each(|job| job.size = 1);
        let fcfs = under(scene.clone(), PolicySpec::Fcfs);
        let zero = arrival_order(Reservations::AtMost(0));
        for policy in [KILL, EXTEND, COMPRESS, REPLAN, zero, arrival_order(Reservations::All)] {
            same(&fcfs, &under(scene.clone(), policy))?;
        }
    }

    /// With as many levels of relaxation as there are, the root is searched at last, which holds every free node.
    #[test]
    fn contiguous_allocation_relaxed_to_the_root_fits_as_counting_does(scene in tree_scenes(Accuracy::Any)) {
        let MachineSpec::Tree { levels, .. } = scene.setup.machine else { unreachable!() };
        let mut relaxed = scene.clone();
        relaxed.setup.allocator = AllocatorSpec::Contiguous { relax: levels };
        for policy in [PolicySpec::Fcfs, arrival_order(Reservations::AtMost(0))] {
            same_starts(&under(scene.clone(), policy.clone()), &under(relaxed.clone(), policy))?;
        }
    }

    #[test]
    fn to_a_tree_of_one_level_contiguous_is_first_free(mut scene in scenes(Accuracy::Any)) {
        let nodes = scene.setup.machine.nodes();
        scene.setup.machine = MachineSpec::Tree { arity: nodes.max(2), levels: 1, installed: Some(nodes) };
        let mut contiguous = scene.clone();
        scene.setup.allocator = AllocatorSpec::FirstFree;
        contiguous.setup.allocator = AllocatorSpec::Contiguous { relax: 0 };
        for policy in [PolicySpec::Fcfs, arrival_order(Reservations::AtMost(0))] {
            same(&under(scene.clone(), policy.clone()), &under(contiguous.clone(), policy))?;
        }
    }

    #[test]
    fn under_first_free_a_tree_is_a_heap_of_nodes(scene in tree_scenes(Accuracy::Any), policy in policies()) {
        let mut flat = scene.clone();
        flat.setup.machine = MachineSpec::Flat { nodes: scene.setup.machine.nodes() };
        same(&under(scene, policy.clone()), &under(flat, policy))?;
    }

    /// FCFS asks only whether the head fits; the last pass of an instant finds what the only one would.
    #[test]
    fn where_nodes_only_count_fcfs_does_not_mind_more_passes(mut scene in tree_scenes(Accuracy::Any)) {
        scene.setup.passes = Passes::PerInstant;
        let once = under(scene.clone(), PolicySpec::Fcfs);
        scene.setup.passes = Passes::PerEvent;
        same_starts(&once, &under(scene, PolicySpec::Fcfs))?;
    }

    /// Where no two events share an instant, the two ways to count passes are one.
    #[test]
    fn without_simultaneous_events_a_pass_per_event_is_a_pass_per_instant(
        mut scene in scenes(Accuracy::UpperBound), policy in policies(),
    ) {
        // Every job's times get a power of two of ticks of its own, so that few sums are equal.
        scene.jobs.truncate(14);
        for (index, job) in scene.jobs.iter_mut().enumerate() {
            let own = sim::Span(1 << index);
            job.submit += own;
            job.run_time += own;
            job.estimate += own;
        }
        scene.jobs.sort_by_key(|job| job.submit);
        let distinct: std::collections::BTreeSet<_> = scene.jobs.iter().map(|job| job.submit).collect();
        prop_assert_eq!(distinct.len(), scene.jobs.len());
        scene.setup.passes = Passes::PerInstant;
        let once = under(scene.clone(), policy.clone());
        let mut instants: Vec<_> = once.lines.iter().flat_map(|line| [line.job.submit, line.finish]).collect();
        instants.sort();
        if instants.windows(2).any(|pair| pair[0] == pair[1]) {
            return Ok(());
        }
        scene.setup.passes = Passes::PerEvent;
        same(&once, &under(scene, policy))?;
    }
}
