//! Distributions given by a mean and a coefficient of variation, and finite ones.

use crate::rng::Rng;

/// A mean and a coefficient of variation, as the tables print them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// The mean.
    pub mean: f64,
    /// Standard deviation / mean.
    pub cv: f64,
}

impl Moments {
    /// The mean square.
    pub fn square(self) -> f64 {
        self.mean * self.mean * (1.0 + self.cv * self.cv)
    }

    /// The moments of some values; of none, zeros.
    pub fn of(values: impl Iterator<Item = f64>) -> Moments {
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for value in values {
            count += 1.0;
            sum += value;
            squares += value * value;
        }
        if sum == 0.0 {
            return Moments { mean: 0.0, cv: 0.0 };
        }
        let mean = sum / count;
        Moments { mean, cv: libm::sqrt((squares / count - mean * mean).max(0.0)) / mean }
    }
}

/// Beta on [0, 1] by its mean and variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beta {
    mean: f64,
    shapes: Option<(f64, f64)>,
}

impl Beta {
    /// The one with this mean and variance. Without variance it is a constant; as much as a mean in [0, 1] allows, or more, means
    /// 0 or 1.
    pub fn new(mean: f64, variance: f64) -> Beta {
        let total = if variance > 0.0 { (mean * (1.0 - mean) / variance - 1.0).max(0.0) } else { 0.0 };
        let constant = variance <= 0.0;
        Beta { mean, shapes: (!constant).then_some((mean * total, (1.0 - mean) * total)) }
    }

    /// A value.
    pub fn draw(&self, rng: &mut Rng) -> f64 {
        let Some((a, b)) = self.shapes else { return self.mean };
        let (x, y) = if a > 0.0 && b > 0.0 { (rng.gamma(a, 1.0), rng.gamma(b, 1.0)) } else { (0.0, 0.0) };
        // Tiny shapes put all mass near 0 and 1; both draws may then be too small for a float.
        match x + y {
            sum if sum > 0.0 => x / sum,
            _ if rng.chance(self.mean) => 1.0,
            _ => 0.0,
        }
    }
}

/// The logarithm's mean and deviation of the log-normal with these moments.
pub fn log_normal(moments: Moments) -> (f64, f64) {
    let variance = libm::log(1.0 + moments.cv * moments.cv);
    (libm::log(moments.mean) - variance / 2.0, libm::sqrt(variance))
}

/// A finite distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice<T> {
    values: Vec<T>,
    /// Sums of the weights up to each value.
    sums: Vec<f64>,
}

impl<T: Copy> Choice<T> {
    /// Values with their weights, none negative and some positive.
    pub fn new(weighted: impl IntoIterator<Item = (T, f64)>) -> Choice<T> {
        let mut choice = Choice { values: Vec::new(), sums: Vec::new() };
        let mut sum = 0.0;
        for (value, weight) in weighted {
            sum += weight;
            choice.values.push(value);
            choice.sums.push(sum);
        }
        choice
    }

    /// The sum of the weights.
    pub fn total(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    /// A value, with one random number. The distribution must not be empty.
    pub fn draw(&self, rng: &mut Rng) -> T {
        let score = rng.unit() * self.total();
        let at = self.sums.partition_point(|sum| *sum <= score);
        self.values[at.min(self.values.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn beta_has_its_moments() {
        for (mean, deviation) in [(0.2, 0.23), (0.51, 0.42), (0.5, 0.1), (0.65, 0.45)] {
            let beta = Beta::new(mean, deviation * deviation);
            let mut rng = Rng::new(5, Stream::RunTimes);
            let drawn = Moments::of((0..200_000).map(|_| beta.draw(&mut rng)));
            assert!((drawn.mean - mean).abs() < 0.004, "{drawn:?}");
            assert!((drawn.mean * drawn.cv - deviation).abs() < 0.003, "{drawn:?}");
        }
    }

    #[test]
    fn extreme_variances_are_constants_and_coins() {
        let mut rng = Rng::new(5, Stream::RunTimes);
        assert_eq!(Beta::new(0.3, 0.0).draw(&mut rng), 0.3);
        let coin = Beta::new(0.3, 0.21);
        let drawn: Vec<f64> = (0..10_000).map(|_| coin.draw(&mut rng)).collect();
        assert!(drawn.iter().all(|x| *x == 0.0 || *x == 1.0));
        assert!((drawn.iter().sum::<f64>() / 10_000.0 - 0.3).abs() < 0.02);
    }

    #[test]
    fn choices_follow_their_weights() {
        let choice = Choice::new([('a', 1.0), ('b', 0.0), ('c', 3.0)]);
        let mut rng = Rng::new(5, Stream::Sizes);
        let drawn: Vec<char> = (0..40_000).map(|_| choice.draw(&mut rng)).collect();
        let share = |wanted| drawn.iter().filter(|&&value| value == wanted).count() as f64 / 40_000.0;
        assert_eq!((share('b'), choice.total()), (0.0, 4.0));
        assert!((share('c') - 0.75).abs() < 0.01);
    }

    #[test]
    fn log_normal_moments_are_inverted() {
        let (mean, deviation) = log_normal(Moments { mean: 3.0, cv: 1.5 });
        assert!((libm::exp(mean + deviation * deviation / 2.0) - 3.0).abs() < 1e-12);
    }
}
