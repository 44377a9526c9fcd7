//! A run's schedule, job by job, as a file.

use crate::diagnostic::Failure;
use crate::output;
use flate2::Compression;
use flate2::write::GzEncoder;
use sim::observer::job_log::JobLine;
use sim::time::TICKS_PER_SECOND;
use sim::{Job, Time};
use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use sweep::Case;
use table::{Column, Frame, PendingFile};
use workload::swf::{self, LoggedJob};

/// The columns of a schedule.
const HEADER: &str = "job,submit_s,start_s,finish_s,size";

/// The form of a file of jobs, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values.
    Csv,
    /// A table as those of experiments.
    Parquet,
    /// A log in Standard Workload Format.
    Swf,
    /// The same, gzip-compressed.
    SwfGz,
}

impl Format {
    /// The format that a file's name asks for; `-` is CSV.
    ///
    /// # Errors
    /// Where the name has none of the known ends.
    pub fn of(path: &Path) -> Result<Format, Failure> {
        let name = path.to_string_lossy().to_ascii_lowercase();
        let ends = [
            (".csv", Format::Csv),
            (".parquet", Format::Parquet),
            (".swf.gz", Format::SwfGz),
            (".swf", Format::Swf),
        ];
        if name == "-" {
            return Ok(Format::Csv);
        }
        ends.iter().find(|(end, _)| name.ends_with(end)).map(|(_, format)| *format).ok_or_else(|| {
            Failure::question(format!("{}: the name does not say in which format to write", path.display()))
                .hint("known ends: .csv, .parquet, .swf, .swf.gz")
        })
    }
}

/// Writes a schedule in order of arrival. Times are seconds of the workload; a job that never started has no start. The metadata is for
/// Parquet.
///
/// # Errors
/// Where it cannot be written; the file appears whole or not at all.
pub fn write_schedule(
    path: &Path,
    format: Format,
    lines: &[JobLine],
    case: &Case,
    metadata: BTreeMap<String, String>,
) -> Result<(), Failure> {
    match format {
        Format::Csv => csv(path, lines),
        Format::Parquet => Ok(Frame { metadata, ..frame(lines)? }.write_parquet(path)?),
        Format::Swf | Format::SwfGz => {
            let (nodes, source) = (case.machine.nodes().to_string(), case.workload.source.to_string());
            let policy = ron::to_string(&case.policy).unwrap_or_default();
            let note = format!("schedule of {source}, simulated by backsweep");
            let header = [
                ("Version", "2.2"),
                ("MaxNodes", &nodes),
                ("MaxProcs", &nodes),
                ("Scheduler", &policy),
                ("Note", &note),
            ];
            log(path, format, &header, lines.iter().map(logged))
        }
    }
}

/// Writes jobs as a log; `-` is stdout.
///
/// # Errors
/// As [`write_schedule`].
pub fn write_jobs(path: &Path, header: &[(&str, &str)], jobs: &[Job]) -> Result<(), Failure> {
    let jobs = || jobs.iter().copied().map(LoggedJob::from);
    if path == Path::new("-") {
        return output::stream(|mut out| swf::write(&mut out, header, jobs()));
    }
    match Format::of(path)? {
        format @ (Format::Swf | Format::SwfGz) => log(path, format, header, jobs()),
        Format::Csv | Format::Parquet => {
            Err(Failure::question(format!("{}: a workload is written as a log", path.display()))
                .hint("known ends: .swf, .swf.gz"))
        }
    }
}

fn log(
    path: &Path,
    format: Format,
    header: &[(&str, &str)],
    jobs: impl Iterator<Item = LoggedJob>,
) -> Result<(), Failure> {
    let mut file = PendingFile::create(path)?;
    let written = match format {
        Format::SwfGz => {
            let mut out = GzEncoder::new(BufWriter::new(&mut file), Compression::default());
            swf::write(&mut out, header, jobs).and_then(|()| out.finish()?.flush())
        }
        _ => {
            let mut out = BufWriter::new(&mut file);
            swf::write(&mut out, header, jobs).and_then(|()| out.flush())
        }
    };
    written.map_err(|problem| unwritten(path, &problem))?;
    Ok(file.commit()?)
}

fn csv(path: &Path, lines: &[JobLine]) -> Result<(), Failure> {
    if path == Path::new("-") {
        return output::stream(|out| csv_rows(out, lines));
    }
    let mut file = PendingFile::create(path)?;
    let mut out = BufWriter::new(&mut file);
    csv_rows(&mut out, lines).and_then(|()| out.flush()).map_err(|problem| unwritten(path, &problem))?;
    drop(out);
    Ok(file.commit()?)
}

fn csv_rows(out: &mut dyn Write, lines: &[JobLine]) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    for line in lines {
        let Job { id, submit, size, .. } = line.job.molded(line.size);
        writeln!(out, "{id},{},{},{},{size}", seconds(submit), seconds(line.start), seconds(line.finish))?;
    }
    Ok(())
}

fn frame(lines: &[JobLine]) -> Result<Frame, Failure> {
    let time = |at: fn(&JobLine) -> Time| {
        lines
            .iter()
            .map(|line| Some(at(line)).filter(|time| *time != Time::NEVER).map(Time::as_secs_f64))
            .collect()
    };
    // Job numbers come from a log's signed field or from counting.
    let numbers = lines.iter().map(|line| i64::try_from(line.job.id).ok()).collect();
    Ok(Frame::from_columns(vec![
        Column::int("job", numbers),
        Column::real("submit_s", time(|line| line.job.submit)),
        Column::real("start_s", time(|line| line.start)),
        Column::real("finish_s", time(|line| line.finish)),
        Column::int("size", lines.iter().map(|line| Some(i64::from(line.size))).collect()),
    ])?)
}

fn logged(line: &JobLine) -> LoggedJob {
    let some = |time: Time| Some(time).filter(|time| *time != Time::NEVER);
    let ran = line.job.molded(line.size);
    LoggedJob { start: some(line.start), finish: some(line.finish), killed: line.killed, ..ran.into() }
}

/// Seconds with a fraction only where there is one; nothing for never.
fn seconds(time: Time) -> String {
    if time == Time::NEVER {
        return String::new();
    }
    let (sign, ticks) = (if time.0 < 0 { "-" } else { "" }, time.0.unsigned_abs());
    let (whole, fraction) = (ticks / TICKS_PER_SECOND as u64, ticks % TICKS_PER_SECOND as u64);
    match fraction {
        0 => format!("{sign}{whole}"),
        _ => format!("{sign}{whole}.{}", format!("{fraction:06}").trim_end_matches('0')),
    }
}

fn unwritten(path: &Path, problem: &io::Error) -> Failure {
    Failure::work(format!("cannot write {}: {problem}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_written_as_logged() {
        let written = [0, 12_000_000, 1_500_000, -250_000, 1].map(|ticks| seconds(Time(ticks)));
        assert_eq!(written, ["0", "12", "1.5", "-0.25", "0.000001"]);
        assert_eq!(seconds(Time::NEVER), "");
    }

    #[test]
    fn names_say_the_format() {
        let format = |name: &str| Format::of(Path::new(name)).ok();
        assert_eq!(format("a/b.SWF.GZ"), Some(Format::SwfGz));
        assert_eq!(
            [format("x.swf"), format("x.parquet"), format("-")],
            [Some(Format::Swf), Some(Format::Parquet), Some(Format::Csv)]
        );
        assert_eq!([format("x"), format("x.json")], [None, None]);
    }
}
