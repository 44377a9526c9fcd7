//! R, the requested run time given P and M.
//!
//! Generates: one of the defaults 5, 50, 200 and 400 hours, or a round time between them. Source: Table 9 (mean and CV of four
//! conditional distributions A to D, apart for defaults and other times), §4.4.3 (their regions in words, which Fig. 33 draws;
//! "approximately uniform frequency" of round numbers between the defaults), Table 10 (jobs per range of R).
//! Family: finite. The masses of the defaults, and of the ranges between them, are solved from the printed mean and CV, which
//! leaves one of each free: the mass of 400 h, and that of the range from 50 to 200 h. Those are chosen so that the numbers of
//! jobs per range of R are those of Table 10, and what §4.4.3 says of A to D holds. The share of defaults follows from the means.
//! Differs: which numbers are round is our choice. Distribution D, printed for October to December 2000, is used in all months.

use super::class::{TIME_CLASSES, time_class};
use super::shapes::{Choice, Moments};
use crate::rng::Rng;

const HOUR_S: u32 = 3_600;

/// The defaults, in seconds.
pub const DEFAULTS_S: [u32; 4] = [5 * HOUR_S, 50 * HOUR_S, 200 * HOUR_S, 400 * HOUR_S];

/// Round times below five hours, with the shares of their groups: one minute, up to ten, and more (Table 10).
const SHORT_S: [(&[u32], f64); 3] = [
    (&[60], 17.0 / 4_398.0),
    (&[120, 180, 300, 600], 162.0 / 4_398.0),
    (&[900, 1_200, 1_800, HOUR_S, 2 * HOUR_S, 3 * HOUR_S, 4 * HOUR_S], 4_219.0 / 4_398.0),
];

/// Round times between the defaults, in hours.
const BETWEEN_H: [&[u32]; 3] = [
    &[6, 8, 10, 12, 15, 20, 24, 30, 36, 40, 48],
    &[60, 72, 80, 96, 100, 120, 144, 150, 160, 168, 180],
    &[240, 250, 300, 350, 360],
];

/// One of the conditional distributions.
#[derive(Clone, Copy, Debug)]
pub struct Conditional {
    /// Its name in the dissertation.
    pub name: &'static str,
    /// Number of jobs in October to December 2000 (Table 9), as the next three.
    pub jobs: f64,
    /// All requests, in hours.
    pub all: Moments,
    /// Those of 5, 50, 200 or 400 h.
    pub defaults: Moments,
    /// The others.
    pub others: Moments,
    /// Mass of 400 h among the defaults.
    longest: f64,
    /// Mass of the range from 50 to 200 h among the others.
    long: f64,
}

const fn moments(mean: f64, cv: f64) -> Moments {
    Moments { mean, cv }
}

/// Table 9.
pub const TABLE_9: [Conditional; 4] = [
    Conditional {
        name: "A",
        jobs: 2_207.0,
        all: moments(20.9, 2.62),
        defaults: moments(33.0, 2.23),
        others: moments(13.6, 2.78),
        longest: 0.018,
        long: 0.02,
    },
    Conditional {
        name: "B",
        jobs: 10_828.0,
        all: moments(41.0, 1.74),
        defaults: moments(58.8, 1.45),
        others: moments(22.8, 2.02),
        longest: 0.035,
        long: 0.11,
    },
    Conditional {
        name: "C",
        jobs: 1_458.0,
        all: moments(81.5, 1.27),
        defaults: moments(97.8, 1.17),
        others: moments(44.6, 1.37),
        longest: 0.06,
        long: 0.275,
    },
    Conditional {
        name: "D",
        jobs: 187.0,
        all: moments(48.4, 2.52),
        defaults: moments(112.6, 1.52),
        others: moments(4.4, 4.08),
        longest: 0.256,
        long: 0.005,
    },
];

/// Which of [`TABLE_9`] holds for a job, as an index (§4.4.3).
pub fn region(processors: u32, memory_mb: u32) -> usize {
    const A: usize = 0;
    const B: usize = 1;
    const C: usize = 2;
    const D: usize = 3;
    let half_gigabyte = (257..=512).contains(&memory_mb);
    match processors {
        1 if memory_mb > 1_024 => C,
        2..=4 if half_gigabyte => A,
        5..=8 if memory_mb > 2_048 => C,
        9..=16 if memory_mb <= 128 => C,
        9..=16 if half_gigabyte => A,
        17..=32 if (1_025..=2_048).contains(&memory_mb) => C,
        33.. if memory_mb > 8_192 => D,
        33.. => A,
        _ => B,
    }
}

impl Conditional {
    /// Every time in seconds with its mass.
    fn masses(&self) -> Vec<(u32, f64)> {
        let hours = |seconds: u32| f64::from(seconds) / f64::from(HOUR_S);
        let defaults = DEFAULTS_S.map(|time| Part::of(&[hours(time)]));
        let short: Vec<(u32, f64)> = SHORT_S
            .iter()
            .flat_map(|(times, share)| times.iter().map(move |time| (*time, share / times.len() as f64)))
            .collect();
        let between = BETWEEN_H.map(|times| times.iter().map(|&h| f64::from(h)).collect::<Vec<_>>());
        let others = [
            Part::weighted(short.iter().map(|(time, mass)| (hours(*time), *mass))),
            Part::of(&between[0]),
            Part::of(&between[1]),
            Part::of(&between[2]),
        ];
        let [a, b, c, d] = defaults;
        let (b_mass, c_mass) = solved(self.defaults, a, (d, self.longest), b, c);
        let default_masses = [1.0 - b_mass - c_mass - self.longest, b_mass, c_mass, self.longest];
        let [a, b, c, d] = others;
        let (b_mass, d_mass) = solved(self.others, a, (c, self.long), b, d);
        let other_masses = [1.0 - b_mass - self.long - d_mass, b_mass, self.long, d_mass];
        let default_share = (self.all.mean - self.others.mean) / (self.defaults.mean - self.others.mean);
        let mut masses: Vec<(u32, f64)> =
            DEFAULTS_S.into_iter().zip(default_masses.map(|mass| mass * default_share)).collect();
        let other = |mass: f64| mass * (1.0 - default_share);
        masses.extend(short.into_iter().map(|(time, mass)| (time, mass * other(other_masses[0]))));
        for (times, mass) in BETWEEN_H.iter().zip(&other_masses[1..]) {
            masses.extend(times.iter().map(|time| (time * HOUR_S, other(*mass) / times.len() as f64)));
        }
        masses
    }
}

/// First and second moment of a part of a distribution.
#[derive(Clone, Copy)]
struct Part(f64, f64);

impl Part {
    fn weighted(values: impl Iterator<Item = (f64, f64)>) -> Part {
        values.fold(Part(0.0, 0.0), |sum, (value, mass)| {
            Part(sum.0 + mass * value, sum.1 + mass * value * value)
        })
    }

    fn of(values: &[f64]) -> Part {
        Part::weighted(values.iter().map(|value| (*value, 1.0 / values.len() as f64)))
    }
}

/// The masses of two parts such that the whole has the wanted moments; a `rest` takes what they and the `fixed` part leave.
fn solved(wanted: Moments, rest: Part, fixed: (Part, f64), first: Part, second: Part) -> (f64, f64) {
    let over = |part: Part| (part.0 - rest.0, part.1 - rest.1);
    let (f, mass) = (over(fixed.0), fixed.1);
    let left = (wanted.mean - rest.0 - mass * f.0, wanted.square() - rest.1 - mass * f.1);
    let (a, b) = (over(first), over(second));
    let determinant = a.0 * b.1 - a.1 * b.0;
    ((left.0 * b.1 - left.1 * b.0) / determinant, (a.0 * left.1 - a.1 * left.0) / determinant)
}

/// The distributions, whole and by class of time.
#[derive(Clone, Debug)]
pub struct RequestedTimes {
    whole: Vec<Choice<u32>>,
    /// By region, then class of time.
    by_class: Vec<Vec<Choice<u32>>>,
}

impl RequestedTimes {
    /// Those of October to December 2000.
    pub fn new() -> RequestedTimes {
        let masses: Vec<Vec<(u32, f64)>> = TABLE_9.iter().map(Conditional::masses).collect();
        let within = |masses: &[(u32, f64)], class: usize| {
            Choice::new(masses.iter().copied().filter(|(time, _)| time_class(*time) == class))
        };
        let classes =
            |masses: &Vec<(u32, f64)>| (0..TIME_CLASSES.len()).map(|class| within(masses, class)).collect();
        RequestedTimes {
            by_class: masses.iter().map(classes).collect(),
            whole: masses.into_iter().map(Choice::new).collect(),
        }
    }

    /// A requested time in seconds, with one random number.
    pub fn draw(&self, region: usize, rng: &mut Rng) -> u32 {
        self.whole[region].draw(rng)
    }

    /// As [`RequestedTimes::draw`], within a class of time.
    pub fn draw_within(&self, region: usize, class: usize, rng: &mut Rng) -> u32 {
        self.by_class[region][class].draw(rng)
    }

    /// The mass of a class of time, relative to that in the region where it is largest.
    pub fn relative_mass(&self, region: usize, class: usize) -> f64 {
        let most = self.by_class.iter().map(|classes| classes[class].total()).fold(0.0, f64::max);
        self.by_class[region][class].total() / most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masses_have_the_printed_moments() {
        for conditional in TABLE_9 {
            let masses = conditional.masses();
            assert!(masses.iter().all(|(_, mass)| *mass > 0.0), "{} {masses:?}", conditional.name);
            let moments = |wanted: fn(u32) -> bool| {
                let part = || masses.iter().filter(|(time, _)| wanted(*time));
                let mass: f64 = part().map(|(_, mass)| mass).sum();
                let hours = |time: u32| f64::from(time) / 3_600.0;
                let Part(mean, square) = Part::weighted(part().map(|(time, of)| (hours(*time), of / mass)));
                Moments { mean, cv: libm::sqrt(square / (mean * mean) - 1.0) }
            };
            let near = |is: Moments, printed: Moments, by: f64| {
                let close = |a: f64, b: f64| (a / b - 1.0).abs() < by;
                assert!(
                    close(is.mean, printed.mean) && close(is.cv, printed.cv),
                    "{} {is:?}",
                    conditional.name
                );
            };
            near(moments(|time| DEFAULTS_S.contains(&time)), conditional.defaults, 1e-9);
            near(moments(|time| !DEFAULTS_S.contains(&time)), conditional.others, 1e-9);
            // The table's own three columns agree to this.
            near(moments(|_| true), conditional.all, 0.01);
        }
    }

    #[test]
    fn regions_are_those_of_the_prose() {
        let at = |processors, memory_mb| TABLE_9[region(processors, memory_mb)].name;
        assert_eq!([at(1, 1_025), at(8, 2_049), at(16, 128), at(32, 2_048)], ["C"; 4]);
        assert_eq!([at(2, 257), at(4, 512), at(9, 512), at(64, 8_192)], ["A"; 4]);
        assert_eq!([at(1, 1_024), at(8, 512), at(16, 513), at(32, 2_049), at(17, 1_024)], ["B"; 5]);
        assert_eq!(at(33, 8_193), "D");
    }
}
