//! When a sweep will be over, as an honest range.
//!
//! Every run has an expected length (from earlier runs of its kind, else from its number of jobs). The runs of a cost class that are over say by
//! what factor m these lengths are wrong in that class, and how much single runs scatter around that (coefficient of variation c).
//! With n of them over and expected lengths e of the others, the work left in the class is m·Σe, give or take the fraction
//! 2·c·√(1/n + Σe²/(Σe)²) + 1/n: the error of m, the luck of the runs to come, and a term for how little the first runs say about the
//! others. Errors of classes are independent: their squares are added. A class of which no run is over may be wrong by any factor between the least and the
//! largest of the k classes of the same policy of which some are (or of any policy, where there are none), and by a fraction 1/k beyond. All this is
//! divided by the number of runs at a time. What is shown as the most is never less than the time that the longest run
//! in flight has taken already, and both ends are lowered by the share of runs that other processes have done so far.

use super::order::Entry;

/// What is known of a sweep's runs, by cost class.
#[derive(Clone, Debug, Default)]
pub(super) struct Forecast(Vec<Class>);

#[derive(Clone, Copy, Debug, Default)]
struct Class {
    policy: usize,
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

/// The factors of several classes by which expected lengths are wrong.
#[derive(Clone, Copy, Debug)]
struct Factors {
    classes: f64,
    least: f64,
    most: f64,
}

impl Forecast {
    /// A run that is still to be done.
    pub fn add(&mut self, entry: &Entry) {
        if entry.class >= self.0.len() {
            self.0.resize(entry.class + 1, Class::default());
        }
        let Class { policy, left, .. } = &mut self.0[entry.class];
        *policy = entry.policy;
        left.runs += 1.0;
        left.expected += entry.rank_s;
        left.expected2 += entry.rank_s * entry.rank_s;
    }

    /// A run need not be done any more.
    pub fn remove(&mut self, entry: &Entry) {
        let left = &mut self.0[entry.class].left;
        left.runs -= 1.0;
        left.expected -= entry.rank_s;
        left.expected2 -= entry.rank_s * entry.rank_s;
    }

    /// A run is over after `wall_s` seconds.
    pub fn finish(&mut self, entry: &Entry, wall_s: f64) {
        self.remove(entry);
        let factor = wall_s / entry.rank_s.max(1e-12);
        let over = &mut self.0[entry.class].over;
        over.runs += 1.0;
        over.expected += entry.rank_s;
        over.taken += wall_s;
        over.factor += factor;
        over.factor2 += factor * factor;
    }

    /// Seconds until all runs are over, at least and at most, `at_a_time` at a time. Nothing before a run is over.
    pub fn range_s(&self, at_a_time: usize) -> Option<(f64, f64)> {
        let left: Vec<&Class> = self.0.iter().filter(|class| class.left.runs > 0.5).collect();
        let runs: f64 = left.iter().map(|class| class.left.runs).sum();
        if left.is_empty() {
            return Some((0.0, 0.0));
        }
        let any = self.factors(|_| true)?;
        let (mut work, mut error2, mut least, mut most) = (0.0, 0.0, 0.0, 0.0);
        for class in left {
            let expected = class.left.expected.max(0.0);
            if class.over.runs > 0.5 {
                let here = class.factor() * expected;
                work += here;
                error2 += (here * class.wrong()).powi(2);
            } else {
                let alike = self.factors(|other| other.policy == class.policy).unwrap_or(any);
                least += alike.least * (1.0 - 1.0 / alike.classes) * expected;
                most += alike.most * (1.0 + 1.0 / alike.classes) * expected;
            }
        }
        let at_a_time = (at_a_time.max(1) as f64).min(runs);
        let error = error2.sqrt();
        Some((((work - error).max(0.0) + least) / at_a_time, (work + error + most) / at_a_time))
    }

    /// Those of the classes of which some runs are over; nothing where there are none.
    fn factors(&self, of: impl Fn(&Class) -> bool) -> Option<Factors> {
        let known = self.0.iter().filter(|class| class.over.runs > 0.5 && of(class)).map(Class::factor);
        known.fold(None, |all: Option<Factors>, factor| {
            let all = all.unwrap_or(Factors { classes: 0.0, least: factor, most: factor });
            let (least, most) = (all.least.min(factor), all.most.max(factor));
            Some(Factors { classes: all.classes + 1.0, least, most })
        })
    }
}

impl Class {
    /// By what factor its runs took longer than expected.
    fn factor(&self) -> f64 {
        self.over.taken / self.over.expected.max(1e-12)
    }

    /// By what fraction the work left may differ from what that factor says.
    fn wrong(&self) -> f64 {
        let n = self.over.runs;
        let mean = self.over.factor / n;
        let variance = (self.over.factor2 / n - mean * mean).max(0.0);
        let scatter = if mean > 0.0 { variance.sqrt() / mean } else { 0.0 };
        let left = self.left.expected.max(1e-12);
        let luck = self.left.expected2.max(0.0) / (left * left);
        2.0 * scatter * (1.0 / n + luck).sqrt() + 1.0 / n
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A run of the first class of the first policy.
    fn run(rank_s: f64) -> Entry {
        Entry { task: 0, group: 0, source: 0, class: 0, policy: 0, rank_s, known: false, level: 0 }
    }

    fn forecast(expected_s: impl IntoIterator<Item = f64>) -> Forecast {
        let mut forecast = Forecast::default();
        expected_s.into_iter().for_each(|expected_s| forecast.add(&run(expected_s)));
        forecast
    }

    #[test]
    fn the_range_is_wide_at_first_and_closes() {
        let mut forecast = forecast([1.0; 100]);
        assert_eq!(forecast.range_s(2), None);
        let mut width = f64::INFINITY;
        for number in 1..=100 {
            // All runs take three times as long as was expected, give or take a tenth.
            forecast.finish(&run(1.0), if number % 2 == 0 { 3.3 } else { 2.7 });
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
        forecast.finish(&run(10.0), 20.0);
        forecast.finish(&run(10.0), 20.0);
        let (low, high) = forecast.range_s(1).unwrap();
        assert!((low + high) / 2.0 - 8.0 < 1e-9 && low < 8.0 && high > 8.0, "{low} to {high}");
        forecast.remove(&run(1.0));
        forecast.remove(&run(1.0));
        forecast.remove(&run(1.0));
        // One run cannot be shared by four threads.
        let (low, high) = forecast.range_s(4).unwrap();
        assert!(((low + high) / 2.0 - 2.0).abs() < 1e-9, "{low} to {high}");
    }

    #[test]
    fn scattered_runs_make_a_wide_range() {
        let relative = |lengths: [f64; 2]| {
            let mut forecast = forecast([1.0; 60]);
            (0..30).for_each(|n| forecast.finish(&run(1.0), lengths[n % 2]));
            let (low, high) = forecast.range_s(1).unwrap();
            (high - low) / (high + low)
        };
        assert!(relative([0.1, 1.9]) > 5.0 * relative([0.99, 1.01]));
    }

    #[test]
    fn classes_not_seen_yet_make_the_range_as_wide_as_those_seen_differ() {
        let of = |class, policy| Entry { class, policy, ..run(1.0) };
        let mut forecast = Forecast::default();
        for class in 0..4 {
            (0..1000).for_each(|_| forecast.add(&of(class, class / 2)));
        }
        // The first class takes as long as expected, and is over.
        (0..1000).for_each(|_| forecast.finish(&of(0, 0), 1.0));
        // One class says nothing of others but that they may be up to twice as long.
        assert_eq!(forecast.range_s(1), Some((0.0, 6000.0)));
        // The second, of the same policy, takes five times as long.
        (0..1000).for_each(|_| forecast.finish(&of(1, 0), 5.0));
        assert_eq!(forecast.range_s(1), Some((2000.0 * 0.5, 2000.0 * 5.0 * 1.5)));
        // Of the other policy one class is known now: it alone counts for the other.
        (0..1000).for_each(|_| forecast.finish(&of(2, 1), 40.0));
        assert_eq!(forecast.range_s(2), Some((0.0, 40_000.0)));
        (0..500).for_each(|_| forecast.finish(&of(3, 1), 60.0));
        let (low, high) = forecast.range_s(2).unwrap();
        assert!(
            (14_900.0..15_000.0).contains(&low) && (15_000.0..15_100.0).contains(&high),
            "{low} to {high}"
        );
    }
}
