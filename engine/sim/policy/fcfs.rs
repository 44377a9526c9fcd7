//! First come, first served.
//!
//! Decides: waiting jobs start in arrival order; the first that does not fit stops the pass.
//! Source: Pascual & Miguel-Alonso 2008, §III "FCFS".
//! Parameters: none.
//! Differs: none known.
//! Ties: none; the arrival order is total.
//! Cost: one placement per started job and one for the first that does not fit.

use super::Policy;
use crate::kernel::Pass;

/// The policy; see the module.
pub struct Fcfs;

impl Policy for Fcfs {
    fn name(&self) -> &'static str {
        "FCFS"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        while let Some(head) = pass.head() {
            if !pass.start(head) {
                return;
            }
        }
    }
}
