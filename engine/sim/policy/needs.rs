//! What policies need of the machine, of the allocator and of their parameters.

use crate::allocator::Allocator;
use crate::cluster::machine::MachineSpec;
use crate::error::SimError;
use crate::time::{MAX_SECONDS, Span};

/// A policy that plans for nodes of one pool knows nothing of hosts and their memory.
pub(super) fn needs_one_pool(policy: &str, machine: &MachineSpec) -> Result<(), SimError> {
    if machine.hosts().is_empty() {
        return Ok(());
    }
    let reason =
        format!("{policy} plans for nodes of one pool; on a machine of hosts use Fcfs or a policy of hosts");
    Err(SimError::Setup { reason })
}

/// A policy that plans with the processors and the memory of hosts needs some.
pub(super) fn needs_hosts(policy: &str, machine: &MachineSpec) -> Result<(), SimError> {
    if machine.hosts().is_empty() {
        let reason = format!("{policy} plans for hosts; it needs machine: Hosts(hosts: [..])");
        return Err(SimError::Setup { reason });
    }
    Ok(())
}

/// A policy that chooses numbers of nodes plans with numbers alone.
pub(super) fn needs_interchangeable_nodes(policy: &str, allocator: &dyn Allocator) -> Result<(), SimError> {
    if allocator.counts_only() {
        return Ok(());
    }
    Err(SimError::Setup { reason: format!("{policy} plans with numbers of nodes; it needs FirstFree") })
}

/// A span of whole seconds, from `least` to what a simulation can tell.
pub(super) fn slice_seconds(name: &str, seconds: u64, least: u64) -> Result<Span, SimError> {
    let most = MAX_SECONDS.unsigned_abs();
    if (least..=most).contains(&seconds) {
        return Ok(Span::from_secs(seconds.cast_signed()));
    }
    Err(SimError::Setup { reason: format!("{name}: {seconds} is not in {least}..{most} seconds") })
}
