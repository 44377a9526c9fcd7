//! Which jobs are moldable, and how their speed grows with their nodes.
//!
//! Generates: the same jobs, each with a speedup of Downey's kind. The run time and the estimate of the source are those on the requested
//! nodes, which fixes the sequential work.
//! Source: Sabin, Lang and Sadayappan 2006, §3.2 and §5.2: σ is uniform on [0, 2]; the average parallelism A is that of the system, or
//! uniform between 1 and 2 times the requested processors.
//! Parameters: what A is, the bounds of its factor, the largest σ. Differs: none known; A is not rounded (the paper is silent).
//! Cost: at most two draws per job. A job's σ and A depend on the seed and its place in the queue alone, each from a stream of its own, so that
//! all settings and loads see the same draws.

use crate::rng::{Rng, Stream};
use crate::{Moldable, Parallelism, WorkloadError};
use sim::{Job, Speedup};

impl Moldable {
    /// Checks that the largest σ is a number from 0 on, and that factors of the request are ascending numbers from 1 on.
    ///
    /// # Errors
    /// [`WorkloadError::BadParameter`] with the first that is wrong.
    pub fn validate(&self) -> Result<(), WorkloadError> {
        let refuse = |field, value: f64, expected: &str| {
            Err(WorkloadError::BadParameter {
                field,
                value: value.to_string(),
                expected: expected.to_owned(),
            })
        };
        let (parallelism, sigma_max) = match self {
            Moldable::Downey { parallelism, sigma_max } => (parallelism, sigma_max),
            Moldable::Listed { speedups } => {
                let odd = speedups.iter().find(|speedup| !speedup.is_valid());
                return match odd {
                    Some(odd) if !(odd.parallelism.is_finite() && odd.parallelism >= 1.0) => {
                        refuse("parallelism", odd.parallelism, "a number, 1 or more")
                    }
                    Some(odd) => refuse("sigma", odd.sigma, "a number, 0 or more"),
                    None if speedups.is_empty() => refuse("speedups", 0.0, "at least one"),
                    None => Ok(()),
                };
            }
        };
        if !(sigma_max.is_finite() && *sigma_max >= 0.0) {
            return refuse("sigma_max", *sigma_max, "a number, 0 or more");
        }
        match *parallelism {
            Parallelism::OfRequest { low, .. } if !(low.is_finite() && low >= 1.0) => {
                refuse("parallelism_low", low, "a number, 1 or more")
            }
            Parallelism::OfRequest { low, high } if !(high.is_finite() && high >= low) => {
                refuse("parallelism_high", high, "a number, not below parallelism_low")
            }
            _ => Ok(()),
        }
    }
}

/// Gives every job a speedup, for a machine of so many nodes.
///
/// # Errors
/// As of [`Moldable::validate`].
pub fn assign_speedups(
    jobs: &mut [Job],
    moldable: &Moldable,
    nodes: u32,
    seed: u64,
) -> Result<(), WorkloadError> {
    moldable.validate()?;
    let (parallelism, sigma_max) = match moldable {
        Moldable::Downey { parallelism, sigma_max } => (*parallelism, *sigma_max),
        Moldable::Listed { speedups } => {
            for (job, speedup) in jobs.iter_mut().zip(speedups.iter().cycle()) {
                job.speedup = Some(*speedup);
            }
            return Ok(());
        }
    };
    let (mut sigmas, mut factors) = (Rng::new(seed, Stream::Sigma), Rng::new(seed, Stream::Parallelism));
    for job in jobs {
        let parallelism = match parallelism {
            Parallelism::System => f64::from(nodes),
            Parallelism::OfRequest { low, high } => factors.uniform(low, high) * f64::from(job.size),
        };
        job.speedup = Some(Speedup { parallelism, sigma: sigmas.uniform(0.0, sigma_max) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn assigned(moldable: &Moldable, seed: u64) -> Vec<Speedup> {
        let mut jobs: Vec<Job> = (1..=1000).map(|size| Job { size, ..Job::default() }).collect();
        assign_speedups(&mut jobs, moldable, 512, seed).unwrap();
        jobs.iter().map(|job| job.speedup.unwrap()).collect()
    }

    fn of_request(low: f64, high: f64) -> Moldable {
        Moldable::Downey { parallelism: Parallelism::OfRequest { low, high }, sigma_max: 2.0 }
    }

    #[test]
    fn sigma_and_parallelism_have_streams_of_their_own() {
        let system = Moldable::Downey { parallelism: Parallelism::System, sigma_max: 2.0 };
        let (system, request) = (assigned(&system, 7), assigned(&of_request(1.0, 2.0), 7));
        assert!(system.iter().all(|speedup| speedup.parallelism == 512.0));
        let sigmas = |speedups: &[Speedup]| speedups.iter().map(|one| one.sigma).collect::<Vec<_>>();
        assert_eq!(sigmas(&system), sigmas(&request));
        assert_ne!(sigmas(&system), sigmas(&assigned(&of_request(1.0, 2.0), 8)));
    }

    #[test]
    fn the_draws_are_where_they_should_be() {
        let speedups = assigned(&of_request(1.0, 2.0), 7);
        let mean = |value: &dyn Fn(usize) -> f64| (0..1000).map(value).sum::<f64>() / 1000.0;
        let factor = |at: usize| speedups[at].parallelism / (at + 1) as f64;
        assert!((0..1000).all(|at| (1.0..2.0).contains(&factor(at)) && speedups[at].is_valid()));
        assert!((0..1000).all(|at| (0.0..2.0).contains(&speedups[at].sigma)));
        assert!((mean(&factor) - 1.5).abs() < 0.04 && (mean(&|at| speedups[at].sigma) - 1.0).abs() < 0.08);
    }

    #[test]
    fn listed_speedups_are_taken_in_turn() {
        let speedups = [1.0, 2.0].map(|sigma| Speedup { parallelism: 4.0, sigma });
        let found = assigned(&Moldable::Listed { speedups: speedups.to_vec() }, 7);
        assert!(found.iter().enumerate().all(|(at, speedup)| *speedup == speedups[at % 2]));
        let odd = Speedup { parallelism: 0.5, sigma: 1.0 };
        for speedups in [vec![], vec![speedups[0], odd]] {
            assert!(Moldable::Listed { speedups }.validate().is_err());
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        let sigma = |sigma_max| Moldable::Downey { parallelism: Parallelism::System, sigma_max };
        for odd in [sigma(-0.5), sigma(f64::NAN), of_request(0.5, 2.0), of_request(2.0, 1.0)] {
            assert!(odd.validate().is_err(), "{odd:?}");
        }
        for right in [sigma(0.0), of_request(1.0, 1.0)] {
            assert!(right.validate().is_ok(), "{right:?}");
        }
    }
}
