//! The job log: one line per job, in the order in which they left the system.

use super::{JobRecord, Observer};
use crate::job::Job;
use crate::time::Time;

/// What became of one job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobLine {
    /// The job.
    pub job: Job,
    /// The nodes that it ran on: those requested, unless a policy chose others.
    pub size: u32,
    /// Position in the arrival order, from 0.
    pub arrival: u64,
    /// First start.
    pub start: Time,
    /// Finish or kill.
    pub finish: Time,
    /// Whether it started while an earlier arrival waited.
    pub backfilled: bool,
    /// Whether it was killed.
    pub killed: bool,
}

/// Collects a [`JobLine`] per job.
#[derive(Clone, Debug, Default)]
pub struct JobLog {
    /// The lines, in order of leaving.
    pub lines: Vec<JobLine>,
}

impl JobLog {
    /// The lines in arrival order.
    pub fn by_arrival(mut self) -> Vec<JobLine> {
        self.lines.sort_unstable_by_key(|line| line.arrival);
        self.lines
    }
}

impl Observer for JobLog {
    fn ended(&mut self, now: Time, job: &JobRecord<'_>) {
        self.lines.push(JobLine {
            job: *job.job,
            size: job.size,
            arrival: job.arrival,
            start: job.started,
            finish: now,
            backfilled: job.backfilled,
            killed: job.killed,
        });
    }
}
