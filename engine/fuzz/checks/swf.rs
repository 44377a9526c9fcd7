//! The log reader: any bytes are either a log, of which cleaning makes jobs that can run, or have a fault with a place.

use super::assert_printable;
use sim::{Job, Span, Time};
use std::io::{Cursor, Read};
use workload::swf::{Log, LoggedJob, ScanError, SwfError, clean, parse, scan, uncompressed, write};
use workload::{
    EstimateFloor, MemoryField, MissingEstimate, NegativeSubmit, NoRunTime, Rules, SizeField, TooLarge,
};

/// Bytes handed out per read, so that lines are torn.
const STEP: usize = 61;
/// Uncompressed bytes that are looked at; a few compressed ones can stand for very many.
const LONGEST: u64 = 4 << 20;

/// Checks bytes as the content of a log file, plain or gzip.
pub fn check(bytes: &[u8]) {
    let Ok(text) = uncompressed(Cursor::new(bytes.to_vec())) else { return };
    let mut plain = Vec::new();
    let damaged = text.take(LONGEST).read_to_end(&mut plain).is_err();
    if !damaged && (plain.len() as u64) < LONGEST && plain != bytes {
        let whole = uncompressed(Cursor::new(bytes.to_vec())).map_err(ScanError::from);
        compare(whole.and_then(scan_all), &parse(&plain));
    }
    check_text(&plain);
}

fn scan_all(text: impl Read) -> Result<Log, ScanError> {
    let mut records = Vec::new();
    let header = scan(text, |record| records.push(*record))?;
    Ok(Log { header, records })
}

/// The reader in chunks agrees with the one in memory.
fn compare(found: Result<Log, ScanError>, parsed: &Result<Log, SwfError>) {
    match (found, parsed) {
        (Ok(found), Ok(log)) => assert_eq!(&found, log),
        (Err(ScanError::Swf(SwfError::LongLine { .. })), _) => {}
        (Err(ScanError::Swf(found)), Err(fault)) => assert_eq!(&found, fault),
        (found, parsed) => panic!("{found:?} in chunks, {parsed:?} at once"),
    }
}

fn check_text(text: &[u8]) {
    let parsed = parse(text);
    compare(scan_all(Dripping { rest: text }), &parsed);
    match parsed {
        Ok(log) => check_log(&log),
        Err(fault) => check_fault(text, &fault),
    }
}

fn check_fault(text: &[u8], fault: &SwfError) {
    assert_printable(&fault.to_string());
    let Some((line, column)) = fault.place() else { return };
    let place = text.split(|&byte| byte == b'\n').nth(line as usize - 1);
    assert!(place.is_some_and(|place| (1..=place.len() + 1).contains(&column)), "{fault} is nowhere");
}

fn check_log(log: &Log) {
    let nodes = log.header.max_procs().or(log.header.max_nodes()).unwrap_or(64);
    for rules in [Rules::default(), mending()] {
        let (jobs, report) = clean(log, &rules, nodes);
        assert_eq!(report.total, log.records.len() as u64);
        assert_eq!(report.kept + report.dropped(), report.total);
        assert_eq!(report.kept, jobs.len() as u64);
        assert!(jobs.windows(2).all(|pair| pair[0].submit <= pair[1].submit), "jobs out of order");
        jobs.iter().for_each(|job| check_job(job, nodes, &rules));
        let again = read_back(&jobs, &rules, nodes);
        assert_eq!(again, jobs, "written and read back");
        assert_eq!(read_back(&again, &rules, nodes), again, "a second time");
    }
}

/// The rules that keep as much as can be kept.
fn mending() -> Rules {
    Rules {
        size: SizeField::Allocated,
        no_run_time: NoRunTime::ZeroIsOneSecond,
        too_large: TooLarge::Clamp,
        negative_submit: NegativeSubmit::Zero,
        missing_estimate: MissingEstimate::QueueLimit(3600),
        estimate_floor: EstimateFloor::AsLogged,
        memory: MemoryField::Used,
    }
}

fn check_job(job: &Job, nodes: u32, rules: &Rules) {
    assert!(job.size >= 1 && job.size <= nodes, "{job:?} on {nodes} nodes");
    assert!(job.submit >= Time::ZERO && job.run_time > Span::ZERO && job.estimate > Span::ZERO, "{job:?}");
    assert!(job.estimate >= job.run_time || rules.estimate_floor == EstimateFloor::AsLogged, "{job:?}");
}

fn read_back(jobs: &[Job], rules: &Rules, nodes: u32) -> Vec<Job> {
    let mut text = Vec::new();
    let written = write(&mut text, &[("Note", "a\nb")], jobs.iter().map(|job| LoggedJob::from(*job)));
    written.unwrap_or_else(|problem| panic!("writing to memory failed: {problem}"));
    match parse(&text) {
        Ok(log) => clean(&log, rules, nodes).0,
        Err(SwfError::Empty { .. }) if jobs.is_empty() => Vec::new(),
        Err(fault) => panic!("{fault} in what was written"),
    }
}

struct Dripping<'a> {
    rest: &'a [u8],
}

impl Read for Dripping<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let (now, rest) = self.rest.split_at(STEP.min(buffer.len()).min(self.rest.len()));
        buffer[..now.len()].copy_from_slice(now);
        self.rest = rest;
        Ok(now.len())
    }
}
