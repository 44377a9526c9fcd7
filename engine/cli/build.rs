//! Lists the experiments of the repository, so that an installed binary carries them: in each study's folder the experiments, in
//! its folder `parts` what they include. Names the compiler.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("experiments");
    println!("cargo::rerun-if-changed={}", root.display());
    let (mut experiments, mut parts) = (String::from("&[\n"), String::from("&[\n"));
    for study in sorted(&root)?.iter().filter(|path| path.is_dir()) {
        for file in texts(study)? {
            let (study, name, text) = (last(study), last(&file), file.display().to_string());
            writeln!(
                experiments,
                "    Embedded {{ study: {study:?}, file: {name:?}, text: include_str!({text:?}) }},"
            )?;
        }
        for file in texts(&study.join("parts"))? {
            let path = format!("experiments/{}/parts/{}", last(study), last(&file));
            writeln!(parts, "    ({path:?}, include_str!({:?})),", file.display().to_string())?;
        }
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("embedded.rs"), experiments + "]")?;
    fs::write(out.join("embedded_parts.rs"), parts + "]")?;
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

/// The RON files in a folder, by name.
fn texts(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let is_text = |path: &PathBuf| path.extension().is_some_and(|end| end == "ron");
    Ok(sorted(folder)?.into_iter().filter(is_text).collect())
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
