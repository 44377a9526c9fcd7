//! The walk over an experiment's runs.

use crate::experiment::{Experiment, Pass};
use crate::grid::Grid;
use crate::run_spec::{AxisValue, Case, PlannedRun, RunMode, RunSpec};
use crate::walk::Walk;
use std::collections::HashSet;
use std::sync::Arc;
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
    /// Whether to say where the runs lie on the axes.
    with_points: bool,
    grid: usize,
    walk: Option<Walk>,
    /// Only where several grids may share points.
    seen: Option<Seen>,
    current: Option<Current>,
    /// The seeds of the replications that were met.
    seeds: Vec<u64>,
}

/// The point whose runs are being handed out.
#[derive(Debug)]
struct Current {
    /// The case as the grid has it.
    own: Arc<Case>,
    /// The case in the mode of the pass.
    case: Arc<Case>,
    point: Vec<AxisValue>,
    index: usize,
    pass: Pass,
    replication: u32,
}

impl<'e> Runs<'e> {
    pub(crate) fn of(experiment: &'e Experiment, with_points: bool) -> Runs<'e> {
        let seen = (experiment.grids.len() > 1).then(Seen::default);
        Runs { experiment, with_points, grid: 0, walk: None, seen, current: None, seeds: Vec::new() }
    }

    /// Moves on to the next case that has runs. `used` is a case whose runs are all handed out: where nobody keeps it, it is
    /// turned into the next one.
    fn next_point(&mut self, mut used: Option<Arc<Case>>) -> Option<Current> {
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
            let Some(own) = reuse(grid, index, used.take()) else { continue };
            if self.seen.as_mut().is_some_and(|seen| !seen.is_new(&own)) {
                used = Some(own);
                continue;
            }
            let point =
                if self.with_points { grid.cells(index, &own, &experiment.columns) } else { Vec::new() };
            if let Some(pass) = experiment.pass(&own.workload, 0) {
                let case = pass.case(&own);
                return Some(Current { own, case, point, index: 0, pass, replication: 0 });
            }
        }
    }

    fn next_pass(&self, current: Current) -> Result<Current, Arc<Case>> {
        let index = current.index + 1;
        let Some(pass) = self.experiment.pass(&current.own.workload, index) else {
            return Err(current.own);
        };
        Ok(Current { index, replication: 0, case: pass.case(&current.own), pass, ..current })
    }

    fn seed(&mut self, current: &Current) -> u64 {
        let (mode, replication) = (current.pass.mode, current.replication);
        if mode == RunMode::Trace && !current.own.workload.draws_speedups() {
            return 0;
        }
        while self.seeds.len() <= replication as usize {
            self.seeds.push(replication_seed(self.experiment.seed, self.seeds.len() as u32));
        }
        self.seeds[replication as usize]
    }
}

/// The case at a point, made of `used` where nobody else keeps that.
fn reuse(grid: &Grid, index: &[usize], used: Option<Arc<Case>>) -> Option<Arc<Case>> {
    if let Some(mut own) = used
        && let Some(case) = Arc::get_mut(&mut own)
    {
        grid.move_to(index, case).ok()?;
        return Some(own);
    }
    grid.case(index).ok().map(Arc::new)
}

impl Iterator for Runs<'_> {
    type Item = PlannedRun;

    fn next(&mut self) -> Option<PlannedRun> {
        let mut current = match self.current.take() {
            Some(current) if current.replication < current.pass.replications => current,
            Some(current) => match self.next_pass(current) {
                Ok(current) => current,
                Err(used) => self.next_point(Some(used))?,
            },
            None => self.next_point(None)?,
        };
        let (mode, replication) = (current.pass.mode, current.replication);
        let spec = RunSpec { case: Arc::clone(&current.case), replication, seed: self.seed(&current) };
        let run = PlannedRun { spec, mode, point: current.point.clone() };
        current.replication += 1;
        self.current = Some(current);
        Some(run)
    }
}

impl Pass {
    /// The case in the mode of this pass.
    fn case(&self, own: &Arc<Case>) -> Arc<Case> {
        match (&own.workload.source, self.set) {
            (Source::Log { mode, .. }, Some(set)) if *mode != set => {
                let mut case = Case::clone(own);
                if let Source::Log { mode, .. } = &mut case.workload.source {
                    *mode = set;
                }
                Arc::new(case)
            }
            _ => Arc::clone(own),
        }
    }
}
