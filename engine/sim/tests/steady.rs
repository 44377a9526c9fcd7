//! The steady state of runs that end, beside the measures of all their jobs, and of streams that do not.

use crate::scene::{EASY, Scene};
use crate::workloads::{Accuracy, cases, scenes};
use proptest::prelude::*;
use sim::metrics::{Metrics, measure, measure_stream};
use sim::{Job, MeasureSpec, PolicySpec, SimError, Span, Steady, Time, WarmUp};

fn spec(warm_up: WarmUp, batches: u32) -> MeasureSpec {
    let steady = Some(Steady { warm_up, batches, backlog_cap: 1000 });
    MeasureSpec { steady, ..MeasureSpec::default() }
}

/// Metrics that a steady state without a warm-up has in common with the measures of all jobs, and those that are quantiles.
const COMMON: [&str; 13] = [
    "jobs",
    "killed",
    "backfilled",
    "mean_wait_s",
    "max_wait_s",
    "mean_run_s",
    "mean_response_s",
    "max_response_s",
    "mean_slowdown",
    "mean_bounded_slowdown",
    "max_bounded_slowdown",
    "mean_relative_response",
    "max_queue_length",
];
const QUANTILES: [&str; 4] = ["median_wait_s", "p95_wait_s", "p99_wait_s", "p95_response_s"];

proptest! {
    #![proptest_config(cases(1))]

    #[test]
    fn without_a_warm_up_all_jobs_count((mut scene, batches) in (scenes(Accuracy::Any), 2u32..6)) {
        scene.setup.policy = EASY;
        let plain = measure(&scene.setup, &scene.jobs, &MeasureSpec::default()).unwrap().metrics;
        let steady = measure(&scene.setup, &scene.jobs, &spec(WarmUp::Nothing, batches)).unwrap().metrics;
        for name in COMMON {
            let (told, wanted) = (steady.get(name).unwrap(), plain.get(name).unwrap());
            prop_assert!((told - wanted).abs() <= 1e-9 * wanted.abs(), "{}: {}, not {}", name, told, wanted);
        }
        for name in QUANTILES {
            let (told, wanted) = (steady.get(name).unwrap(), plain.get(name).unwrap());
            prop_assert!(told >= wanted && told <= wanted * 1.001, "{}: {}, not {}", name, told, wanted);
        }
    }
}

/// Jobs of one node, `gap` s apart, that run for `run` s; without end.
fn endless(gap: i64, run: i64) -> impl Iterator<Item = Job> {
    (0..).map(move |id| {
        let (run_time, submit) = (Span::from_secs(run), Time::from_secs(id as i64 * gap));
        Job { id, submit, run_time, estimate: run_time, size: 1, ..Job::default() }
    })
}

fn streamed(jobs: impl Iterator<Item = Job>, count: u64, steady: Steady) -> Metrics {
    let scene = Scene::parse("nodes 2", PolicySpec::Fcfs);
    let spec = MeasureSpec { steady: Some(steady), ..MeasureSpec::default() };
    measure_stream(&scene.setup, jobs, count, steady, &spec, || true).unwrap().metrics
}

#[test]
fn a_stream_ends_when_the_jobs_that_count_have_ended() {
    // Two nodes, one job of 6 s every 4 s: both busy for 2 s of 4. 100 jobs in 50 batches of 2, of which 5 do not count.
    let steady = Steady { warm_up: WarmUp::Share(0.1), batches: 32, backlog_cap: 3 };
    let found = streamed(endless(4, 6), 100, steady);
    let wanted = [
        ("jobs", 90.0),
        ("warm_up_jobs", 10.0),
        ("mean_wait_s", 0.0),
        ("mean_response_s", 6.0),
        ("max_response_s", 6.0),
        ("response_sd_s", 0.0),
        ("response_half_width_s", 0.0),
        ("utilization", 0.75),
        ("offered_load", 0.75),
        ("mean_queue_length", 0.0),
        ("max_queue_length", 0.0),
    ];
    for (name, value) in wanted {
        assert!((found.get(name).unwrap() - value).abs() < 1e-12, "{name}: {:?}", found.get(name));
    }
    for name in ["makespan_s", "p95_bounded_slowdown", "overhead_s", "unstable_at_s", "split_share"] {
        assert_eq!(found.get(name), None, "{name}");
    }
}

#[test]
fn a_run_whose_queue_is_too_long_is_unstable() {
    // One job of 6 s every second for two nodes: arrivals at 0 … 10 wait for the ends at 6, 7, 12.
    let steady = Steady { warm_up: WarmUp::Nothing, batches: 2, backlog_cap: 5 };
    let found = streamed(endless(1, 6), 1000, steady);
    // At 9 s, 10 jobs have come, 2 have ended, 2 run and 6 wait.
    assert_eq!((found.get("unstable_at_s"), found.get("jobs")), (Some(9.0), Some(2.0)));
    assert_eq!(found.0.iter().flatten().count(), 2);
}

#[test]
fn a_cap_that_is_reached_and_not_passed_is_no_backlog() {
    let scene = Scene::parse("nodes 1; a 0 1x4; b 0 1x4; c 0 1x4", EASY);
    let with = |backlog_cap| {
        let steady = Some(Steady { warm_up: WarmUp::Nothing, batches: 2, backlog_cap });
        measure(&scene.setup, &scene.jobs, &MeasureSpec { steady, ..MeasureSpec::default() }).unwrap()
    };
    assert_eq!(with(2).unstable_at_s(), None);
    assert_eq!(with(1).unstable_at_s(), Some(0.0));
}

#[test]
fn a_stream_can_be_stopped() {
    let scene = Scene::parse("nodes 2", PolicySpec::Fcfs);
    let steady = Steady::default();
    let mut left = 10;
    let keep_going = || {
        left -= 1;
        left > 0
    };
    let stopped =
        measure_stream(&scene.setup, endless(4, 6), 1000, steady, &MeasureSpec::default(), keep_going);
    assert!(matches!(stopped, Err(SimError::Stopped { .. })), "{stopped:?}");
}
