#![allow(clippy::unwrap_used)]

use super::*;
use crate::RunKey;
use crate::any_case::any_case;
use crate::test_case::case;
use proptest::prelude::*;
use sim::MachineSpec;
use workload::Mode;

fn key(case: &Case) -> RunKey {
    KeyMaker::new(|_| Ok(Some([3; 32]))).case(case).unwrap().run(0, 1)
}

#[test]
fn a_file_counts_by_content_and_a_log_by_both() {
    let of = |source: Source, content: u8| {
        let case = Case { workload: WorkloadSpec { source, ..case().workload }, ..case() };
        KeyMaker::new(move |_| Ok(Some([content; 32]))).case(&case).unwrap().run(0, 1)
    };
    let file = |path: &str| Source::File { path: path.into() };
    let log = |name: &str, mode| Source::Log { name: name.into(), mode };
    assert_eq!(of(file("a"), 1), of(file("b"), 1));
    assert_ne!(of(file("a"), 1), of(file("a"), 2));
    assert_ne!(of(log("a", Mode::Trace), 1), of(log("a", Mode::Trace), 2));
    assert_ne!(of(log("a", Mode::Trace), 1), of(log("b", Mode::Trace), 1));
    assert_ne!(of(log("a", Mode::Trace), 1), of(log("a", Mode::Twin), 1));
    assert_eq!(of(log("a", Mode::Twin), 1), of(log("a", Mode::Twin), 2));
}

#[test]
fn files_of_one_key_maker_keep_their_contents_apart() {
    let of = |path: &str| Source::File { path: path.into() };
    let mut maker = KeyMaker::new(|source| Ok(Some([if *source == of("b") { 2 } else { 1 }; 32])));
    let mut key = |path: &str| {
        let case = Case { workload: WorkloadSpec { source: of(path), ..case().workload }, ..case() };
        maker.case(&case).unwrap()
    };
    let (a, b, c, again) = (key("a"), key("b"), key("c"), key("a"));
    assert_ne!(a, b);
    assert_eq!(a, c);
    assert_eq!(a, again);
}

#[test]
fn a_log_is_hashed_once() {
    let asked = std::cell::Cell::new(0);
    let mut maker = KeyMaker::new(|_| {
        asked.set(asked.get() + 1);
        Ok(Some([1; 32]))
    });
    let log = Source::Log { name: "a".into(), mode: Mode::Trace };
    for nodes in 1..50 {
        let workload = WorkloadSpec { jobs: Some(nodes), ..WorkloadSpec::new(log.clone()) };
        maker.case(&Case { workload, machine: MachineSpec::Flat { nodes: nodes as u32 }, ..case() }).unwrap();
    }
    drop(maker);
    assert_eq!(asked.get(), 1);
}

#[test]
fn what_was_forgotten_is_hashed_again() {
    let mut maker = KeyMaker::new(|_| Ok(None));
    let of = |nodes: u32| Case { machine: MachineSpec::Flat { nodes }, ..case() };
    for nodes in (1..=REMEMBERED as u32 + 100).chain([1, 2, REMEMBERED as u32]) {
        let found = maker.case(&of(nodes)).unwrap();
        if nodes < 3 || nodes == REMEMBERED as u32 {
            assert_eq!(found, KeyMaker::new(|_| Ok(None)).case(&of(nodes)).unwrap(), "{nodes}");
        }
    }
}

/// The same JSON with the fields of every object in reverse order, as text.
fn reversed(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Object(fields) => {
            let fields: Vec<_> =
                fields.iter().rev().map(|(name, field)| format!("{name:?}: {}", reversed(field))).collect();
            format!("{{ {} }}", fields.join(" , "))
        }
        serde_json::Value::Array(items) => {
            format!("[ {} ]", items.iter().map(reversed).collect::<Vec<_>>().join(" , "))
        }
        other => other.to_string(),
    }
}

proptest! {
    #[test]
    fn equal_cases_and_no_others_have_equal_keys(a in any_case(), b in any_case()) {
        // Files with one content are one file, whatever their paths.
        let file = |case: &Case| matches!(case.workload.source, Source::File { .. });
        let source = if file(&a) { a.workload.source.clone() } else { b.workload.source.clone() };
        let named = Case { workload: WorkloadSpec { source, ..b.workload.clone() }, ..b.clone() };
        prop_assert_eq!(key(&a) == key(&b), if file(&a) && file(&b) { a == named } else { a == b });
    }

    #[test]
    fn the_order_of_fields_and_the_history_do_not_matter(cases in prop::collection::vec(any_case(), 1..40)) {
        let mut maker = KeyMaker::new(|_| Ok(Some([3; 32])));
        for case in &cases {
            let other = reversed(&serde_json::to_value(case).unwrap());
            let read: Case = serde_json::from_str(&other).unwrap();
            prop_assert_eq!(maker.case(case).unwrap().run(0, 1), key(&read));
        }
    }
}
