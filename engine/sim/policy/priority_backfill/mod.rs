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
//! Cost per pass: where a job has room, the priorities, and a look at every job up to the last that can start; a search of those hosts for whose
//! profiles something has changed since the pass before (see the file `walk.rs`); all hosts for a new job.

mod frozen;
mod plan;
mod profile;
mod queue;
mod running;
mod service;
mod walk;
mod zones;

use super::immediate_service::Terms;
use super::{Holders, Order, Policy, Slide};
use crate::cluster::machine::HostSpec;
use crate::kernel::Pass;
use crate::time::Span;
use queue::Queue;
use running::Running;
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

/// The policy; see the module.
pub struct PriorityBackfill {
    settings: Settings,
    queue: Queue,
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
        PriorityBackfill { settings, queue, running: None, service }
    }

    /// Starts and reserves.
    fn plan(&mut self, pass: &mut Pass<'_>, running: &mut Running, due: bool) {
        let Settings { reservations, holders, slide, .. } = self.settings;
        let queue = &mut self.queue;
        let keeps = holders == Holders::FixedJob;
        let grants = keeps && queue.kept() < reservations.min(queue.jobs().len());
        let has_room = queue.jobs().iter().any(|waiting| running.has_room(waiting));
        if slide == Slide::NonSliding {
            if grants || has_room || due {
                frozen::pass(queue, reservations, running, pass);
            }
            return;
        }
        if grants || has_room {
            queue.rank(pass.now());
        }
        if let Some(last) = queue.jobs().iter().rposition(|waiting| running.has_room(waiting)) {
            Walk::along(queue, last, reservations, running, pass);
        }
        if keeps {
            queue.keep(reservations);
        }
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
        let due = match self.settings.slide {
            Slide::NonSliding => frozen::any_due(&self.queue, now),
            Slide::Sliding => {
                self.queue.forget_due(now, &mut running);
                false
            }
        };
        let called = !pass.submitted().is_empty() || !pass.ended().is_empty() || due || served;
        if called {
            self.plan(pass, &mut running, due);
        }
        if let Some(service) = self.service.as_mut().filter(|_| called) {
            service.serve(pass, &mut running, &mut self.queue);
        }
        self.running = Some(running);
    }
}
