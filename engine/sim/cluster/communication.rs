//! What it costs a job of a mini-grid to communicate between clusters. Source: Jones et al. 2004, "Models", "Simulation" and "Bandwidth
//! Allotment Algorithm".

use crate::error::SimError;
use crate::job::Rate;
use serde::{Deserialize, Serialize};

/// How a job is slowed down whose nodes lie in several clusters; inside one cluster jobs run at full rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum CommunicationModel {
    /// Not at all ("no comm. penalty").
    #[default]
    Ideal,
    /// By a factor that is the same for all.
    FixedPenalty {
        /// By what share of itself time grows, 0 or more; the slides' axis is lost, *assumption*: 0.25.
        #[serde(default = "a_quarter")]
        penalty: f64,
        /// Which time grows.
        #[serde(default)]
        penalized: Penalized,
    },
    /// By what the links between the clusters can carry: the dynamic model.
    Contended {
        /// What the one link of each cluster carries, in the unit of the jobs' bandwidths; above 0.
        link_bandwidth: f64,
        /// By how much the jobs of a saturated link are reduced.
        #[serde(default)]
        step3: Step3,
    },
}

/// The time that a fixed penalty stretches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Penalized {
    /// All of it (*assumption*: the slides print no formula).
    #[default]
    WholeJob,
    /// The time of communication.
    Communication,
}

/// The factor in step 3 of the allotment, where the slides contradict each other. Equal where jobs share all their links, as on two clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step3 {
    /// What is left of the link over the demand of its jobs that are not reduced yet: BW^uc_sat, by which links are chosen (*assumption*).
    #[default]
    Unconstrained,
    /// The link's bandwidth over the demand of all its jobs: BW^sat, as printed. Leaves bandwidth unused.
    Printed,
}

fn a_quarter() -> f64 {
    0.25
}

impl CommunicationModel {
    /// Checks the numbers.
    ///
    /// # Errors
    /// [`SimError::Machine`] for a penalty that is negative, a link without bandwidth, and numbers that are not finite.
    pub fn validate(&self) -> Result<(), SimError> {
        let reason = match *self {
            CommunicationModel::FixedPenalty { penalty, .. } if !(penalty.is_finite() && penalty >= 0.0) => {
                format!("a penalty of {penalty} is not 0 or more")
            }
            CommunicationModel::Contended { link_bandwidth, .. }
                if !(link_bandwidth.is_finite() && link_bandwidth > 0.0) =>
            {
                format!("a link_bandwidth of {link_bandwidth} is not above 0")
            }
            _ => return Ok(()),
        };
        Err(SimError::Machine { reason })
    }
}

/// The rate of a job that takes `stretch` times as long, 1 or more; at least the lowest there is above none.
pub fn slowed(stretch: f64) -> Rate {
    if stretch <= 1.0 {
        return Rate::FULL;
    }
    Rate((libm::round(Rate::FULL.0 as f64 / stretch) as u64).max(1))
}

/// How many times as long a job takes that communicates for a share of its time, with a fraction (above 0) of the bandwidth it asks for:
/// T_P + T_C / BW^sd over T_P + T_C.
pub fn stretch(share: f64, fraction: f64) -> f64 {
    if fraction >= 1.0 { 1.0 } else { (1.0 - share) + share / fraction }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn half_the_bandwidth_doubles_the_time_of_communication() {
        assert_eq!(stretch(0.3, 1.0), 1.0);
        assert_eq!(stretch(0.25, 0.5), 1.25);
        assert_eq!(stretch(0.0, 0.1), 1.0);
        assert_eq!((slowed(1.0), slowed(2.0)), (Rate::FULL, Rate(1 << 31)));
        assert_eq!(slowed(1e30), Rate(1));
    }

    #[test]
    fn impossible_numbers_are_refused() {
        let fixed = |penalty| CommunicationModel::FixedPenalty { penalty, penalized: Penalized::WholeJob };
        let links = |link_bandwidth| CommunicationModel::Contended { link_bandwidth, step3: Step3::Printed };
        assert!(fixed(0.0).validate().is_ok() && links(0.1).validate().is_ok());
        for model in [fixed(-0.1), fixed(f64::NAN), links(0.0), links(f64::INFINITY)] {
            let error = model.validate().unwrap_err().to_string();
            assert!(error.starts_with("bad machine: a "), "{error}");
        }
    }
}
