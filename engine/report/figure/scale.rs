//! Axes: which range of values is shown, and where its ticks are.

use crate::number::{grouped, superscript};

/// An axis from its low to its high end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    log: bool,
    /// Labelled ticks, rising.
    pub ticks: Vec<(f64, String)>,
    /// Unlabelled grid lines of a logarithmic axis.
    pub minor: Vec<f64>,
}

impl Scale {
    /// Where a value is, 0 at the low and 1 at the high end. What is outside is put on the nearer end.
    pub fn at(&self, value: f64) -> f64 {
        let position = if !self.log {
            (value - self.low) / (self.high - self.low)
        } else if value > 0.0 {
            libm::log10(value / self.low) / libm::log10(self.high / self.low)
        } else {
            0.0
        };
        position.clamp(0.0, 1.0)
    }

    /// Whether a value lies on the axis.
    pub fn shows(&self, value: f64) -> bool {
        let slack = 1e-9 * (self.high - self.low);
        value >= self.low - slack && value <= self.high + slack
    }

    /// Where bars start; of ratios on a logarithmic axis at 1, so that less and more go in opposite directions.
    pub fn base(&self, ratios: bool) -> f64 {
        match (self.log, ratios) {
            (true, true) => 1.0_f64.clamp(self.low, self.high),
            (true, false) => self.low,
            (false, _) => 0.0_f64.clamp(self.low, self.high),
        }
    }

    /// A linear axis for these values with about `count` ticks; with `zero`, zero is on it.
    pub fn linear(values: &[f64], zero: bool, count: usize) -> Scale {
        let (mut low, mut high) = ends(values);
        // A range that starts near zero is honest only from zero on.
        if zero || (low >= 0.0 && low <= 0.6 * high) {
            low = low.min(0.0);
            high = high.max(0.0);
        }
        if low == high {
            let half = if low == 0.0 { 1.0 } else { low.abs() * 0.1 };
            high += half;
            low = if low == 0.0 { 0.0 } else { low - half };
        }
        let step = nice_step((high - low) / count.max(1) as f64);
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let decimals = decimals(step);
        let tick = |index: f64| (index * step, grouped(index * step, decimals));
        let steps = (last - first) as usize;
        let ticks = (0..=steps).map(|index| tick(first + index as f64)).collect();
        Scale { low: first * step, high: last * step, log: false, ticks, minor: Vec::new() }
    }

    /// A linear axis that ends a little beyond the outermost values, for x.
    pub fn along(values: &[f64], count: usize) -> Scale {
        let (low, high) = ends(values);
        let pad = if low == high { 0.5 } else { (high - low) * 0.03 };
        let round = Scale::linear(values, false, count);
        let shown = |value: &f64| *value >= low - pad * 1.01 && *value <= high + pad * 1.01;
        let ticks: Vec<(f64, String)> = round.ticks.into_iter().filter(|(value, _)| shown(value)).collect();
        Scale { low: low - pad, high: high + pad, log: false, ticks, minor: Vec::new() }
    }

    /// A logarithmic axis for the positive ones of these values; `None` if there is none.
    pub fn logarithmic(values: &[f64]) -> Option<Scale> {
        let positive: Vec<f64> = values.iter().copied().filter(|value| *value > 0.0).collect();
        if positive.is_empty() {
            return None;
        }
        let (low, high) = ends(&positive);
        let low = series_125(low).into_iter().rev().find(|value| *value <= low * 1.000_001)?;
        let mut high = series_125(high).into_iter().find(|value| *value >= high * 0.999_999)?;
        if high <= low {
            high = series_125(low * 1.5).into_iter().find(|value| *value > low)?;
        }
        let decades = libm::log10(high / low);
        let exponents = libm::log10(low).floor() as i32..=libm::log10(high).ceil() as i32;
        let inside = |value: &f64| *value >= low * 0.999_999 && *value <= high * 1.000_001;
        let mantissas: &[f64] = if decades > 2.6 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let stride = if decades > 8.0 { 2 } else { 1 };
        let ticks = exponents
            .clone()
            .filter(|exponent| exponent % stride == 0)
            .flat_map(|exponent| mantissas.iter().map(move |mantissa| mantissa * power_of_ten(exponent)))
            .filter(inside)
            .map(|value| (value, power_label(value)))
            .collect();
        let minor = exponents
            .flat_map(|exponent| (2..10).map(move |mantissa| f64::from(mantissa) * power_of_ten(exponent)))
            .filter(inside)
            .collect();
        Some(Scale { low, high, log: true, ticks, minor })
    }
}

fn ends(values: &[f64]) -> (f64, f64) {
    let low = values.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0);
    let high = values.iter().copied().max_by(f64::total_cmp).unwrap_or(1.0);
    (low, high)
}

/// 1, 2, 2.5 or 5 times a power of ten, at least this.
fn nice_step(least: f64) -> f64 {
    let power = power_of_ten(libm::log10(least).floor() as i32);
    let factor = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|factor| factor * power >= least * 0.999_999);
    factor.unwrap_or(10.0) * power
}

fn decimals(step: f64) -> usize {
    (0..9).find(|decimals| is_whole(step * power_of_ten(*decimals))).unwrap_or(9) as usize
}

fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() < 1e-6 * value.abs().max(1.0)
}

/// 1, 2 and 5 times the powers of ten around a value, rising.
fn series_125(value: f64) -> Vec<f64> {
    let exponent = libm::log10(value).floor() as i32;
    let decade = |exponent: i32| [1.0, 2.0, 5.0].map(|mantissa| mantissa * power_of_ten(exponent));
    (exponent - 1..=exponent + 1).flat_map(decade).collect()
}

/// Ten to a power, exactly rounded.
fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

fn power_label(value: f64) -> String {
    if (1e-3..1e6).contains(&(value * 1.000_001)) {
        let decimals = decimals(value);
        return grouped(value, decimals);
    }
    let exponent = libm::log10(value * 1.000_001).floor() as i32;
    let mantissa = (value / power_of_ten(exponent)).round();
    let power = format!("10{}", superscript(&exponent.to_string()));
    if mantissa > 1.0 { format!("{mantissa}×{power}") } else { power }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]

    use super::Scale;
    use proptest::prelude::*;

    fn labels(scale: &Scale) -> Vec<&str> {
        scale.ticks.iter().map(|(_, label)| label.as_str()).collect()
    }

    #[test]
    fn linear_axes_have_round_ticks_and_include_zero_where_values_start_low() {
        assert_eq!(
            labels(&Scale::linear(&[120.0, 1_930.0], false, 5)),
            ["0", "500", "1,000", "1,500", "2,000"]
        );
        assert_eq!(labels(&Scale::linear(&[98.0, 101.0], false, 3)), ["98", "99", "100", "101"]);
        assert_eq!(labels(&Scale::linear(&[98.0, 101.0], true, 5)).first(), Some(&"0"));
        assert_eq!(labels(&Scale::linear(&[-0.2, 0.2], false, 4)), ["−0.2", "−0.1", "0.0", "0.1", "0.2"]);
    }

    #[test]
    fn logarithmic_axes_label_decades_or_one_two_five() {
        let wide = Scale::logarithmic(&[3.0, 40_000.0]);
        assert_eq!(wide.as_ref().map(labels), Some(vec!["10", "100", "1,000", "10,000"]));
        let narrow = Scale::logarithmic(&[90.0, 700.0]);
        assert_eq!(narrow.as_ref().map(labels), Some(vec!["50", "100", "200", "500", "1,000"]));
        let large = Scale::logarithmic(&[1e3, 2e7]);
        assert_eq!(large.as_ref().map(labels), Some(vec!["1,000", "10,000", "100,000", "10⁶", "10⁷"]));
        assert_eq!(Scale::logarithmic(&[0.0, -3.0]), None);
    }

    proptest! {
        #[test]
        fn every_value_is_on_its_axis(values in prop::collection::vec(-1e7f64..1e7, 1..20)) {
            let (low, high) = super::ends(&values);
            for scale in [Scale::linear(&values, false, 5), Scale::linear(&values, true, 5), Scale::along(&values, 6)] {
                prop_assert!(scale.low <= low && scale.high >= high, "{low} … {high} on {scale:?}");
                prop_assert!(scale.ticks.len() <= 16, "{} ticks", scale.ticks.len());
            }
            let positive: Vec<f64> = values.iter().map(|value| value.abs() + 1e-3).collect();
            let (low, high) = super::ends(&positive);
            let scale = Scale::logarithmic(&positive).expect("positive values");
            prop_assert!(scale.low <= low * 1.0001 && scale.high >= high * 0.9999);
            prop_assert!(scale.ticks.len() >= 2 && scale.ticks.len() <= 16, "{scale:?}");
        }
    }
}
