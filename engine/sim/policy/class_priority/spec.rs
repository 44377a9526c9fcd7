//! Classes of jobs and the limits of hosts, as an experiment writes them.

use crate::cluster::machine::HostSpec;
use crate::error::SimError;
use crate::time::MAX_SECONDS;
use serde::{Deserialize, Serialize};

/// A class of requested run times. A job belongs to the first one that is long enough for it, else to the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeClass {
    /// Its name.
    pub name: String,
    /// The longest requested run time, in seconds.
    pub up_to_s: u64,
    /// A host is drained for a job that has waited for so many seconds; never where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drain_after_s: Option<u64>,
    /// How many jobs of the class run at a time in the whole system; any number where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u32>,
    /// Whether its jobs come first in their size class, and hold up nobody.
    #[serde(default, skip_serializing_if = "is_false")]
    pub goes_first: bool,
}

/// A class of sizes. A job belongs to the first one in which it fits, else to the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeClass {
    /// Its name.
    pub name: String,
    /// The most processors of a job.
    pub processors: u32,
    /// The most memory of a job, in megabytes of 1024 kB.
    pub memory_mb: u64,
}

/// How many jobs a host runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostLimits {
    /// Its name.
    pub host: String,
    /// How many jobs of which size class it runs at a time; 0: it never runs any; any number of a class that is not here.
    pub at_most: Vec<(String, u32)>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// vst, st, mt and lt of Chiang 2001, Tables 3 and 4.
pub fn time_classes_of_the_study() -> Vec<TimeClass> {
    let class = |name: &str, hours: u64, drain_after_hours: u64, at_most| TimeClass {
        name: name.to_owned(),
        up_to_s: hours * 3600,
        drain_after_s: Some(drain_after_hours * 3600),
        at_most,
        goes_first: name == "vst",
    };
    vec![
        class("vst", 5, 12, None),
        class("st", 50, 45, None),
        class("mt", 200, 180, Some(48)),
        class("lt", 400, 360, Some(20)),
    ]
}

/// sj, mj and lj of Chiang 2001, Table 3.
pub fn size_classes_of_the_study() -> Vec<SizeClass> {
    let class = |name: &str, processors, gigabytes: u64| SizeClass {
        name: name.to_owned(),
        processors,
        memory_mb: gigabytes * 1024,
    };
    vec![class("sj", 8, 2), class("mj", 16, 4), class("lj", 64, 16)]
}

fn fault(reason: String) -> Result<(), SimError> {
    Err(SimError::Setup { reason })
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn no_name_twice<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), SimError> {
    let mut seen: Vec<&str> = Vec::new();
    for name in names {
        if name.trim().is_empty() {
            return fault(format!("a {what} needs a name"));
        }
        if seen.contains(&name) {
            return fault(format!("`{name}` is there twice; a {what} is given once"));
        }
        seen.push(name);
    }
    if seen.is_empty() { fault(format!("at least one {what} is needed")) } else { Ok(()) }
}

/// Checks the time classes alone: names, ascending times, limits that let somebody run.
///
/// # Errors
/// [`SimError::Setup`] with the reason.
pub fn check_time_classes(classes: &[TimeClass]) -> Result<(), SimError> {
    no_name_twice("time class", classes.iter().map(|class| class.name.as_str()))?;
    if !classes.is_sorted_by(|a, b| a.up_to_s < b.up_to_s) {
        return fault("up_to_s of the time classes must ascend".into());
    }
    for TimeClass { name, up_to_s, drain_after_s, at_most, .. } in classes {
        if (*up_to_s).max(drain_after_s.unwrap_or(0)) > MAX_SECONDS.unsigned_abs() {
            return fault(format!(
                "time class `{name}` has a time longer than the {MAX_SECONDS} s that a simulation can tell"
            ));
        }
        if *at_most == Some(0) {
            return fault(format!("time class `{name}`: with at_most 0 none of its jobs could ever start"));
        }
    }
    Ok(())
}

/// Checks the size classes alone: names, ascending sizes.
///
/// # Errors
/// [`SimError::Setup`] with the reason.
pub fn check_size_classes(classes: &[SizeClass]) -> Result<(), SimError> {
    no_name_twice("size class", classes.iter().map(|class| class.name.as_str()))?;
    let ascends = |a: &SizeClass, b: &SizeClass| {
        let sizes = |class: &SizeClass| (class.processors, class.memory_mb);
        a.processors <= b.processors && a.memory_mb <= b.memory_mb && sizes(a) != sizes(b)
    };
    if classes.is_sorted_by(ascends) {
        return Ok(());
    }
    fault("processors and memory_mb of the size classes must ascend".into())
}

/// Checks the limits against the size classes.
///
/// # Errors
/// [`SimError::Setup`] with the reason and the classes that there are.
fn check_limits(limits: &[HostLimits], classes: &[SizeClass]) -> Result<(), SimError> {
    let names = || classes.iter().map(|class| class.name.as_str());
    if !limits.is_empty() {
        no_name_twice("host with limits", limits.iter().map(|limits| limits.host.as_str()))?;
    }
    for HostLimits { host, at_most } in limits {
        for (index, (class, _)) in at_most.iter().enumerate() {
            if !names().any(|name| name == class) {
                let known = listed(names());
                return fault(format!(
                    "host `{host}` limits the unknown size class `{class}`; the classes are {known}"
                ));
            }
            if at_most[..index].iter().any(|(other, _)| other == class) {
                return fault(format!("host `{host}` limits size class `{class}` twice"));
            }
        }
    }
    Ok(())
}

/// Checks all that can be checked without a machine.
///
/// # Errors
/// [`SimError::Setup`] with the reason.
pub fn check(times: &[TimeClass], sizes: &[SizeClass], limits: &[HostLimits]) -> Result<(), SimError> {
    check_time_classes(times)?;
    check_size_classes(sizes)?;
    check_limits(limits, sizes)
}

/// The limit of a host on a size class.
pub(super) fn limit_of(limits: &[HostLimits], host: &str, class: &str) -> u32 {
    let own = limits.iter().filter(|limits| limits.host == host).flat_map(|limits| &limits.at_most);
    own.filter(|(limited, _)| limited == class).map(|(_, most)| *most).next().unwrap_or(u32::MAX)
}

/// Checks the limits against a machine: hosts that exist, and for each size class one that may run it.
///
/// # Errors
/// [`SimError::Setup`] with the reason and the hosts that there are.
pub fn check_hosts(limits: &[HostLimits], classes: &[SizeClass], hosts: &[HostSpec]) -> Result<(), SimError> {
    let known = || listed(hosts.iter().map(|host| host.name.as_str()));
    for HostLimits { host, .. } in limits {
        if !hosts.iter().any(|other| other.name == *host) {
            return fault(format!(
                "ClassPriority limits the unknown host `{host}`; the machine's hosts are {}",
                known()
            ));
        }
    }
    for SizeClass { name, .. } in classes {
        if hosts.iter().all(|host| limit_of(limits, &host.name, name) == 0) {
            return fault(format!(
                "ClassPriority lets no host run size class `{name}`: it is limited to 0 on all of {}",
                known()
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "spec_tests.rs"]
mod tests;
