#![allow(clippy::unwrap_used)]

use super::*;
use crate::executor::tests::options;
use crate::store::{Access, Store, StoreWriter};
use crate::test_case::{case, task};
use crate::{KeyMaker, RunKey, StopFlag, Task, available, execute};
use sim::PolicySpec;
use tempfile::TempDir;
use workload::{EstimateFloor, Load, LoadBy, LoadMeasure, MemoryModel, MemoryVector, Mode, Source};

fn specs() -> Vec<RunSpec> {
    let mut specs = Vec::new();
    for seed in [1, 2] {
        for speedup in [0.0, 0.25] {
            for scale_estimates in [true, false] {
                for load in [None, Some(LoadBy::Arrivals), Some(LoadBy::RunTimes)] {
                    let mut case = case();
                    case.workload.speedup = speedup;
                    case.workload.scale_estimates = scale_estimates;
                    case.workload.rules.estimate_floor = EstimateFloor::AsLogged;
                    case.workload.load =
                        load.map(|by| Load { target: 0.7, by, measure: LoadMeasure::Offered });
                    case.workload.memory = load.map(|_| MemoryModel::Drawn {
                        long: MemoryVector::High,
                        medium: MemoryVector::Default,
                        short: MemoryVector::Low,
                        node_kb: 400,
                    });
                    specs.push(RunSpec { case: case.into(), replication: 0, seed });
                }
            }
        }
    }
    specs
}

#[test]
fn shared_sources_give_the_workloads_that_building_each_alone_gives() {
    let simulator = Simulator::new(TraceDir::none());
    for spec in specs() {
        let alone = workload::build(&spec.case.workload, 64, spec.seed, &TraceDir::none()).unwrap();
        let RunJobs::Held(made) = simulator.build(&spec).unwrap() else { panic!("it is streamed") };
        assert_eq!(*made, alone);
    }
    assert_eq!(simulator.kept.len(), 2);
}

#[test]
fn a_log_that_is_not_there_fails_with_its_name() {
    let log = |mode| Source::Log { name: "HPC2N-2002-2.2-cln".into(), mode };
    assert!(!available(&log(Mode::Trace), &TraceDir::none()));
    assert!(available(&log(Mode::Twin), &TraceDir::none()));
    let mut spec = task(8, 0).spec;
    spec.case_mut().workload = WorkloadSpec { speedup: 0.1, ..WorkloadSpec::new(log(Mode::Trace)) };
    assert!(Simulator::new(TraceDir::none()).build(&spec).unwrap_err().contains("HPC2N-2002-2.2-cln"));
    assert!(KeyMaker::with_traces(&TraceDir::none()).task(spec).is_err());
}

#[test]
fn a_file_counts_by_its_content() {
    let folder = TempDir::new().unwrap();
    let key = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap().to_owned();
        let mut spec = task(8, 0).spec;
        spec.case_mut().workload = WorkloadSpec::new(Source::File { path });
        KeyMaker::with_traces(&TraceDir::none()).task(spec).unwrap().key
    };
    let log = "1 0 0 60 2 -1 -1 2 60 -1 1 1 1 1 1 1 -1 -1\n";
    assert_eq!(key("a.swf", log), key("b.swf", log));
    assert_ne!(key("a.swf", log), key("a.swf", &log.replace("60", "61")));
}

/// The whole path: workloads, simulation, store.
#[test]
fn real_runs_have_the_same_outcome_on_any_number_of_threads() {
    let tasks: Vec<Task> = specs()
        .into_iter()
        .flat_map(|spec| {
            [
                PolicySpec::Fcfs,
                PolicySpec::Easy { overrun: Default::default(), shadow: sim::policy::Shadow::Placement },
            ]
            .map(|p| (spec.clone(), p))
        })
        .map(|(mut spec, policy)| {
            spec.case_mut().policy = policy;
            KeyMaker::with_traces(&TraceDir::none()).task(spec).unwrap()
        })
        .collect();
    let keys: Vec<RunKey> = tasks.iter().map(|task| task.key).collect();
    let outcomes = |threads: usize| {
        let folder = TempDir::new().unwrap();
        let writer = StoreWriter::open(folder.path()).unwrap();
        let simulator = Simulator::new(TraceDir::none());
        let mut store = Store::open(folder.path(), Access::Read).unwrap();
        let (options, stop) = (options(threads), StopFlag::default());
        let summary =
            execute(tasks.clone(), &simulator, &writer, &mut store, &options, &|_| {}, &stop).unwrap();
        assert_eq!((summary.ok, summary.failed), (tasks.len(), 0));
        let rows = store.fetch(&keys).unwrap();
        rows.into_iter().map(|row| row.unwrap().result.unwrap()).collect::<Vec<_>>()
    };
    let one = outcomes(1);
    assert!(one == outcomes(2));
    assert_eq!(one[0].metrics.get("jobs"), Some(100.0));
    assert!(
        one[0].metrics.get("mean_wait_s") > one[1].metrics.get("mean_wait_s"),
        "EASY waits less than FCFS"
    );
}
