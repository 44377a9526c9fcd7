use super::*;
use proptest::prelude::*;

fn curve(parallelism: f64, sigma: f64) -> Speedup {
    Speedup { parallelism, sigma }
}

/// The five branches as the paper prints them; `n` need not be whole.
fn printed(Speedup { parallelism: a, sigma: s }: Speedup, n: f64) -> f64 {
    if s <= 1.0 {
        match n {
            n if n <= a => a * n / (a + s * (n - 1.0) / 2.0),
            n if n <= 2.0 * a - 1.0 => a * n / (s * (a - 0.5) + n * (1.0 - s / 2.0)),
            _ => a,
        }
    } else if n <= a + a * s - s {
        n * a * (s + 1.0) / (s * (n + a - 1.0) + a)
    } else {
        a
    }
}

fn any_curve() -> impl Strategy<Value = Speedup> {
    let sigma = prop_oneof![
        Just(0.0),
        Just(1.0),
        Just(2.0),
        Just(1.0f64.next_up()),
        Just(1.0f64.next_down()),
        Just(1e-16),
        0.0..1.0,
        1.0..4.0
    ];
    let parallelism = prop_oneof![Just(1.0), Just(1.5), (1u32..600).prop_map(f64::from), 1.0..600.0];
    (parallelism, sigma).prop_map(|(parallelism, sigma)| curve(parallelism, sigma))
}

proptest! {
    #[test]
    fn it_is_one_at_one_never_falls_and_stays_below_a(speedup in any_curve()) {
        prop_assert_eq!(speedup.at(1), 1.0);
        for n in 1..1500 {
            prop_assert!(speedup.at(n) <= speedup.at(n + 1), "n = {}", n);
            prop_assert!(speedup.at(n) <= speedup.parallelism.min(f64::from(n) * (1.0 + 1e-12)));
        }
    }

    #[test]
    fn the_slope_is_found_where_it_falls_below(speedup in any_curve(), slope in prop_oneof![1e-9..1.5f64, Just(1.0), Just(1e-3)]) {
        let first = (1..3000).find(|n| speedup.slope(*n) < slope);
        prop_assert_eq!(Some(speedup.first_below(slope)), first);
    }

    #[test]
    fn it_is_what_the_paper_prints(speedup in any_curve(), n in 1u32..1500) {
        let (ours, theirs) = (speedup.at(n), printed(speedup, f64::from(n)));
        prop_assert!((ours - theirs).abs() <= 1e-11 * theirs, "{ours} {theirs}");
    }

    #[test]
    fn its_branches_agree_where_they_meet(speedup in any_curve()) {
        let Speedup { parallelism: a, sigma: s } = speedup;
        for seam in [a, 2.0 * a - 1.0, a + a * s - s] {
            let [left, at, right] = [seam - 1e-7, seam, seam + 1e-7].map(|n| printed(speedup, n.max(1.0)));
            prop_assert!((left - at).abs() < 2e-7 && (right - at).abs() < 2e-7, "{left} {at} {right}");
        }
        let [low, high] = [1.0, 1.0f64.next_up()].map(|sigma| curve(a, sigma));
        for n in 1..1500 {
            prop_assert!((low.at(n) - high.at(n)).abs() <= 1e-11 * low.at(n));
        }
    }

    #[test]
    fn the_slope_is_the_right_derivative(speedup in any_curve(), n in 1u32..1500) {
        let (x, h) = (f64::from(n), 1e-4);
        let Speedup { parallelism: a, sigma: s } = speedup;
        // No seam between the two points at which the difference is taken.
        let seams = [a, 2.0 * a - 1.0, a + a * s - s];
        prop_assume!(seams.iter().all(|seam| *seam <= x || *seam > x + h));
        let numeric = (printed(speedup, x + h) - printed(speedup, x)) / h;
        prop_assert!((speedup.slope(n) - numeric).abs() < 2e-3 * (1.0 + numeric), "{} {numeric}", speedup.slope(n));
    }

    #[test]
    fn the_curve_is_concave(speedup in any_curve(), n in 1u32..1500) {
        prop_assert!(speedup.slope(n + 1) <= speedup.slope(n) * (1.0 + 1e-12));
        prop_assert!(speedup.step(n) <= speedup.slope(n) + 1e-11);
        prop_assert!(speedup.step(n) + 1e-11 >= speedup.slope(n + 1));
    }

    #[test]
    fn times_never_grow_with_the_nodes(speedup in any_curve(), ticks in 1i64..1 << 45, size in 1u32..600) {
        let time = TimeOn::new(Span(ticks), size, Some(speedup));
        prop_assert_eq!(time.on(size), Span(ticks));
        for n in 1..700 {
            prop_assert!(time.on(n) >= time.on(n + 1), "n = {}", n);
            prop_assert!(time.on(n) >= Span::TICK);
        }
    }
}

#[test]
fn hand_made_values() {
    let linear = curve(8.0, 0.0);
    assert_eq!([1, 4, 8, 9, 100].map(|n| linear.at(n)), [1.0, 4.0, 8.0, 8.0, 8.0]);
    assert_eq!([1, 7, 8].map(|n| linear.slope(n)), [1.0, 1.0, 0.0]);
    // σ = 1, A = 4: S(n) = 8n/(n + 7), which is 4 from n = 7 on.
    let middling = curve(4.0, 1.0);
    assert_eq!([1, 3, 7, 8].map(|n| middling.at(n)), [1.0, 2.4, 4.0, 4.0]);
    // σ = 2, A = 10: S(n) = 30n/(2n + 28), which is 10 from n = 28 on.
    let poor = curve(10.0, 2.0);
    assert_eq!([1, 2, 28, 29].map(|n| poor.at(n)), [1.0, 1.875, 10.0, 10.0]);
    assert_eq!([28, 1].map(|n| poor.slope(n)), [0.0, 30.0 * 28.0 / 900.0]);
}

#[test]
fn times_follow_the_speedup() {
    let time = |size| TimeOn::new(Span::from_secs(400), size, Some(curve(10.0, 0.0)));
    assert_eq!([1, 2, 4, 20].map(|n| time(1).on(n)), [400, 200, 100, 40].map(Span::from_secs));
    assert_eq!(time(1).on(3), Span(133_333_333));
    assert_eq!(time(5).on(1), Span::from_secs(2000));
    let short = TimeOn::new(Span::TICK, 1, Some(curve(10.0, 0.0)));
    assert_eq!(short.on(10), Span::TICK);
    let rigid = TimeOn::new(Span::from_secs(7), 4, None);
    assert_eq!([1, 4, 9].map(|n| rigid.on(n)), [7, 7, 7].map(Span::from_secs));
}

#[test]
fn what_is_no_speedup_is_told() {
    let odd = [curve(0.5, 1.0), curve(f64::NAN, 1.0), curve(2.0, -0.1), curve(2.0, f64::INFINITY)];
    assert!(odd.iter().all(|speedup| !speedup.is_valid()));
    assert!(curve(1.0, 0.0).is_valid());
}
