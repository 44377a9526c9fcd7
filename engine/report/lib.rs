//! Claims, scorecards and figures, read from tables only.
//!
//! * [`evaluate`] turns the claims of an experiment and its runs table into the claims table. The statistical rule is in the
//!   documentation of [`claims`].
//! * [`verdicts`] sums the claims table up, per claim and mode; [`markdown`] and [`terminal`] render it.
//! * [`published()`] measures the cells of published tables; [`published_frame`], [`published_markdown`] and [`draw_published`]
//!   turn them into a table, a page in the layout of the source, and bars.
//! * [`with_groups`] puts metrics of groups of jobs beside those of runs, for all of these.
//! * [`draw`] turns a summary table into SVG figures.
//! * [`page`] shows all of it on one page.
//! * [`gantt`] draws schedules, which are handed to it as plain numbers.
//!
//! Nothing is measured here that a table lacks: the scorecard's numbers are cells of the claims table (or the smallest and
//! largest of several cells), a figure's are cells of the summary (or their quotient, where the figure asks for it).

pub mod claims;
mod error;
mod escape;
pub mod figure;
pub mod gantt;
pub mod grouped;
mod number;
pub mod page;
pub mod published;
pub mod robustness;
pub mod scorecard;
mod template;
pub mod verdict;

pub use claims::{Topic, evaluate};
pub use error::ReportError;
pub use figure::{Figure, draw, draw_groups};
pub use grouped::with_groups;
pub use published::{Published, draw_published, published, published_frame, published_markdown};
pub use robustness::{Robustness, robustness, settings_markdown};
pub use scorecard::{Assumption, Notes, TableEntry, TableIndex, markdown, terminal};
pub use verdict::{Judgement, Verdict, verdicts};
