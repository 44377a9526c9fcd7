//! M, the requested memory given P.
//!
//! Generates: whole megabytes, 1 to the cap. Source: Fig. 29b (mean and CV for four ranges of P); Table 11 for how many jobs ask for
//! at most 32 MB. Family: log-normal in gigabytes, cut at the cap, so that the jobs beyond it ask for the cap (§4.4.2: below 1 %
//! do); mixed with 3.5 % requests spread evenly in the logarithm over 1 to 32 MB, whose jobs use hundreds of times what they ask
//! for. Parameters: fitted so that the mixture, cut at 25 GB, has the printed mean and CV; a smaller cap cuts the same
//! distribution. Differs: real requests are round numbers, which are not printed.

use super::processors::range;
use crate::rng::Rng;

/// Share of jobs that ask for at most 32 MB whatever their size (*assumption*: read from the counts of Table 11).
const TINY_SHARE: f64 = 0.035;

/// The largest of those requests, in megabytes.
const MOST_TINY_MB: f64 = 32.0;

/// Mean and deviation of ln(M / GB) of the other jobs, by range of processors.
const LOG_NORMAL: [(f64, f64); 4] =
    [(-0.7988, 1.3426), (-0.1926, 1.0306), (0.4422, 1.0713), (1.3515, 1.0562)];

/// A request in megabytes, at most `most_mb`.
pub fn draw(processors: u32, most_mb: u32, rng: &mut Rng) -> u32 {
    let megabytes = if rng.chance(TINY_SHARE) {
        libm::pow(MOST_TINY_MB, rng.unit())
    } else {
        let (mean, deviation) = LOG_NORMAL[range(processors)];
        1_024.0 * rng.log_normal(mean, deviation)
    };
    libm::round(megabytes).clamp(1.0, f64::from(most_mb)) as u32
}
