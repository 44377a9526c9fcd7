//! Makes rows, and what takes longest in that, once for all replications of a case.

use super::StoredRun;
use crate::error::SweepError;
use crate::executor::cost_class;
use crate::run_key::{Task, by_content};
use crate::{Case, canonical};
use sim::Outcome;
use std::collections::HashMap;
use std::sync::Arc;

/// Cases that are remembered; then all are forgotten, since a sweep that has more of them seldom comes back to one.
const REMEMBERED: usize = 4096;

/// Makes rows. It remembers what replications of a case have in common.
#[derive(Debug, Default)]
pub struct RowMaker {
    /// By address, which stands for the case as long as the case is held here.
    known: HashMap<usize, Known>,
}

#[derive(Debug)]
struct Known {
    case: Arc<Case>,
    text: String,
    class: u64,
}

impl RowMaker {
    /// As [`StoredRun::new`]. A file must have the same content each time.
    ///
    /// # Errors
    /// Where the specification has no canonical text.
    pub fn row(
        &mut self,
        task: &Task,
        result: Result<Outcome, String>,
        wall_s: f64,
    ) -> Result<StoredRun, SweepError> {
        let (text, cost_class) = self.of(task)?;
        let (replication, seed) = (task.spec.replication, task.spec.seed);
        Ok(StoredRun {
            key: task.key,
            spec: format!("{{\"case\":{text},\"replication\":{replication},\"seed\":{seed}}}"),
            content: task.content,
            model: task.model.0,
            cost_class,
            result,
            wall_s,
        })
    }

    /// The canonical text of a task's case, and its cost class.
    fn of(&mut self, task: &Task) -> Result<(&str, u64), SweepError> {
        let case = &task.spec.case;
        let address = Arc::as_ptr(case) as usize;
        if self.known.len() >= REMEMBERED && !self.known.contains_key(&address) {
            self.known.clear();
        }
        let known = match self.known.entry(address) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => {
                let mut named = Case::clone(case);
                named.workload.source = by_content(&named.workload.source, task.content);
                let text = canonical::text(&named).map_err(|source| SweepError::Canonical { source })?;
                new.insert(Known { case: Arc::clone(case), text, class: cost_class(case)? })
            }
        };
        debug_assert!(Arc::ptr_eq(&known.case, case));
        Ok((&known.text, known.class))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::test_case::{outcome, task};
    use workload::{Source, WorkloadSpec};

    #[test]
    fn rows_are_those_that_are_made_one_by_one() {
        let mut rows = RowMaker::default();
        let mut tasks: Vec<Task> = (1..6).flat_map(|nodes| [task(nodes, 0), task(nodes, 1)]).collect();
        let mut of_file = task(8, 0);
        of_file.spec.case_mut().workload = WorkloadSpec::new(Source::File { path: "a.swf".into() });
        of_file.content = Some([7; 32]);
        tasks.push(of_file);
        let mut replication = tasks[0].clone();
        replication.spec.replication = 5;
        tasks.push(replication);
        for task in &tasks {
            let alone = StoredRun::new(task, Ok(outcome(1.0)), 2.0).unwrap();
            assert_eq!(rows.row(task, Ok(outcome(1.0)), 2.0).unwrap(), alone);
        }
        assert_eq!(rows.known.len(), tasks.len() - 1);
    }
}
