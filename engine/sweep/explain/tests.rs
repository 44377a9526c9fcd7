//! A small past, and runs that it does not answer for every reason.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::store::{SegmentInfo, StoredRun};
use crate::test_case::task;
use crate::*;
use ::workload::TraceDir;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use tempfile::TempDir;

fn families() -> BTreeMap<String, String> {
    fingerprint::families().map(|(name, hash)| (name.to_owned(), hash.to_string())).collect()
}

fn segment(families: BTreeMap<String, String>) -> SegmentInfo {
    SegmentInfo {
        name: "seg-1-host-2-3.parquet".to_owned(),
        written_unix: 1,
        host: "host".to_owned(),
        pid: 2,
        rows: 1,
        bytes: 3,
        format: 2,
        build: "0.0.9".to_owned(),
        families: Arc::new(families),
    }
}

fn changed(task: &Task, change: impl FnOnce(&mut RunSpec)) -> Task {
    let mut spec = task.spec.clone();
    change(&mut spec);
    KeyMaker::with_traces(&TraceDir::none()).task(spec).unwrap()
}

fn row(task: &Task, result: Result<sim::Outcome, String>) -> StoredRun {
    StoredRun::new(task, result, 0.5).unwrap()
}

fn outcome(task: &Task) -> Result<sim::Outcome, String> {
    let simulator = Simulator::new(TraceDir::none());
    let jobs = simulator.build(&task.spec)?;
    simulator.run(&task.spec, &jobs, &Halt::default()).map_err(|problem| format!("{problem:?}"))
}

fn reason(past: &Past, task: &Task) -> Reason {
    Explainer::new(past).reason(task).unwrap()
}

/// The row of a task as an older model made it.
fn old_row(task: &Task) -> StoredRun {
    let model = Fingerprint([9; 32]);
    let key = RunKey::of_stored(&row(task, Err(String::new())).spec, task.content, model).unwrap();
    StoredRun { key, model: model.0, ..row(task, Ok(outcome(task).unwrap())) }
}

#[test]
fn each_reason_is_told_from_the_others() {
    let run = task(64, 0);
    let mut past = Past::default();
    assert_eq!(reason(&past, &run), Reason::NeverRun);
    past.add(&segment(families()), row(&run, Ok(test_case::outcome(1.0))).head());
    let message = || "out of memory".to_owned();
    let failed = task(64, 1);
    past.add(&segment(families()), row(&failed, Err(message())).head());
    assert_eq!(reason(&past, &failed), Reason::Failed { message: message() });
    assert_eq!(reason(&past, &task(64, 2)), Reason::NewReplication { seed_only: false });
    let reseeded = changed(&run, |spec| spec.seed += 1);
    assert_eq!(reason(&past, &reseeded), Reason::NewReplication { seed_only: true });
    let faster = changed(&run, |spec| spec.case_mut().workload.speedup = 0.25);
    assert_eq!(reason(&past, &faster), Reason::NewValue { values: vec![("speedup", "0.25".to_owned())] });
    let other = changed(&run, |spec| spec.case_mut().passes = sim::Passes::PerEvent);
    past.add(&segment(families()), row(&faster, Ok(test_case::outcome(1.0))).head());
    past.add(&segment(families()), row(&other, Ok(test_case::outcome(1.0))).head());
    let both = changed(&faster, |spec| spec.case_mut().passes = sim::Passes::PerEvent);
    assert_eq!(reason(&past, &both), Reason::NeverRun);
    let older_key = StoredRun { key: RunKey([3; 32]), ..row(&both, Ok(test_case::outcome(1.0))) };
    past.add(&segment(families()), older_key.head());
    assert_eq!(reason(&past, &both), Reason::KeyChanged);
}

fn reason_values(past: &Past, task: &Task) -> Vec<(&'static str, String)> {
    match reason(past, task) {
        Reason::NewValue { values } if !values.is_empty() => values,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_changed_model_is_named_by_its_families() {
    let run = task(64, 0);
    let model = |families: BTreeMap<String, String>| {
        let mut past = Past::default();
        past.add(&segment(families), old_row(&run).head());
        match reason(&past, &run) {
            Reason::ModelChanged { change } => change,
            other => panic!("{other:?}"),
        }
    };
    let mut then = families();
    assert_eq!(model(then.clone()), ModelChange::Fingerprint);
    assert_eq!(model(BTreeMap::new()), ModelChange::Unrecorded);
    // A family that the run does not use is no reason.
    then.insert("sim/policy/planning".to_owned(), "00".to_owned());
    then.insert("core".to_owned(), "00".to_owned());
    assert_eq!(model(then), ModelChange::Families(vec!["core".to_owned()]));
}

#[test]
fn files_of_other_content_are_changed_workloads() {
    let mut run = changed(&task(64, 0), |spec| spec.replication = 0);
    run.spec.case_mut().workload.source = ::workload::Source::File { path: "a.swf".to_owned() };
    let with = |content: [u8; 32]| Task { content: Some(content), key: RunKey(content), ..run.clone() };
    let mut past = Past::default();
    past.add(&segment(families()), row(&with([1; 32]), Ok(test_case::outcome(1.0))).head());
    assert_eq!(reason(&past, &with([2; 32])), Reason::WorkloadChanged { source: "a.swf".to_owned() });
}

#[test]
fn a_part_of_a_policy_is_named_where_only_it_is_new() {
    let easy = |shadow| {
        let policy = sim::PolicySpec::Easy { overrun: Default::default(), shadow };
        changed(&task(64, 0), |spec| spec.case_mut().policy = policy)
    };
    let (old, new) = (easy(sim::policy::Shadow::Placement), easy(sim::policy::Shadow::Count));
    let mut past = Past::default();
    past.add(&segment(families()), row(&task(64, 0), Ok(test_case::outcome(1.0))).head());
    let names = |past: &Past| reason_values(past, &new).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names(&past), ["policy"]);
    past.add(&segment(families()), row(&old, Ok(test_case::outcome(1.0))).head());
    assert_eq!(names(&past), ["shadow"]);
}

#[test]
fn the_nearest_run_differs_in_the_fewest_fields() {
    let run = task(64, 0);
    let far = changed(&run, |spec| {
        spec.case_mut().workload.speedup = 0.5;
        spec.case_mut().passes = sim::Passes::PerEvent;
    });
    let near = changed(&run, |spec| spec.case_mut().workload.speedup = 0.5);
    let mut past = Past::default();
    assert_eq!(Explainer::new(&past).nearest(&run).unwrap(), None);
    for stored in [&near, &far] {
        past.add(&segment(families()), row(stored, Ok(test_case::outcome(1.0))).head());
    }
    let found = Explainer::new(&past).nearest(&run).unwrap().unwrap();
    assert_eq!(found.key, near.key);
    let names: Vec<_> = found.fields.iter().map(|pair| pair.name.as_str()).collect();
    assert_eq!(names, ["speedup"]);
    assert_eq!(found.fields[0].then.as_deref(), Some("0.5"));
    assert!(found.rest.iter().all(Pair::same));
    let replica = task(64, 5);
    past.add(&segment(families()), row(&run, Ok(test_case::outcome(1.0))).head());
    let found = Explainer::new(&past).nearest(&replica).unwrap().unwrap();
    assert_eq!((found.key, found.fields.len()), (run.key, 0));
    assert!(!found.rest[0].same());
}

#[test]
fn reasons_are_counted_most_frequent_first() {
    let mut reasons = Reasons::default();
    reasons.add(&Reason::NeverRun);
    for message in ["b", "a", "b"] {
        reasons.add(&Reason::Failed { message: message.to_owned() });
    }
    let list = reasons.list();
    let words: Vec<_> = list.iter().map(|reason| (reason.reason, reason.runs)).collect();
    assert_eq!(words, [("failed", 3), ("never_run", 1)]);
    let details: Vec<_> = list[0].details.iter().map(|detail| (detail.what.as_str(), detail.runs)).collect();
    assert_eq!(details, [("b", 2), ("a", 1)]);
}

/// A store of rows that an older model made, two of whose families were others.
fn old_store(folder: &TempDir, rows: &[StoredRun], family: &str) -> Store {
    let mut then = families();
    then.insert(family.to_owned(), "ab".repeat(32));
    let writer = StoreWriter::open(folder.path()).unwrap().of_model(&then).unwrap();
    writer.write(rows).unwrap();
    Store::open(folder.path(), Access::Write).unwrap()
}

#[test]
fn rows_of_an_older_model_answer_again_once_they_are_re_stamped() {
    let folder = TempDir::new().unwrap();
    let tasks = [task(64, 0), task(64, 1), task(128, 0)];
    let mut rows: Vec<StoredRun> = tasks.iter().map(old_row).collect();
    rows.push(StoredRun { result: Err("no".to_owned()), ..old_row(&task(128, 1)) });
    let mut store = old_store(&folder, &rows, "core");
    let traces = TraceDir::none();
    let jobs = Jobs { traces: &traces, files: HashMap::new() };
    let only = HashSet::from([tasks[0].key, tasks[1].key]);
    assert_eq!(StaleRuns::find(&store, &jobs, Some(&only)).unwrap().len(), 2);
    let stale = StaleRuns::find(&store, &jobs, None).unwrap();
    assert_eq!((stale.len(), stale.changes().len()), (3, 1));
    assert_eq!(stale.left_out, BTreeMap::from([(LeftOut::Failed, 1)]));
    let sample = stale.sample(&store, &jobs, 2, 7).unwrap();
    assert_eq!(sample, stale.sample(&store, &jobs, 2, 7).unwrap());
    assert_eq!(sample.len(), 2);
    for run in &sample {
        let task = tasks.iter().find(|task| task.key == run.key).unwrap();
        assert_eq!(run.differences(&outcome(task)), [""; 0]);
        let mut other = outcome(task).unwrap();
        other.metrics.0[1] = Some(-1.0);
        assert_eq!(run.differences(&Ok(other)).len(), 1);
        assert_eq!(run.differences(&Err("no".to_owned())), ["failed: no"]);
    }
    let writer = StoreWriter::open(folder.path()).unwrap();
    assert_eq!(stale.restamp(&store, &writer, |_| false).unwrap(), 0);
    assert_eq!(stale.restamp(&store, &writer, |_| true).unwrap(), 3);
    store.refresh().unwrap();
    assert!(store.take_warnings().is_empty());
    for task in &tasks {
        assert!(store.answers(&task.key));
        let again = store.fetch(&[task.key]).unwrap().remove(0).unwrap();
        assert_eq!(again.payload(), row(task, outcome(task)).payload());
    }
    assert!(StaleRuns::find(&store, &jobs, None).unwrap().is_empty());
}

#[test]
fn a_difference_speaks_against_all_changes_that_share_a_family() {
    let folder = TempDir::new().unwrap();
    let fcfs = [old_row(&task(64, 0))];
    let easy = sim::PolicySpec::Easy { overrun: Default::default(), shadow: Default::default() };
    let other = [old_row(&changed(&task(64, 0), |spec| spec.case_mut().policy = easy))];
    drop(old_store(&folder, &fcfs, "sim/policy/fcfs"));
    let store = old_store(&folder, &other, "sim/policy/easy");
    let traces = TraceDir::none();
    let jobs = Jobs { traces: &traces, files: HashMap::new() };
    let stale = StaleRuns::find(&store, &jobs, None).unwrap();
    let changes: Vec<&Change> = stale.changes().into_keys().collect();
    assert_eq!(changes.len(), 2);
    // A sample of one has one of each change all the same.
    assert_eq!(stale.sample(&store, &jobs, 1, 0).unwrap().len(), 2);
    let allowed = untouched([changes[0]]);
    assert!(!allowed(changes[0]) && allowed(changes[1]));
}
