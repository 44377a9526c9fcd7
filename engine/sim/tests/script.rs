//! Policies written as closures, for what no policy of the library does.

use crate::scene::{Run, Scene};
use sim::SimError;
use sim::job::JobSlot;
use sim::kernel::{Pass, simulate_with};
use sim::observer::job_log::JobLog;
use sim::observer::trace::Trace;
use sim::policy::Policy;

/// Calls the closure in every pass.
pub struct Script<F>(pub F);

impl<F: FnMut(&mut Pass<'_>)> Policy for Script<F> {
    fn name(&self) -> &'static str {
        "the script"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        (self.0)(pass);
    }
}

/// Runs the scene's jobs under the script instead of its policy.
pub fn run_script(scene: &Scene, script: impl FnMut(&mut Pass<'_>) + 'static) -> Result<Run, SimError> {
    let mut observer = (JobLog::default(), Trace::default());
    let jobs = scene.jobs.iter().copied();
    let report = simulate_with(Box::new(Script(script)), &scene.setup, jobs, &mut observer)?;
    Ok(Run { lines: observer.0.by_arrival(), pieces: observer.1.pieces, report })
}

/// A scene whose policy does not matter.
pub fn scene(text: &str) -> Scene {
    Scene::parse(text, sim::PolicySpec::Fcfs)
}

/// The job with this letter, if it is in the system.
pub fn find(pass: &Pass<'_>, name: char) -> Option<JobSlot> {
    let mut all = pass.waiting().chain(pass.running()).chain(pass.suspended());
    all.find(|job| pass.request(*job).id == u64::from(name))
}

/// The job with this letter, which must be in the system.
pub fn get(pass: &Pass<'_>, name: char) -> JobSlot {
    find(pass, name).unwrap()
}

/// The present second.
pub fn second(pass: &Pass<'_>) -> i64 {
    assert_eq!(pass.now().0 % sim::time::TICKS_PER_SECOND, 0);
    pass.now().0 / sim::time::TICKS_PER_SECOND
}

/// Starts all waiting jobs that fit.
pub fn start_all(pass: &mut Pass<'_>) {
    for job in pass.waiting().collect::<Vec<_>>() {
        pass.start(job);
    }
}
