//! What `squeue --json` says. The shapes of its fields changed between versions of Slurm: a number may be a number or
//! `{set, infinite, number}`, a state a word or a list of words, an exit code a wait status or an object.

use super::arrays::indexes;
use serde_json::Value;
use std::fmt;

/// The largest index that any site allows.
const LARGEST_INDEX: u32 = 4_000_001;

/// A job, an element of an array, or the elements of an array that have not started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedJob {
    /// The job id, of an array its first part.
    pub job: u32,
    /// Indexes of the elements it speaks of; none for a job that is no array.
    pub indexes: Vec<u32>,
    /// Whether Slurm cut the list of indexes off.
    pub cut_off: bool,
    /// What state it is in.
    pub state: JobState,
    /// Why it waits, or how it ended, where Slurm says.
    pub reason: Option<String>,
    /// What its script returned, once it has ended.
    pub exit_code: Option<u32>,
    /// The signal that ended it.
    pub signal: Option<u32>,
    /// How often it was requeued.
    pub restarts: u32,
}

/// A state by Slurm's name, such as `RUNNING`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobState(pub String);

impl fmt::Display for JobState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// All jobs that Slurm still knows; ended ones are forgotten after some minutes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// In Slurm's order.
    pub jobs: Vec<QueuedJob>,
}

impl Queue {
    /// Reads the answer of `squeue --json`. What cannot be understood of a job is left out.
    ///
    /// # Errors
    /// Where the text is no JSON, or no list of jobs.
    pub fn parse(text: &str) -> Result<Queue, String> {
        let answer: Value = serde_json::from_str(text)
            .map_err(|problem| format!("`squeue --json` gave no JSON: {problem}"))?;
        let Some(jobs) = answer.get("jobs").and_then(Value::as_array) else {
            let told = answer.get("errors").filter(|errors| !is_empty(errors));
            let told = told.map_or("no list of jobs".to_owned(), Value::to_string);
            return Err(format!("`squeue --json` gave {told}"));
        };
        Ok(Queue { jobs: jobs.iter().filter_map(job).collect() })
    }
}

fn is_empty(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

fn job(value: &Value) -> Option<QueuedJob> {
    let array = number(&value["array_job_id"]).filter(|id| *id > 0);
    let (indexes, cut_off) = match (array, number(&value["array_task_id"])) {
        (None, _) => (Vec::new(), false),
        (Some(_), Some(index)) => (vec![index], false),
        (Some(_), None) => indexes(text(&value["array_task_string"]).unwrap_or_default(), LARGEST_INDEX),
    };
    let (exit_code, signal) = exit(&value["exit_code"]);
    Some(QueuedJob {
        job: array.or_else(|| number(&value["job_id"]))?,
        indexes,
        cut_off,
        state: state(&value["job_state"])?,
        reason: text(&value["state_reason"]).filter(|reason| *reason != "None").map(str::to_owned),
        exit_code,
        signal,
        restarts: number(&value["restart_cnt"]).unwrap_or(0),
    })
}

/// A number in either shape; Slurm's marks for no value and for infinity are none.
fn number(value: &Value) -> Option<u32> {
    let plain = match value {
        Value::Object(fields) => {
            let is = |name| fields.get(name).and_then(Value::as_bool);
            if is("set") == Some(false) || is("infinite") == Some(true) {
                return None;
            }
            fields.get("number")?.as_u64()
        }
        Value::String(text) => text.parse().ok(),
        other => other.as_u64(),
    };
    plain.and_then(|number| u32::try_from(number).ok()).filter(|number| *number < u32::MAX - 1)
}

fn text(value: &Value) -> Option<&str> {
    value.as_str().filter(|text| !text.is_empty())
}

/// The state; of several words the first, as flags such as `COMPLETING` or `REQUEUED` follow it.
fn state(value: &Value) -> Option<JobState> {
    let word = match value {
        Value::Array(words) => words.iter().find_map(text)?,
        other => text(other)?,
    };
    // As in `CANCELLED by 1000` and `CANCELLED+`.
    let end = word.find([' ', '+']).unwrap_or(word.len());
    Some(JobState(word[..end].to_ascii_uppercase()))
}

/// What the script returned, and the signal that ended it, from a wait status or an object.
fn exit(value: &Value) -> (Option<u32>, Option<u32>) {
    if let Value::Object(fields) = value
        && !fields.contains_key("number")
    {
        let part = |name: &str| fields.get(name).unwrap_or(&Value::Null);
        let signal = ["id", "signal_id"].iter().find_map(|name| number(&part("signal")[*name]));
        return (number(part("return_code")), signal.filter(|signal| *signal > 0));
    }
    match number(value) {
        Some(status) => (Some(status >> 8), Some(status & 0x7f).filter(|signal| *signal > 0)),
        None => (None, None),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// As Slurm 22.05 writes it: plain numbers and words.
    const PLAIN: &str = r#"{"meta": {}, "errors": [], "jobs": [
        {"job_id": 2, "array_job_id": 1, "array_task_id": 1, "array_task_string": "", "job_state": "RUNNING",
         "state_reason": "None", "exit_code": 0, "restart_cnt": 1},
        {"job_id": 3, "array_job_id": 1, "array_task_id": 2, "array_task_string": "", "job_state": "CANCELLED",
         "state_reason": "None", "exit_code": 9, "restart_cnt": 0},
        {"job_id": 4, "array_job_id": 1, "array_task_id": 3, "array_task_string": "", "job_state": "FAILED",
         "state_reason": "NonZeroExitCode", "exit_code": 256, "restart_cnt": 0},
        {"job_id": 1, "array_job_id": 1, "array_task_id": null, "array_task_string": "4-6,9", "job_state": "PENDING",
         "state_reason": "Resources", "exit_code": 0, "restart_cnt": 0},
        {"job_id": 8, "array_job_id": 0, "array_task_id": null, "array_task_string": "", "job_state": "PENDING",
         "state_reason": "Dependency", "exit_code": 0, "restart_cnt": 0}
    ]}"#;

    /// The same as Slurm 23.11 and later write it: numbers with marks, lists of words, exit codes as objects.
    const MARKED: &str = r#"{"jobs": [
        {"job_id": 2, "array_job_id": {"set": true, "infinite": false, "number": 1},
         "array_task_id": {"set": true, "infinite": false, "number": 1}, "array_task_string": "",
         "job_state": ["RUNNING", "COMPLETING"], "state_reason": "None", "restart_cnt": 1,
         "exit_code": {"status": ["SUCCESS"], "return_code": {"set": true, "infinite": false, "number": 0},
                       "signal": {"id": {"set": false, "infinite": false, "number": 0}, "name": ""}}},
        {"job_id": 3, "array_job_id": {"set": true, "infinite": false, "number": 1},
         "array_task_id": {"set": true, "infinite": false, "number": 2}, "array_task_string": "",
         "job_state": ["CANCELLED"], "state_reason": "None", "restart_cnt": 0,
         "exit_code": {"status": ["SIGNALED"], "return_code": {"set": true, "infinite": false, "number": 0},
                       "signal": {"id": {"set": true, "infinite": false, "number": 9}, "name": "Killed"}}},
        {"job_id": 4, "array_job_id": {"set": true, "infinite": false, "number": 1},
         "array_task_id": {"set": true, "infinite": false, "number": 3}, "array_task_string": "",
         "job_state": ["FAILED"], "state_reason": "NonZeroExitCode", "restart_cnt": 0,
         "exit_code": {"status": "ERROR", "return_code": 1}},
        {"job_id": 1, "array_job_id": {"set": true, "infinite": false, "number": 1},
         "array_task_id": {"set": false, "infinite": false, "number": 0}, "array_task_string": "4-6,9",
         "job_state": ["PENDING"], "state_reason": "Resources", "restart_cnt": 0,
         "exit_code": {"set": true, "infinite": false, "number": 0}},
        {"job_id": 8, "array_job_id": {"set": true, "infinite": false, "number": 0},
         "array_task_id": {"set": false, "infinite": false, "number": 0}, "array_task_string": "",
         "job_state": ["PENDING"], "state_reason": "Dependency", "restart_cnt": 0,
         "exit_code": {"set": true, "infinite": false, "number": 0}}
    ], "last_update": {"set": true, "infinite": false, "number": 1700000000}, "warnings": [], "errors": []}"#;

    #[test]
    fn both_shapes_say_the_same() {
        let plain = Queue::parse(PLAIN).unwrap();
        assert_eq!(plain, Queue::parse(MARKED).unwrap());
        let seen: Vec<_> =
            plain.jobs.iter().map(|job| (job.job, job.indexes.as_slice(), job.state.0.as_str())).collect();
        assert_eq!(
            seen,
            [
                (1, &[1][..], "RUNNING"),
                (1, &[2], "CANCELLED"),
                (1, &[3], "FAILED"),
                (1, &[4, 5, 6, 9], "PENDING"),
                (8, &[], "PENDING"),
            ]
        );
        let ends: Vec<_> = plain.jobs.iter().map(|job| (job.exit_code, job.signal)).collect();
        assert_eq!(&ends[..3], [(Some(0), None), (Some(0), Some(9)), (Some(1), None)]);
        assert_eq!(plain.jobs[0].restarts, 1);
        assert_eq!(plain.jobs[4].reason.as_deref(), Some("Dependency"));
        assert_eq!(plain.jobs[0].reason, None);
    }

    #[test]
    fn odd_jobs_are_left_out_and_odd_fields_too() {
        let text = r#"{"jobs": [{}, 7, {"job_id": "12", "job_state": "Cancelled by 0"},
            {"job_id": 4294967294, "job_state": "RUNNING"}, {"job_id": 5, "job_state": []},
            {"job_id": 6, "job_state": "NEW_STATE", "exit_code": [1], "restart_cnt": {"infinite": true}}]}"#;
        let queue = Queue::parse(text).unwrap();
        let seen: Vec<_> = queue.jobs.iter().map(|job| (job.job, job.state.to_string())).collect();
        assert_eq!(seen, [(12, "CANCELLED".to_owned()), (6, "NEW_STATE".to_owned())]);
        assert_eq!((queue.jobs[1].exit_code, queue.jobs[1].restarts), (None, 0));
    }

    #[test]
    fn other_answers_are_refused() {
        let problem = |text| Queue::parse(text).unwrap_err();
        assert!(problem("slurm_load_jobs error").contains("no JSON"));
        assert!(problem("{}").contains("no list of jobs"));
        assert!(problem(r#"{"errors": [{"error": "unable to contact"}]}"#).contains("unable to contact"));
        assert_eq!(Queue::parse(r#"{"jobs": []}"#), Ok(Queue::default()));
    }
}
