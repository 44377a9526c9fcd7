//! From the store to what is asked for: tables, claims, figures, scorecard, and the manifests that vouch for them.

use crate::args::ExecuteArgs;
use crate::diagnostic::{Failure, chain};
use crate::invocation::{Opening, executable_hash, program, utc};
use crate::manifest::{
    self, FileFacts, Invocation, Manifest, Question, RunCounts, SegmentShare, StoreShare, Traces,
};
use crate::output;
use crate::planning::{Plan, Planned};
use crate::session::Session;
use crate::up_to_date::{self, Standing};
use report::ReportError;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use sweep::{ContentHash, Experiment, ResultHead, SegmentInfo, Status, Store};
use table::{ComparisonSpec, FileSet, Frame, PendingFile, SealedFile, Table};

/// The scorecard's name below the folder of results.
const SCORECARD: &str = "scorecard.md";

/// Claims of some experiments with what their scorecard needs.
#[derive(Debug, Default)]
pub struct Claims {
    frames: Vec<Frame>,
    assumptions: Vec<report::Assumption>,
}

/// Brings what was asked for below `args.out`, unless it is there, and prints the scorecard.
///
/// # Errors
/// Where a table cannot be computed or a file not be written: then the files that were there are as they were.
pub fn deliver(
    session: &Session,
    opening: &Opening,
    plan: &Plan,
    store: &Store,
    args: &ExecuteArgs,
) -> Result<(), Failure> {
    let executable = executable_hash()?;
    let inputs = up_to_date::inputs(plan, store, &executable)?;
    let claims = match up_to_date::standing(plan, &inputs, &args.out) {
        Standing::Current(manifests) => still_there(session, plan, &manifests, &args.out)?,
        standing => {
            if let Standing::Changed(path) = standing {
                session.warn(&format!(
                    "{} is not as it was written; the results are written again",
                    path.display()
                ));
            }
            let writing =
                Writing { session, opening, plan, store, args, executable: &executable, inputs: &inputs };
            let claims = writing.write()?;
            session.note(&format!("results are in {}", args.out.display()));
            claims
        }
    };
    match claims.is_empty() {
        true => Ok(()),
        false => output::data(&claims.terminal(session)?),
    }
}

/// Says that the results are there, repeats what was odd about them, and reads their claims.
fn still_there(
    session: &Session,
    plan: &Plan,
    manifests: &[Manifest],
    out: &Path,
) -> Result<Claims, Failure> {
    let mut claims = Claims::default();
    for (planned, manifest) in plan.experiments.iter().zip(manifests) {
        manifest.warnings.iter().for_each(|warning| session.warn(warning));
        let path = folder(out, &planned.experiment).join(Table::Claims.file_name());
        if !planned.experiment.claims.is_empty() {
            claims.frames.push(Frame::read_parquet(&path)?);
        }
        claims.note_assumptions(planned);
    }
    let when = manifests.iter().map(|manifest| manifest.invocation.end.as_str()).max().unwrap_or_default();
    session.note(&format!("results in {} are up to date (written {when})", out.display()));
    Ok(claims)
}

/// The folder of an experiment's tables.
pub fn folder(out: &Path, experiment: &Experiment) -> PathBuf {
    out.join(&experiment.study).join(&experiment.name)
}

/// The store does not hold what it held when it was asked first.
pub fn lost(planned: &Planned, results: usize) -> Failure {
    let experiment = &planned.experiment;
    Failure::work(format!("the store has lost {results} results of {}/{}", experiment.study, experiment.name))
        .hint("run the same command again")
}

/// One writing of all results of an invocation.
struct Writing<'a> {
    session: &'a Session,
    opening: &'a Opening,
    plan: &'a Plan,
    store: &'a Store,
    args: &'a ExecuteArgs,
    executable: &'a str,
    inputs: &'a str,
}

/// The files of an experiment, written but not named yet.
#[derive(Default)]
struct Staged {
    files: FileSet,
    warnings: Vec<String>,
}

impl Writing<'_> {
    /// Writes everything, and only then lets it replace what was there: tables, figures, the scorecard, the manifests last.
    fn write(&self) -> Result<Claims, Failure> {
        let mut claims = Claims::default();
        let mut all = Vec::new();
        for planned in &self.plan.experiments {
            let mut staged = Staged::default();
            let frame = self.stage(planned, &mut staged)?;
            if !planned.experiment.claims.is_empty() {
                claims.frames.push(frame);
            }
            claims.note_assumptions(planned);
            all.push(staged);
        }
        let mut scorecard = FileSet::default();
        if !claims.is_empty() {
            scorecard.add(stage_text(&self.args.out.join(SCORECARD), &claims.markdown()?)?);
        }
        let invocation = self.opening.close(self.args.jobs);
        let mut manifests = FileSet::default();
        for (planned, staged) in self.plan.experiments.iter().zip(&all) {
            let folder = folder(&self.args.out, &planned.experiment);
            let own = staged.files.files().iter().chain(scorecard.files());
            let mut manifest = self.manifest(planned, invocation.clone());
            manifest.warnings.clone_from(&staged.warnings);
            manifest.files = own.map(|file| self.facts(&folder, file)).collect();
            manifests.add(stage_text(&folder.join(manifest::FILE_NAME), &manifest.text())?);
        }
        let mut files = FileSet::default();
        all.into_iter().for_each(|staged| files.append(staged.files));
        files.append(scorecard);
        files.append(manifests);
        files.commit()?;
        Ok(claims)
    }

    /// Writes tables and figures of an experiment and returns its claims.
    fn stage(&self, planned: &Planned, staged: &mut Staged) -> Result<Frame, Failure> {
        let experiment = &planned.experiment;
        let columns = experiment.columns();
        let head = ResultHead { study: &experiment.study, experiment: &experiment.name, columns: &columns };
        let results = sweep::collect(head, planned.runs(&self.plan.absent), self.store)?;
        if results.missing > 0 {
            return Err(lost(planned, results.missing));
        }
        let tables = sweep::tables(results, &columns, &experiment.comparisons, &metadata(planned))?;
        let axes: Vec<String> = columns.into_iter().map(|column| column.name).collect();
        let mut claims =
            report::evaluate(&experiment.claims, &tables.runs, &axes, &experiment.study, &experiment.name)?;
        claims.metadata.clone_from(&tables.runs.metadata);
        let folder = folder(&self.args.out, experiment);
        staged.files.append(sweep::stage_results(&folder, &tables)?);
        staged.files.add(claims.stage_parquet(&folder.join(Table::Claims.file_name()))?);
        self.draw(planned, &tables, &axes, staged)?;
        Ok(claims)
    }

    /// Draws the figures; one that has nothing to show is no failure of the others.
    fn draw(
        &self,
        planned: &Planned,
        tables: &sweep::Tables,
        axes: &[String],
        staged: &mut Staged,
    ) -> Result<(), Failure> {
        let folder = self.args.out.join(&planned.experiment.study).join("figures");
        for spec in &planned.experiment.figures {
            let ratios = spec.normalise_by.as_ref().map(|baseline| {
                let (id, metrics) = (spec.id.clone(), vec![spec.y.clone()]);
                let comparison = ComparisonSpec { id, metrics, baseline: baseline.clone() };
                table::compare(&tables.runs, axes, &[comparison])
            });
            let figures = match report::draw(spec, &tables.summary, ratios.transpose()?.as_ref(), axes) {
                Ok(figures) => figures,
                Err(problem @ (ReportError::Empty { .. } | ReportError::NoBaseline { .. })) => {
                    let warning = chain(&problem);
                    self.session.warn(&warning);
                    staged.warnings.push(warning);
                    continue;
                }
                Err(problem) => return Err(problem.into()),
            };
            for figure in figures {
                staged.files.add(stage_text(&folder.join(&figure.file_name), &figure.svg)?);
            }
        }
        Ok(())
    }

    /// The manifest of an experiment, without its files.
    fn manifest(&self, planned: &Planned, invocation: Invocation) -> Manifest {
        let experiment = &planned.experiment;
        let tally = &planned.tally;
        let failed = planned.keys.iter().filter(|key| self.store.status(key) == Some(Status::Failed)).count();
        let absolute =
            |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string();
        let traces = self.args.traces.traces.as_deref().filter(|path| !path.as_os_str().is_empty());
        Manifest {
            manifest: manifest::VERSION,
            study: experiment.study.clone(),
            experiment: experiment.name.clone(),
            invocation,
            program: program(self.executable),
            question: Question {
                file: experiment.file.clone(),
                experiment_hash: experiment.text_hash.clone(),
                scale: experiment.scale.clone(),
                set: experiment.set.iter().cloned().collect(),
            },
            traces: Traces {
                folder: traces.map(absolute),
                used: planned
                    .contents
                    .iter()
                    .map(|(name, all)| (name.clone(), all.iter().map(hex).collect()))
                    .collect(),
                absent: planned.absent(&self.plan.absent),
            },
            runs: RunCounts {
                planned: tally.runs + tally.skipped,
                answered: tally.cached() - tally.shared,
                executed: tally.missing + tally.shared,
                failed,
                skipped: tally.skipped,
            },
            store: StoreShare { folder: absolute(&self.args.store.store), segments: self.segments(planned) },
            warnings: Vec::new(),
            inputs: self.inputs.to_owned(),
            files: BTreeMap::new(),
        }
    }

    /// The segments that answered an experiment's runs.
    fn segments(&self, planned: &Planned) -> BTreeMap<String, SegmentShare> {
        let mut shares: BTreeMap<String, SegmentShare> = BTreeMap::new();
        for segment in planned.keys.iter().filter_map(|key| self.store.segment_of(key)) {
            match shares.get_mut(&segment.name) {
                Some(share) => share.runs += 1,
                None => drop(shares.insert(segment.name.clone(), share(segment))),
            }
        }
        shares
    }

    /// A file by its path from the experiment's folder.
    fn facts(&self, folder: &Path, file: &SealedFile) -> (String, FileFacts) {
        let bases =
            [(folder, ""), (folder.parent().unwrap_or(folder), "../"), (self.args.out.as_path(), "../../")];
        let relative = bases.iter().find_map(|(base, up)| {
            let below = file.target().strip_prefix(base).ok()?;
            Some(format!("{up}{}", below.display()))
        });
        let name = relative.unwrap_or_else(|| file.target().display().to_string());
        (name, FileFacts { blake3: file.hash(), bytes: file.bytes() })
    }
}

/// A segment with its first run.
fn share(segment: &SegmentInfo) -> SegmentShare {
    let written =
        UNIX_EPOCH.checked_add(Duration::from_secs(segment.written_unix)).map_or_else(String::new, utc);
    SegmentShare {
        runs: 1,
        host: segment.host.clone(),
        pid: segment.pid,
        written,
        build: segment.build.clone(),
    }
}

fn hex(content: &ContentHash) -> String {
    content.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What decided the tables and is no column of theirs.
pub fn metadata(planned: &Planned) -> BTreeMap<String, String> {
    let experiment = &planned.experiment;
    let mut metadata = BTreeMap::from([
        ("study".to_owned(), experiment.study.clone()),
        ("experiment".to_owned(), experiment.name.clone()),
        ("experiment_hash".to_owned(), format!("blake3:{}", experiment.text_hash)),
    ]);
    if let Some(scale) = &experiment.scale {
        metadata.insert("scale".to_owned(), scale.clone());
    }
    for (name, values) in &experiment.set {
        metadata.insert(format!("set:{name}"), values.clone());
    }
    for (name, contents) in &planned.contents {
        let hashes: Vec<String> = contents.iter().map(|content| format!("blake3:{}", hex(content))).collect();
        metadata.insert(format!("workload:{name}"), hashes.join(" "));
    }
    metadata
}

/// Writes a text file, whole or not at all.
///
/// # Errors
/// Where it cannot be written.
pub fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    Ok(stage_text(path, text)?.commit()?)
}

fn stage_text(path: &Path, text: &str) -> Result<SealedFile, Failure> {
    let mut file = PendingFile::create(path)?;
    file.write_all(text.as_bytes())
        .map_err(|problem| Failure::work(format!("cannot write {}: {problem}", path.display())))?;
    Ok(file.seal()?)
}

impl Claims {
    /// Whether there is no claim.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The scorecard for people at a terminal.
    ///
    /// # Errors
    /// Where a claims table is not one.
    pub fn terminal(&self, session: &Session) -> Result<String, Failure> {
        Ok(report::terminal(&self.frames(), &self.assumptions, session.width, session.color)?)
    }

    /// The scorecard as Markdown.
    ///
    /// # Errors
    /// Where a claims table is not one.
    pub fn markdown(&self) -> Result<String, Failure> {
        Ok(report::markdown(&self.frames(), &self.assumptions)?)
    }

    fn frames(&self) -> Vec<&Frame> {
        self.frames.iter().collect()
    }

    /// The experiments of a study mostly share their assumptions; each is listed once.
    fn note_assumptions(&mut self, planned: &Planned) {
        let study = &planned.experiment.study;
        for assumption in &planned.experiment.assumptions {
            let new = report::Assumption {
                study: study.clone(),
                field: assumption.field.clone(),
                value: assumption.value.clone(),
                reason: assumption.reason.clone(),
                sweep: assumption.sweep.clone(),
            };
            if !self.assumptions.contains(&new) {
                self.assumptions.push(new);
            }
        }
    }
}
