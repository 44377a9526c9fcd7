//! `workload check`: a model beside what its publication prints.

use crate::args::CheckArgs;
use crate::diagnostic::Failure;
use crate::output;
use crate::session::Ending;
use std::fmt::Write;
use workload::model::o2k::comparison::{JOBS_PER_SEED, Line, compare_month, compare_raw};
use workload::model::o2k::occupancy;

/// Prints the comparison of the O2K model.
///
/// # Errors
/// Where stdout cannot be written.
pub fn check(args: &CheckArgs) -> Result<Ending, Failure> {
    let seeds = 1..=args.seeds;
    let sections = match args.month {
        Some(month) => compare_month(month, occupancy(), seeds),
        None => compare_raw(seeds, JOBS_PER_SEED),
    };
    let lines = || sections.iter().flat_map(|section| &section.lines);
    let (all, met) = (lines().count(), lines().filter(|line| Line::holds(line)).count());
    let mut text = String::new();
    // Writing to a string cannot fail.
    for section in &sections {
        let _ = writeln!(text, "{section}");
    }
    let _ = writeln!(text, "{met} of {all} within their tolerance, over the seeds 1 to {}", args.seeds);
    output::data(&text)?;
    Ok(if met == all { Ending::Done } else { Ending::SomeFailed })
}
