//! Machines and the memory of their nodes.

use super::reason;
use sim::{CommunicationModel, HostSpec, MachineSpec, MemorySpec, Penalized, Step3};

pub(crate) fn machine(machine: &MachineSpec) -> Result<(), String> {
    machine.validate().map_err(reason)
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

pub(crate) fn arity(arity: &u32) -> Result<(), String> {
    if *arity < 2 { Err(format!("an arity of {arity} is below 2")) } else { Ok(()) }
}

pub(crate) fn levels(levels: &u32) -> Result<(), String> {
    if *levels < 1 { Err("a tree needs at least one level".into()) } else { Ok(()) }
}

pub(crate) fn installed(installed: &Option<u32>) -> Result<(), String> {
    installed.as_ref().map_or(Ok(()), nodes)
}
