//! What lies in a folder of results, compared with what its manifests say.

use super::text;
use crate::diagnostic::{Failure, chain};
use crate::experiments;
use crate::invocation::hash_file;
use crate::manifest::{FILE_NAME, Manifest, Unread};
use report::page::{ExperimentResults, PictureFile, Record, RecordedRuns, Results, StudyResults};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use table::{Frame, Table};

/// The results in `out` of these studies, of all where none is named.
///
/// # Errors
/// No results, an unknown study, or a damaged file.
pub fn results(out: &Path, studies: &[String]) -> Result<Results, Failure> {
    let found = found(out)?;
    let known: Vec<&str> = found.iter().map(|(study, _)| study.as_str()).collect();
    if known.is_empty() {
        return Err(Failure::question(format!("there are no results in {}", out.display())).hint(
            "`backsweep reproduce` or `backsweep run FILE.ron` makes them; --out DIR names another folder",
        ));
    }
    if let Some(unknown) = studies.iter().find(|study| !known.contains(&study.as_str())) {
        let text = format!("there are no results of `{unknown}` in {}", out.display());
        return Err(Failure::question(text).hint(format!("studies with results there: {}", known.join(", "))));
    }
    let wanted = |study: &str| studies.is_empty() || studies.iter().any(|name| name == study);
    let studies =
        found.iter().filter(|(study, _)| wanted(study)).map(|(study, names)| self::study(out, study, names));
    Ok(Results { studies: studies.collect::<Result<_, Failure>>()? })
}

/// The studies that have results, with the experiments that have; by name.
fn found(out: &Path) -> Result<Vec<(String, Vec<String>)>, Failure> {
    let mut studies = Vec::new();
    for study in folders(out)? {
        let mut names = folders(&out.join(&study))?;
        let has = |name: &str| out.join(&study).join(name).is_file();
        names.retain(|name| {
            [FILE_NAME.to_owned(), Table::Claims.file_name()]
                .iter()
                .any(|file| has(&format!("{name}/{file}")))
        });
        if !names.is_empty() {
            studies.push((study, names));
        }
    }
    Ok(studies)
}

/// The names of the folders in a folder; none where there is no such folder.
fn folders(folder: &Path) -> Result<Vec<String>, Failure> {
    let unread = |problem| Failure::question(format!("cannot read {}: {problem}", folder.display()));
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(problem) if problem.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(problem) => return Err(unread(problem)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(unread)?;
        if entry.path().is_dir()
            && let Ok(name) = entry.file_name().into_string()
        {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn study(out: &Path, study: &str, names: &[String]) -> Result<StudyResults, Failure> {
    let experiments =
        names.iter().map(|name| experiment(out, study, name)).collect::<Result<Vec<_>, Failure>>()?;
    let absent =
        experiments::names(study).into_iter().filter(|known| !names.iter().any(|name| name == known));
    Ok(StudyResults { name: study.to_owned(), experiments, absent: absent.map(str::to_owned).collect() })
}

fn experiment(out: &Path, study: &str, name: &str) -> Result<ExperimentResults, Failure> {
    let folder = out.join(study).join(name);
    let path = folder.join(FILE_NAME);
    let mut remarks = Vec::new();
    let manifest = match Manifest::read(&path) {
        Ok(manifest) => Some(manifest),
        Err(Unread::Absent) => {
            remarks.push(format!("there is no {FILE_NAME}, so nobody can say how the results were made"));
            None
        }
        Err(Unread::Unusable(reason)) => {
            return Err(Failure::work(format!("{}: {reason}", path.display())));
        }
    };
    let asked = text::find(study, name, manifest.as_ref());
    remarks.extend(manifest.as_ref().map_or_else(Vec::new, |manifest| altered(&folder, manifest)));
    if let (Some(asked), Some(manifest)) = (&asked, &manifest)
        && asked.text_hash != manifest.question.experiment_hash
    {
        remarks.push(
            "the experiment has another text by now; titles and assumptions are those of the new one"
                .to_owned(),
        );
    }
    let mut read = |table: Table| -> Result<Option<Frame>, Failure> {
        let path = folder.join(table.file_name());
        if !path.exists() {
            remarks.push(format!("{} is not there", table.file_name()));
            return Ok(None);
        }
        // The decoder puts its name before what is wrong.
        let unlike = |problem| Failure::work(chain(&problem).replace("Parquet error: ", ""));
        Frame::read_parquet(&path).map(Some).map_err(unlike)
    };
    let claims = read(Table::Claims)?;
    let published = read(Table::Published)?;
    let text = asked.as_ref().map(text::of);
    let pictures = pictures(&out.join(study).join("figures"), asked.as_ref(), manifest.as_ref())?;
    let record = manifest.map(record);
    Ok(ExperimentResults { name: name.to_owned(), text, claims, published, pictures, record, remarks })
}

/// What of the files on the page is not as the manifest says. Tables that are not on it do not count.
fn altered(folder: &Path, manifest: &Manifest) -> Vec<String> {
    let shown = [Table::Claims, Table::Published].map(Table::file_name);
    let on_page = |name: &str| name.ends_with(".svg") || shown.iter().any(|table| table == name);
    let mut remarks = Vec::new();
    for (name, facts) in manifest.files.iter().filter(|(name, _)| on_page(name)) {
        match hash_file(&folder.join(name)) {
            Ok(hash) if hash == facts.blake3 => {}
            Ok(_) => remarks.push(format!("{} is not as it was written", name.trim_start_matches("../"))),
            Err(_) if name.ends_with(".svg") => {
                remarks.push(format!("{} is not there", name.trim_start_matches("../")));
            }
            // Whoever reads the table says so.
            Err(_) => {}
        }
    }
    remarks
}

/// The figures of an experiment: those that its manifest lists, without one those of its text.
fn pictures(
    folder: &Path,
    asked: Option<&sweep::Experiment>,
    manifest: Option<&Manifest>,
) -> Result<Vec<PictureFile>, Failure> {
    let mut files: Vec<PathBuf> = Vec::new();
    match (manifest, asked) {
        (Some(manifest), _) => {
            let listed = manifest.files.keys().filter_map(|name| name.strip_prefix("../figures/"));
            files.extend(listed.map(|name| folder.join(name)));
        }
        (None, Some(asked)) => {
            let ids = asked.figures.iter().map(|figure| &figure.id);
            let ids = ids.chain(asked.table_figures.iter().map(|figure| &figure.id));
            for id in ids.chain(asked.schedules.iter().map(|schedule| &schedule.id)) {
                files.extend(["model", "trace", "twin"].map(|mode| folder.join(format!("{id}-{mode}.svg"))));
            }
        }
        (None, None) => {}
    }
    let mut pictures = Vec::new();
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match fs::read_to_string(&path) {
            Ok(svg) => pictures.push(PictureFile { name, svg }),
            Err(problem) if problem.kind() == ErrorKind::NotFound => {}
            Err(problem) => return Err(Failure::work(format!("cannot read {}: {problem}", path.display()))),
        }
    }
    Ok(pictures)
}

/// A manifest without what is of one host only.
fn record(manifest: Manifest) -> Record {
    let runs = manifest.runs;
    Record {
        written: manifest.invocation.end,
        wall_s: manifest.invocation.wall_s,
        version: manifest.program.version,
        profile: manifest.program.profile,
        scale: manifest.question.scale,
        set: manifest.question.set,
        runs: RecordedRuns {
            planned: runs.planned,
            answered: runs.answered,
            executed: runs.executed,
            failed: runs.failed,
            skipped: runs.skipped,
        },
        logs: manifest.traces.used,
        absent_logs: manifest.traces.absent,
        experiment_hash: manifest.question.experiment_hash,
        inputs: manifest.inputs,
        model: manifest.program.model,
        warnings: manifest.warnings,
    }
}
