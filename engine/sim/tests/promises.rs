//! Promises: what a job was told it would wait at most, where estimates are upper bounds.

use crate::naive;
use crate::scene::{EASY, EXTEND, Scene};
use crate::watch::{Seen, Watch, has_place};
use crate::workloads::{Accuracy, cases, scenes};
use proptest::prelude::*;
use sim::cluster::Cluster;
use sim::observer::job_log::JobLog;
use sim::policy::EarlyEnd;
use sim::{PolicySpec, simulate};
use std::collections::{BTreeMap, BTreeSet};

/// When the head first finds room if all running jobs take as long as estimated and nobody else starts.
fn shadow_time(scene: &Scene, now: i64, size: u32, running: &BTreeMap<u64, Seen>) -> i64 {
    let end = |seen: &Seen| (seen.start + seen.estimate).max(now + 1);
    let mut ends: Vec<i64> = running.values().map(end).collect();
    ends.sort_unstable();
    let busy_at = |at: i64| -> BTreeSet<u32> {
        running.values().filter(|seen| end(seen) > at).flat_map(|seen| seen.nodes.iter().copied()).collect()
    };
    let setup = &scene.setup;
    ends.into_iter().find(|at| has_place(&setup.machine, &setup.allocator, size, &busy_at(*at))).unwrap()
}

/// The shadow time of every job when a pass first left it at the head of the queue, by arrival; and the starts of all jobs.
fn heads(scene: &Scene) -> (BTreeMap<u64, i64>, Vec<i64>) {
    let mut promised = BTreeMap::new();
    let watch =
        Watch::new(|now, waiting: &BTreeMap<u64, u32>, running: &BTreeMap<u64, Seen>, _: &Cluster| {
            if let Some((&head, &size)) = waiting.first_key_value() {
                promised.entry(head).or_insert_with(|| shadow_time(scene, now, size, running));
            }
        });
    let mut observer = (JobLog::default(), watch);
    simulate(&scene.setup, scene.jobs.iter().copied(), &mut observer).unwrap();
    let starts = observer.0.by_arrival().iter().map(|line| line.start.0).collect();
    (promised, starts)
}

proptest! {
    #![proptest_config(cases(4))]

    #[test]
    fn the_head_of_easy_never_slips(mut scene in scenes(Accuracy::UpperBound), kill: bool) {
        scene.setup.policy = if kill { EASY } else { EXTEND };
        let (promised, starts) = heads(&scene);
        for (head, promise) in promised {
            prop_assert!(starts[head as usize] <= promise, "job {}", scene.jobs[head as usize].id);
        }
    }

    #[test]
    fn a_reservation_that_is_compressed_never_slips(mut scene in scenes(Accuracy::UpperBound)) {
        scene.setup.policy = PolicySpec::Conservative { early_end: EarlyEnd::Compress };
        for (line, twin) in scene.run().lines.iter().zip(naive::run(&scene)) {
            prop_assert!(line.start.0 <= twin.promise.unwrap(), "job {}", line.job.id);
        }
    }

    /// Exact estimates: what is promised is what happens.
    #[test]
    fn with_exact_estimates_conservative_reservations_are_kept_to_the_tick(mut scene in scenes(Accuracy::Exact)) {
        scene.setup.policy = PolicySpec::Conservative { early_end: EarlyEnd::Compress };
        for (line, twin) in scene.run().lines.iter().zip(naive::run(&scene)) {
            prop_assert_eq!(Some(line.start.0), twin.promise, "job {}", line.job.id);
        }
    }
}
