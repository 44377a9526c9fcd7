//! The only place that writes to stdout and stderr: stdout is data, stderr is talk.

use crate::diagnostic::Failure;
use std::io::{self, BufWriter, ErrorKind, Write};

/// Writes text to stdout.
///
/// # Errors
/// [`Failure::Closed`] where nobody reads it any more, such as `head`.
pub fn data(text: &str) -> Result<(), Failure> {
    stream(|out| out.write_all(text.as_bytes()))
}

/// Writes to stdout piece by piece.
///
/// # Errors
/// As [`data`], and what `write` fails with.
pub fn stream(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = write(&mut out).and_then(|()| out.flush());
    written.map_err(|problem| match problem.kind() {
        ErrorKind::BrokenPipe => Failure::Closed,
        _ => Failure::work(format!("cannot write to stdout: {problem}")),
    })
}

/// Writes a line to stderr; that nobody may be there to read it is no reason to stop.
pub fn talk(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
