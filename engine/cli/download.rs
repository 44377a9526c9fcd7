//! Downloads a file whose content is known by hash: resumable, verified, under its name only when it is whole.

use crate::diagnostic::chain;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use ureq::http::{HeaderMap, Response, StatusCode};
use ureq::{Agent, Body};
use workload::WorkloadError;
use workload::swf::hashes;

const BUFFER: usize = 1 << 16;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);
const READ_TIMEOUT: Duration = Duration::from_secs(60);
/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// What is to be downloaded.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Its name, without the ends of the file name.
    pub name: String,
    /// Where it may be, best first; the next is tried where there is nothing.
    pub urls: Vec<String>,
    /// SHA-256 of the uncompressed content, hexadecimal.
    pub sha256: String,
}

/// Why a file could not be had.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// None of the addresses has it.
    #[error("{} not found (HTTP status {status})", urls.join(" and "))]
    NotFound {
        /// The addresses.
        urls: Vec<String>,
        /// What the last of them answered.
        status: u16,
    },
    /// A server answered with an error.
    #[error("{url} answered with HTTP status {status}")]
    Status {
        /// The address.
        url: String,
        /// The status.
        status: u16,
    },
    /// The network failed.
    #[error("cannot download {url}: {reason}")]
    Network {
        /// The address.
        url: String,
        /// What happened.
        reason: String,
    },
    /// The content is another one.
    #[error("{url} is not {name}: sha256 of its uncompressed content is {found}, expected {expected}")]
    WrongContent {
        /// The address.
        url: String,
        /// What it should be.
        name: String,
        /// The expected hash.
        expected: String,
        /// What was found: a hash, or why there is none.
        found: String,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// What comes over the network while it comes: bytes so far, and all bytes where the server says how many.
pub type OnBytes<'a> = dyn Fn(u64, Option<u64>) + 'a;

/// Downloads files.
#[derive(Debug)]
pub struct Fetcher {
    agent: Agent,
    retries: u32,
    pause: Duration,
}

/// Why one attempt failed.
enum Attempt {
    /// Another may succeed.
    Again(FetchError),
    /// None will.
    Final(FetchError),
}

impl Fetcher {
    /// A fetcher that tries again so often, first after `pause`, then after twice as long each time.
    pub fn new(retries: u32, pause: Duration) -> Fetcher {
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_recv_response(Some(READ_TIMEOUT))
            .timeout_per_read(Some(READ_TIMEOUT))
            .user_agent(concat!("backsweep/", env!("CARGO_PKG_VERSION")))
            .build()
            .new_agent();
        Fetcher { agent, retries, pause }
    }

    /// Downloads a file into a folder and returns its path: `NAME.swf.gz`, or `NAME.swf` where the server sends it plain. What
    /// an earlier call left is continued.
    ///
    /// # Errors
    /// Any [`FetchError`]; then nothing is under the file's name that was not there before.
    pub fn fetch(
        &self,
        wanted: &Wanted,
        folder: &Path,
        on_bytes: &OnBytes<'_>,
    ) -> Result<PathBuf, FetchError> {
        fs::create_dir_all(folder).map_err(unwritten(folder))?;
        let part = folder.join(format!("{}.part", wanted.name));
        let mut missing = None;
        for url in &wanted.urls {
            match self.from(url, wanted, &part, on_bytes) {
                Err(FetchError::NotFound { status, .. }) => missing = Some(status),
                Err(problem) => return Err(problem),
                Ok(()) => {
                    let end = if is_gzip(&part).map_err(unwritten(&part))? { "swf.gz" } else { "swf" };
                    let path = folder.join(format!("{}.{end}", wanted.name));
                    fs::rename(&part, &path).map_err(unwritten(&path))?;
                    return Ok(path);
                }
            }
        }
        Err(FetchError::NotFound { urls: wanted.urls.clone(), status: missing.unwrap_or(404) })
    }

    /// Downloads and verifies, and tries again where that may help.
    fn from(
        &self,
        url: &str,
        wanted: &Wanted,
        part: &Path,
        on_bytes: &OnBytes<'_>,
    ) -> Result<(), FetchError> {
        let mut attempts = 0;
        loop {
            let problem = match self.attempt(url, wanted, part, on_bytes) {
                Ok(()) => return Ok(()),
                Err(Attempt::Final(problem)) => return Err(problem),
                Err(Attempt::Again(problem)) => problem,
            };
            if attempts >= self.retries {
                return Err(problem);
            }
            let pause = self.pause.saturating_mul(1 << attempts.min(16));
            std::thread::sleep(pause.min(LONGEST_PAUSE));
            attempts += 1;
        }
    }

    fn attempt(
        &self,
        url: &str,
        wanted: &Wanted,
        part: &Path,
        on_bytes: &OnBytes<'_>,
    ) -> Result<(), Attempt> {
        let resumed = self.transfer(url, part, on_bytes)?;
        let found = match hashes(part) {
            Ok((_, found)) if found == wanted.sha256 => return Ok(()),
            Ok((_, found)) => found,
            // The connection was closed early, and the server had not said how much there is.
            Err(WorkloadError::Unreadable { source, .. })
                if source.kind() == ErrorKind::UnexpectedEof && !resumed =>
            {
                let reason = "the download ends too early".to_owned();
                return Err(Attempt::Again(FetchError::Network { url: url.to_owned(), reason }));
            }
            Err(problem) => format!("unknown ({})", chain(&problem)),
        };
        // Of no use to a later call either.
        fs::remove_file(part).map_err(|source| Attempt::Final(unwritten(part)(source)))?;
        let (url, name, expected) = (url.to_owned(), wanted.name.clone(), wanted.sha256.clone());
        let problem = FetchError::WrongContent { url, name, expected, found };
        // What was there before may have been the beginning of something else.
        Err(if resumed { Attempt::Again(problem) } else { Attempt::Final(problem) })
    }

    /// Brings what is missing of the file; returns whether something was there before.
    fn transfer(&self, url: &str, part: &Path, on_bytes: &OnBytes<'_>) -> Result<bool, Attempt> {
        let have = fs::metadata(part).map_or(0, |found| found.len());
        let mut request = self.agent.get(url);
        if have > 0 {
            request = request.header("Range", format!("bytes={have}-"));
        }
        let response = request.call().map_err(|problem| refused(url, &problem))?;
        let status = response.status();
        let start = match status {
            StatusCode::PARTIAL_CONTENT if first_byte(response.headers()) == Some(have) => have,
            StatusCode::OK => 0,
            // Nothing is left to send.
            StatusCode::RANGE_NOT_SATISFIABLE if have > 0 => return Ok(true),
            _ => return Err(bad_status(url, status)),
        };
        receive(url, response, part, start, on_bytes)?;
        Ok(start > 0)
    }
}

/// Writes a response's body to the file from byte `start` on.
fn receive(
    url: &str,
    response: Response<Body>,
    part: &Path,
    start: u64,
    on_bytes: &OnBytes<'_>,
) -> Result<(), Attempt> {
    let broken = |reason: String| Attempt::Again(FetchError::Network { url: url.to_owned(), reason });
    let unwritten = |source| Attempt::Final(unwritten(part)(source));
    let announced = response.body().content_length().map(|length| start + length);
    let mut file = open(part, start).map_err(unwritten)?;
    let mut body = response.into_body().into_reader();
    let mut buffer = vec![0; BUFFER];
    let mut have = start;
    loop {
        let read = match body.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(problem) if problem.kind() == ErrorKind::Interrupted => continue,
            Err(problem) => return Err(broken(problem.to_string())),
        };
        file.write_all(&buffer[..read]).map_err(unwritten)?;
        have += read as u64;
        on_bytes(have, announced);
    }
    file.sync_all().map_err(unwritten)?;
    match announced {
        Some(announced) if announced != have => Err(broken(format!("{have} of {announced} bytes came"))),
        _ => Ok(()),
    }
}

/// The file, cut off or empty at `start`, to be written from there.
fn open(part: &Path, start: u64) -> io::Result<File> {
    if start > 0 {
        return OpenOptions::new().append(true).open(part);
    }
    File::create(part)
}

/// The first byte of a partial answer: `bytes 100-199/200`.
fn first_byte(headers: &HeaderMap) -> Option<u64> {
    let range = headers.get("content-range")?.to_str().ok()?;
    range.trim().strip_prefix("bytes ")?.split('-').next()?.trim().parse().ok()
}

fn bad_status(url: &str, status: StatusCode) -> Attempt {
    let (url, number) = (url.to_owned(), status.as_u16());
    match status {
        StatusCode::NOT_FOUND | StatusCode::GONE => {
            Attempt::Final(FetchError::NotFound { urls: vec![url], status: number })
        }
        StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS => {
            Attempt::Again(FetchError::Status { url, status: number })
        }
        status if status.is_server_error() => Attempt::Again(FetchError::Status { url, status: number }),
        _ => Attempt::Final(FetchError::Status { url, status: number }),
    }
}

fn refused(url: &str, problem: &ureq::Error) -> Attempt {
    let failure = FetchError::Network { url: url.to_owned(), reason: chain(problem) };
    match problem {
        ureq::Error::BadUri(_) | ureq::Error::Http(_) | ureq::Error::InvalidProxyUrl => {
            Attempt::Final(failure)
        }
        _ => Attempt::Again(failure),
    }
}

fn is_gzip(path: &Path) -> io::Result<bool> {
    let mut mark = [0; 2];
    let mut file = File::open(path)?;
    match file.read_exact(&mut mark) {
        Ok(()) => Ok(mark == [0x1f, 0x8b]),
        Err(problem) if problem.kind() == ErrorKind::UnexpectedEof => Ok(false),
        Err(problem) => Err(problem),
    }
}

fn unwritten(path: &Path) -> impl Fn(io::Error) -> FetchError {
    let path = path.to_owned();
    move |source| FetchError::Write { path: path.clone(), source }
}

#[cfg(test)]
mod tests;
