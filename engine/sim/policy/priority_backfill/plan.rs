//! Reservations that outlive the pass that made them, and what has changed since.

use super::zones::Zones;
use crate::time::Time;

/// A box of a reservation, from `from` for as long as its job's estimate and as large as its job's need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// The host.
    pub host: usize,
    /// The start that is planned.
    pub from: Time,
}

/// A job's reservation and what it was made by.
///
/// It was the earliest beside the running jobs and the reservations of the jobs before it. It still is if none of these has left anything on
/// any host since, and none has taken what it needs.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The reservation.
    pub reserved: Reserved,
    /// Jobs before it then have smaller ranks than it.
    pub rank: u64,
    /// Hosts of which others have left something since.
    pub freed: Zones,
    /// Hosts of which others have taken something since.
    pub taken: Zones,
}
