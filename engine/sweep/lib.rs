//! Many runs: experiment files, grids, run keys, the content-addressed store and the executor.

#[cfg(test)]
mod any_case;
mod assemble;
mod axis;
mod canonical;
mod case_file;
mod check;
mod column;
mod constraint;
pub mod error;
pub mod event;
pub mod executor;
mod experiment;
pub mod explain;
mod family;
#[cfg(test)]
mod family_hash;
mod field;
mod field_table;
mod file;
pub mod fingerprint;
mod grid;
mod grid_plan;
mod include;
mod key_maker;
pub mod language;
#[cfg(test)]
mod language_tests;
pub mod matrix;
mod nested;
mod normal_form;
mod overrides;
mod plan;
#[cfg(test)]
mod plan_tests;
pub mod problem;
mod range;
mod references;
pub mod results;
mod ron_text;
pub mod run_key;
pub mod run_spec;
mod shard;
pub mod slurm;
#[cfg(test)]
mod source_hash;
#[cfg(test)]
mod source_parts;
pub mod store;
mod suggest;
pub mod survey;
#[cfg(test)]
mod test_case;
mod walk;
mod wanted;

pub use case_file::{CaseFile, load_case, parse_case};
pub use error::{SweepError, chain};
pub use event::{ExecutionSummary, LongestRun, Progress, SweepEvent};
pub use executor::{
    CostModel, ExecuteOptions, Halt, RunJobs, Runner, Simulator, StopFlag, Unfinished, carry_out, execute,
};
pub use experiment::{Assumption, Experiment};
pub use field::{Field, FieldKind, find as find_field};
pub use field_table::FIELDS;
pub use fingerprint::Fingerprint;
pub use key_maker::{ContentOf, KeyMaker};
pub use overrides::{Overrides, SCALES};
pub use plan::replication_seed;
pub use problem::{Problem, Problems};
pub use results::{ResultHead, Results, Standing, Tables, collect, stage_results, tables};
pub use run_key::{CaseKey, ContentHash, RunKey, Task};
pub use run_spec::{
    AxisColumn, AxisValue, Case, ColumnKind, PlannedRun, Recorded, RunMode, RunSpec, available,
    makes_any_number,
};
pub use shard::Shard;
pub use store::{Access, Defect, SegmentInfo, Status, Store, StoreWriter, StoredRun, host, read_segment};
pub use suggest::nearest;
pub use survey::{Survey, survey};
