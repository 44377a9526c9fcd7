//! From a specification to jobs: source, rules, number of jobs, speed-up, moldable jobs, load, requested times, memory, in this order.

use crate::swf::archive::KnownLog;
use crate::swf::{Cleaner, CleaningReport, TraceDir, hashes, visit};
use crate::transform::{offered_load, transform};
use crate::{Mode, Source, WorkloadError, WorkloadSpec, hosted, model};
use sim::{Capacity, Job};
use std::path::Path;

/// The jobs of one run, ready to be simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    /// The jobs in queue order: submit time, then log order.
    pub jobs: Vec<Job>,
    /// Σ size · run time / (nodes · (last submit − first submit)) after all transforms; infinite where all jobs are
    /// submitted at once.
    pub offered_load: f64,
    /// What was dropped and mended.
    pub cleaning: CleaningReport,
    /// The log's comment lines; empty for generated workloads.
    pub header: Vec<String>,
}

/// Builds the jobs of a specification for a machine, or for so many nodes (processors, where the log counts those). The `seed`
/// decides generated workloads, drawn speedups and drawn memory, and means nothing else for logs. On a machine of hosts the memory of a job is that of the
/// whole job, a log's memory per processor times its size, and the rule for jobs that are too large holds for what no host can hold.
///
/// # Errors
/// Any [`WorkloadError`]; a workload without jobs is one.
pub fn build<'a>(
    spec: &WorkloadSpec,
    machine: impl Into<Capacity<'a>>,
    seed: u64,
    traces: &TraceDir,
) -> Result<Workload, WorkloadError> {
    let capacity = machine.into();
    let nodes = capacity.nodes;
    check(spec, nodes)?;
    let Drawn { mut jobs, mut cleaning, header } = draw(spec, capacity, seed, traces)?;
    match (capacity.hosts.is_empty(), is_of_whole_job(&spec.source)) {
        (false, false) => hosted::per_job(&mut jobs),
        (true, true) => hosted::per_node(&mut jobs),
        _ => {}
    }
    hosted::fit(&mut jobs, capacity, spec.rules.too_large, &mut cleaning);
    if jobs.is_empty() {
        return Err(WorkloadError::NoJobs { origin: spec.source.to_string(), reasons: cleaning.to_string() });
    }
    transform(&mut jobs, spec, nodes, seed)?;
    let offered_load = offered_load(&jobs, nodes).unwrap_or(f64::INFINITY);
    Ok(Workload { jobs, offered_load, cleaning, header })
}

/// The jobs of a source that has no end, one after another as they are asked for: of a workload that is simulated without being held in memory.
/// `None` where [`build`] gives all jobs there are. Nothing of the specification but its source is looked at.
///
/// # Errors
/// [`WorkloadError::BadParameter`].
pub fn stream<'a>(
    source: &Source,
    machine: impl Into<Capacity<'a>>,
    seed: u64,
) -> Result<Option<Box<dyn Iterator<Item = Job>>>, WorkloadError> {
    match source {
        Source::Poisson { .. } => {
            let jobs = model::poisson::of_source(source, machine.into(), seed)?;
            Ok(Some(Box::new(jobs)))
        }
        Source::Log { .. } | Source::File { .. } => Ok(None),
        Source::O2k { .. } => Ok(None),
        Source::JobList { .. } => Ok(None),
        Source::LublinFeitelson { .. } => Ok(None),
    }
}

/// Whether the jobs of a source are simulated as they are drawn: [`stream`] gives them.
pub fn is_stream(source: &Source) -> bool {
    match source {
        Source::Poisson { .. } => true,
        Source::Log { .. } | Source::File { .. } => false,
        Source::O2k { .. } => false,
        Source::JobList { .. } => false,
        Source::LublinFeitelson { .. } => false,
    }
}

/// The blake3 hash of the uncompressed bytes behind a source; `None` where the jobs are generated. A published log is
/// checked against its pinned hash first.
///
/// # Errors
/// As for finding and reading the log.
pub fn content_hash(source: &Source, traces: &TraceDir) -> Result<Option<[u8; 32]>, WorkloadError> {
    match source {
        Source::Log { name, mode: Mode::Trace } => {
            let path = traces.find(name)?;
            KnownLog::named(name)?.verify(&path).map(Some)
        }
        Source::File { path } => Ok(Some(hashes(Path::new(path))?.0)),
        Source::O2k { .. } => Ok(None),
        Source::JobList { .. } => Ok(None),
        Source::Poisson { .. } => Ok(None),
        Source::Log { mode: Mode::Twin, .. } | Source::LublinFeitelson { .. } => Ok(None),
    }
}

/// What no source can make sense of.
fn check(spec: &WorkloadSpec, nodes: u32) -> Result<(), WorkloadError> {
    let refuse = |field, expected: &str| {
        let value = "0".to_owned();
        Err(WorkloadError::BadParameter { field, value, expected: expected.to_owned() })
    };
    if nodes == 0 {
        return refuse("nodes", "at least 1");
    }
    if spec.jobs == Some(0) {
        return refuse("jobs", "at least 1");
    }
    Ok(())
}

/// Jobs as their source has them.
struct Drawn {
    jobs: Vec<Job>,
    cleaning: CleaningReport,
    header: Vec<String>,
}

/// The jobs of a source for a machine.
fn draw(
    spec: &WorkloadSpec,
    capacity: Capacity<'_>,
    seed: u64,
    traces: &TraceDir,
) -> Result<Drawn, WorkloadError> {
    let nodes = capacity.largest_job();
    let mut cleaner = Cleaner::new(spec.rules, nodes);
    let header = match &spec.source {
        Source::Log { name, mode: Mode::Trace } => {
            let path = traces.find(name)?;
            KnownLog::named(name)?.visit(&path, |record| cleaner.push(record))?
        }
        Source::File { path } => visit(Path::new(path), |record| cleaner.push(record))?,
        Source::Log { name, mode: Mode::Twin } => {
            return Ok(generated(model::twin::generate(name, spec.jobs, seed)?));
        }
        Source::O2k { .. } => {
            let jobs = model::o2k::generate(&spec.source, spec.jobs, seed)?;
            return Ok(generated(jobs));
        }
        Source::JobList { jobs } => {
            let mut jobs = model::job_list::generate(jobs)?;
            jobs.truncate(usize::try_from(spec.jobs.unwrap_or(u64::MAX)).unwrap_or(usize::MAX));
            return Ok(generated(jobs));
        }
        Source::Poisson { .. } => {
            let model = model::poisson::of_source(&spec.source, capacity, seed)?;
            // So many of each cluster on average.
            let count = count(spec)?.saturating_mul(capacity.clusters as usize);
            return Ok(generated(model.take(count).collect()));
        }
        Source::LublinFeitelson { variant, medium_offset } => {
            let count = count(spec)?;
            let model = model::lublin_feitelson::LublinFeitelson::new(*variant, nodes, *medium_offset, seed)?;
            return Ok(generated(model.take(count).collect()));
        }
    };
    let (jobs, cleaning) = cleaner.finish(spec.jobs);
    Ok(Drawn { jobs, cleaning, header: header.lines })
}

/// How many jobs an endless model shall generate.
fn count(spec: &WorkloadSpec) -> Result<usize, WorkloadError> {
    let expected = "the number of jobs the model shall generate".to_owned();
    let missing = WorkloadError::BadParameter { field: "jobs", value: "none".to_owned(), expected };
    spec.jobs.map(|jobs| usize::try_from(jobs).unwrap_or(usize::MAX)).ok_or(missing)
}

fn generated(jobs: Vec<Job>) -> Drawn {
    let cleaning = CleaningReport::clean(jobs.len() as u64);
    Drawn { jobs, cleaning, header: Vec::new() }
}

/// Whether a source has the memory of the whole job, not per processor as a log does.
fn is_of_whole_job(source: &Source) -> bool {
    match source {
        Source::Log { .. } | Source::File { .. } => false,
        Source::O2k { .. } => true,
        Source::JobList { .. } => false,
        Source::LublinFeitelson { .. } => false,
        Source::Poisson { .. } => false,
    }
}

#[cfg(test)]
#[path = "assemble_tests.rs"]
mod tests;
