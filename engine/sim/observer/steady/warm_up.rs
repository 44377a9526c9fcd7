//! How many batches belong to the warm-up, and the interval of the mean over the others.

use super::WarmUp;
use crate::student::{EXACT_FREEDOM, student_975_exact, student_975_series};

/// How many of the first batches are cut, given the mean of every batch; at least one is left.
pub(super) fn cut(warm_up: WarmUp, means: &[f64]) -> usize {
    match warm_up {
        WarmUp::Mser => mser(means),
        WarmUp::Share(share) => {
            let batches = libm::round(share * means.len() as f64) as usize;
            batches.min(means.len().saturating_sub(1))
        }
        WarmUp::Nothing => 0,
    }
}

/// The d ≤ n/2 that makes Σ (x − mean)² / (n − d)² smallest, both over the means behind the first d. One pass from behind.
fn mser(means: &[f64]) -> usize {
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    let mut best = (f64::INFINITY, 0);
    for (d, x) in means.iter().enumerate().rev() {
        // Welford's update: no cancellation between large sums.
        count += 1.0;
        let from_mean = x - mean;
        mean += from_mean / count;
        squares += from_mean * (x - mean);
        let error = squares / (count * count);
        if d <= means.len() / 2 && error <= best.0 {
            best = (error, d);
        }
    }
    best.1
}

/// Half the width of the 95 % interval of the mean of equally large batches: t(0.975, n − 1) · sd / √n. None below two batches.
pub(super) fn half_width(means: &[f64]) -> Option<f64> {
    let n = means.len();
    let freedom = n.checked_sub(1).filter(|freedom| *freedom > 0)?;
    let mean = means.iter().sum::<f64>() / n as f64;
    let squares: f64 = means.iter().map(|x| (x - mean) * (x - mean)).sum();
    let quantile = if freedom <= EXACT_FREEDOM {
        student_975_exact(freedom)
    } else {
        student_975_series(freedom as f64)
    };
    Some(quantile * (squares / freedom as f64 / n as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// As White prints it, over the whole series for each d anew.
    fn plain(means: &[f64]) -> usize {
        let error = |d: usize| {
            let rest = &means[d..];
            let n = rest.len() as f64;
            let mean = rest.iter().sum::<f64>() / n;
            rest.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n * n)
        };
        let candidates = 0..=(means.len() / 2).min(means.len() - 1);
        candidates.fold(0, |best, d| if error(d) < error(best) { d } else { best })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn mser_is_the_printed_one(means in prop::collection::vec(0.0..100.0, 1..80), bias in 0.0..300.0f64) {
            let biased: Vec<f64> =
                means.iter().enumerate().map(|(at, x)| x + bias / (1.0 + at as f64)).collect();
            for series in [means, biased] {
                prop_assert_eq!(mser(&series), plain(&series));
            }
        }
    }

    #[test]
    fn the_beginning_is_cut_where_it_is_odd() {
        let odd = [9.0, 7.0, 2.0, 1.0, 2.0, 1.0, 2.0, 1.0];
        assert_eq!(cut(WarmUp::Mser, &odd), 2);
        assert_eq!(cut(WarmUp::Share(0.3), &odd), 2);
        assert_eq!(cut(WarmUp::Share(0.99), &odd), 7);
        assert_eq!(cut(WarmUp::Nothing, &odd), 0);
        // Half of them at most, however odd; and nothing of what is even.
        assert_eq!(cut(WarmUp::Mser, &[90.0, 80.0, 2.0, 2.0, 2.0]), 2);
        assert_eq!(cut(WarmUp::Mser, &[900.0, 800.0, 70.0, 2.0, 2.0]), 2);
        assert_eq!(cut(WarmUp::Mser, &[3.0; 6]), 0);
        assert_eq!(cut(WarmUp::Mser, &[]), 0);
    }

    #[test]
    fn the_interval_is_students() {
        // Mean 2, sd 1, t(0.975, 2) = 4.302653.
        let half = half_width(&[1.0, 2.0, 3.0]).unwrap_or_default();
        assert!((half - 4.302_652_729_911_275 / 3.0_f64.sqrt()).abs() < 1e-9, "{half}");
        assert_eq!(half_width(&[1.0]), None);
        assert_eq!(half_width(&[]), None);
    }
}
