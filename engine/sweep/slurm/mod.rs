//! A sweep as a Slurm job array over one store: what is handed to Slurm and what its answers mean. Nothing here calls a program
//! or reads a file.
//!
//! An array has N elements; element i carries out shard i of N. A site limits the indexes of an array, so that a large sweep is
//! submitted as several arrays with an offset each. A merge job runs after all of them, whatever became of them, carries out what
//! is left and writes the tables.

mod arrays;
mod elements;
mod limits;
mod queue;
mod script;
mod shell;
mod standing;
mod submission;
mod wall_time;

pub use arrays::{Chunk, chunks};
pub use elements::{Advice, advise};
pub use limits::Limits;
pub use queue::{JobState, Queue, QueuedJob};
pub use script::BatchJob;
pub use shell::{is_plain_line, quote};
pub use standing::{Element, Elements, Fate, elements};
pub use submission::{ArrayJob, Submission, job_id};
pub use wall_time::WallTime;
