//! Many runs: experiment files, grids, run keys, the content-addressed store and the executor.

mod assemble;
mod axis;
mod case_file;
mod check;
mod column;
mod constraint;
mod experiment;
mod field;
mod field_table;
mod file;
mod grid;
mod grid_plan;
mod overrides;
mod plan;
pub mod problem;
mod references;
mod ron_text;
pub mod run_spec;
mod suggest;

pub use case_file::{CaseFile, load_case, parse_case};
pub use experiment::{Assumption, Experiment};
pub use field::{Field, FieldKind};
pub use field_table::FIELDS;
pub use overrides::Overrides;
pub use plan::replication_seed;
pub use problem::{Problem, Problems};
pub use run_spec::{AxisColumn, AxisValue, Case, ColumnKind, PlannedRun, RunMode, RunSpec};
