//! When a sweep will be over, as an honest range.
//!
//! Every run has an expected length (from earlier runs of its kind, else from its number of jobs). The runs that are over say by what
//! factor m these lengths are wrong on average, and how much single runs scatter around that (coefficient of variation c).
//! With n runs over and expected lengths e of the others, the work left is m·Σe, give or take the fraction
//! 2·c·√(1/n + Σe²/(Σe)²) + 1/n: the error of m, the luck of the runs to come, and a term for how little the first runs say about the
//! others. It is divided by the number of runs at a time. What is shown as the most is never less than the time that the longest run
//! in flight has taken already, and both ends are lowered by the share of runs that other processes have done so far.

/// What is known of a sweep's runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Forecast {
    over: Sums,
    left: Sums,
}

/// Sums over runs: of expected seconds e, of seconds taken w, of e² and of the factors w/e and their squares.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    runs: f64,
    expected: f64,
    expected2: f64,
    taken: f64,
    factor: f64,
    factor2: f64,
}

impl Forecast {
    /// A run that is still to be done.
    pub fn add(&mut self, expected_s: f64) {
        self.left.runs += 1.0;
        self.left.expected += expected_s;
        self.left.expected2 += expected_s * expected_s;
    }

    /// A run need not be done any more.
    pub fn remove(&mut self, expected_s: f64) {
        self.left.runs -= 1.0;
        self.left.expected -= expected_s;
        self.left.expected2 -= expected_s * expected_s;
    }

    /// A run is over after `wall_s` seconds.
    pub fn finish(&mut self, expected_s: f64, wall_s: f64) {
        self.remove(expected_s);
        let factor = wall_s / expected_s.max(1e-12);
        self.over.runs += 1.0;
        self.over.expected += expected_s;
        self.over.taken += wall_s;
        self.over.factor += factor;
        self.over.factor2 += factor * factor;
    }

    /// Seconds until all runs are over, at least and at most, `at_a_time` at a time. Nothing before a run is over.
    pub fn range_s(&self, at_a_time: usize) -> Option<(f64, f64)> {
        let (n, left) = (self.over.runs, self.left.expected.max(0.0));
        if self.left.runs < 0.5 {
            return Some((0.0, 0.0));
        }
        if n < 0.5 || self.over.expected <= 0.0 || left <= 0.0 {
            return None;
        }
        let mean = self.over.factor / n;
        let variance = (self.over.factor2 / n - mean * mean).max(0.0);
        let scatter = if mean > 0.0 { variance.sqrt() / mean } else { 0.0 };
        let luck = self.left.expected2.max(0.0) / (left * left);
        let wrong = 2.0 * scatter * (1.0 / n + luck).sqrt() + 1.0 / n;
        let work =
            self.over.taken / self.over.expected * left / (at_a_time.max(1) as f64).min(self.left.runs);
        Some((work * (1.0 - wrong).max(0.0), work * (1.0 + wrong)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn forecast(expected_s: impl IntoIterator<Item = f64>) -> Forecast {
        let mut forecast = Forecast::default();
        expected_s.into_iter().for_each(|expected_s| forecast.add(expected_s));
        forecast
    }

    #[test]
    fn the_range_is_wide_at_first_and_closes() {
        let mut forecast = forecast([1.0; 100]);
        assert_eq!(forecast.range_s(2), None);
        let mut width = f64::INFINITY;
        for number in 1..=100 {
            // All runs take three times as long as was expected, give or take a tenth.
            forecast.finish(1.0, if number % 2 == 0 { 3.3 } else { 2.7 });
            let (low, high) = forecast.range_s(2).unwrap();
            let left = f64::from(100 - number);
            let truly = 3.0 * left / left.clamp(1.0, 2.0);
            assert!(low <= truly && truly <= high + 1e-9, "{number}: {low} to {high}");
            // With the last run, all luck is its own.
            assert!(high - low <= width || number > 97, "{number}: {low} to {high}");
            width = high - low;
        }
        assert_eq!(forecast.range_s(2), Some((0.0, 0.0)));
    }

    #[test]
    fn long_runs_count_for_what_they_are() {
        let mut forecast = forecast([10.0, 10.0, 1.0, 1.0, 1.0, 1.0]);
        forecast.finish(10.0, 20.0);
        forecast.finish(10.0, 20.0);
        let (low, high) = forecast.range_s(1).unwrap();
        assert!((low + high) / 2.0 - 8.0 < 1e-9 && low < 8.0 && high > 8.0, "{low} to {high}");
        forecast.remove(1.0);
        forecast.remove(1.0);
        forecast.remove(1.0);
        // One run cannot be shared by four threads.
        let (low, high) = forecast.range_s(4).unwrap();
        assert!(((low + high) / 2.0 - 2.0).abs() < 1e-9, "{low} to {high}");
    }

    #[test]
    fn scattered_runs_make_a_wide_range() {
        let relative = |lengths: [f64; 2]| {
            let mut forecast = forecast([1.0; 60]);
            (0..30).for_each(|n| forecast.finish(1.0, lengths[n % 2]));
            let (low, high) = forecast.range_s(1).unwrap();
            (high - low) / (high + low)
        };
        assert!(relative([0.1, 1.9]) > 5.0 * relative([0.99, 1.01]));
    }
}
