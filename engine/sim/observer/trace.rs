//! The trace: the pieces of a Gantt chart.

use super::{JobRecord, Observer};
use crate::cluster::node_set::Placement;
use crate::time::{Span, Time};
use std::collections::BTreeMap;

/// What a job did on its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// Its memory was loaded, without progress.
    Loading,
    /// It made progress, at whatever rate.
    Running,
}

/// A stretch of time that a job spent on its nodes, doing one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The job's number.
    pub job: u64,
    /// Its position in the arrival order.
    pub arrival: u64,
    /// What it did.
    pub kind: PieceKind,
    /// Its nodes.
    pub nodes: Placement,
    /// From.
    pub from: Time,
    /// To.
    pub to: Time,
}

/// Memory of a suspended job was displaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwapOut {
    /// The job's number.
    pub job: u64,
    /// Its position in the arrival order.
    pub arrival: u64,
    /// When.
    pub at: Time,
    /// What it added to the job's work.
    pub span: Span,
}

/// Collects the pieces of a run, in order of their ends.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Finished pieces.
    pub pieces: Vec<Piece>,
    /// Displacements, in order of time.
    pub swap_outs: Vec<SwapOut>,
    /// When which slice began, under a policy of time slices.
    pub slices: Vec<(Time, &'static str)>,
    /// By arrival: what the job does on its nodes, which, and since when. Without nodes it has no piece.
    open: BTreeMap<u64, (PieceKind, Placement, Time)>,
}

impl Trace {
    fn open(&mut self, now: Time, job: &JobRecord<'_>, kind: PieceKind) {
        if !job.placement.is_empty() {
            self.open.insert(job.arrival, (kind, job.placement.clone(), now));
        }
    }

    fn close(&mut self, now: Time, job: &JobRecord<'_>) {
        if let Some((kind, nodes, from)) = self.open.remove(&job.arrival) {
            self.pieces.push(Piece { job: job.job.id, arrival: job.arrival, kind, nodes, from, to: now });
        }
    }
}

impl Observer for Trace {
    fn started(&mut self, now: Time, job: &JobRecord<'_>) {
        self.open(now, job, PieceKind::Running);
    }
    fn resumed(&mut self, now: Time, job: &JobRecord<'_>) {
        self.open(now, job, PieceKind::Running);
    }
    fn loading(&mut self, now: Time, job: &JobRecord<'_>, _span: Span) {
        self.open(now, job, PieceKind::Loading);
    }
    fn loaded(&mut self, now: Time, job: &JobRecord<'_>) {
        self.close(now, job);
        self.open(now, job, PieceKind::Running);
    }
    fn requeued(&mut self, now: Time, job: &JobRecord<'_>, _nodes: &Placement) {
        self.close(now, job);
    }
    fn suspended(&mut self, now: Time, job: &JobRecord<'_>) {
        self.close(now, job);
    }
    fn resized(&mut self, now: Time, job: &JobRecord<'_>) {
        // A job that starts or changes twice in one pass is shown with what it has in the end.
        if self.open.get(&job.arrival).is_some_and(|(.., from)| *from == now) {
            self.open.remove(&job.arrival);
        }
        self.close(now, job);
        self.open(now, job, PieceKind::Running);
    }
    fn swapped_out(&mut self, now: Time, job: &JobRecord<'_>, span: Span) {
        self.swap_outs.push(SwapOut { job: job.job.id, arrival: job.arrival, at: now, span });
    }
    fn slice_began(&mut self, now: Time, label: &'static str) {
        self.slices.push((now, label));
    }
    fn ended(&mut self, now: Time, job: &JobRecord<'_>) {
        self.close(now, job);
    }
}
