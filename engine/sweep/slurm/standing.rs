//! What has become of the elements of a submission, as far as Slurm says. That an element is absent says nothing, as Slurm
//! forgets ended jobs and drops pending elements that are cancelled; whether the work is done is for the store to say.

use super::{Queue, QueuedJob, Submission};
use serde::Serialize;
use std::collections::HashMap;

/// What has become of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It waits.
    Pending,
    /// It runs, or is about to start or to end.
    Running,
    /// Its script returned 0. That runs may be left all the same, is for the store to say.
    Finished,
    /// Its script returned something else, or it was ended by Slurm.
    Failed,
    /// It was cancelled.
    Cancelled,
    /// Slurm does not know it, or not any more, or calls its state by an unknown name.
    Unknown,
}

impl Fate {
    fn of(state: &str) -> Fate {
        match state {
            "PENDING" | "REQUEUED" | "REQUEUE_FED" | "REQUEUE_HOLD" | "RESV_DEL_HOLD" | "SPECIAL_EXIT" => {
                Fate::Pending
            }
            "RUNNING" | "CONFIGURING" | "COMPLETING" | "SUSPENDED" | "STOPPED" | "RESIZING" | "SIGNALING"
            | "STAGE_OUT" | "POWER_UP_NODE" => Fate::Running,
            "COMPLETED" => Fate::Finished,
            "FAILED" | "TIMEOUT" | "NODE_FAIL" | "OUT_OF_MEMORY" | "PREEMPTED" | "BOOT_FAIL" | "DEADLINE"
            | "LAUNCH_FAILED" | "RECONFIG_FAIL" => Fate::Failed,
            "CANCELLED" | "REVOKED" => Fate::Cancelled,
            _ => Fate::Unknown,
        }
    }

    /// Whether it still may do something.
    pub fn is_live(self) -> bool {
        matches!(self, Fate::Pending | Fate::Running)
    }
}

/// An element, or the merge job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Element {
    /// Its number, from 1; 0 for the merge job.
    pub element: u32,
    /// How Slurm's commands name it: `123_4`.
    pub job: String,
    /// What has become of it.
    pub fate: Fate,
    /// Slurm's word for that.
    pub state: Option<String>,
    /// Why it waits or has ended, where Slurm says.
    pub reason: Option<String>,
    /// What the script returned.
    pub exit_code: Option<u32>,
    /// The signal that ended it.
    pub signal: Option<u32>,
    /// How often it was requeued.
    pub restarts: u32,
}

impl Element {
    fn new(element: u32, job: String, found: Option<&QueuedJob>) -> Element {
        let fate = found.map_or(Fate::Unknown, |found| Fate::of(&found.state.0));
        let ended = !matches!(fate, Fate::Pending | Fate::Running);
        Element {
            element,
            job,
            fate,
            state: found.map(|found| found.state.to_string()),
            reason: found.and_then(|found| found.reason.clone()),
            exit_code: found.and_then(|found| found.exit_code).filter(|_| ended),
            signal: found.and_then(|found| found.signal).filter(|_| ended),
            restarts: found.map_or(0, |found| found.restarts),
        }
    }

    /// Why it is as it is, in a few words.
    pub fn why(&self) -> String {
        let Some(state) = &self.state else { return "not known to Slurm, or not any more".to_owned() };
        let reason =
            self.reason.iter().filter(|reason| *reason != state).map(|reason| format!(" ({reason})"));
        let code = self.exit_code.filter(|code| *code > 0).map(|code| format!(", exit code {code}"));
        let signal = self.signal.map(|signal| format!(", signal {signal}"));
        let restarts = Some(self.restarts).filter(|times| *times > 0);
        let restarts = restarts.map(|times| match times {
            1 => ", requeued once".to_owned(),
            _ => format!(", requeued {times} times"),
        });
        let parts = reason.chain(code).chain(signal).chain(restarts);
        state.clone() + &parts.collect::<String>()
    }
}

/// All elements and the merge job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Elements {
    /// By number.
    pub elements: Vec<Element>,
    /// The merge job, if one was submitted.
    pub merge: Option<Element>,
}

impl Elements {
    /// How many elements have this fate.
    pub fn count(&self, fate: Fate) -> usize {
        self.elements.iter().filter(|element| element.fate == fate).count()
    }

    /// Whether any job still may do something.
    pub fn is_live(&self) -> bool {
        self.elements.iter().chain(&self.merge).any(|element| element.fate.is_live())
    }
}

/// What has become of the elements of a submission; unknown where `queue` does not name them.
pub fn elements(submission: &Submission, queue: &Queue) -> Elements {
    let mut known: HashMap<(u32, u32), &QueuedJob> = HashMap::new();
    let mut cut_off: HashMap<u32, &QueuedJob> = HashMap::new();
    for job in &queue.jobs {
        for index in &job.indexes {
            // Of an element that is named twice, the record of its own wins over that of the waiting rest.
            let entry = known.entry((job.job, *index)).or_insert(job);
            if job.indexes.len() == 1 {
                *entry = job;
            }
        }
        if job.cut_off {
            cut_off.insert(job.job, job);
        }
    }
    // An element that Slurm did not print is among those that it cut off if its index is beyond the printed ones.
    let beyond = |job: u32, index: u32| {
        cut_off.get(&job).filter(|rest| rest.indexes.last().is_none_or(|last| index > *last)).copied()
    };
    let all = submission.arrays.iter().flat_map(|array| (1..=array.size).map(move |index| (array, index)));
    let elements = all.map(|(array, index)| {
        let found = known.get(&(array.job, index)).copied().or_else(|| beyond(array.job, index));
        Element::new(array.offset + index, format!("{}_{index}", array.job), found)
    });
    let merge = submission.merge.map(|merge| {
        let found = queue.jobs.iter().find(|job| job.job == merge && job.indexes.is_empty());
        Element::new(0, merge.to_string(), found)
    });
    Elements { elements: elements.collect(), merge }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slurm::{ArrayJob, JobState};

    fn submission() -> Submission {
        let array = |job, offset, size| ArrayJob { job, offset, size };
        Submission {
            format: Submission::FORMAT,
            backsweep: String::new(),
            submitted_unix_s: 0,
            elements: 5,
            arrays: vec![array(10, 0, 3), array(20, 3, 2)],
            merge: Some(30),
            refused: None,
            time: None,
            folder: "/f".into(),
            files: vec![],
            experiments: vec![],
            set: vec![],
            scale: None,
            traces: None,
            store: "/s".into(),
            out: "/o".into(),
            command: String::new(),
        }
    }

    fn job(job: u32, indexes: &[u32], state: &str) -> QueuedJob {
        QueuedJob {
            job,
            indexes: indexes.to_vec(),
            cut_off: false,
            state: JobState(state.to_owned()),
            reason: None,
            exit_code: None,
            signal: None,
            restarts: 0,
        }
    }

    fn fates(queue: &[QueuedJob]) -> (Vec<Fate>, Option<Fate>) {
        let found = elements(&submission(), &Queue { jobs: queue.to_vec() });
        (found.elements.iter().map(|element| element.fate).collect(), found.merge.map(|merge| merge.fate))
    }

    #[test]
    fn an_absent_element_is_unknown_not_done() {
        use Fate::{Cancelled, Failed, Finished, Pending, Running, Unknown};
        let queue = [
            job(10, &[1], "COMPLETED"),
            job(10, &[3], "TIMEOUT"),
            job(20, &[2], "PENDING"),
            job(30, &[], "PENDING"),
            job(99, &[2], "RUNNING"),
        ];
        assert_eq!(fates(&queue), (vec![Finished, Unknown, Failed, Unknown, Pending], Some(Pending)));
        assert_eq!(fates(&[]), (vec![Unknown; 5], Some(Unknown)));
        let queue = [job(10, &[1, 2, 3], "PENDING"), job(10, &[2], "RUNNING"), job(20, &[1], "CANCELLED")];
        assert_eq!(fates(&queue), (vec![Pending, Running, Pending, Cancelled, Unknown], Some(Unknown)));
    }

    #[test]
    fn elements_that_were_cut_off_wait() {
        let rest = QueuedJob { cut_off: true, ..job(10, &[2], "PENDING") };
        assert_eq!(fates(&[rest]).0[..3], [Fate::Unknown, Fate::Pending, Fate::Pending]);
    }

    #[test]
    fn numbers_run_over_all_arrays() {
        let found = elements(&submission(), &Queue::default());
        let names: Vec<_> =
            found.elements.iter().map(|element| (element.element, element.job.as_str())).collect();
        assert_eq!(names, [(1, "10_1"), (2, "10_2"), (3, "10_3"), (4, "20_1"), (5, "20_2")]);
        assert_eq!(found.count(Fate::Unknown), 5);
        assert!(!found.is_live());
    }

    #[test]
    fn the_reason_is_told() {
        let why = |job: QueuedJob| Element::new(1, "10_1".to_owned(), Some(&job)).why();
        let reason = Some("TimeLimit".to_owned());
        assert_eq!(why(QueuedJob { reason, ..job(10, &[1], "TIMEOUT") }), "TIMEOUT (TimeLimit)");
        let killed =
            QueuedJob { signal: Some(9), exit_code: Some(0), restarts: 2, ..job(10, &[1], "FAILED") };
        assert_eq!(why(killed), "FAILED, signal 9, requeued 2 times");
        assert!(Element::new(1, "10_1".to_owned(), None).why().contains("not known"));
    }
}
