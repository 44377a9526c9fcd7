//! Many runs: experiment files, grids, run keys, the content-addressed store and the executor.

pub mod run_spec;

pub use run_spec::{Case, RunSpec};
