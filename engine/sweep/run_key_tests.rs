#![allow(clippy::unwrap_used)]

use super::*;
use crate::test_case::case;
use proptest::prelude::*;
use sim::policy::{EarlyEnd, Order, Overrun, Reservations, Shadow};
use sim::{AllocatorSpec, EstimateSource, MachineSpec, MeasureSpec, Passes, PolicySpec};
use workload::{Load, LoadBy, Rules, Variant};

fn key(case: &Case) -> RunKey {
    KeyMaker::new(|_| Ok(Some([3; 32]))).case(case).unwrap().run(0, 1)
}

#[test]
fn the_format_is_pinned() {
    // The fingerprint changes with the model; the rest of the key's recipe must not.
    let mut made = KeyMaker::new(|_| Ok(None)).case(&case()).unwrap();
    made.model = Fingerprint([9; 32]);
    assert_eq!(
        spec_text(&RunSpec { case: case(), replication: 2, seed: 5 }, None).unwrap(),
        r#"{"case":{"allocator":"FirstFree","estimates":"Requested","machine":{"Flat":{"nodes":64}},"measure":{"bound_s":10.0,"run_time_classes_s":[600.0,10800.0],"size_classes":[1,8,64]},"passes":"PerInstant","policy":"Fcfs","workload":{"jobs":100,"source":{"LublinFeitelson":{"medium_offset":2.5,"variant":"Single"}}}},"replication":2,"seed":5}"#
    );
    assert_eq!(
        made.run(2, 5).to_string(),
        "ccf8a1e5c4ebc8975b31ba3cf3a1e2f8063f2e91bb42767ee2f6f6fe2181b05b"
    );
}

#[test]
fn the_text_is_that_of_the_whole_case() {
    let spec = RunSpec { case: case(), replication: 2, seed: u64::MAX };
    let text = spec_text(&spec, None).unwrap();
    assert_eq!(text, canonical::text(&spec).unwrap());
    assert_eq!(serde_json::from_str::<RunSpec>(&text).unwrap(), spec);
}

#[test]
fn keys_read_back() {
    let key = key(&case());
    assert_eq!(key.to_string().parse::<RunKey>().unwrap(), key);
    assert!("12".parse::<RunKey>().is_err());
    assert_eq!(serde_json::to_string(&key).unwrap(), format!("\"{key}\""));
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

fn any_case() -> impl Strategy<Value = Case> {
    let machine = prop_oneof![
        (1u32..9).prop_map(|nodes| MachineSpec::Flat { nodes }),
        (2u32..4, 1u32..4, prop::option::of(1u32..3))
            .prop_map(|(arity, levels, installed)| MachineSpec::Tree { arity, levels, installed }),
    ];
    let source = prop_oneof![
        ("[ab]", any::<bool>())
            .prop_map(|(name, twin)| Source::Log { name, mode: if twin { Mode::Twin } else { Mode::Trace } }),
        (0u32..3).prop_map(|step| Source::LublinFeitelson {
            variant: Variant::Batch,
            medium_offset: 1.5 + f64::from(step) / 10.0
        }),
    ];
    let load = prop::option::of((1u32..3, any::<bool>()).prop_map(|(target, by)| Load {
        target: f64::from(target) / 3.0,
        by: if by { LoadBy::Arrivals } else { LoadBy::RunTimes },
    }));
    let workload = (source, prop::option::of(1u64..3), 0u32..3, any::<bool>(), load).prop_map(
        |(source, jobs, speedup, scale_estimates, load)| WorkloadSpec {
            source,
            rules: Rules::default(),
            jobs,
            speedup: f64::from(speedup) * 0.05,
            scale_estimates,
            load,
        },
    );
    let policy = prop_oneof![
        Just(PolicySpec::Fcfs),
        any::<bool>().prop_map(|kill| PolicySpec::Easy {
            overrun: if kill { Overrun::KillBackfilled } else { Overrun::Extend },
            shadow: if kill { Shadow::Placement } else { Shadow::Count },
        }),
        Just(PolicySpec::Conservative { early_end: EarlyEnd::Replan }),
        (0u32..3).prop_map(|n| PolicySpec::Priority {
            order: Order::LargestFirst,
            reservations: Reservations::AtMost(n)
        }),
    ];
    let allocator = prop_oneof![
        Just(AllocatorSpec::FirstFree),
        (0u32..2).prop_map(|relax| AllocatorSpec::Contiguous { relax })
    ];
    let rest = (any::<bool>(), any::<bool>(), 0u32..2).prop_map(|(instant, actual, bound)| {
        (
            if instant { Passes::PerInstant } else { Passes::PerEvent },
            if actual { EstimateSource::Actual } else { EstimateSource::Requested },
            MeasureSpec { bound_s: f64::from(bound), ..MeasureSpec::default() },
        )
    });
    (machine, workload, policy, allocator, rest).prop_map(
        |(machine, workload, policy, allocator, (passes, estimates, measure))| Case {
            machine,
            workload,
            policy,
            allocator,
            passes,
            estimates,
            measure,
        },
    )
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
        prop_assert_eq!(key(&a) == key(&b), a == b);
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

    #[test]
    fn replication_seed_and_model_count(replication in 0u32..5, seed in any::<u64>()) {
        let made = KeyMaker::new(|_| Ok(None)).case(&case()).unwrap();
        prop_assert_ne!(made.run(replication, seed), made.run(replication + 1, seed));
        prop_assert_ne!(made.run(replication, seed), made.run(replication, seed.wrapping_add(1)));
        let other = CaseKey { model: Fingerprint([1; 32]), ..made };
        prop_assert_ne!(made.run(replication, seed), other.run(replication, seed));
    }
}
