//! P, the requested processors.
//!
//! Generates: 1 to 64. Source: §4.4.1: 30–40 % serial, powers of two dominate except 2, 5–10 % ask for 32 in October and November
//! 2000, the mean is 7–10; the shares of four ranges are the counts of Fig. 29b. Family: harmonic with emphasis on small numbers
//! and powers of two, which the dissertation names (after Feitelson 1996) without printing its weights; here a mass per power of
//! two, and weights 1/P for the other sizes of each range. Differs: the masses inside the ranges are read from the prose, and for the
//! months before October 2000 from it and Table 7.

use super::month::Month;
use super::shapes::Choice;
use crate::rng::Rng;

/// Upper bounds of the ranges of Fig. 29b.
pub const RANGES: [u32; 4] = [2, 8, 32, 64];

/// Jobs per range (Fig. 29b).
pub const COUNTS: [f64; 4] = [5_293.0, 5_713.0, 3_831.0, 643.0];

/// Their sum.
pub const ALL: f64 = COUNTS[0] + COUNTS[1] + COUNTS[2] + COUNTS[3];

/// Shares of the jobs by range, and of those that ask for a power of two. The rest of each range goes to its other sizes.
#[derive(Clone, Copy, Debug)]
struct Masses {
    ranges: [f64; 4],
    powers_of_two: [(u32, f64); 7],
}

/// October to December 2000.
const LATE: Masses = Masses {
    ranges: [COUNTS[0] / ALL, COUNTS[1] / ALL, COUNTS[2] / ALL, COUNTS[3] / ALL],
    powers_of_two: [(1, 0.315), (2, 0.0269), (4, 0.16), (8, 0.19), (16, 0.175), (32, 0.055), (64, 0.033)],
};

/// Before: under 2 % ask for 32, and those above 16 ask for 37 to 40 on average (Table 7, T > 10 min).
const EARLY: Masses = Masses {
    ranges: [0.36, 0.355, 0.24, 0.045],
    powers_of_two: [(1, 0.335), (2, 0.025), (4, 0.16), (8, 0.185), (16, 0.14), (32, 0.019), (64, 0.024)],
};

/// The range of a number of processors, as an index into [`RANGES`].
pub fn range(processors: u32) -> usize {
    RANGES.partition_point(|bound| *bound < processors).min(RANGES.len() - 1)
}

/// The distribution of P.
#[derive(Clone, Debug)]
pub struct Processors(Choice<u32>);

impl Processors {
    /// Those of a month.
    pub fn new(month: Month) -> Processors {
        let Masses { ranges, powers_of_two } = if month.is_late() { LATE } else { EARLY };
        let power = |size: u32| powers_of_two.iter().find(|(power, _)| *power == size).map(|found| found.1);
        let weight = |size: u32| {
            power(size).unwrap_or_else(|| {
                let at = range(size);
                let alike = || (1..=RANGES[3]).filter(|&other| range(other) == at);
                let powers: f64 = alike().filter_map(power).sum();
                let others = alike().filter(|&other| power(other).is_none());
                let harmonic: f64 = others.map(|other| 1.0 / f64::from(other)).sum();
                (ranges[at] - powers).max(0.0) / (f64::from(size) * harmonic)
            })
        };
        Processors(Choice::new((1..=RANGES[3]).map(|size| (size, weight(size)))))
    }

    /// A number of processors, with one random number.
    pub fn draw(&self, rng: &mut Rng) -> u32 {
        self.0.draw(rng)
    }
}
