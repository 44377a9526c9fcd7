#![allow(clippy::unwrap_used)]
use super::*;
use crate::any_case::any_case;
use crate::field::{Lack, find};
use crate::fingerprint::variants_of;
use crate::run_spec::Case;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use workload::{Source, WorkloadSpec};

fn case() -> Case {
    let source = Source::LublinFeitelson { variant: workload::Variant::Single, medium_offset: 2.5 };
    Case {
        machine: sim::MachineSpec::Flat { nodes: 8 },
        workload: WorkloadSpec::new(source),
        policy: sim::PolicySpec::Fcfs,
        allocator: sim::AllocatorSpec::FirstFree,
        memory: None,
        passes: sim::Passes::default(),
        estimates: sim::EstimateSource::default(),
        measure: sim::MeasureSpec::default(),
    }
}

/// Fields that must be set first, and to what.
type Needs = &'static [(&'static str, &'static str)];

/// A machine of hosts.
const HOSTS: Needs = &[("machine", "Hosts(hosts: [(name: \"a\", processors: 4, memory_mb: 8)])")];

/// Mini-grids.
const GRID: Needs = &[("machine", "Clusters(clusters: 2)")];
const PENALIZED: Needs = &[("machine", "Clusters(clusters: 2, communication: FixedPenalty())")];
const CONTENDED: Needs =
    &[("machine", "Clusters(clusters: 2, communication: Contended(link_bandwidth: 9.0))")];

/// A policy with weights.
const WEIGHTED: Needs = &[("policy", "Priority(order: Weighted(wait: 1.0), reservations: All)")];

/// The O2K model.
const O2K: Needs = &[("source", "O2k(month: Feb2000)")];

/// A policy of hosts with test runs.
const SERVED: Needs = &[("policy", "PriorityBackfill(immediate_service: Some(()))")];

/// A policy of hosts with weights.
const ON_HOSTS: Needs = &[("policy", "PriorityBackfill(order: Weighted(wait: 1.0))")];

/// A memory model with vectors.
const DRAWN: Needs = &[("memory_model", "Drawn()")];

/// Jobs whose nodes may be chosen.
const MOLDABLE: Needs = &[("moldable", "Some(Downey())")];
const LISTED: Needs = &[("moldable", "Some(Listed(speedups: [(parallelism: 4.0, sigma: 0.5)]))")];
const OF_REQUEST: Needs = &[("moldable", "Some(Downey(parallelism: OfRequest()))")];

/// A policy with slices of time, nodes with memory, and an allocator that looks at it.
const SLICED: Needs = &[("policy", "TimeSlicing()")];
const EQSPATIAL: Needs = &[("policy", "EqSpatial()")];
const CLASSES: Needs = &[("policy", "ClassPriority()")];
const FAIR: Needs = &[("policy", "FairShare()")];
const STEADY: Needs = &[("steady", "Some(())")];
const POISSON: Needs = &[("source", "Poisson()")];
const CO: Needs = &[("policy", "CoAllocation()")];
const MEMORY: Needs = &[("memory", "Some(())")];
const TWO_STAGE: Needs = &[("allocator", "MemoryAware(first: BestFit, second: WorstFit)")];

/// A value of each field that differs from its default, and what the case must have for the field to exist.
const EXAMPLES: &[(&str, &str, Needs)] = &[
    ("machine", "Tree(arity: 4, levels: 2)", &[]),
    ("nodes", "16", &[]),
    ("policy", "Easy", &[]),
    ("arity", "4", &[("machine", "Tree(arity: 2, levels: 3)")]),
    ("levels", "4", &[("machine", "Tree(arity: 2, levels: 3)")]),
    ("installed", "5", &[("machine", "Tree(arity: 2, levels: 3)")]),
    ("hosts", "[(name: \"b\", processors: 3, memory_mb: 1)]", HOSTS),
    ("clusters", "8", GRID),
    ("nodes_per_cluster", "10", GRID),
    ("communication", "FixedPenalty(penalty: 0.5)", GRID),
    ("penalty", "0.7", PENALIZED),
    ("penalized", "Communication", PENALIZED),
    ("link_bandwidth", "20.0", CONTENDED),
    ("step3", "Printed", CONTENDED),
    ("overrun", "Extend", &[("policy", "Easy()")]),
    ("shadow", "Count", &[("policy", "Easy()")]),
    ("early_end", "Replan", &[("policy", "Conservative()")]),
    ("order", "ShortestFirst", &[("policy", "Priority(order: Arrival, reservations: All)")]),
    ("weight_wait", "0.5", WEIGHTED),
    ("weight_expansion", "1.0", WEIGHTED),
    ("weight_nodes", "-1.0", WEIGHTED),
    ("weight_memory", "0.5", ON_HOSTS),
    ("weight_larger", "0.5", ON_HOSTS),
    ("holders", "FixedJob", ON_HOSTS),
    ("slide", "NonSliding", ON_HOSTS),
    ("grace_s", "3600", ON_HOSTS),
    ("immediate_service", "Some((quantum_s: 30))", ON_HOSTS),
    ("quantum_s", "30", SERVED),
    ("initial_mb", "512", SERVED),
    ("service_form", "Soon", SERVED),
    ("settled_quanta", "5", SERVED),
    ("reservations", "AtMost(3)", &[("policy", "Priority(order: Arrival, reservations: All)")]),
    ("allocator", "Contiguous(relax: 1)", &[]),
    ("relax", "1", &[("allocator", "Contiguous()")]),
    ("memory", "Some((capacity_kb: 100))", &[]),
    ("memory_capacity_kb", "100", MEMORY),
    ("transfer_s", "10", MEMORY),
    ("swap_charge", "LastDisplaced", MEMORY),
    ("memory_classes_kb", "[40]", &[]),
    ("coarse_run_time_classes_s", "[40.0]", &[]),
    ("work_classes_node_s", "[200.0]", &[]),
    ("submitted_from_s", "Some(10.0)", &[]),
    ("submitted_before_s", "Some(20.0)", &[]),
    ("wait", "BeyondRunTime", &[]),
    ("arrival_load", "0.5", POISSON),
    ("mean_run_time_s", "60.0", POISSON),
    ("smallest", "1", POISSON),
    ("largest", "95", POISSON),
    ("communication_share", "0.1", POISSON),
    ("bandwidth_per_node", "2.0", POISSON),
    ("runs", "Constant", POISSON),
    ("steady", "Some((batches: 8))", &[]),
    ("warm_up", "Share(0.2)", STEADY),
    ("batches", "16", STEADY),
    ("backlog_cap", "100", STEADY),
    ("model_cells", "true", &[("source", "O2k(month: Feb2000)")]),
    ("interval_s", "1800", SLICED),
    ("slice_shares", "(long: 1.0, medium: 1.0, short: 1.0)", SLICED),
    ("share_long", "0.25", SLICED),
    ("share_medium", "0.25", SLICED),
    ("share_short", "0.25", SLICED),
    ("adaptive", "true", SLICED),
    ("slice_backfill", "ProtectFirst", SLICED),
    ("non_type", "false", SLICED),
    ("short_below_s", "60", SLICED),
    ("long_above_s", "3600", SLICED),
    ("min_interval_s", "0", EQSPATIAL),
    ("full_after_s", "180000", EQSPATIAL),
    ("time_classes", "[(name: \"all\", up_to_s: 60)]", CLASSES),
    ("job_size_classes", "[(name: \"all\", processors: 1, memory_mb: 1)]", CLASSES),
    ("host_limits", "[(host: \"a\", at_most: [(\"sj\", 2)])]", CLASSES),
    ("drain_seed", "7", CLASSES),
    ("overbooking", "4.0", FAIR),
    ("efficiency", "0.5", FAIR),
    ("share_among", "Waiting", FAIR),
    ("running_weight", "Remaining", FAIR),
    ("share_weight", "Sequential", FAIR),
    ("limit_rounding", "Ceil", FAIR),
    ("later_jobs", "StartingNow", FAIR),
    ("reserved_size", "KeepsSize", FAIR),
    ("movable", "Printed", FAIR),
    ("slope", "ForwardDifference", FAIR),
    ("sharing", "Migration", CO),
    ("queue", "StrictPerCluster", CO),
    ("pick", "LargestFits", CO),
    ("home_first", "false", CO),
    ("split", "Even", CO),
    ("first_stage", "FirstFit", TWO_STAGE),
    ("second_stage", "FirstFit", TWO_STAGE),
    ("unfit_nodes", "AsPrinted", TWO_STAGE),
    ("time_until_fit", "SoonestRelease", TWO_STAGE),
    ("source", "Log(name: \"x\")", &[]),
    ("log", "\"y\"", &[("source", "Log(name: \"x\")")]),
    ("source_mode", "Twin", &[("source", "Log(name: \"x\")")]),
    ("file", "\"y.swf\"", &[("source", "File(path: \"x.swf\")")]),
    ("variant", "Batch", &[]),
    ("medium_offset", "1.5", &[]),
    ("month", "Mar2000", O2K),
    ("o2k_fit", "Raw", O2K),
    ("warm_up_days", "3", O2K),
    ("after_days", "0", O2K),
    ("gap_variation", "1.5", O2K),
    ("dedicated_share", "0.0", O2K),
    ("occupancy", "0.5", O2K),
    ("intermediate_rate", "20.0", O2K),
    ("low_rate", "5.0", O2K),
    ("weekend_low_rate", "9.0", O2K),
    ("n_jobs", "100", &[]),
    ("speedup", "0.25", &[]),
    ("scale_estimates", "false", &[]),
    ("load", "0.7", &[]),
    ("load_by", "RunTimes", &[("load", "0.5")]),
    ("load_measure", "Effective", &[("load", "0.5")]),
    ("moldable", "Some(Downey())", &[]),
    ("parallelism", "OfRequest()", MOLDABLE),
    ("parallelism_low", "1.5", OF_REQUEST),
    ("parallelism_high", "4.0", OF_REQUEST),
    ("sigma_max", "1.0", MOLDABLE),
    (
        "job_list",
        "[(run_time_s: 5.0, nodes: 2)]",
        &[("source", "JobList(jobs: [(run_time_s: 7.0, nodes: 1)])")],
    ),
    ("speedups", "[(parallelism: 2.0, sigma: 1.0)]", LISTED),
    ("requested", "A(20)", &[]),
    ("memory_model", "Recorded(node_kb: 32768)", &[]),
    ("memory_long", "High", DRAWN),
    ("memory_medium", "Values([0.25, 1.0])", DRAWN),
    ("memory_short", "VeryLow", DRAWN),
    ("memory_node_kb", "100", &[("memory_model", "Recorded(node_kb: 32768)")]),
    ("size_field", "Allocated", &[]),
    ("estimate_floor", "AsLogged", &[]),
    ("missing_estimate", "QueueLimit(60)", &[]),
    ("no_run_time", "ZeroIsOneSecond", &[]),
    ("too_large", "Clamp", &[]),
    ("negative_submit", "Zero", &[]),
    ("memory_field", "Used", &[]),
    ("passes", "PerEvent", &[]),
    ("estimates", "Actual", &[]),
    ("bound_s", "60.0", &[]),
    ("run_time_classes_s", "[60.0]", &[]),
    ("size_classes", "[]", &[]),
];

#[test]
fn every_field_sets_what_it_gets_and_nothing_else() {
    let tried: BTreeSet<&str> = EXAMPLES.iter().map(|(name, ..)| *name).collect();
    assert_eq!(tried, FIELDS.iter().map(|field| field.name).collect::<BTreeSet<_>>());
    for (name, text, needs) in EXAMPLES {
        let mut before = case();
        for (other, value) in *needs {
            ((find(other).unwrap().access.parse)(value).unwrap().apply)(&mut before).unwrap();
        }
        let field = find(name).unwrap();
        let value = (field.access.parse)(text).unwrap();
        let mut after = before.clone();
        (value.apply)(&mut after).unwrap();
        assert_ne!(before, after, "{name}");
        assert_eq!(field.get(&after), Some(value.canonical), "{name}");
        if let Some(old) = field.get(&before) {
            // A string is printed without its quotes.
            let old = (field.access.parse)(&old).or_else(|_| (field.access.parse)(&format!("{old:?}")));
            (old.unwrap().apply)(&mut after).unwrap();
            assert_eq!(before, after, "{name} touches another field");
        }
    }
}

#[test]
fn the_printed_defaults_are_values() {
    for field in FIELDS.iter().filter(|field| !["none", "required"].contains(&field.default)) {
        assert!((field.access.parse)(field.default).is_ok(), "{}: {}", field.name, field.default);
    }
}

#[test]
fn the_printed_default_classes_are_those_of_the_policy() {
    for name in ["time_classes", "job_size_classes"] {
        let (mut case, field) = (case(), find(name).unwrap());
        ((find("policy").unwrap().access.parse)("ClassPriority()").unwrap().apply)(&mut case).unwrap();
        assert_eq!(field.get(&case), Some((field.access.parse)(field.default).unwrap().canonical));
    }
}

#[test]
fn a_part_of_something_else_says_so() {
    let value = (find("overrun").unwrap().access.parse)("Extend").unwrap();
    let lack = (value.apply)(&mut case()).unwrap_err();
    assert_eq!(lack, Lack { object: "policy", variant: "Fcfs".into() });
}

#[test]
fn parentheses_of_bare_names_do_not_matter() {
    for (with, without) in [("Easy()", "Easy"), ("Fcfs()", "Fcfs"), ("Conservative( )", "Conservative")] {
        let read = |text| (find("policy").unwrap().access.parse)(text).unwrap().canonical;
        assert_eq!(read(with), read(without));
    }
}

/// The paths of the leaves of a case as it is written; names of variants are no parts of a path.
fn leaves(value: &Json, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Json::Object(fields) if !fields.is_empty() => {
            for (name, field) in fields {
                let deeper = match (path, name.starts_with(char::is_uppercase)) {
                    (_, true) => path.to_owned(),
                    ("", false) => name.clone(),
                    (_, false) => format!("{path}.{name}"),
                };
                leaves(field, &deeper, found);
            }
        }
        _ => {
            found.insert(path.to_owned());
        }
    }
}

#[test]
fn every_leaf_of_every_case_is_a_field() {
    let paths: BTreeSet<String> = FIELDS.iter().map(|field| field.path.to_owned()).collect();
    let (mut runner, strategy) = (TestRunner::deterministic(), any_case());
    let mut met = BTreeSet::new();
    let mut texts = String::new();
    for _ in 0..500 {
        let json = serde_json::to_value(strategy.new_tree(&mut runner).unwrap().current()).unwrap();
        leaves(&json, "", &mut met);
        texts += &json.to_string();
    }
    assert_eq!(met.difference(&paths).collect::<Vec<_>>(), Vec::<&String>::new(), "without a row in FIELDS");
    // What the cases never showed was not checked: a new variant must be among those of `any_case`.
    let shown =
        |path: &&String| met.iter().any(|leaf| leaf == *path || leaf.starts_with(&format!("{path}.")));
    let unseen: Vec<&String> = paths.iter().filter(|path| !shown(path)).collect();
    assert_eq!(unseen, Vec::<&String>::new(), "in no case of any_case");
    for name in ["PolicySpec", "AllocatorSpec"].into_iter().flat_map(variants_of) {
        assert!(texts.contains(&format!("\"{name}\"")), "any_case makes no {name}");
    }
}

#[test]
fn names_and_paths_are_all_different() {
    let mut seen = std::collections::BTreeMap::new();
    for (at, field) in FIELDS.iter().enumerate() {
        for word in [field.name, field.path] {
            assert_eq!(*seen.entry(word).or_insert(at), at, "{word}");
        }
        assert!(std::ptr::eq(find(field.path).unwrap(), *field));
    }
}

#[test]
fn the_words_that_a_field_takes_are_values() {
    for field in FIELDS.iter() {
        for word in field.words() {
            assert!((field.access.parse)(word).is_ok(), "{}: {word}", field.name);
        }
    }
    assert_eq!(find("overrun").unwrap().words(), ["KillBackfilled", "Extend"]);
    assert_eq!(find("policy").unwrap().words(), Vec::<&str>::new());
}
