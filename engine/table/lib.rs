//! The data contract: what tables look like, Parquet in and out, and the statistics that fill them.

pub mod claim;
pub mod figure;
pub mod frame;

pub use claim::{ClaimSpec, Direction, Filter, Predicate};
pub use figure::{ComparisonSpec, FigureKind, FigureSpec};
pub use frame::{Cells, Column, Frame};
