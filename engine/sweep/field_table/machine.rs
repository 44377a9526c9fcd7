//! Fields of the machine.

use super::{part, whole};
use crate::check;
use crate::field::{Access, Field, FieldKind, Lack, Shape, value};
use crate::run_spec::Case;
use sim::MachineSpec;

pub(super) static ROWS: &[Field] = &[
    Field {
        name: "machine",
        path: "machine",
        kind: FieldKind::Text,
        values: "Flat(nodes: N) or Tree(arity: K, levels: N, installed: M)",
        unit: "",
        default: "required",
        doc: "Nodes and how they are joined. Missing nodes of a tree are the highest-numbered ones.",
        source: "Pascual 2008, III; which nodes are missing: assumption",
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
        doc: "Number of nodes: of a flat machine all, of a tree the installed ones.",
        source: "",
        stage: 1,
        shape: Shape::Value,
        access: Access {
            parse: |text| value(text, check::nodes, set_nodes),
            get: |case| Some(case.machine.nodes().to_string()),
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
];

fn set_nodes(case: &mut Case, new: u32) -> Result<(), Lack> {
    match &mut case.machine {
        MachineSpec::Flat { nodes } => *nodes = new,
        MachineSpec::Tree { installed, .. } => *installed = Some(new),
    }
    Ok(())
}
