//! Registries and experiments: every name that is offered exists, is documented, and works.

use super::{TextFile, assert_none, files};
use sim::{AllocatorSpec, EstimateSource, HostSpec, MachineSpec, Passes, PolicySpec, Setup};
use std::collections::BTreeSet;
use sweep::fingerprint::variants_of;
use sweep::{Experiment, Overrides};

/// The specification of this name with its defaults.
fn spec<T: serde::de::DeserializeOwned>(name: &str) -> T {
    sweep::matrix::example(name)
        .unwrap_or_else(|| panic!("no arguments are known with which `{name}` is complete"))
}

/// The names that a specification takes, as the refusal of another one lists them: all there are, listed in `family.rs` or not.
fn taken<T: serde::de::DeserializeOwned + std::fmt::Debug>() -> BTreeSet<String> {
    match ron::from_str::<T>("Nobody").unwrap_err().code {
        ron::Error::NoSuchEnumVariant { expected, .. } => {
            expected.iter().map(|name| (*name).to_owned()).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_policy_and_allocator_is_on_offer() {
    let offered = |specification| variants_of(specification).into_iter().map(str::to_owned).collect();
    assert_eq!(taken::<PolicySpec>(), offered("PolicySpec"), "FAMILIES in engine/sweep/family.rs");
    assert_eq!(taken::<AllocatorSpec>(), offered("AllocatorSpec"), "FAMILIES in engine/sweep/family.rs");
}

fn setup(machine: MachineSpec, policy: PolicySpec, allocator: AllocatorSpec) -> Setup {
    Setup {
        machine,
        policy,
        allocator,
        memory: None,
        passes: Passes::default(),
        estimates: EstimateSource::default(),
    }
}

#[test]
fn every_policy_and_allocator_on_offer_works() {
    let tree = MachineSpec::Tree { arity: 4, levels: 3, installed: None };
    let host = HostSpec { name: "a".into(), processors: 4, memory_mb: 8 };
    let hosts = MachineSpec::Hosts { hosts: vec![host] };
    let mut works = BTreeSet::new();
    for policy in variants_of("PolicySpec") {
        for allocator in variants_of("AllocatorSpec") {
            for machine in [&tree, &hosts] {
                let setup = setup(machine.clone(), spec(policy), spec(allocator));
                if setup.policy.build(&setup).is_ok() {
                    works.extend([policy, allocator]);
                }
            }
        }
    }
    let offered = variants_of("PolicySpec").into_iter().chain(variants_of("AllocatorSpec"));
    assert_eq!(works, offered.collect());
}

#[test]
fn every_policy_and_allocator_on_offer_is_documented() {
    let documents = ["engine/ARCHITECTURE.md", "engine/GLOSSARY.md"].map(TextFile::read);
    let mut missing = Vec::new();
    for name in variants_of("PolicySpec").into_iter().chain(variants_of("AllocatorSpec")) {
        for document in &documents {
            if !document.text.split(|c: char| !c.is_alphanumeric()).any(|word| word == name) {
                missing.push(format!("{}: {name}", document.name));
            }
        }
    }
    assert_none("undocumented", &missing);
}

/// The scales that an experiment file names.
fn scales(text: &str) -> Vec<String> {
    let begin = text.find("\n    scales: {").expect("an experiment of the repository names its scales");
    let block = &text[begin + 1..];
    let block = &block[..block.find("\n    },").expect("the block of scales ends")];
    let names = block.lines().skip(1).filter_map(|line| line.trim().strip_prefix('"')?.split('"').next());
    names.map(str::to_owned).collect()
}

/// The experiments of the repository; what they include is read with them.
fn experiments() -> Vec<TextFile> {
    files("experiments", "ron").into_iter().filter(|file| !file.name.contains("/parts/")).collect()
}

#[test]
fn every_experiment_is_sound_at_every_scale() {
    for file in experiments() {
        let scales = scales(&file.text);
        for usual in ["smoke", "paper", "full"] {
            assert!(scales.iter().any(|scale| scale == usual), "{} has no scale `{usual}`", file.name);
        }
        for scale in scales.into_iter().map(Some).chain([None]) {
            let overrides = Overrides { scale: scale.clone(), set: Vec::new() };
            let experiment = Experiment::load(&file.path, &overrides)
                .unwrap_or_else(|problems| panic!("{} at scale {scale:?}: {problems}", file.name));
            assert!(!experiment.is_empty());
            assert_eq!(experiment.runs().count(), experiment.len(), "{}", file.name);
            let folder = file.name.split('/').nth(1).unwrap();
            assert_eq!(experiment.study, folder, "{}: the study is not its folder", file.name);
        }
    }
}

#[test]
fn every_assumption_is_a_field_with_a_reason() {
    let mut found = Vec::new();
    for file in experiments() {
        let experiment = Experiment::load(&file.path, &Overrides::default())
            .unwrap_or_else(|problems| panic!("{}: {problems}", file.name));
        for assumption in &experiment.assumptions {
            if !sweep::FIELDS.iter().any(|field| field.name == assumption.field) {
                found.push(format!("{}: `{}` is no field", file.name, assumption.field));
            }
            if assumption.reason.trim().is_empty() {
                found.push(format!("{}: `{}` has no reason", file.name, assumption.field));
            }
        }
        for claim in experiment.claims.iter().filter(|claim| claim.source.trim().is_empty()) {
            found.push(format!("{}: claim {} has no source", file.name, claim.id));
        }
    }
    assert_none("in experiments", &found);
}
