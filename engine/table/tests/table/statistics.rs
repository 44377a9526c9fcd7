//! Statistics against printed tables, an independent implementation and plain formulas.

use proptest::collection::vec;
use proptest::prelude::*;
use statrs::distribution::{ContinuousCDF, StudentsT};
use table::statistics::{crossover, paired_differences, paired_ratios, percentile, sample, student_975};
use table::{Crossover, Interval};

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
}

#[test]
fn student_quantiles_agree_with_the_printed_table() {
    let printed = [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (9, 2.262),
        (29, 2.045),
        (100, 1.984),
        (1000, 1.962),
    ];
    for (freedom, quantile) in printed {
        let computed = student_975(freedom).unwrap();
        assert!((computed - quantile).abs() < 5e-4, "{freedom}: {computed}");
    }
    assert_eq!(student_975(0), None);
}

#[test]
fn student_quantiles_agree_with_another_implementation() {
    for freedom in (1..=260).chain([500, 1000, 9999, 1_000_000]) {
        let other = StudentsT::new(0.0, 1.0, freedom as f64).unwrap();
        let quantile = student_975(freedom).unwrap();
        assert!(
            (other.cdf(quantile) - 0.975).abs() < 1e-11,
            "{freedom}: {quantile}, {}",
            other.cdf(quantile)
        );
    }
}

#[test]
fn student_quantiles_fall_with_the_degrees_of_freedom_without_a_step_between_the_methods() {
    let quantiles: Vec<f64> = (1..=400).map(|freedom| student_975(freedom).unwrap()).collect();
    assert!(quantiles.windows(2).all(|pair| pair[0] > pair[1]));
    let drop = |freedom: usize| quantiles[freedom - 1] - quantiles[freedom];
    assert!(drop(199) > drop(200) && drop(200) > drop(201), "{} {} {}", drop(199), drop(200), drop(201));
}

#[test]
fn a_sample_by_hand() {
    let of_four = sample(&[2.0, 4.0, 4.0, 6.0]);
    assert_eq!((of_four.n, of_four.mean, of_four.min, of_four.max), (4, Some(4.0), Some(2.0), Some(6.0)));
    assert!(close(of_four.sd.unwrap(), (8.0_f64 / 3.0).sqrt(), 1e-15));
    // 3.182446 · 1.632993 / 2
    let Interval { low, high } = of_four.interval.unwrap();
    assert!(close(low, 4.0 - 2.598_457, 1e-6) && close(high, 4.0 + 2.598_457, 1e-6), "{low} {high}");
}

#[test]
fn small_samples_leave_undefined_what_is_undefined() {
    let none = sample(&[]);
    assert_eq!(
        (none.n, none.mean, none.sd, none.interval, none.min, none.max),
        (0, None, None, None, None, None)
    );
    let one = sample(&[7.5]);
    assert_eq!((one.n, one.mean, one.min, one.max), (1, Some(7.5), Some(7.5), Some(7.5)));
    assert_eq!((one.sd, one.interval), (None, None));
}

#[test]
fn equal_values_have_no_spread() {
    for value in [0.1, 1e-300, 1e15 / 3.0, -7.7] {
        for n in [2, 3, 7, 1000] {
            let equal = sample(&vec![value; n]);
            assert_eq!((equal.mean, equal.sd), (Some(value), Some(0.0)), "{value} {n}");
            assert_eq!(equal.interval, Some(Interval { low: value, high: value }));
        }
    }
}

#[test]
fn a_large_offset_does_not_drown_the_spread() {
    let shifted = sample(&[1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0]);
    assert_eq!((shifted.mean, shifted.sd), (Some(1e9 + 2.0), Some(1.0)));
}

#[test]
fn nothing_undefined_comes_out_as_a_number() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let spoilt = sample(&[1.0, bad, 2.0]);
        assert_eq!((spoilt.n, spoilt.mean, spoilt.sd, spoilt.min, spoilt.max), (3, None, None, None, None));
    }
    assert_eq!(sample(&[f64::MAX, f64::MAX]).mean, None, "a sum beyond all numbers");
    let wide = sample(&[-f64::MAX, f64::MAX]);
    assert_eq!((wide.mean, wide.sd, wide.interval), (Some(0.0), None, None));
}

#[test]
fn pairs_by_hand() {
    let differences = paired_differences(&[3.0, 5.0, 7.0], &[1.0, 2.0, 3.0]).unwrap();
    assert_eq!((differences.mean, differences.sd), (Some(3.0), Some(1.0)));
    let ratios = paired_ratios(&[3.0, 5.0], &[1.0, 2.0]).unwrap();
    assert_eq!(ratios.mean, Some(2.75), "the mean of the ratios, not 8/3");
    for (of, versus) in [(1.0, 0.0), (0.0, 0.0)] {
        let over_zero = paired_ratios(&[4.0, of], &[2.0, versus]).unwrap();
        assert_eq!((over_zero.n, over_zero.mean, over_zero.interval), (2, None, None));
    }
    assert_eq!(paired_differences(&[1.0], &[]), None);
    assert_eq!(paired_ratios(&[], &[1.0]), None);
    assert_eq!(paired_differences(&[], &[]).unwrap().mean, None);
}

#[test]
fn the_interval_covers_the_true_mean_as_often_as_it_says() {
    // Irwin–Hall: the sum of twelve uniform numbers is nearly normal, with mean 6.
    let mut state = 1_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut covered = 0;
    for _ in 0..20_000 {
        let values: Vec<f64> = (0..5).map(|_| (0..12).map(|_| uniform()).sum()).collect();
        let interval = sample(&values).interval.unwrap();
        covered += usize::from(interval.low <= 6.0 && 6.0 <= interval.high);
    }
    let share = covered as f64 / 20_000.0;
    assert!((0.945..0.955).contains(&share), "{share}");
}

#[test]
fn percentiles_by_hand() {
    let values: Vec<f64> = (1..=20).map(f64::from).collect();
    let of = |percent| percentile(&values, percent);
    assert_eq!(
        [of(0.0), of(50.0), of(95.0), of(95.1), of(100.0)].map(Option::unwrap),
        [1.0, 10.0, 19.0, 20.0, 20.0]
    );
    assert_eq!([of(-1.0), of(100.1), of(f64::NAN), percentile(&[], 50.0)], [None; 4]);
}

#[test]
fn crossovers_by_hand() {
    let x = [0.0, 0.1, 0.2, 0.3];
    let of = [9.0, 6.0, 4.0, 1.0];
    assert_eq!(crossover(&x, &of, &[5.0; 4]), Some(Crossover::At(0.1 + 0.1 * 0.5)));
    assert_eq!(crossover(&x, &of, &[4.0; 4]), Some(Crossover::At(0.2)), "equal is not above");
    assert_eq!(crossover(&x, &of, &[9.0; 4]), Some(Crossover::BelowFirst));
    assert_eq!(crossover(&x, &of, &[0.5; 4]), Some(Crossover::AboveLast));
    let again = [9.0, 4.0, 6.0, 1.0];
    assert!(
        matches!(crossover(&x, &again, &[5.0; 4]), Some(Crossover::At(at)) if at < 0.1),
        "the first one counts"
    );
    assert_eq!(crossover(&[0.25], &[2.0], &[1.0]), Some(Crossover::AboveLast));
    let huge = crossover(&[0.0, 1.0], &[f64::MAX, -f64::MAX], &[-f64::MAX, f64::MAX]);
    assert_eq!(huge, Some(Crossover::At(0.5)));
}

#[test]
fn curves_that_are_none_have_no_crossover() {
    assert_eq!(crossover(&[], &[], &[]), None);
    assert_eq!(crossover(&[0.0, 1.0], &[1.0], &[1.0, 1.0]), None);
    assert_eq!(crossover(&[0.0, 1.0], &[1.0, 1.0], &[1.0]), None);
    assert_eq!(crossover(&[0.0, 0.0], &[2.0, 0.0], &[1.0, 1.0]), None, "x does not rise");
    assert_eq!(crossover(&[0.0, 1.0], &[2.0, f64::NAN], &[1.0, 1.0]), None);
}

proptest! {
    #[test]
    fn samples_agree_with_the_plain_formulas(values in vec(-1e3..1e3_f64, 2..50)) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let sd = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
        let quantile = StudentsT::new(0.0, 1.0, n - 1.0).unwrap().inverse_cdf(0.975);
        let computed = sample(&values);
        prop_assert!(close(computed.mean.unwrap(), mean, 1e-12));
        prop_assert!(close(computed.sd.unwrap(), sd, 1e-12));
        let interval = computed.interval.unwrap();
        prop_assert!(close(interval.low, mean - quantile * sd / n.sqrt(), 1e-8));
        prop_assert!(close(interval.high, mean + quantile * sd / n.sqrt(), 1e-8));
        prop_assert!(computed.min.unwrap() <= computed.mean.unwrap() && computed.mean.unwrap() <= computed.max.unwrap());
    }

    #[test]
    fn percentiles_agree_with_their_definition(mut values in vec(-50..50_i32, 1..60), percent in 0..=100_u32) {
        values.sort_unstable();
        let ascending: Vec<f64> = values.iter().map(|value| f64::from(*value)).collect();
        let not_above = |value: f64| ascending.iter().filter(|other| **other <= value).count();
        let naive = ascending.iter().copied().find(|value| not_above(*value) * 100 >= percent as usize * ascending.len());
        prop_assert_eq!(percentile(&ascending, f64::from(percent)), naive);
    }

    #[test]
    fn straight_lines_cross_where_they_meet(meet in 0.05..0.95_f64, slope in 0.1..100.0_f64, points in 2..20_usize) {
        let x: Vec<f64> = (0..=points).map(|point| point as f64 / points as f64).collect();
        let of: Vec<f64> = x.iter().map(|x| 7.0 - slope * (x - meet)).collect();
        let Some(Crossover::At(at)) = crossover(&x, &of, &vec![7.0; x.len()]) else {
            return Err(TestCaseError::fail("no crossover"));
        };
        prop_assert!((at - meet).abs() < 1e-9, "{} {}", at, meet);
    }
}
