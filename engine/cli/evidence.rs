//! What the scorecard of an invocation is made of: the claims of its experiments, their published tables, their assumptions.

use crate::diagnostic::Failure;
use crate::planning::Planned;
use crate::session::Session;
use report::{Notes, TableIndex};
use sweep::Experiment;
use table::Frame;

/// Below an experiment's folder, its published tables as pages.
pub const TABLES: &str = "tables";

/// Claims and published tables of some experiments.
#[derive(Debug, Default)]
pub struct Evidence {
    frames: Vec<Frame>,
    notes: Notes,
}

impl Evidence {
    /// Whether there is no claim, and so no scorecard.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The scorecard for people at a terminal.
    ///
    /// # Errors
    /// Where a claims table is not one.
    pub fn terminal(&self, session: &Session) -> Result<String, Failure> {
        Ok(report::terminal(&self.frames(), &self.notes, session.width, session.color)?)
    }

    /// The scorecard as Markdown.
    ///
    /// # Errors
    /// Where a claims table is not one.
    pub fn markdown(&self) -> Result<String, Failure> {
        Ok(report::markdown(&self.frames(), &self.notes)?)
    }

    fn frames(&self) -> Vec<&Frame> {
        self.frames.iter().collect()
    }

    /// Adds an experiment's claims table.
    pub fn add_claims(&mut self, claims: Frame) {
        self.frames.push(claims);
    }

    /// Notes where an experiment's published tables are, and how many of their cells agree.
    ///
    /// # Errors
    /// Where `published` is no such table.
    pub fn note_tables(&mut self, planned: &Planned, published: &Frame) -> Result<(), Failure> {
        let experiment = &planned.experiment;
        if experiment.tables.is_empty() {
            return Ok(());
        }
        let folder = format!("{}/{}/{TABLES}", experiment.study, experiment.name);
        self.notes.tables.push(TableIndex::of(&experiment.study, &folder, &experiment.tables, published)?);
        Ok(())
    }

    /// Notes what an experiment assumes; what several assume is listed once.
    pub fn note_assumptions(&mut self, planned: &Planned) {
        for assumption in assumptions(&planned.experiment) {
            assumption.add_to(&mut self.notes.assumptions);
        }
    }
}

/// What an experiment assumes.
pub fn assumptions(experiment: &Experiment) -> impl Iterator<Item = report::Assumption> {
    experiment.assumptions.iter().map(|assumption| report::Assumption {
        study: experiment.study.clone(),
        field: assumption.field.clone(),
        value: assumption.value.clone(),
        reason: assumption.reason.clone(),
        sweep: assumption.sweep.clone(),
    })
}
