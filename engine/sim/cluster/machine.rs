//! The machine as an experiment writes it.

use crate::error::SimError;
use serde::{Deserialize, Serialize};

/// Nodes and how they are joined.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum MachineSpec {
    /// Identical nodes without a topology, numbered from 0.
    Flat {
        /// Number of nodes.
        nodes: u32,
    },
    /// A k-ary n-tree: kⁿ leaf positions, of which the lowest-numbered `installed` hold a node.
    /// Source: Pascual & Miguel-Alonso 2008, §III; *assumption*: the missing nodes are the highest-numbered ones.
    Tree {
        /// k: ports down per switch, at least 2.
        arity: u32,
        /// n: stages of switches, at least 1.
        levels: u32,
        /// Installed nodes; all kⁿ where absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        installed: Option<u32>,
    },
}

/// The most nodes a machine may have; bounds memory, and catches a typing error early.
pub const MAX_NODES: u32 = 1 << 22;

impl MachineSpec {
    /// Installed nodes.
    pub fn nodes(&self) -> u32 {
        match *self {
            MachineSpec::Flat { nodes } => nodes,
            MachineSpec::Tree { arity, levels, installed } => {
                installed.unwrap_or_else(|| arity.checked_pow(levels).unwrap_or(u32::MAX))
            }
        }
    }

    /// Checks the numbers: at least one node, at most [`MAX_NODES`] positions, no more installed than the tree has.
    ///
    /// # Errors
    /// [`SimError::Machine`] with the reason.
    pub fn validate(&self) -> Result<(), SimError> {
        let problem = |reason: String| Err(SimError::Machine { reason });
        match *self {
            MachineSpec::Flat { nodes: 0 } => problem("a machine needs at least one node".into()),
            MachineSpec::Flat { nodes } if nodes > MAX_NODES => {
                problem(format!("{nodes} nodes are more than the {MAX_NODES} supported"))
            }
            MachineSpec::Flat { .. } => Ok(()),
            MachineSpec::Tree { arity, levels, installed } => {
                if arity < 2 || levels < 1 {
                    return problem(format!("a {arity}-ary {levels}-tree needs arity >= 2 and levels >= 1"));
                }
                match (arity.checked_pow(levels).filter(|&n| n <= MAX_NODES), installed) {
                    (None, _) => {
                        problem(format!("a {arity}-ary {levels}-tree has more than {MAX_NODES} nodes"))
                    }
                    (_, Some(0)) => problem("a machine needs at least one installed node".into()),
                    (Some(all), Some(some)) if some > all => {
                        problem(format!("{some} installed nodes, but a {arity}-ary {levels}-tree has {all}"))
                    }
                    _ => Ok(()),
                }
            }
        }
    }
}
