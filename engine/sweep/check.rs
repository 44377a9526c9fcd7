//! Ranges and combinations that make no sense, found before the first run.

mod jobs;
mod machine;
mod measures;
mod placement;
mod policy;
mod steady;
mod stream;

pub(crate) use jobs::{
    factor, file_path, job_list, jobs, load_target, log_name, medium_offset, memory_model, memory_vector,
    missing_estimate, moldable, node_kb, o2k, optional_jobs, optional_load, parallelism, sigma_max, source,
    speedup, speedups,
};
pub(crate) use machine::{
    arity, capacity, clusters, communication, hosts, installed, levels, link_bandwidth, machine, memory,
    nodes, nodes_per_cluster, penalty, transfer,
};
pub(crate) use measures::{bound, memory_classes, run_time_classes, size_classes, submitted, work_classes};
pub(crate) use placement::problem as placement;
pub(crate) use policy::{
    class_bound, efficiency, full_after, immediate_service, interval, job_size_classes, order, overbooking,
    policy, slice_share, slice_shares, time_classes, weight,
};
pub(crate) use steady::{backlog_cap, batches, steady, warm_up};
pub(crate) use stream::poisson as poisson_with;

use crate::run_spec::{Case, makes_any_number};
use jobs::too_large_a_share;
use measures::{measure, nothing_counts, nothing_to_compare};
use sim::SimError;
use std::borrow::Cow;
use workload::is_stream;

/// A combination of fields that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The field to look at.
    pub(crate) field: &'static str,
    /// What is wrong.
    pub(crate) message: String,
    /// What would do.
    pub(crate) help: Cow<'static, str>,
}

/// Every value alone: what `base` may hold, field by field.
pub(crate) fn values(case: &Case) -> Vec<(&'static str, String)> {
    let workload = &case.workload;
    let checks = [
        ("machine", machine(&case.machine)),
        ("memory", memory(&case.memory)),
        ("policy", policy(&case.policy)),
        ("workload", source(&workload.source)),
        ("workload", workload.jobs.map_or(Ok(()), |count| jobs(&count))),
        ("workload", speedup(&workload.speedup)),
        ("workload", workload.load.map_or(Ok(()), |load| load_target(&load.target))),
        ("workload", moldable(&workload.moldable)),
        ("workload", memory_model(&workload.memory)),
        ("workload", missing_estimate(&workload.rules.missing_estimate)),
        ("measure", measure(&case.measure)),
    ];
    checks.into_iter().filter_map(|(field, check)| check.err().map(|message| (field, message))).collect()
}

/// What is wrong with a case although each of its values is right.
pub(crate) fn combination(case: &Case) -> Option<Fault> {
    if let Err(message) = machine(&case.machine) {
        return Some(Fault { field: "nodes", message, help: "give another number of nodes".into() });
    }
    if let Err(message) = policy(&case.policy) {
        return Some(Fault { field: "policy", message, help: "give another value".into() });
    }
    if let Some(fault) = placement::fault(&case.policy, &case.machine, &case.allocator) {
        return Some(fault);
    }
    if let Err(message) = moldable(&case.workload.moldable) {
        return Some(Fault { field: "moldable", message, help: "give another value".into() });
    }
    if let Some(fault) = memory_of_hosts(case) {
        return Some(fault);
    }
    let source = &case.workload.source;
    if makes_any_number(source) && !is_stream(source) && case.workload.jobs.is_none() {
        return Some(Fault {
            field: "source",
            message: "a workload model needs to know how many jobs to generate".into(),
            help: "workload: (source: LublinFeitelson(), jobs: 1000)".into(),
        });
    }
    too_large_a_share(case)
        .or_else(|| nothing_counts(&case.measure))
        .or_else(|| nothing_to_compare(case))
        .or_else(|| steady::fault(case))
        .or_else(|| stream::fault(case))
}

/// Hosts have memory of their own, and jobs ask for it as a whole.
fn memory_of_hosts(case: &Case) -> Option<Fault> {
    let (field, message) = if case.machine.hosts().is_empty() {
        return None;
    } else if case.memory.is_some() {
        ("memory", "hosts have memory of their own, `memory` is that of nodes")
    } else if case.workload.memory.is_some() {
        (
            "memory_model",
            "a memory model says what a job needs per node, hosts are asked for that of the whole job",
        )
    } else {
        return None;
    };
    Some(Fault { field, message: message.into(), help: "leave it out, or choose another machine".into() })
}

pub(crate) fn anything<T>(_: &T) -> Result<(), String> {
    Ok(())
}

/// What is wrong, without the heading that the place in the text replaces.
fn reason(error: SimError) -> String {
    match error {
        SimError::Machine { reason } | SimError::Setup { reason } => reason,
        other => other.to_string(),
    }
}

fn positive(what: &str, value: f64) -> Result<(), String> {
    match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => Err(format!("{what} of {value} is not above zero")),
    }
}
