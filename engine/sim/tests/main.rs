//! Tests of whole runs through the public interface: schedules worked out by hand, slow and obvious twins of the policies,
//! equalities between policies, and properties of every schedule.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod actions;
mod conservative_cases;
mod contiguous_cases;
mod easy_cases;
mod eqspatial_cases;
mod eqspatial_properties;
mod equalities;
mod errors;
mod gantt;
mod hosts_cases;
mod immediate_service_cases;
mod metrics;
mod naive;
mod overrun_cases;
mod priority_backfill_cases;
mod priority_backfill_properties;
mod priority_cases;
mod promises;
mod properties;
mod random_actions;
mod resizing;
mod scene;
mod script;
mod sliced;
mod sliced_engine;
mod sliced_workloads;
mod time_slicing_cases;
mod time_slicing_nodes;
mod time_slicing_other_slices;
mod time_slicing_properties;
mod time_slicing_twins;
mod twins;
mod watch;
mod workloads;
