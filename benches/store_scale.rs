//! A store of a million results: how long opening and asking take, and how much memory. A process of its own for each step,
//! so that the memory is that of the step:
//!
//!     cargo bench --bench store_scale -- make DIR 1000000
//!     cargo bench --bench store_scale -- open DIR 1000000
//!     cargo bench --bench store_scale -- compact DIR
#![allow(clippy::expect_used, clippy::print_stdout)]

use sim::Outcome;
use std::path::Path;
use std::time::Instant;
use sweep::{Access, Experiment, KeyMaker, Overrides, RunKey, Store, StoreWriter, StoredRun, Task};

/// Rows of a segment as a sweep writes them.
const SEGMENT: usize = 500;

fn tasks(experiment: &Experiment) -> impl Iterator<Item = Task> {
    let mut keys = KeyMaker::new(|_| Ok(None));
    experiment.runs().map(move |run| keys.task(run.spec).expect("a key"))
}

fn experiment(rows: usize) -> Experiment {
    let text = format!(
        r#"(format: 1, name: "scale", study: "bench", title: "many runs", source: "none",
            base: (machine: Flat(nodes: 64), workload: (source: LublinFeitelson(), jobs: 100), policy: Fcfs),
            axes: {{"load": Range(from: 0.5, to: 0.9, count: 100)}}, replications: {}, seed: 1)"#,
        rows / 100
    );
    Experiment::parse("scale.ron", &text, &Overrides::default()).expect("a valid experiment")
}

/// Numbers that do not compress, as measured ones do not.
fn noise(outcome: &mut Outcome, seed: u64) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Some((state >> 12) as f64 / 1e9)
    };
    outcome.metrics.0.iter_mut().skip(1).for_each(|value| *value = next());
    outcome.metrics.0[0] = Some(100.0);
    outcome.groups.iter_mut().flat_map(|group| &mut group.values).for_each(|value| *value = next());
}

fn make(folder: &Path, rows: usize) {
    let setup = sim::Setup {
        machine: sim::MachineSpec::Flat { nodes: 64 },
        policy: sim::PolicySpec::Fcfs,
        allocator: sim::AllocatorSpec::FirstFree,
        memory: None,
        passes: sim::Passes::PerInstant,
        estimates: sim::EstimateSource::Requested,
    };
    let mut outcome = sim::metrics::measure(&setup, &[], &sim::MeasureSpec::default()).expect("an empty run");
    let writer = StoreWriter::open(folder).expect("a writable folder");
    let mut segment = Vec::new();
    let begin = Instant::now();
    for (at, task) in tasks(&experiment(rows)).enumerate() {
        noise(&mut outcome, at as u64 + 1);
        segment.push(StoredRun::new(&task, Ok(outcome.clone()), 0.1).expect("a row"));
        if segment.len() == SEGMENT {
            writer.write(&segment).expect("room");
            segment.clear();
        }
    }
    writer.write(&segment).expect("room");
    let seconds = begin.elapsed().as_secs_f64();
    println!("{rows} rows made and written in {seconds:.2} s, {:.1} µs each", seconds / rows as f64 * 1e6);
}

fn open(folder: &Path, rows: usize) {
    let keys: Vec<RunKey> = tasks(&experiment(rows)).map(|task| task.key).collect();
    let before = peak_mb();
    let begin = Instant::now();
    let store = Store::open(folder, Access::Read).expect("a store");
    let opened = begin.elapsed().as_secs_f64();
    let answered = keys.iter().filter(|key| store.answers(key)).count();
    let asked = begin.elapsed().as_secs_f64() - opened;
    assert_eq!(answered, rows);
    println!(
        "{} segments, {answered} answers: open {opened:.3} s, ask {asked:.3} s, peak {:.0} MB ({before:.0} MB before)",
        store.segments().len(),
        peak_mb()
    );
}

/// The most memory that this process has had, where the system tells.
fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(f64::NAN) / 1024.0
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse().expect("a number of rows");
    match words[..] {
        ["make", folder, rows] => make(Path::new(folder), number(rows)),
        ["open", folder, rows] => open(Path::new(folder), number(rows)),
        ["compact", folder] => {
            let begin = Instant::now();
            let done = sweep::store::compact(Path::new(folder), false).expect("a store that can be written");
            println!("{done:?} in {:.2} s", begin.elapsed().as_secs_f64());
        }
        _ => println!("make DIR ROWS | open DIR ROWS | compact DIR"),
    }
}
