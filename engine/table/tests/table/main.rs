//! Tests of the data contract through its public interface.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod frames;
mod generate;
mod large;
mod parquet_files;
mod rows;
mod statistics;
mod summaries;
mod summary_twin;
mod unstable;
