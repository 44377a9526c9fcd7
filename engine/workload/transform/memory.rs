//! The memory that jobs need on each of their nodes, where the source gives none or not in the wanted form.
//!
//! Generates: the same jobs with a requirement in kilobytes.
//! Source: Esbaugh 2010: §5.4 and Fig. 17 (vectors), Appendix D (code), Table 3 (a vector per class of run time), §6.1 (LANL-CM5:
//! the log's own amounts as shares of the node's 32 MB).
//! Parameters: a vector for each class of run time, the node's memory; or the node's memory alone.
//! Differs: the thesis contradicts itself, and this is what the text and Table 3 say. The printed code draws from the default
//! vector whatever the class is, and would choose by size, not by run time; its default vector has the values in another order,
//! which changes nothing. Fig. 17 prints eleven values of veryLow, with a fourth 0.2; read with ten indices as everywhere, they
//! never give 0.4. Appendix D prints the ten values that are used here. The code cuts to whole units, here the nearest is taken:
//! the same for the printed vectors and 400 units.
//! Cost: one draw per job. The draw of a job depends on the seed and its place in the queue alone, so that all vectors, loads and
//! speed-ups see the same draws; the class is that of the run time which the job has in the end, as the scheduler sees it.

use crate::rng::{Rng, Stream};
use crate::statistics::run_time_class;
use crate::{MemoryModel, MemoryVector, WorkloadError};
use sim::Job;

impl MemoryVector {
    /// The shares of a node's memory, each as likely as any other (Fig. 17; veryLow: Appendix D).
    pub fn shares(&self) -> &[f64] {
        match self {
            MemoryVector::Default => &[0.3, 0.3, 0.3, 0.4, 0.4, 0.5, 0.5, 0.6, 1.0, 1.0],
            MemoryVector::High => &[0.6, 0.6, 0.7, 0.7, 0.8, 0.8, 0.9, 0.9, 1.0, 1.0],
            MemoryVector::Low => &[0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4, 0.5],
            MemoryVector::VeryHigh => &[0.7, 0.7, 0.8, 0.8, 0.9, 0.9, 1.0, 1.0, 1.0, 1.0],
            MemoryVector::VeryLow => &[0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0.3, 0.3, 0.3, 0.4],
            MemoryVector::Values(shares) => shares,
        }
    }

    /// Checks that there are shares, and that each is a share: above 0 and at most 1.
    ///
    /// # Errors
    /// [`WorkloadError::BadParameter`], with the first share that is none.
    pub fn validate(&self) -> Result<(), WorkloadError> {
        let refuse = |value: String, expected: &str| {
            Err(WorkloadError::BadParameter { field: "memory vector", value, expected: expected.to_owned() })
        };
        let shares = self.shares();
        if shares.is_empty() {
            return refuse("Values([])".to_owned(), "at least one share of a node's memory");
        }
        match shares.iter().position(|share| !(*share > 0.0 && *share <= 1.0)) {
            Some(at) => {
                let value = format!("{} (share {} of {})", shares[at], at + 1, shares.len());
                refuse(value, "shares of a node's memory, above 0 and at most 1")
            }
            None => Ok(()),
        }
    }

    /// The share at the uniform score `u` in [0, 1).
    fn share(&self, u: f64) -> f64 {
        let shares = self.shares();
        // Rounding cannot reach the length for any u below 1 and fewer than 2⁵² shares; `min` holds for the rest.
        let at = ((u * shares.len() as f64) as usize).min(shares.len().saturating_sub(1));
        shares.get(at).copied().unwrap_or(0.0)
    }
}

impl MemoryModel {
    /// Checks the vectors and the node's memory.
    ///
    /// # Errors
    /// [`WorkloadError::BadParameter`] for a vector with a value that is no share, and for a node without memory.
    pub fn validate(&self) -> Result<(), WorkloadError> {
        let node_kb = match self {
            MemoryModel::Drawn { long, medium, short, node_kb } => {
                [long, medium, short].into_iter().try_for_each(MemoryVector::validate)?;
                node_kb
            }
            MemoryModel::Recorded { node_kb } => node_kb,
        };
        match node_kb {
            0 => Err(WorkloadError::BadParameter {
                field: "node_kb",
                value: "0".to_owned(),
                expected: "at least 1".to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

/// Gives every job its memory. Drawn: a share of the vector of its class times the node's memory, to the nearest kilobyte and
/// at least one. Recorded: what it has, at most the node's memory.
///
/// # Errors
/// As for [`MemoryModel::validate`]; the jobs are unchanged then.
pub fn assign_memory(jobs: &mut [Job], model: &MemoryModel, seed: u64) -> Result<(), WorkloadError> {
    model.validate()?;
    match model {
        MemoryModel::Recorded { node_kb } => {
            for job in jobs {
                job.memory_kb = job.memory_kb.min(*node_kb);
            }
        }
        MemoryModel::Drawn { long, medium, short, node_kb } => {
            let mut draws = Rng::new(seed, Stream::Memory);
            for job in jobs {
                let vector = [short, medium, long][run_time_class(job.run_time)];
                let kilobytes = libm::round(vector.share(draws.unit()) * *node_kb as f64);
                job.memory_kb = (kilobytes as u64).clamp(1, *node_kb);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
