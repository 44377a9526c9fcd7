//! Jobs for a machine of hosts: memory is that of the whole job, and every job fits on some host.
//!
//! Generates: the same jobs, less those that no host can hold, or with their memory cut.
//! Source: Chiang 2001, §3.1 (a job runs inside one host); Standard Workload Format, fields 7 and 10 (kilobytes per processor).
//! Parameters: `too_large`, the rule for jobs that are larger than the machine. Differs: none known. Ties: none. Cost: one pass.

use crate::TooLarge;
use crate::swf::{CleaningReport, Finding};
use sim::{Capacity, Job};

/// Makes memory per processor, as a log has it, that of the whole job.
pub(crate) fn per_job(jobs: &mut [Job]) {
    for job in jobs {
        job.memory_kb = job.memory_kb.saturating_mul(job.size.into());
        job.peak_memory_kb = job.peak_memory_kb.saturating_mul(job.size.into());
    }
}

/// Makes memory of the whole job that per node, for machines without hosts: rounded down, so that a job's nodes never ask for more than it
/// did, and at least a kilobyte.
pub(crate) fn per_node(jobs: &mut [Job]) {
    for job in jobs {
        let share = |kilobytes: u64| {
            if kilobytes == 0 { 0 } else { (kilobytes / u64::from(job.size.max(1))).max(1) }
        };
        (job.memory_kb, job.peak_memory_kb) = (share(job.memory_kb), share(job.peak_memory_kb));
    }
}

/// Drops or cuts, as the rule says, the jobs that no host can hold, and reports them. Without hosts only the size matters.
pub(crate) fn fit(jobs: &mut Vec<Job>, capacity: Capacity<'_>, rule: TooLarge, report: &mut CleaningReport) {
    match rule {
        TooLarge::Drop => {
            let before = jobs.len();
            jobs.retain(|job| capacity.holds(job.size, job.memory_kb));
            let dropped = (before - jobs.len()) as u64;
            report.add_many(Finding::TooLarge, dropped);
            report.kept -= dropped;
        }
        TooLarge::Clamp => {
            for job in jobs {
                if job.size > capacity.largest_job() {
                    job.size = capacity.largest_job();
                    report.add(Finding::SizeCut);
                }
                let most_kb = capacity.most_memory_kb(job.size);
                if job.memory_kb > most_kb {
                    job.memory_kb = most_kb;
                    report.add(Finding::MemoryCut);
                }
            }
        }
    }
}
