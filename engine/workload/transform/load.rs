//! The offered load of a workload, and scaling to a given one.
//!
//! Generates: the same jobs, with submit times or run times multiplied by one factor.
//! Source: offered load = Σ size · run time / (nodes · (last submit − first submit)), as in the Parallel Workloads Archive's
//! practice; effective load, with the speedup on the requested nodes in place of the size: Sabin, Lang and Sadayappan 2006, §3.1. Parameters: target, what is
//! scaled, and which load is meant. Differs: none known. Cost: two passes over the jobs. Ties: jobs of one
//! instant stay at one instant, in order.

use super::scaled;
use crate::{Load, LoadBy, LoadMeasure, WorkloadError};
use sim::{Job, Span, Time};

/// Σ size · run time / (nodes · (last submit − first submit)) of jobs in submit order; `None` where they span no time or
/// there are no nodes.
pub fn offered_load(jobs: &[Job], nodes: u32) -> Option<f64> {
    let duration = jobs.last()?.submit - jobs.first()?.submit;
    if duration <= Span::ZERO || nodes == 0 {
        return None;
    }
    // Exact: 128 bits hold the work of any workload.
    let work: i128 = jobs.iter().map(|job| i128::from(job.size) * i128::from(job.run_time.0)).sum();
    Some(work as f64 / (f64::from(nodes) * duration.0 as f64))
}

/// The load that is left if every job ran with ideal efficiency: Σ S(size) · run time / (nodes · (last submit − first submit)) of jobs in submit
/// order; a rigid job counts with its size. `None` where they span no time or there are no nodes.
pub fn effective_load(jobs: &[Job], nodes: u32) -> Option<f64> {
    let duration = jobs.last()?.submit - jobs.first()?.submit;
    if duration <= Span::ZERO || nodes == 0 {
        return None;
    }
    let speed = |job: &Job| job.speedup.map_or(f64::from(job.size), |speedup| speedup.at(job.size));
    let work: f64 = jobs.iter().map(|job| speed(job) * job.run_time.0 as f64).sum();
    Some(work / (f64::from(nodes) * duration.0 as f64))
}

/// Scales the jobs, which are in submit order, to the target load: by arrivals, submit times relative to the first; by run
/// times, run times and estimates, each at least one tick. Rounding to ticks happens once per value.
///
/// # Errors
/// [`WorkloadError::BadParameter`] for a target that is not positive and finite, [`WorkloadError::NoJobs`] for no jobs,
/// [`WorkloadError::NoDuration`] where all jobs are submitted at once, [`WorkloadError::TooLong`] where a time leaves what
/// the simulation can represent. The jobs are unchanged after an error.
pub fn scale_load(jobs: &mut [Job], nodes: u32, load: &Load) -> Result<(), WorkloadError> {
    let target = load.target;
    if !(target > 0.0 && target.is_finite()) {
        return Err(WorkloadError::BadParameter {
            field: "load",
            value: target.to_string(),
            expected: "a number above 0".to_owned(),
        });
    }
    let Some(first) = jobs.first().map(|job| job.submit) else {
        return Err(WorkloadError::NoJobs { origin: "load".to_owned(), reasons: String::new() });
    };
    let current = match load.measure {
        LoadMeasure::Offered => offered_load(jobs, nodes),
        LoadMeasure::Effective => effective_load(jobs, nodes),
    };
    let current = current.ok_or(WorkloadError::NoDuration)?;
    match load.by {
        LoadBy::Arrivals => scale_arrivals(jobs, first, current / target),
        LoadBy::RunTimes => scale_run_times(jobs, target / current),
    }
}

fn scale_arrivals(jobs: &mut [Job], first: Time, factor: f64) -> Result<(), WorkloadError> {
    let at = |job: &Job| scaled((job.submit - first).0, factor).map(|ticks| first + Span(ticks));
    let in_range =
        |submit: Option<Time>| submit.is_some_and(|submit| submit <= Time::from_secs(sim::time::MAX_SECONDS));
    // Submit times are in order, so the last one is the latest.
    if !jobs.last().is_none_or(|job| in_range(at(job))) {
        return Err(WorkloadError::TooLong { what: "submit times", factor });
    }
    for job in jobs {
        job.submit = at(job).unwrap_or(job.submit);
    }
    Ok(())
}

fn scale_run_times(jobs: &mut [Job], factor: f64) -> Result<(), WorkloadError> {
    let longest = jobs.iter().map(|job| job.run_time.max(job.estimate)).max().unwrap_or(Span::ZERO);
    if scaled(longest.0, factor).is_none() {
        return Err(WorkloadError::TooLong { what: "run times", factor });
    }
    let at = |span: Span| scaled(span.0, factor).map_or(span, Span).max(Span::TICK);
    for job in jobs {
        job.unscaled_run_time = job.unscaled();
        // Rounding is monotone, so an estimate at or above its run time stays there.
        job.run_time = at(job.run_time);
        job.estimate = at(job.estimate);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;
    use proptest::prelude::*;

    fn job(submit: i64, run_time: i64, size: u32) -> Job {
        let run_time = Span::from_secs(run_time);
        Job {
            id: 1,
            submit: Time::from_secs(submit),
            run_time,
            estimate: run_time + run_time,
            size,
            memory_kb: 0,
            ..Job::default()
        }
    }

    #[test]
    fn the_load_is_the_formula() {
        let jobs = [job(100, 50, 2), job(200, 100, 1)];
        assert_eq!(offered_load(&jobs, 4), Some(0.5));
        assert_eq!(offered_load(&jobs, 0), None);
        assert_eq!(offered_load(&jobs[..1], 4), None);
        assert_eq!(offered_load(&[], 4), None);
    }

    #[test]
    fn effective_load_counts_what_ideal_efficiency_would_need() {
        let speedup = |parallelism, sigma| Some(sim::Speedup { parallelism, sigma });
        // The paper's example: 1000 s on 5 processors with an efficiency of 50 % are 2500 processor-seconds. S(5) = 2.5 = A.
        let half = Job { speedup: speedup(2.5, 0.0), ..job(0, 1000, 5) };
        let mut jobs = [half, job(1000, 500, 3)];
        assert_eq!(effective_load(&jobs, 10), Some((2500.0 + 1500.0) / 10_000.0));
        assert_eq!(effective_load(&jobs[..1], 10), None);
        let load = Load { target: 0.8, by: LoadBy::RunTimes, measure: LoadMeasure::Effective };
        scale_load(&mut jobs, 10, &load).unwrap();
        assert_eq!(jobs.map(|job| job.run_time), [2000, 1000].map(Span::from_secs));
        assert_eq!(jobs.map(|job| job.unscaled()), [1000, 500].map(Span::from_secs));
        // Linear up to A, and nobody asks for more than A: the same as the offered load.
        let linear = [job(0, 10, 2), job(50, 10, 4)].map(|job| Job { speedup: speedup(4.0, 0.0), ..job });
        assert_eq!(effective_load(&linear, 7), offered_load(&linear, 7));
    }

    #[test]
    fn arrivals_are_scaled_relative_to_the_first() {
        let mut jobs = [job(100, 50, 2), job(150, 50, 1), job(200, 50, 1)];
        scale_load(&mut jobs, 4, &Load { target: 0.25, by: LoadBy::Arrivals, measure: LoadMeasure::Offered })
            .unwrap();
        assert_eq!(jobs.map(|job| job.submit), [100, 200, 300].map(Time::from_secs));
        assert_eq!(jobs[0].run_time, Span::from_secs(50));
    }

    #[test]
    fn run_times_are_scaled_with_their_estimates() {
        let mut jobs = [job(100, 50, 2), job(200, 100, 1)];
        scale_load(&mut jobs, 4, &Load { target: 1.0, by: LoadBy::RunTimes, measure: LoadMeasure::Offered })
            .unwrap();
        assert_eq!((jobs[0].run_time, jobs[0].estimate), (Span::from_secs(100), Span::from_secs(200)));
        assert_eq!(jobs[1].submit, Time::from_secs(200));
    }

    #[test]
    fn impossible_targets_are_refused() {
        let refuse = |jobs: &[Job], target, by| {
            let mut changed = jobs.to_vec();
            let error =
                scale_load(&mut changed, 4, &Load { target, by, measure: LoadMeasure::Offered }).unwrap_err();
            assert_eq!(changed, jobs);
            error
        };
        let jobs = [job(100, 50, 2), job(200, 100, 1)];
        for target in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(refuse(&jobs, target, LoadBy::Arrivals), WorkloadError::BadParameter { .. }));
        }
        assert!(matches!(refuse(&[], 1.0, LoadBy::Arrivals), WorkloadError::NoJobs { .. }));
        assert!(matches!(refuse(&jobs[..1], 1.0, LoadBy::RunTimes), WorkloadError::NoDuration));
        assert!(matches!(refuse(&jobs, 1e-12, LoadBy::Arrivals), WorkloadError::TooLong { .. }));
        assert!(matches!(refuse(&jobs, 1e12, LoadBy::RunTimes), WorkloadError::TooLong { .. }));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn the_target_is_reached_within_rounding(
            raw in prop::collection::vec((0i64..100_000, 1i64..100_000, 1u32..64), 2..60),
            target in 0.05f64..3.0,
            by_arrivals: bool,
        ) {
            let mut jobs: Vec<Job> = raw.iter().map(|&(submit, run, size)| job(submit, run, size)).collect();
            jobs.sort_by_key(|job| job.submit);
            prop_assume!(jobs[0].submit < jobs[jobs.len() - 1].submit);
            let by = if by_arrivals { LoadBy::Arrivals } else { LoadBy::RunTimes };
            scale_load(&mut jobs, 64, &Load { target, by, measure: LoadMeasure::Offered }).unwrap();
            let reached = offered_load(&jobs, 64).unwrap();
            // Half a tick on each time. The shortest duration and work here are thousands of ticks.
            let duration = (jobs[jobs.len() - 1].submit - jobs[0].submit).0 as f64;
            let work: f64 = jobs.iter().map(|job| f64::from(job.size) * job.run_time.0 as f64).sum();
            let nodes: f64 = jobs.iter().map(|job| f64::from(job.size)).sum();
            let rounding = 1.0 / duration + nodes / work + 1e-12;
            prop_assert!((reached / target - 1.0).abs() <= rounding, "{reached} for {target}");
            prop_assert!(jobs.windows(2).all(|pair| pair[0].submit <= pair[1].submit));
            prop_assert!(jobs.iter().all(|job| job.run_time > Span::ZERO && job.estimate >= job.run_time));
        }
    }
}
