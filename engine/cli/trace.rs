//! `trace list` and `trace inspect`: what published logs there are, and what is in one.

use crate::args::{InspectArgs, TracesArg};
use crate::diagnostic::Failure;
use crate::output;
use crate::session::{Ending, Session, count, trace_dir};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use workload::swf::archive::{KNOWN_LOGS, KnownLog};
use workload::swf::{Cleaner, Header};
use workload::{Rules, TraceDir, statistics};

/// Prints the known logs and whether they are at hand.
///
/// # Errors
/// A trace folder that does not exist.
pub fn list(session: &Session, args: &TracesArg) -> Result<Ending, Failure> {
    let traces = trace_dir(args.traces.as_ref())?;
    let mut text = String::new();
    for log in &KNOWN_LOGS {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:<26} {:>5} processors {:>8} records  {}\n  {}",
            log.name,
            log.processors,
            count(usize::try_from(log.records).unwrap_or(usize::MAX)),
            state(log, &traces),
            log.machine,
        );
    }
    if traces.path().is_none() {
        session.note("no trace folder given: use --traces DIR or BACKSWEEP_TRACES");
    }
    output::data(&text)?;
    Ok(Ending::Done)
}

/// Whether a log is there and is what its name says.
fn state(log: &KnownLog, traces: &TraceDir) -> String {
    let Ok(path) = traces.find(log.name) else { return "not here".to_owned() };
    let size = fs::metadata(&path).map_or(0, |found| found.len());
    match log.verify(&path) {
        Ok(_) => format!("verified, {}", megabytes(size)),
        Err(problem) => format!("NOT USABLE: {problem}"),
    }
}

/// A file's size for people.
pub fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// Prints a log's header, cleaning report and statistics.
///
/// # Errors
/// Where the file is no log.
pub fn inspect(args: &InspectArgs) -> Result<Ending, Failure> {
    if args.nodes == Some(0) {
        return Err(Failure::question("--nodes 0: a machine needs at least one node"));
    }
    let rules = args.rules.over(Rules::default());
    let (header, machine, cleaner) = read(&args.file, rules, args.nodes)?;
    let (jobs, cleaning) = cleaner.finish(None);
    let mut text = String::new();
    for line in &header.lines {
        let _ = writeln!(text, "; {line}");
    }
    if !header.lines.is_empty() {
        text.push('\n');
    }
    let _ = writeln!(text, "On a machine of {} ({}):\n{cleaning}\n", machine.nodes, machine.why);
    let _ = write!(text, "{}", statistics::statistics(&jobs, machine.nodes));
    output::data(&text)?;
    Ok(Ending::Done)
}

struct Machine {
    nodes: u32,
    why: &'static str,
}

/// Reads a log for the machine that is given, that its header names, or that its largest job needs.
fn read(file: &Path, rules: Rules, given: Option<u32>) -> Result<(Header, Machine, Cleaner), Failure> {
    let mut records = Vec::new();
    let header = workload::swf::visit(file, |record| records.push(*record))?;
    let largest = records.iter().map(|record| record.requested.max(record.allocated)).max().unwrap_or(0);
    let machine = match (given, header.max_procs().or(header.max_nodes())) {
        (Some(nodes), _) => Machine { nodes, why: "--nodes" },
        (None, Some(nodes)) if nodes > 0 => Machine { nodes, why: "from the header" },
        _ => {
            let nodes = u32::try_from(largest.max(1)).unwrap_or(u32::MAX);
            Machine { nodes, why: "the largest job" }
        }
    };
    let mut cleaner = Cleaner::new(rules, machine.nodes);
    records.iter().for_each(|record| cleaner.push(record));
    Ok((header, machine, cleaner))
}
