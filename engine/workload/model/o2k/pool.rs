//! A pool of candidates for one job class, and the weights under which its means are the wanted ones.
//!
//! Candidate i has the weight exp(a · PT_i + b · MT_i − κ · T_i): of all reweightings with these means the one nearest to the
//! raw model in relative entropy. For a given κ, a and b minimise a convex function; κ is 0 or as large as the cap on the class of
//! time takes (`calibrate.rs`).

use super::draft::Draft;

/// Candidates and what they would add to the demands.
#[derive(Clone, Debug)]
pub struct Pool {
    /// The candidates.
    pub jobs: Vec<Draft>,
    /// P · T and M · T over the wanted means, and T in hours.
    features: Vec<[f64; 3]>,
    /// a and b, in units of one over the wanted means.
    tilt: [f64; 2],
    /// κ per hour.
    restraint: f64,
    /// The mean of T in hours under the last tilt.
    hours: f64,
}

/// How exactly the means are solved for; the exchange does the rest.
const ENOUGH: f64 = 1e-6;

const MOST_STEPS: usize = 60;

impl Pool {
    /// Untilted candidates. `wanted` are the means of P · T and M · T, in processor and gigabyte hours.
    pub fn new(jobs: Vec<Draft>, wanted: [f64; 2]) -> Pool {
        let feature =
            |job: &Draft| [job.processor_hours() / wanted[0], job.gigabyte_hours() / wanted[1], job.hours()];
        let features = jobs.iter().map(feature).collect();
        Pool { jobs, features, tilt: [0.0; 2], restraint: 0.0, hours: 0.0 }
    }

    /// P · T and M · T of a candidate over the wanted means, and T over its mean under the tilt.
    pub fn demand(&self, at: usize) -> [f64; 3] {
        let [processors, memory, hours] = self.features[at];
        [processors, memory, hours / self.hours]
    }

    /// Solves for the tilt under a restraint, from the last one on, and gives the mean of T in hours that results.
    pub fn tilt(&mut self, restraint: f64) -> f64 {
        self.restraint = restraint;
        let mut now = self.moments(self.tilt);
        for _ in 0..MOST_STEPS {
            let gradient = [now.means[0] - 1.0, now.means[1] - 1.0];
            if gradient.iter().all(|part| part.abs() < ENOUGH) {
                break;
            }
            let Some((tilt, moments)) = self.step(&now, gradient) else { break };
            (self.tilt, now) = (tilt, moments);
        }
        self.hours = now.hours;
        now.hours
    }

    /// A damped Newton step; none where no step makes the function smaller, as at a mean that no reweighting has.
    fn step(&self, now: &Tilted, gradient: [f64; 2]) -> Option<([f64; 2], Tilted)> {
        let [xx, xy, yy] = now.covariance;
        // The ridge keeps a class whose candidates are all alike solvable.
        let (xx, yy) = (xx + 1e-12, yy + 1e-12);
        let determinant = (xx * yy - xy * xy).max(1e-300);
        let newton = [
            (yy * gradient[0] - xy * gradient[1]) / determinant,
            (xx * gradient[1] - xy * gradient[0]) / determinant,
        ];
        let descent = newton[0] * gradient[0] + newton[1] * gradient[1];
        let mut length = 1.0;
        while length > 1e-6 {
            let tilt = [self.tilt[0] - length * newton[0], self.tilt[1] - length * newton[1]];
            let there = self.moments(tilt);
            if there.value <= now.value - 1e-4 * length * descent {
                return Some((tilt, there));
            }
            length /= 2.0;
        }
        None
    }

    fn exponent(&self, tilt: [f64; 2], at: usize) -> f64 {
        let [x, y, hours] = self.features[at];
        tilt[0] * x + tilt[1] * y - self.restraint * hours
    }

    fn moments(&self, tilt: [f64; 2]) -> Tilted {
        let exponents: Vec<f64> = (0..self.features.len()).map(|at| self.exponent(tilt, at)).collect();
        let most = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sums = [0.0; 7];
        for (exponent, [x, y, hours]) in exponents.iter().zip(&self.features) {
            let weight = libm::exp(exponent - most);
            for (sum, value) in sums.iter_mut().zip([1.0, *x, *y, x * x, x * y, y * y, *hours]) {
                *sum += weight * value;
            }
        }
        let [all, x, y, xx, xy, yy, hours] = sums;
        let (x, y) = (x / all, y / all);
        Tilted {
            value: most + libm::log(all) - tilt[0] - tilt[1],
            means: [x, y],
            covariance: [xx / all - x * x, xy / all - x * y, yy / all - y * y],
            hours: hours / all,
        }
    }

    /// Sums of the candidates' weights, the last of which is 1.
    pub fn cumulative(&self) -> Vec<f64> {
        let exponents: Vec<f64> = (0..self.features.len()).map(|at| self.exponent(self.tilt, at)).collect();
        let most = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = exponents.iter().map(|exponent| libm::exp(exponent - most)).collect();
        let all: f64 = weights.iter().sum();
        let mut sum = 0.0;
        weights
            .iter()
            .map(|weight| {
                sum += weight / all;
                sum
            })
            .collect()
    }
}

/// What a tilt makes of a pool.
struct Tilted {
    /// The function whose minimum is sought: ln Σ exp(exponent) − a − b, since the wanted means are 1.
    value: f64,
    means: [f64; 2],
    /// Of P · T, of both, of M · T.
    covariance: [f64; 3],
    hours: f64,
}
