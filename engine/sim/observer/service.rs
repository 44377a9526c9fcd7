//! How jobs on hosts came to run: at once, or after a test run. Source: Chiang 2001, §5.5 and §6.1.1 (the shares in the text).

use super::JobRecord;

/// Counts of jobs.
#[derive(Clone, Debug, Default)]
pub(super) struct Service {
    at_once: u64,
    tested: u64,
    preempting: u64,
    finished: u64,
}

impl Service {
    /// Counts a job that has ended.
    pub fn add(&mut self, record: &JobRecord<'_>) {
        let in_test = record.test.is_some_and(|test| test.lasts);
        self.at_once += u64::from(record.started == record.job.submit && !in_test);
        self.tested += u64::from(record.test.is_some());
        self.preempting += u64::from(record.test.is_some_and(|test| test.preempts));
        self.finished += u64::from(in_test && !record.killed);
    }

    /// The share of jobs that started at once; then, where there are tests, the shares of those that were tested, that were so at the expense of
    /// others, and, of the tested ones, that finished in it.
    pub fn values(&self, jobs: f64, tests: bool) -> Vec<Option<f64>> {
        let share = |part: u64, of: f64| (of > 0.0).then(|| part as f64 / of);
        vec![
            share(self.at_once, jobs),
            share(self.tested, jobs).filter(|_| tests),
            share(self.preempting, jobs).filter(|_| tests),
            share(self.finished, self.tested as f64).filter(|_| tests),
        ]
    }
}
