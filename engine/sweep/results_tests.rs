#![allow(clippy::unwrap_used)]

use super::*;
use crate::test_case::{outcome, task};
use crate::{Access, StoreWriter};
use tempfile::TempDir;

const NODES: [u32; 4] = [8, 16, 32, 64];

fn columns() -> Vec<AxisColumn> {
    [("nodes", ColumnKind::Int), ("policy", ColumnKind::Text), ("load", ColumnKind::Real)]
        .map(|(name, kind)| AxisColumn { name: name.into(), kind })
        .to_vec()
}

/// A plan of four cases with two replications each.
fn plan() -> Vec<(PlannedRun, RunKey)> {
    let planned = |nodes: u32, replication: u32| {
        let task = task(nodes, replication);
        let load = if nodes == 8 { AxisValue::Missing } else { AxisValue::Real(0.5) };
        let point = vec![AxisValue::Int(i64::from(nodes)), AxisValue::Text("Easy".into()), load];
        (PlannedRun { mode: RunMode::Model, spec: task.spec, point }, task.key)
    };
    NODES.iter().flat_map(|nodes| [planned(*nodes, 0), planned(*nodes, 1)]).collect()
}

/// A store with the answers, written in this order; 32 nodes failed, the second replication of 64 is missing.
fn store(order: &[usize]) -> (TempDir, Store) {
    let folder = TempDir::new().unwrap();
    let writer = StoreWriter::open(folder.path()).unwrap();
    let mut rows = Vec::new();
    for (nodes, replication) in NODES.iter().flat_map(|nodes| [(*nodes, 0), (*nodes, 1)]) {
        let result = match nodes {
            32 => Err("bad setup".to_owned()),
            nodes => Ok(outcome(f64::from(nodes + replication))),
        };
        rows.push(StoredRun::new(&task(nodes, replication), result, f64::from(replication)).unwrap());
    }
    for at in order {
        writer.write(&rows[*at..=*at]).unwrap();
    }
    let store = Store::open(folder.path(), Access::Read).unwrap();
    (folder, store)
}

/// The plan with a run of an absent log at its head.
fn with_an_absent_log() -> impl Iterator<Item = (PlannedRun, Standing)> {
    let absent = plan()
        .into_iter()
        .take(1)
        .map(|(run, _)| (run, Standing::Skipped("the log x is not at hand".into())));
    absent.chain(planned())
}

fn planned() -> impl Iterator<Item = (PlannedRun, Standing)> {
    plan().into_iter().map(|(run, key)| (run, Standing::Planned(key)))
}

#[test]
fn runs_of_absent_logs_have_a_row_that_says_so() {
    let columns = columns();
    let head = ResultHead { study: "s", experiment: "e", columns: &columns };
    let (_folder, store) = store(&[0, 1, 2, 3, 4, 5, 6]);
    let without = collect(head, planned(), &store).unwrap();
    let results = collect(head, with_an_absent_log(), &store).unwrap();
    assert_eq!((results.missing, results.runs.len()), (without.missing, without.runs.len() + 1));
    assert_eq!(results.groups, without.groups);
    let first = |name: &str| results.runs.column(name).unwrap().cells.printed(0);
    assert_eq!(first("status").as_deref(), Some("skipped"));
    assert_eq!(first("message").as_deref(), Some("the log x is not at hand"));
    assert_eq!((first("run_key"), first("mean_wait_s")), (None, None));
    let rest: Vec<usize> = (1..results.runs.len()).collect();
    assert_eq!(results.runs.select(&rest), without.runs);
    let tables = tables(results, &columns, &[], &BTreeMap::new()).unwrap();
    let expected = crate::tables(without, &columns, &[], &BTreeMap::new()).unwrap();
    assert_eq!(tables.summary, expected.summary);
}

fn results(order: &[usize]) -> Results {
    let columns = columns();
    let head = ResultHead { study: "s", experiment: "e", columns: &columns };
    collect(head, planned(), &store(order).1).unwrap()
}

#[test]
fn rows_follow_the_plan_and_the_dictionary() {
    let results = results(&[6, 5, 4, 3, 2, 1, 0]);
    let axes = ["nodes", "policy", "load"].map(str::to_owned);
    assert_eq!(results.missing, 1);
    assert_eq!(results.runs.names(), Table::Runs.columns(&axes, Metrics::NAMES));
    assert_eq!(results.groups.names(), Table::Groups.columns(&axes, GroupMetrics::NAMES));
    let nodes: Vec<i64> = results.runs.int("nodes").unwrap().iter().map(|cell| cell.unwrap()).collect();
    assert_eq!(nodes, [8, 8, 16, 16, 32, 32, 64]);
    let status: Vec<&str> =
        results.runs.text("status").unwrap().iter().map(|cell| cell.as_deref().unwrap()).collect();
    assert_eq!(status, ["ok", "ok", "ok", "ok", "failed", "failed", "ok"]);
    assert_eq!(results.runs.text("message").unwrap()[4].as_deref(), Some("bad setup"));
    assert_eq!(results.runs.text("seed").unwrap()[1].as_deref(), Some("8"));
    assert_eq!(
        results.runs.text("run_key").unwrap()[0].as_deref(),
        Some(task(8, 0).key.to_string().as_str())
    );
    assert_eq!(results.runs.real("load").unwrap()[..3], [None, None, Some(0.5)]);
    assert_eq!(results.runs.real("killed").unwrap()[2..5], [Some(17.0), Some(18.0), None]);
    assert_eq!(results.runs.real("mean_wait_s").unwrap()[0], None);
    assert_eq!(results.groups.len(), 10);
    let group: Vec<&str> =
        results.groups.text("group").unwrap().iter().map(|cell| cell.as_deref().unwrap()).collect();
    assert_eq!(group[..3], ["<= 600 s", "> 64", "<= 600 s"]);
}

#[test]
fn files_do_not_depend_on_the_order_of_execution() {
    let folder = TempDir::new().unwrap();
    let bytes = |order: &[usize], name: &str| {
        let metadata = BTreeMap::from([("experiment".to_owned(), "abc".to_owned())]);
        let comparison = ComparisonSpec {
            id: "c".into(),
            metrics: vec!["killed".into()],
            baseline: [("nodes".to_owned(), "16".to_owned())].into(),
        };
        let tables = tables(results(order), &columns(), &[comparison], &metadata).unwrap();
        assert!(!tables.summary.is_empty() && !tables.comparisons.is_empty());
        let folder = folder.path().join(name);
        stage_results(&folder, &tables).unwrap().commit().unwrap();
        stage_results(&folder, &tables).unwrap().commit().unwrap();
        let read = Frame::read_parquet(&folder.join("summary.parquet")).unwrap();
        assert_eq!(read.metadata["experiment"], "abc");
        assert!(read.metadata.contains_key("model:core") && read.metadata.contains_key("build"));
        Table::ALL[..4]
            .iter()
            .map(|table| std::fs::read(folder.join(table.file_name())).unwrap())
            .collect::<Vec<_>>()
    };
    assert!(bytes(&[0, 1, 2, 3, 4, 5, 6], "a") == bytes(&[6, 2, 4, 0, 1, 3, 5], "b"));
}

#[test]
fn an_empty_store_gives_empty_tables() {
    let results = results(&[]);
    assert_eq!((results.missing, results.runs.len(), results.groups.len()), (8, 0, 0));
    let tables = tables(results, &columns(), &[], &BTreeMap::new()).unwrap();
    let folder = TempDir::new().unwrap();
    stage_results(folder.path(), &tables).unwrap().commit().unwrap();
    let read = Frame::read_parquet(&folder.path().join("runs.parquet")).unwrap();
    assert_eq!((read.names(), read.len()), (tables.runs.names(), 0));
}
