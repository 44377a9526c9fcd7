//! The jobs in the system and their life cycle: waiting → running ⇄ suspended → ended.

use super::test_run::TestRun;
use crate::cluster::node_set::Placement;
use crate::job::{Job, JobSlot, Rate, Request};
use crate::time::{Span, Time};

/// Where a job is in its life cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// In the queue.
    Waiting,
    /// On its nodes, at some rate.
    Running,
    /// Started before, keeps its claim to its nodes but does not hold them.
    Suspended,
    /// Finished or killed; gone after the pass that learns of it.
    Ended,
}

/// A job in the system.
#[derive(Clone, Debug)]
pub struct Entry {
    pub(crate) job: Job,
    pub(crate) request: Request,
    pub(crate) phase: Phase,
    pub(crate) placement: Placement,
    pub(crate) started: Time,
    pub(crate) ended: Time,
    pub(crate) expected_end: Time,
    pub(crate) suspended_at: Time,
    pub(crate) backfilled: bool,
    pub(crate) killed: bool,
    /// Whether the policy has been told that the job outlived its expected end.
    pub(crate) expired: bool,
    pub(crate) memory: MemoryUse,
    /// Its host since it started, where the machine has hosts.
    pub(crate) host: Option<usize>,
    /// How many clusters its nodes lie in since it started: 1 on machines that are no mini-grid, 0 while it waits.
    pub(crate) spans: u32,
    /// Whether it runs wholly on another cluster than its home.
    pub(crate) migrated: bool,
    /// What it holds of its host's memory since it started, in kilobytes.
    pub(crate) held_kb: u64,
    pub(crate) test: Option<TestRun>,
    /// The nodes that it runs on with all it is given, and its run time there: those requested, unless a policy chose others.
    pub(crate) size: u32,
    pub(crate) run_time: Span,
    pub(crate) version: u32,
    rate: Rate,
    /// It has `share` of the `whole` processors it is to run on; both are 1 as long as it has had all of them.
    share: u32,
    whole: u32,
    /// Work left at `since`, in ticks at full rate with all processors, in units of 2⁻³²/`whole` tick.
    work_left: i128,
    since: Time,
    previous: u32,
    next: u32,
}

/// What a job has to do with the memory of its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoryUse {
    /// From and until when it loads, while it does.
    pub loading: Option<(Time, Time)>,
    /// Time spent loading so far, interrupted loads included.
    pub load: Span,
    /// The part of `load` before it first ran.
    pub first_load: Span,
    /// Time added because its memory was displaced.
    pub swap_out: Span,
    /// How often it was taken off its nodes.
    pub suspensions: u32,
    /// Whether it ever was wholly loaded.
    pub loaded_before: bool,
    /// The latest suspension: the pass's number, the transition's position in it, and the load it interrupted.
    pub taken_off: Option<TakenOff>,
}

/// A suspension that may be taken back in its own pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TakenOff {
    pub pass: u64,
    pub transition: usize,
    pub loading: Option<(Time, Time)>,
}

impl MemoryUse {
    /// Books time spent loading.
    pub fn add_load(&mut self, span: Span) {
        self.load += span;
        if !self.loaded_before {
            self.first_load += span;
        }
    }

    /// Takes it back.
    pub fn take_back_load(&mut self, span: Span) {
        self.load -= span;
        if !self.loaded_before {
            self.first_load -= span;
        }
    }
}

impl Entry {
    fn new(job: Job, request: Request, version: u32) -> Entry {
        Entry {
            job,
            request,
            phase: Phase::Waiting,
            placement: Placement::empty(),
            started: Time::NEVER,
            ended: Time::NEVER,
            expected_end: Time::NEVER,
            suspended_at: Time::NEVER,
            backfilled: false,
            killed: false,
            expired: false,
            memory: MemoryUse::default(),
            host: None,
            spans: 0,
            migrated: false,
            held_kb: 0,
            test: None,
            size: job.size,
            run_time: job.run_time,
            version,
            rate: Rate::FULL,
            share: 1,
            whole: 1,
            work_left: i128::from(job.run_time.0) * i128::from(Rate::FULL.0),
            since: Time::ZERO,
            previous: NONE,
            next: NONE,
        }
    }

    /// Begins or continues at `rate` from `now` on.
    pub(crate) fn progress_from(&mut self, now: Time, rate: Rate) {
        self.since = now;
        self.rate = rate;
    }

    /// The rate at which it progresses, or did when it was suspended.
    pub(crate) fn rate(&self) -> Rate {
        self.rate
    }

    /// Forgets that it ever started; returns the nodes that it had.
    pub(crate) fn begin_anew(&mut self) -> Placement {
        let nodes = std::mem::take(&mut self.placement);
        let version = self.version + 1;
        let (job, request, links) = (self.job, self.request, (self.previous, self.next));
        let test = self.test.map(|test| TestRun { lasts: false, ..test });
        *self = Entry { phase: self.phase, memory: self.memory, test, ..Entry::new(job, request, version) };
        (self.previous, self.next) = links;
        nodes
    }

    /// Is to run on `n` nodes, which it does not ask for; it has not started yet.
    pub(crate) fn mold(&mut self, n: u32) {
        self.size = n;
        self.run_time = self.job.run_time_on(n);
        self.work_left = i128::from(self.run_time.0) * i128::from(Rate::FULL.0);
    }

    /// Has so many of the processors it asks for from now on; what was done before must be booked.
    pub(crate) fn set_share(&mut self, processors: u32) {
        // With a unit of its own a job's work comes out even, whatever its share.
        if self.whole == 1 {
            self.whole = self.size;
            self.work_left *= i128::from(self.whole);
        }
        self.share = processors;
    }

    /// Units of work per tick.
    fn speed(&self) -> i128 {
        i128::from(self.rate.0) * i128::from(self.share)
    }

    /// Books the work done since the last change of rate or share.
    pub(crate) fn settle(&mut self, now: Time) {
        let done = i128::from((now - self.since).0) * self.speed();
        self.work_left = (self.work_left - done).max(0);
        self.since = now;
    }

    /// Adds work of this length at full rate.
    pub(crate) fn add_work(&mut self, span: Span) {
        self.work_left += i128::from(span.0) * i128::from(Rate::FULL.0) * i128::from(self.whole);
    }

    /// Moves the expected end.
    pub(crate) fn extend(&mut self, span: Span) {
        self.expected_end = self.expected_end.saturating_add(span);
        self.expired &= span <= Span::ZERO;
    }

    /// Moves the expected end back.
    pub(crate) fn shorten(&mut self, span: Span) {
        if self.expected_end < Time::NEVER {
            self.expected_end = self.expected_end - span;
        }
    }

    /// When the work will be done at the present rate and share, rounded up to the tick; `None` without progress. Work that is done
    /// ends at once, even if no processor is left to the job.
    pub(crate) fn finish_time(&self) -> Option<Time> {
        let speed = self.speed();
        if speed == 0 {
            return (self.share == 0 && self.work_left == 0).then_some(self.since);
        }
        let ticks = if self.rate == Rate::FULL && self.whole == 1 {
            (self.work_left + (speed - 1)) >> 32
        } else {
            (self.work_left + speed - 1) / speed
        };
        Some(self.since.saturating_add(Span(i64::try_from(ticks).unwrap_or(i64::MAX))))
    }
}

const NONE: u32 = u32::MAX;

/// A list of slots threaded through the slab: constant-time append and removal, iteration in order of joining.
#[derive(Clone, Copy, Debug)]
struct List {
    head: u32,
    tail: u32,
    len: usize,
}

impl List {
    const EMPTY: List = List { head: NONE, tail: NONE, len: 0 };
}

/// All jobs in the system, by slot.
#[derive(Debug)]
pub(crate) struct Jobs {
    entries: Vec<Entry>,
    vacant: Vec<JobSlot>,
    lists: [List; 3],
}

fn list_of(phase: Phase) -> Option<usize> {
    match phase {
        Phase::Waiting => Some(0),
        Phase::Running => Some(1),
        Phase::Suspended => Some(2),
        Phase::Ended => None,
    }
}

impl Jobs {
    pub fn new() -> Jobs {
        Jobs { entries: Vec::new(), vacant: Vec::new(), lists: [List::EMPTY; 3] }
    }

    pub fn get(&self, slot: JobSlot) -> &Entry {
        &self.entries[slot.0 as usize]
    }

    pub fn get_mut(&mut self, slot: JobSlot) -> &mut Entry {
        &mut self.entries[slot.0 as usize]
    }

    /// Takes a job in, waiting behind all others.
    pub fn admit(&mut self, job: Job, request: Request) -> JobSlot {
        let slot = match self.vacant.pop() {
            Some(slot) => {
                let version = self.get(slot).version;
                *self.get_mut(slot) = Entry::new(job, request, version);
                slot
            }
            None => {
                self.entries.push(Entry::new(job, request, 0));
                JobSlot(self.entries.len() as u32 - 1)
            }
        };
        self.join(slot);
        slot
    }

    /// Moves a job to another phase, behind the others there.
    pub fn move_to(&mut self, slot: JobSlot, phase: Phase) {
        self.leave(slot);
        self.get_mut(slot).phase = phase;
        self.join(slot);
    }

    /// Moves a job back to those that wait, at its place in arrival order.
    pub fn back_to_queue(&mut self, slot: JobSlot) {
        self.leave(slot);
        let arrival = self.get(slot).request.arrival;
        let earlier = |other: &u32| *other == NONE || self.entries[*other as usize].request.arrival < arrival;
        let tail = self.lists[0].tail;
        let mut before = Some(tail);
        while let Some(other) = before.filter(|other| !earlier(other)) {
            before = Some(self.entries[other as usize].previous);
        }
        let before = before.unwrap_or(NONE);
        let after = if before == NONE { self.lists[0].head } else { self.entries[before as usize].next };
        let entry = self.get_mut(slot);
        (entry.phase, entry.previous, entry.next) = (Phase::Waiting, before, after);
        match before {
            NONE => self.lists[0].head = slot.0,
            other => self.entries[other as usize].next = slot.0,
        }
        match after {
            NONE => self.lists[0].tail = slot.0,
            other => self.entries[other as usize].previous = slot.0,
        }
        self.lists[0].len += 1;
    }

    /// Lets the slot of an ended job be used again; its void events stay void.
    pub fn vacate(&mut self, slot: JobSlot) {
        self.get_mut(slot).version += 1;
        self.vacant.push(slot);
    }

    pub fn count(&self, phase: Phase) -> usize {
        list_of(phase).map_or(0, |list| self.lists[list].len)
    }

    /// The first to have joined a phase.
    pub fn first(&self, phase: Phase) -> Option<JobSlot> {
        let head = self.lists[list_of(phase)?].head;
        (head != NONE).then_some(JobSlot(head))
    }

    /// The jobs of a phase, in the order in which they joined it.
    pub fn iter(&self, phase: Phase) -> impl Iterator<Item = JobSlot> + '_ {
        let mut at = list_of(phase).map_or(NONE, |list| self.lists[list].head);
        std::iter::from_fn(move || {
            let slot = (at != NONE).then_some(JobSlot(at))?;
            at = self.get(slot).next;
            Some(slot)
        })
    }

    fn join(&mut self, slot: JobSlot) {
        let Some(list) = list_of(self.get(slot).phase) else { return };
        let tail = self.lists[list].tail;
        let entry = self.get_mut(slot);
        entry.previous = tail;
        entry.next = NONE;
        match tail {
            NONE => self.lists[list].head = slot.0,
            last => self.entries[last as usize].next = slot.0,
        }
        self.lists[list].tail = slot.0;
        self.lists[list].len += 1;
    }

    fn leave(&mut self, slot: JobSlot) {
        let entry = self.get(slot);
        let Some(list) = list_of(entry.phase) else { return };
        let (previous, next) = (entry.previous, entry.next);
        match previous {
            NONE => self.lists[list].head = next,
            before => self.entries[before as usize].next = next,
        }
        match next {
            NONE => self.lists[list].tail = previous,
            after => self.entries[after as usize].previous = previous,
        }
        self.lists[list].len -= 1;
    }
}
