//! Twins: synthetic stand-ins of published logs, labelled as such wherever they appear, for places without the logs.
//!
//! Generates: rigid jobs in whole seconds, ordered by submission, the first at 0, numbered from 1.
//!
//! Source: the current archive versions CTC-SP2-1996-3.1-cln, HPC2N-2002-2.2-cln, LANL-CM5-1994-4.1-cln, LLNL-Thunder-2007-1.1-cln and
//! SDSC-BLUE-2000-4.2-cln (Parallel Workloads Archive), after the default rules of this crate. No job of a log is in a
//! twin; what was taken are aggregates:
//! - *Batches*: the jobs of one user and one size with gaps of at most an hour (the session threshold of Zakay &
//!   Feitelson 2012), counted by class of size and of length: 1 to 9, 10 to 99 and more jobs, single jobs apart where the
//!   size class holds a tenth of the work, classes of fewer than ten batches joined with the next shorter one.
//! - *Sizes, lengths of batches, run times*: frequencies and quantiles per class. The upper quantiles are then shifted so
//!   that the means of the interpolated tables are the log's: of the lengths, and of size · run time.
//! - *Likeness* of the run times in a batch: chosen so that the mean square of a batch's work is the log's, which governs
//!   how bursty the work is (method of moments; bounded by 0 and 0.95, and 0 in a few classes where even that is too much).
//!   Of the gaps: the one-way intraclass correlation of their normal scores.
//! - *Estimates*: per class of run times, the share that equals the run time and 12 quantiles of the others.
//! - *Arrivals*: batch starts by hour of the day and day of the week, counted from the first submission; a Poisson process
//!   otherwise. The week factors make up for what batches placed at random lack of the log's variation of weekly work.
//! - *Memory* (LANL CM-5): per class of size and run time, 20 quantiles, because both matter: partitions of 256 and more
//!   processors were given whole, and nearly all their jobs request all of the node. Likeness as for the gaps.
//! - *LLNL Thunder*: its submit times are starts on the original machine (all waits are unknown), so a replay on the whole
//!   machine waits for nothing, save for 13 jobs of 870 to 1,020 processors that the log starts in one second on top of a
//!   full machine. Both facts are in the twin: the demand passes a gate of the nodes in service, and a flurry of the
//!   same dimensions (rounded) is added.
//!
//! Waits were looked at between refits to find which workload statistic was missing, and each one that was added was then fitted
//! to the log's; no parameter was fitted to a wait. Over five seeds, under FCFS and EASY on the whole machine, they are
//! 1.3 to 2.5 and 0.9 to 1.7 times the log's for HPC2N, 0.3 to 0.9 and 0.5 to 1.6 times for LLNL Thunder (where all waits
//! come from the flurry), 1.3 to 4.8 and 1.2 to 1.4 times for SDSC Blue, whose load is about what FCFS can carry at all, and
//! 1.1 to 1.5 and 1.1 to 1.4 times for the CTC SP2, where FCFS waits for days.
//!
//! Parameters: the name, the number of jobs (default: the log's usable jobs) and the seed. The first n jobs do not depend on
//! how many are asked for; beyond the log's span a further epoch of the same kind follows. Differs: no users, so no
//! feedback of waits on submissions; batches of one user are independent, so the slow changes in the number of (short) jobs
//! per week, which carry little work, are smaller than in the logs. Ties of submission: the earlier started batch first. Cost:
//! O(log n) per job.

mod ctc_sp2;
mod demand;
mod gate;
mod hpc2n;
mod lanl_cm5;
mod llnl_thunder;
pub mod model;
mod normal;
mod sdsc_blue;

pub use model::TwinModel;

use crate::WorkloadError;
use demand::{Demand, Draft};
use gate::Gate;
use model::Submission;
use sim::{Job, Span, Time};

/// All twins. A further log is added here, as data.
pub static TWINS: &[TwinModel] =
    &[hpc2n::MODEL, llnl_thunder::MODEL, sdsc_blue::MODEL, lanl_cm5::MODEL, ctc_sp2::MODEL];

/// The names of the logs that have a twin.
pub fn known() -> impl Iterator<Item = &'static str> {
    TWINS.iter().map(|twin| twin.name)
}

/// The twin of the log with this canonical name.
///
/// # Errors
/// [`WorkloadError::UnknownTwin`], with the known ones.
pub fn find(name: &str) -> Result<&'static TwinModel, WorkloadError> {
    TWINS.iter().find(|twin| twin.name == name).ok_or_else(|| WorkloadError::UnknownTwin {
        name: name.to_owned(),
        known: known().map(str::to_owned).collect(),
    })
}

/// The first `jobs` jobs (default: as many as the log has) of the twin of a log. A shorter workload is the beginning of a
/// longer one of the same seed.
///
/// # Errors
/// [`WorkloadError::UnknownTwin`] if the log has no twin.
pub fn generate(name: &str, jobs: Option<u64>, seed: u64) -> Result<Vec<Job>, WorkloadError> {
    let twin = find(name)?;
    Ok(twin.jobs(seed).take(usize::try_from(jobs.unwrap_or(twin.jobs)).unwrap_or(usize::MAX)).collect())
}

impl TwinModel {
    /// The twin's jobs, without end.
    pub fn jobs(&'static self, seed: u64) -> impl Iterator<Item = Job> {
        let demand = Demand::new(self, seed);
        let stream: Box<dyn Iterator<Item = Draft>> = match self.submission {
            Submission::AsDemanded => Box::new(demand),
            Submission::AtStart { in_service } => Box::new(Gate::new(demand, in_service)),
        };
        let mut stream = stream.peekable();
        let first = stream.peek().map_or(0, |job| job.submit_s);
        let mut flurries = self.flurry_jobs(first).into_iter().peekable();
        let merged = std::iter::from_fn(move || {
            let next = stream.peek()?.submit_s;
            flurries.next_if(|job| job.submit_s < next).or_else(|| stream.next())
        });
        merged.zip(1..).map(move |(draft, id)| Job {
            id,
            submit: Time::from_secs(draft.submit_s - first),
            run_time: Span::from_secs(i64::from(draft.run_time_s)),
            estimate: Span::from_secs(i64::from(draft.estimate_s)),
            size: draft.size,
            memory_kb: u64::from(draft.memory_kb),
            ..Job::default()
        })
    }

    /// The jobs of the flurries, in order of submission.
    fn flurry_jobs(&self, first: i64) -> Vec<Draft> {
        let mut jobs = Vec::new();
        for flurry in self.flurries {
            let steps = flurry.jobs.saturating_sub(1).max(1);
            for i in 0..flurry.jobs {
                let size = flurry.smallest + (flurry.largest - flurry.smallest) * i / steps;
                jobs.push(Draft::lone(first + i64::from(flurry.after_s), i, flurry.run_time_s, size));
            }
        }
        jobs.sort();
        jobs
    }
}

#[cfg(test)]
mod tests;
