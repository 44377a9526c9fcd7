//! What every schedule must satisfy, whatever the policy, the allocator, the passes and the estimates.

use crate::scene::Scene;
use crate::watch::{Seen, Watch, has_place, level_of};
use crate::workloads::{Accuracy, cases, policies, scenes};
use proptest::prelude::*;
use sim::cluster::Cluster;
use sim::observer::job_log::{JobLine, JobLog};
use sim::observer::trace::{Piece, Trace};
use sim::observer::usage::Usage;
use sim::policy::{Order, Overrun, Reservations, Shadow};
use sim::{AllocatorSpec, MachineSpec, Passes, PolicySpec, Span, simulate};
use std::collections::{BTreeMap, BTreeSet};

/// A run, seen by every observer.
struct Watched {
    lines: Vec<JobLine>,
    pieces: Vec<Piece>,
    usage: Usage,
    passes: u64,
    /// By arrival, the first instant after whose pass the head would have had a place.
    idle_heads: BTreeMap<u64, i64>,
}

fn watched(scene: &Scene) -> Watched {
    let setup = &scene.setup;
    let mut idle_heads = BTreeMap::new();
    let watch =
        Watch::new(|now, waiting: &BTreeMap<u64, u32>, running: &BTreeMap<u64, Seen>, _: &Cluster| {
            let busy: BTreeSet<u32> = running.values().flat_map(|seen| seen.nodes.iter().copied()).collect();
            if let Some((&head, &size)) = waiting.first_key_value()
                && has_place(&setup.machine, &setup.allocator, size, &busy)
            {
                idle_heads.entry(head).or_insert(now);
            }
        });
    let mut observer = ((JobLog::default(), Trace::default()), (Usage::default(), watch));
    let report = simulate(setup, scene.jobs.iter().copied(), &mut observer).unwrap();
    let ((log, trace), (usage, _)) = observer;
    assert_eq!(report.jobs as usize, scene.jobs.len());
    Watched { lines: log.by_arrival(), pieces: trace.pieces, usage, passes: report.passes, idle_heads }
}

/// Whether the policy promises that the first job of the queue starts as soon as it fits.
fn favours_the_head(policy: &PolicySpec) -> bool {
    match policy {
        PolicySpec::Fcfs | PolicySpec::Easy { .. } => true,
        PolicySpec::Priority { order, reservations } => {
            *order == Order::Arrival && *reservations != Reservations::AtMost(0)
        }
        PolicySpec::Conservative { .. }
        | PolicySpec::PriorityBackfill { .. }
        | PolicySpec::TimeSlicing { .. }
        | PolicySpec::EqSpatial { .. }
        | PolicySpec::ClassPriority { .. }
        | PolicySpec::FairShare { .. }
        | PolicySpec::Iterative
        | PolicySpec::CoAllocation { .. } => false,
    }
}

/// Who may be killed: a backfilled job beyond its estimate, or any for a head that waits for a count.
fn check_end(line: &JobLine, policy: &PolicySpec) -> Result<(), TestCaseError> {
    let ran = line.finish - line.start;
    if line.killed {
        let kills = matches!(policy, PolicySpec::Easy { overrun: Overrun::KillBackfilled, .. });
        prop_assert!(kills, "{policy:?}");
        let any = matches!(policy, PolicySpec::Easy { shadow: Shadow::Count, .. });
        prop_assert!(line.backfilled && (any || line.job.estimate <= ran), "{line:?}");
        prop_assert!(ran <= line.job.run_time, "{line:?}");
    } else {
        prop_assert_eq!(ran, line.job.run_time);
    }
    Ok(())
}

/// Each node holds one job at a time, over all pieces.
fn check_nodes(pieces: &[Piece]) -> Result<(), TestCaseError> {
    let mut by_node: BTreeMap<u32, Vec<(i64, i64, u64)>> = BTreeMap::new();
    for piece in pieces {
        for node in piece.nodes.nodes() {
            by_node.entry(node).or_default().push((piece.from.0, piece.to.0, piece.job));
        }
    }
    for (node, mut times) in by_node {
        times.sort_unstable();
        for pair in times.windows(2) {
            prop_assert!(pair[0].1 <= pair[1].0, "node {node}: {pair:?}");
        }
    }
    Ok(())
}

/// A contiguous placement lies in one aligned block of the job's level, or of one up to `relax` levels above.
fn check_blocks(scene: &Scene, pieces: &[Piece]) -> Result<(), TestCaseError> {
    let (AllocatorSpec::Contiguous { relax }, MachineSpec::Tree { arity, levels, .. }) =
        (&scene.setup.allocator, &scene.setup.machine)
    else {
        return Ok(());
    };
    for piece in pieces {
        let highest = (level_of(*arity, piece.nodes.len()) + relax).min(*levels);
        let blocks: BTreeSet<u32> = piece.nodes.nodes().map(|node| node / arity.pow(highest)).collect();
        prop_assert_eq!(blocks.len(), 1, "job {} on {:?}", piece.job, piece.nodes);
    }
    Ok(())
}

fn check_schedule(scene: &Scene) -> Result<(), TestCaseError> {
    let run = watched(scene);
    prop_assert_eq!(run.lines.len(), scene.jobs.len());
    prop_assert_eq!(run.pieces.len(), scene.jobs.len());
    let mut work = 0;
    for (arrival, (line, job)) in run.lines.iter().zip(&scene.jobs).enumerate() {
        prop_assert_eq!(line.arrival, arrival as u64);
        prop_assert_eq!(line.job, *job);
        prop_assert!(line.start >= job.submit);
        check_end(line, &scene.setup.policy)?;
        work += i128::from(job.size) * i128::from((line.finish - line.start).0);
    }
    prop_assert_eq!(run.usage.busy_node_ticks, work);
    check_nodes(&run.pieces)?;
    check_blocks(scene, &run.pieces)?;
    // A submission, an end, an expiry and a wake per job and policy of ours, at most.
    prop_assert!(run.passes <= 8 * scene.jobs.len() as u64, "{} passes", run.passes);
    // With one pass per event, the ends of an instant may still be to come after a pass.
    if favours_the_head(&scene.setup.policy) && scene.setup.passes == Passes::PerInstant {
        prop_assert!(run.idle_heads.is_empty(), "{:?}", run.idle_heads);
    }
    if scene.setup.policy == PolicySpec::Fcfs {
        prop_assert!(run.lines.windows(2).all(|pair| pair[0].start <= pair[1].start));
        prop_assert!(run.lines.iter().all(|line| !line.backfilled));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn every_schedule_is_sound(
        scene in prop_oneof![scenes(Accuracy::UpperBound), scenes(Accuracy::Any)],
        policy in policies(),
    ) {
        let mut scene = scene;
        scene.setup.policy = policy;
        check_schedule(&scene)?;
    }

    #[test]
    fn the_same_run_twice_is_the_same(mut scene in scenes(Accuracy::Any), policy in policies()) {
        scene.setup.policy = policy;
        let (first, second) = (scene.run(), scene.run());
        prop_assert_eq!(first.lines, second.lines);
        prop_assert_eq!(first.pieces, second.pieces);
        prop_assert_eq!(first.report, second.report);
    }

    /// Times in ticks that are no whole seconds, as workload models give them.
    #[test]
    fn fractions_of_seconds_are_sound_too(
        mut scene in scenes(Accuracy::Any), policy in policies(), ticks in prop::collection::vec(0i64..3, 40),
    ) {
        for (job, more) in scene.jobs.iter_mut().zip(ticks) {
            job.run_time = Span(job.run_time.0 / 1_000_000 + more);
            job.estimate = Span(job.estimate.0 / 1_000_000 + 2 - more);
            job.submit = sim::Time(job.submit.0 / 1_000_000);
        }
        scene.setup.policy = policy;
        check_schedule(&scene)?;
    }
}
