//! Many runs: experiment files, grids, run keys, the content-addressed store and the executor.

pub mod problem;
pub mod run_spec;

pub use problem::{Problem, Problems};
pub use run_spec::{AxisColumn, AxisValue, Case, ColumnKind, PlannedRun, RunMode, RunSpec};
