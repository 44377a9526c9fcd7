//! Policies and their parameters.

use super::{positive, reason};
use sim::PolicySpec;
use sim::policy::class_priority::{self, SizeClass, TimeClass};
use sim::policy::{ImmediateService, Order, Shares, co_allocation};
use sim::time::MAX_SECONDS;

pub(crate) fn policy(policy: &PolicySpec) -> Result<(), String> {
    match policy {
        PolicySpec::Priority { order: o, .. } => {
            order(o)?;
            o.without_memory().map_err(reason)
        }
        PolicySpec::PriorityBackfill {
            order: o,
            holders,
            slide,
            grace_s,
            immediate_service: service,
            ..
        } => {
            order(o)?;
            class_bound(grace_s)?;
            immediate_service(service)?;
            holders.allow(*slide).map_err(reason)
        }
        PolicySpec::TimeSlicing { interval_s, shares, short_below_s, long_above_s, .. } => {
            interval(interval_s)?;
            slice_shares(shares)?;
            [short_below_s, long_above_s].into_iter().try_for_each(class_bound)
        }
        PolicySpec::EqSpatial { min_interval_s, full_after_s, immediate_service: service } => {
            class_bound(min_interval_s)?;
            immediate_service(service)?;
            service.map_or(Ok(()), ImmediateService::without_victims).map_err(reason)?;
            full_after(full_after_s)
        }
        PolicySpec::ClassPriority { time_classes, size_classes, host_limits, .. } => {
            class_priority::check(time_classes, size_classes, host_limits).map_err(reason)
        }
        PolicySpec::FairShare { overbooking: o, efficiency: e, .. } => {
            overbooking(o)?;
            efficiency(e)
        }
        PolicySpec::CoAllocation { queue, pick, .. } => co_allocation::check(*queue, *pick).map_err(reason),
        _ => Ok(()),
    }
}

pub(crate) fn overbooking(factor: &f64) -> Result<(), String> {
    positive("an overbooking factor", *factor)
}

pub(crate) fn efficiency(factor: &f64) -> Result<(), String> {
    match factor.is_finite() && *factor >= 0.0 {
        true => Ok(()),
        false => Err(format!("an efficiency factor of {factor} is not 0 or more")),
    }
}

pub(crate) fn immediate_service(service: &Option<ImmediateService>) -> Result<(), String> {
    service.map_or(Ok(()), |service| service.validate().map_err(reason))
}

pub(crate) fn interval(interval_s: &u64) -> Result<(), String> {
    if *interval_s == 0 {
        Err("an interval needs at least one second".into())
    } else {
        class_bound(interval_s)
    }
}

pub(crate) fn class_bound(seconds: &u64) -> Result<(), String> {
    match *seconds <= MAX_SECONDS.unsigned_abs() {
        true => Ok(()),
        false => Err(format!("{seconds} s is longer than the {MAX_SECONDS} s that a simulation can tell")),
    }
}

pub(crate) fn slice_shares(shares: &Shares) -> Result<(), String> {
    shares.validate().map_err(reason)
}

pub(crate) fn slice_share(share: &f64) -> Result<(), String> {
    match share.is_finite() && *share >= 0.0 {
        true => Ok(()),
        false => Err(format!("a share of {share} is not 0 or more")),
    }
}

pub(crate) fn order(order: &Order) -> Result<(), String> {
    order.validate().map_err(reason)
}

pub(crate) fn full_after(seconds: &Option<u64>) -> Result<(), String> {
    seconds.as_ref().map_or(Ok(()), class_bound)
}

pub(crate) fn time_classes(classes: &[TimeClass]) -> Result<(), String> {
    class_priority::check_time_classes(classes).map_err(reason)
}

pub(crate) fn job_size_classes(classes: &[SizeClass]) -> Result<(), String> {
    class_priority::check_size_classes(classes).map_err(reason)
}

pub(crate) fn weight(weight: &f64) -> Result<(), String> {
    if weight.is_finite() { Ok(()) } else { Err("weights must be finite numbers".into()) }
}
