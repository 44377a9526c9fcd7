//! Workload models as the command line names them.

use crate::args::ShapeArgs;
use crate::diagnostic::Failure;
use workload::model::o2k::{O2kFit, Parameters};
use workload::{Source, WorkloadSpec};

/// The model with its options.
pub fn with_options(model: &Source, args: &ShapeArgs) -> Source {
    match model {
        Source::LublinFeitelson { variant, medium_offset } => Source::LublinFeitelson {
            variant: args.variant.unwrap_or(*variant),
            medium_offset: args.medium_offset.unwrap_or(*medium_offset),
        },
        source @ Source::O2k { .. } => match Parameters::of_source(source) {
            Some(given) => Parameters {
                month: args.month.unwrap_or(given.month),
                fit: if args.raw { O2kFit::Raw } else { given.fit },
                ..given
            }
            .source(),
            None => source.clone(),
        },
        other => other.clone(),
    }
}

/// Refuses a model without the number of jobs it shall make.
///
/// # Errors
/// Then.
pub fn check(workload: &WorkloadSpec) -> Result<(), Failure> {
    match workload.jobs.is_none() && sweep::makes_any_number(&workload.source) {
        true => Err(Failure::question(format!("the {} makes jobs without end", workload.source))
            .hint("say how many with --n-jobs M")),
        false => Ok(()),
    }
}
