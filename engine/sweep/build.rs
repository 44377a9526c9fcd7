//! Hashes the sources that can influence a run, per family, into constants of the library: the model fingerprint.
#![allow(clippy::print_stdout, reason = "cargo reads the standard output of a build script")]

mod family;
mod family_hash;
mod source_hash;
mod source_parts;

use family::{FILES, FOLDERS};
use family_hash::{family_hashes, read_sources};
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The build script's own sources.
const OWN: &[&str] = &["build.rs", "family.rs", "family_hash.rs", "source_hash.rs", "source_parts.rs"];

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let engine = here.parent().ok_or("the crate lies in engine/")?;
    for folder in FOLDERS {
        println!("cargo::rerun-if-changed={}", engine.join(folder).display());
    }
    for file in FILES {
        println!("cargo::rerun-if-changed={}", engine.join(file).with_extension("rs").display());
    }
    let lock = engine.with_file_name("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    OWN.iter().for_each(|file| println!("cargo::rerun-if-changed={file}"));
    let mut table = String::from("const TABLE: &[(&str, [u8; 32])] = &[\n");
    for (family, hash) in
        family_hashes(&read_sources(engine)?, &fs::read_to_string(&lock).unwrap_or_default())
    {
        writeln!(table, "    ({family:?}, {hash:?}),")?;
    }
    table.push_str("];\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("fingerprints.rs"), table)?;
    Ok(())
}
