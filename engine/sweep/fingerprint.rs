//! The model fingerprint: a hash of the program text that can influence a run, so that results of an older model are never
//! taken for answers of the present one. Made at build time from the token stream of the sources, per family.

use crate::Case;
use crate::family::{CORE, FAMILIES};
use sim::{AllocatorSpec, PolicySpec};
use std::fmt;
use workload::{Mode, Source};

include!(concat!(env!("OUT_DIR"), "/fingerprints.rs"));

/// The hash of all sources that can influence one kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// The fingerprint of the families that a case uses: the core, its policy, its allocator and its workload model.
    pub fn of(case: &Case) -> Fingerprint {
        let mut hasher = blake3::Hasher::new();
        for family in used(case) {
            hasher.update(&hash_of(family));
        }
        Fingerprint(*hasher.finalize().as_bytes())
    }

    /// The families that a case uses, each once: the core first, then policy, allocator and workload model.
    pub fn families_of(case: &Case) -> Vec<&'static str> {
        let mut families = Vec::new();
        for family in used(case) {
            if !families.contains(&family) {
                families.push(family);
            }
        }
        families
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

/// Every family of sources with its hash, for the tables' metadata.
pub fn families() -> impl Iterator<Item = (&'static str, Fingerprint)> {
    TABLE.iter().map(|(family, hash)| (*family, Fingerprint(*hash)))
}

/// The hash of all families in their order: two programs that agree in it give equal answers to every question.
pub fn of_model() -> Fingerprint {
    let mut all = blake3::Hasher::new();
    for (_, hash) in TABLE {
        all.update(hash);
    }
    Fingerprint(*all.finalize().as_bytes())
}

/// The names that a specification's enum offers, such as those of `PolicySpec`, for messages.
pub fn variants_of(specification: &str) -> Vec<&'static str> {
    let names = FAMILIES.iter().flat_map(|family| family.variants).filter_map(|name| name.split_once("::"));
    names.filter(|(whole, _)| *whole == specification).map(|(_, name)| name).collect()
}

/// The hash of a family. A name without an entry counts as all of the model, which is safe.
fn hash_of(family: &str) -> [u8; 32] {
    match TABLE.iter().find(|(name, _)| *name == family) {
        Some((_, hash)) => *hash,
        None => of_model().0,
    }
}

fn family(path: &'static str) -> &'static str {
    let listed = || FAMILIES.iter().any(|family| family.module == path);
    debug_assert!(path == CORE || listed(), "`{path}` is not listed in family.rs");
    path
}

fn used(case: &Case) -> [&'static str; 4] {
    [
        CORE,
        policy_family(&case.policy),
        allocator_family(&case.allocator),
        source_family(&case.workload.source),
    ]
}

fn policy_family(policy: &PolicySpec) -> &'static str {
    family(match policy {
        PolicySpec::Fcfs => "sim/policy/fcfs",
        PolicySpec::Easy { .. } => "sim/policy/easy",
        PolicySpec::Conservative { .. } | PolicySpec::Priority { .. } => "sim/policy/planning",
        PolicySpec::PriorityBackfill { .. } => "sim/policy/priority_backfill",
        PolicySpec::TimeSlicing { .. } => "sim/policy/time_slicing",
        PolicySpec::EqSpatial { .. } => "sim/policy/eqspatial",
        PolicySpec::ClassPriority { .. } => "sim/policy/class_priority",
        PolicySpec::FairShare { .. } => "sim/policy/fair_share",
        PolicySpec::Iterative => "sim/policy/iterative",
        PolicySpec::CoAllocation { .. } => "sim/policy/co_allocation",
    })
}

fn allocator_family(allocator: &AllocatorSpec) -> &'static str {
    family(match allocator {
        AllocatorSpec::FirstFree => "sim/allocator/first_free",
        AllocatorSpec::Contiguous { .. } => "sim/allocator/contiguous",
        AllocatorSpec::IntelligentNodeSelection => "sim/allocator/intelligent",
        AllocatorSpec::MemoryAware { .. } => "sim/allocator/memory_aware",
    })
}

fn source_family(source: &Source) -> &'static str {
    family(match source {
        Source::Log { mode: Mode::Trace, .. } | Source::File { .. } => CORE,
        Source::Log { mode: Mode::Twin, .. } => "workload/model/twin",
        Source::JobList { .. } => "workload/model/job_list",
        Source::LublinFeitelson { .. } => "workload/model/lublin_feitelson",
        Source::O2k { .. } => "workload/model/o2k",
        Source::Poisson { .. } => "workload/model/poisson",
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::path::Path;

    #[test]
    fn every_family_has_a_hash_of_its_own() {
        let names: Vec<_> = families().map(|(name, _)| name).collect();
        assert_eq!(names.len(), FAMILIES.len() + 1);
        assert!(FAMILIES.iter().all(|family| names.contains(&family.module)) && names.contains(&CORE));
    }

    #[test]
    fn every_family_has_sources() {
        let engine = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for family in FAMILIES {
            let module = engine.join(family.module);
            assert!(
                module.is_dir() || module.with_extension("rs").is_file(),
                "no source for {}",
                family.module
            );
        }
    }

    #[test]
    fn a_case_depends_on_its_policy_allocator_and_source() {
        let case = crate::test_case::case();
        let base = Fingerprint::of(&case);
        let easy = Case {
            policy: PolicySpec::Easy { overrun: Default::default(), shadow: sim::policy::Shadow::Placement },
            ..case.clone()
        };
        let longer = Case { passes: sim::Passes::PerEvent, ..case.clone() };
        assert_ne!(base, Fingerprint::of(&easy));
        assert_eq!(base, Fingerprint::of(&longer));
        assert_eq!(base.to_string().len(), 64);
    }
}
