//! Lists the experiments of the repository, so that an installed binary carries them, and names the compiler.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("experiments");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut list = String::from("&[\n");
    for study in sorted(&root)?.iter().filter(|path| path.is_dir()) {
        for file in sorted(study)?.iter().filter(|path| path.extension().is_some_and(|end| end == "ron")) {
            let (study, name) = (last(study), last(file));
            let text = file.display().to_string();
            writeln!(
                list,
                "    Embedded {{ study: {study:?}, file: {name:?}, text: include_str!({text:?}) }},"
            )?;
        }
    }
    list.push(']');
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("embedded.rs"), list)?;
    name_the_build()
}

/// What manifests say of the program.
fn name_the_build() -> Result<(), Box<dyn Error>> {
    let compiler = Command::new(env::var("RUSTC")?).arg("--version").output()?;
    println!("cargo::rustc-env=BACKSWEEP_RUSTC={}", String::from_utf8(compiler.stdout)?.trim());
    println!("cargo::rustc-env=BACKSWEEP_PROFILE={}", env::var("PROFILE")?);
    println!("cargo::rustc-env=BACKSWEEP_TARGET={}", env::var("TARGET")?);
    Ok(())
}

/// What lies in a folder, by name; nothing where there is no such folder.
fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut paths = Vec::new();
    if folder.is_dir() {
        for entry in fs::read_dir(folder)? {
            paths.push(entry?.path());
        }
    }
    paths.sort();
    Ok(paths)
}

fn last(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
