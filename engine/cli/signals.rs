//! Signals. While runs are carried out, SIGINT and SIGTERM stop the sweep in two steps and end the process at the third, and
//! SIGUSR1 is a planned stop. Before and after, SIGINT and SIGTERM end the process: then no file is half written.

use crate::diagnostic::Failure;
use crate::output;
use signal_hook::consts::{SIGINT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use sweep::StopFlag;

/// What has come so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// SIGINT and SIGTERM.
    pub stops: u8,
    /// Whether SIGUSR1 came.
    pub planned: bool,
}

/// Listens to signals until the process ends.
#[derive(Clone, Debug, Default)]
pub struct Listener(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    phase: Phase,
    received: Received,
}

#[derive(Debug, Default)]
enum Phase {
    #[default]
    Before,
    Running(StopFlag),
    After,
}

/// What is to be done at once.
#[derive(Debug, PartialEq, Eq)]
enum Act {
    Nothing,
    Exit(i32),
}

impl Listener {
    /// Begins to listen.
    ///
    /// # Errors
    /// Where the system refuses.
    pub fn start() -> Result<Listener, Failure> {
        let listener = Listener::default();
        let refused = |problem| Failure::work(format!("cannot listen to signals: {problem}"));
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGUSR1]).map_err(refused)?;
        let own = listener.clone();
        let listen = move || {
            for signal in signals.forever() {
                if let Act::Exit(code) = own.receive(signal) {
                    if code == 0 {
                        output::talk("stopped by SIGUSR1 before the first run");
                    }
                    std::process::exit(code);
                }
            }
        };
        std::thread::Builder::new().name("signals".to_owned()).spawn(listen).map_err(refused)?;
        Ok(listener)
    }

    /// Runs are carried out from now on.
    pub fn running(&self, stop: &StopFlag) {
        self.state().phase = Phase::Running(stop.clone());
    }

    /// No more runs are carried out.
    pub fn over(&self) {
        self.state().phase = Phase::After;
    }

    /// What came while runs were carried out.
    pub fn received(&self) -> Received {
        self.state().received
    }

    fn receive(&self, signal: i32) -> Act {
        let mut state = self.state();
        let State { phase, received } = &mut *state;
        match (phase, signal) {
            (Phase::Before, SIGUSR1) => Act::Exit(0),
            // What is left takes no time to speak of.
            (Phase::After, SIGUSR1) => Act::Nothing,
            (Phase::Before | Phase::After, _) => Act::Exit(130),
            (Phase::Running(stop), SIGUSR1) => {
                received.planned = true;
                stop.stop();
                Act::Nothing
            }
            (Phase::Running(stop), _) => {
                received.stops += 1;
                match received.stops {
                    1 => stop.stop(),
                    2 => stop.abandon(),
                    _ => return Act::Exit(130),
                }
                Act::Nothing
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // It is never half changed.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_third_signal_ends_the_process() {
        let (listener, stop) = (Listener::default(), StopFlag::default());
        listener.running(&stop);
        assert_eq!(listener.receive(SIGINT), Act::Nothing);
        assert!(stop.is_set() && !stop.is_abandoned());
        assert_eq!(listener.receive(SIGTERM), Act::Nothing);
        assert!(stop.is_abandoned());
        assert_eq!(listener.receive(SIGINT), Act::Exit(130));
        assert_eq!(listener.received(), Received { stops: 3, planned: false });
    }

    #[test]
    fn a_planned_stop_abandons_nothing_and_a_signal_after_it_counts() {
        let (listener, stop) = (Listener::default(), StopFlag::default());
        listener.running(&stop);
        for _ in 0..3 {
            assert_eq!(listener.receive(SIGUSR1), Act::Nothing);
        }
        assert!(stop.is_set() && !stop.is_abandoned());
        assert_eq!(listener.receive(SIGINT), Act::Nothing);
        assert!(!stop.is_abandoned());
        assert_eq!(listener.received(), Received { stops: 1, planned: true });
    }

    #[test]
    fn before_and_after_the_runs_a_signal_ends_the_process() {
        let listener = Listener::default();
        assert_eq!(
            [SIGINT, SIGTERM, SIGUSR1].map(|signal| listener.receive(signal)),
            [Act::Exit(130), Act::Exit(130), Act::Exit(0)]
        );
        listener.over();
        assert_eq!([SIGINT, SIGUSR1].map(|signal| listener.receive(signal)), [Act::Exit(130), Act::Nothing]);
        assert_eq!(listener.received(), Received::default());
    }
}
