//! What runs and what waits, and whose turn it is on a host.

use super::classes::Classes;
use super::queue::{Queue, Waiting};
use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::policy::job_classes::Kind;

/// Where a job runs, and as what.
#[derive(Clone, Copy, Debug)]
struct Seat {
    host: usize,
    kind: Kind,
}

/// The jobs in the system.
#[derive(Debug)]
pub struct System {
    /// The rules.
    pub classes: Classes,
    /// The waiting jobs.
    pub queue: Queue,
    /// Running jobs per host and size class.
    on_host: Vec<u32>,
    /// Running jobs per time class.
    of_time: Vec<u32>,
    /// Running jobs by slot.
    seats: Vec<Option<Seat>>,
}

impl System {
    /// Nothing runs, nobody waits.
    pub fn new(classes: Classes) -> System {
        System {
            queue: Queue::new(classes.sizes(), classes.times.len()),
            on_host: vec![0; classes.hosts() * classes.sizes()],
            of_time: vec![0; classes.times.len()],
            seats: Vec::new(),
            classes,
        }
    }

    /// Whether nothing runs on a host.
    pub fn is_idle(&self, host: usize) -> bool {
        let sizes = self.classes.sizes();
        self.on_host[host * sizes..(host + 1) * sizes].iter().all(|running| *running == 0)
    }

    /// Whether as many jobs of a time class run as may.
    pub fn is_full(&self, time: usize) -> bool {
        self.of_time[time] >= self.classes.times[time].at_most
    }

    /// Whether a host may run another job of a size class.
    pub fn has_quota(&self, host: usize, size: usize) -> bool {
        self.on_host[host * self.classes.sizes() + size] < self.classes.limit(host, size)
    }

    /// Whether it is a size class's turn on a host: its limit is not reached, and no job of a higher class with the same right waits for the host.
    pub fn has_turn(&self, host: usize, size: usize) -> bool {
        let mut higher = size + 1..self.classes.sizes();
        self.has_quota(host, size)
            && !higher.any(|higher| self.has_quota(host, higher) && self.is_claimed(host, higher))
    }

    /// Whether a job of a size class waits that could run on a host some time, and holds up lower classes.
    fn is_claimed(&self, host: usize, size: usize) -> bool {
        let claims = |time: &usize| !self.classes.times[*time].goes_first && !self.is_full(*time);
        (0..self.classes.times.len()).filter(claims).any(|time| {
            let waiting = self.queue.of(Kind { size, time });
            waiting.iter().any(|waiting| self.classes.holds(host, waiting.processors, waiting.kb))
        })
    }

    /// Starts a job on a host, if that has the room now and the job's time class is not full. It is taken out of the queue.
    pub fn start(&mut self, pass: &mut Pass<'_>, waiting: &Waiting, host: usize) -> bool {
        if self.is_full(waiting.kind.time) || !pass.start_at(waiting.job, host) {
            return false;
        }
        self.on_host[host * self.classes.sizes() + waiting.kind.size] += 1;
        self.of_time[waiting.kind.time] += 1;
        let slot = waiting.job.0 as usize;
        if self.seats.len() <= slot {
            self.seats.resize(slot + 1, None);
        }
        self.seats[slot] = Some(Seat { host, kind: waiting.kind });
        self.queue.remove(waiting);
        true
    }

    /// A job has ended; the host on which it ran.
    pub fn end(&mut self, job: JobSlot) -> Option<usize> {
        let Seat { host, kind } = self.seats.get_mut(job.0 as usize)?.take()?;
        self.on_host[host * self.classes.sizes() + kind.size] -= 1;
        self.of_time[kind.time] -= 1;
        Some(host)
    }

    /// Starts on a host what may start there, class by class; the jobs that started.
    pub fn rescan(&mut self, pass: &mut Pass<'_>, host: usize) -> Vec<JobSlot> {
        let mut started = Vec::new();
        for size in (0..self.classes.sizes()).rev() {
            for first in [true, false] {
                if !self.has_turn(host, size) {
                    break;
                }
                self.scan(pass, host, size, first, &mut started);
            }
        }
        started
    }

    /// Starts jobs of a size class in arrival order: those that go first, or the others.
    fn scan(
        &mut self,
        pass: &mut Pass<'_>,
        host: usize,
        size: usize,
        first: bool,
        started: &mut Vec<JobSlot>,
    ) {
        let mut after = None;
        while let Some(next) = self.next(pass, host, size, first, after) {
            if !self.has_quota(host, size) {
                return;
            }
            after = Some(next.arrival);
            if self.start(pass, &next, host) {
                started.push(next.job);
            }
        }
    }

    /// The job of a size class that arrived first of those after `after` for which a host has room now, and whose time class is not full.
    fn next(
        &self,
        pass: &Pass<'_>,
        host: usize,
        size: usize,
        first: bool,
        after: Option<u64>,
    ) -> Option<Waiting> {
        let free = pass.cluster().hosts()?.get(host);
        let among = |time: &usize| self.classes.times[*time].goes_first == first && !self.is_full(*time);
        let mut found: Option<&Waiting> = None;
        for time in (0..self.classes.times.len()).filter(among) {
            let list = self.queue.of(Kind { size, time });
            let from = list.partition_point(|waiting| after.is_some_and(|after| waiting.arrival <= after));
            let earlier = list[from..]
                .iter()
                .take_while(|waiting| found.is_none_or(|found| waiting.arrival < found.arrival));
            let fitting = earlier.into_iter().find(|waiting| free.fits(waiting.processors, waiting.kb));
            found = fitting.or(found);
        }
        found.copied()
    }

    /// The host on which a job that arrives can start: of those that `open` tells, whose turn it is, the one with the most free processors; ties:
    /// order of the table.
    pub fn roomiest(
        &self,
        pass: &Pass<'_>,
        waiting: &Waiting,
        open: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let hosts = pass.cluster().hosts()?;
        let fits = |host: &usize| hosts.get(*host).fits(waiting.processors, waiting.kb) && open(*host);
        let can = |host: &usize| fits(host) && self.has_turn(*host, waiting.kind.size);
        // The last of equal ones wins, hence from behind.
        (0..hosts.len()).rev().filter(can).max_by_key(|host| hosts.get(*host).free_processors)
    }
}
