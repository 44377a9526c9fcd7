//! When jobs arrive.
//!
//! Generates: instants in whole seconds. Source: §4.3: three periods of stable rate on weekdays (8–18, 18–24, 0–8 h) and two on
//! weekends; gaps are two-stage hyperexponential with balanced means (footnote 2, after Allen), CV 1 to 2. Parameters: the month,
//! days before and after it, the CV. Differs: the printed hourly rates (30, 15–20 and 5–10) add up to more than the printed 350–400
//! jobs per weekday, so they are the shape of the day (of ranges the middle), the printed numbers per day that of the week, and the
//! level is that of the month's count. Gaps are drawn in operational time, where the rate is one, and carried over periods. Weekends
//! have no printed hourly rates: the intermediate period is taken as 8–24 h with 9 : 4 (*assumption*).

use super::month::Month;
use crate::rng::Rng;

/// Arrivals per hour that are printed as a range or not at all; only their ratios to the peak's and to the weekend's matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// On weekdays from 18 to 24 h.
    pub intermediate: f64,
    /// On weekdays from 0 to 8 h.
    pub low: f64,
    /// On weekends from 0 to 8 h.
    pub weekend_low: f64,
}

/// On weekdays from 8 to 18 h (§4.3).
const PEAK_RATE: f64 = 30.0;

/// On weekends from 8 to 24 h (*assumption*: with the night's 4 they make up the printed 150–200 jobs a day).
const WEEKEND_RATE: f64 = 9.0;

/// Jobs per weekday and weekend day: the middles of 350–400 and 150–200 (§4.3).
const WEEKDAY_JOBS: f64 = 375.0;
const WEEKEND_JOBS: f64 = 175.0;

/// Jobs per weekend day in February 2000 (§4.3).
const BUSY_WEEKEND_JOBS: f64 = 300.0;

const DAY_S: i64 = 24 * 3_600;

/// A stretch of constant rate.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// Seconds after the first of the month.
    from_s: f64,
    until_s: f64,
    /// Operational time at its end.
    operational: f64,
    /// Relative to other stretches.
    rate: f64,
}

/// The rhythm of some days.
#[derive(Clone, Debug)]
pub struct Rhythm(Vec<Stretch>);

impl Rhythm {
    /// Days `from` to before `until`, counted from the first of the month.
    pub fn new(month: Month, rates: Rates, from: i64, until: i64) -> Rhythm {
        let weekday = [(8.0, rates.low), (18.0, PEAK_RATE), (24.0, rates.intermediate)];
        let weekend = [(8.0, rates.weekend_low), (24.0, WEEKEND_RATE)];
        let mut stretches = Vec::new();
        let mut operational = 0.0;
        for day in from..until {
            let quiet = month.is_quiet(day);
            let (periods, jobs): (&[(f64, f64)], f64) = match quiet {
                false => (&weekday, WEEKDAY_JOBS),
                true if month == Month::Feb2000 => (&weekend, BUSY_WEEKEND_JOBS),
                true => (&weekend, WEEKEND_JOBS),
            };
            let (mut from, mut printed) = (0.0, 0.0);
            for (until, rate) in periods {
                printed += (until - from) * rate;
                from = *until;
            }
            let mut from_s = (day * DAY_S) as f64;
            for (until, rate) in periods {
                let (until_s, rate) =
                    ((day * DAY_S) as f64 + 3_600.0 * until, rate / 3_600.0 * jobs / printed);
                operational += rate * (until_s - from_s);
                stretches.push(Stretch { from_s, until_s, operational, rate });
                from_s = until_s;
            }
        }
        Rhythm(stretches)
    }

    /// The jobs that the printed numbers per day amount to.
    pub fn weight(&self) -> f64 {
        self.0.last().map_or(0.0, |last| last.operational)
    }

    /// The instant of an operational time below [`Rhythm::weight`].
    fn instant_s(&self, operational: f64) -> f64 {
        let at = self.0.partition_point(|stretch| stretch.operational <= operational);
        match self.0.get(at) {
            Some(stretch) => stretch.until_s - (stretch.operational - operational) / stretch.rate,
            None => self.0.last().map_or(0.0, |last| last.until_s),
        }
    }

    /// `count` instants in ascending order, in seconds after the first of the month: `count` + 1 gaps fill the time.
    pub fn arrivals(&self, count: usize, gaps: &Gaps, rng: &mut Rng) -> Vec<i64> {
        let mut sum = 0.0;
        let sums: Vec<f64> = (0..=count)
            .map(|_| {
                sum += gaps.draw(rng);
                sum
            })
            .collect();
        let (Some(first), Some(last)) = (self.0.first(), self.0.last()) else { return Vec::new() };
        let within = |at_s: f64| (libm::floor(at_s)).clamp(first.from_s, last.until_s - 1.0) as i64;
        sums[..count].iter().map(|at| within(self.instant_s(at / sum * self.weight()))).collect()
    }
}

/// Two-stage hyperexponential gaps of mean one with balanced means: each stage contributes half of it.
#[derive(Clone, Copy, Debug)]
pub struct Gaps {
    /// Probability of the stage with the shorter mean.
    shorter: f64,
}

impl Gaps {
    /// With this coefficient of variation, at least 1, which is exponential.
    pub fn new(cv: f64) -> Gaps {
        let square = cv * cv;
        Gaps { shorter: (1.0 + libm::sqrt(((square - 1.0) / (square + 1.0)).max(0.0))) / 2.0 }
    }

    fn draw(&self, rng: &mut Rng) -> f64 {
        let probability = if rng.chance(self.shorter) { self.shorter } else { 1.0 - self.shorter };
        rng.exponential(0.5 / probability)
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::Moments;
    use super::*;
    use crate::rng::Stream;

    const RATES: Rates = Rates { intermediate: 17.5, low: 7.5, weekend_low: 4.0 };

    #[test]
    fn gaps_have_their_variation() {
        for cv in [1.0, 1.3, 2.0] {
            let mut rng = Rng::new(9, Stream::Arrivals);
            let gaps = Gaps::new(cv);
            let drawn = Moments::of((0..400_000).map(|_| gaps.draw(&mut rng)));
            assert!((drawn.mean - 1.0).abs() < 0.01 && (drawn.cv - cv).abs() < 0.02, "{drawn:?}");
        }
    }

    #[test]
    fn days_have_the_printed_numbers() {
        let weight = |month, from, until| Rhythm::new(month, RATES, from, until).weight();
        // 3 and 5 March 2000 were a Friday and a Sunday, 5 February a Saturday.
        let days = [(Month::Mar2000, 2), (Month::Mar2000, 4), (Month::Feb2000, 4)];
        for ((month, day), jobs) in days.into_iter().zip([375.0, 175.0, 300.0]) {
            assert!((weight(month, day, day + 1) - jobs).abs() < 1e-9);
        }
    }

    #[test]
    fn rates_shape_the_day_and_not_its_number() {
        let night = |low| {
            let rhythm = Rhythm::new(Month::Mar2000, Rates { low, ..RATES }, 1, 2);
            rhythm.0[0].operational / rhythm.weight()
        };
        assert!((night(7.5) - 60.0 / 465.0).abs() < 1e-12 && (night(15.0) - 120.0 / 525.0).abs() < 1e-12);
    }

    #[test]
    fn arrivals_follow_the_rhythm() {
        let rhythm = Rhythm::new(Month::Mar2000, RATES, -7, 31);
        let mut rng = Rng::new(9, Stream::Arrivals);
        let arrivals = rhythm.arrivals(100_000, &Gaps::new(1.3), &mut rng);
        assert_eq!(arrivals.len(), 100_000);
        assert!(arrivals.is_sorted() && arrivals[0] >= -7 * DAY_S && arrivals[99_999] < 31 * DAY_S);
        let share = |from: i64, until: i64| {
            let within = arrivals.iter().filter(|at| (from..until).contains(at)).count();
            within as f64 / 100_000.0 * rhythm.weight()
        };
        let peak = share(DAY_S + 8 * 3_600, DAY_S + 18 * 3_600);
        assert!((peak / (375.0 * 300.0 / 465.0) - 1.0).abs() < 0.06, "{peak}");
        let sunday = share(4 * DAY_S, 5 * DAY_S);
        assert!((sunday / 175.0 - 1.0).abs() < 0.09, "{sunday}");
    }
}
