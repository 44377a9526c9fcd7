//! Logs as files, plain or gzip, hashed while they are read.

use super::record::{Header, Log, Record};
use super::scan::{ScanError, scan};
use crate::WorkloadError;
use flate2::bufread::MultiGzDecoder;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

const BUFFER: usize = 1 << 17;
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Opens a log for reading its uncompressed bytes. Gzip is recognised by its content, not by the file's name.
///
/// # Errors
/// The system's, and those of a file too short to tell.
pub fn open(path: &Path) -> std::io::Result<Box<dyn Read + Send>> {
    // A regular file fills the buffer with more than the two bytes of gzip's mark, unless it has no more.
    uncompressed(BufReader::with_capacity(BUFFER, File::open(path)?))
}

/// The uncompressed bytes of a log's content, plain or gzip; its first piece must hold two bytes, if there are as many.
///
/// # Errors
/// The reader's.
pub fn uncompressed(mut content: impl BufRead + Send + 'static) -> std::io::Result<Box<dyn Read + Send>> {
    let gzip = content.fill_buf()?.starts_with(&GZIP_MAGIC);
    Ok(if gzip { Box::new(MultiGzDecoder::new(content)) } else { Box::new(content) })
}

/// Reads a log file, plain or gzip, and keeps all of it.
///
/// # Errors
/// [`WorkloadError::Unreadable`] or [`WorkloadError::Malformed`].
pub fn read(path: &Path) -> Result<Log, WorkloadError> {
    let mut records = Vec::new();
    let header = visit(path, |record| records.push(*record))?;
    Ok(Log { header, records })
}

/// Reads a log file, plain or gzip, and shows each record to `visit_record` without keeping it.
///
/// # Errors
/// [`WorkloadError::Unreadable`] or [`WorkloadError::Malformed`].
pub fn visit(path: &Path, visit_record: impl FnMut(&Record)) -> Result<Header, WorkloadError> {
    let text = open(path).map_err(|source| unreadable(path, source))?;
    scan(text, visit_record).map_err(|fault| located(path, fault))
}

/// As [`visit`], and returns the SHA-256 of the uncompressed bytes, in hexadecimal.
pub(crate) fn visit_hashed(
    path: &Path,
    visit_record: impl FnMut(&Record),
) -> Result<(Header, String), WorkloadError> {
    let text = open(path).map_err(|source| unreadable(path, source))?;
    let mut text = Hashing { inner: text, sha256: Sha256::new() };
    let header = scan(&mut text, visit_record).map_err(|fault| located(path, fault))?;
    Ok((header, hexadecimal(&text.sha256.finalize())))
}

/// The hashes of a file's uncompressed bytes: blake3, and SHA-256 in hexadecimal.
///
/// # Errors
/// [`WorkloadError::Unreadable`].
pub fn hashes(path: &Path) -> Result<([u8; 32], String), WorkloadError> {
    let mut text = open(path).map_err(|source| unreadable(path, source))?;
    let (mut blake3, mut sha256) = (blake3::Hasher::new(), Sha256::new());
    let mut buffer = vec![0; BUFFER];
    loop {
        match text.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => {
                blake3.update(&buffer[..read]);
                sha256.update(&buffer[..read]);
            }
            Err(fault) if fault.kind() == std::io::ErrorKind::Interrupted => {}
            Err(fault) => return Err(unreadable(path, fault)),
        }
    }
    Ok((*blake3.finalize().as_bytes(), hexadecimal(&sha256.finalize())))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unreadable(path: &Path, source: std::io::Error) -> WorkloadError {
    use std::io::{Error, ErrorKind};
    // Only decompression ends so: a plain file just ends.
    let source = match source.kind() {
        ErrorKind::UnexpectedEof => {
            Error::new(source.kind(), "the gzip data end too early; the file is truncated")
        }
        ErrorKind::InvalidData | ErrorKind::InvalidInput => {
            Error::new(source.kind(), format!("damaged gzip data ({source})"))
        }
        _ => source,
    };
    WorkloadError::Unreadable { path: path.to_owned(), source }
}

fn located(path: &Path, fault: ScanError) -> WorkloadError {
    match fault {
        ScanError::Read(source) => unreadable(path, source),
        ScanError::Swf(source) => WorkloadError::Malformed { path: path.to_owned(), source },
    }
}

/// Passes bytes through and hashes them.
struct Hashing<R> {
    inner: R,
    sha256: Sha256,
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.sha256.update(&buffer[..read]);
        Ok(read)
    }
}
