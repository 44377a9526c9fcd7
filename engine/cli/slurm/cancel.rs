//! `slurm cancel`: ends the jobs of a submission, by their ids.

use super::{client, record};
use crate::args::SlurmCancelArgs;
use crate::diagnostic::Failure;
use crate::output;
use crate::session::{Ending, Session};

/// Cancels the arrays and the merge job of a submission.
///
/// # Errors
/// Where there is no such submission, or Slurm refuses.
pub fn cancel(session: &Session, args: &SlurmCancelArgs) -> Result<Ending, Failure> {
    let (folder, submission) = record::find(&args.submission)?;
    let jobs = submission.jobs();
    if !jobs.is_empty() {
        client::cancel(&jobs)?;
    }
    let jobs: Vec<String> = jobs.iter().map(u32::to_string).collect();
    output::data(&format!("cancelled {}: jobs {}\n", record::name(&folder), jobs.join(", ")))?;
    session.note(&format!("runs that are done stay in {}", submission.store.display()));
    session.note("the same `slurm submit` goes on from there; elements at work flush what they have");
    Ok(Ending::Done)
}
