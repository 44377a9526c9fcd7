//! What is done to a workload before a run: speed-up of run times, moldable jobs, scaling to an offered load, better requested times, memory.

mod downey;
mod estimate;
mod load;
mod memory;
mod speedup;

pub use downey::assign_speedups;
pub use estimate::improve_requests;
pub use load::{effective_load, offered_load, scale_load};
pub use memory::assign_memory;
pub use speedup::speed_up;

use crate::{WorkloadError, WorkloadSpec};
use sim::Job;
use sim::time::{MAX_SECONDS, TICKS_PER_SECOND};

/// Does to the jobs of a source, which are in submit order, what the specification says: speed-up, then speedups of moldable jobs, then load, then requested times, then memory, which
/// depends on the run times of the jobs in the end. The `seed` decides what is drawn: speedups and memory.
///
/// # Errors
/// As of [`speed_up`], [`assign_speedups`], [`scale_load`] and [`assign_memory`].
pub fn transform(jobs: &mut [Job], spec: &WorkloadSpec, nodes: u32, seed: u64) -> Result<(), WorkloadError> {
    speed_up(jobs, spec.speedup, spec.scale_estimates, spec.rules.estimate_floor)?;
    if let Some(moldable) = &spec.moldable {
        assign_speedups(jobs, moldable, nodes, seed)?;
    }
    if let Some(load) = &spec.load {
        scale_load(jobs, nodes, load)?;
    }
    improve_requests(jobs, spec.requested);
    if let Some(memory) = &spec.memory {
        assign_memory(jobs, memory, seed)?;
    }
    Ok(())
}

/// `ticks` · `factor`, rounded once to the nearest tick; `None` beyond what the simulation can represent.
fn scaled(ticks: i64, factor: f64) -> Option<i64> {
    let product = libm::round(ticks as f64 * factor);
    let limit = (MAX_SECONDS * TICKS_PER_SECOND) as f64;
    (product.abs() <= limit).then_some(product as i64)
}
