#![allow(clippy::unwrap_used)]

use super::super::with_factors;
use super::*;
use proptest::prelude::*;

fn settings(overbooking: f64, efficiency: f64) -> Settings {
    Settings::of(&with_factors(overbooking, efficiency)).unwrap()
}

fn limits(settings: &Settings, nodes: u32, weights: &[f64]) -> Vec<u32> {
    let total = weights.iter().map(|weight| root(*weight)).sum();
    weights.iter().map(|weight| limit(settings, nodes, root(*weight), total)).collect()
}

fn claims(limits: &[u32], curves: &[(f64, f64)]) -> Vec<Claim> {
    let claim = |(index, (limit, (parallelism, sigma)))| Claim {
        job: JobSlot(index as u32),
        arrival: index as u64,
        limit,
        speedup: Some(Speedup { parallelism, sigma }),
    };
    limits.iter().copied().zip(curves.iter().copied()).enumerate().map(claim).collect()
}

fn moved(limits: &[u32], curves: &[(f64, f64)], settings: &Settings, nodes: u32) -> Vec<u32> {
    moved_near(limits, curves, settings, nodes, 0.0)
}

fn moved_near(
    limits: &[u32],
    curves: &[(f64, f64)],
    settings: &Settings,
    nodes: u32,
    mut last: f64,
) -> Vec<u32> {
    let mut claims = claims(limits, curves);
    transfer(&mut claims, settings, nodes, &mut last);
    claims.iter().map(|claim| claim.limit).collect()
}

#[test]
fn shares_go_by_the_square_root_of_the_weight() {
    // 1 : 2 : 3 of ten nodes.
    let weights = [1e8, 4e8, 9e8];
    let of = |rounding| limits(&Settings { limit_rounding: rounding, ..settings(1.0, 0.0) }, 10, &weights);
    assert_eq!(of(LimitRounding::Floor), [1, 3, 5]);
    assert_eq!(of(LimitRounding::Nearest), [2, 3, 5]);
    assert_eq!(of(LimitRounding::Ceil), [2, 4, 5]);
    assert_eq!(limits(&settings(2.5, 0.0), 10, &weights), [4, 8, 10]);
    assert_eq!(limits(&settings(0.01, 0.0), 10, &weights), [1, 1, 1]);
    // √7 : √28 is 1 : 2 exactly, which no rounding may take away.
    assert_eq!(limits(&settings(1.0, 0.0), 9, &[7.0, 28.0]), [3, 6]);
}

#[test]
fn nodes_move_to_where_they_help_more() {
    // Linear beside σ = 2: within half of 6 and 6 it may take three.
    let curves = [(12.0, 0.0), (12.0, 2.0)];
    assert_eq!(moved(&[6, 6], &curves, &settings(1.0, 0.5), 12), [9, 3]);
    assert_eq!(moved(&[6, 6], &curves, &settings(1.0, 1.0), 12), [11, 1]);
    assert_eq!(moved(&[6, 6], &curves, &settings(1.0, 0.0), 12), [6, 6]);
    // The other half of a node is out of bounds, unless it is done as printed.
    let printed = Settings { movable: Movable::Printed, ..settings(1.0, 0.5) };
    assert_eq!(moved(&[5, 5], &curves, &settings(1.0, 0.5), 10), [7, 3]);
    assert_eq!(moved(&[5, 5], &curves, &printed, 10), [8, 2]);
    // As printed, a job on one node neither gains nor loses.
    assert_eq!(moved(&[1, 9], &curves, &printed, 10), [1, 9]);
    assert_eq!(moved(&[1, 9], &curves, &settings(1.0, 1.0), 10), [2, 8]);
    // Equal curves swap nothing for ever.
    assert_eq!(moved(&[5, 5], &[(12.0, 1.0); 2], &settings(1.0, 1.0), 10), [5, 5]);
}

#[test]
fn rigid_jobs_keep_their_limits() {
    let mut claims = claims(&[6, 6], &[(12.0, 0.0), (12.0, 2.0)]);
    claims[1].speedup = None;
    transfer(&mut claims, &settings(1.0, 1.0), 12, &mut 0.0);
    assert_eq!(claims[0].limit, 6);
}

/// As Fig. 1 has it, with the comment's rule: every job looked at for every move.
fn slowly(limits: &[u32], curves: &[(f64, f64)], settings: &Settings, nodes: u32) -> Vec<u32> {
    let base = limits.to_vec();
    let mut limits = limits.to_vec();
    let slope = |job: usize, limit: u32| {
        let speedup = Speedup { parallelism: curves[job].0, sigma: curves[job].1 };
        match settings.slope {
            SlopeOf::RightDerivative => speedup.slope(limit),
            SlopeOf::ForwardDifference => speedup.step(limit),
        }
    };
    loop {
        let bound = |job: usize| {
            let base = f64::from(base[job]);
            let (low, high) = (base * (1.0 - settings.efficiency), base * (1.0 + settings.efficiency));
            (low.max(1.0), high.min(f64::from(nodes)))
        };
        let between =
            |job: usize| bound(job).0 < f64::from(limits[job]) && f64::from(limits[job]) < bound(job).1;
        let (mut loser, mut gainer): (Option<usize>, Option<usize>) = (None, None);
        for job in 0..limits.len() {
            let limit = f64::from(limits[job]);
            let (down, up) = match settings.movable {
                Movable::Directional => (limit - 1.0 >= bound(job).0, limit + 1.0 <= bound(job).1),
                Movable::Printed => (between(job), between(job)),
            };
            let own = slope(job, limits[job]);
            if down && limits[job] <= base[job] && loser.is_none_or(|best| own < slope(best, limits[best])) {
                loser = Some(job);
            }
            if up && limits[job] >= base[job] && gainer.is_none_or(|best| own > slope(best, limits[best])) {
                gainer = Some(job);
            }
        }
        match (loser, gainer) {
            (Some(from), Some(to)) if slope(from, limits[from]) < slope(to, limits[to]) => {
                limits[from] -= 1;
                limits[to] += 1;
            }
            _ => return limits,
        }
    }
}

/// Jobs with limits of up to so many nodes, and their curves.
fn any_jobs(limit: u32, most: usize) -> impl Strategy<Value = Vec<(u32, f64, f64)>> {
    let sigma = prop_oneof![Just(0.0), Just(1.0), Just(2.0), 0.0..2.0f64, 0.0..2.0f64];
    let parallelism = prop_oneof![Just(64.0), 1.0..80.0f64, 1.0..600.0f64];
    prop::collection::vec((1..limit, parallelism, sigma), 1..most)
}

proptest! {
    #[test]
    fn shares_sum_to_the_machine_times_the_overbooking(
        weights in prop::collection::vec(1.0..1e16f64, 1..60),
        overbooking in 0.1..8.0f64,
        nodes in 1u32..600,
    ) {
        let total = weights.iter().map(|weight| root(*weight)).sum();
        let sum: f64 = weights.iter().map(|weight| share(overbooking, nodes, root(*weight), total)).sum();
        let expected = overbooking * f64::from(nodes);
        prop_assert!((sum - expected).abs() <= 1e-9 * expected, "{sum} {expected}");
    }

    #[test]
    fn moves_are_those_of_the_slow_way_and_conserve_nodes(
        (jobs, nodes) in prop_oneof![(any_jobs(40, 12), Just(64)), (any_jobs(400, 40), Just(512))],
        efficiency in prop_oneof![Just(0.5), Just(1.0), 0.0..1.5f64],
        printed: bool,
        forward: bool,
        last in prop_oneof![Just(0.0), 1e-3..1.2f64],
    ) {
        let (before, curves): (Vec<u32>, Vec<_>) = jobs.iter().map(|(limit, a, s)| (*limit, (*a, *s))).unzip();
        let movable = if printed { Movable::Printed } else { Movable::Directional };
        let slope = if forward { SlopeOf::ForwardDifference } else { SlopeOf::RightDerivative };
        let settings = Settings { movable, slope, ..settings(1.0, efficiency) };
        let after = moved_near(&before, &curves, &settings, nodes, last);
        prop_assert_eq!(&after, &slowly(&before, &curves, &settings, nodes));
        prop_assert_eq!(before.iter().sum::<u32>(), after.iter().sum::<u32>());
        for (before, after) in before.iter().zip(&after) {
            // As printed a bound may be passed, by less than one.
            let slack = if printed { 1.0 } else { 0.0 };
            let (before, after) = (f64::from(*before), f64::from(*after));
            prop_assert!(after >= (before * (1.0 - efficiency) - slack).max(1.0).min(before));
            prop_assert!(after <= (before * (1.0 + efficiency) + slack).min(f64::from(nodes)).max(before));
        }
    }
}
