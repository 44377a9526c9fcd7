//! Coarse-grain time sharing: classes of jobs take turns in long slices of time (Scojo-PECT).
//!
//! Decides: time is cut into intervals, and each interval into one slice per class of run times: long, medium, short. In a slice, in every pass,
//! (step 1) suspended jobs of its class go back to their nodes, (2) waiting jobs of its class start in arrival order, (3) others of the class are
//! backfilled, and (4) what is still free is given to other classes, shorter ones first: suspended jobs whose nodes are all free, then waiting
//! jobs that delay no earlier job of their own class and that either end within the slice or get nodes to which no other job of their class
//! is allocated. At its end the running jobs are suspended that do not run in the next slice; one that goes on is not interrupted, its load neither.
//! Source: Esbaugh 2010, §3.2–3.3 and §4.2, Fig. 11 and 12; Sodan & Lan 2006 for Scojo-PECT.
//! Parameters: `interval_s`, `shares`, `adaptive`: see `slices.rs`; `backfill`: [`SliceBackfill`]; `non_type`: whether step 4 is done;
//! `short_below_s`, `long_above_s`: the classes.
//! Differs: the thesis prints no shares (*assumption*: 0.5, 0.3, 0.2). A class is told by the estimate (exact estimates in the thesis). *Assumption*: nothing is
//! planned for reloads to come; a plan is made anew in every pass, over the time of one class with its slices glued together. Nothing is evicted within a slice.
//! Ties: arrival order within a class; classes in step 4 short, medium, long.
//! Cost per pass: a plan per class that could start something: one step per job of the class that runs, is suspended or is considered; a look at
//! each waiting job of the class tells whether any could start. None
//! if nothing was submitted, ended, displaced or switched, and step 4 gave nothing away in the last pass, for time alone opens no hole.

mod class;
mod plan;
mod slices;

use super::{Policy, Shares, SliceBackfill};
use crate::job::JobSlot;
use crate::kernel::Pass;
use crate::time::{Span, Time};
use class::{Class, Kind, Turn};
use plan::Plan;
use slices::{Slice, Slices};

/// How a policy of time slices is to behave.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Length of the interval.
    pub interval: Span,
    /// Shares of the classes.
    pub shares: Shares,
    /// Whether classes without jobs lose theirs.
    pub adaptive: bool,
    /// Who is protected from being delayed.
    pub backfill: SliceBackfill,
    /// Whether other classes use what a slice leaves free.
    pub non_type: bool,
    /// Run times below are short.
    pub short_below: Span,
    /// Run times above are long.
    pub long_above: Span,
}

/// The policy; see the module.
pub struct TimeSlicing {
    settings: Settings,
    slices: Slices,
    classes: [Class; 3],
    plan: Plan,
    woken_for: Time,
    /// Whether step 4 of the last pass put jobs on nodes. The plan of steps 2 and 3 was made without them; with them a job may be
    /// reserved later than before, and its place be free for another.
    gave_away: bool,
}

impl TimeSlicing {
    /// For a machine of so many nodes.
    pub fn new(settings: Settings, nodes: u32) -> TimeSlicing {
        TimeSlicing {
            settings,
            slices: Slices::new(settings.interval, settings.shares, settings.adaptive),
            classes: [(); 3].map(|()| Class::new(nodes)),
            plan: Plan::new(nodes, settings.backfill),
            woken_for: Time::ZERO,
            gave_away: false,
        }
    }

    fn kind(&self, pass: &Pass<'_>, job: JobSlot) -> Kind {
        let estimate = pass.request(job).estimate;
        if estimate < self.settings.short_below {
            Kind::Short
        } else if estimate > self.settings.long_above {
            Kind::Long
        } else {
            Kind::Medium
        }
    }

    fn class(&mut self, kind: Kind) -> &mut Class {
        &mut self.classes[kind as usize]
    }

    fn absorb(&mut self, pass: &Pass<'_>) {
        for &job in pass.ended() {
            let kind = self.kind(pass, job);
            self.class(kind).ended(pass, job);
        }
        for &job in pass.submitted() {
            let kind = self.kind(pass, job);
            self.class(kind).submitted(pass, job);
        }
        self.absorb_displaced(pass);
    }

    fn absorb_displaced(&mut self, pass: &Pass<'_>) {
        for &job in pass.swapped_out() {
            let kind = self.kind(pass, job);
            self.class(kind).swapped_out(pass, job);
        }
    }

    /// Takes off what runs and is not of the slice's class; step 4 puts back what may go on.
    fn take_off(&mut self, pass: &mut Pass<'_>, kind: Kind) {
        for other in Kind::ALL {
            if other != kind {
                self.class(other).suspend_all(pass);
            }
        }
    }

    /// Steps 2 and 3.
    fn start_own(&mut self, pass: &mut Pass<'_>, slice: Slice) {
        let kind = slice.kind;
        if !self.classes[kind as usize].may_start(pass) {
            return;
        }
        let rest = slice.end - pass.now();
        self.plan.reset();
        for other in Kind::ALL {
            for &job in &self.classes[other as usize].active {
                let left = pass.remaining(job);
                let held = if other == kind { left } else { left.min(rest) };
                self.plan.hold(held, pass.request(job).size);
            }
        }
        self.classes[kind as usize].start_waiting(pass, &mut self.plan, Turn::Own);
    }

    /// Step 4.
    fn give_away(&mut self, pass: &mut Pass<'_>, slice: Slice) {
        let others = || Kind::SHORTEST_FIRST.into_iter().filter(|kind| *kind != slice.kind);
        let active =
            |policy: &Self| others().map(|kind| policy.classes[kind as usize].active.len()).sum::<usize>();
        let before = active(self);
        for kind in others() {
            self.class(kind).resume_all(pass);
        }
        for kind in others() {
            self.start_other(pass, slice, kind);
        }
        self.gave_away = active(self) > before;
    }

    /// Step 4, its second half, for one class.
    fn start_other(&mut self, pass: &mut Pass<'_>, slice: Slice, kind: Kind) {
        // What was resumed in this pass may have displaced others at once.
        self.absorb_displaced(pass);
        let rest = slice.end - pass.now();
        let (class, plan) = (&mut self.classes[kind as usize], &mut self.plan);
        if !class.may_start(pass) || !class.may_start_elsewhere(pass, rest) {
            return;
        }
        plan.reset();
        for &job in &class.active {
            plan.hold(pass.remaining(job) - rest, pass.request(job).size);
        }
        for (job, needed) in class.suspended(pass) {
            plan.hold(needed, pass.request(job).size);
        }
        class.start_waiting(pass, plan, Turn::Other(rest));
    }

    /// Whether a job waits or is suspended that a later slice may give time to.
    fn has_unserved(&self) -> bool {
        Kind::ALL.into_iter().any(|kind| {
            let class = &self.classes[kind as usize];
            (self.settings.non_type || self.settings.shares.of(kind as usize) > 0.0) && class.has_jobs()
        })
    }
}

impl Policy for TimeSlicing {
    fn name(&self) -> &'static str {
        "time slicing"
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        self.absorb(pass);
        let present = Kind::ALL.map(|kind| self.classes[kind as usize].has_jobs());
        let switched = self.slices.advance(pass.now(), present);
        let slice = self.slices.current();
        let changed = [pass.submitted(), pass.ended(), pass.expired(), pass.swapped_out()];
        if switched || self.gave_away || changed.iter().any(|jobs| !jobs.is_empty()) {
            if switched {
                pass.slice_begins(slice.kind.label());
                self.take_off(pass, slice.kind);
            }
            self.class(slice.kind).resume_all(pass);
            self.start_own(pass, slice);
            if self.settings.non_type {
                self.give_away(pass, slice);
            }
        }
        if self.woken_for < slice.end && self.has_unserved() {
            pass.wake_at(slice.end);
            self.woken_for = slice.end;
        }
    }
}
