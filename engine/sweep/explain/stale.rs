//! Rows of older models: which of them a sample can bring back, and how.

use super::parts::stored_spec;
use super::past::Past;
use super::reason::{Explainer, ModelChange};
use crate::error::SweepError;
use crate::store::{SegmentInfo, Store, StoreWriter, StoredHead, StoredRun};
use crate::{ContentHash, Fingerprint, RunKey, RunSpec, fingerprint};
use sim::Outcome;
use sim::metrics::Metrics;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt;
use workload::{Mode, Source, TraceDir};

/// Rows that are written at once.
const ROWS_AT_ONCE: usize = 10_000;

/// What is known of the jobs that stored runs had.
#[derive(Debug)]
pub struct Jobs<'a> {
    /// Where logs are.
    pub traces: &'a TraceDir,
    /// Paths of the files that experiments name, by content.
    pub files: HashMap<ContentHash, String>,
}

/// A change of the model: which families, from what to what. Runs with the same change stand and fall together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The families that changed; all that the runs use, where the store does not say which.
    pub families: Vec<String>,
    /// Whether the store says which.
    pub recorded: bool,
    /// Their hashes then and now, or the fingerprints.
    hashes: Vec<(String, String)>,
}

impl fmt::Display for Change {
    /// The families, each with the first digits of its hashes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |hash: &str| hash.get(..8).unwrap_or("none").to_owned();
        if !self.recorded {
            let (then, now) = self.hashes.first().map_or(("", ""), |(then, now)| (then, now));
            return write!(f, "fingerprint {} -> {} (families not recorded)", short(then), short(now));
        }
        let pairs = self.families.iter().zip(&self.hashes);
        let words = pairs.map(|(family, (then, now))| format!("{family} {} -> {}", short(then), short(now)));
        f.write_str(&words.collect::<Vec<_>>().join(", "))
    }
}

/// Why a row of an older model cannot be brought back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// It failed then.
    Failed,
    /// Its specification is of another version.
    Unreadable,
    /// Its log is not at hand.
    NoLog(String),
    /// Its log has another content now.
    OtherContent(String),
    /// It ran a file, and no experiment that was given names one of that content.
    NoFile,
    /// No experiment that was given has this run.
    NotAsked,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeftOut::Failed => f.write_str("failed then"),
            LeftOut::Unreadable => f.write_str("specification of another version"),
            LeftOut::NoLog(name) => write!(f, "the log {name} is not at hand"),
            LeftOut::OtherContent(name) => write!(f, "{name} has another content now"),
            LeftOut::NoFile => f.write_str("ran a file that no given experiment names"),
            LeftOut::NotAsked => f.write_str("not in the given experiments"),
        }
    }
}

/// The rows of older models that have no successor yet.
#[derive(Debug, Default)]
pub struct StaleRuns {
    /// By the key that the run has today; of several rows the one stored last.
    runs: BTreeMap<RunKey, StaleRun>,
    /// How many rows are left out, by reason.
    pub left_out: BTreeMap<LeftOut, usize>,
}

#[derive(Debug)]
struct StaleRun {
    old: RunKey,
    model: Fingerprint,
    change: Change,
}

/// A run that is carried out again.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// Its key today.
    pub key: RunKey,
    /// What changed since it was stored.
    pub change: Change,
    /// The run; a file has its path.
    pub spec: RunSpec,
    stored: StoredRun,
}

impl StaleRuns {
    /// Finds them. With `only` those that have these keys today.
    ///
    /// # Errors
    /// Where the store or a log cannot be read.
    pub fn find(
        store: &Store,
        jobs: &Jobs<'_>,
        only: Option<&HashSet<RunKey>>,
    ) -> Result<StaleRuns, SweepError> {
        let empty = Past::default();
        let explainer = Explainer::new(&empty);
        let mut search =
            Search { store, jobs, only, explainer, logs: HashMap::new(), found: StaleRuns::default() };
        let mut problem = None;
        store.scan_heads(&mut |segment, run| {
            if problem.is_none() {
                problem = search.look_at(segment, &run).err();
            }
        })?;
        problem.map_or(Ok(search.found), Err)
    }

    /// How many runs there are.
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The changes, each with its number of runs.
    pub fn changes(&self) -> BTreeMap<&Change, usize> {
        let mut changes = BTreeMap::new();
        self.runs.values().for_each(|run| *changes.entry(&run.change).or_insert(0) += 1);
        changes
    }

    /// A random sample of `size` runs, in which every change has at least one, even if that takes more. The same seed draws the
    /// same sample from the same runs.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn sample(
        &self,
        store: &Store,
        jobs: &Jobs<'_>,
        size: usize,
        seed: u64,
    ) -> Result<Vec<Sampled>, SweepError> {
        // The draw: the runs in the order of a hash of seed and key. Nobody can know it beforehand, and no generator is needed.
        let draw = |key: &RunKey| *blake3::hash(&[&seed.to_le_bytes()[..], &key.0].concat()).as_bytes();
        let mut order: Vec<_> = self.runs.iter().map(|(key, run)| (draw(key), key, run)).collect();
        order.sort_unstable_by_key(|(drawn, ..)| *drawn);
        let mut met = BTreeSet::new();
        let (first, others): (Vec<_>, Vec<_>) =
            order.into_iter().partition(|(_, _, run)| met.insert(&run.change));
        let size = size.max(first.len());
        let mut drawn: Vec<_> = first.into_iter().chain(others).take(size).collect();
        drawn.sort_unstable_by_key(|(_, key, run)| (&run.change, **key));
        let keys: Vec<RunKey> = drawn.iter().map(|(_, _, run)| run.old).collect();
        let stored = store.fetch(&keys)?.into_iter().zip(drawn);
        let sampled = stored.filter_map(|(stored, (_, key, run))| {
            let stored = stored?;
            let spec = jobs.runnable(&stored.head()).ok()?;
            Some(Sampled { key: *key, change: run.change.clone(), spec, stored })
        });
        Ok(sampled.collect())
    }

    /// Writes the rows of these changes again under their keys of today; returns how many. Rows of a killed call stay and are
    /// not written twice.
    ///
    /// # Errors
    /// Where the store cannot be read or written.
    pub fn restamp(
        &self,
        store: &Store,
        writer: &StoreWriter,
        allowed: impl Fn(&Change) -> bool,
    ) -> Result<usize, SweepError> {
        let old: BTreeMap<RunKey, (&RunKey, &StaleRun)> = self
            .runs
            .iter()
            .filter(|(_, run)| allowed(&run.change))
            .map(|(key, run)| (run.old, (key, run)))
            .collect();
        let (mut waiting, mut done): (BTreeMap<RunKey, StoredRun>, HashSet<RunKey>) = Default::default();
        let (mut from, mut written, mut problem) = (BTreeSet::new(), 0, None);
        let mut flush = |rows: &mut BTreeMap<RunKey, StoredRun>, from: &mut BTreeSet<String>| {
            let rows: Vec<StoredRun> = std::mem::take(rows).into_values().collect();
            written += rows.len();
            let names: Vec<String> = std::mem::take(from).into_iter().collect();
            writer.write_restamped(&rows, &names.join(" ")).map(|_| ())
        };
        store.scan(&mut |segment, run| {
            let Some((key, stale)) = old.get(&run.key).filter(|_| run.result.is_ok()) else { return };
            if problem.is_some() || !done.insert(run.key) {
                return;
            }
            from.insert(segment.name.clone());
            waiting.insert(**key, StoredRun { key: **key, model: stale.model.0, ..run });
            if waiting.len() >= ROWS_AT_ONCE {
                problem = flush(&mut waiting, &mut from).err();
            }
        })?;
        match problem {
            Some(problem) => Err(problem),
            None => flush(&mut waiting, &mut from).map(|()| written),
        }
    }
}

impl Jobs<'_> {
    /// The stored run as it can be carried out now.
    fn runnable(&self, stored: &StoredHead<'_>) -> Result<RunSpec, LeftOut> {
        let mut spec = stored_spec(stored.spec).map_err(|_| LeftOut::Unreadable)?;
        if let Source::File { .. } = spec.case.workload.source {
            let path = stored.content.and_then(|content| self.files.get(&content)).ok_or(LeftOut::NoFile)?;
            spec.case_mut().workload.source = Source::File { path: path.clone() };
        }
        Ok(spec)
    }
}

struct Search<'a> {
    store: &'a Store,
    jobs: &'a Jobs<'a>,
    only: Option<&'a HashSet<RunKey>>,
    explainer: Explainer<'a>,
    /// Content hashes of logs; none where they are not at hand.
    logs: HashMap<String, Option<ContentHash>>,
    found: StaleRuns,
}

impl Search<'_> {
    fn look_at(&mut self, segment: &SegmentInfo, stored: &StoredHead<'_>) -> Result<(), SweepError> {
        let Ok(stored_spec) = stored_spec(stored.spec) else {
            self.leave_out(LeftOut::Unreadable);
            return Ok(());
        };
        let model = Fingerprint::of(&stored_spec.case);
        let key = RunKey::of_stored(stored.spec, stored.content, model)?;
        if self.store.answers(&key) {
            return Ok(());
        }
        if stored.failure.is_some() {
            self.leave_out(LeftOut::Failed);
            return Ok(());
        }
        if self.only.is_some_and(|only| !only.contains(&key)) {
            self.leave_out(LeftOut::NotAsked);
            return Ok(());
        }
        let fit = match self.jobs.runnable(stored) {
            Ok(spec) => self.has_content(&spec.case.workload.source, stored.content)?,
            Err(reason) => Err(reason),
        };
        match fit {
            Err(reason) => self.leave_out(reason),
            Ok(()) => {
                let change = self.change(segment, stored, &stored_spec, model);
                self.found.runs.insert(key, StaleRun { old: stored.key, model, change });
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, reason: LeftOut) {
        *self.found.left_out.entry(reason).or_insert(0) += 1;
    }

    /// Whether the log of a run still has the content that the run had. A file was found by its content.
    fn has_content(
        &mut self,
        source: &Source,
        content: Option<ContentHash>,
    ) -> Result<Result<(), LeftOut>, SweepError> {
        let Source::Log { name, mode: Mode::Trace } = source else { return Ok(Ok(())) };
        let now = match self.logs.get(name) {
            Some(known) => *known,
            None => {
                let at_hand = self.jobs.traces.has(name);
                let hash = if at_hand { workload::content_hash(source, self.jobs.traces)? } else { None };
                self.logs.insert(name.clone(), hash);
                hash
            }
        };
        Ok(match now {
            None => Err(LeftOut::NoLog(name.clone())),
            now if now == content => Ok(()),
            Some(_) => Err(LeftOut::OtherContent(name.clone())),
        })
    }

    fn change(
        &self,
        segment: &SegmentInfo,
        stored: &StoredHead<'_>,
        spec: &RunSpec,
        model: Fingerprint,
    ) -> Change {
        let today = |family: &str| {
            fingerprint::families().find(|(name, _)| *name == family).map(|(_, hash)| hash.to_string())
        };
        match self.explainer.change(&spec.case, &segment.families) {
            ModelChange::Families(families) => {
                let pair = |family: &String| {
                    let then = segment.families.get(family).cloned().unwrap_or_default();
                    (then, today(family).unwrap_or_default())
                };
                let hashes = families.iter().map(pair).collect();
                Change { families, recorded: true, hashes }
            }
            ModelChange::Unrecorded | ModelChange::Fingerprint => {
                let families = Fingerprint::families_of(&spec.case).into_iter().map(str::to_owned).collect();
                let then = Fingerprint(stored.model).to_string();
                Change { families, recorded: false, hashes: vec![(then, model.to_string())] }
            }
        }
    }
}

impl Sampled {
    /// What differs between the stored outcome and that of today; empty where they are bit-identical.
    pub fn differences(&self, today: &Result<Outcome, String>) -> Vec<String> {
        let again = StoredRun { result: today.clone(), ..self.stored.clone() };
        if again.payload() == self.stored.payload() {
            return Vec::new();
        }
        let (then, now) = match (&self.stored.result, today) {
            (Ok(then), Ok(now)) => (then, now),
            (_, Err(message)) => return vec![format!("failed: {message}")],
            (Err(_), Ok(_)) => return vec!["failed then".to_owned()],
        };
        let text = |value: Option<f64>| value.map_or_else(|| "none".to_owned(), |value| value.to_string());
        let same = |a: Option<f64>, b: Option<f64>| a.map(f64::to_bits) == b.map(f64::to_bits);
        let pairs = Metrics::NAMES.iter().zip(then.metrics.0.iter().zip(&now.metrics.0));
        let mut found: Vec<String> = pairs
            .filter(|(_, (then, now))| !same(**then, **now))
            .map(|(name, (then, now))| format!("{name} {} -> {}", text(*then), text(*now)))
            .collect();
        if then.groups != now.groups {
            found.push("groups".to_owned());
        }
        if found.is_empty() {
            found.push("values without a name".to_owned());
        }
        found
    }
}

/// The changes that may be re-stamped when these have been found to change results: those that share no family with them.
pub fn untouched<'c>(differing: impl IntoIterator<Item = &'c Change>) -> impl Fn(&Change) -> bool {
    let families: BTreeSet<String> =
        differing.into_iter().flat_map(|change| change.families.iter().cloned()).collect();
    move |change| !change.families.iter().any(|family| families.contains(family))
}
