//! The parameters of fair share. The paper prints the two factors; the others are readings of it.

use crate::error::SimError;
use crate::policy::PolicySpec;
use serde::{Deserialize, Serialize};

/// Fair share with these factors, ObF and EF, and the default readings.
pub fn with_factors(overbooking: f64, efficiency: f64) -> PolicySpec {
    PolicySpec::FairShare {
        overbooking,
        efficiency,
        share_among: Default::default(),
        running_weight: Default::default(),
        share_weight: Default::default(),
        limit_rounding: Default::default(),
        later_jobs: Default::default(),
        reserved_size: Default::default(),
        movable: Default::default(),
        slope: Default::default(),
    }
}

/// All parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// ObF, the overbooking factor: limits add up to so many times the machine. Above 0.
    pub overbooking: f64,
    /// EF, the efficiency factor: by what share of itself a limit may change. 0 or more.
    pub efficiency: f64,
    /// Among which jobs the machine is shared.
    pub share_among: ShareAmong,
    /// What a running job weighs.
    pub running_weight: RunningWeight,
    /// What a job weighs.
    pub share_weight: ShareWeight,
    /// How a share becomes a limit.
    pub limit_rounding: LimitRounding,
    /// How jobs behind the reservation choose.
    pub later_jobs: LaterJobs,
    /// Whether the reservation's size is chosen anew in every pass.
    pub reserved_size: ReservedSize,
    /// Which limits may change.
    pub movable: Movable,
    /// What the slope of a speedup is.
    pub slope: SlopeOf,
}

impl Settings {
    /// Those of a specification.
    ///
    /// # Errors
    /// [`SimError::Setup`] where it is not one of fair share, or as for [`Settings::validate`].
    pub fn of(spec: &PolicySpec) -> Result<Settings, SimError> {
        let &PolicySpec::FairShare {
            overbooking,
            efficiency,
            share_among,
            running_weight,
            share_weight,
            limit_rounding,
            later_jobs,
            reserved_size,
            movable,
            slope,
        } = spec
        else {
            return Err(SimError::Setup { reason: "this policy does not work by fair shares".into() });
        };
        let settings = Settings {
            overbooking,
            efficiency,
            share_among,
            running_weight,
            share_weight,
            limit_rounding,
            later_jobs,
            reserved_size,
            movable,
            slope,
        };
        settings.validate().map(|()| settings)
    }

    /// Checks that the overbooking factor is above 0 and the efficiency factor 0 or more.
    ///
    /// # Errors
    /// [`SimError::Setup`] with the reason.
    pub fn validate(&self) -> Result<(), SimError> {
        let reason = if !(self.overbooking.is_finite() && self.overbooking > 0.0) {
            format!("an overbooking factor of {} is not above 0", self.overbooking)
        } else if !(self.efficiency.is_finite() && self.efficiency >= 0.0) {
            format!("an efficiency factor of {} is not 0 or more", self.efficiency)
        } else {
            return Ok(());
        };
        Err(SimError::Setup { reason })
    }
}

/// Among which jobs the machine is shared; *assumption*, from the example of §4.2: `WaitingAndRunning`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShareAmong {
    /// All jobs in the system.
    #[default]
    WaitingAndRunning,
    /// Jobs in the queue.
    Waiting,
}

/// What a running job weighs; *assumption*: `Full`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunningWeight {
    /// As much as when it was submitted.
    #[default]
    Full,
    /// The share of its weight that its remaining estimate is of its estimate, on the nodes it runs on.
    Remaining,
}

/// What a job weighs ("resource requirement in processor-seconds", §4.1); *assumption*: `Requested`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShareWeight {
    /// Estimate × requested nodes.
    #[default]
    Requested,
    /// The estimate on one node; of a rigid job the same as `Requested`.
    Sequential,
}

/// How a share becomes a whole number of nodes; *assumption*: `Floor`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LimitRounding {
    /// Downwards.
    #[default]
    Floor,
    /// To the nearest, halves upwards.
    Nearest,
    /// Upwards.
    Ceil,
}

/// How jobs behind the reservation choose; *assumption*: `WholeProfile`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LaterJobs {
    /// As those before it: they start if what is best at any time is to start now.
    #[default]
    WholeProfile,
    /// The best of the sizes that can start now.
    StartingNow,
}

/// Whether the reservation's size is chosen anew in every pass; *assumption*: `Renewed`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReservedSize {
    /// It is.
    #[default]
    Renewed,
    /// The job keeps the size until it starts.
    KeepsSize,
}

/// Which limits may change (`canMove` of Fig. 1); *assumption*: `Directional`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Movable {
    /// One that stays within its bounds.
    #[default]
    Directional,
    /// As printed: one strictly between its bounds, whichever way it moves, so that it may pass a bound that is no whole number.
    Printed,
}

/// What the slope of a speedup is (`getSlope` of Fig. 1); *assumption*: `RightDerivative`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SlopeOf {
    /// The right derivative at the limit.
    #[default]
    RightDerivative,
    /// What one more node adds.
    ForwardDifference,
}
