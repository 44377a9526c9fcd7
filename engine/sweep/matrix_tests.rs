//! What is said to go together runs, and what is refused could not be built.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::executor::{Halt, Runner, Simulator};
use crate::run_spec::RunSpec;
use std::collections::BTreeSet;
use workload::TraceDir;

/// Matches without wildcards: a new kind does not compile before it is in the lists above.
fn machine_name(machine: &MachineSpec) -> &'static str {
    match machine {
        MachineSpec::Flat { .. } => "Flat",
        MachineSpec::Tree { .. } => "Tree",
        MachineSpec::Hosts { .. } => "Hosts",
        MachineSpec::Clusters { .. } => "Clusters",
    }
}

fn source_name(source: &Source) -> &'static str {
    match source {
        Source::Log { .. } => "Log",
        Source::File { .. } => "File",
        Source::JobList { .. } => "JobList",
        Source::LublinFeitelson { .. } => "LublinFeitelson",
        Source::O2k { .. } => "O2k",
        Source::Poisson { .. } => "Poisson",
    }
}

#[test]
fn everything_on_offer_is_tried() {
    let names: Vec<&str> = machines().iter().map(|(_, machine)| machine_name(machine)).collect();
    assert_eq!(names, MACHINES);
    let named = named_sources();
    assert!(named.iter().all(|(name, source)| source_name(source) == *name));
    assert_eq!(named.len(), 2 + variants_of("Source").len());
    let rows: BTreeSet<&str> = schedulers().rows.iter().map(|(name, _)| *name).collect();
    assert_eq!(rows, variants_of("PolicySpec").into_iter().collect());
    assert_eq!(offered::<AllocatorSpec>("AllocatorSpec").len(), variants_of("AllocatorSpec").len());
}

fn run(case: &Case) {
    let spec = RunSpec { case: case.clone().into(), replication: 0, seed: 1 };
    let simulator = Simulator::new(TraceDir::default());
    let jobs = simulator.build(&spec).unwrap();
    let outcome = simulator.run(&spec, &jobs, &Halt::default()).unwrap();
    assert!(outcome.metrics.0.iter().any(Option::is_some), "{case:?}");
}

#[test]
fn schedulers_that_go_together_run_and_others_cannot_be_built() {
    let (mut works, mut fails) = (0, 0);
    for (_, policy) in offered::<PolicySpec>("PolicySpec") {
        for (_, machine) in machines() {
            for (_, allocator) in offered::<AllocatorSpec>("AllocatorSpec") {
                let source = Source::LublinFeitelson { variant: Variant::Single, medium_offset: 2.5 };
                let mut case = plain(source);
                (case.policy, case.machine, case.allocator) = (policy.clone(), machine.clone(), allocator);
                match check::combination(&case) {
                    None => {
                        run(&case);
                        works += 1;
                    }
                    Some(_) => {
                        let setup = case.setup();
                        let built = setup.policy.build(&setup).map(|policy| policy.name());
                        assert!(built.is_err(), "{setup:?}: {built:?}");
                        fails += 1;
                    }
                }
            }
        }
    }
    let table = schedulers();
    let known: usize = table.rows.iter().flat_map(|(_, cells)| cells).map(Vec::len).sum();
    assert_eq!((works, fails), (known, table.refused.len()));
}

#[test]
fn sources_and_wishes_that_go_together_run() {
    for (name, source) in named_sources() {
        if ["Log", "File"].contains(&name) {
            continue;
        }
        for (columns, change) in [(MACHINES, on_machine as fn(&mut Case, &str)), (WISHES, wish)] {
            for column in columns {
                let mut case = plain(source.clone());
                change(&mut case, column);
                if check::combination(&case).is_none() {
                    run(&case);
                }
            }
        }
    }
}

#[test]
fn refusals_name_what_is_known() {
    let mut case = plain(Source::LublinFeitelson { variant: Variant::Single, medium_offset: 2.5 });
    case.allocator = AllocatorSpec::Contiguous { relax: 0 };
    let fault = check::combination(&case).unwrap();
    assert_eq!(
        (fault.field, fault.message.as_str(), fault.help.as_ref()),
        (
            "allocator",
            "contiguous allocation needs a tree machine: machine: Tree(arity: k, levels: n)",
            "known for this policy on this machine: FirstFree, IntelligentNodeSelection, MemoryAware; known for this allocator: Tree; \
             `backsweep matrix` shows all"
        )
    );
    case.policy = example("EqSpatial").unwrap();
    let fault = check::combination(&case).unwrap();
    assert_eq!(fault.field, "policy");
    assert!(fault.help.starts_with("known on this machine: CoAllocation, Easy, "), "{}", fault.help);
    assert!(fault.help.contains("known for this policy: Hosts;"), "{}", fault.help);
}
