//! From the store to what is asked for: tables, claims, figures, scorecard, and the manifests that vouch for them.

use crate::args::ExecuteArgs;
use crate::diagnostic::{Failure, chain};
use crate::evidence::{self, Evidence};
use crate::gantt;
use crate::invocation::{Opening, executable_hash, program, utc};
use crate::manifest::{
    self, FileFacts, Invocation, Manifest, Question, RunCounts, SegmentShare, StoreShare, Traces,
};
use crate::output;
use crate::planning::{Plan, Planned};
use crate::session::{Session, trace_dir};
use crate::up_to_date::{self, Standing};
use report::{ReportError, Topic};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use sweep::{ContentHash, Experiment, ResultHead, SegmentInfo, Status, Store};
use table::{ComparisonSpec, FileSet, Frame, PendingFile, SealedFile, Table};

/// The scorecard's name below the folder of results.
const SCORECARD: &str = "scorecard.md";

/// Below an experiment's folder, its claims under every setting.
const SETTINGS: &str = "tables/settings.md";

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
) -> Result<Evidence, Failure> {
    let mut claims = Evidence::default();
    for (planned, manifest) in plan.experiments.iter().zip(manifests) {
        manifest.warnings.iter().for_each(|warning| session.warn(warning));
        let folder = folder(out, &planned.experiment);
        let read = |table: Table| Frame::read_parquet(&folder.join(table.file_name()));
        if !planned.experiment.claims.is_empty() {
            claims.add_claims(read(Table::Claims)?);
        }
        if !planned.experiment.tables.is_empty() {
            claims.note_tables(planned, &read(Table::Published)?)?;
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
    fn write(&self) -> Result<Evidence, Failure> {
        let mut claims = Evidence::default();
        let mut all = Vec::new();
        for planned in &self.plan.experiments {
            let mut staged = Staged::default();
            self.stage(planned, &mut staged, &mut claims)?;
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

    /// Writes tables and figures of an experiment, and adds what its part of the scorecard needs.
    fn stage(&self, planned: &Planned, staged: &mut Staged, evidence: &mut Evidence) -> Result<(), Failure> {
        let experiment = &planned.experiment;
        let columns = experiment.columns();
        let head = ResultHead { study: &experiment.study, experiment: &experiment.name, columns: &columns };
        let results = sweep::collect(head, planned.runs(&self.plan.absent), self.store)?;
        if results.missing > 0 {
            return Err(lost(planned, results.missing));
        }
        let tables = sweep::tables(results, &columns, &experiment.comparisons, &metadata(planned))?;
        let axes: Vec<String> = columns.into_iter().map(|column| column.name).collect();
        staged.files.append(sweep::stage_results(&folder(&self.args.out, experiment), &tables)?);
        self.test(planned, &tables, &axes, staged, evidence)?;
        self.draw(planned, &tables, &axes, staged)?;
        self.draw_schedules(planned, staged)
    }

    /// Draws the schedules, for which a run each is carried out again: no table knows which node did what when.
    fn draw_schedules(&self, planned: &Planned, staged: &mut Staged) -> Result<(), Failure> {
        if planned.experiment.schedules.is_empty() {
            return Ok(());
        }
        let traces = trace_dir(self.args.traces.traces.as_ref())?;
        let folder = self.args.out.join(&planned.experiment.study).join("figures");
        for spec in &planned.experiment.schedules {
            match gantt::schedule(self.session, &planned.experiment, spec, &traces)? {
                Ok((name, picture)) => staged.files.add(stage_text(&folder.join(name), &picture)?),
                Err(warning) => {
                    self.session.warn(&warning);
                    staged.warnings.push(warning);
                }
            }
        }
        Ok(())
    }

    /// Tests the claims and measures the published tables.
    fn test(
        &self,
        planned: &Planned,
        tables: &sweep::Tables,
        axes: &[String],
        staged: &mut Staged,
        evidence: &mut Evidence,
    ) -> Result<(), Failure> {
        let experiment = &planned.experiment;
        let folder = folder(&self.args.out, experiment);
        let metrics: Vec<&str> = experiment
            .claims
            .iter()
            .flat_map(|claim| claim.predicates.iter().flat_map(|predicate| predicate.metrics()))
            .chain(
                experiment.tables.iter().flat_map(|table| table.quantities().flat_map(|one| one.metrics())),
            )
            .collect();
        let runs = report::with_groups(&tables.runs, &tables.groups, axes, &metrics)?;
        let (study, settings) = (experiment.study.as_str(), experiment.settings.as_slice());
        let topic = Topic { study, experiment: &experiment.name, axes, settings };
        let mut claims = report::evaluate(&experiment.claims, &runs, &tables.groups, topic)?;
        claims.metadata.clone_from(&tables.runs.metadata);
        staged.files.add(claims.stage_parquet(&folder.join(Table::Claims.file_name()))?);
        if let Some(page) = report::settings_markdown(&claims)? {
            staged.files.add(stage_text(&folder.join(SETTINGS), &page)?);
        }
        let published = report::published(&experiment.tables, &runs, axes)?;
        let mut cells = report::published_frame(&published, study, &experiment.name)?;
        cells.metadata.clone_from(&tables.runs.metadata);
        staged.files.add(cells.stage_parquet(&folder.join(Table::Published.file_name()))?);
        for table in &published {
            let path = folder.join(evidence::TABLES).join(format!("{}.md", table.spec.id));
            staged.files.add(stage_text(&path, &report::published_markdown(table))?);
        }
        self.draw_published(planned, &published, staged)?;
        evidence.note_tables(planned, &cells)?;
        if !experiment.claims.is_empty() {
            evidence.add_claims(claims);
        }
        Ok(())
    }

    fn draw_published(
        &self,
        planned: &Planned,
        published: &[report::Published<'_>],
        staged: &mut Staged,
    ) -> Result<(), Failure> {
        for spec in &planned.experiment.table_figures {
            self.keep(planned, report::draw_published(spec, published), staged)?;
        }
        Ok(())
    }

    /// Draws the figures; one that has nothing to show is no failure of the others.
    fn draw(
        &self,
        planned: &Planned,
        tables: &sweep::Tables,
        axes: &[String],
        staged: &mut Staged,
    ) -> Result<(), Failure> {
        for spec in &planned.experiment.figures {
            if spec.kind.is_of_groups() {
                self.keep(planned, report::draw_groups(spec, &tables.groups, axes), staged)?;
                continue;
            }
            let ratios = spec.normalise_by.as_ref().map(|baseline| {
                let (id, metrics) = (spec.id.clone(), vec![spec.y.clone()]);
                let comparison = ComparisonSpec { id, metrics, baseline: baseline.clone() };
                table::compare(&tables.runs, axes, &[comparison])
            });
            let drawn = report::draw(spec, &tables.summary, ratios.transpose()?.as_ref(), axes);
            self.keep(planned, drawn, staged)?;
        }
        Ok(())
    }

    /// Writes the pictures of a figure; one that has nothing to show is a warning.
    fn keep(
        &self,
        planned: &Planned,
        drawn: Result<Vec<report::Figure>, ReportError>,
        staged: &mut Staged,
    ) -> Result<(), Failure> {
        let folder = self.args.out.join(&planned.experiment.study).join("figures");
        match drawn {
            Ok(figures) => {
                for figure in figures {
                    staged.files.add(stage_text(&folder.join(&figure.file_name), &figure.svg)?);
                }
                Ok(())
            }
            Err(problem @ (ReportError::Empty { .. } | ReportError::NoBaseline { .. })) => {
                let warning = chain(&problem);
                self.session.warn(&warning);
                staged.warnings.push(warning);
                Ok(())
            }
            Err(problem) => Err(problem.into()),
        }
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
