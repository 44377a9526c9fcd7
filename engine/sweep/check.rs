//! Ranges and combinations that make no sense, found before the first run.

mod placement;
mod steady;
mod stream;

pub(crate) use placement::problem as placement;
pub(crate) use steady::{backlog_cap, batches, steady, warm_up};
pub(crate) use stream::poisson as poisson_with;

use crate::run_spec::{Case, makes_any_number};
use sim::policy::class_priority::{self, SizeClass, TimeClass};
use sim::policy::{ImmediateService, Order, Shares, co_allocation};
use sim::time::MAX_SECONDS;
use sim::{
    CommunicationModel, HostSpec, MachineSpec, MeasureSpec, MemorySpec, Penalized, PolicySpec, SimError,
    Speedup, Step3,
};
use std::borrow::Cow;
use workload::model::job_list::{self, ListedJob};
use workload::model::o2k::{Month, Parameters};
use workload::model::poisson;
use workload::{MemoryModel, MemoryVector, MissingEstimate, Moldable, Parallelism, Source, is_stream};

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

/// Cells are wanted of a source that has none.
fn nothing_to_compare(case: &Case) -> Option<Fault> {
    let missing = case.measure.model_cells && !matches!(case.workload.source, Source::O2k { .. });
    missing.then(|| Fault {
        field: "model_cells",
        message: format!("there are no published cells that {} could be compared with", case.workload.source),
        help: "only O2k knows its publication's tables; leave `model_cells` out".into(),
    })
}

/// A memory model may draw what no node has. Amounts that a source records are known only when its jobs are read.
fn too_large_a_share(case: &Case) -> Option<Fault> {
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

pub(crate) fn machine(machine: &MachineSpec) -> Result<(), String> {
    machine.validate().map_err(reason)
}

/// What is wrong, without the heading that the place in the text replaces.
fn reason(error: SimError) -> String {
    match error {
        SimError::Machine { reason } | SimError::Setup { reason } => reason,
        other => other.to_string(),
    }
}

pub(crate) fn memory(memory: &Option<MemorySpec>) -> Result<(), String> {
    memory.map_or(Ok(()), |memory| memory.validate().map_err(reason))
}

pub(crate) fn capacity(capacity_kb: &u64) -> Result<(), String> {
    memory(&Some(MemorySpec { capacity_kb: *capacity_kb, ..MemorySpec::default() }))
}

pub(crate) fn transfer(transfer_s: &u64) -> Result<(), String> {
    memory(&Some(MemorySpec { transfer_s: *transfer_s, ..MemorySpec::default() }))
}

pub(crate) fn nodes(nodes: &u32) -> Result<(), String> {
    machine(&MachineSpec::Flat { nodes: *nodes })
}

pub(crate) fn hosts(hosts: &[HostSpec]) -> Result<(), String> {
    machine(&MachineSpec::Hosts { hosts: hosts.to_vec() })
}

pub(crate) fn clusters(clusters: &u32) -> Result<(), String> {
    mini_grid(*clusters, 1, CommunicationModel::Ideal)
}

pub(crate) fn nodes_per_cluster(nodes: &u32) -> Result<(), String> {
    mini_grid(1, *nodes, CommunicationModel::Ideal)
}

pub(crate) fn communication(communication: &CommunicationModel) -> Result<(), String> {
    mini_grid(1, 1, *communication)
}

pub(crate) fn penalty(penalty: &f64) -> Result<(), String> {
    let penalized = Penalized::default();
    communication(&CommunicationModel::FixedPenalty { penalty: *penalty, penalized })
}

pub(crate) fn link_bandwidth(bandwidth: &f64) -> Result<(), String> {
    let step3 = Step3::default();
    communication(&CommunicationModel::Contended { link_bandwidth: *bandwidth, step3 })
}

fn mini_grid(clusters: u32, nodes_per_cluster: u32, communication: CommunicationModel) -> Result<(), String> {
    machine(&MachineSpec::Clusters { clusters, nodes_per_cluster, communication })
}

pub(crate) fn policy(policy: &PolicySpec) -> Result<(), String> {
    match policy {
        PolicySpec::Priority { order: o, .. } => {
            order(o)?;
            o.without_memory().map_err(reason)
        }
        PolicySpec::PriorityBackfill {
            order: o,
            holders,
            slide,
            grace_s,
            immediate_service: service,
            ..
        } => {
            order(o)?;
            class_bound(grace_s)?;
            immediate_service(service)?;
            holders.allow(*slide).map_err(reason)
        }
        PolicySpec::TimeSlicing { interval_s, shares, short_below_s, long_above_s, .. } => {
            interval(interval_s)?;
            slice_shares(shares)?;
            [short_below_s, long_above_s].into_iter().try_for_each(class_bound)
        }
        PolicySpec::EqSpatial { min_interval_s, full_after_s, immediate_service: service } => {
            class_bound(min_interval_s)?;
            immediate_service(service)?;
            service.map_or(Ok(()), ImmediateService::without_victims).map_err(reason)?;
            full_after(full_after_s)
        }
        PolicySpec::ClassPriority { time_classes, size_classes, host_limits, .. } => {
            class_priority::check(time_classes, size_classes, host_limits).map_err(reason)
        }
        PolicySpec::FairShare { overbooking: o, efficiency: e, .. } => {
            overbooking(o)?;
            efficiency(e)
        }
        PolicySpec::CoAllocation { queue, pick, .. } => co_allocation::check(*queue, *pick).map_err(reason),
        _ => Ok(()),
    }
}

pub(crate) fn overbooking(factor: &f64) -> Result<(), String> {
    positive("an overbooking factor", *factor)
}

pub(crate) fn efficiency(factor: &f64) -> Result<(), String> {
    match factor.is_finite() && *factor >= 0.0 {
        true => Ok(()),
        false => Err(format!("an efficiency factor of {factor} is not 0 or more")),
    }
}

pub(crate) fn immediate_service(service: &Option<ImmediateService>) -> Result<(), String> {
    service.map_or(Ok(()), |service| service.validate().map_err(reason))
}

pub(crate) fn interval(interval_s: &u64) -> Result<(), String> {
    if *interval_s == 0 {
        Err("an interval needs at least one second".into())
    } else {
        class_bound(interval_s)
    }
}

pub(crate) fn class_bound(seconds: &u64) -> Result<(), String> {
    match *seconds <= MAX_SECONDS.unsigned_abs() {
        true => Ok(()),
        false => Err(format!("{seconds} s is longer than the {MAX_SECONDS} s that a simulation can tell")),
    }
}

pub(crate) fn slice_shares(shares: &Shares) -> Result<(), String> {
    shares.validate().map_err(reason)
}

pub(crate) fn slice_share(share: &f64) -> Result<(), String> {
    match share.is_finite() && *share >= 0.0 {
        true => Ok(()),
        false => Err(format!("a share of {share} is not 0 or more")),
    }
}

pub(crate) fn order(order: &Order) -> Result<(), String> {
    order.validate().map_err(reason)
}

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

pub(crate) fn arity(arity: &u32) -> Result<(), String> {
    if *arity < 2 { Err(format!("an arity of {arity} is below 2")) } else { Ok(()) }
}

pub(crate) fn levels(levels: &u32) -> Result<(), String> {
    if *levels < 1 { Err("a tree needs at least one level".into()) } else { Ok(()) }
}

pub(crate) fn full_after(seconds: &Option<u64>) -> Result<(), String> {
    seconds.as_ref().map_or(Ok(()), class_bound)
}

pub(crate) fn time_classes(classes: &[TimeClass]) -> Result<(), String> {
    class_priority::check_time_classes(classes).map_err(reason)
}

pub(crate) fn job_size_classes(classes: &[SizeClass]) -> Result<(), String> {
    class_priority::check_size_classes(classes).map_err(reason)
}

pub(crate) fn installed(installed: &Option<u32>) -> Result<(), String> {
    installed.as_ref().map_or(Ok(()), nodes)
}

pub(crate) fn weight(weight: &f64) -> Result<(), String> {
    if weight.is_finite() { Ok(()) } else { Err("weights must be finite numbers".into()) }
}

pub(crate) fn jobs(jobs: &u64) -> Result<(), String> {
    match jobs {
        0 => Err("a workload needs at least one job".into()),
        _ => Ok(()),
    }
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

pub(crate) fn bound(bound_s: &f64) -> Result<(), String> {
    positive("a bound", *bound_s)
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

fn measure(measure: &MeasureSpec) -> Result<(), String> {
    bound(&measure.bound_s)?;
    run_time_classes(&measure.run_time_classes_s)?;
    run_time_classes(&measure.coarse_run_time_classes_s)?;
    size_classes(&measure.size_classes)?;
    memory_classes(&measure.memory_classes_kb)?;
    work_classes(&measure.work_classes_node_s)?;
    steady(&measure.steady)?;
    [measure.submitted_from_s, measure.submitted_before_s].iter().try_for_each(submitted)
}

/// One end of the stretch in which jobs count.
pub(crate) fn submitted(second: &Option<f64>) -> Result<(), String> {
    match second {
        // What a simulation can tell, so that no instant is cut off.
        Some(second) if !(0.0..=MAX_SECONDS as f64).contains(second) => {
            Err(format!("{second} s is outside 0 ... {MAX_SECONDS}"))
        }
        _ => Ok(()),
    }
}

/// A stretch that is empty for certain.
fn nothing_counts(measure: &MeasureSpec) -> Option<Fault> {
    let (Some(from), Some(before)) = (measure.submitted_from_s, measure.submitted_before_s) else {
        return None;
    };
    (from >= before).then(|| Fault {
        field: "submitted_from_s",
        message: format!("no job is submitted from {from} s on and before {before} s"),
        help: "give a `submitted_before_s` after `submitted_from_s`".into(),
    })
}

pub(crate) fn run_time_classes(times: &[f64]) -> Result<(), String> {
    if !times.iter().all(|t| t.is_finite() && *t > 0.0) || !times.is_sorted_by(|a, b| a < b) {
        return Err("classes of run times must be positive and ascending".into());
    }
    Ok(())
}

pub(crate) fn size_classes(sizes: &[u32]) -> Result<(), String> {
    if sizes.contains(&0) || !sizes.is_sorted_by(|a, b| a < b) {
        return Err("size_classes must be positive and ascending".into());
    }
    Ok(())
}

pub(crate) fn memory_classes(kb: &[u64]) -> Result<(), String> {
    if !kb.is_sorted_by(|a, b| a < b) {
        return Err("memory_classes_kb must be ascending".into());
    }
    Ok(())
}

pub(crate) fn work_classes(node_s: &[f64]) -> Result<(), String> {
    if !node_s.iter().all(|bound| bound.is_finite() && *bound > 0.0) || !node_s.is_sorted_by(|a, b| a < b) {
        return Err("work_classes_node_s must be positive and ascending".into());
    }
    Ok(())
}

fn positive(what: &str, value: f64) -> Result<(), String> {
    match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => Err(format!("{what} of {value} is not above zero")),
    }
}

pub(crate) fn optional_jobs(count: &Option<u64>) -> Result<(), String> {
    count.as_ref().map_or(Ok(()), jobs)
}

pub(crate) fn optional_load(load: &Option<f64>) -> Result<(), String> {
    load.as_ref().map_or(Ok(()), load_target)
}
