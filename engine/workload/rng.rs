//! Random numbers: one named stream per purpose, so that a new draw for one purpose never shifts another.
//!
//! Generates: xoshiro256++ streams (Blackman & Vigna 2019) derived from one `u64` seed, and the distributions the models
//! need. Source: the seed is expanded with SplitMix64; stream *i* of part *p* lies *p* long jumps (2¹⁹² draws each) and
//! *i* jumps (2¹²⁸ draws each) away, so no two streams overlap. Parameters: seed, part, [`Stream`]. Differs: none known.
//! Cost: 256 steps per jump, once per stream. Every transcendental function is `libm`'s, so the values are the same on
//! every machine.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What a stream of random numbers is for. The discriminant is the number of jumps and therefore part of every
/// generated workload: append new purposes, never reorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Stream {
    /// Gaps between submissions.
    Arrivals = 0,
    /// Requested nodes.
    Sizes = 1,
    /// Run times.
    RunTimes = 2,
    /// Requested times.
    Estimates = 3,
    /// Requested memory.
    Memory = 4,
    /// Downey's σ, the shape of a moldable job's speed-up.
    Sigma = 5,
    /// Downey's A, a moldable job's average parallelism.
    Parallelism = 6,
    /// Which class of a mixture a job belongs to.
    Classes = 7,
    /// Who submits, and sessions or repetitions of a user's jobs.
    Users = 8,
    /// Day, week and burst structure of the arrivals.
    Cycles = 9,
    /// Memory that jobs use at their peak.
    PeakMemory = 10,
    /// Which of several candidates become jobs.
    Selection = 11,
    /// Which jobs are dropped.
    Dropping = 12,
}

/// One stream of random numbers, with the samplers the models need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    source: Xoshiro256PlusPlus,
}

impl Rng {
    /// The stream for `purpose` of the workload with this seed.
    pub fn new(seed: u64, purpose: Stream) -> Rng {
        Rng::of_part(seed, 0, purpose)
    }

    /// The stream for `purpose` of one `part` of a workload, where several independent sub-workloads are merged.
    pub fn of_part(seed: u64, part: u32, purpose: Stream) -> Rng {
        let mut source = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..part {
            source.long_jump();
        }
        for _ in 0..purpose as u8 {
            source.jump();
        }
        Rng { source }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.source.next_u64()
    }

    /// Uniform on [0, 1), from the top 53 bits of one draw.
    pub fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1u64 << 53) as f64;
        (self.bits() >> 11) as f64 * STEP
    }

    /// Uniform on (0, 1], safe under a logarithm; one draw.
    pub fn positive_unit(&mut self) -> f64 {
        1.0 - self.unit()
    }

    /// Uniform on [low, high); one draw.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with probability `p`; one draw.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// Uniform on 0, 1, … `n` − 1 (0 for `n` = 0); one draw. The bias is below n · 2⁻⁶⁴.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// The index of one of the `weights`, with probability proportional to its weight; one draw. Weights must not be
    /// negative; the last index is returned where they sum to nothing.
    pub fn pick(&mut self, weights: &[f64]) -> usize {
        let total: f64 = weights.iter().sum();
        let mut left = self.unit() * total;
        for (index, weight) in weights.iter().enumerate() {
            if left < *weight {
                return index;
            }
            left -= weight;
        }
        weights.len().saturating_sub(1)
    }

    /// Exponential with the given mean; one draw.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(self.positive_unit())
    }

    /// Standard normal (Box–Muller, the cosine half); two draws.
    pub fn standard_normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(self.positive_unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// Normal with the given mean and standard deviation; two draws.
    pub fn normal(&mut self, mean: f64, sd: f64) -> f64 {
        mean + sd * self.standard_normal()
    }

    /// exp(normal): log-normal with the mean and standard deviation of the logarithm; two draws.
    pub fn log_normal(&mut self, mean: f64, sd: f64) -> f64 {
        libm::exp(self.normal(mean, sd))
    }

    /// Weibull with the given shape and scale, both > 0; one draw.
    pub fn weibull(&mut self, shape: f64, scale: f64) -> f64 {
        scale * libm::pow(-libm::log(self.positive_unit()), 1.0 / shape)
    }

    /// Gamma with the given shape and scale, both > 0 (mean shape · scale). Marsaglia & Tsang 2000 (ACM TOMS 26(3)); a
    /// shape below 1 is drawn at shape + 1 and multiplied by u^(1/shape). At least three draws.
    pub fn gamma(&mut self, shape: f64, scale: f64) -> f64 {
        if shape < 1.0 {
            let boost = libm::pow(self.positive_unit(), 1.0 / shape);
            return self.gamma(shape + 1.0, scale) * boost;
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / libm::sqrt(9.0 * d);
        loop {
            let x = self.standard_normal();
            let t = 1.0 + c * x;
            if t <= 0.0 {
                continue;
            }
            let v = t * t * t;
            if libm::log(self.positive_unit()) < 0.5 * x * x + d * (1.0 - v + libm::log(v)) {
                return d * v * scale;
            }
        }
    }

    /// Hyper-gamma: `first` = (shape, scale) with probability `p`, else `second`.
    pub fn hyper_gamma(&mut self, p: f64, first: (f64, f64), second: (f64, f64)) -> f64 {
        let (shape, scale) = if self.chance(p) { first } else { second };
        self.gamma(shape, scale)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::{Rng, Stream};
    use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_ne, proptest};
    use rand_core::{Rng as _, SeedableRng as _};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn moments(n: usize, mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let values: Vec<f64> = (0..n).map(|_| draw()).collect();
        let mean = values.iter().sum::<f64>() / n as f64;
        let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n as f64;
        (mean, variance)
    }

    #[test]
    fn gamma_has_its_moments() {
        for (shape, scale) in [(0.3, 2.0), (1.0, 1.0), (4.2, 0.94), (312.0, 0.03)] {
            let mut rng = Rng::new(11, Stream::RunTimes);
            let n = 200_000;
            let (mean, variance) = moments(n, || rng.gamma(shape, scale));
            let (mu, var) = (shape * scale, shape * scale * scale);
            let mean_error = (var / n as f64).sqrt();
            // the variance's own variance is var² (2 + 6/shape) / n
            let variance_error = var * ((2.0 + 6.0 / shape) / n as f64).sqrt();
            assert!((mean - mu).abs() < 4.0 * mean_error, "mean {mean} of gamma({shape}, {scale})");
            assert!(
                (variance - var).abs() < 4.0 * variance_error,
                "variance {variance} of gamma({shape}, {scale})"
            );
        }
    }

    #[test]
    fn normal_exponential_and_weibull_have_their_moments() {
        let n = 200_000;
        let mut rng = Rng::new(5, Stream::Sizes);
        let (mean, variance) = moments(n, || rng.normal(3.0, 2.0));
        assert!((mean - 3.0).abs() < 0.02 && (variance - 4.0).abs() < 0.06, "{mean} {variance}");
        let (mean, variance) = moments(n, || rng.exponential(10.0));
        assert!((mean - 10.0).abs() < 0.1 && (variance - 100.0).abs() < 3.0, "{mean} {variance}");
        let (mean, _) = moments(n, || rng.weibull(2.0, 1.0));
        assert!((mean - 0.886_226_925).abs() < 0.005, "{mean}");
    }

    #[test]
    fn a_jump_is_the_published_one() {
        // Stream i is i jumps of the crate's generator from the SplitMix64 state.
        let mut reference = Xoshiro256PlusPlus::seed_from_u64(7);
        reference.long_jump();
        reference.jump();
        reference.jump();
        let mut rng = Rng::of_part(7, 1, Stream::RunTimes);
        assert!((0..100).all(|_| rng.bits() == reference.next_u64()));
    }

    #[test]
    fn values_are_pinned() {
        // A change here changes every generated workload: it needs a reason and a new model version.
        let mut rng = Rng::new(42, Stream::Arrivals);
        assert_eq!((rng.bits(), rng.bits()), (15_021_278_609_987_233_951, 5_881_210_131_331_364_753));
        let mut rng = Rng::new(42, Stream::Sizes);
        let drawn = [
            rng.unit(),
            rng.exponential(1.0),
            rng.standard_normal(),
            rng.gamma(4.2, 0.94),
            rng.gamma(0.5, 1.0),
        ];
        let pinned = [
            0.7527916874180217,
            0.4557469892727296,
            0.1743932132475124,
            3.782543045898062,
            0.7899413219105337,
        ];
        assert_eq!(drawn, pinned);
    }

    #[test]
    fn picks_follow_the_weights() {
        let mut rng = Rng::new(3, Stream::Classes);
        let mut counts = [0u32; 3];
        for _ in 0..100_000 {
            counts[rng.pick(&[1.0, 0.0, 3.0])] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((f64::from(counts[2]) / 100_000.0 - 0.75).abs() < 0.006, "{counts:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn draws_stay_in_range(seed: u64, n in 1u64..) {
            let mut rng = Rng::new(seed, Stream::Memory);
            for _ in 0..50 {
                let u = rng.unit();
                prop_assert!((0.0..1.0).contains(&u));
                let u = rng.positive_unit();
                prop_assert!(u > 0.0 && u <= 1.0);
                prop_assert!(rng.below(n) < n);
                prop_assert!(rng.gamma(0.5, 1.0) >= 0.0);
            }
        }

        #[test]
        fn streams_of_one_seed_differ(seed: u64) {
            let first = |stream| Rng::new(seed, stream).bits();
            prop_assert_ne!(first(Stream::Arrivals), first(Stream::Sizes));
            prop_assert_ne!(first(Stream::Sizes), first(Stream::RunTimes));
            prop_assert_ne!(Rng::of_part(seed, 1, Stream::Sizes).bits(), first(Stream::Sizes));
        }
    }
}
