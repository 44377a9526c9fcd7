//! `--version`: the program, how it was built, and the model that it carries.

use crate::diagnostic::Failure;
use crate::invocation::{executable_hash, program};
use crate::output;
use crate::session::Ending;
use clap::error::ErrorKind;
use std::ffi::OsStr;
use std::fmt::Write;

/// Digits of a family's fingerprint that are shown, as `provenance` shows them.
const DIGITS: usize = 16;

/// Whether what clap answered to these words is the version and it was asked for in full, with `--version` rather than `-V`.
pub fn is_wanted_in_full(answer: &clap::Error, mut words: impl Iterator<Item = impl AsRef<OsStr>>) -> bool {
    answer.kind() == ErrorKind::DisplayVersion && words.any(|word| word.as_ref() == "--version")
}

/// Prints version, build, and fingerprints of the model.
///
/// # Errors
/// Where the file of this program cannot be read.
pub fn version() -> Result<Ending, Failure> {
    output::data(&text()?)?;
    Ok(Ending::Done)
}

/// The hash of the file is made here and not with the options, since every other call would pay for it.
fn text() -> Result<String, Failure> {
    let program = program(&executable_hash()?);
    let mut text = format!("backsweep {}\n", program.version);
    let mut line = |label: &str, value: &str| {
        let _ = writeln!(text, "{label:<10}{value}");
    };
    line("build", &program.executable);
    line("target", &program.target);
    line("profile", &program.profile);
    line("compiler", &program.rustc);
    line("tables", &format!("schema version {}", program.schema_version));
    line("model", &sweep::fingerprint::of_model().to_string());
    for (family, hash) in &program.model {
        line("", &format!("{} {family}", hash.get(..DIGITS).unwrap_or(hash)));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::args::Cli;
    use clap::Parser;

    #[test]
    fn only_the_long_option_asks_for_all() {
        let asks = |words: &[&str]| is_wanted_in_full(&Cli::try_parse_from(words).unwrap_err(), words.iter());
        assert!(asks(&["backsweep", "--version"]) && asks(&["backsweep", "run", "--version"]));
        assert!(!asks(&["backsweep", "-V"]) && !asks(&["backsweep", "--vers", "--version"]));
    }
}
