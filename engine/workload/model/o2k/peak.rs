//! The peak memory that a job uses, given M and T.
//!
//! Generates: kilobytes, at least one. Source: Table 11 (share, mean and CV of peak/M up to and above 1), §4.5.2 (nearly all jobs
//! that run for under a minute use less than 64 MB). Families: up to 1, beta with the printed mean and CV; above 1, one plus a
//! log-normal; within the first minute, a log-normal below 64 MB. Differs: cells that the table lacks use the nearest
//! one. What a host cannot have is cut: 64 GB.

use super::draft::Draft;
use super::shapes::{Beta, Moments, log_normal};
use crate::rng::Rng;

/// A row of Table 11.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its conditions.
    pub name: &'static str,
    /// Peak/M where it is at most 1, and the number of those jobs.
    pub within: (Moments, f64),
    /// Peak/M where it is above 1, and the number of those jobs.
    pub beyond: (Moments, f64),
}

const fn row(name: &'static str, within: (f64, f64, f64), beyond: (f64, f64, f64)) -> Row {
    Row {
        name,
        within: (Moments { mean: within.0, cv: within.1 }, within.2),
        beyond: (Moments { mean: beyond.0, cv: beyond.1 }, beyond.2),
    }
}

/// Table 11.
pub const TABLE_11: [Row; 8] = [
    row("T < 1 min", (0.00, 13.03, 890.0), (0.0, 0.0, 0.0)),
    row("M > 128 MB, T 1-10 min", (0.17, 1.52, 1_961.0), (1.83, 0.61, 86.0)),
    row("M > 128 MB, T 10-100 min", (0.33, 0.91, 2_449.0), (3.88, 1.56, 407.0)),
    row("M > 128 MB, T > 100 min", (0.44, 0.75, 4_172.0), (2.94, 2.41, 640.0)),
    row("M 33-128 MB, T 17-170 h", (0.39, 0.63, 193.0), (1.97, 0.20, 277.0)),
    row("M <= 32 MB, T 1-10 min", (0.13, 1.95, 65.0), (313.39, 1.06, 80.0)),
    row("M <= 32 MB, T 10-100 min", (0.58, 0.41, 69.0), (454.70, 1.04, 168.0)),
    row("M <= 32 MB, T > 100 min", (0.59, 0.30, 35.0), (515.85, 0.70, 28.0)),
];

/// Peak/M of jobs that run for under a minute; the table prints a mean of 0.00.
const FIRST_MINUTE: Moments = Moments { mean: 0.003, cv: 13.0 };

const FIRST_MINUTE_MOST_KB: f64 = 64.0 * 1_024.0;

/// The memory of the largest hosts.
const HOST_KB: f64 = 64.0 * 1_024.0 * 1_024.0;

/// The row of [`TABLE_11`] that holds for a job.
pub fn conditions(memory_mb: u32, actual_s: u32) -> usize {
    let time = [60, 600, 6_000].partition_point(|bound| *bound <= actual_s);
    match (memory_mb, time) {
        (_, 0) => 0,
        (..=32, _) => 4 + time,
        (33..=128, 3) if (60_000..600_000).contains(&actual_s) => 4,
        _ => time,
    }
}

/// The distributions of peak memory.
#[derive(Clone, Debug)]
pub struct PeakMemory {
    within: Vec<Beta>,
    /// Share above 1, and the logarithm's mean and deviation of the excess.
    beyond: Vec<(f64, (f64, f64))>,
    first_minute: (f64, f64),
}

impl PeakMemory {
    /// Those of October to December 2000.
    pub fn new() -> PeakMemory {
        let within = |row: &Row| {
            let Moments { mean, cv } = row.within.0;
            Beta::new(mean, mean * cv * mean * cv)
        };
        let beyond = |row: &Row| {
            let Moments { mean, cv } = row.beyond.0;
            let excess = Moments { mean: mean - 1.0, cv: mean * cv / (mean - 1.0) };
            (row.beyond.1 / (row.within.1 + row.beyond.1), log_normal(excess))
        };
        PeakMemory {
            within: TABLE_11.iter().map(within).collect(),
            beyond: TABLE_11.iter().map(beyond).collect(),
            first_minute: log_normal(FIRST_MINUTE),
        }
    }

    /// A peak in kilobytes.
    pub fn draw(&self, job: &Draft, rng: &mut Rng) -> u64 {
        let at = conditions(job.memory_mb, job.actual_s);
        let requested_kb = 1_024.0 * f64::from(job.memory_mb);
        let (share, (mean, deviation)) = self.beyond[at];
        let kilobytes = if at == 0 {
            let (mean, deviation) = self.first_minute;
            (requested_kb * rng.log_normal(mean, deviation).min(1.0)).min(FIRST_MINUTE_MOST_KB)
        } else if rng.chance(share) {
            requested_kb * (1.0 + rng.log_normal(mean, deviation))
        } else {
            requested_kb * self.within[at].draw(rng)
        };
        libm::round(kilobytes).clamp(1.0, HOST_KB) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_cover_the_table() {
        let hour = 3_600;
        let rows = [
            (5, 59, 0),
            (129, 60, 1),
            (129, 600, 2),
            (129, 6_000, 3),
            (128, 60_000, 4),
            (33, 600_000, 3),
            (100, 2 * hour, 3),
            (32, 60, 5),
            (1, 6_000, 7),
            (1, 400 * hour, 7),
        ];
        for (memory, time, row) in rows {
            assert_eq!(conditions(memory, time), row, "{memory} MB, {time} s");
        }
    }
}
