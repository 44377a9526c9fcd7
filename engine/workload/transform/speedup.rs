//! Shorter run times, as better placed jobs have.
//!
//! Generates: the same jobs with run time t(1 − s).
//! Source: Pascual & Miguel-Alonso 2008, §IV. Parameters: s, 0 ≤ s < 1; whether estimates shrink too (the paper is silent).
//! Differs: none known. Cost: one pass over the jobs.

use super::scaled;
use crate::{EstimateFloor, WorkloadError};
use sim::{Job, Span};

/// Makes every run time t(1 − s), rounded to the nearest tick and at least one, and the estimates likewise where
/// `scale_estimates`. An estimate never falls below the new run time unless estimates are kept as logged.
///
/// # Errors
/// [`WorkloadError::BadParameter`] for s outside [0, 1).
pub fn speed_up(
    jobs: &mut [Job],
    s: f64,
    scale_estimates: bool,
    floor: EstimateFloor,
) -> Result<(), WorkloadError> {
    if !(0.0..1.0).contains(&s) {
        return Err(WorkloadError::BadParameter {
            field: "speedup",
            value: s.to_string(),
            expected: "a number from 0 to below 1".to_owned(),
        });
    }
    let shorter = |span: Span| scaled(span.0, 1.0 - s).map_or(span, Span).max(Span::TICK);
    if s == 0.0 {
        return Ok(());
    }
    for job in jobs {
        job.run_time = shorter(job.run_time);
        if scale_estimates {
            job.estimate = shorter(job.estimate);
        }
        if floor == EstimateFloor::Runtime {
            job.estimate = job.estimate.max(job.run_time);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;
    use sim::Time;

    fn job(run_time: i64, estimate: i64) -> Job {
        Job {
            id: 1,
            submit: Time::ZERO,
            run_time: Span(run_time),
            estimate: Span(estimate),
            size: 1,
            memory_kb: 0,
            ..Job::default()
        }
    }

    fn shortened(
        run_time: i64,
        estimate: i64,
        s: f64,
        scale_estimates: bool,
        floor: EstimateFloor,
    ) -> (i64, i64) {
        let mut jobs = [job(run_time, estimate)];
        speed_up(&mut jobs, s, scale_estimates, floor).unwrap();
        (jobs[0].run_time.0, jobs[0].estimate.0)
    }

    #[test]
    fn run_times_and_estimates_shrink() {
        assert_eq!(shortened(1000, 2000, 0.25, true, EstimateFloor::Runtime), (750, 1500));
        assert_eq!(shortened(1000, 2000, 0.25, false, EstimateFloor::Runtime), (750, 2000));
        assert_eq!(shortened(1000, 2000, 0.0, true, EstimateFloor::Runtime), (1000, 2000));
    }

    #[test]
    fn nothing_falls_below_a_tick_or_the_floor() {
        assert_eq!(shortened(1, 1, 0.9, true, EstimateFloor::Runtime), (1, 1));
        assert_eq!(shortened(1000, 500, 0.1, true, EstimateFloor::Runtime), (900, 900));
        assert_eq!(shortened(1000, 500, 0.1, true, EstimateFloor::AsLogged), (900, 450));
    }

    #[test]
    fn speedups_outside_the_range_are_refused() {
        for s in [-0.1, 1.0, f64::NAN] {
            let text = speed_up(&mut [], s, true, EstimateFloor::Runtime).unwrap_err().to_string();
            assert!(
                text.starts_with("speedup = ") && text.ends_with("expected a number from 0 to below 1"),
                "{text}"
            );
        }
    }
}
