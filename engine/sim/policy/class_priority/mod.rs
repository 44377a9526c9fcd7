//! Classes of jobs by priority on hosts, with limits and draining (NCSA-LSF*).
//!
//! Decides: a job has a time class by its estimate and a size class by its processors and memory. When a job ends on a host, the host is
//! rescanned: size classes from the largest down; in each the jobs of time classes that go first in arrival order, then the others in arrival order; each
//! starts that the host has processors and memory for. A class whose limit on the host is reached leaves its turn to the next; so does one without jobs
//! that wait; jobs of time classes of which as many run as may, and jobs too large for the idle host, do not count as waiting. Else a job that does not
//! fit holds up lower size classes, unless it goes first. A job that arrives starts on the host where it fits and where it is its size class's turn, the
//! one with the most free processors. A job that has waited for `drain_after_s` gets a host to itself, drawn at random among those with the size for
//! it that are not drained and where it is its class's turn; nothing else starts there until it starts, there or elsewhere. It gives the host up when
//! its time class is full or it is no longer its turn there, and then gets another.
//! Source: Chiang 2001, §3.1, Tables 3 and 4; what events there are: §3.4.
//! Parameters: `time_classes`, `size_classes`, see [`TimeClass`], [`SizeClass`], by default those of Table 3 with the limits on mt and lt of Table 4;
//! `host_limits`, see [`HostLimits`], by default none, for they name hosts; `drain_seed`: of the draws of hosts to drain, which depend on nothing else.
//! Differs: the thesis also has a limit per user, without effect in its simulations, and bounds the total time of vst jobs; both are left out. The last
//! time and size class take all that is larger (the thesis: at most 400 hours, 64 processors, later 25 instead of 16 GB).
//! *Assumptions*, in the order of a pass: a host with nothing running is rescanned in every pass, or it never would be; a host that is given up is rescanned at
//! once; the hosts to drain are looked after before the rescans, given-up ones and starts first, then new ones in the order of the jobs' arrival; they are drawn at
//! the next submission or end after the wait has come, and a job starts at once if there is room; a job that arrives must not pass one of a higher size class
//! that waits for the host, but one of its own that does not fit; one that goes first does not hold up lower size classes, whatever their time class.
//! Ties: hosts in the order of the table; jobs in arrival order; at one instant ends, then submissions.
//! Cost per pass: a look at the waiting jobs of the classes whose turn it is, for each host that is rescanned, and for each job that arrives one step per host.

mod classes;
mod drains;
mod queue;
mod spec;
mod system;

pub use spec::{
    HostLimits, SizeClass, TimeClass, check, check_hosts, check_size_classes, check_time_classes,
    size_classes_of_the_study, time_classes_of_the_study,
};

use super::Policy;
use crate::cluster::machine::HostSpec;
use crate::error::SimError;
use crate::job::JobSlot;
use crate::kernel::Pass;
use classes::Classes;
pub use classes::job_classes;
use drains::Drains;
use queue::Waiting;
use system::System;

/// The policy for a machine of these hosts.
///
/// # Errors
/// As of [`check`].
pub fn build(
    times: &[TimeClass],
    sizes: &[SizeClass],
    limits: &[HostLimits],
    drain_seed: u64,
    hosts: &[HostSpec],
) -> Result<Box<dyn Policy>, SimError> {
    check(times, sizes, limits)?;
    Ok(Box::new(ClassPriority {
        system: System::new(Classes::new(times, sizes, limits, hosts)),
        drains: Drains::new(drain_seed, hosts.len()),
        called: vec![false; hosts.len()],
    }))
}

/// The policy; see the module.
pub struct ClassPriority {
    system: System,
    drains: Drains,
    /// Hosts that are to be rescanned in this pass.
    called: Vec<bool>,
}

impl ClassPriority {
    fn take_out(&mut self, pass: &Pass<'_>) {
        for &job in pass.ended() {
            if let Some(host) = self.system.end(job) {
                self.called[host] = true;
            }
        }
    }

    /// No end will ever call a host on which nothing runs.
    fn call_idle(&mut self) {
        if !self.system.queue.is_empty() {
            for (host, called) in self.called.iter_mut().enumerate() {
                *called |= self.system.is_idle(host);
            }
        }
    }

    fn rescan(&mut self, pass: &mut Pass<'_>) {
        while let Some(host) = self.called.iter().position(|called| *called) {
            self.called[host] = false;
            if self.drains.has(host) {
                continue;
            }
            for job in self.system.rescan(pass, host) {
                if let Some(opened) = self.drains.give_up(job) {
                    self.called[opened] = true;
                }
            }
        }
    }

    fn welcome(&mut self, pass: &mut Pass<'_>, job: JobSlot) {
        let request = *pass.request(job);
        let (processors, kb) = (request.size, request.memory_kb);
        let kind = self.system.classes.kind(&request);
        if !self.system.classes.can_ever_run(kind, processors, kb) {
            let class = self.system.classes.name(kind.size);
            let reason =
                format!("no host that has {processors} processors and {kb} kB may run size class `{class}`");
            pass.refuse(job, reason);
            return;
        }
        let due = self.system.classes.due(kind, request.submit);
        let waiting = Waiting { job, arrival: request.arrival, kind, processors, kb, due };
        let host = self.system.roomiest(pass, &waiting, |host| !self.drains.has(host));
        if !host.is_some_and(|host| self.system.start(pass, &waiting, host)) {
            self.system.queue.push(waiting);
        }
    }
}

impl Policy for ClassPriority {
    fn name(&self) -> &'static str {
        "class priority on hosts"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        if pass.submitted().is_empty() && pass.ended().is_empty() {
            return;
        }
        self.take_out(pass);
        self.drains.settle(pass, &mut self.system, |host| self.called[host] = true);
        self.drains.grant(pass, &mut self.system);
        self.call_idle();
        self.rescan(pass);
        let submitted = pass.submitted().to_vec();
        submitted.into_iter().for_each(|job| self.welcome(pass, job));
    }
}
