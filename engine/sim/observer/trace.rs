//! The trace: the pieces of a Gantt chart.

use super::{JobRecord, Observer};
use crate::cluster::node_set::Placement;
use crate::time::Time;
use std::collections::BTreeMap;

/// A stretch of time that a job spent on its nodes without interruption.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The job's number.
    pub job: u64,
    /// Its nodes.
    pub nodes: Placement,
    /// From.
    pub from: Time,
    /// To.
    pub to: Time,
}

/// Collects the pieces of a run, in order of their ends.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Finished pieces.
    pub pieces: Vec<Piece>,
    /// By arrival: since when the job has been on its nodes.
    open: BTreeMap<u64, Time>,
}

impl Trace {
    fn close(&mut self, now: Time, job: &JobRecord<'_>) {
        if let Some(from) = self.open.remove(&job.arrival) {
            self.pieces.push(Piece { job: job.job.id, nodes: job.placement.clone(), from, to: now });
        }
    }
}

impl Observer for Trace {
    fn started(&mut self, now: Time, job: &JobRecord<'_>) {
        self.open.insert(job.arrival, now);
    }
    fn resumed(&mut self, now: Time, job: &JobRecord<'_>) {
        self.open.insert(job.arrival, now);
    }
    fn suspended(&mut self, now: Time, job: &JobRecord<'_>) {
        self.close(now, job);
    }
    fn ended(&mut self, now: Time, job: &JobRecord<'_>) {
        self.close(now, job);
    }
}
