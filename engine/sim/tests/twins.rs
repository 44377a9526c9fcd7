//! The library against its naive twins, job by job: start, end, nodes, who was backfilled and who was killed.

use crate::naive::{self, Line};
use crate::scene::{EASY, EXTEND, Scene, easy};
use crate::workloads::{Accuracy, cases, deep_scenes, orders, overruns, reservations, scenes};
use proptest::prelude::*;
use proptest::test_runner::Config;
use sim::policy::{EarlyEnd, Shadow};
use sim::{EstimateSource, PolicySpec};

/// Asserts that the library and the twin agree on everything.
pub fn compare(mut scene: Scene, policy: PolicySpec) -> Result<(), TestCaseError> {
    scene.setup.policy = policy;
    let run = scene.run();
    let twin = naive::run(&scene);
    prop_assert_eq!(run.lines.len(), twin.len());
    for (arrival, (line, expected)) in run.lines.iter().zip(twin).enumerate() {
        let found = Line {
            start: line.start.0,
            finish: line.finish.0,
            nodes: run.nodes_of(arrival),
            backfilled: line.backfilled,
            killed: line.killed,
            promise: expected.promise,
        };
        prop_assert_eq!(found, expected, "job {} (library left, twin right)", line.job.id);
    }
    Ok(())
}

fn any_scenes() -> impl Strategy<Value = Scene> {
    prop_oneof![scenes(Accuracy::Exact), scenes(Accuracy::UpperBound), scenes(Accuracy::Any)]
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn fcfs(scene in any_scenes()) {
        compare(scene, PolicySpec::Fcfs)?;
    }

    #[test]
    fn easy_that_kills(scene in any_scenes()) {
        compare(scene, EASY)?;
    }

    #[test]
    fn easy_that_extends(scene in any_scenes()) {
        compare(scene, EXTEND)?;
    }

    #[test]
    fn easy_whose_shadow_counts_nodes(scene in any_scenes(), overrun in overruns()) {
        compare(scene, easy(overrun, Shadow::Count))?;
    }

    #[test]
    fn conservative_compress(scene in any_scenes()) {
        compare(scene, PolicySpec::Conservative { early_end: EarlyEnd::Compress })?;
    }

    #[test]
    fn conservative_replan(scene in any_scenes()) {
        compare(scene, PolicySpec::Conservative { early_end: EarlyEnd::Replan })?;
    }

    #[test]
    fn priority(scene in any_scenes(), order in orders(), reservations in reservations()) {
        compare(scene, PolicySpec::Priority { order, reservations })?;
    }

    #[test]
    fn actual_estimates(mut scene in scenes(Accuracy::Any), compress: bool) {
        scene.setup.estimates = EstimateSource::Actual;
        let early_end = if compress { EarlyEnd::Compress } else { EarlyEnd::Replan };
        compare(scene.clone(), PolicySpec::Conservative { early_end })?;
        compare(scene, EASY)?;
    }
}

proptest! {
    #![proptest_config(Config { cases: 100, max_shrink_iters: 2000, ..cases(1) })]

    #[test]
    fn deep_queues(scene in prop_oneof![deep_scenes(Accuracy::UpperBound), deep_scenes(Accuracy::Any)]) {
        compare(scene.clone(), EASY)?;
        compare(scene.clone(), PolicySpec::Conservative { early_end: EarlyEnd::Compress })?;
        compare(scene, PolicySpec::Conservative { early_end: EarlyEnd::Replan })?;
    }
}
