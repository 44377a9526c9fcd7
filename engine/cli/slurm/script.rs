//! `slurm script`: the scripts, for those who submit by hand.

use super::batch::Batch;
use crate::args::{ScriptPart, SlurmScriptArgs};
use crate::diagnostic::Failure;
use crate::output;
use crate::session::{Ending, Session};

/// Prints the batch scripts.
///
/// # Errors
/// A malformed question.
pub fn script(session: &Session, args: &SlurmScriptArgs) -> Result<Ending, Failure> {
    let batch = Batch::of(session, &args.job)?;
    let (array, merge) = (batch.job.array_script(), batch.job.merge_script());
    output::data(&match args.part {
        Some(ScriptPart::Array) => array,
        Some(ScriptPart::Merge) => merge,
        None => both(&array, &merge),
    })?;
    Ok(Ending::Done)
}

/// Both scripts with their names above.
pub fn both(array: &str, merge: &str) -> String {
    format!("# ---- array.sh\n{array}\n# ---- merge.sh, after the array (--dependency=afterany:ID)\n{merge}")
}
