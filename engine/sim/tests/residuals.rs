//! The residual times of the slides, in floating point and change by change, against when the kernel's jobs end.

use crate::naive::links::{demands, five_steps};
use crate::scene::{Run, Scene};
use crate::workloads::{cases, communication_models, contended, grid_scenes};
use proptest::prelude::*;
use sim::{CommunicationModel, MachineSpec, Penalized, Step3};
use std::collections::BTreeMap;

/// What is left of a job, in ticks at the present slowdown of its communication.
struct Residual {
    computation: f64,
    communication: f64,
    slowdown: f64,
    demands: Vec<f64>,
}

impl Residual {
    fn total(&self) -> f64 {
        self.computation + self.communication
    }

    /// Both parts shrink by what has passed of their sum.
    fn pass(&mut self, ticks: f64) {
        let share = if self.total() > 0.0 { ticks / self.total() } else { 0.0 };
        self.computation -= share * self.computation;
        self.communication -= share * self.communication;
    }

    fn slow_down(&mut self, slowdown: f64) {
        self.communication *= self.slowdown / slowdown;
        self.slowdown = slowdown;
    }
}

fn counts(run: &Run, arrival: usize, clusters: u32, nodes_per_cluster: u32) -> Vec<u32> {
    let mut counts = vec![0; clusters as usize];
    for node in run.nodes_of(arrival) {
        counts[(node / nodes_per_cluster) as usize] += 1;
    }
    counts
}

/// Follows all jobs through the starts and ends of the run; at its end nothing may be left of a job but what rounding to ticks and rates does.
fn follow(scene: &Scene, run: &Run) -> Result<(), TestCaseError> {
    let MachineSpec::Clusters { clusters, nodes_per_cluster, communication } = scene.setup.machine else {
        unreachable!()
    };
    let CommunicationModel::Contended { link_bandwidth, step3 } = communication else { unreachable!() };
    let mut changes: Vec<(i64, bool, usize)> = Vec::new();
    for (arrival, line) in run.lines.iter().enumerate() {
        changes.extend([(line.start.0, true, arrival), (line.finish.0, false, arrival)]);
    }
    changes.sort_unstable();
    let (mut there, mut last) = (BTreeMap::<usize, Residual>::new(), 0);
    for (at, (now, starts, arrival)) in changes.iter().copied().enumerate() {
        there.values_mut().for_each(|job| job.pass((now - last) as f64));
        last = now;
        if starts {
            let job = &run.lines[arrival].job;
            let ticks = job.run_time.0 as f64;
            let nodes = counts(run, arrival, clusters, nodes_per_cluster);
            let share = job.communication.share;
            let bandwidth = if share > 0.0 { job.communication.bandwidth } else { 0.0 };
            let (communication, computation) = (share * ticks, ticks - share * ticks);
            let demands = demands(&nodes, bandwidth);
            there.insert(arrival, Residual { computation, communication, slowdown: 1.0, demands });
        } else {
            let left = there.remove(&arrival).unwrap().total();
            let stretched = (run.lines[arrival].finish - run.lines[arrival].start).0 as f64;
            prop_assert!(left.abs() <= 1.5 + 1e-8 * stretched, "{left} ticks are left of job {arrival}");
        }
        if changes.get(at + 1).is_none_or(|next| next.0 > now) {
            let rows: Vec<Vec<f64>> = there.values().map(|job| job.demands.clone()).collect();
            let allotted = five_steps(&rows, link_bandwidth, step3 == Step3::Printed);
            for (job, allotted) in there.values_mut().zip(allotted) {
                let demanded: f64 = job.demands.iter().sum();
                if demanded > 0.0 {
                    job.slow_down(allotted.iter().sum::<f64>() / demanded);
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn jobs_end_when_their_residual_times_are_over(
        scene in grid_scenes(1..40, 3.0, contended(prop::sample::select(vec![Step3::Unconstrained, Step3::Printed]))),
    ) {
        follow(&scene, &scene.run())?;
    }

    /// Inside one cluster nothing stretches a job, in several the fixed penalty does.
    #[test]
    fn jobs_run_for_their_run_time_and_its_penalty(scene in grid_scenes(1..40, 3.0, communication_models())) {
        let MachineSpec::Clusters { clusters, nodes_per_cluster, communication } = scene.setup.machine else {
            unreachable!()
        };
        let run = scene.run();
        for (arrival, line) in run.lines.iter().enumerate() {
            let nodes = counts(&run, arrival, clusters, nodes_per_cluster);
            let split = nodes.iter().filter(|there| **there > 0).count() > 1;
            let stretch = match communication {
                CommunicationModel::FixedPenalty { penalty, penalized: Penalized::WholeJob } if split => {
                    1.0 + penalty
                }
                CommunicationModel::FixedPenalty { penalty, penalized: Penalized::Communication } if split => {
                    1.0 + penalty * line.job.communication.share
                }
                CommunicationModel::Contended { .. } if split => continue,
                _ => 1.0,
            };
            let more = (line.finish - line.start).0 as f64 - line.job.run_time.0 as f64 * stretch;
            prop_assert!((-0.1..=1.1).contains(&more), "{more} ticks more than expected: {line:?}");
        }
    }
}
