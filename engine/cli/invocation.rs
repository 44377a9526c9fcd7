//! How this process was called: what a manifest says of when, where and with which program.

use crate::diagnostic::Failure;
use crate::manifest::{Invocation, Program};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

/// What is known when a verb begins.
#[derive(Clone, Debug)]
pub struct Opening {
    begin: SystemTime,
    clock: Instant,
}

impl Opening {
    /// Begins now.
    pub fn now() -> Opening {
        Opening { begin: SystemTime::now(), clock: Instant::now() }
    }

    /// The invocation as it ends now; `threads` simulations at a time.
    pub fn close(&self, threads: Option<usize>) -> Invocation {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Invocation {
            command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
            directory: std::env::current_dir()
                .map_or_else(|_| String::new(), |path| path.display().to_string()),
            host: sweep::host(),
            cores,
            threads: threads.unwrap_or(cores),
            begin: utc(self.begin),
            end: utc(SystemTime::now()),
            wall_s: self.clock.elapsed().as_secs_f64(),
        }
    }
}

/// A moment as RFC 3339 has it, in whole seconds of UTC.
pub fn utc(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}

/// This program; `executable` is the hash of its file.
pub fn program(executable: &str) -> Program {
    Program {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        executable: executable.to_owned(),
        profile: env!("BACKSWEEP_PROFILE").to_owned(),
        target: env!("BACKSWEEP_TARGET").to_owned(),
        rustc: env!("BACKSWEEP_RUSTC").to_owned(),
        schema_version: table::SCHEMA_VERSION,
        model: sweep::fingerprint::families()
            .map(|(family, hash)| (family.to_owned(), hash.to_string()))
            .collect(),
    }
}

/// blake3 of the file of this very program: two with the same hash write the same bytes from the same results.
///
/// # Errors
/// Where the file cannot be read.
pub fn executable_hash() -> Result<String, Failure> {
    // On Linux this is the file that runs, even where another has taken its name since.
    let running = Path::new("/proc/self/exe");
    let path = if running.exists() { Ok(running.to_owned()) } else { std::env::current_exe() };
    path.and_then(|path: PathBuf| hash_file(&path))
        .map_err(|problem| Failure::work(format!("cannot read the file of this program: {problem}")))
}

/// blake3 of a file, in hexadecimal.
///
/// # Errors
/// Where it cannot be read.
pub fn hash_file(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::time::Duration;

    #[test]
    fn moments_are_utc() {
        assert_eq!(utc(SystemTime::UNIX_EPOCH + Duration::from_millis(86_400_900)), "1970-01-02T00:00:00Z");
    }

    #[test]
    fn the_program_has_a_hash() {
        let hash = executable_hash().unwrap();
        assert_eq!((hash.len(), &hash), (64, &executable_hash().unwrap()));
        let program = program(&hash);
        assert!(program.rustc.starts_with("rustc ") && program.model.contains_key("core"));
    }

    #[test]
    fn an_invocation_says_when_and_where() {
        let invocation = Opening::now().close(Some(3));
        assert!(invocation.threads == 3 && invocation.cores > 0 && !invocation.host.is_empty());
        assert!(invocation.begin <= invocation.end && invocation.end.ends_with('Z'));
        assert!(Path::new(&invocation.directory).is_absolute() && !invocation.command.is_empty());
    }
}
