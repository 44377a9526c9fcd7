//! Properties of every schedule with time slicing, and cases in which it is something simpler.

use crate::naive::time_sliced::{Event, Fit, Line, Place, What};
use crate::sliced::Sliced;
use crate::sliced_engine::Recorder;
use crate::sliced_workloads::sliced_scenes;
use crate::workloads::cases;
use proptest::prelude::*;
use sim::metrics::measure;
use sim::policy::{Order, Reservations};
use sim::{AllocatorSpec, MeasureSpec, PolicySpec};

/// Scenes that end.
fn ending_scenes() -> impl Strategy<Value = Sliced> {
    sliced_scenes().prop_filter("it never ends", |scene| scene.try_run().is_some())
}

fn lines(run: &Recorder) -> Vec<Line> {
    run.lines.iter().map(|(_, line)| line.clone()).collect()
}

/// What happens to one job, in turn.
fn events<'a>(run: &'a Recorder, line: &Line) -> Vec<&'a Event> {
    run.happened.iter().filter(|event| event.job == line.id).collect()
}

/// The seconds during which it has been taken off its nodes.
fn suspended(run: &Recorder, line: &Line) -> i64 {
    let mut since = None;
    let mut sum = 0;
    for event in events(run, line) {
        match event.what {
            What::Preempt => since = Some(event.at),
            What::Load | What::Run => sum += since.take().map_or(0, |since| event.at - since),
            _ => {}
        }
    }
    sum
}

/// From when to when a job has its nodes.
fn stays(run: &Recorder, line: &Line) -> Vec<(i64, i64)> {
    let mut found: Vec<(i64, i64)> = Vec::new();
    let mut since = None;
    for event in events(run, line) {
        match event.what {
            What::Load | What::Run => _ = since.get_or_insert(event.at),
            What::Preempt | What::Finish => found.extend(since.take().map(|since| (since, event.at))),
            What::SwapOut => {}
        }
    }
    found
}

proptest! {
    #![proptest_config(cases(2))]

    #[test]
    fn work_is_conserved(scene in ending_scenes()) {
        let run = scene.simulate();
        for (line, job) in lines(&run).iter().zip(&scene.jobs) {
            let (span, stops) = (line.end - line.start, suspended(&run, line));
            prop_assert_eq!(span, job.run + line.load + line.swap + stops, "job {}", job.id);
        }
    }

    #[test]
    fn a_job_keeps_its_nodes_and_no_node_has_two(scene in ending_scenes()) {
        let run = scene.simulate();
        let lines = lines(&run);
        for event in run.log.iter().filter(|event| matches!(event.what, What::Load | What::Run)) {
            let line = lines.iter().find(|line| line.id == event.job).unwrap();
            prop_assert_eq!(&event.nodes, &line.nodes);
        }
        for node in 0..scene.rules.nodes {
            let here = lines.iter().filter(|line| line.nodes.contains(&node));
            let mut taken: Vec<(i64, i64)> = here.flat_map(|line| stays(&run, line)).collect();
            taken.sort_unstable();
            prop_assert!(taken.windows(2).all(|pair| pair[0].1 <= pair[1].0), "node {}: {:?}", node, taken);
        }
    }

    /// The program as printed forgets remnants, so that more may lie on a node than it holds; see the cases.
    #[test]
    fn nodes_hold_no_more_than_they_can(mut scene in ending_scenes()) {
        scene.rules.last_displaced = false;
        prop_assume!(scene.try_run().is_some());
        prop_assert_eq!(scene.simulate().overcommitted, Vec::<i64>::new());
    }

    /// Inside a slice of another class a job may visit nodes of its own class, if it is gone before the slice ends.
    #[test]
    fn jobs_of_a_class_share_no_node_over_a_switch(scene in ending_scenes()) {
        let run = scene.simulate();
        let lines = lines(&run);
        let over = |line: &&Line, at: i64| line.start < at && at < line.end;
        for &(at, _) in &run.slices {
            let mut seen = Vec::new();
            for line in lines.iter().filter(|line| over(line, at)) {
                let job = scene.jobs.iter().find(|job| job.id == line.id).unwrap();
                for node in &line.nodes {
                    prop_assert!(!seen.contains(&(*node, scene.rules.class(job.run))), "at {}", at);
                    seen.push((*node, scene.rules.class(job.run)));
                }
            }
        }
    }

    #[test]
    fn the_overhead_of_a_run_is_that_of_its_jobs(scene in ending_scenes()) {
        let sum: i64 = lines(&scene.simulate()).iter().map(|line| line.load + line.swap).sum();
        let outcome = measure(&scene.setup(), &scene.sim_jobs(), &MeasureSpec::default()).unwrap();
        prop_assert_eq!(outcome.metrics.get("overhead_s"), Some(sum as f64));
    }

    /// Where memory decides about nodes, it matters who is said to be displaced, even if that takes no time.
    #[test]
    fn transfers_that_take_no_time_cost_nothing(mut scene in ending_scenes(), intelligent: bool) {
        scene.rules.transfer = 0;
        scene.rules.place = if intelligent { Place::Intelligent } else { Place::FirstFree };
        let run = scene.simulate();
        prop_assert!(run.lines.iter().all(|(_, line)| line.load == 0 && line.swap == 0));
        let mut other = scene.clone();
        other.rules.last_displaced = !scene.rules.last_displaced;
        prop_assert_eq!(&other.simulate().log, &run.log);
        if !intelligent {
            let mut setup = scene.setup();
            setup.memory = None;
            prop_assert_eq!(&scene.simulate_under(&setup).unwrap().log, &run.log);
        }
    }

    #[test]
    fn where_all_fits_only_the_first_fit_counts(
        mut scene in ending_scenes(), second: bool, unfit_as_printed: bool, soonest_release: bool,
    ) {
        let Place::MemoryAware { first, .. } = scene.rules.place else { return Ok(()) };
        scene.jobs.iter_mut().for_each(|job| job.memory %= 7);
        prop_assume!(scene.try_run().is_some());
        let run = scene.simulate();
        let second = if second { Fit::Best } else { Fit::Worst };
        scene.rules.place = Place::MemoryAware { first, second, unfit_as_printed, soonest_release };
        prop_assert_eq!(&scene.simulate(), &run);
        if first == Fit::First {
            scene.rules.place = Place::FirstFree;
            prop_assert_eq!(&scene.simulate(), &run);
        }
    }

    #[test]
    fn one_class_without_memory_is_space_sharing(mut scene in ending_scenes()) {
        scene.rules.short_below = 0;
        scene.rules.long_above = 1_000_000;
        scene.rules.shares = [0.0, 1.0, 0.0];
        scene.rules.place = Place::FirstFree;
        let mut sliced = scene.setup();
        sliced.memory = None;
        let reservations = if scene.rules.easy { Reservations::AtMost(1) } else { Reservations::All };
        let mut plain = sliced.clone();
        plain.policy = PolicySpec::Priority { order: Order::Arrival, reservations };
        prop_assert_eq!(&plain.allocator, &AllocatorSpec::FirstFree);
        let (sliced, plain) = (scene.simulate_under(&sliced).unwrap(), scene.simulate_under(&plain).unwrap());
        prop_assert_eq!(sliced.log, plain.log);
        prop_assert_eq!(sliced.lines, plain.lines);
    }
}
