//! Calls Slurm's programs.

use crate::diagnostic::Failure;
use std::io::ErrorKind;
use std::process::{Command, Stdio};
use sweep::slurm::{Limits, Queue};

/// Why a program of Slurm gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is not installed, or not in the PATH.
    Absent(String),
    /// What it said.
    Said(String),
}

impl Refusal {
    /// In one line.
    pub fn text(&self) -> String {
        match self {
            Refusal::Absent(program) => format!("Slurm's `{program}` is not here"),
            Refusal::Said(text) => text.clone(),
        }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let failure = Failure::work(refusal.text());
        match refusal {
            Refusal::Absent(_) => {
                failure.hint("is this a login node of the cluster? `backsweep slurm script` needs no Slurm")
            }
            Refusal::Said(text) => hint(&text).into_iter().fold(failure, |failure, hint| failure.hint(hint)),
        }
    }
}

/// What to do about a refusal.
pub fn hint(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if says(&["maxsubmit", "submit limit", "submitjob", "max_job", "maxjobcount", "temporarily unable"]) {
        return Some(
            "each element counts as a job against the site's limit of jobs per user; ask for fewer --elements"
                .to_owned(),
        );
    }
    if says(&["job array specification"]) {
        return Some("an array is larger than the site allows; ask for fewer --elements".to_owned());
    }
    if says(&["partition", "account", "qos", "time limit"]) {
        return Some("check --partition, --account, --qos and --time".to_owned());
    }
    None
}

/// What a program of Slurm prints.
fn call(program: &str, words: &[String]) -> Result<String, Refusal> {
    let mut command = Command::new(program);
    // Without this Slurm cuts long lists of array indexes off.
    command.args(words).env("SLURM_BITSTR_LEN", "0").stdin(Stdio::null());
    let output = command.output().map_err(|problem| match problem.kind() {
        ErrorKind::NotFound => Refusal::Absent(program.to_owned()),
        _ => Refusal::Said(format!("cannot call `{program}`: {problem}")),
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let said = if said.is_empty() { output.status.to_string() } else { said.join("; ") };
    Err(Refusal::Said(format!("`{program}` refused: {said}")))
}

/// What the site allows.
///
/// # Errors
/// Where `scontrol` does not say.
pub fn limits() -> Result<Limits, Refusal> {
    let config = call("scontrol", &["show", "config"].map(str::to_owned))?;
    Limits::parse(&config).map_err(Refusal::Said)
}

/// Submits a script and returns the job's id.
///
/// # Errors
/// Where Slurm refuses it.
pub fn submit(words: &[String]) -> Result<u32, Refusal> {
    let answer = call("sbatch", words)?;
    sweep::slurm::job_id(&answer)
        .ok_or_else(|| Refusal::Said(format!("`sbatch` gave no job id but: {}", answer.trim())))
}

/// All jobs that Slurm knows, also those that have ended.
///
/// # Errors
/// Where `squeue` does not say.
pub fn queue() -> Result<Queue, Refusal> {
    let answer = call("squeue", &["--json", "-t", "all"].map(str::to_owned))?;
    Queue::parse(&answer).map_err(Refusal::Said)
}

/// Cancels jobs; that one has ended already is no refusal.
///
/// # Errors
/// Where Slurm refuses.
pub fn cancel(jobs: &[u32]) -> Result<(), Refusal> {
    let words: Vec<String> = jobs.iter().map(u32::to_string).collect();
    match call("scancel", &words) {
        Err(Refusal::Said(text)) if ended(&text) => Ok(()),
        answer => answer.map(drop),
    }
}

/// Whether every complaint is that a job has ended.
fn ended(text: &str) -> bool {
    let complaints = text.trim_start_matches("`scancel` refused: ").split("; ");
    let mut complaints = complaints.map(str::to_lowercase);
    complaints.all(|line| {
        ["already completing or completed", "invalid job id"].iter().any(|words| line.contains(words))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_have_hints() {
        let many = "sbatch: error: QOSMaxSubmitJobPerUserLimit";
        assert!(hint(many).is_some_and(|hint| hint.contains("--elements")));
        let many = "Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)";
        assert!(hint(many).is_some_and(|hint| hint.contains("--elements")));
        assert!(hint("invalid partition specified: x").is_some_and(|hint| hint.contains("--partition")));
        assert_eq!(hint("slurm_load_jobs error: Unable to contact slurm controller"), None);
    }

    #[test]
    fn an_ended_job_need_not_be_cancelled() {
        let one = "`scancel` refused: scancel: error: Kill job error on job id 7: Job/step already completing or completed";
        assert!(ended(one) && ended(&format!("{one}; scancel: error: Invalid job id 8")));
        assert!(!ended(&format!("{one}; scancel: error: Access/permission denied")));
    }
}
