//! What the scorecard of an invocation is made of: the claims of its experiments, their published tables, their assumptions.

use crate::diagnostic::Failure;
use crate::planning::Planned;
use crate::session::Session;
use report::{Notes, TableIndex};
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

    /// The experiments of a study mostly share their assumptions; each is listed once.
    pub fn note_assumptions(&mut self, planned: &Planned) {
        let study = &planned.experiment.study;
        for assumption in &planned.experiment.assumptions {
            let new = report::Assumption {
                study: study.clone(),
                field: assumption.field.clone(),
                value: assumption.value.clone(),
                reason: assumption.reason.clone(),
                sweep: assumption.sweep.clone(),
            };
            // An experiment that sweeps the field has no one value of it; another of the study may.
            let same = |old: &report::Assumption| {
                (&old.study, &old.field, &old.reason, &old.sweep)
                    == (&new.study, &new.field, &new.reason, &new.sweep)
                    && (old.value == new.value || old.value.is_none() || new.value.is_none())
            };
            match self.notes.assumptions.iter_mut().find(|old| same(old)) {
                Some(old) => old.value = old.value.take().or(new.value),
                None => self.notes.assumptions.push(new),
            }
        }
    }
}
