//! Edits to the real sources, in memory, and whose runs they void.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::fingerprint;
use std::sync::LazyLock;

const EASY: &str = "sim/policy/easy";
const FCFS: &str = "sim/policy/fcfs";
const PLANNING: &str = "sim/policy/planning";
const ON_HOSTS: &str = "sim/policy/priority_backfill";
const CONTIGUOUS: &str = "sim/allocator/contiguous";
const FIRST_FREE: &str = "sim/allocator/first_free";
const LUBLIN: &str = "workload/model/lublin_feitelson";
const TWIN: &str = "workload/model/twin";
const ALL: &[&str] = &[CORE, CONTIGUOUS, FIRST_FREE, EASY, FCFS, PLANNING, ON_HOSTS, LUBLIN, TWIN];
const POLICIES: &str = "sim/policy/mod";
const ALLOCATORS: &str = "sim/allocator/mod";
const SPEC: &str = "workload/spec";
const ASSEMBLE: &str = "workload/assemble";
const SIMULATOR: &str = "sweep/executor/simulator";

struct Edit {
    sources: Sources,
    lock: String,
}

impl Edit {
    fn new() -> Edit {
        let engine = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let lock = fs::read_to_string(engine.with_file_name("Cargo.lock")).unwrap();
        Edit { sources: read_sources(engine).unwrap(), lock }
    }

    /// Replaces a text that occurs exactly once.
    fn replace(mut self, path: &str, from: &str, to: &str) -> Edit {
        let text = self.sources.get_mut(path).unwrap();
        assert_eq!(text.matches(from).count(), 1, "`{from}` in {path}");
        *text = text.replace(from, to);
        self
    }

    fn add(mut self, path: &str, text: &str) -> Edit {
        assert!(self.sources.insert(path.to_owned(), text.to_owned()).is_none());
        self
    }

    fn append(mut self, path: &str, text: &str) -> Edit {
        self.sources.get_mut(path).unwrap().push_str(text);
        self
    }

    /// The families whose runs this voids.
    #[track_caller]
    fn voids(self, expected: &[&str]) {
        static BEFORE: LazyLock<BTreeMap<&str, [u8; 32]>> = LazyLock::new(|| Edit::new().hashes());
        self.voids_after(&BEFORE, expected);
    }

    fn hashes(&self) -> BTreeMap<&'static str, [u8; 32]> {
        family_hashes(&self.sources, &self.lock)
    }

    #[track_caller]
    fn voids_after(self, before: &BTreeMap<&'static str, [u8; 32]>, expected: &[&str]) {
        let after = self.hashes();
        assert!(before.keys().eq(after.keys()));
        // A run has the core in its fingerprint anyway.
        let changed: Vec<&str> = before.keys().copied().filter(|name| before[name] != after[name]).collect();
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(changed, expected);
    }
}

#[test]
fn the_library_was_built_from_these_sources() {
    let edit = Edit::new();
    let built: BTreeMap<&str, [u8; 32]> =
        fingerprint::families().map(|(name, hash)| (name, hash.0)).collect();
    assert_eq!(edit.hashes(), built);
}

#[test]
fn families_depend_on_each_other_as_far_as_they_name_each_other() {
    let edit = Edit::new();
    let families = collect(&edit.sources, &edit.lock);
    let uses = |family| families.reachable(family).into_iter().filter(|other| *other != family).collect();
    for (family, used) in ALL.iter().map(|family| (family, uses(family))) {
        let used: Vec<&str> = used;
        assert_eq!(used, [""; 0], "{family}");
    }
}

#[test]
fn what_is_no_code_voids_nothing() {
    let tests = "#[cfg(test)]\nmod more_tests { use super::easy; #[test] fn t() { assert!(true); } }\n";
    Edit::new()
        .replace(EASY, "//! Decides:", "//! Indeed decides:")
        .append(EASY, tests)
        .append("sim/kernel/run", "// The end.\n")
        .append("sim/kernel/run", tests)
        .append(POLICIES, tests)
        .append(POLICIES, "/* done */\n")
        .append(SIMULATOR, "// The end.\n")
        .append(SIMULATOR, tests)
        .replace(
            POLICIES,
            "/// First come, first served, strictly.",
            "/// FCFS.\n\n    ///\n    /// As it says.\n",
        )
        .replace(
            POLICIES,
            "PolicySpec::Fcfs => Ok(Box::new(fcfs::Fcfs)),",
            "PolicySpec::Fcfs\n=> Ok( Box::new(fcfs::Fcfs) )  ,",
        )
        .voids(&[]);
}

#[test]
fn a_change_in_a_family_voids_its_runs_only() {
    let code = "\nfn more() -> u32 { 7 }\n";
    Edit::new().append(EASY, code).voids(&[EASY]);
    Edit::new().append(FCFS, code).voids(&[FCFS]);
    Edit::new().append("sim/policy/planning/mod", code).voids(&[PLANNING]);
    Edit::new().add("sim/policy/planning/more", code).voids(&[PLANNING]);
    Edit::new().append(CONTIGUOUS, code).voids(&[CONTIGUOUS]);
    Edit::new().append(FIRST_FREE, code).voids(&[FIRST_FREE]);
    Edit::new().append(LUBLIN, code).voids(&[LUBLIN]);
    Edit::new().append("workload/model/twin", code).voids(&[TWIN]);
}

#[test]
fn a_change_in_the_core_voids_the_core() {
    let code = "\nfn more() -> u32 { 7 }\n";
    for path in
        ["sim/kernel/run", "sim/policy/queue_index", POLICIES, ALLOCATORS, ASSEMBLE, SPEC, "workload/lib"]
    {
        Edit::new().append(path, code).voids(&[CORE]);
    }
    Edit::new().add("sim/policy/unlisted", code).voids(&[CORE]);
    // What builds the workloads and calls the simulation lies outside of the model's folders.
    Edit::new().append(SIMULATOR, code).voids(&[CORE]);
    Edit::new().replace(SIMULATOR, "scale_estimates: true", "scale_estimates: false").voids(&[CORE]);
    Edit::new().replace(SIMULATOR, "passes: self.passes", "passes: Passes::PerEvent").voids(&[CORE]);
    Edit { lock: Edit::new().lock.replace("name = \"libm\"\n", "name = \"libm\"\nx"), ..Edit::new() }
        .voids(&[CORE]);
}

#[test]
fn what_a_registry_says_about_a_family_counts_to_it() {
    let arm = "PolicySpec::Fcfs => Ok(Box::new(fcfs::Fcfs)),";
    Edit::new().replace(POLICIES, arm, "PolicySpec::Fcfs => Err(other()),").voids(&[FCFS]);
    Edit::new().replace(POLICIES, "    Compress,\n", "    Compress,\n    None,\n").voids(&[PLANNING]);
    Edit::new().replace(POLICIES, "self == Holders::DynamicJob", "true").voids(&[ON_HOSTS]);
    Edit::new().replace(POLICIES, "*self == Shadow::Placement", "true").voids(&[EASY]);
    Edit::new().replace(POLICIES, "    #[default]\n    KillBackfilled", "    KillBackfilled").voids(&[EASY]);
    Edit::new().replace(ALLOCATORS, "relax: u32,", "relax: u64,").voids(&[CONTIGUOUS]);
    Edit::new()
        .replace(ASSEMBLE, "generate(name, spec.jobs, seed)", "generate(name, None, seed)")
        .voids(&[TWIN]);
    Edit::new().replace(SPEC, "Lublin-Feitelson model", "model").voids(&[LUBLIN]);
}

/// A family that is not listed: the real ones shall not change when it appears, and its own lines must count somewhere.
#[test]
fn a_new_policy_voids_nothing_once_it_is_listed() {
    // In place of a policy nobody knows, one that is listed and has been taken out.
    let without = |edit: Edit| {
        let mut edit = edit
            .replace(POLICIES, "mod easy;\n", "")
            .replace(POLICIES, "            &PolicySpec::Easy { overrun, shadow } => Ok(Box::new(easy::Easy::new(overrun, shadow, nodes))),\n", "");
        let text = edit.sources.get_mut(POLICIES).unwrap();
        let (from, to) = (
            text.find("    /// EASY (aggressive)").unwrap(),
            text.find("    /// Conservative backfilling:").unwrap(),
        );
        text.replace_range(from..to, "");
        edit.sources.remove(EASY).unwrap();
        edit
    };
    without(Edit::new()).voids(&[EASY]);
}

#[test]
fn a_new_allocator_or_model_voids_nothing_once_it_is_listed() {
    // An enum without fields keeps its order in the core; this one is never without.
    let other = "    #[default]\n    FirstFree,";
    let before = Edit::new().replace(ALLOCATORS, other, &format!("    Other {{ one: u8 }},\n{other}"));
    let contiguous = before.sources[ALLOCATORS].clone();
    let cut = |text: &str, from: &str, to: &str| {
        let (from, to) = (text.find(from).unwrap(), text.find(to).unwrap());
        format!("{}{}", &text[..from], &text[to..])
    };
    let text = cut(&contiguous, "            (&AllocatorSpec::Contiguous", "        }\n    }\n}\n");
    let text = cut(&text, "    /// The first aligned block", "    /// The free nodes to which the fewest")
        .replace("mod contiguous;\n", "");
    let mut edit = Edit::new();
    edit.sources.insert(ALLOCATORS.to_owned(), text);
    edit.sources.remove(CONTIGUOUS).unwrap();
    edit.voids_after(&before.hashes(), &[CONTIGUOUS]);

    let mut edit = Edit::new()
        .replace(ASSEMBLE, " | Source::LublinFeitelson { .. } => Ok(None)", " => Ok(None)")
        .replace("workload/model/mod", "pub mod lublin_feitelson;\n", "")
        .replace(
            SPEC,
            "            Source::LublinFeitelson { .. } => f.write_str(\"Lublin-Feitelson model\"),\n",
            "",
        );
    let spec = cut(
        &edit.sources[SPEC],
        "    /// The Lublin–Feitelson model (J.",
        "}\n\nimpl fmt::Display for Source",
    );
    let assemble = cut(
        &edit.sources[ASSEMBLE],
        "        Source::LublinFeitelson { variant",
        "    };\n    let (jobs, cleaning)",
    );
    edit.sources.insert(SPEC.to_owned(), spec);
    edit.sources.insert(ASSEMBLE.to_owned(), assemble);
    edit.sources.remove(LUBLIN).unwrap();
    edit.sources.remove("workload/model/lublin_feitelson_tests").unwrap();
    edit.voids(&[LUBLIN]);
}

/// The core and all policies but these.
fn core_and_policies_but(others: &[&str]) -> Vec<&'static str> {
    let policies = FAMILIES.iter().map(|family| family.module).filter(|name| name.starts_with("sim/policy/"));
    policies.chain([CORE]).filter(|name| !others.contains(name)).collect()
}

#[test]
fn what_can_reach_other_runs_stays_in_the_core() {
    let fcfs = "            PolicySpec::Fcfs => Ok(Box";
    // An arm for all others, before or after.
    Edit::new()
        .replace(
            POLICIES,
            fcfs,
            "            _ if nodes == 7 => Err(other()),\n            PolicySpec::Fcfs => Ok(Box",
        )
        .voids(&core_and_policies_but(&[]));
    Edit::new()
        .replace(
            POLICIES,
            "            &PolicySpec::Priority { order",
            "            other if nodes == 7 => Err(other()),\n            &PolicySpec::Priority { order",
        )
        .voids(&core_and_policies_but(&[EASY, FCFS]));
    Edit::new().replace(POLICIES, "let nodes = setup.machine.nodes();", "let nodes = 8;").voids(&[CORE]);
    // A default is what runs get that do not say.
    Edit::new()
        .replace(ALLOCATORS, "    #[default]\n    FirstFree,", "    FirstFree,")
        .replace(
            ALLOCATORS,
            "    Contiguous {\n        /// How",
            "    #[default]\n    Contiguous {\n        /// How",
        )
        .voids(&[CORE, CONTIGUOUS, FIRST_FREE]);
    // The order of variants that are compared.
    Edit::new()
        .replace(SPEC, "    /// The log itself, found in the trace directory and checked by hash.\n    #[default]\n    Trace,\n", "")
        .replace(SPEC, "    Twin,\n}", "    Twin,\n    #[default]\n    Trace,\n}")
        .voids(&[CORE]);
}

#[test]
fn an_implementation_for_a_type_of_others_counts_to_the_core_too() {
    Edit::new()
        .append(EASY, "impl Default for crate::Job { fn default() -> Self { loop {} } }")
        .voids(&[CORE, EASY]);
    Edit::new().append(EASY, "impl<T: Policy> Twice for T { }").voids(&[CORE, EASY]);
    Edit::new().append(EASY, "impl Drop for Easy { fn drop(&mut self) {} }").voids(&[EASY]);
}

#[test]
fn a_family_that_is_used_by_another_counts_for_it() {
    let use_of = |module: &str| format!("\nfn other() {{ super::{module}::go(); }}\n");
    Edit::new().append(EASY, &use_of("fcfs")).voids(&[EASY]);
    let both = || Edit::new().append(EASY, &use_of("fcfs"));
    let (before, after) = (both(), both().append(FCFS, "fn more() {}"));
    let (before, after) = (before.hashes(), after.hashes());
    assert_ne!(before[EASY], after[EASY]);
    assert_ne!(before[FCFS], after[FCFS]);
    assert_eq!(before[PLANNING], after[PLANNING]);
    let core = Edit::new()
        .append("sim/kernel/run", "fn go(policy: PolicySpec) -> bool { policy == PolicySpec::Fcfs }");
    let more = Edit { sources: core.sources.clone(), lock: core.lock.clone() }.append(FCFS, "fn more() {}");
    assert_ne!(core.hashes()[CORE], more.hashes()[CORE]);
}
