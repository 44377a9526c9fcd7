//! Workload models as the command line names them.

use crate::args::ShapeArgs;
use crate::diagnostic::Failure;
use workload::{Source, WorkloadSpec};

/// The model with its options.
pub fn with_options(model: &Source, args: &ShapeArgs) -> Source {
    match model {
        Source::LublinFeitelson { variant, medium_offset } => Source::LublinFeitelson {
            variant: args.variant.unwrap_or(*variant),
            medium_offset: args.medium_offset.unwrap_or(*medium_offset),
        },
        other => other.clone(),
    }
}

/// Refuses a model without the number of jobs it shall make.
///
/// # Errors
/// Then.
pub fn check(workload: &WorkloadSpec) -> Result<(), Failure> {
    match (&workload.source, workload.jobs) {
        (Source::LublinFeitelson { .. }, None) => {
            Err(Failure::question("the Lublin-Feitelson model makes jobs without end")
                .hint("say how many with --n-jobs M"))
        }
        _ => Ok(()),
    }
}
