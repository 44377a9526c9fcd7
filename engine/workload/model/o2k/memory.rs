//! M, the requested memory given P.
//!
//! Generates: whole megabytes, 1 to the cap. Source: Fig. 29b (mean and CV for four ranges of P); Table 11 for how many jobs ask for
//! at most 32 MB. Family: log-normal in gigabytes, cut at the cap, so that the jobs beyond it ask for the cap (§4.4.2: below 1 %
//! do); mixed with 3.5 % requests spread evenly in the logarithm over 1 to 32 MB, whose jobs use hundreds of times what they ask
//! for. Parameters: fitted so that the mixture, cut at 25 GB, has the printed mean and CV. Before October 2000 the cap is 16 GB, and
//! requests above 4 GB are six round sizes: the log-normal's would be 7.7 GB on average, where Table 7 has 10.5. Differs: real requests
//! are round numbers throughout, which are not printed.

use super::month::Month;
use super::processors::range;
use crate::rng::Rng;

/// Share of jobs that ask for at most 32 MB whatever their size (*assumption*: read from the counts of Table 11).
const TINY_SHARE: f64 = 0.035;

/// The largest of those requests, in megabytes.
const MOST_TINY_MB: f64 = 32.0;

/// Mean and deviation of ln(M / GB) of the other jobs, by range of processors.
const LOG_NORMAL: [(f64, f64); 4] =
    [(-0.7988, 1.3426), (-0.1926, 1.0306), (0.4422, 1.0713), (1.3515, 1.0562)];

/// What requests above 4 GB are before October 2000, in megabytes, with their masses (*assumption*). Chosen so that such jobs of the
/// calibrated months have the mean of Table 7, and below 1 % of all ask for the most (§4.4.2).
const LARGE_MB: [(u32, f64); 6] =
    [(5_120, 0.05), (6_144, 0.05), (8_192, 0.35), (10_240, 0.2), (12_288, 0.25), (16_384, 0.1)];

/// Above it, requests are large.
const LARGE_ABOVE_MB: f64 = 4_096.0;

/// A request in megabytes.
pub fn draw(processors: u32, month: Month, rng: &mut Rng) -> u32 {
    let megabytes = if rng.chance(TINY_SHARE) {
        libm::pow(MOST_TINY_MB, rng.unit())
    } else {
        let (mean, deviation) = LOG_NORMAL[range(processors)];
        1_024.0 * rng.log_normal(mean, deviation)
    };
    let megabytes = libm::round(megabytes);
    if megabytes > LARGE_ABOVE_MB && !month.is_late() {
        return LARGE_MB[rng.pick(&LARGE_MB.map(|large| large.1))].0;
    }
    megabytes.clamp(1.0, f64::from(month.most_memory_mb())) as u32
}
