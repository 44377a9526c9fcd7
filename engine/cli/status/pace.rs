//! How fast runs are answered, judged by when segments were written, and how long the rest will take.

/// Seconds that count as recent.
pub const RECENT_S: u64 = 600;
/// Seconds that count as just now.
const NOW_S: u64 = 120;

/// Runs that were written together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flush {
    /// When, in seconds since 1970.
    pub at: u64,
    /// How many.
    pub runs: usize,
    /// What they were expected to take, in seconds of one thread; 0 where unknown.
    pub work_s: f64,
}

impl Flush {
    /// Whether it was written in the last [`RECENT_S`] seconds, or by a clock that is ahead.
    pub fn is_recent(&self, now: u64) -> bool {
        now.saturating_sub(self.at) <= RECENT_S
    }
}

/// How fast runs are answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Runs per second of the last ten minutes, or since the first run was written.
    pub runs_per_s: f64,
    /// The same of the last two minutes; none where nothing was written.
    just_now: Option<f64>,
    /// Expected seconds of work that are done per second.
    work_per_s: f64,
}

impl Pace {
    /// The pace of some flushes, in any order; none where too little was written to tell. Silence since the last flush counts.
    pub fn of(flushes: &[Flush], now: u64) -> Option<Pace> {
        let (runs, work_s, elapsed) = within(flushes, now, RECENT_S)?;
        let just_now = within(flushes, now, NOW_S).map(|(runs, _, elapsed)| runs / elapsed);
        Some(Pace { runs_per_s: runs / elapsed, just_now, work_per_s: work_s / elapsed })
    }

    /// Seconds until `missing` runs with so much expected work are answered, at best and at worst: by number at both paces, and by
    /// work. If nothing was written just now, nobody can tell the worst.
    pub fn left_s(&self, missing: usize, expected_s: Option<f64>) -> (f64, Option<f64>) {
        let by_work =
            expected_s.filter(|_| self.work_per_s > 0.0).map(|expected_s| expected_s / self.work_per_s);
        let rates = [Some(self.runs_per_s), self.just_now];
        let by_number = rates.into_iter().flatten().map(|rate| missing as f64 / rate);
        let (best, worst) = by_number
            .chain(by_work)
            .fold((f64::INFINITY, 0.0_f64), |(best, worst), seconds| (best.min(seconds), worst.max(seconds)));
        (best, self.just_now.map(|_| worst))
    }
}

/// Runs and work of the last so many seconds, and how many seconds they took. What was written first of all took nobody knows how
/// long: the clock starts there, and its runs do not count.
fn within(flushes: &[Flush], now: u64, seconds: u64) -> Option<(f64, f64, f64)> {
    let first = flushes.iter().map(|flush| flush.at).min()?;
    let begin = now.saturating_sub(seconds).max(first);
    let counted = || flushes.iter().filter(|flush| flush.at > begin);
    let runs: usize = counted().map(|flush| flush.runs).sum();
    let end = counted().map(|flush| flush.at).max()?.max(now);
    (runs > 0).then(|| (runs as f64, counted().map(|flush| flush.work_s).sum(), (end - begin) as f64))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn flush(at: u64, runs: usize) -> Flush {
        Flush { at, runs, work_s: 0.0 }
    }

    #[test]
    fn one_flush_tells_no_pace() {
        assert_eq!(Pace::of(&[], 1000), None);
        assert_eq!(Pace::of(&[flush(990, 500)], 1000), None);
        assert_eq!(Pace::of(&[flush(990, 500), flush(990, 500)], 1000), None);
    }

    #[test]
    fn silence_slows_the_pace() {
        let flushes = [flush(900, 7), flush(905, 50), flush(910, 50)];
        assert_eq!(Pace::of(&flushes, 910).unwrap().runs_per_s, 10.0);
        let later = Pace::of(&flushes, 1000).unwrap();
        assert_eq!(later.runs_per_s, 1.0);
        assert_eq!(later.left_s(100, None), (100.0, Some(100.0)));
        // Three minutes later nothing was written just now, and after ten there is no pace.
        assert_eq!(Pace::of(&flushes, 1100).unwrap().left_s(100, None), (200.0, None));
        assert_eq!(Pace::of(&flushes, 1600), None);
    }

    #[test]
    fn old_flushes_do_not_count() {
        let flushes = [flush(1000, 900), flush(5000, 60), flush(5300, 60)];
        assert_eq!(Pace::of(&flushes, 5400).unwrap().runs_per_s, 120.0 / 600.0);
    }

    #[test]
    fn the_rest_is_judged_by_number_and_by_work() {
        let work = |at, runs, work_s| Flush { at, runs, work_s };
        // A run per second, of two seconds' work each: two threads.
        let pace = Pace::of(&[work(1000, 1, 2.0), work(1100, 100, 200.0)], 1100).unwrap();
        // The missing ones are shorter than those before.
        assert_eq!(pace.left_s(50, Some(20.0)), (10.0, Some(50.0)));
        assert_eq!(pace.left_s(50, None), (50.0, Some(50.0)));
    }

    #[test]
    fn clocks_of_other_hosts_may_be_ahead() {
        let pace = Pace::of(&[flush(1000, 1), flush(1010, 10)], 1005).unwrap();
        assert_eq!(pace.runs_per_s, 1.0);
        assert!(flush(1010, 1).is_recent(1005));
    }
}
