//! Kills at random moments of `store compact` and `store gc`: what is to stay is there after each, and is still the same.
//!
//! BACKSWEEP_KILLS and BACKSWEEP_SEED as for sweeps.

use super::campaign::{Attempt, KILLS, Moments, from_environment, keys_with};
use super::{EXPERIMENT, assert_same_tables, is_unfinished};
use crate::program::Folder;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, UNIX_EPOCH};
use sweep::{Access, RunKey, Store};

/// The store that is copied for every round: sixty small segments.
const BASE: &str = "base";

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a new folder");
    for entry in fs::read_dir(from).expect("a store") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, to.join(path.file_name().expect("a name"))).expect("room");
    }
}

/// The keys of the experiment that a store answers, after checking that it warns of nothing.
fn answered(folder: &Path, keys: &[RunKey]) -> BTreeSet<RunKey> {
    let mut store = Store::open(folder, Access::Read).expect("the store");
    assert_eq!(store.take_warnings(), Vec::<String>::new());
    keys.iter().filter(|key| store.answers(key)).copied().collect()
}

/// The segments, after checking that the only other files are pieces that killed processes left.
fn segments(store: &Path) -> usize {
    let names = fs::read_dir(store).expect("a store").map(|entry| entry.expect("an entry").file_name());
    let names: Vec<String> = names.map(|name| name.into_string().expect("text")).collect();
    let (segments, others): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| name.starts_with("seg-"));
    assert!(others.iter().all(|name| is_unfinished(name)), "{others:?}");
    segments.len()
}

/// Kills `line` on copies of one store, on each until a process gets through, as often as asked for. All of `stays` is there after
/// every kill, and nothing else of the experiment in the end, in at most so many segments.
#[allow(clippy::print_stdout)]
fn campaign(line: &str, stays: &[RunKey], most_segments: usize) {
    let wanted = from_environment("BACKSWEEP_KILLS").map_or(KILLS, |kills| kills as usize);
    let clock = UNIX_EPOCH.elapsed().expect("the clock").as_nanos() as u64;
    let seed = from_environment("BACKSWEEP_SEED").unwrap_or(clock);
    let (folder, all) = (Folder::new(), keys_with(""));
    folder.write("e.ron", EXPERIMENT);
    folder.call(&format!("run e.ron --flush-every 20 --store {BASE} --out whole")).done();
    let stays: BTreeSet<RunKey> = stays.iter().copied().collect();
    let (begin, mut moments) = (Instant::now(), Moments(seed));
    let (mut killed, mut rounds) = (0, 0);
    let mut life = Duration::from_secs(60);
    while killed < wanted || rounds == 0 {
        let name = format!("s{rounds}");
        let store = folder.path(&name);
        copy(&folder.path(BASE), &store);
        // The first round is disturbed by nobody and tells how long a process lives.
        let (begin, mut patience) = (Instant::now(), 0.9);
        while Attempt::make(
            &folder,
            &format!("{line} --progress json --store {name}"),
            if rounds == 0 { life } else { life.mul_f64(patience * moments.share()) },
        )
        .killed
        {
            assert!(stays.is_subset(&answered(&store, &all)), "rows are lost; BACKSWEEP_SEED={seed}");
            (killed, patience) = (killed + 1, patience + 0.02);
        }
        if rounds == 0 {
            life = begin.elapsed();
        }
        assert_eq!(answered(&store, &all), stays, "BACKSWEEP_SEED={seed}");
        assert!(segments(&store) <= most_segments);
        folder.call(&format!("store verify --store {name}")).done();
        folder.call(&format!("run e.ron --store {name} --out out{rounds}")).done();
        assert_same_tables(&folder, "whole", &format!("out{rounds}"));
        rounds += 1;
    }
    println!(
        "{killed} kills of `{line}` survived, {rounds} carried through in {:.0} s (BACKSWEEP_SEED={seed})",
        begin.elapsed().as_secs_f64()
    );
}

#[test]
fn merging_survives_kills_at_random_moments() {
    campaign("store compact", &keys_with(""), 1);
}

#[test]
fn collecting_garbage_survives_kills_at_random_moments() {
    campaign("store gc --keep e.ron --set load=0.5,0.7 --delete", &keys_with("0.5,0.7"), usize::MAX);
}
