//! A policy that does whatever is legal, and the books that must balance after it.

use crate::scene::{Run, Scene};
use crate::script::run_script;
use crate::workloads::{Accuracy, cases, scenes};
use proptest::prelude::*;
use sim::job::{JobSlot, Rate};
use sim::kernel::Pass;
use sim::{Passes, Span, Time};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What was done to a job, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Act {
    Start,
    Suspend,
    Resume,
    Rate(u64),
    Add(i64),
    Kill,
}

/// By arrival.
type Ledger = BTreeMap<u64, Vec<(i64, Act)>>;

const RATES: [u64; 6] = [1 << 32, 1 << 31, (1 << 32) / 3, 3 << 30, 12_345, 0];

struct Mischief {
    seed: u64,
    /// How many more things it will do before it lets the jobs finish.
    budget: u32,
    ledger: Rc<RefCell<Ledger>>,
}

impl Mischief {
    /// A small generator of its own, so that a failure can be repeated.
    fn roll(&mut self, sides: u64) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed % sides
    }

    fn book(&self, pass: &Pass<'_>, job: JobSlot, act: Act) {
        let arrival = pass.request(job).arrival;
        self.ledger.borrow_mut().entry(arrival).or_default().push((pass.now().0, act));
    }

    fn touch_running(&mut self, pass: &mut Pass<'_>, job: JobSlot) {
        let (done, act) = match self.roll(12) {
            0..3 => (pass.suspend(job), Act::Suspend),
            3..7 => {
                let rate = RATES[self.roll(RATES.len() as u64) as usize];
                (pass.set_rate(job, Rate(rate)), Act::Rate(rate))
            }
            7..9 => {
                let span = self.roll(3_000_000) as i64;
                (pass.add_work(job, Span(span)), Act::Add(span))
            }
            9 => (pass.kill(job), Act::Kill),
            _ => return,
        };
        assert!(done);
        self.book(pass, job, act);
    }

    fn touch_suspended(&mut self, pass: &mut Pass<'_>, job: JobSlot) {
        match self.roll(8) {
            0 => {
                assert!(pass.kill(job));
                self.book(pass, job, Act::Kill);
            }
            1 => {
                assert!(pass.add_work(job, Span(77)));
                self.book(pass, job, Act::Add(77));
            }
            2..5 => self.resume(pass, job),
            _ => {}
        }
    }

    fn resume(&mut self, pass: &mut Pass<'_>, job: JobSlot) {
        if pass.resume(job) {
            self.book(pass, job, Act::Resume);
        }
    }

    fn start(&mut self, pass: &mut Pass<'_>, job: JobSlot) {
        if pass.start(job) {
            self.book(pass, job, Act::Start);
        }
    }

    fn play(&mut self, pass: &mut Pass<'_>) {
        // Those suspended in this very pass are left alone: put back, they would not have been off.
        let suspended: Vec<JobSlot> = pass.suspended().collect();
        for job in pass.running().collect::<Vec<_>>() {
            self.touch_running(pass, job);
        }
        for job in suspended {
            self.touch_suspended(pass, job);
        }
        for job in pass.waiting().collect::<Vec<_>>() {
            if self.roll(3) > 0 {
                self.start(pass, job);
            }
        }
        self.budget -= 1;
        let nap = self.roll(4_000_000) as i64 + 1;
        pass.wake_at(pass.now() + Span(nap));
    }

    fn finish(&mut self, pass: &mut Pass<'_>) {
        for job in pass.suspended().collect::<Vec<_>>() {
            self.resume(pass, job);
        }
        for job in pass.running().collect::<Vec<_>>() {
            assert!(pass.set_rate(job, Rate::FULL));
            self.book(pass, job, Act::Rate(Rate::FULL.0));
        }
        for job in pass.waiting().collect::<Vec<_>>() {
            self.start(pass, job);
        }
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        if self.budget > 0 { self.play(pass) } else { self.finish(pass) }
    }
}

/// When the job ends by the books: whole work at the booked rates, or a kill.
fn booked_end(run_time: i64, entries: &[(i64, Act)]) -> (i64, bool) {
    const FULL: i128 = 1 << 32;
    let mut left = i128::from(run_time) * FULL;
    let (mut rate, mut since) = (0, 0);
    for (index, &(at, act)) in entries.iter().enumerate() {
        left -= i128::from(at - since) * rate;
        since = at;
        match act {
            Act::Start | Act::Resume => rate = FULL,
            Act::Suspend => rate = 0,
            Act::Rate(new) => rate = i128::from(new),
            Act::Add(more) => left += i128::from(more) * FULL,
            Act::Kill => {
                assert_eq!(index + 1, entries.len(), "nothing happens to the dead");
                return (at, true);
            }
        }
        assert!(left > 0, "it should have ended before {at}");
    }
    assert!(rate > 0, "it never ends");
    let rest = (left + rate - 1) / rate;
    (since + i64::try_from(rest).unwrap(), false)
}

fn play(scene: &Scene, seed: u64, budget: u32) -> (Run, Ledger) {
    let ledger = Rc::new(RefCell::new(Ledger::new()));
    let mut mischief = Mischief { seed: seed | 1, budget, ledger: Rc::clone(&ledger) };
    let run = run_script(scene, move |pass| mischief.schedule(pass)).unwrap();
    let ledger = ledger.take();
    (run, ledger)
}

/// The pieces of each job lie on the same nodes, and fill exactly the time between a start or resume and what ended it.
fn check_pieces(run: &Run, ledger: &Ledger) -> Result<(), TestCaseError> {
    for line in &run.lines {
        let mut expected = Vec::new();
        let mut since = None;
        for &(at, act) in &ledger[&line.arrival] {
            match act {
                Act::Start | Act::Resume => since = Some(at),
                Act::Suspend => expected.push((since.take().unwrap(), at)),
                Act::Kill if since.is_some() => expected.push((since.take().unwrap(), at)),
                _ => {}
            }
        }
        expected.extend(since.map(|since| (since, line.finish.0)));
        let pieces: Vec<_> = run.pieces.iter().filter(|piece| piece.job == line.job.id).collect();
        let found: Vec<_> = pieces.iter().map(|piece| (piece.from.0, piece.to.0)).collect();
        prop_assert_eq!(found, expected, "job {}", line.job.id);
        prop_assert!(pieces.iter().all(|piece| piece.nodes == pieces[0].nodes));
        prop_assert_eq!(pieces[0].nodes.len(), line.job.size);
    }
    Ok(())
}

fn check_nodes(run: &Run) -> Result<(), TestCaseError> {
    for (index, a) in run.pieces.iter().enumerate() {
        for b in &run.pieces[..index] {
            let together = a.from < b.to && b.from < a.to;
            let shared = a.nodes.nodes().any(|node| b.nodes.nodes().any(|other| other == node));
            prop_assert!(!(together && shared), "{a:?} and {b:?}");
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(2))]

    /// Work is conserved over suspensions, changes of rate and additions.
    #[test]
    fn every_job_ends_when_its_work_is_done(
        mut scene in scenes(Accuracy::Any), seed: u64, budget in 1u32..60,
    ) {
        scene.setup.passes = Passes::PerInstant;
        let (run, ledger) = play(&scene, seed, budget);
        prop_assert_eq!(run.lines.len(), scene.jobs.len());
        for line in &run.lines {
            let entries = &ledger[&line.arrival];
            prop_assert_eq!(entries[0], (line.start.0, Act::Start));
            let (end, killed) = booked_end(line.job.run_time.0, entries);
            prop_assert_eq!((line.finish, line.killed), (Time(end), killed), "job {}", line.job.id);
        }
        check_pieces(&run, &ledger)?;
        check_nodes(&run)?;
    }

    /// With a pass per event a job may be touched in the instant in which it is about to end, so that its end can be put off;
    /// all else holds.
    #[test]
    fn more_passes_lose_no_job(mut scene in scenes(Accuracy::Any), seed: u64, budget in 1u32..60) {
        scene.setup.passes = Passes::PerEvent;
        let (run, ledger) = play(&scene, seed, budget);
        prop_assert_eq!(run.lines.len(), scene.jobs.len());
        check_pieces(&run, &ledger)?;
        check_nodes(&run)?;
    }

    #[test]
    fn mischief_is_repeatable(scene in scenes(Accuracy::Any), seed: u64) {
        let (first, second) = (play(&scene, seed, 40), play(&scene, seed, 40));
        prop_assert_eq!(first.0.lines, second.0.lines);
        prop_assert_eq!(first.1, second.1);
    }
}
