//! The data contract: what tables look like, Parquet in and out, and the statistics that fill them.

pub mod claim;
pub mod error;
pub mod figure;
pub mod file_set;
pub mod frame;
pub mod parquet;
pub mod parquet_head;
pub mod pending_file;
pub mod published;
pub mod quantity;
mod rows;
pub mod schema;
pub mod statistics;
pub mod summary;
pub mod unstable;

pub use claim::{ClaimSpec, Direction, Filter, Predicate};
pub use error::TableError;
pub use figure::{Colour, ComparisonSpec, FigureKind, FigureSpec, ScheduleSpec};
pub use file_set::FileSet;
pub use frame::{CellType, Cells, Column, Frame};
pub use parquet_head::ParquetHead;
pub use pending_file::{PendingFile, SealedFile};
pub use published::{CellMark, Mark, TableColumn, TableFigureSpec, TableRow, TableSpec, printed_number};
pub use quantity::{Except, GroupChoice, GroupMetric, Joined, Quantity};
pub use schema::{SCHEMA_VERSION, Table};
pub use statistics::{Crossover, Interval, Sample};
pub use summary::{compare, summarise};
pub use unstable::{UNSTABLE, is_without_end, unstable_rows};
