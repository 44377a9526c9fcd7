#![allow(clippy::unwrap_used)]

use super::*;
use crate::any_case::any_case;
use crate::test_case::case;
use crate::{Case, KeyMaker};
use proptest::prelude::*;
use sim::policy::{EarlyEnd, Order, Overrun, Reservations, Shadow};
use sim::{AllocatorSpec, EstimateSource, MachineSpec, Passes, PolicySpec};
use workload::{
    EstimateFloor, Load, LoadBy, LoadMeasure, MemoryModel, MemoryVector, Mode, RequestedTime, Rules, Source,
    WorkloadSpec,
};

/// A fingerprint that no model has: what is pinned with it does not change with the model.
const NO_MODEL: Fingerprint = Fingerprint([9; 32]);

fn spec(case: Case, replication: u32, seed: u64) -> RunSpec {
    RunSpec { case: case.into(), replication, seed }
}

fn pinned(spec: &RunSpec, content: Option<ContentHash>) -> (String, String) {
    let text = spec_text(spec, content).unwrap();
    let key = RunKey::of_stored(&text, content, NO_MODEL).unwrap();
    (text, key.to_string())
}

/// Changing a text or key below voids every result in every store: it needs a new version line.
#[test]
fn the_format_is_pinned() {
    let (text, key) = pinned(&spec(case(), 2, 5), None);
    assert_eq!(
        text,
        r#"{"case":{"allocator":"FirstFree","estimates":"Requested","machine":{"Flat":{"nodes":64}},"measure":{"bound_s":10.0,"run_time_classes_s":[600.0,10800.0],"size_classes":[1,8,64]},"passes":"PerInstant","policy":"Fcfs","workload":{"jobs":100,"source":{"LublinFeitelson":{"medium_offset":2.5,"variant":"Single"}}}},"replication":2,"seed":5}"#
    );
    assert_eq!(key, "5cd6fba88a4327261b2ee6aafff654d3aa771a68c0b5e1657a460b8d431a9cd9");
    let (text, key) = pinned(&spec(every_field_set(), 0, u64::MAX), Some([7; 32]));
    assert_eq!(
        text,
        r#"{"case":{"allocator":{"Contiguous":{"relax":1}},"estimates":"Actual","machine":{"Tree":{"arity":4,"installed":240,"levels":4}},"measure":{"bound_s":10.0,"run_time_classes_s":[600.0,10800.0],"size_classes":[1,8,64]},"passes":"PerEvent","policy":{"Easy":{"overrun":"Extend","shadow":"Count"}},"workload":{"jobs":50000,"load":{"by":"RunTimes","target":0.7},"rules":{"estimate_floor":"AsLogged","missing_estimate":"Runtime","negative_submit":"Drop","no_run_time":"Drop","size":"Requested","too_large":"Drop"},"scale_estimates":false,"source":{"Log":{"mode":"Trace","name":"HPC2N-2002-2.2-cln"}},"speedup":0.05}},"replication":0,"seed":18446744073709551615}"#
    );
    assert_eq!(key, "f245a82a493f01b14ae95749360014eca750f98f04d8c4aee497edda6b728512");
}

/// A case with nothing at its default but the requested times and the memory model, which has a pinned text of its own.
fn every_field_set() -> Case {
    let rules = Rules { estimate_floor: EstimateFloor::AsLogged, ..Rules::default() };
    Case {
        machine: MachineSpec::Tree { arity: 4, levels: 4, installed: Some(240) },
        workload: WorkloadSpec {
            source: Source::Log { name: "HPC2N-2002-2.2-cln".into(), mode: Mode::Trace },
            rules,
            jobs: Some(50_000),
            speedup: 0.05,
            scale_estimates: false,
            load: Some(Load { target: 0.7, by: LoadBy::RunTimes, measure: LoadMeasure::Offered }),
            moldable: None,
            requested: RequestedTime::AsGiven,
            memory: None,
        },
        policy: PolicySpec::Easy { overrun: Overrun::Extend, shadow: Shadow::Count },
        allocator: AllocatorSpec::Contiguous { relax: 1 },
        passes: Passes::PerEvent,
        estimates: EstimateSource::Actual,
        ..case()
    }
}

#[test]
fn a_memory_model_is_a_part_of_the_workload() {
    let vectors = [MemoryVector::Values(vec![0.5, 1.0]), MemoryVector::Default, MemoryVector::VeryLow];
    let [long, medium, short] = vectors;
    let memory = Some(MemoryModel::Drawn { long, medium, short, node_kb: 400 });
    let case = Case { workload: WorkloadSpec { memory, ..case().workload }, ..case() };
    let (text, key) = pinned(&spec(case, 2, 5), None);
    assert!(text.contains(
        r#""workload":{"jobs":100,"memory":{"Drawn":{"long":{"Values":[0.5,1.0]},"medium":"Default","node_kb":400,"short":"VeryLow"}},"source":"#
    ), "{text}");
    assert_eq!(key, "a2960334dbef70916fa00a9d60639944e8e19f8a02e34b32f1e99f0a462784eb");
}

#[test]
fn the_keys_of_other_policies_and_sources_are_pinned() {
    let weighted = Order::Weighted { wait: 1.0, expansion: 0.1, nodes: 0.0, memory: 0.0, larger: 0.0 };
    let priority = PolicySpec::Priority { order: weighted, reservations: Reservations::AtMost(1) };
    let conservative = PolicySpec::Conservative { early_end: EarlyEnd::Replan };
    let file = WorkloadSpec::new(Source::File { path: "logs/a.swf".into() });
    let twin = WorkloadSpec::new(Source::Log { name: "a".into(), mode: Mode::Twin });
    let keys = [
        pinned(&spec(Case { policy: priority, ..case() }, 0, 1), None).1,
        pinned(&spec(Case { policy: conservative, ..case() }, 0, 1), None).1,
        pinned(&spec(Case { workload: file, ..case() }, 0, 0), Some([3; 32])).1,
        pinned(&spec(Case { workload: twin, ..case() }, 4, 1), None).1,
    ];
    assert_eq!(
        keys,
        [
            "f09ac0937e1daca61e9aed8d8b83219b4b92054b832fbb33999af7a2128d7fdf",
            "b0034a635b56ffe026d55a4e2ec5f4e7ffa33366a35c6645063474aa9da91e8a",
            "0ef0769c1f6bbbdab21bd1b85286a358248af1e7ec151146d6c415c88093a9b7",
            "f3f77268c4f4cda15d07141d52f1a58c6ef87c8d3fe380bac125618abbe462ec"
        ]
    );
}

#[test]
fn the_text_is_that_of_the_whole_run() {
    let spec = spec(case(), 2, u64::MAX);
    let text = spec_text(&spec, None).unwrap();
    assert_eq!(text, canonical::text(&spec).unwrap());
    assert_eq!(serde_json::from_str::<RunSpec>(&text).unwrap(), spec);
}

#[test]
fn keys_read_back() {
    let key = KeyMaker::new(|_| Ok(None)).case(&case()).unwrap().run(0, 1);
    assert_eq!(key.to_string().parse::<RunKey>().unwrap(), key);
    assert!("12".parse::<RunKey>().is_err());
    assert_eq!(serde_json::to_string(&key).unwrap(), format!("\"{key}\""));
}

#[test]
fn a_text_that_is_no_specification_has_no_key() {
    for text in
        ["", "{}", "[]", r#"{"case":5,"replication":0,"seed":0}"#, r#"{"case":{},"replication":-1,"seed":0}"#]
    {
        assert!(RunKey::of_stored(text, None, NO_MODEL).is_err(), "{text}");
    }
    // A field that this build does not know is a part like any other: what was stored keeps its key.
    let unknown = |text: &str| RunKey::of_stored(text, None, NO_MODEL).unwrap();
    assert_ne!(
        unknown(r#"{"case":{"network":"Ring"},"replication":0,"seed":0}"#),
        unknown(r#"{"case":{"network":"Star"},"replication":0,"seed":0}"#)
    );
}

proptest! {
    #[test]
    fn a_stored_text_has_the_key_of_its_run(case in any_case(), content in any::<u8>(), replication in 0u32..9, seed in any::<u64>()) {
        let spec = spec(case, replication, seed);
        let task = KeyMaker::new(|_| Ok(Some([content; 32]))).task(spec.clone()).unwrap();
        let text = spec_text(&spec, task.content).unwrap();
        prop_assert_eq!(RunKey::of_stored(&text, task.content, task.model).unwrap(), task.key);
        prop_assert_ne!(RunKey::of_stored(&text, task.content, NO_MODEL).unwrap(), task.key);
    }

    #[test]
    fn replication_seed_and_model_count(replication in 0u32..5, seed in any::<u64>()) {
        let made = KeyMaker::new(|_| Ok(None)).case(&case()).unwrap();
        prop_assert_ne!(made.run(replication, seed), made.run(replication + 1, seed));
        prop_assert_ne!(made.run(replication, seed), made.run(replication, seed.wrapping_add(1)));
    }
}
