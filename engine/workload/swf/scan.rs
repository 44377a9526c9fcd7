//! The parser: bytes to records, without a string, an allocation or a UTF-8 check per line.

use super::error::SwfError;
use super::record::{FIELDS, Header, Log, Record};
use memchr::memchr;
use sim::time::{MAX_SECONDS, TICKS_PER_SECOND};
use sim::{Span, Time};
use std::io::Read;

const CHUNK: usize = 1 << 18;
/// A line longer than this belongs to no log; the bound keeps a foreign file from filling the memory.
const LONGEST_LINE: usize = 1 << 20;
const NUMBER: &str = "a number";
const IN_RANGE: &str = "a number between -1000000000000 and 1000000000000";

/// Why a log cannot be scanned.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// The bytes cannot be read, or decompressed.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The bytes are no log.
    #[error(transparent)]
    Swf(#[from] SwfError),
}

/// Parses the uncompressed text of a log.
///
/// # Errors
/// The first fault, with its place; a text without any record is [`SwfError::Empty`].
pub fn parse(text: &[u8]) -> Result<Log, SwfError> {
    let mut records = Vec::with_capacity(text.len() / 64);
    let mut scanner = Scanner::default();
    let done = scanner.feed(text, &mut |record| records.push(*record))?;
    let header = scanner.finish(&text[done..], &mut |record| records.push(*record))?;
    Ok(Log { header, records })
}

/// Reads uncompressed text to its end in chunks and shows each record to `visit`, in log order.
///
/// # Errors
/// The first fault of the text or of the reader; a text without any record is [`SwfError::Empty`].
pub fn scan(mut text: impl Read, mut visit: impl FnMut(&Record)) -> Result<Header, ScanError> {
    let mut scanner = Scanner::default();
    let mut buffer = vec![0; CHUNK];
    let mut filled = 0;
    loop {
        let read = match text.read(&mut buffer[filled..]) {
            Ok(read) => read,
            Err(fault) if fault.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(fault) => return Err(fault.into()),
        };
        if read == 0 {
            return Ok(scanner.finish(&buffer[..filled], &mut visit)?);
        }
        filled += read;
        let done = scanner.feed(&buffer[..filled], &mut visit)?;
        buffer.copy_within(done..filled, 0);
        filled -= done;
        if filled > LONGEST_LINE {
            return Err(SwfError::LongLine { line: scanner.line + 1, limit: LONGEST_LINE }.into());
        }
        if filled == buffer.len() {
            buffer.resize(2 * filled, 0);
        }
    }
}

/// Where the scan stands: the lines seen so far and their comments.
#[derive(Default)]
struct Scanner {
    line: u64,
    records: u64,
    header: Header,
}

impl Scanner {
    /// Takes all complete lines and returns how many bytes they were.
    fn feed(&mut self, bytes: &[u8], visit: &mut impl FnMut(&Record)) -> Result<usize, SwfError> {
        let mut start = 0;
        while let Some(length) = memchr(b'\n', &bytes[start..]) {
            self.line(&bytes[start..start + length], visit)?;
            start += length + 1;
        }
        Ok(start)
    }

    /// Takes the last line, which may lack its line feed.
    fn finish(mut self, rest: &[u8], visit: &mut impl FnMut(&Record)) -> Result<Header, SwfError> {
        if !rest.is_empty() {
            self.line(rest, visit)?;
        }
        if self.records == 0 {
            return Err(SwfError::Empty { comments: self.header.lines.len() });
        }
        Ok(self.header)
    }

    fn line(&mut self, line: &[u8], visit: &mut impl FnMut(&Record)) -> Result<(), SwfError> {
        self.line += 1;
        let start = skip_blanks(line, 0);
        match line.get(start) {
            None => Ok(()),
            Some(b';') => {
                let comment = String::from_utf8_lossy(&line[start + 1..]);
                self.header.lines.push(comment.trim().to_owned());
                Ok(())
            }
            Some(_) => {
                let record = record(line, start).map_err(|fault| fault.at(self.line, line))?;
                self.records += 1;
                visit(&record);
                Ok(())
            }
        }
    }
}

/// A fault within a line; the line number and the text are added when it leaves the hot path.
enum Fault {
    Value { field: usize, start: usize, expected: &'static str },
    Missing { found: usize },
    Surplus { start: usize },
}

impl Fault {
    #[cold]
    fn at(self, line_number: u64, line: &[u8]) -> SwfError {
        match self {
            Fault::Value { field, start, expected } => {
                let end = (start..line.len()).find(|&i| is_blank(line[i])).unwrap_or(line.len());
                let text = printable(&line[start..end]);
                SwfError::BadField { line: line_number, column: start + 1, field, text, expected }
            }
            Fault::Missing { found } => {
                let column = line.trim_ascii_end().len() + 1;
                SwfError::FieldCount { line: line_number, column, found, text: printable(line) }
            }
            Fault::Surplus { start } => {
                let rest = line[start..].split(|&b| is_blank(b)).filter(|field| !field.is_empty()).count();
                let text = printable(line);
                SwfError::FieldCount { line: line_number, column: start + 1, found: FIELDS + rest, text }
            }
        }
    }
}

/// The text for a message: one line, no control characters, at most 60 characters.
fn printable(bytes: &[u8]) -> String {
    const LONGEST: usize = 60;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST)]);
    let clean = text.trim().chars().map(|c| if c == '\t' { ' ' } else { c });
    let clean: Vec<char> = clean.map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let shown: String = clean.iter().take(LONGEST).collect();
    if clean.len() > LONGEST { format!("{shown}…") } else { shown }
}

/// Space, tab, or the carriage return of a CRLF line end.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn skip_blanks(line: &[u8], mut at: usize) -> usize {
    while at < line.len() && is_blank(line[at]) {
        at += 1;
    }
    at
}

/// Parses the record whose first field begins at `start`.
fn record(line: &[u8], start: usize) -> Result<Record, Fault> {
    let mut fields = Fields { line, at: start, number: 0 };
    let record = Record {
        job: fields.whole()?,
        submit: Time(fields.ticks()?),
        wait: Span(fields.ticks()?),
        run_time: Span(fields.ticks()?),
        allocated: fields.whole()?,
        cpu_time: Span(fields.ticks()?),
        used_memory_kb: fields.whole()?,
        requested: fields.whole()?,
        requested_time: Span(fields.ticks()?),
        requested_memory_kb: fields.whole()?,
        status: fields.whole()?,
        user: fields.whole()?,
        group: fields.whole()?,
        executable: fields.whole()?,
        queue: fields.whole()?,
        partition: fields.whole()?,
        preceding_job: fields.whole()?,
        think_time: Span(fields.ticks()?),
    };
    if fields.at < line.len() {
        return Err(Fault::Surplus { start: fields.at });
    }
    Ok(record)
}

/// The fields of a line, taken one after the other. Between two calls `at` is at the next field's first byte.
struct Fields<'a> {
    line: &'a [u8],
    at: usize,
    number: usize,
}

impl Fields<'_> {
    /// The next field, seconds, in ticks.
    #[inline]
    fn ticks(&mut self) -> Result<i64, Fault> {
        self.next(TICKS_PER_SECOND)
    }

    /// The next field, a whole number; a decimal is rounded, halves away from zero.
    #[inline]
    fn whole(&mut self) -> Result<i64, Fault> {
        self.next(1)
    }

    /// The next field in units of 1/`scale`.
    #[inline(always)]
    fn next(&mut self, scale: i64) -> Result<i64, Fault> {
        let start = self.at;
        let line = self.line;
        if start >= line.len() {
            return Err(Fault::Missing { found: self.number });
        }
        self.number += 1;
        let negative = line[start] == b'-';
        let first = start + usize::from(negative);
        let mut at = first;
        let mut value: i64 = 0;
        while at < line.len() {
            let digit = line[at].wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(i64::from(digit));
            at += 1;
        }
        let ended = at == line.len() || is_blank(line[at]);
        // Up to 18 digits cannot have wrapped.
        if ended && at > first && at - first <= 18 && value <= MAX_SECONDS {
            self.at = skip_blanks(line, at);
            let value = value * scale;
            return Ok(if negative { -value } else { value });
        }
        self.unusual(start, first, scale)
    }

    /// A field that is no short whole number: a decimal, one with many digits, or a fault.
    #[cold]
    #[inline(never)]
    fn unusual(&mut self, start: usize, first: usize, scale: i64) -> Result<i64, Fault> {
        let end = (first..self.line.len()).find(|&i| is_blank(self.line[i])).unwrap_or(self.line.len());
        let fault = |expected| Fault::Value { field: self.number, start, expected };
        let text = &self.line[first..end];
        let point = memchr(b'.', text).unwrap_or(text.len());
        let (whole, fraction) = (&text[..point], text.get(point + 1..).unwrap_or_default());
        let digits = whole.len() + fraction.len();
        if digits == 0 || !whole.iter().chain(fraction).all(u8::is_ascii_digit) {
            return Err(fault(NUMBER));
        }
        let mut value: i64 = 0;
        for digit in whole {
            value = value * 10 + i64::from(digit - b'0');
            if value > MAX_SECONDS {
                return Err(fault(IN_RANGE));
            }
        }
        value *= scale;
        // Decimal digits below the unit: exact, because a digit's weight is a power of ten as the scale is.
        let mut weight = scale;
        for digit in fraction {
            let digit = i64::from(digit - b'0');
            if weight == 1 {
                value += i64::from(digit >= 5);
                break;
            }
            weight /= 10;
            value += digit * weight;
        }
        if value > MAX_SECONDS * scale {
            return Err(fault(IN_RANGE));
        }
        self.at = skip_blanks(self.line, end);
        Ok(if first > start { -value } else { value })
    }
}
