//! T, the actual run time given R, P and M.
//!
//! Generates: whole seconds, from 1 to an hour more than requested. Source: Table 10 (share, mean and CV of T/R up to and above 1
//! under twelve conditions), §4.5.1 (jobs are killed an hour after the requested time; some 10 % of those that asked for
//! more than 5 h end within a minute). Families: up to 1, beta with the printed mean and CV; above 1, the overrun is a beta
//! share of the hour. Of the jobs that asked for more than 5 h, 6.7 % end within the first minute apart from that, and the beta
//! is that of the others; together 10 % do. Differs: three cells contradict the hour. The row "5, 50, 200, 400 hrs" is
//! read as 50, 200 and 400, since 5 has rows of its own, and "10m < R ≤ 5 hrs" as below 5 h.

use super::shapes::{Beta, Moments};
use crate::rng::Rng;

/// A row of Table 10.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its conditions.
    pub name: &'static str,
    /// T/R where it is at most 1, and the number of those jobs.
    pub within: (Moments, f64),
    /// T/R where it is above 1, and the number of those jobs.
    pub beyond: (Moments, f64),
    /// Mean and deviation of the overrun in hours, by which [`Row::beyond`] comes out as nearly as an hour allows.
    overrun: (f64, f64),
}

const fn moments(mean: f64, cv: f64) -> Moments {
    Moments { mean, cv }
}

const fn row(
    name: &'static str,
    within: (f64, f64, f64),
    beyond: (f64, f64, f64),
    overrun: (f64, f64),
) -> Row {
    Row {
        name,
        within: (moments(within.0, within.1), within.2),
        beyond: (moments(beyond.0, beyond.1), beyond.2),
        overrun,
    }
}

/// Table 10, in the order of time, then of its rows.
pub const TABLE_10: [Row; 12] = [
    row("R = 1 min", (0.23, 0.67, 12.0), (46.06, 0.47, 5.0), (0.751, 0.361)),
    row("1 < R <= 10 min", (0.12, 1.41, 149.0), (5.01, 0.68, 13.0), (0.236, 0.138)),
    row("10 min < R < 5 h, P 2-4, 9-32", (0.15, 1.44, 1_601.0), (1.70, 0.68, 90.0), (0.442, 0.474)),
    row("10 min < R < 5 h, P 1", (0.16, 1.39, 1_160.0), (1.76, 0.36, 124.0), (0.48, 0.0)),
    row("10 min < R < 5 h, P 5-8, > 32", (0.29, 1.00, 1_144.0), (1.48, 0.42, 100.0), (0.303, 0.22)),
    row("R = 5 h, P <= 2 or 3-8 & < 128 MB", (0.14, 1.58, 1_021.0), (1.27, 0.38, 31.0), (1.0, 0.0)),
    row("R = 5 h, others", (0.28, 1.20, 1_998.0), (1.13, 0.08, 91.0), (0.65, 0.45)),
    row("R = 5 h, P > 8 & M > 4 GB", (0.51, 0.83, 174.0), (1.21, 0.00, 3.0), (1.0, 0.0)),
    row("R = 50, 200, 400 h, P <= 16", (0.19, 1.20, 3_722.0), (1.02, 0.06, 163.0), (1.0, 0.0)),
    row("R = 50, 200, 400 h, P > 16", (0.32, 0.85, 95.0), (1.02, 0.01, 9.0), (1.0, 0.0)),
    row("R between defaults, P <= 32", (0.29, 1.03, 2_604.0), (1.05, 0.04, 239.0), (1.0, 0.0)),
    row("R between defaults, P > 32", (0.46, 0.69, 34.0), (1.04, 0.02, 4.0), (1.0, 0.0)),
];

/// Share of the jobs with R > 5 h that end within a minute whatever else they would have done.
const PREMATURE: f64 = 0.067;

const FIVE_HOURS_S: u32 = 5 * 3_600;

/// The row of [`TABLE_10`] that holds for a job.
pub fn conditions(requested_s: u32, processors: u32, memory_mb: u32) -> usize {
    match (requested_s, processors) {
        (..=60, _) => 0,
        (..=600, _) => 1,
        (..FIVE_HOURS_S, 1) => 3,
        (..FIVE_HOURS_S, 2..=4 | 9..=32) => 2,
        (..FIVE_HOURS_S, _) => 4,
        (FIVE_HOURS_S, ..=2) => 5,
        (FIVE_HOURS_S, ..=8) if memory_mb < 128 => 5,
        (FIVE_HOURS_S, 9..) if memory_mb > 4_096 => 7,
        (FIVE_HOURS_S, _) => 6,
        _ if super::requested::DEFAULTS_S.contains(&requested_s) => 8 + usize::from(processors > 16),
        _ => 10 + usize::from(processors > 32),
    }
}

/// The distributions of one row.
#[derive(Clone, Copy, Debug)]
struct Ratio {
    beyond_share: f64,
    /// Share of premature ends among the jobs that keep to their request.
    premature: f64,
    within: Beta,
    overrun: Beta,
}

/// All of them.
#[derive(Clone, Debug)]
pub struct ActualTimes(Vec<Ratio>);

impl ActualTimes {
    /// Those of October to December 2000.
    pub fn new() -> ActualTimes {
        let ratio = |(at, row): (usize, &Row)| {
            let (within, kept) = row.within;
            let jobs = kept + row.beyond.1;
            let premature = if at < 8 { 0.0 } else { PREMATURE * jobs / kept };
            // Premature ends count as nothing, so the others have the mean and the mean square of all.
            let mean = within.mean / (1.0 - premature);
            let variance = within.square() / (1.0 - premature) - mean * mean;
            let (overrun, deviation) = row.overrun;
            Ratio {
                beyond_share: row.beyond.1 / jobs,
                premature,
                within: Beta::new(mean, variance),
                overrun: Beta::new(overrun, deviation * deviation),
            }
        };
        ActualTimes(TABLE_10.iter().enumerate().map(ratio).collect())
    }

    /// A run time in seconds.
    pub fn draw(&self, requested_s: u32, processors: u32, memory_mb: u32, rng: &mut Rng) -> u32 {
        let ratio = &self.0[conditions(requested_s, processors, memory_mb)];
        if rng.chance(ratio.beyond_share) {
            let overrun_s = libm::round(3_600.0 * ratio.overrun.draw(rng)) as u32;
            return requested_s + overrun_s.max(1);
        }
        if rng.chance(ratio.premature) {
            return 1 + rng.below(59) as u32;
        }
        let actual_s = libm::round(f64::from(requested_s) * ratio.within.draw(rng)) as u32;
        actual_s.clamp(1, requested_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_cover_the_table() {
        let hours = 3_600;
        let cases = [
            (60, 4, 1, 0),
            (600, 4, 1, 1),
            (601, 9, 1, 2),
            (5 * hours - 1, 1, 1, 3),
            (hours, 33, 1, 4),
            (5 * hours, 2, 9_000, 5),
            (5 * hours, 8, 127, 5),
            (5 * hours, 8, 128, 6),
            (5 * hours, 9, 4_096, 6),
            (5 * hours, 9, 4_097, 7),
            (50 * hours, 16, 1, 8),
            (400 * hours, 17, 1, 9),
            (6 * hours, 32, 1, 10),
            (300 * hours, 33, 1, 11),
        ];
        for (requested, processors, memory, row) in cases {
            assert_eq!(conditions(requested, processors, memory), row, "{requested} {processors} {memory}");
        }
    }
}
