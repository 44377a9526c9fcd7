//! Which sources can influence which kind of run. Shared by the build script, which hashes them, and the run key.

/// The family of everything that is not listed in [`FAMILIES`]: it counts for every run. A new file is here until it is listed,
/// so forgetting to list it costs recomputation, never a stale result.
pub const CORE: &str = "core";

/// A part of the model that only some runs use.
#[derive(Debug)]
pub struct Family {
    /// Its module as a path under `engine/`: the file `<path>.rs` and the folder `<path>/`.
    pub module: &'static str,
    /// The variants by which a specification asks for it, as `Enum::Variant`.
    #[allow(dead_code, reason = "the build script finds what registries say about the family by them")]
    pub variants: &'static [&'static str],
    /// Types in [`REGISTRIES`] that only it uses: its parameters.
    #[allow(dead_code, reason = "as for the variants")]
    pub types: &'static [&'static str],
}

/// All families. Whatever names one of another's module, variants or types depends on it, the core as well.
pub const FAMILIES: &[Family] = &[
    Family { module: "sim/allocator/contiguous", variants: &["AllocatorSpec::Contiguous"], types: &[] },
    Family { module: "sim/allocator/first_free", variants: &["AllocatorSpec::FirstFree"], types: &[] },
    Family {
        module: "sim/allocator/intelligent",
        variants: &["AllocatorSpec::IntelligentNodeSelection"],
        types: &[],
    },
    Family {
        module: "sim/allocator/memory_aware",
        variants: &["AllocatorSpec::MemoryAware"],
        types: &["Fit", "UnfitNodes", "TimeUntilFit"],
    },
    Family { module: "sim/policy/class_priority", variants: &["PolicySpec::ClassPriority"], types: &[] },
    Family { module: "sim/policy/co_allocation", variants: &["PolicySpec::CoAllocation"], types: &[] },
    Family { module: "sim/policy/easy", variants: &["PolicySpec::Easy"], types: &["Overrun", "Shadow"] },
    Family { module: "sim/policy/eqspatial", variants: &["PolicySpec::EqSpatial"], types: &[] },
    Family { module: "sim/policy/fair_share", variants: &["PolicySpec::FairShare"], types: &[] },
    Family { module: "sim/policy/fcfs", variants: &["PolicySpec::Fcfs"], types: &[] },
    Family { module: "sim/policy/iterative", variants: &["PolicySpec::Iterative"], types: &[] },
    Family {
        module: "sim/policy/planning",
        variants: &["PolicySpec::Conservative", "PolicySpec::Priority"],
        types: &["EarlyEnd"],
    },
    Family {
        module: "sim/policy/priority_backfill",
        variants: &["PolicySpec::PriorityBackfill"],
        types: &["Holders", "Slide"],
    },
    Family {
        module: "sim/policy/time_slicing",
        variants: &["PolicySpec::TimeSlicing"],
        types: &["Shares", "SliceBackfill"],
    },
    Family { module: "workload/model/job_list", variants: &["Source::JobList"], types: &[] },
    Family { module: "workload/model/lublin_feitelson", variants: &["Source::LublinFeitelson"], types: &[] },
    Family { module: "workload/model/o2k", variants: &["Source::O2k"], types: &[] },
    Family { module: "workload/model/poisson", variants: &["Source::Poisson"], types: &[] },
    Family { module: "workload/model/twin", variants: &["Mode::Twin"], types: &[] },
];

/// Core files that choose among families by specification. Their lines about one family (its variant, the arms that match it,
/// its parameters' types, its `mod`) count to that family, the rest to the core.
#[allow(dead_code, reason = "only the build script takes sources apart")]
pub const REGISTRIES: &[&str] =
    &["sim/allocator/mod", "sim/policy/mod", "workload/assemble", "workload/model/mod", "workload/spec"];

/// The folders whose sources make up the model, under `engine/`.
#[allow(dead_code, reason = "only the build script walks the sources")]
pub const FOLDERS: &[&str] = &["sim", "workload"];

/// Files outside of the folders that decide what a result is, as paths under `engine/` without `.rs`; they count to the core.
#[allow(dead_code, reason = "only the build script reads the sources")]
pub const FILES: &[&str] = &["sweep/executor/simulator"];

/// Libraries whose arithmetic or random numbers can reach a result; their locked versions count to the core.
#[allow(dead_code, reason = "only the build script reads the lock file")]
pub const LIBRARIES: &[&str] = &["hdrhistogram", "libm", "rand_core", "rand_xoshiro"];
