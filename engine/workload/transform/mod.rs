//! What is done to a workload before a run: speed-up of run times, scaling to an offered load.

mod load;
mod speedup;

pub use load::{offered_load, scale_load};
pub use speedup::speed_up;

use sim::time::{MAX_SECONDS, TICKS_PER_SECOND};

/// `ticks` · `factor`, rounded once to the nearest tick; `None` beyond what the simulation can represent.
fn scaled(ticks: i64, factor: f64) -> Option<i64> {
    let product = libm::round(ticks as f64 * factor);
    let limit = (MAX_SECONDS * TICKS_PER_SECOND) as f64;
    (product.abs() <= limit).then_some(product as i64)
}
