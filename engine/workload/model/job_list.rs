//! Jobs that an experiment lists one by one.
//!
//! Generates: the listed jobs in the order of their submit times; ties: order of the list. They are numbered from 1 in that order.
//! Source: none; for cases whose schedule is known.
//! Parameters: the jobs.
//! Differs: none known.
//! Cost: that of sorting them.

use crate::WorkloadError;
use serde::{Deserialize, Serialize};
use sim::time::MAX_SECONDS;
use sim::{Job, Span, Time};

/// One job of a list.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListedJob {
    /// When it is submitted, in seconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub submit_s: f64,
    /// How long it runs, in seconds; rounded to the tick.
    pub run_time_s: f64,
    /// Requested nodes.
    pub nodes: u32,
    /// The requested time in seconds; absent: the run time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub estimate_s: Option<f64>,
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// The jobs of a list.
///
/// # Errors
/// As of [`validate`].
pub fn generate(list: &[ListedJob]) -> Result<Vec<Job>, WorkloadError> {
    validate(list)?;
    let job = |listed: &ListedJob| Job {
        submit: Time::ZERO + Span::from_secs_f64(listed.submit_s),
        run_time: Span::from_secs_f64(listed.run_time_s),
        estimate: Span::from_secs_f64(listed.estimate_s.unwrap_or(listed.run_time_s)),
        size: listed.nodes,
        ..Job::default()
    };
    let mut jobs: Vec<Job> = list.iter().map(job).collect();
    jobs.sort_by_key(|job| job.submit);
    for (job, id) in jobs.iter_mut().zip(1..) {
        job.id = id;
    }
    Ok(jobs)
}

/// Checks that there are jobs, that every one has nodes, and that times can be told.
///
/// # Errors
/// [`WorkloadError::BadParameter`] for the first that is not so.
pub fn validate(list: &[ListedJob]) -> Result<(), WorkloadError> {
    let refuse = |field, value: String, expected: &str| {
        Err(WorkloadError::BadParameter { field, value, expected: expected.to_owned() })
    };
    if list.is_empty() {
        return refuse("jobs", "none".to_owned(), "at least one");
    }
    let most = MAX_SECONDS as f64;
    let positive = |seconds: f64| (1e-6..=most).contains(&seconds);
    for ListedJob { submit_s, run_time_s, nodes, estimate_s } in list {
        if !(0.0..=most).contains(submit_s) {
            return refuse("submit_s", submit_s.to_string(), "seconds, 0 or more");
        }
        if !positive(*run_time_s) {
            return refuse("run_time_s", run_time_s.to_string(), "seconds, above 0");
        }
        if let Some(estimate_s) = estimate_s.filter(|seconds| !positive(*seconds)) {
            return refuse("estimate_s", estimate_s.to_string(), "seconds, above 0");
        }
        if *nodes == 0 {
            return refuse("nodes", "0".to_owned(), "at least 1");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn listed(submit_s: f64, run_time_s: f64, nodes: u32) -> ListedJob {
        ListedJob { submit_s, run_time_s, nodes, estimate_s: None }
    }

    #[test]
    fn jobs_come_by_submit_time_and_then_as_listed() {
        let late = ListedJob { estimate_s: Some(9.5), ..listed(2.0, 1.5, 3) };
        let jobs = generate(&[late, listed(0.0, 7.0, 1), listed(0.0, 8.0, 2)]).unwrap();
        let seen: Vec<_> = jobs.iter().map(|job| (job.id, job.submit, job.run_time, job.size)).collect();
        let at = |seconds| Time::ZERO + Span::from_secs(seconds);
        assert_eq!(
            seen,
            [
                (1, at(0), Span::from_secs(7), 1),
                (2, at(0), Span::from_secs(8), 2),
                (3, at(2), Span::from_secs_f64(1.5), 3)
            ]
        );
        assert_eq!(jobs[2].estimate, Span::from_secs_f64(9.5));
        assert_eq!(jobs[0].estimate, jobs[0].run_time);
    }

    #[test]
    fn impossible_jobs_are_refused_with_the_field() {
        let refused = |job| generate(&[listed(0.0, 1.0, 1), job]).unwrap_err().to_string();
        for (job, field) in [
            (listed(-1.0, 1.0, 1), "submit_s"),
            (listed(f64::NAN, 1.0, 1), "submit_s"),
            (listed(0.0, 0.0, 1), "run_time_s"),
            (listed(0.0, f64::INFINITY, 1), "run_time_s"),
            (listed(0.0, 1.0, 0), "nodes"),
            (ListedJob { estimate_s: Some(-3.0), ..listed(0.0, 1.0, 1) }, "estimate_s"),
        ] {
            assert!(refused(job).contains(field), "{}", refused(job));
        }
        assert!(generate(&[]).unwrap_err().to_string().contains("at least one"));
    }
}
