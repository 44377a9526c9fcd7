//! Loading and swapping: what becomes of a job whose memory is not resident on its nodes. Source: Esbaugh 2010, §5.2-5.3.
//!
//! A job that starts or resumes loads first, without progress, and its nodes are taken meanwhile. When all is loaded, others' memory is displaced,
//! and the time to write it out is added to their remaining work. A load that is interrupted is lost: the memory changes only at its end.

use super::event::EventClass;
use super::pass::{Pass, Transition};
use crate::job::{JobSlot, Rate};
use crate::time::{Span, Time};

impl Pass<'_> {
    /// Allocates a job that starts for the first time to its nodes.
    pub(super) fn allocate(&mut self, job: JobSlot) {
        let entry = self.jobs.get(job);
        self.cluster.allocate(job, entry.request.memory_kb, &entry.placement);
        self.cluster.hold(entry.host, entry.held_kb);
    }

    /// Frees the memory of a job that has ended.
    pub(super) fn release(&mut self, job: JobSlot) {
        let entry = self.jobs.get(job);
        self.cluster.deallocate(job, &entry.placement);
        self.cluster.release(entry.host, entry.held_kb);
    }

    /// Lets a job run that was just put on its nodes, after loading what is missing.
    pub(super) fn begin(&mut self, job: JobSlot) {
        let entry = self.jobs.get(job);
        let span =
            self.cluster.tenants().map_or(Span::ZERO, |tenants| tenants.load_time(job, &entry.placement));
        if span > Span::ZERO {
            let (now, until) = (self.now, self.now.saturating_add(span));
            self.jobs.get_mut(job).extend(span);
            self.transitions.push(Transition::Loading(job, span));
            self.load(job, now, until);
        } else {
            self.displace(job);
            self.run_at(job, Rate::FULL);
        }
    }

    /// Lets a job go on that was taken off its nodes in this very pass.
    pub(super) fn go_on(&mut self, job: JobSlot, loading: Option<(Time, Time)>) {
        match loading {
            None => self.run_at(job, self.jobs.get(job).rate()),
            Some((from, until)) => {
                let now = self.now;
                let entry = self.jobs.get_mut(job);
                entry.memory.take_back_load(now - from);
                entry.extend(until - now);
                self.load(job, from, until);
            }
        }
    }

    /// The load is complete.
    pub(super) fn loaded(&mut self, job: JobSlot) {
        let entry = self.jobs.get_mut(job);
        if let Some((from, until)) = entry.memory.loading.take() {
            entry.memory.add_load(until - from);
            entry.memory.loaded_before = true;
        }
        self.displace(job);
        self.run_at(job, Rate::FULL);
    }

    /// Forgets a load in progress; the time it has taken counts.
    pub(super) fn interrupt_load(&mut self, job: JobSlot) {
        let now = self.now;
        let entry = self.jobs.get_mut(job);
        if let Some((from, until)) = entry.memory.loading.take() {
            entry.memory.add_load(now - from);
            entry.shorten(until - now);
        }
    }

    fn load(&mut self, job: JobSlot, from: Time, until: Time) {
        let now = self.now;
        let entry = self.jobs.get_mut(job);
        entry.progress_from(now, Rate::STALLED);
        entry.memory.loading = Some((from, until));
        entry.version += 1;
        let version = entry.version;
        self.events.schedule(until, EventClass::Loaded, job, version);
    }

    fn run_at(&mut self, job: JobSlot, rate: Rate) {
        let now = self.now;
        let rate = self.connect(job, rate);
        self.jobs.get_mut(job).progress_from(now, rate);
        self.schedule_end(job);
    }

    /// Makes a job wholly resident and charges those who lost memory to it.
    fn displace(&mut self, job: JobSlot) {
        let placement = &self.jobs.get(job).placement;
        let Some(tenants) = self.cluster.tenants_mut() else { return };
        let displaced = tenants.settle(job, placement);
        for (other, kb) in displaced {
            self.changes.swapped_out.push(other);
            let span = self.cluster.tenants().map_or(Span::ZERO, |tenants| tenants.transfer(kb));
            if span > Span::ZERO {
                self.jobs.get_mut(other).memory.swap_out += span;
                self.add_work(other, span);
                self.transitions.push(Transition::SwappedOut(other, span));
            }
        }
    }
}
