//! How long the runs of each study take: of one core, because those of all studies share the threads.

use crate::planning::Plan;
use crate::session::{Session, counted, duration};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use sweep::{RunKey, SweepEvent};

/// Runs and their time, by study.
#[derive(Debug)]
pub struct StudyTimes {
    studies: HashMap<RunKey, usize>,
    names: Vec<String>,
    /// Runs and seconds, by position of the study.
    taken: Mutex<Vec<(usize, f64)>>,
}

impl StudyTimes {
    /// Of a plan; a run that several studies have counts to the first.
    pub fn of(plan: &Plan) -> StudyTimes {
        let mut positions: BTreeMap<&str, usize> = BTreeMap::new();
        let mut names = Vec::new();
        for planned in &plan.experiments {
            positions.entry(&planned.experiment.study).or_insert_with(|| {
                names.push(planned.experiment.study.clone());
                names.len() - 1
            });
        }
        let mut studies = HashMap::new();
        // With one study there is nothing to tell apart.
        if names.len() > 1 {
            for planned in &plan.experiments {
                let study = positions[planned.experiment.study.as_str()];
                for key in &planned.keys {
                    studies.entry(*key).or_insert(study);
                }
            }
        }
        let taken = Mutex::new(vec![(0, 0.0); names.len()]);
        StudyTimes { studies, names, taken }
    }

    /// Takes in a run that has ended.
    pub fn event(&self, event: &SweepEvent) {
        let SweepEvent::RunFinished { key, wall_s, .. } = event else { return };
        let Some(study) = self.studies.get(key) else { return };
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken[*study].0 += 1;
        taken[*study].1 += wall_s;
    }

    /// Says it, a line for each study that had runs, and how busy the threads were in the `elapsed_s` seconds that all took.
    pub fn tell(&self, session: &Session, elapsed_s: f64) {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.iter().filter(|(runs, _)| *runs > 0).count() < 2 {
            return;
        }
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, (runs, seconds)) in self.names.iter().zip(taken.iter()).filter(|(_, taken)| taken.0 > 0) {
            let runs = counted(*runs, "run");
            session.note(&format!("  {name:<width$}  {runs:>12}, {} of one core", duration(*seconds)));
        }
        let all: f64 = taken.iter().map(|(_, seconds)| seconds).sum();
        session.note(&format!("  together {} of one core, {:.2} at a time", duration(all), all / elapsed_s));
    }
}
