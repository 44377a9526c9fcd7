//! `reproduce`: the studies that come with the program.

use crate::args::ReproduceArgs;
use crate::diagnostic::Failure;
use crate::experiments;
use crate::run::sweep_and_report;
use crate::session::{Ending, Session};

/// Reproduces studies.
///
/// # Errors
/// A malformed question, or what stops the whole sweep.
pub fn reproduce(session: &Session, args: &ReproduceArgs) -> Result<Ending, Failure> {
    let experiments = experiments::of_studies(&args.studies, &args.scale)?;
    sweep_and_report(session, experiments, &args.execute)
}
