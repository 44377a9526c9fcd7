//! The standard normal distribution and its inverse, from `libm` functions only.

/// Φ(x).
pub(super) fn distribution(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// Φ⁻¹(u) for 0 < u < 1, to a relative error of 1.15 · 10⁻⁹. Source: P. J. Acklam, "An algorithm for computing the inverse
/// normal cumulative distribution function" (2003): rational approximations for the middle and the tails.
pub(super) fn quantile(u: f64) -> f64 {
    const TAIL: f64 = 0.024_25;
    if u < TAIL {
        lower_tail(libm::sqrt(-2.0 * libm::log(u)))
    } else if u > 1.0 - TAIL {
        -lower_tail(libm::sqrt(-2.0 * libm::log(1.0 - u)))
    } else {
        middle(u - 0.5)
    }
}

fn middle(q: f64) -> f64 {
    const NUMERATOR: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const DENOMINATOR: [f64; 6] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
        1.0,
    ];
    let r = q * q;
    q * polynomial(&NUMERATOR, r) / polynomial(&DENOMINATOR, r)
}

fn lower_tail(q: f64) -> f64 {
    const NUMERATOR: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const DENOMINATOR: [f64; 5] = [
        7.784_695_709_041_462e-3,
        3.224_671_290_700_398e-1,
        2.445_134_137_142_996,
        3.754_408_661_907_416,
        1.0,
    ];
    polynomial(&NUMERATOR, q) / polynomial(&DENOMINATOR, q)
}

/// Horner's rule, highest power first.
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}

#[cfg(test)]
mod tests {
    use super::{distribution, quantile};

    #[test]
    fn quantile_inverts_distribution() {
        for i in 1..10_000 {
            let u = f64::from(i) / 10_000.0;
            assert!((distribution(quantile(u)) / u - 1.0).abs() < 1e-7, "{u}");
        }
        assert!((quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-8);
        assert!((quantile(1e-9) + 5.997_807_015).abs() < 1e-7);
    }
}
