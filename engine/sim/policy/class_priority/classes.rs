//! The classes and limits in the units of a run.

use super::spec::{HostLimits, SizeClass, TimeClass, limit_of};
use crate::cluster::machine::HostSpec;
use crate::job::Request;
use crate::time::{Span, Time};

/// The classes of a job, by their places in the lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its size class; the higher ones go first.
    pub size: usize,
    /// Its time class.
    pub time: usize,
}

/// What a time class means.
#[derive(Debug)]
pub struct Terms {
    up_to: Span,
    drain_after: Option<Span>,
    /// How many of its jobs run at a time.
    pub at_most: u32,
    /// Whether its jobs come first in their size class, and hold up nobody.
    pub goes_first: bool,
}

/// What a host can hold and may run.
#[derive(Debug)]
struct Rules {
    processors: u32,
    kb: u64,
    /// By size class.
    at_most: Vec<u32>,
}

/// All classes, and the limits of all hosts.
#[derive(Debug)]
pub struct Classes {
    /// The time classes.
    pub times: Vec<Terms>,
    /// Processors and kilobytes of the size classes.
    sizes: Vec<(u32, u64)>,
    /// Of the size classes.
    names: Vec<String>,
    hosts: Vec<Rules>,
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
            up_to: seconds(class.up_to_s),
            drain_after: class.drain_after_s.map(seconds),
            at_most: class.at_most.unwrap_or(u32::MAX),
            goes_first: class.goes_first,
        };
        let rules = |host: &HostSpec| Rules {
            processors: host.processors,
            kb: host.memory_kb(),
            at_most: sizes.iter().map(|class| limit_of(limits, &host.name, &class.name)).collect(),
        };
        let sized = |class: &SizeClass| (class.processors, class.memory_mb.saturating_mul(1024));
        Classes {
            times: times.iter().map(terms).collect(),
            sizes: sizes.iter().map(sized).collect(),
            names: sizes.iter().map(|class| class.name.clone()).collect(),
            hosts: hosts.iter().map(rules).collect(),
        }
    }

    /// How many size classes there are.
    pub fn sizes(&self) -> usize {
        self.sizes.len()
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
        let (time, size) = (self.times.len() - 1, self.sizes.len() - 1);
        let fits = |class: &(u32, u64)| request.size <= class.0 && request.memory_kb <= class.1;
        Kind {
            time: self.times.iter().position(|class| request.estimate <= class.up_to).unwrap_or(time),
            size: self.sizes.iter().position(fits).unwrap_or(size),
        }
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
        let classes = Classes::new(&times, &sizes, &[], &[]);
        let request = Request {
            id: 0,
            arrival: 0,
            submit: Time::ZERO,
            estimate: Span::from_secs_f64(hours * 3600.0),
            size: processors,
            memory_kb: kb,
        };
        let Kind { size, time } = classes.kind(&request);
        format!("{}-{}", times[time].name, sizes[size].name)
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
