//! How a sweep, or one run of it, is asked to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

/// Asks a sweep to stop. May be set from any thread, at any time.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<Levels>);

#[derive(Debug, Default)]
struct Levels {
    stopped: AtomicBool,
    abandoned: AtomicBool,
}

impl StopFlag {
    /// Asks to begin no more runs; those in flight are finished and written.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// Asks to give up the runs in flight too; what is finished is written.
    pub fn abandon(&self) {
        self.0.abandoned.store(true, Ordering::Relaxed);
        self.stop();
    }

    /// Whether it was asked to stop.
    pub fn is_set(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Whether the runs in flight are to be given up.
    pub fn is_abandoned(&self) -> bool {
        self.0.abandoned.load(Ordering::Relaxed)
    }
}

/// Why a run was asked to end early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The sweep was abandoned.
    Abandoned = 1,
    /// It took longer than a run may.
    Late = 2,
    /// The process took more memory than it may.
    Memory = 3,
}

/// Asks one run to end early. The first reason stays.
#[derive(Debug, Default)]
pub struct Halt(AtomicU8);

impl Halt {
    /// Whether the run is to end. Cheap enough to be asked in every pass.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Asks it to end.
    pub(super) fn ask(&self, reason: Reason) {
        // That another reason was there first is as good.
        let _ = self.0.compare_exchange(0, reason as u8, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Why, if it was asked.
    pub(super) fn reason(&self) -> Option<Reason> {
        let known = [Reason::Abandoned, Reason::Late, Reason::Memory];
        known.into_iter().find(|reason| *reason as u8 == self.0.load(Ordering::Relaxed))
    }
}

/// A limit for people: in the largest unit that leaves no rest.
pub(super) fn length(limit: Duration) -> String {
    let seconds = limit.as_secs();
    let units = [("h", 3600), ("min", 60)];
    let unit = units
        .into_iter()
        .find(|(_, one)| seconds > 0 && seconds.is_multiple_of(*one) && limit.subsec_nanos() == 0);
    unit.map_or(format!("{} s", limit.as_secs_f64()), |(name, one)| format!("{} {name}", seconds / one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn to_abandon_is_to_stop_too() {
        let stop = StopFlag::default();
        stop.stop();
        assert!(stop.is_set() && !stop.is_abandoned());
        let stop = StopFlag::default();
        stop.clone().abandon();
        assert!(stop.is_set() && stop.is_abandoned());
    }

    #[test]
    fn the_first_reason_stays() {
        let halt = Halt::default();
        assert!(!halt.asked() && halt.reason().is_none());
        halt.ask(Reason::Late);
        halt.ask(Reason::Abandoned);
        assert!(halt.asked() && halt.reason() == Some(Reason::Late));
    }

    #[test]
    fn limits_are_written_as_people_would() {
        let texts = [0.5, 90.0, 1800.0, 7200.0].map(|seconds| length(Duration::from_secs_f64(seconds)));
        assert_eq!(texts, ["0.5 s", "90 s", "30 min", "2 h"]);
    }
}
