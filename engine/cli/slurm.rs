//! `slurm`: a sweep as a job array.

mod batch;
mod cancel;
mod client;
mod record;
mod script;
mod status;
mod submit;

use crate::args::SlurmVerb;
use crate::diagnostic::Failure;
use crate::session::{Ending, Session};

/// Carries out one of the verbs of `slurm`.
///
/// # Errors
/// A malformed question, a refusal of Slurm, or a folder that cannot be written to.
pub fn slurm(session: &Session, verb: &SlurmVerb) -> Result<Ending, Failure> {
    match verb {
        SlurmVerb::Script(args) => script::script(session, args),
        SlurmVerb::Submit(args) => submit::submit(session, args),
        SlurmVerb::Status(args) => status::status(session, args),
        SlurmVerb::Cancel(args) => cancel::cancel(session, args),
    }
}
