//! Statistics over replications. Nothing here returns a NaN or an infinity: what is undefined is `None`.

use self::student::{EXACT_FREEDOM, student_975_exact, student_975_series};
use std::sync::LazyLock;

// The simulation's own, which has no dependencies; neither crate uses the other.
#[path = "../sim/student.rs"]
mod student;

/// The quantiles for 1, 2, … degrees of freedom: a summary needs the same few for each of its rows.
static EXACT: LazyLock<Vec<f64>> = LazyLock::new(|| (1..=EXACT_FREEDOM).map(student_975_exact).collect());

/// A two-sided 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// A sample's statistics, in the unit of its values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// Number of values.
    pub n: usize,
    /// Arithmetic mean; `None` without values.
    pub mean: Option<f64>,
    /// Standard deviation with divisor n − 1; `None` below two values.
    pub sd: Option<f64>,
    /// mean ± t(0.975, n − 1) · sd / √n (Student), the 95 % interval of the mean of normally distributed values; `None` below
    /// two values.
    pub interval: Option<Interval>,
    /// Smallest value.
    pub min: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
}

/// The statistics of some values, computed in two passes. A value that is not finite makes everything but `n` undefined, as
/// does a sum beyond the range of numbers.
pub fn sample(values: &[f64]) -> Sample {
    let n = values.len();
    let undefined = Sample { n, ..Sample::default() };
    let Some(mean) = mean(values) else { return undefined };
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean = mean.clamp(min, max);
    let defined = Sample { mean: Some(mean), min: Some(min), max: Some(max), ..undefined };
    let Some(quantile) = n.checked_sub(1).and_then(student_975) else { return defined };
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let sd = (squares / (n - 1) as f64).sqrt();
    let half = quantile * sd / (n as f64).sqrt();
    let interval = Interval { low: mean - half, high: mean + half };
    if !(sd.is_finite() && interval.low.is_finite() && interval.high.is_finite()) {
        return defined;
    }
    Sample { sd: Some(sd), interval: Some(interval), ..defined }
}

/// The mean, with the rounding error of a first pass taken back in a second.
fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let n = values.len() as f64;
    let rough = values.iter().sum::<f64>() / n;
    let mean = rough + values.iter().map(|value| value - rough).sum::<f64>() / n;
    mean.is_finite().then_some(mean)
}

/// The differences `of` − `versus`, pair by pair (the same replication of two cases). `None` if the lengths differ.
pub fn paired_differences(of: &[f64], versus: &[f64]) -> Option<Sample> {
    let differences: Vec<f64> = of.iter().zip(versus).map(|(of, versus)| of - versus).collect();
    (of.len() == versus.len()).then(|| sample(&differences))
}

/// The ratios `of` / `versus`, pair by pair. The mean is the mean of the per-replication ratios, not the ratio of the means: it
/// keeps the pairing, and its interval is the plain Student interval of the ratios. A pair over zero has no ratio, and then
/// the sample has none, so that `n` always counts the pairs that the mean is made of. `None` if the lengths differ.
pub fn paired_ratios(of: &[f64], versus: &[f64]) -> Option<Sample> {
    let ratios: Vec<f64> = of.iter().zip(versus).map(|(of, versus)| of / versus).collect();
    (of.len() == versus.len()).then(|| sample(&ratios))
}

/// The nearest-rank percentile of values in ascending order: the smallest value such that at least `percent` % of the values
/// are not above it. 0 gives the smallest, 100 the largest. `None` without values, or if `percent` is outside 0 … 100.
pub fn percentile(ascending: &[f64], percent: f64) -> Option<f64> {
    if !(0.0..=100.0).contains(&percent) {
        return None;
    }
    let rank = (percent * ascending.len() as f64 / 100.0).ceil() as usize;
    ascending.get(rank.saturating_sub(1)).copied()
}

/// The quantile t(0.975, ν) of Student's distribution; `None` for ν = 0. Computed here, with the `libm` crate's arc tangent as
/// its only transcendental function, because a platform's own logarithms differ in the last bit between machines and a table
/// must not. Sources: Abramowitz & Stegun 26.7.3, 26.7.4 (distribution) and 26.7.5 (series).
pub fn student_975(freedom: usize) -> Option<f64> {
    let index = freedom.checked_sub(1)?;
    Some(EXACT.get(index).copied().unwrap_or_else(|| student_975_series(freedom as f64)))
}

/// Where one curve falls to another, going up in x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crossover {
    /// At this x, linearly interpolated between the last point above and the first point not above.
    At(f64),
    /// The curve is not above at the first x already.
    BelowFirst,
    /// The curve is still above at the last x.
    AboveLast,
}

/// The first place, going up in x, at which the curve `of` is no longer above the curve `versus`. `None` if there is no point,
/// the lengths differ, an x or both values at one are not finite, a value is no number, or x does not rise strictly. Beside an infinite value the middle of the
/// two points is taken.
pub fn crossover(x: &[f64], of: &[f64], versus: &[f64]) -> Option<Crossover> {
    let comparable =
        |of: f64, versus: f64| !of.is_nan() && !versus.is_nan() && (of.is_finite() || versus.is_finite());
    let finite =
        x.iter().all(|x| x.is_finite()) && of.iter().zip(versus).all(|(of, versus)| comparable(*of, *versus));
    let rising = x.windows(2).all(|pair| pair[0] < pair[1]);
    if x.is_empty() || x.len() != of.len() || x.len() != versus.len() || !finite || !rising {
        return None;
    }
    let Some(first_below) = of.iter().zip(versus).position(|(of, versus)| of <= versus) else {
        return Some(Crossover::AboveLast);
    };
    let Some(last_above) = first_below.checked_sub(1) else { return Some(Crossover::BelowFirst) };
    let above = of[last_above] - versus[last_above];
    let below = versus[first_below] - of[first_below];
    let (start, end) = (x[last_above], x[first_below]);
    let position = start + (end - start) * (above / (above + below));
    Some(Crossover::At(if position.is_finite() && (above + below).is_finite() {
        position
    } else {
        start + (end - start) / 2.0
    }))
}
