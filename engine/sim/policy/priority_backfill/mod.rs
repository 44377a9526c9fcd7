//! Priority backfilling on a machine of hosts.
//!
//! Decides: in every pass after a submission or an end, waiting jobs are taken in the order of their priorities. A job starts if a host has
//! its processors and its memory now and for all of its estimate, beside the running jobs and the reservations; else it gets a reservation
//! while there are fewer than the allowed number; else it is skipped. A reservation is a box, [s, s + estimate) × (processors, memory) on the
//! host where s is earliest by the expected ends of the running jobs and the boxes already placed. With `DynamicJob` all are made anew in
//! every pass. With `FixedJob` a job that has one keeps it until it starts: the holders come first, in the order in which they got theirs;
//! under `Sliding` they start or are placed anew in every pass; under `NonSliding` host and s stay, the holder is not considered before s, and at s
//! it starts on any host that has room, else it gets another box.
//! Source: Chiang 2001, §3.2.1 (backfilling with processors, memory and hosts; number, dynamic-job, fixed-job, sliding), §5.1 (orders), §5.3.3
//! (non-sliding).
//! Parameters: `order`, `reservations` (N), `holders`, `slide`, see [`Order`](super::Order), [`Reservations`](super::Reservations),
//! [`Holders`](super::Holders), [`Slide`](super::Slide);
//! `grace_s`: a job that has outlived its estimate is expected to end so long after it, then (and where that is 0) one second from now;
//! *assumption*: 0. The source is silent on such jobs, of which its logs have some.
//! `immediate_service`: see the file `service.rs`.
//! Differs: *assumption*: with `NonSliding`, boxes are placed, and starts are checked, against the frozen boxes of others.
//! Ties: equal priorities go to the earlier arrival; a job starts on the host with the fewest free processors, ties in the order of the
//! table (the source's rule); a reservation that begins equally early on several hosts is on the first of the table.
//! Cost per pass: a look at every waiting job and host; where a job has room, the priorities and one search per reservation
//! and candidate, until no candidate is left.

mod profile;
mod queue;
mod running;
mod service;
mod walk;

use super::immediate_service::Terms;
use super::{Holders, Order, Policy, Slide};
use crate::cluster::machine::HostSpec;
use crate::kernel::Pass;
use crate::time::{Span, Time};
use queue::{Queue, Waiting};
use running::{Reserved, Running};
use service::Service;
use walk::Walk;

/// The parameters; see the module.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The order of the waiting jobs.
    pub order: Order,
    /// How many reservations there are at most.
    pub reservations: usize,
    /// Who has them.
    pub holders: Holders,
    /// Whether they move.
    pub slide: Slide,
    /// How long after its estimate a job is expected to end that has outlived it.
    pub grace: Span,
    /// Test runs of new jobs.
    pub service: Option<Terms>,
}

/// A job that keeps its reservation.
#[derive(Debug)]
struct Holder {
    waiting: Waiting,
    /// Its box, where it does not slide.
    frozen: Option<Reserved>,
}

/// The policy; see the module.
pub struct PriorityBackfill {
    settings: Settings,
    queue: Queue,
    /// Jobs that keep a reservation, in the order in which they got it.
    holders: Vec<Holder>,
    running: Option<Running>,
    service: Option<Service>,
}

impl PriorityBackfill {
    /// For a machine of these hosts.
    pub fn new(settings: Settings, hosts: &[HostSpec]) -> PriorityBackfill {
        let processors: u64 = hosts.iter().map(|host| u64::from(host.processors)).sum();
        let kb: u64 = hosts.iter().map(HostSpec::memory_kb).sum();
        let average_kb = kb as f64 / processors as f64;
        let queue = Queue::new(settings.order, average_kb);
        let service = settings.service.map(Service::new);
        PriorityBackfill { settings, queue, holders: Vec::new(), running: None, service }
    }

    /// Whether a holder's frozen start has come.
    fn any_due(&self, now: Time) -> bool {
        self.holders.iter().any(|holder| holder.frozen.is_some_and(|frozen| frozen.from <= now))
    }

    /// Whether a pass can start a job or give one a reservation that it keeps.
    fn is_idle(&self, running: &Running, now: Time) -> bool {
        let grants = self.settings.holders == Holders::FixedJob
            && self.holders.len() < self.settings.reservations
            && !self.queue.jobs().is_empty();
        let holders = self.holders.iter().map(|holder| &holder.waiting);
        !grants && !self.any_due(now) && !holders.chain(self.queue.jobs()).any(|job| running.has_room(job))
    }
}

impl Policy for PriorityBackfill {
    fn name(&self) -> &'static str {
        "priority backfilling on hosts"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        let now = pass.now();
        let Some(hosts) = pass.cluster().hosts() else { return };
        let mut running =
            self.running.take().unwrap_or_else(|| Running::idle(hosts, now, self.settings.grace));
        running.absorb(pass);
        let service = self.service.as_mut();
        let served = service.is_some_and(|service| service.end_tests(pass, &mut running, &mut self.queue));
        for &job in pass.submitted() {
            self.queue.push(job, *pass.request(job));
        }
        let called = !pass.submitted().is_empty() || !pass.ended().is_empty() || self.any_due(now) || served;
        if called && !self.is_idle(&running, now) {
            let mut walk = Walk { running: &mut running, pass, temporary: Vec::new() };
            walk.holders(&self.settings, &mut self.holders);
            walk.queue(&self.settings, &mut self.queue, &mut self.holders);
            walk.end();
        }
        if let Some(service) = self.service.as_mut().filter(|_| called) {
            service.serve(pass, &mut running, &mut self.queue, &mut self.holders);
        }
        self.running = Some(running);
    }
}
