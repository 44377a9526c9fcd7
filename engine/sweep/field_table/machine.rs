//! Fields of the machine and of its nodes' memory.

use super::{part, whole};
use crate::check;
use crate::field::{Access, Field, FieldKind, Lack, Shape, value};
use crate::run_spec::Case;
use sim::{HostSpec, MachineSpec, MemorySpec};

pub(super) static ROWS: &[Field] = &[
    Field {
        name: "machine",
        path: "machine",
        kind: FieldKind::Text,
        values: "Flat(nodes: N), Tree(arity: K, levels: N, installed: M), Hosts(hosts: [(name: .., processors: N, memory_mb: M), ..]) or Clusters(clusters: N, nodes_per_cluster: M, communication: ..)",
        unit: "",
        default: "required",
        doc: "Nodes and how they are joined. Missing nodes of a tree are the highest-numbered ones. Of hosts the nodes are the processors; a job runs inside one host. Clusters are a mini-grid, in which jobs may lie in several.",
        source: "Pascual 2008, III; which nodes are missing: assumption; Chiang 2001, Table 4; Jones 2004",
        stage: 0,
        shape: Shape::Value,
        access: whole!(check::machine, machine),
    },
    Field {
        name: "nodes",
        path: "machine.nodes",
        kind: FieldKind::Int,
        values: "a whole number, 1 or more",
        unit: "nodes",
        default: "required",
        doc: "Number of nodes: of a flat machine all, of a tree the installed ones; not of Hosts or Clusters.",
        source: "",
        stage: 1,
        shape: Shape::Value,
        access: Access {
            parse: |text| value(text, check::nodes, set_nodes),
            get: |case| match &case.machine {
                MachineSpec::Flat { .. } | MachineSpec::Tree { .. } => Some(case.machine.nodes().to_string()),
                MachineSpec::Hosts { .. } | MachineSpec::Clusters { .. } => None,
            },
        },
    },
    Field {
        name: "arity",
        path: "machine.arity",
        kind: FieldKind::Int,
        values: "a whole number, 2 or more",
        unit: "ports",
        default: "required",
        doc: "k of a k-ary n-tree: ports down per switch; of Tree.",
        source: "Pascual 2008, III",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::arity, "machine", machine, MachineSpec::Tree { arity, .. } => arity),
    },
    Field {
        name: "levels",
        path: "machine.levels",
        kind: FieldKind::Int,
        values: "a whole number, 1 or more",
        unit: "levels",
        default: "required",
        doc: "n of a k-ary n-tree: stages of switches; of Tree.",
        source: "Pascual 2008, III",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::levels, "machine", machine, MachineSpec::Tree { levels, .. } => levels),
    },
    Field {
        name: "installed",
        path: "machine.installed",
        kind: FieldKind::Int,
        values: "a whole number, 1 or more; None",
        unit: "nodes",
        default: "None",
        doc: "Installed nodes of a tree, all of its leaves where None; of Tree. `nodes` sets the same of any machine.",
        source: "Pascual 2008, III",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::installed, "machine", machine, MachineSpec::Tree { installed, .. } => installed),
    },
    Field {
        name: "hosts",
        path: "machine.hosts",
        kind: FieldKind::List,
        values: "a list of (name: .., processors: N, memory_mb: M)",
        unit: "",
        default: "required",
        doc: "Hosts, in the order in which ties are broken; 1 MB = 1024 kB; of Hosts.",
        source: "Chiang 2001, Table 4",
        stage: 1,
        shape: Shape::Value,
        access: part!(|hosts: &Vec<HostSpec>| check::hosts(hosts), "machine", machine, MachineSpec::Hosts { hosts } => hosts),
    },
    Field {
        name: "memory",
        path: "memory",
        kind: FieldKind::Text,
        values: "(capacity_kb: N, transfer_s: S, swap_charge: ..); None",
        unit: "",
        default: "None",
        doc: "Memory of every node. Without, it is unlimited, and jobs run as soon as they start.",
        source: "Esbaugh 2010, 5.2 and 5.3",
        stage: 0,
        shape: Shape::Value,
        access: whole!(check::memory, memory),
    },
    Field {
        name: "memory_capacity_kb",
        path: "memory.capacity_kb",
        kind: FieldKind::Int,
        values: "a whole number, 1 or more",
        unit: "kB",
        default: "400",
        doc: "Memory of a node; of a memory that is limited.",
        source: "Esbaugh 2010, App. A",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::capacity, "memory", memory, Some(MemorySpec { capacity_kb, .. }) => capacity_kb),
    },
    Field {
        name: "transfer_s",
        path: "memory.transfer_s",
        kind: FieldKind::Int,
        values: "a whole number, 0 or more",
        unit: "s",
        default: "100",
        doc: "How long the transfer of a whole node's memory takes; of a memory that is limited.",
        source: "Esbaugh 2010, App. A",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::transfer, "memory", memory, Some(MemorySpec { transfer_s, .. }) => transfer_s),
    },
    Field {
        name: "swap_charge",
        path: "memory.swap_charge",
        kind: FieldKind::Text,
        values: "AllDisplaced or LastDisplaced",
        unit: "",
        default: "AllDisplaced",
        doc: "Which displaced jobs pay; of a memory that is limited.",
        source: "Esbaugh 2010, 5.3; LastDisplaced: App. A",
        stage: 1,
        shape: Shape::Free,
        access: part!(check::anything, "memory", memory, Some(MemorySpec { swap_charge, .. }) => swap_charge),
    },
];

fn set_nodes(case: &mut Case, new: u32) -> Result<(), Lack> {
    match &mut case.machine {
        MachineSpec::Flat { nodes } => *nodes = new,
        MachineSpec::Tree { installed, .. } => *installed = Some(new),
        MachineSpec::Hosts { .. } | MachineSpec::Clusters { .. } => {
            return Err(Lack::of("machine", &case.machine));
        }
    }
    Ok(())
}
