//! Sizes by iterative search: schedules worked out by hand, and what holds of whole runs.

use crate::naive;
use crate::scene::{Run, Scene};
use crate::workloads::{Accuracy, cases, scenes};
use proptest::prelude::*;
use sim::policy::EarlyEnd;
use sim::{AllocatorSpec, Job, PolicySpec, SimError, Speedup};

/// Size, start and finish of every job, in seconds.
fn ran(text: &str) -> Vec<(u32, f64, f64)> {
    let run = Scene::parse(text, PolicySpec::Iterative).run();
    run.lines.iter().map(|line| (line.size, line.start.as_secs_f64(), line.finish.as_secs_f64())).collect()
}

/// All on one node: 24 + 12. a on 2: 12 + 12. b, which gains 6 by its second node where a gains 4 by its third: 12 + 6. Then a on 3 would
/// push b to 8 (8 + 14), b on 3 would wait for a (12 + 16).
#[test]
fn nodes_go_where_they_gain_most_as_long_as_the_average_falls() {
    assert_eq!(ran("nodes 4; a 0 1x24~4,0; b 0 1x12~4,0"), [(2, 0.0, 12.0), (2, 0.0, 6.0)]);
}

/// A perfect speedup may be no use: the requested size is only where the run time was taken.
#[test]
fn the_requested_size_is_not_kept() {
    assert_eq!(ran("nodes 8; a 0 2x12~3,0"), [(3, 0.0, 8.0)]);
}

/// At 0, b alone would have both nodes from 4 on. By then c is there too, and two nodes for one, then for the other, are no better than one for each.
#[test]
fn sizes_are_chosen_anew_at_every_event() {
    let jobs = "a 0 2x4; b 0 1x8~2,0";
    assert_eq!(ran(&format!("nodes 2; {jobs}"))[1], (2, 4.0, 8.0));
    let both = ran(&format!("nodes 2; {jobs}; c 3 1x8~2,0"));
    assert_eq!(both[1..], [(1, 4.0, 12.0), (1, 4.0, 12.0)]);
}

/// a's estimate on 2 nodes is 10, though it runs for 2: that is what b's plan reckons with, and b starts when a really ends.
#[test]
fn plans_go_by_the_estimates_on_the_chosen_sizes() {
    assert_eq!(ran("nodes 2; a 0 1x4/20~2,0; b 1 2x3"), [(2, 0.0, 2.0), (2, 2.0, 5.0)]);
}

/// b may not delay a, which arrived before it: a backfills nobody.
#[test]
fn later_jobs_grow_only_where_they_pay_for_the_delay() {
    // With b on 1: a at 4 (4 + 6), b at 0 (8). b on 2 would start after a.
    assert_eq!(ran("nodes 2; x 0 1x4; a 0 2x2; b 0 1x4~1,0"), [(1, 0.0, 4.0), (2, 4.0, 6.0), (1, 0.0, 4.0)]);
}

#[test]
fn it_needs_nodes_that_are_all_the_same() {
    for text in ["tree 2x2 contiguous; a 0 1x4", "hosts 4@8; a 0 1x4"] {
        let error = Scene::parse(text, PolicySpec::Iterative).try_run().unwrap_err();
        assert!(
            matches!(&error, SimError::Setup { reason } if reason.starts_with("Iterative plans ")),
            "{error}"
        );
    }
}

/// Any scene with the policy; every other job or so gets a speedup.
fn moldable_scenes(accuracy: Accuracy) -> impl Strategy<Value = Scene> {
    let speedup = (1.0..20.0f64, 0.0..3.0f64).prop_map(|(parallelism, sigma)| Speedup { parallelism, sigma });
    let speedups = prop::collection::vec(prop::option::weighted(0.7, speedup), 40);
    (scenes(accuracy), speedups).prop_map(|(mut scene, speedups)| {
        scene.setup.policy = PolicySpec::Iterative;
        scene.setup.allocator = AllocatorSpec::FirstFree;
        scene.jobs.iter_mut().zip(speedups).for_each(|(job, speedup)| job.speedup = speedup);
        scene
    })
}

fn compare(scene: &Scene) -> Result<(), TestCaseError> {
    let run = scene.run();
    for (arrival, (line, twin)) in run.lines.iter().zip(naive::run(scene)).enumerate() {
        prop_assert_eq!(line.size as usize, twin.nodes.len());
        prop_assert_eq!((line.start.0, line.finish.0), (twin.start, twin.finish), "job {}", line.job.id);
        prop_assert_eq!(run.nodes_of(arrival), twin.nodes);
        prop_assert_eq!(line.finish - line.start, line.job.run_time_on(line.size));
    }
    Ok(())
}

fn under(scene: &Scene, policy: PolicySpec) -> Run {
    let mut scene = scene.clone();
    scene.setup.policy = policy;
    scene.run()
}

proptest! {
    #![proptest_config(cases(2))]

    #[test]
    fn runs_are_those_of_the_naive_twin(
        scene in prop_oneof![moldable_scenes(Accuracy::Exact), moldable_scenes(Accuracy::UpperBound), moldable_scenes(Accuracy::Any)],
    ) {
        compare(&scene)?;
    }

    /// Without anything to choose, it is conservative backfilling with all reservations made anew.
    #[test]
    fn rigid_jobs_are_backfilled_conservatively(mut scene in moldable_scenes(Accuracy::Any)) {
        scene.jobs = scene.jobs.iter().map(|job| Job { speedup: None, ..*job }).collect();
        let replanned = under(&scene, PolicySpec::Conservative { early_end: EarlyEnd::Replan });
        let run = scene.run();
        prop_assert_eq!(&run.lines, &replanned.lines);
        prop_assert_eq!(&run.pieces, &replanned.pieces);
    }
}
