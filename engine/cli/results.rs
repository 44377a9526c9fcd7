//! From the store to what is asked for: tables, claims, figures, scorecard.

use crate::diagnostic::{Failure, chain};
use crate::planning::{Plan, Planned};
use crate::session::Session;
use report::ReportError;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use sweep::{ContentHash, ResultHead, Store};
use table::{ComparisonSpec, Frame, PendingFile, Table};

/// Claims of some experiments with what their scorecard needs.
#[derive(Debug, Default)]
pub struct Claims {
    frames: Vec<Frame>,
    assumptions: Vec<report::Assumption>,
}

/// Writes tables and figures of all experiments below `out`, and returns their claims.
///
/// # Errors
/// Where a table cannot be computed or a file not be written; each file appears whole or not at all.
pub fn write(session: &Session, plan: &Plan, store: &Store, out: &Path) -> Result<Claims, Failure> {
    let mut claims = Claims::default();
    for planned in &plan.experiments {
        let frame = write_one(session, plan, planned, store, out)?;
        if !planned.experiment.claims.is_empty() {
            claims.frames.push(frame);
        }
        claims.note_assumptions(planned);
    }
    Ok(claims)
}

fn write_one(
    session: &Session,
    plan: &Plan,
    planned: &Planned,
    store: &Store,
    out: &Path,
) -> Result<Frame, Failure> {
    let experiment = &planned.experiment;
    let columns = experiment.columns();
    let head = ResultHead { study: &experiment.study, experiment: &experiment.name, columns: &columns };
    let results = sweep::collect(head, planned.runs(&plan.absent), store)?;
    if results.missing > 0 {
        return Err(Failure::work(format!(
            "the store has lost {} results of {}/{}",
            results.missing, experiment.study, experiment.name
        ))
        .hint("run the same command again"));
    }
    let metadata = metadata(planned);
    let tables = sweep::tables(results, &columns, &experiment.comparisons, &metadata)?;
    let axes: Vec<String> = columns.into_iter().map(|column| column.name).collect();
    let mut claims =
        report::evaluate(&experiment.claims, &tables.runs, &axes, &experiment.study, &experiment.name)?;
    claims.metadata.clone_from(&tables.runs.metadata);
    let study = out.join(&experiment.study);
    let folder = study.join(&experiment.name);
    sweep::write_results(&folder, &tables)?;
    claims.write_parquet(&folder.join(Table::Claims.file_name()))?;
    draw(session, planned, &tables, &axes, &study.join("figures"))?;
    Ok(claims)
}

/// What decided the tables and is no column of theirs.
fn metadata(planned: &Planned) -> BTreeMap<String, String> {
    let experiment = &planned.experiment;
    let mut metadata =
        BTreeMap::from([("experiment_hash".to_owned(), format!("blake3:{}", experiment.text_hash))]);
    if let Some(scale) = &experiment.scale {
        metadata.insert("scale".to_owned(), scale.clone());
    }
    for (name, contents) in &planned.contents {
        let hash =
            |content: &ContentHash| content.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let hashes: Vec<String> =
            contents.iter().map(|content| format!("blake3:{}", hash(content))).collect();
        metadata.insert(format!("workload:{name}"), hashes.join(" "));
    }
    metadata
}

/// Draws the figures; one that has nothing to show is no failure of the others.
fn draw(
    session: &Session,
    planned: &Planned,
    tables: &sweep::Tables,
    axes: &[String],
    folder: &Path,
) -> Result<(), Failure> {
    for spec in &planned.experiment.figures {
        let ratios = spec.normalise_by.as_ref().map(|baseline| {
            let (id, metrics) = (spec.id.clone(), vec![spec.y.clone()]);
            table::compare(&tables.runs, axes, &[ComparisonSpec { id, metrics, baseline: baseline.clone() }])
        });
        let figures = match report::draw(spec, &tables.summary, ratios.transpose()?.as_ref(), axes) {
            Ok(figures) => figures,
            Err(problem @ (ReportError::Empty { .. } | ReportError::NoBaseline { .. })) => {
                session.warn(&chain(&problem));
                continue;
            }
            Err(problem) => return Err(problem.into()),
        };
        for figure in figures {
            write_text(&folder.join(&figure.file_name), &figure.svg)?;
        }
    }
    Ok(())
}

/// Writes a text file, whole or not at all.
///
/// # Errors
/// Where it cannot be written.
pub fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    let mut file = PendingFile::create(path)?;
    file.write_all(text.as_bytes())
        .map_err(|problem| Failure::work(format!("cannot write {}: {problem}", path.display())))?;
    Ok(file.commit()?)
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
