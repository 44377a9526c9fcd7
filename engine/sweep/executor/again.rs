//! Runs outside of a sweep: carried out to be looked at, and written nowhere.

use super::stop::Reason;
use super::sweep::caught;
use super::{Halt, Runner, StopFlag, Unfinished};
use crate::RunSpec;
use crate::error::SweepError;
use rayon::prelude::*;
use sim::Outcome;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Between two looks at whether all is to stop.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Carries runs out as a sweep does, on so many threads (one per core where absent), and returns what came of each, in their
/// order: its outcome, the message of its failure or panic, or nothing where it was not carried out or given up because all was
/// asked to stop. Runs in flight are then given up at once, since nothing of them would be kept.
///
/// # Errors
/// Where threads cannot be started.
pub fn carry_out<R: Runner>(
    specs: &[RunSpec],
    runner: &R,
    jobs: Option<usize>,
    stop: &StopFlag,
) -> Result<Vec<Option<Result<Outcome, String>>>, SweepError> {
    let threads = jobs.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|problem| SweepError::Threads { threads, reason: problem.to_string() })?;
    let halt = Halt::default();
    let look = || {
        if stop.is_set() {
            halt.ask(Reason::Abandoned);
        }
    };
    let (over, waiting) = channel::<()>();
    look();
    Ok(std::thread::scope(|scope| {
        scope.spawn(move || {
            while waiting.recv_timeout(LOOK_UP) == Err(RecvTimeoutError::Timeout) {
                look();
            }
        });
        let outcomes = pool.install(|| specs.par_iter().map(|spec| once(spec, runner, &halt)).collect());
        drop(over);
        outcomes
    }))
}

fn once<R: Runner>(spec: &RunSpec, runner: &R, halt: &Halt) -> Option<Result<Outcome, String>> {
    if halt.asked() {
        return None;
    }
    let workload = match caught(|| runner.build(spec)) {
        Ok(workload) => workload,
        Err(message) => return Some(Err(message)),
    };
    match caught(|| Ok(runner.run(spec, &workload, halt))) {
        Ok(Ok(outcome)) => Some(Ok(outcome)),
        Ok(Err(Unfinished::Failed(message))) | Err(message) => Some(Err(message)),
        Ok(Err(Unfinished::Halted)) => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::test_case::{outcome, task};

    /// What becomes of a run is decided by its replication.
    struct Odd(StopFlag);

    impl Runner for Odd {
        type Workload = u32;

        fn build(&self, spec: &RunSpec) -> Result<u32, String> {
            match spec.replication {
                1 => Err("no jobs".to_owned()),
                2 => panic!("no idea"),
                replication => Ok(replication),
            }
        }

        fn bytes(&self, _: &u32) -> usize {
            0
        }

        fn run(&self, _: &RunSpec, replication: &u32, halt: &Halt) -> Result<Outcome, Unfinished> {
            match replication {
                3 => Err(Unfinished::Failed("stalled".to_owned())),
                4 => panic!("out of range"),
                // One that ends only when it is asked to, and asks for that itself.
                5 => {
                    self.0.stop();
                    while !halt.asked() {
                        std::thread::yield_now();
                    }
                    Err(Unfinished::Halted)
                }
                _ => Ok(outcome(1.0)),
            }
        }
    }

    fn all(replications: &[u32], stop: &StopFlag) -> Vec<Option<Result<Outcome, String>>> {
        let specs: Vec<RunSpec> = replications.iter().map(|number| task(8, *number).spec).collect();
        carry_out(&specs, &Odd(stop.clone()), Some(1), stop).unwrap()
    }

    #[test]
    fn failures_and_panics_are_messages() {
        let found = all(&[0, 1, 2, 3, 4, 0], &StopFlag::default());
        let message = |text: &str| Some(Err(text.to_owned()));
        let (fine, failed) = (Some(Ok(outcome(1.0))), message("no jobs"));
        let panics = [message("panic: no idea"), message("panic: out of range")];
        assert_eq!(
            found,
            [&fine, &failed, &panics[0], &message("stalled"), &panics[1], &fine].map(Clone::clone)
        );
    }

    #[test]
    fn a_run_in_flight_is_given_up_and_no_other_begun() {
        let stop = StopFlag::default();
        assert_eq!(all(&[0, 5, 0], &stop), [Some(Ok(outcome(1.0))), None, None]);
        assert_eq!(all(&[0], &stop), [None]);
    }
}
