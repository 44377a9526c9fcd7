//! Kills at random moments of a sweep's whole life, from its first instruction to its last table, by the hundred.
//!
//! BACKSWEEP_KILLS says how many kills, BACKSWEEP_SEED from which seed the moments are drawn; the seed in use is printed.

use super::{EXPERIMENT, assert_same_tables, is_unfinished};
use crate::program::Folder;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant, UNIX_EPOCH};
use sweep::{Access, Experiment, KeyMaker, Overrides, RunKey, Store};
use workload::TraceDir;

const SIGKILL: i32 = 9;
/// Kills per test where nothing else is asked for; a few seconds' worth.
pub(super) const KILLS: usize = 60;

/// A small generator (splitmix64), so that a campaign can be repeated.
pub(super) struct Moments(pub u64);

impl Moments {
    /// A number from 0 to 1.
    pub fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

pub(super) fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}

/// A process that was started and maybe killed: what it said, and what became of it.
pub(super) struct Attempt {
    pub killed: bool,
    /// Keys of the runs that it reported as done, in the order of its words.
    done: Vec<RunKey>,
    /// Of these, how many it reported as safe on disk.
    flushed: usize,
}

impl Attempt {
    /// Starts the program and kills it after `life`.
    pub fn make(folder: &Folder, line: &str, life: Duration) -> Attempt {
        let mut child =
            folder.command(line).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program");
        let lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let (over, ending) = channel::<()>();
        thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let words: Vec<String> = lines.map_while(Result::ok).collect();
                drop(over);
                words
            });
            if ending.recv_timeout(life) == Err(RecvTimeoutError::Timeout) {
                child.kill().expect("a child can be killed");
            }
            Attempt::of(child, &reader.join().expect("the reader"))
        })
    }

    fn of(mut child: Child, words: &[String]) -> Attempt {
        let status = child.wait().expect("a child can be waited for");
        let killed = status.signal() == Some(SIGKILL);
        assert!(killed || status.success(), "{status}: {words:#?}");
        let mut attempt = Attempt { killed, done: Vec::new(), flushed: 0 };
        for line in words {
            // The last line of a killed process may be torn.
            let Ok(event) = serde_json::from_str::<serde_json::Value>(line) else { continue };
            match event["event"].as_str() {
                Some("run_finished") => {
                    attempt.done.push(event["key"].as_str().expect("a key").parse().expect("a key"));
                }
                Some("flushed") => attempt.flushed += event["rows"].as_u64().expect("rows") as usize,
                Some("warning") => panic!("{event}"),
                _ => {}
            }
        }
        attempt
    }

    /// The runs that it reported as safe on disk. One worker hands its rows over in the order in which it reports them.
    fn safe(&self) -> &[RunKey] {
        &self.done[..self.flushed.min(self.done.len())]
    }
}

/// How long a process lives that nobody kills.
#[derive(Clone, Copy)]
struct Lives {
    with_everything_to_do: Duration,
    with_tables_to_write: Duration,
}

impl Lives {
    /// With a sweep of which this share is left.
    fn expected(self, left: f64) -> Duration {
        let runs = self.with_everything_to_do.saturating_sub(self.with_tables_to_write);
        self.with_tables_to_write + runs.mul_f64(left)
    }
}

/// One sweep that is killed again and again until a process gets through.
struct Round<'a> {
    folder: &'a Folder,
    keys: &'a [RunKey],
    store: String,
    out: String,
    /// What was once in the store.
    kept: Mutex<BTreeSet<RunKey>>,
}

impl Round<'_> {
    /// The runs that the store answers now, after checking that it quarantined nothing and warns of nothing.
    fn answered(&self) -> BTreeSet<RunKey> {
        let mut store = Store::open(&self.folder.path(&self.store), Access::Read).expect("the store");
        assert_eq!(store.take_warnings(), Vec::<String>::new());
        self.keys.iter().filter(|key| store.answers(key)).copied().collect()
    }

    /// Asserts that nothing is lost that was in the store before, or that the killed process called safe.
    fn check(&self, attempt: &Attempt, seed: u64) {
        let before = self.kept.lock().expect("no panic").clone();
        let now = self.answered();
        let lost = before.iter().chain(attempt.safe()).filter(|key| !now.contains(key)).count();
        assert_eq!(lost, 0, "flushed runs are lost; BACKSWEEP_SEED={seed}");
        self.kept.lock().expect("no panic").extend(now);
    }

    /// Starts and kills processes one after the other until one gets through; how many were killed.
    fn worker(&self, lives: Lives, seed: u64, mut moments: Moments) -> usize {
        let line = format!(
            "run e.ron --jobs 1 --flush-every 20 --progress json --store {} --out {}",
            self.store, self.out
        );
        let mut killed = 0;
        loop {
            let left = 1.0 - self.kept.lock().expect("no panic").len() as f64 / self.keys.len() as f64;
            // On a machine that has become slower a round must end too.
            let patience = 1.1 + killed as f64 / 20.0;
            let life = lives.expected(left).mul_f64(patience * moments.share());
            let attempt = Attempt::make(self.folder, &line, life);
            self.check(&attempt, seed);
            if !attempt.killed {
                return killed;
            }
            killed += 1;
        }
    }

    /// Asserts that the tables and the store are those of a sweep that nobody disturbed.
    fn finish(&self) {
        assert_eq!(self.answered().len(), self.keys.len());
        assert_same_tables(self.folder, "whole", &self.out);
        let names = self.folder.names();
        let odd = names.iter().filter(|name| name.starts_with(&format!("{}/", self.store)));
        let odd: Vec<_> = odd.filter(|name| !name.contains("/seg-") && !is_unfinished(name)).collect();
        assert!(odd.iter().all(|name| name.trim_end_matches('/') == self.store), "{odd:?}");
    }
}

/// The keys of the experiment's runs with these loads; of all where none are named.
pub(super) fn keys_with(loads: &str) -> Vec<RunKey> {
    let set = (!loads.is_empty()).then(|| ("load".to_owned(), loads.to_owned()));
    let overrides = Overrides { set: set.into_iter().collect(), ..Overrides::default() };
    let experiment = Experiment::parse("e.ron", EXPERIMENT, &overrides).expect("sound");
    let traces = TraceDir::none();
    let mut keys = KeyMaker::with_traces(&traces);
    experiment.runs().map(|run| keys.task(run.spec).expect("a key").key).collect()
}

/// Kills as many processes as asked for, so many of them running at a time on one store.
// The number of kills is what whoever starts a campaign wants to know; tests show it with --nocapture.
#[allow(clippy::print_stdout)]
fn campaign(processes: u64) {
    let wanted = from_environment("BACKSWEEP_KILLS").map_or(KILLS, |kills| kills as usize);
    let clock = UNIX_EPOCH.elapsed().expect("the clock").as_nanos() as u64;
    let seed = from_environment("BACKSWEEP_SEED").unwrap_or(clock);
    let folder = Folder::new();
    folder.write("e.ron", EXPERIMENT);
    let begin = Instant::now();
    let life = || {
        let begin = Instant::now();
        folder.call("run e.ron --jobs 1 --flush-every 20 --store other --out whole").done();
        begin.elapsed()
    };
    let lives = Lives { with_everything_to_do: life(), with_tables_to_write: life() };
    let keys = keys_with("");
    let (mut killed, mut rounds) = (0, 0);
    while killed < wanted {
        let (store, out) = (format!("s{rounds}"), format!("out{rounds}"));
        let round = Round { folder: &folder, keys: &keys, store, out, kept: Mutex::default() };
        killed += thread::scope(|scope| {
            let workers = (0..processes).map(|worker| {
                let moments = Moments(seed ^ ((rounds * processes + worker) << 32));
                scope.spawn(|| round.worker(lives, seed, moments))
            });
            let workers: Vec<_> = workers.collect();
            workers.into_iter().map(|worker| worker.join().expect("a worker")).sum::<usize>()
        });
        round.finish();
        rounds += 1;
    }
    println!(
        "{killed} kills survived with {processes} processes at a time, {rounds} sweeps completed in {:.0} s \
         (BACKSWEEP_SEED={seed})",
        begin.elapsed().as_secs_f64()
    );
}

#[test]
fn sweeps_survive_kills_at_random_moments() {
    campaign(1);
}

#[test]
fn three_processes_on_one_store_survive_kills_at_random_moments() {
    campaign(3);
}
