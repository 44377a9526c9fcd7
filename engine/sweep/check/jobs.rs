//! Where jobs come from, and what is done to them.

use super::{Fault, positive, stream};
use crate::run_spec::Case;
use sim::Speedup;
use workload::model::job_list::{self, ListedJob};
use workload::model::o2k::{Month, Parameters};
use workload::model::poisson;
use workload::{MemoryModel, MemoryVector, MissingEstimate, Moldable, Parallelism, Source};

pub(crate) fn source(source: &Source) -> Result<(), String> {
    match source {
        Source::Log { name, .. } => log_name(name),
        Source::File { path } => file_path(path),
        Source::JobList { jobs } => job_list(jobs),
        Source::LublinFeitelson { medium_offset: offset, .. } => medium_offset(offset),
        Source::O2k { .. } => Parameters::of_source(source).map_or(Ok(()), valid),
        Source::Poisson { .. } => poisson::Parameters::of_source(source).map_or(Ok(()), stream::valid),
    }
}

pub(crate) fn job_list(jobs: &[ListedJob]) -> Result<(), String> {
    job_list::validate(jobs).map_err(|problem| problem.to_string())
}

fn valid(parameters: Parameters) -> Result<(), String> {
    parameters.validate().map_err(|problem| problem.to_string())
}

/// Whether the O2K model with one other parameter is one.
pub(crate) fn o2k(change: impl FnOnce(&mut Parameters)) -> Result<(), String> {
    let mut parameters = Parameters::of(Month::Feb2000);
    change(&mut parameters);
    valid(parameters)
}

pub(crate) fn log_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() { Err("a log needs its name".into()) } else { Ok(()) }
}

pub(crate) fn file_path(path: &str) -> Result<(), String> {
    if path.trim().is_empty() { Err("a file needs its path".into()) } else { Ok(()) }
}

pub(crate) fn medium_offset(offset: &f64) -> Result<(), String> {
    match (1.5..=3.5).contains(offset) {
        true => Ok(()),
        false => Err(format!("medium_offset {offset} is outside 1.5 ... 3.5")),
    }
}

pub(crate) fn jobs(jobs: &u64) -> Result<(), String> {
    match jobs {
        0 => Err("a workload needs at least one job".into()),
        _ => Ok(()),
    }
}

pub(crate) fn optional_jobs(count: &Option<u64>) -> Result<(), String> {
    count.as_ref().map_or(Ok(()), jobs)
}

pub(crate) fn speedup(speedup: &f64) -> Result<(), String> {
    match (0.0..1.0).contains(speedup) {
        true => Ok(()),
        false => Err(format!("a speed-up of {speedup} is outside 0 <= s < 1")),
    }
}

pub(crate) fn load_target(load: &f64) -> Result<(), String> {
    positive("an offered load", *load)
}

pub(crate) fn optional_load(load: &Option<f64>) -> Result<(), String> {
    load.as_ref().map_or(Ok(()), load_target)
}

pub(crate) fn moldable(moldable: &Option<Moldable>) -> Result<(), String> {
    moldable.as_ref().map_or(Ok(()), |moldable| moldable.validate().map_err(|problem| problem.to_string()))
}

pub(crate) fn speedups(speedups: &[Speedup]) -> Result<(), String> {
    moldable(&Some(Moldable::Listed { speedups: speedups.to_vec() }))
}

pub(crate) fn parallelism(parallelism: &Parallelism) -> Result<(), String> {
    moldable(&Some(Moldable::Downey { parallelism: *parallelism, sigma_max: 0.0 }))
}

pub(crate) fn sigma_max(sigma_max: &f64) -> Result<(), String> {
    moldable(&Some(Moldable::Downey { parallelism: Parallelism::System, sigma_max: *sigma_max }))
}

/// A factor of the requested nodes; both of them together are looked at when the case is.
pub(crate) fn factor(factor: &f64) -> Result<(), String> {
    parallelism(&Parallelism::OfRequest { low: *factor, high: *factor })
}

pub(crate) fn missing_estimate(rule: &MissingEstimate) -> Result<(), String> {
    match rule {
        MissingEstimate::QueueLimit(0) => Err("a queue limit must be above zero".into()),
        _ => Ok(()),
    }
}

pub(crate) fn memory_model(model: &Option<MemoryModel>) -> Result<(), String> {
    model.as_ref().map_or(Ok(()), |model| model.validate().map_err(|problem| problem.to_string()))
}

pub(crate) fn memory_vector(vector: &MemoryVector) -> Result<(), String> {
    vector.validate().map_err(|problem| problem.to_string())
}

pub(crate) fn node_kb(kilobytes: &u64) -> Result<(), String> {
    memory_model(&Some(MemoryModel::Recorded { node_kb: *kilobytes }))
}

/// A memory model may draw what no node has. Amounts that a source records are known only when its jobs are read.
pub(super) fn too_large_a_share(case: &Case) -> Option<Fault> {
    let (Some(memory), Some(model)) = (case.memory, &case.workload.memory) else { return None };
    let MemoryModel::Drawn { long, medium, short, node_kb } = model else { return None };
    let shares = [long, medium, short].into_iter().flat_map(MemoryVector::shares);
    let largest = shares.fold(0.0_f64, |largest, share| largest.max(*share));
    let capacity = memory.capacity_kb;
    (libm::round(largest * *node_kb as f64) > capacity as f64).then(|| Fault {
        field: "memory_capacity_kb",
        message: format!(
            "jobs may need {largest} of a node's {node_kb} kB, and the nodes have {capacity} kB"
        ),
        help: "make `memory_capacity_kb` the `node_kb` of the memory model".into(),
    })
}
