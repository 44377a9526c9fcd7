//! Fields of a mini-grid: its clusters, and what communication between them costs.

use super::part;
use crate::check;
use crate::field::{Access, Field, FieldKind, Lack, Shape, canonical, value};
use crate::run_spec::Case;
use sim::{CommunicationModel, MachineSpec, Penalized, Step3};

/// Reads and writes a part that only some communication models have.
macro_rules! of_model {
    ($check:expr, $type:ty, $variant:pat => $part:ident) => {
        Access {
            parse: |text| {
                value(text, $check, |case, new: $type| match model(case)? {
                    $variant => {
                        *$part = new;
                        Ok(())
                    }
                    other => Err(Lack::of("machine.communication", other)),
                })
            },
            get: |case| match &case.machine {
                MachineSpec::Clusters { communication: $variant, .. } => Some(canonical($part)),
                _ => None,
            },
        }
    };
}

pub(super) static ROWS: &[Field] = &[
    Field {
        name: "clusters",
        path: "machine.clusters",
        kind: FieldKind::Int,
        values: "a whole number, 1 or more",
        unit: "",
        default: "required",
        doc: "Number of clusters of a mini-grid; of Clusters.",
        source: "Jones 2004, Experimental Setup",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::clusters, "machine", machine, MachineSpec::Clusters { clusters, .. } => clusters),
    },
    Field {
        name: "nodes_per_cluster",
        path: "machine.nodes_per_cluster",
        kind: FieldKind::Int,
        values: "a whole number, 1 or more",
        unit: "nodes",
        default: "100",
        doc: "Nodes of each cluster; of Clusters.",
        source: "Jones 2004, Experimental Setup",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::nodes_per_cluster, "machine", machine, MachineSpec::Clusters { nodes_per_cluster, .. } => nodes_per_cluster),
    },
    Field {
        name: "communication",
        path: "machine.communication",
        kind: FieldKind::Text,
        values: "Ideal, FixedPenalty(penalty: .., penalized: ..) or Contended(link_bandwidth: .., step3: ..)",
        unit: "",
        default: "Ideal",
        doc: "How a job is slowed down that lies in several clusters; of Clusters.",
        source: "Jones 2004, Simulation",
        stage: 1,
        shape: Shape::Value,
        access: part!(check::communication, "machine", machine, MachineSpec::Clusters { communication, .. } => communication),
    },
    Field {
        name: "penalty",
        path: "machine.communication.penalty",
        kind: FieldKind::Real,
        values: "a number, 0 or more",
        unit: "",
        default: "0.25",
        doc: "By what share of itself the time of a job grows that lies in several clusters; of FixedPenalty.",
        source: "assumption: the values of Jones 2004 are lost",
        stage: 2,
        shape: Shape::Free,
        access: of_model!(check::penalty, f64, CommunicationModel::FixedPenalty { penalty, .. } => penalty),
    },
    Field {
        name: "penalized",
        path: "machine.communication.penalized",
        kind: FieldKind::Text,
        values: "WholeJob or Communication",
        unit: "",
        default: "WholeJob",
        doc: "Which time grows by the penalty; of FixedPenalty.",
        source: "assumption: Jones 2004 prints no formula",
        stage: 2,
        shape: Shape::Free,
        access: of_model!(check::anything, Penalized, CommunicationModel::FixedPenalty { penalized, .. } => penalized),
    },
    Field {
        name: "link_bandwidth",
        path: "machine.communication.link_bandwidth",
        kind: FieldKind::Real,
        values: "a number above 0",
        unit: "",
        default: "required",
        doc: "What the link of each cluster carries, in the unit of the jobs' bandwidths per node; of Contended.",
        source: "Jones 2004, Experimental Setup",
        stage: 2,
        shape: Shape::Free,
        access: of_model!(check::link_bandwidth, f64, CommunicationModel::Contended { link_bandwidth, .. } => link_bandwidth),
    },
    Field {
        name: "step3",
        path: "machine.communication.step3",
        kind: FieldKind::Text,
        values: "Unconstrained or Printed",
        unit: "",
        default: "Unconstrained",
        doc: "By how much the jobs of a saturated link are reduced: what is left of it over the demand of those not reduced yet, or all of it over all demand; of Contended.",
        source: "Jones 2004, Bandwidth Allotment Algorithm, step 3: Printed; Unconstrained: assumption",
        stage: 2,
        shape: Shape::Free,
        access: of_model!(check::anything, Step3, CommunicationModel::Contended { step3, .. } => step3),
    },
];

/// The communication model of a mini-grid.
fn model(case: &mut Case) -> Result<&mut CommunicationModel, Lack> {
    match &mut case.machine {
        MachineSpec::Clusters { communication, .. } => Ok(communication),
        other => Err(Lack::of("machine", other)),
    }
}
