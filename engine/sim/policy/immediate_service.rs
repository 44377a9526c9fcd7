//! The parameters of immediate service, which policies of hosts give in their own ways. Source: Chiang 2001, §3.2.2, §3.2.3 and §5.5.

use super::slice_seconds;
use crate::error::SimError;
use crate::time::Span;
use serde::{Deserialize, Serialize};

/// Immediate service: test runs of new jobs that cannot start (Chiang 2001, §3.2.2 and §5.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ImmediateService {
    /// Length of a test in seconds; 0: no tests.
    pub quantum_s: u64,
    /// Memory of a test at most, in megabytes of 1024 kB.
    pub initial_mb: u64,
    /// How a test gets its processors; of priority backfilling.
    pub form: ServiceForm,
    /// t in quanta: a job is preempted only if it has run for longer, and is expected to run for longer; of priority backfilling.
    pub settled_quanta: u64,
}

impl Default for ImmediateService {
    fn default() -> ImmediateService {
        ImmediateService {
            quantum_s: 60,
            initial_mb: 1024,
            form: ServiceForm::Preemptive,
            settled_quanta: 10,
        }
    }
}

/// How a test run gets its processors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ServiceForm {
    /// Free ones, or those of running jobs.
    #[default]
    Preemptive,
    /// Free ones, as soon as there are enough.
    Soon,
}

/// The same in the units of a run.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The length of a test, which is positive.
    pub quantum: Span,
    /// Its memory at most.
    pub initial_kb: u64,
    /// Whether running jobs make room.
    pub preempts: bool,
    /// t: how long a victim must have run, and be expected to run.
    pub settled: Span,
}

impl ImmediateService {
    /// Checks the numbers.
    ///
    /// # Errors
    /// [`SimError::Setup`] for times that are longer than a simulation can tell.
    pub fn validate(self) -> Result<(), SimError> {
        self.terms().map(|_| ())
    }

    /// Checks that nothing is asked for that only priority backfilling has.
    ///
    /// # Errors
    /// [`SimError::Setup`] with what cannot be chosen.
    pub fn without_victims(self) -> Result<(), SimError> {
        let ImmediateService { form, settled_quanta, .. } = ImmediateService::default();
        if (self.form, self.settled_quanta) == (form, settled_quanta) {
            return Ok(());
        }
        let reason = "tests of EqSpatial borrow processors: form and settled_quanta are of PriorityBackfill";
        Err(SimError::Setup { reason: reason.into() })
    }

    /// In the units of a run; `None` for tests of no length.
    pub(super) fn terms(self) -> Result<Option<Terms>, SimError> {
        let quantum = slice_seconds("quantum_s", self.quantum_s, 0)?;
        let settled = slice_seconds("settled_quanta", self.quantum_s.saturating_mul(self.settled_quanta), 0)?;
        let initial_kb = self.initial_mb.saturating_mul(1024);
        let preempts = self.form == ServiceForm::Preemptive;
        Ok(Some(Terms { quantum, initial_kb, preempts, settled }).filter(|_| self.quantum_s > 0))
    }
}
