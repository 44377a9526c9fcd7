//! More accurate requested times.
//!
//! Generates: the same jobs with other requested times. Source: Chiang 2001, §6.2.1 and Table 15: scenario A for any job, scenario B
//! for all but those that are likely to have ended prematurely. Parameters: k in percent; B has k = 20 %, 10 minutes and 10 %.
//! Differs: none known. Policies that know run times exactly are `estimates: Actual`. Cost: one pass over the jobs.

use crate::RequestedTime;
use sim::{Job, Span};

/// Scenario B: jobs with at most this run time keep their request, if they use little of it.
const PREMATURE: Span = Span::from_secs(600);

/// Scenario B: little is a tenth.
const LITTLE: i64 = 10;

/// Scenario B: k of the other jobs, in percent.
const PERCENT: u32 = 20;

/// Replaces requested times by what a scenario makes of them. None becomes longer, and a job that overruns its request keeps it.
pub fn improve_requests(jobs: &mut [Job], scenario: RequestedTime) {
    for job in jobs {
        match scenario {
            RequestedTime::AsGiven => {}
            RequestedTime::A(percent) => improve(job, percent),
            RequestedTime::B => {
                let little = i128::from(LITTLE) * i128::from(job.run_time.0) <= i128::from(job.estimate.0);
                if job.run_time > PREMATURE || !little {
                    improve(job, PERCENT);
                }
            }
        }
    }
}

/// min((1 + k) · T, R), rounded up to the tick.
fn improve(job: &mut Job, percent: u32) {
    let hundredths = i128::from(job.run_time.0) * i128::from(100 + u64::from(percent));
    let longer = (hundredths + 99) / 100;
    if longer < i128::from(job.estimate.0) {
        // It is below an estimate, so it fits.
        job.estimate = Span(longer as i64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::Time;

    fn improved(run_time_s: i64, estimate_s: i64, scenario: RequestedTime) -> i64 {
        let mut jobs = [Job {
            id: 1,
            submit: Time::ZERO,
            run_time: Span::from_secs(run_time_s),
            estimate: Span::from_secs(estimate_s),
            size: 1,
            memory_kb: 0,
            ..Job::default()
        }];
        improve_requests(&mut jobs, scenario);
        assert_eq!(jobs[0].run_time, Span::from_secs(run_time_s));
        jobs[0].estimate.0
    }

    const SECOND: i64 = 1_000_000;
    const HOUR: i64 = 3_600;

    #[test]
    fn scenario_a_is_the_printed_example() {
        // "if a job requests 50 hours, but actually terminates in 10 hours": 12 hours.
        assert_eq!(improved(10 * HOUR, 50 * HOUR, RequestedTime::A(20)), 12 * HOUR * SECOND);
        assert_eq!(improved(10 * HOUR, 50 * HOUR, RequestedTime::A(50)), 15 * HOUR * SECOND);
        assert_eq!(improved(10 * HOUR, 50 * HOUR, RequestedTime::A(100)), 20 * HOUR * SECOND);
        assert_eq!(improved(10 * HOUR, 50 * HOUR, RequestedTime::AsGiven), 50 * HOUR * SECOND);
        assert_eq!(improved(7, 60, RequestedTime::A(20)), 8_400_000);
    }

    #[test]
    fn no_request_becomes_longer() {
        for scenario in [RequestedTime::A(20), RequestedTime::A(u32::MAX), RequestedTime::B] {
            assert_eq!(improved(100, 110, scenario), 110 * SECOND, "{scenario:?}");
            // An overrun.
            assert_eq!(improved(100, 90, scenario), 90 * SECOND, "{scenario:?}");
        }
    }

    #[test]
    fn scenario_b_leaves_short_jobs_alone() {
        let b = |run_time, estimate| improved(run_time, estimate, RequestedTime::B);
        assert_eq!(b(600, 6_000), 6_000 * SECOND);
        // A second above ten minutes, and a second above a tenth.
        assert_eq!(b(601, 6_010), 721_200_000);
        assert_eq!(b(600, 5_999), 720 * SECOND);
        assert_eq!(b(30, HOUR), HOUR * SECOND);
    }
}
