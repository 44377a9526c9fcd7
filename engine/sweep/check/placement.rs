//! Which policies, machines and allocators go together, and what would do instead.

use super::{Fault, reason};
use crate::matrix;
use sim::{AllocatorSpec, MachineSpec, PolicySpec};
use std::borrow::Cow;

/// What is wrong with the three together: the field to look at, and why.
pub(crate) fn problem(
    policy: &PolicySpec,
    machine: &MachineSpec,
    allocator: &AllocatorSpec,
) -> Option<(&'static str, String)> {
    if let Err(error) = policy.check_machine(machine) {
        return Some(("policy", reason(error)));
    }
    match allocator.build(machine) {
        Ok(built) => policy.check_allocator(built.as_ref()).err().map(|error| ("allocator", reason(error))),
        Err(error) => Some(("allocator", reason(error))),
    }
}

/// The same with what is known to work.
pub(super) fn fault(policy: &PolicySpec, machine: &MachineSpec, allocator: &AllocatorSpec) -> Option<Fault> {
    let (field, message) = problem(policy, machine, allocator)?;
    let help = match field {
        "policy" => format!(
            "known on this machine: {}; known for this policy: {}",
            matrix::policies_for(machine).join(", "),
            matrix::machines_for(policy).join(", ")
        ),
        _ => format!(
            "known for this policy on this machine: {}; known for this allocator: {}",
            matrix::allocators_for(policy, machine).join(", "),
            matrix::machines_for_allocator(allocator).join(", ")
        ),
    };
    Some(Fault { field, message, help: Cow::Owned(help + "; `backsweep matrix` shows all") })
}
