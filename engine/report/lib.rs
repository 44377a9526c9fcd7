//! Claims, scorecards and figures, read from tables only.
//!
//! * [`evaluate`] turns the claims of an experiment and its runs table into the claims table. The statistical rule is in the
//!   documentation of [`claims`].
//! * [`verdicts`] sums the claims table up, per claim and mode; [`markdown`] and [`terminal`] render it.
//! * [`draw`] turns a summary table into SVG figures.
//!
//! Nothing is measured here that a table lacks: the scorecard's numbers are cells of the claims table (or the smallest and
//! largest of several cells), a figure's are cells of the summary (or their quotient, where the figure asks for it).

pub mod claims;
mod error;
pub mod figure;
mod number;
pub mod scorecard;
pub mod verdict;

pub use claims::evaluate;
pub use error::ReportError;
pub use figure::{Figure, draw};
pub use scorecard::{Assumption, markdown, terminal};
pub use verdict::{Judgement, Verdict, verdicts};
