//! Synthetic workloads: published models, and twins of published logs. Each is a function of its parameters and a seed.

mod cell;
pub mod gamma_distribution;
pub mod job_list;
pub mod lublin_feitelson;
pub mod o2k;
pub mod poisson;
pub mod twin;

pub use cell::Cell;

use crate::Source;

/// The cells of the tables that a source's model is made from, as it makes them with a seed; none for a source that knows no tables.
pub fn published_cells(source: &Source, seed: u64) -> Vec<Cell> {
    match source {
        Source::O2k { .. } => o2k::comparison::cells(source, seed),
        _ => Vec::new(),
    }
}
