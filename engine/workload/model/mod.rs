//! Synthetic workloads: published models, and twins of published logs. Each is a function of its parameters and a seed.

pub mod gamma_distribution;
pub mod lublin_feitelson;
pub mod o2k;
pub mod twin;
