//! The walk over an experiment's runs.

use crate::experiment::{Experiment, Pass};
use crate::run_spec::{AxisValue, Case, PlannedRun, RunMode, RunSpec};
use crate::walk::Walk;
use std::collections::HashSet;
use workload::Source;

/// The seed of a replication: the first eight bytes, little-endian, of blake3("backsweep seed v1", master seed, replication), the
/// numbers little-endian. It knows nothing of the case, so the same replication of every case sees the same jobs.
pub fn replication_seed(master: u64, replication: u32) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"backsweep seed v1");
    hasher.update(&master.to_le_bytes());
    hasher.update(&replication.to_le_bytes());
    let mut first = [0; 8];
    hasher.finalize_xof().fill(&mut first);
    u64::from_le_bytes(first)
}

/// Remembers cases by the first half of their hash.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    hashes: HashSet<[u8; 16]>,
    buffer: Vec<u8>,
}

impl Seen {
    /// Whether a case is met for the first time.
    pub(crate) fn is_new(&mut self, case: &Case) -> bool {
        self.buffer.clear();
        // Writing to memory cannot fail; a case that could not be written would count as new and be run.
        if serde_json::to_writer(&mut self.buffer, case).is_err() {
            return true;
        }
        let mut half = [0; 16];
        half.copy_from_slice(&blake3::hash(&self.buffer).as_bytes()[..16]);
        self.hashes.insert(half)
    }
}

/// The runs of an experiment.
#[derive(Debug)]
pub(crate) struct Runs<'e> {
    experiment: &'e Experiment,
    grid: usize,
    walk: Option<Walk>,
    /// Only where several grids may share points.
    seen: Option<Seen>,
    current: Option<Current>,
}

/// The point whose runs are being handed out.
#[derive(Debug)]
struct Current {
    case: Case,
    point: Vec<AxisValue>,
    index: usize,
    pass: Pass,
    replication: u32,
}

impl<'e> Runs<'e> {
    pub(crate) fn of(experiment: &'e Experiment) -> Runs<'e> {
        let seen = (experiment.grids.len() > 1).then(Seen::default);
        Runs { experiment, grid: 0, walk: None, seen, current: None }
    }

    /// Moves on to the next case that has runs.
    fn next_point(&mut self) -> Option<Current> {
        let experiment = self.experiment;
        loop {
            let grid = experiment.grids.get(self.grid)?;
            let walk = self.walk.get_or_insert_with(|| grid.walk());
            let Some(index) = walk.next(grid) else {
                self.grid += 1;
                self.walk = None;
                continue;
            };
            // Every combination was tried when the experiment was validated.
            let Ok(case) = grid.case(index) else { continue };
            if self.seen.as_mut().is_some_and(|seen| !seen.is_new(&case)) {
                continue;
            }
            let point = grid.cells(index, &case, &experiment.columns);
            if let Some(pass) = experiment.pass(&case.workload.source, 0) {
                return Some(Current { case, point, index: 0, pass, replication: 0 });
            }
        }
    }

    fn next_pass(&self, mut current: Current) -> Option<Current> {
        current.index += 1;
        current.replication = 0;
        current.pass = self.experiment.pass(&current.case.workload.source, current.index)?;
        Some(current)
    }
}

impl Iterator for Runs<'_> {
    type Item = PlannedRun;

    fn next(&mut self) -> Option<PlannedRun> {
        let mut current = match self.current.take() {
            Some(current) if current.replication < current.pass.replications => current,
            Some(current) => match self.next_pass(current) {
                Some(current) => current,
                None => self.next_point()?,
            },
            None => self.next_point()?,
        };
        let run = current.run(self.experiment.seed);
        current.replication += 1;
        self.current = Some(current);
        Some(run)
    }
}

impl Current {
    fn run(&self, master: u64) -> PlannedRun {
        let mut case = self.case.clone();
        if let (Source::Log { mode, .. }, Some(set)) = (&mut case.workload.source, self.pass.set) {
            *mode = set;
        }
        let mode = self.pass.mode;
        let seed = if mode == RunMode::Trace { 0 } else { replication_seed(master, self.replication) };
        let spec = RunSpec { case: case.into(), replication: self.replication, seed };
        PlannedRun { spec, mode, point: self.point.clone() }
    }
}
