//! Which policies, machines, allocators, sources and transforms go together: every combination that the registries offer is tried with the checks
//! that experiments go through.

use crate::check;
use crate::fingerprint::variants_of;
use crate::run_spec::Case;
use serde::de::DeserializeOwned;
use sim::{AllocatorSpec, MachineSpec, MemorySpec, PolicySpec, Steady};
use workload::{
    Load, LoadBy, LoadMeasure, MemoryModel, Moldable, Parallelism, RequestedTime, Source, Variant,
};

/// Arguments with which a variant of a specification may be complete.
const ARGUMENTS: &[&str] = &[
    "",
    "()",
    "(order: Arrival, reservations: All)",
    "(first: BestFit, second: WorstFit)",
    "(nodes: 128)",
    "(arity: 2, levels: 7)",
    "(hosts: [(name: \"a\", processors: 128, memory_mb: 65536)])",
    "(clusters: 2, nodes_per_cluster: 128)",
    "(name: \"CTC-SP2-1996-3.1-cln\")",
    "(path: \"log.swf\")",
    "(jobs: [(submit_s: 0.0, run_time_s: 9.0, nodes: 1), (submit_s: 9.0, run_time_s: 1.0, nodes: 2)])",
    "(month: Feb2000)",
];

/// The specification of this name, with its defaults where it has any.
pub fn example<T: DeserializeOwned>(name: &str) -> Option<T> {
    ARGUMENTS.iter().find_map(|arguments| ron::from_str(&format!("{name}{arguments}")).ok())
}

/// The kinds of machines, smallest of each.
fn machines() -> Vec<(&'static str, MachineSpec)> {
    MACHINES.iter().filter_map(|name| Some((*name, example(name)?))).collect()
}

/// Machines are no families of the fingerprint; a test keeps this list complete.
const MACHINES: &[&str] = &["Flat", "Tree", "Hosts", "Clusters"];

/// What a case can be asked for beyond its source and machine; memory of nodes comes with a memory model.
const WISHES: &[&str] = &["load", "speedup", "requested", "moldable", "memory", "steady"];

/// Why something is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What was combined, in the order of the tables.
    pub of: Vec<&'static str>,
    /// Why it makes no sense.
    pub reason: String,
}

/// A table of combinations.
#[derive(Clone, Debug)]
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<&'static str>,
    /// Name of the row, and by column what goes with both: all names where there is a choice, the column's own where there is none.
    pub rows: Vec<(&'static str, Vec<Vec<&'static str>>)>,
    /// What does not, in the same order.
    pub refused: Vec<Refusal>,
}

/// What goes together.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// Policies by machines: the allocators.
    pub schedulers: Table,
    /// Sources by machines.
    pub sources: Table,
    /// Sources, on a flat machine, and machines, with jobs of a model, by what changes or measures their jobs.
    pub wishes: Table,
}

/// Tries everything.
pub fn matrix() -> Matrix {
    Matrix { schedulers: schedulers(), sources: sources(), wishes: wishes() }
}

/// The allocators with which a policy works on a machine, by name.
pub(crate) fn allocators_for(policy: &PolicySpec, machine: &MachineSpec) -> Vec<&'static str> {
    let named = offered::<AllocatorSpec>("AllocatorSpec").into_iter();
    named.filter(|(_, allocator)| placed(policy, machine, allocator).is_ok()).map(|(name, _)| name).collect()
}

/// The kinds of machines on which a policy works with some allocator.
pub(crate) fn machines_for(policy: &PolicySpec) -> Vec<&'static str> {
    let works = |machine: &MachineSpec| !allocators_for(policy, machine).is_empty();
    machines().into_iter().filter(|(_, machine)| works(machine)).map(|(name, _)| name).collect()
}

/// The policies that work on a machine with some allocator.
pub(crate) fn policies_for(machine: &MachineSpec) -> Vec<&'static str> {
    let works = |policy: &PolicySpec| !allocators_for(policy, machine).is_empty();
    offered("PolicySpec").into_iter().filter(|(_, policy)| works(policy)).map(|(name, _)| name).collect()
}

/// The kinds of machines on which an allocator works with some policy.
pub(crate) fn machines_for_allocator(allocator: &AllocatorSpec) -> Vec<&'static str> {
    let works = |machine: &MachineSpec| allocator.build(machine).is_ok();
    machines().into_iter().filter(|(_, machine)| works(machine)).map(|(name, _)| name).collect()
}

fn offered<T: DeserializeOwned>(specification: &str) -> Vec<(&'static str, T)> {
    variants_of(specification).into_iter().filter_map(|name| Some((name, example(name)?))).collect()
}

fn placed(policy: &PolicySpec, machine: &MachineSpec, allocator: &AllocatorSpec) -> Result<(), String> {
    check::placement(policy, machine, allocator).map_or(Ok(()), |(_, reason)| Err(reason))
}

fn schedulers() -> Table {
    let machines = machines();
    let allocators = offered::<AllocatorSpec>("AllocatorSpec");
    let mut refused = Vec::new();
    let mut rows = Vec::new();
    for (name, policy) in offered::<PolicySpec>("PolicySpec") {
        let mut cells = Vec::new();
        for (on, machine) in &machines {
            let mut cell = Vec::new();
            for (with, allocator) in &allocators {
                match placed(&policy, machine, allocator) {
                    Ok(()) => cell.push(*with),
                    Err(reason) => refused.push(Refusal { of: vec![name, on, with], reason }),
                }
            }
            cells.push(cell);
        }
        rows.push((name, cells));
    }
    Table { columns: MACHINES.to_vec(), rows, refused }
}

fn sources() -> Table {
    let rows = named_sources().into_iter().map(|(name, source)| (name, plain(source))).collect();
    tried(rows, MACHINES, on_machine)
}

fn wishes() -> Table {
    let mut rows: Vec<(&str, Case)> =
        named_sources().into_iter().map(|(name, source)| (name, plain(source))).collect();
    for (name, machine) in machines() {
        let source = Source::LublinFeitelson { variant: Variant::Single, medium_offset: 2.5 };
        rows.push((name, Case { machine, ..plain(source) }));
    }
    tried(rows, WISHES, wish)
}

fn on_machine(case: &mut Case, column: &str) {
    if let Some((_, machine)) = machines().into_iter().find(|(name, _)| *name == column) {
        case.machine = machine;
    }
}

fn wish(case: &mut Case, column: &str) {
    let workload = &mut case.workload;
    match column {
        "load" => {
            workload.load = Some(Load { target: 0.5, by: LoadBy::Arrivals, measure: LoadMeasure::Offered });
        }
        "speedup" => workload.speedup = 0.25,
        "requested" => workload.requested = RequestedTime::B,
        "moldable" => {
            workload.moldable = Some(Moldable::Downey { parallelism: Parallelism::System, sigma_max: 1.0 });
        }
        "memory" => {
            workload.memory = Some(MemoryModel::Recorded { node_kb: 1024 });
            case.memory = Some(MemorySpec { capacity_kb: 1024, ..MemorySpec::default() });
        }
        _ => case.measure.steady = Some(Steady::default()),
    }
}

/// Every row's case with every column's change to it.
fn tried(rows: Vec<(&'static str, Case)>, columns: &[&'static str], change: fn(&mut Case, &str)) -> Table {
    let mut table = Table { columns: columns.to_vec(), rows: Vec::new(), refused: Vec::new() };
    for (name, plain) in rows {
        let mut cells = Vec::new();
        for &column in columns {
            let mut case = plain.clone();
            change(&mut case, column);
            cells.push(match check::combination(&case) {
                None => vec![column],
                Some(fault) => {
                    table.refused.push(Refusal { of: vec![name, column], reason: fault.message });
                    Vec::new()
                }
            });
        }
        table.rows.push((name, cells));
    }
    table
}

/// The sources: those that read logs, which are no families of the fingerprint, and the others.
fn named_sources() -> Vec<(&'static str, Source)> {
    let names = ["Log", "File"].into_iter().chain(variants_of("Source"));
    names.filter_map(|name| Some((name, example(name)?))).collect()
}

/// A case that is as plain as the source allows.
fn plain(source: Source) -> Case {
    let stream = workload::is_stream(&source);
    let mut case = Case { machine: MachineSpec::Flat { nodes: 128 }, ..Case::of_source(source) };
    case.workload.jobs = Some(200);
    // A stream ends only with a steady state.
    case.measure.steady = stream.then(Steady::default);
    case
}

#[cfg(test)]
#[path = "matrix_tests.rs"]
mod tests;
