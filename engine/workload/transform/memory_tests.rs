#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;
use sim::{Span, Time};

const NAMED: [MemoryVector; 5] = [
    MemoryVector::Default,
    MemoryVector::High,
    MemoryVector::Low,
    MemoryVector::VeryHigh,
    MemoryVector::VeryLow,
];

fn job(run_time_s: i64) -> Job {
    let run_time = Span::from_secs(run_time_s);
    Job { id: 1, submit: Time::ZERO, run_time, estimate: run_time, size: 1, ..Job::default() }
}

fn drawn(long: MemoryVector, medium: MemoryVector, short: MemoryVector) -> MemoryModel {
    MemoryModel::Drawn { long, medium, short, node_kb: 400 }
}

fn only(share: f64) -> MemoryVector {
    MemoryVector::Values(vec![share])
}

fn amounts(jobs: &[Job], model: &MemoryModel, seed: u64) -> Vec<u64> {
    let mut jobs = jobs.to_vec();
    assign_memory(&mut jobs, model, seed).unwrap();
    jobs.iter().map(|job| job.memory_kb).collect()
}

#[test]
fn the_class_is_that_of_the_run_time() {
    let jobs = [1, 599, 600, 10_800, 10_801, 1_000_000].map(job);
    let model = drawn(only(1.0), only(0.5), only(0.25));
    assert_eq!(amounts(&jobs, &model, 1), [100, 100, 200, 200, 400, 400]);
}

#[test]
fn every_value_of_a_vector_is_as_likely_as_any_other() {
    let jobs = vec![job(1); 100_000];
    for vector in NAMED {
        let shares = vector.shares().to_vec();
        let found = amounts(&jobs, &drawn(only(1.0), only(1.0), vector), 3);
        assert_eq!(shares.len(), 10);
        // The binomial sd of a share of 0.4 is 0.0015.
        for share in &shares {
            let amount = (share * 400.0) as u64;
            let wanted = shares.iter().filter(|other| *other == share).count() as f64 / 10.0;
            let rate = found.iter().filter(|kb| **kb == amount).count() as f64 / 100_000.0;
            assert!((rate - wanted).abs() < 0.008, "{share}: {rate} instead of {wanted}");
        }
        let all: f64 = found.iter().sum::<u64>() as f64 / 100_000.0 / 400.0;
        let mean = shares.iter().sum::<f64>() / 10.0;
        assert!((all - mean).abs() < 0.005, "mean {all} instead of {mean}");
    }
}

#[test]
fn the_draws_of_a_job_do_not_depend_on_vectors_classes_or_later_jobs() {
    let short = vec![job(1); 1_000];
    let mut mixed = short.clone();
    mixed.iter_mut().step_by(3).for_each(|job| job.run_time = Span::from_secs(50_000));
    let same = |vector: MemoryVector| drawn(vector.clone(), vector.clone(), vector);
    let low = amounts(&short, &same(MemoryVector::Low), 7);
    assert_eq!(low, amounts(&mixed, &same(MemoryVector::Low), 7));
    assert_eq!(low[..100], amounts(&short[..100], &same(MemoryVector::Low), 7));
    assert_ne!(low, amounts(&short, &same(MemoryVector::Low), 8));
    // Sorted vectors of equal length are drawn from at the same place.
    let place = |vector: &MemoryVector, kb: u64| {
        let mut at = vector.shares().iter().map(|share| (share * 400.0) as u64).enumerate();
        let first = at.clone().position(|(_, other)| other == kb).unwrap();
        let last = at.rfind(|(_, other)| *other == kb).unwrap().0;
        first..=last
    };
    let high = amounts(&short, &same(MemoryVector::VeryHigh), 7);
    for (low, high) in low.iter().zip(high) {
        let (low, high) = (place(&MemoryVector::Low, *low), place(&MemoryVector::VeryHigh, high));
        assert!(low.start() <= high.end() && high.start() <= low.end());
    }
}

#[test]
fn recorded_amounts_are_cut_to_the_node() {
    let mut jobs = [0, 5, 32_768, 40_000].map(|memory_kb| Job { memory_kb, ..job(60) });
    assign_memory(&mut jobs, &MemoryModel::Recorded { node_kb: 32_768 }, 1).unwrap();
    assert_eq!(jobs.map(|job| job.memory_kb), [0, 5, 32_768, 32_768]);
}

#[test]
fn values_that_are_no_shares_are_refused() {
    let refuse = |model: MemoryModel| {
        let mut jobs = [job(60)];
        let text = assign_memory(&mut jobs, &model, 1).unwrap_err().to_string();
        assert_eq!(jobs, [job(60)]);
        text
    };
    let long = |shares: &[f64]| {
        refuse(drawn(MemoryVector::Values(shares.to_vec()), only(0.5), MemoryVector::Default))
    };
    assert_eq!(long(&[]), "memory vector = Values([]): expected at least one share of a node's memory");
    assert_eq!(
        long(&[0.5, 1.5]),
        "memory vector = 1.5 (share 2 of 2): expected shares of a node's memory, above 0 and at most 1"
    );
    for bad in [0.0, -0.5, f64::NAN, f64::INFINITY] {
        assert!(long(&[bad]).contains("(share 1 of 1)"));
    }
    assert_eq!(refuse(MemoryModel::Recorded { node_kb: 0 }), "node_kb = 0: expected at least 1");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn amounts_are_within_the_node(
        shares in prop::collection::vec(1e-9f64..=1.0, 1..20), node_kb in 1u64..1 << 40, seed: u64, times in prop::collection::vec(1i64..20_000, 1..40)
    ) {
        let vector = MemoryVector::Values(shares.clone());
        let model = MemoryModel::Drawn { long: vector.clone(), medium: vector.clone(), short: vector, node_kb };
        let jobs: Vec<Job> = times.into_iter().map(job).collect();
        for amount in amounts(&jobs, &model, seed) {
            prop_assert!((1..=node_kb).contains(&amount));
            let near = |share: &f64| (share * node_kb as f64 - amount as f64).abs() <= 1.0;
            prop_assert!(shares.iter().any(near), "{amount}");
        }
    }
}
