//! Workloads and schedules written back in Standard Workload Format.

use sim::time::TICKS_PER_SECOND;
use sim::{Job, Span, Time};
use std::fmt;
use std::io::{self, Write};

/// A job as it is written: what the workload says, and what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedJob {
    /// Field 1: job number.
    pub id: u64,
    /// Field 2: submit time.
    pub submit: Time,
    /// When it started; `None` in a workload that was not run, and for a job that never started.
    pub start: Option<Time>,
    /// When it ended; `None` as above.
    pub finish: Option<Time>,
    /// Fields 5 and 8: nodes. Field 5 is unknown for a job that never started.
    pub size: u32,
    /// Field 9: requested time.
    pub estimate: Span,
    /// Run time of the workload; field 4 where the job has no start and finish, else field 4 is what lies between them.
    pub run_time: Span,
    /// Field 10: requested memory, kilobytes per processor; 0 where unknown.
    pub memory_kb: u64,
    /// Field 7: used memory, kilobytes per processor; 0 where unknown.
    pub peak_memory_kb: u64,
    /// Whether it was ended before it was done.
    pub killed: bool,
}

impl From<Job> for LoggedJob {
    /// A job of a workload, not run.
    fn from(job: Job) -> LoggedJob {
        LoggedJob {
            id: job.id,
            submit: job.submit,
            start: None,
            finish: None,
            size: job.size,
            estimate: job.estimate,
            run_time: job.run_time,
            memory_kb: job.memory_kb,
            peak_memory_kb: job.peak_memory_kb,
            killed: false,
        }
    }
}

/// Writes `; key: value` comments (one line each; line ends inside a value become spaces) and one record per job.
///
/// A job that ran has its wait, run time and status 1, or 5 if it was killed; the others have wait −1, the workload's run
/// time and status −1. Times are seconds, with decimals only where there are fractions, so that reading them back is exact.
///
/// # Errors
/// The writer's.
pub fn write(
    out: &mut impl Write,
    header: &[(&str, &str)],
    jobs: impl IntoIterator<Item = LoggedJob>,
) -> io::Result<()> {
    for (key, value) in header {
        writeln!(out, "; {key}: {}", value.replace(['\n', '\r'], " "))?;
    }
    for job in jobs {
        record(out, &job)?;
    }
    Ok(())
}

fn record(out: &mut impl Write, job: &LoggedJob) -> io::Result<()> {
    const UNKNOWN: Span = Span::from_secs(-1);
    let ran = job.start.zip(job.finish);
    let wait = job.start.map_or(UNKNOWN, |start| start - job.submit);
    let run_time = ran.map_or(job.run_time, |(start, finish)| finish - start);
    let allocated = if job.start.is_some() { i64::from(job.size) } else { -1 };
    let status = match ran {
        None => -1,
        Some(_) if job.killed => 5,
        Some(_) => 1,
    };
    let kilobytes = |kb: u64| if kb == 0 { "-1".to_owned() } else { kb.to_string() };
    let (memory, used) = (kilobytes(job.memory_kb), kilobytes(job.peak_memory_kb));
    writeln!(
        out,
        "{} {} {} {} {allocated} -1 {used} {} {} {memory} {status} -1 -1 -1 -1 -1 -1 -1",
        job.id,
        Seconds(job.submit.0),
        Seconds(wait.0),
        Seconds(run_time.0),
        job.size,
        Seconds(job.estimate.0),
    )
}

/// Ticks as decimal seconds without trailing zeros.
struct Seconds(i64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ticks = self.0.unsigned_abs();
        let per_second = TICKS_PER_SECOND.unsigned_abs();
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}", ticks / per_second)?;
        let fraction = ticks % per_second;
        if fraction == 0 {
            return Ok(());
        }
        write!(f, ".{}", format!("{fraction:06}").trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]
    use super::*;

    #[test]
    fn a_schedule_is_written_as_records() {
        let job = LoggedJob {
            id: 3,
            submit: Time::from_secs(10),
            start: Some(Time(12_500_000)),
            finish: Some(Time::from_secs(20)),
            size: 4,
            estimate: Span::from_secs(60),
            run_time: Span::from_secs(30),
            memory_kb: 0,
            peak_memory_kb: 0,
            killed: true,
        };
        let waiting =
            LoggedJob { start: None, finish: None, killed: false, memory_kb: 7, peak_memory_kb: 5, ..job };
        let mut out = Vec::new();
        write(&mut out, &[("Version", "2.2"), ("Note", "two\nlines")], [job, waiting]).unwrap();
        let text = "; Version: 2.2\n; Note: two lines\n\
                    3 10 2.5 7.5 4 -1 -1 4 60 -1 5 -1 -1 -1 -1 -1 -1 -1\n\
                    3 10 -1 30 -1 -1 5 4 60 7 -1 -1 -1 -1 -1 -1 -1 -1\n";
        assert_eq!(String::from_utf8(out).unwrap(), text);
    }
}
