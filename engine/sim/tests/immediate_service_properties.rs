//! Test runs beside priority backfilling: their slow twin, and what holds of every schedule.

use crate::naive::hosts::{self, seconds};
use crate::priority_backfill_properties::{any_policy, host_of};
use crate::scene::{Run, Scene};
use crate::workloads::{Accuracy, cases, hosts_scenes};
use proptest::prelude::*;
use sim::PolicySpec;
use sim::policy::{ImmediateService, ServiceForm};

fn any_service() -> impl Strategy<Value = ImmediateService> {
    let forms =
        prop::sample::select(vec![ServiceForm::Preemptive, ServiceForm::Preemptive, ServiceForm::Soon]);
    (1u64..6, 0u64..6, forms, 0u64..4).prop_map(|(quantum_s, initial_mb, form, settled_quanta)| {
        ImmediateService { quantum_s, initial_mb, form, settled_quanta }
    })
}

/// Scenes with any policy of priority backfilling and test runs, and jobs that need less memory than they ask for.
fn scenes() -> impl Strategy<Value = (Scene, ImmediateService)> {
    let peaks = prop::collection::vec(0u64..8192, 30);
    let jobs = hosts_scenes(1..30, Accuracy::Any);
    (jobs, any_policy(), any_service(), peaks).prop_map(|(mut scene, mut policy, service, peaks)| {
        if let PolicySpec::PriorityBackfill { immediate_service, .. } = &mut policy {
            *immediate_service = Some(service);
        }
        scene.setup.policy = policy;
        for (job, peak) in scene.jobs.iter_mut().zip(peaks) {
            job.peak_memory_kb = peak.min(job.memory_kb);
        }
        (scene, service)
    })
}

/// When a job had processors, in whole seconds.
fn pieces(run: &Run, arrival: usize) -> Vec<(i64, i64)> {
    let own = run.pieces.iter().filter(|piece| piece.arrival == arrival as u64);
    own.map(|piece| (seconds(piece.from.0), seconds(piece.to.0))).collect()
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn tests_and_victims_are_those_of_the_twin((scene, _) in scenes()) {
        let (run, twin) = (scene.run(), hosts::run_to_end(&scene));
        let expected = twin.pieces();
        for (arrival, line) in run.lines.iter().enumerate() {
            let stay = twin.stays[arrival].unwrap();
            prop_assert_eq!((arrival, pieces(&run, arrival)), (arrival, expected[arrival].clone()));
            prop_assert_eq!((seconds(line.start.0), seconds(line.finish.0)), (stay.start, stay.finish));
            let last = run.pieces.iter().rfind(|piece| piece.arrival == arrival as u64).unwrap();
            prop_assert_eq!(host_of(&scene, last.nodes.nodes().next().unwrap()), stay.host);
        }
    }

    #[test]
    fn victims_have_run_for_long_and_end_later_by_what_they_gave((scene, service) in scenes()) {
        let run = scene.run();
        let quantum = service.quantum_s.cast_signed();
        for (arrival, line) in run.lines.iter().enumerate() {
            let (start, finish) = (seconds(line.start.0), seconds(line.finish.0));
            let (tests, last): (Vec<_>, Vec<_>) =
                pieces(&run, arrival).into_iter().partition(|(from, _)| *from < start);
            // No second service, and no longer one than the quantum.
            prop_assert!(tests.len() <= 1 && tests.iter().all(|(from, to)| to - from == quantum));
            for victim in last.windows(2) {
                let ((from, to), (again, _)) = (victim[0], victim[1]);
                prop_assert!(to - from > quantum * service.settled_quanta.cast_signed());
                prop_assert!(0 < again - to && again - to <= quantum);
            }
            let paused: i64 = last.windows(2).map(|victim| victim[1].0 - victim[0].1).sum();
            prop_assert_eq!(finish - start, seconds(line.job.run_time.0) + paused);
            let nodes = run.pieces.iter().filter(|piece| piece.arrival == arrival as u64 && piece.from >= line.start);
            let nodes: Vec<_> = nodes.map(|piece| &piece.nodes).collect();
            prop_assert!(nodes.windows(2).all(|pair| pair[0] == pair[1]));
        }
    }

    #[test]
    fn memory_stays_with_the_victims((scene, service) in scenes()) {
        let run = scene.run();
        let quantum = service.quantum_s.cast_signed() * sim::time::TICKS_PER_SECOND;
        // What every job holds of which host, over which time: all it asks for from its last start on, and less in what may be a test.
        let mut holds = Vec::new();
        for (arrival, line) in run.lines.iter().enumerate() {
            let own = run.pieces.iter().filter(|piece| piece.arrival == arrival as u64);
            for piece in own {
                let host = host_of(&scene, piece.nodes.nodes().next().unwrap());
                if piece.from < line.start || (line.finish - line.start).0 <= quantum {
                    holds.push((host, piece.from, piece.to, line.job.memory_kb.min(service.initial_mb * 1024)));
                } else if piece.to == line.finish {
                    holds.push((host, line.start, line.finish, line.job.memory_kb));
                }
            }
        }
        for &(host, at, ..) in &holds {
            let there = holds.iter().filter(|(other, from, to, _)| *other == host && *from <= at && at < *to);
            let memory = scene.setup.machine.hosts()[host].memory_mb * 1024;
            prop_assert!(there.map(|(.., kb)| kb).sum::<u64>() <= memory);
        }
    }
}
