//! The quantile t(0.975, ν) of Student's distribution, for 95 % intervals of means. Computed with the `libm` crate's arc tangent as its only
//! transcendental function, because a platform's own logarithms differ in the last bit between machines and a result must not.
//! Sources: Abramowitz & Stegun 26.7.3, 26.7.4 (distribution) and 26.7.5 (series). The crate of the tables compiles this file too.

use std::f64::consts::FRAC_2_PI;

/// Of a standard normal variable, 97.5 % of the probability lies below this.
const NORMAL_975: f64 = 1.959_963_984_540_054;

/// Up to this many degrees of freedom the exact distribution function is inverted; above, a series in 1/ν is as exact.
pub const EXACT_FREEDOM: usize = 200;

/// t(0.975, ν) for ν = `freedom`, at least 1: the distribution function inverted, to the last bit.
pub fn student_975_exact(freedom: usize) -> f64 {
    // t(0.975, 1) = 12.706… is the largest, the normal quantile the limit from above.
    let (mut low, mut high) = (NORMAL_975, 13.0);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return middle;
        }
        if student_within(middle, freedom) < 0.95 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The probability that a Student variable with ν degrees of freedom lies between −t and t.
fn student_within(t: f64, freedom: usize) -> f64 {
    let nu = freedom as f64;
    let cos_squared = nu / (nu + t * t);
    let sin = t / (nu + t * t).sqrt();
    let odd = freedom % 2 == 1;
    // Terms up to the power ν − 2 of the cosine; each follows from the one before.
    let mut term = if odd { cos_squared.sqrt() } else { 1.0 };
    let mut sum = if freedom == 1 { 0.0 } else { term };
    let mut power = if odd { 1 } else { 0 };
    while power + 2 <= freedom.saturating_sub(2) {
        term *= cos_squared * (power + 1) as f64 / (power + 2) as f64;
        sum += term;
        power += 2;
    }
    if odd { FRAC_2_PI * (libm::atan(t / nu.sqrt()) + sin * sum) } else { sin * sum }
}

/// t(0.975, ν) by its series in 1/ν, for ν above [`EXACT_FREEDOM`].
pub fn student_975_series(nu: f64) -> f64 {
    let z = NORMAL_975;
    let z2 = z * z;
    let first = z * (z2 + 1.0) / 4.0;
    let second = z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
    let third = z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
    let fourth = z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92_160.0;
    z + (first + (second + (third + fourth / nu) / nu) / nu) / nu
}
