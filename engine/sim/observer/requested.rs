//! Requested processors of the jobs on each host, over time. Source: Chiang 2001, Table 14.
//!
//! A job is on its host from its start until it ends or goes back to the queue, whatever it holds: with all its processors, with fewer or none, in
//! a test run, suspended. What counts is how many it asks for.

use super::JobRecord;
use crate::cluster::Cluster;
use crate::time::Time;
use std::collections::BTreeMap;

/// The multiples of a host's processors that the requests are compared with are 1 to this.
const MULTIPLES: usize = 3;

/// The hosts, and who is where.
#[derive(Clone, Debug)]
pub(super) struct Requested {
    /// What is measured lies from the first instant on and before the second.
    stretch: (Time, Time),
    hosts: Vec<Host>,
    /// Host and requested processors by arrival.
    jobs: BTreeMap<u64, (usize, u32)>,
}

/// One host.
#[derive(Clone, Debug)]
struct Host {
    processors: u64,
    requested: u64,
    /// Since the last change; before the first submission nothing counts.
    since: Time,
    /// Ticks in the stretch so far.
    ticks: i64,
    /// The part of them in which the requests were at most that multiple of the processors.
    within: [i64; MULTIPLES],
    /// The most that was requested for some time.
    most: u64,
}

impl Host {
    /// Books the time until `now`.
    fn book(&mut self, now: Time, stretch: (Time, Time)) {
        let (from, to) = (self.since.max(stretch.0), now.min(stretch.1));
        self.since = now;
        if to <= from {
            return;
        }
        let ticks = (to - from).0;
        self.ticks += ticks;
        self.most = self.most.max(self.requested);
        for (within, multiple) in self.within.iter_mut().zip(1..) {
            if self.requested <= multiple * self.processors {
                *within += ticks;
            }
        }
    }

    fn values(&self) -> [Option<f64>; MULTIPLES + 1] {
        let measured = |value: f64| (self.ticks > 0).then_some(value);
        let mut values = [measured(self.most as f64 / self.processors as f64); MULTIPLES + 1];
        for (value, within) in values.iter_mut().zip(self.within) {
            *value = measured(within as f64 / self.ticks as f64);
        }
        values
    }
}

impl Requested {
    /// Nothing measured yet; `None` on a machine without hosts.
    pub fn new(cluster: &Cluster, stretch: (Time, Time)) -> Option<Requested> {
        let host = |processors| Host {
            processors: u64::from(processors),
            requested: 0,
            since: Time::NEVER,
            ticks: 0,
            within: [0; MULTIPLES],
            most: 0,
        };
        let hosts = cluster.hosts()?.iter().map(|there| host(there.processors())).collect();
        Some(Requested { stretch, hosts, jobs: BTreeMap::new() })
    }

    /// A job was submitted: time begins with the first.
    pub fn submitted(&mut self, now: Time) {
        for host in self.hosts.iter_mut().filter(|host| host.since == Time::NEVER) {
            host.since = now;
        }
    }

    /// A job has started.
    pub fn join(&mut self, now: Time, job: &JobRecord<'_>) {
        // Who is back in the queue by the end of the pass was never there.
        let Some(host) = job.host else { return };
        self.hosts[host].book(now, self.stretch);
        self.hosts[host].requested += u64::from(job.job.size);
        self.jobs.insert(job.arrival, (host, job.job.size));
    }

    /// A job has ended, or went back to the queue.
    pub fn leave(&mut self, now: Time, job: &JobRecord<'_>) {
        let Some((host, size)) = self.jobs.remove(&job.arrival) else { return };
        self.hosts[host].book(now, self.stretch);
        self.hosts[host].requested -= u64::from(size);
    }

    /// By host, up to the end of the run: the shares of time in which at most one, two, three times its processors were requested, and the most as
    /// a multiple of them; null where no time was measured.
    pub fn outcome(mut self, end: Time) -> Vec<[Option<f64>; MULTIPLES + 1]> {
        self.hosts.iter_mut().for_each(|host| host.book(end, self.stretch));
        self.hosts.iter().map(Host::values).collect()
    }
}

/// The same of all hosts: the means of the shares and the largest multiple.
pub(super) fn of_all(hosts: &[[Option<f64>; MULTIPLES + 1]]) -> Vec<Option<f64>> {
    let column = |at: usize| hosts.iter().filter_map(move |values| values[at]);
    let mean = |at: usize| {
        let number = column(at).count();
        (number > 0).then(|| column(at).sum::<f64>() / number as f64)
    };
    (0..MULTIPLES).map(mean).chain([column(MULTIPLES).reduce(f64::max)]).collect()
}
