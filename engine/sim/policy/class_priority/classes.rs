//! The classes and limits in the units of a run.

use super::spec::{HostLimits, SizeClass, TimeClass, limit_of};
use crate::cluster::machine::HostSpec;
use crate::job::Request;
use crate::policy::job_classes::{JobClasses, Kind};
use crate::time::{Span, Time};

/// What a time class means.
#[derive(Clone, Debug)]
pub struct Terms {
    drain_after: Option<Span>,
    /// How many of its jobs run at a time.
    pub at_most: u32,
    /// Whether its jobs come first in their size class, and hold up nobody.
    pub goes_first: bool,
}

/// What a host can hold and may run.
#[derive(Clone, Debug)]
struct Rules {
    processors: u32,
    kb: u64,
    /// By size class.
    at_most: Vec<u32>,
}

/// All classes, and the limits of all hosts.
#[derive(Clone, Debug)]
pub struct Classes {
    /// The time classes.
    pub times: Vec<Terms>,
    kinds: JobClasses,
    /// Of the size classes.
    names: Vec<String>,
    hosts: Vec<Rules>,
}

/// The classes alone.
pub fn job_classes(times: &[TimeClass], sizes: &[SizeClass]) -> JobClasses {
    let up_to = |class: &TimeClass| Span::from_secs(class.up_to_s.cast_signed());
    let times: Vec<_> = times.iter().map(|class| (class.name.as_str(), up_to(class))).collect();
    let size = |class: &SizeClass| (class.processors, class.memory_mb.saturating_mul(1024));
    let sizes: Vec<_> = sizes.iter().map(|class| (class.name.as_str(), size(class))).collect();
    JobClasses::new(&times, &sizes)
}

impl Classes {
    /// For a machine of these hosts. The specification was checked.
    pub fn new(
        times: &[TimeClass],
        sizes: &[SizeClass],
        limits: &[HostLimits],
        hosts: &[HostSpec],
    ) -> Classes {
        let seconds = |seconds: u64| Span::from_secs(seconds.cast_signed());
        let terms = |class: &TimeClass| Terms {
            drain_after: class.drain_after_s.map(seconds),
            at_most: class.at_most.unwrap_or(u32::MAX),
            goes_first: class.goes_first,
        };
        let rules = |host: &HostSpec| Rules {
            processors: host.processors,
            kb: host.memory_kb(),
            at_most: sizes.iter().map(|class| limit_of(limits, &host.name, &class.name)).collect(),
        };
        Classes {
            times: times.iter().map(terms).collect(),
            kinds: job_classes(times, sizes),
            names: sizes.iter().map(|class| class.name.clone()).collect(),
            hosts: hosts.iter().map(rules).collect(),
        }
    }

    /// How many size classes there are.
    pub fn sizes(&self) -> usize {
        self.names.len()
    }

    /// The name of a size class.
    pub fn name(&self, size: usize) -> &str {
        &self.names[size]
    }

    /// How many hosts there are.
    pub fn hosts(&self) -> usize {
        self.hosts.len()
    }

    /// The classes of a job.
    pub fn kind(&self, request: &Request) -> Kind {
        self.kinds.kind(request.estimate, request.size, request.memory_kb)
    }

    /// From when on a host is drained for a job; [`Time::NEVER`] where that never happens.
    pub fn due(&self, kind: Kind, submit: Time) -> Time {
        self.times[kind.time].drain_after.map_or(Time::NEVER, |wait| submit.saturating_add(wait))
    }

    /// How many jobs of a size class a host runs at a time.
    pub fn limit(&self, host: usize, size: usize) -> u32 {
        self.hosts[host].at_most[size]
    }

    /// Whether a host would have the room for a job if it were idle.
    pub fn holds(&self, host: usize, processors: u32, kb: u64) -> bool {
        processors <= self.hosts[host].processors && kb <= self.hosts[host].kb
    }

    /// Whether some host has the room, and may run the class.
    pub fn can_ever_run(&self, kind: Kind, processors: u32, kb: u64) -> bool {
        (0..self.hosts.len()).any(|host| self.limit(host, kind.size) > 0 && self.holds(host, processors, kb))
    }
}

#[cfg(test)]
mod tests {
    use super::super::spec::{size_classes_of_the_study, time_classes_of_the_study};
    use super::*;

    const GB: u64 = 1 << 20;

    fn named(hours: f64, processors: u32, kb: u64) -> String {
        let (times, sizes) = (time_classes_of_the_study(), size_classes_of_the_study());
        let classes = job_classes(&times, &sizes);
        let estimate = Span::from_secs_f64(hours * 3600.0);
        let Kind { size, time } = classes.kind(estimate, processors, kb);
        let name = format!("{}-{}", times[time].name, sizes[size].name);
        assert_eq!(classes.names()[classes.of(estimate, processors, kb)], name);
        name
    }

    #[test]
    fn jobs_have_the_classes_of_the_source() {
        // The example of Chiang 2001, §3.1.
        assert_eq!(named(50.0, 16, 4 * GB), "st-mj");
        for (hours, name) in
            [(5.0, "vst"), (5.01, "st"), (50.01, "mt"), (200.0, "mt"), (201.0, "lt"), (500.0, "lt")]
        {
            assert_eq!(named(hours, 1, 0), format!("{name}-sj"));
        }
        for (processors, kb, name) in [
            (8, 2 * GB, "sj"),
            (8, 2 * GB + 1, "mj"),
            (9, 0, "mj"),
            (1, 4 * GB + 1, "lj"),
            (17, 0, "lj"),
            (64, 16 * GB, "lj"),
            (1, 25 * GB, "lj"),
            (128, 0, "lj"),
        ] {
            assert_eq!(named(5.0, processors, kb), format!("vst-{name}"));
        }
    }

    #[test]
    fn drains_are_due_after_the_wait_of_the_time_class() {
        let mut times = time_classes_of_the_study();
        times[3].drain_after_s = None;
        let classes = Classes::new(&times, &size_classes_of_the_study(), &[], &[]);
        let due = |time| classes.due(Kind { size: 0, time }, Time::from_secs(10));
        let hours = [12, 45, 180].map(|hours| Time::from_secs(hours * 3600 + 10));
        assert_eq!([due(0), due(1), due(2)], hours);
        assert_eq!(due(3), Time::NEVER);
    }
}
