//! Which sources can influence which kind of run. Shared by the build script, which hashes them, and the run key.

/// The family of everything that is not listed in [`FAMILIES`]: it counts for every run. A new file is here until it is listed,
/// so forgetting to list it costs recomputation, never a stale result.
pub const CORE: &str = "core";

/// Parts of the model that only some runs use, as module paths under `engine/`: the file `<path>.rs` and the folder `<path>/`.
/// A part that names another one's module in its code depends on it, and so does the core, except in [`REGISTRIES`].
pub const FAMILIES: &[&str] = &[
    "sim/allocator/contiguous",
    "sim/allocator/first_free",
    "sim/policy/easy",
    "sim/policy/fcfs",
    "sim/policy/planning",
    "workload/model/lublin_feitelson",
    "workload/model/twin",
];

/// Core files that name families only to choose among them by specification.
#[allow(dead_code, reason = "only the build script looks for dependencies")]
pub const REGISTRIES: &[&str] =
    &["sim/allocator/mod", "sim/policy/mod", "workload/assemble", "workload/model/mod"];

/// The folders whose sources make up the model, under `engine/`.
#[allow(dead_code, reason = "only the build script walks the sources")]
pub const FOLDERS: &[&str] = &["sim", "workload"];

/// Libraries whose arithmetic or random numbers can reach a result; their locked versions count to the core.
#[allow(dead_code, reason = "only the build script reads the lock file")]
pub const LIBRARIES: &[&str] = &["libm", "rand_core", "rand_xoshiro"];
