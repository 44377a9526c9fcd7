//! How long a run will take, guessed from how long others took. Decides the order of work and the expected time, never a result.

use crate::error::SweepError;
use crate::{Case, RunSpec, canonical};
use sim::{AllocatorSpec, PolicySpec};
use std::collections::BTreeMap;
use workload::Source;

/// Jobs of a workload whose length is not known before it is read, about those of a log in the Parallel Workloads Archive.
const JOBS_OF_A_LOG: f64 = 200_000.0;
/// Seconds per job where nothing has been run yet; only the order of such guesses matters.
const SECONDS_PER_JOB: f64 = 1e-6;

/// Wall times of stored runs, summed per cost class.
#[derive(Clone, Debug, Default)]
pub struct CostModel {
    classes: BTreeMap<u64, Total>,
    all: Total,
}

#[derive(Clone, Copy, Debug, Default)]
struct Total {
    wall_s: f64,
    jobs: f64,
    runs: f64,
}

impl Total {
    fn add(&mut self, wall_s: f64, jobs: f64) {
        self.wall_s += wall_s;
        self.jobs += jobs;
        self.runs += 1.0;
    }

    /// Seconds for a workload of so many jobs, or of as many as the earlier ones had.
    fn seconds(&self, jobs: Option<f64>) -> Option<f64> {
        let jobs = jobs.unwrap_or(self.jobs / self.runs);
        (self.jobs > 0.0).then(|| self.wall_s / self.jobs * jobs)
    }
}

impl CostModel {
    /// Takes note of a run of this class.
    pub fn learn(&mut self, class: u64, wall_s: f64, jobs: f64) {
        if wall_s.is_finite() && jobs.is_finite() {
            self.classes.entry(class).or_default().add(wall_s, jobs);
            self.all.add(wall_s, jobs);
        }
    }

    /// Expected seconds of a run; nothing where no earlier run allows a guess.
    ///
    /// # Errors
    /// Where the specification has no canonical text.
    pub fn expected_s(&self, spec: &RunSpec) -> Result<Option<f64>, SweepError> {
        Ok(self.expected_in(cost_class(&spec.case)?, spec))
    }

    /// As [`CostModel::expected_s`], of a run whose class is known.
    pub(super) fn expected_in(&self, class: u64, spec: &RunSpec) -> Option<f64> {
        let jobs = spec.case.n_jobs().map(|jobs| jobs as f64);
        let same = self.classes.get(&class).and_then(|total| total.seconds(jobs));
        same.or_else(|| self.all.seconds(jobs))
    }

    /// Seconds for ordering where nothing is known: by the number of jobs, else that of a log.
    pub(super) fn guess_s(spec: &RunSpec) -> f64 {
        spec.case.n_jobs().map_or(JOBS_OF_A_LOG, |jobs| jobs as f64) * SECONDS_PER_JOB
    }
}

/// Runs of one class cost about the same per job: a hash of source, policy and allocator.
pub fn cost_class(case: &Case) -> Result<u64, SweepError> {
    let text = canonical::text(&(&case.workload.source, &case.policy, &case.allocator));
    let hash = blake3::hash(text.map_err(|source| SweepError::Canonical { source })?.as_bytes());
    let mut short = [0; 8];
    short.copy_from_slice(&hash.as_bytes()[..8]);
    Ok(u64::from_le_bytes(short))
}

/// The classes met last: to make one takes longer than to plan a run.
#[derive(Debug, Default)]
pub(crate) struct CostClasses(Vec<(Source, PolicySpec, AllocatorSpec, u64)>);

/// How many classes are remembered: more than most sweeps have, few enough to search one by one.
const REMEMBERED: usize = 64;

impl CostClasses {
    /// As [`cost_class`].
    pub fn of(&mut self, case: &Case) -> Result<u64, SweepError> {
        let (source, policy, allocator) = (&case.workload.source, &case.policy, &case.allocator);
        let same = |(known, p, a, _): &&(Source, PolicySpec, AllocatorSpec, u64)| {
            p == policy && a == allocator && known == source
        };
        if let Some((.., class)) = self.0.iter().find(same) {
            return Ok(*class);
        }
        let class = cost_class(case)?;
        if self.0.len() >= REMEMBERED {
            self.0.remove(0);
        }
        self.0.push((source.clone(), policy.clone(), allocator.clone(), class));
        Ok(class)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::test_case::{case, task};

    #[test]
    fn guesses_scale_with_jobs_and_prefer_the_same_class() {
        let mut model = CostModel::default();
        let spec = task(8, 0).spec;
        assert_eq!(model.expected_s(&spec).unwrap(), None);
        assert!(CostModel::guess_s(&spec) > 0.0);
        model.learn(1, 3.0, 100.0);
        assert_eq!(model.expected_s(&spec).unwrap(), Some(3.0));
        model.learn(cost_class(&case()).unwrap(), 8.0, 400.0);
        assert_eq!(model.expected_s(&spec).unwrap(), Some(2.0));
        let mut longer = spec.clone();
        longer.case_mut().workload.jobs = None;
        assert_eq!(model.expected_s(&longer).unwrap(), Some(8.0));
    }
    #[test]
    fn remembered_classes_are_the_classes() {
        let mut classes = CostClasses::default();
        for round in 0..2 {
            for relax in 0..REMEMBERED as u32 + 9 {
                let case = Case { allocator: AllocatorSpec::Contiguous { relax }, ..case() };
                assert_eq!(classes.of(&case).unwrap(), cost_class(&case).unwrap(), "{round}, {relax}");
            }
        }
    }
}
