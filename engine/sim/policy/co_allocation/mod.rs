//! Meta-scheduling in a mini-grid: local execution, migration and co-allocation.
//!
//! Decides: jobs are taken from one list. `queue: Scan` walks all of it and starts every job that fits; `Strict` stops at the first that does not fit, without
//! sharing at the first of each home cluster; `StrictPerCluster` always does the latter: a job that does not fit stops only those behind it that have the same home.
//! `pick: LargestFits` starts again and again the largest waiting job that fits instead. A job runs at home if it fits there (unless `home_first` is false); else, with
//! `sharing: Migration`, on the cluster with the fewest free nodes among those where it fits; else, with `Splitting`, on several, if there are free nodes enough in all.
//! It never is split while one cluster can hold it. The rules for `split` take clusters one by one: `LargestThenBestFit`, the one with the fewest free nodes that
//! holds all that is left of the job, or, if none does, all of the one with the most; `LargestFirst`, the one with the most; `FewestIdle`, the one
//! with the fewest, but some; `Even`: of the fewest clusters that can hold the job, those with the most free nodes, the same number on each, as far as they have them;
//! what does not come out even goes to those with the most, one node each. On a cluster a job gets the free nodes with the lowest numbers.
//! Source: Jones et al. 2004, "Job Scheduling" and "Simulation": no sharing, migration only, and co-allocation under an ideal, a fixed and a dynamic communication
//! model, which are the machine's business; policies FCFS Scan and Best Fit. The slides print no rules: all of the above is an *assumption*.
//! Parameters: `sharing`, `queue`, `pick`, `home_first`, `split`, see [`Sharing`], [`QueueRule`], [`Pick`], [`SplitRule`].
//! Differs: none known; on a machine that is no mini-grid, which counts as one cluster, homes mean nothing.
//! Ties: list in order of arrival; clusters with equally many free nodes by their number; jobs of equal size by arrival.
//! Cost per pass: O(log largest size) per job submitted or started and once more (`LargestFits`: sizes / 64 instead), and O(clusters) for each start; under `StrictPerCluster`
//! O(clusters) for each job looked at. Under `Nothing` only the homes are looked at where a job came or went, all of them for each start.

mod by_size;
mod place;
mod spec;

pub use spec::{Pick, QueueRule, Sharing, SplitRule};

use super::Policy;
use crate::allocator::Allocator;
use crate::error::SimError;
use crate::job::JobSlot;
use crate::kernel::Pass;
use by_size::BySize;
use place::Room;
use smallvec::SmallVec;
use spec::Settings;
use std::collections::VecDeque;

/// The policy for a specification of co-allocation.
///
/// # Errors
/// [`SimError::Setup`] as for [`check`] and [`check_allocator`].
pub fn build(spec: &super::PolicySpec, allocator: &dyn Allocator) -> Result<Box<dyn Policy>, SimError> {
    let settings = Settings::of(spec)?;
    check_allocator(allocator)?;
    Ok(Box::new(CoAllocation::new(settings)))
}

/// Checks that a queue that is not walked to its end is not to be looked through for its largest job.
///
/// # Errors
/// [`SimError::Setup`] with the reason and what would do.
pub fn check(queue: QueueRule, pick: Pick) -> Result<(), SimError> {
    if queue != QueueRule::Scan && pick == Pick::LargestFits {
        let reason = "LargestFits looks beyond jobs that do not fit: it needs queue: Scan";
        return Err(SimError::Setup { reason: reason.into() });
    }
    Ok(())
}

/// Checks that the allocator has nothing of its own to say about nodes.
///
/// # Errors
/// [`SimError::Setup`] with the reason and what would do.
pub fn check_allocator(allocator: &dyn Allocator) -> Result<(), SimError> {
    if allocator.counts_only() && !allocator.looks_at_tenants() {
        return Ok(());
    }
    Err(SimError::Setup { reason: "CoAllocation chooses the nodes itself; it needs FirstFree".into() })
}

/// The policy; see the module.
struct CoAllocation {
    settings: Settings,
    /// Whether each home has a list of its own.
    apart: bool,
    room: Room,
    waiting: Waiting,
}

/// The waiting jobs, indexed as the queue's rule needs it.
enum Waiting {
    /// For `Scan`: by size; without sharing, those of each home.
    Scanned(Vec<BySize>),
    /// Of each home in order of arrival, with the arrival; for both strict rules where the homes do not stop each other.
    Lined(Vec<VecDeque<(u64, JobSlot)>>),
    /// For `Strict`: nothing, the head is all that matters.
    Headed,
}

impl CoAllocation {
    fn new(settings: Settings) -> CoAllocation {
        let apart = settings.sharing == Sharing::Nothing;
        let waiting = match settings.queue {
            QueueRule::Scan => Waiting::Scanned(Vec::new()),
            QueueRule::Strict if !apart => Waiting::Headed,
            QueueRule::Strict | QueueRule::StrictPerCluster => Waiting::Lined(Vec::new()),
        };
        CoAllocation { settings, apart, room: Room::default(), waiting }
    }

    /// The home of a job; the first cluster on a machine that is no mini-grid.
    fn home(&self, pass: &Pass<'_>, job: JobSlot) -> u32 {
        if self.room.clusters() == 1 { 0 } else { pass.request(job).home }
    }

    /// Takes in what was submitted. Returns false where a job can never run.
    fn take_in(&mut self, pass: &mut Pass<'_>) -> bool {
        let clusters = self.room.clusters();
        match &mut self.waiting {
            Waiting::Scanned(lists) if lists.is_empty() => {
                lists.resize_with(if self.apart { clusters } else { 1 }, BySize::default);
            }
            Waiting::Lined(lines) if lines.is_empty() => lines.resize_with(clusters, VecDeque::new),
            _ => {}
        }
        for at in 0..pass.submitted().len() {
            let job = pass.submitted()[at];
            let request = pass.request(job);
            let (size, arrival, most) = (request.size, request.arrival, self.room.nodes_per_cluster());
            if self.settings.sharing != Sharing::Splitting && size > most {
                let sharing = self.settings.sharing;
                pass.refuse(
                    job,
                    format!("asks for {size} nodes of clusters with {most}, and sharing is {sharing:?}"),
                );
                return false;
            }
            let home = self.home(pass, job) as usize;
            let list = if self.apart { home } else { 0 };
            if self.starts_at_once(list) && self.start(pass, job) {
                continue;
            }
            match &mut self.waiting {
                Waiting::Scanned(lists) => lists[list].add(size, arrival, job),
                Waiting::Lined(lines) => lines[home].push_back((arrival, job)),
                Waiting::Headed => {}
            }
        }
        true
    }

    /// Whether a new job may start without a look at the others of its list, since there are none.
    fn starts_at_once(&self, list: usize) -> bool {
        match &self.waiting {
            Waiting::Scanned(lists) => {
                !self.apart && self.settings.pick == Pick::FirstCome && lists[list].is_empty()
            }
            Waiting::Lined(_) | Waiting::Headed => false,
        }
    }

    /// The lists that jobs came to or went from, once each: all others are as they were.
    fn touched(&self, pass: &Pass<'_>) -> SmallVec<[u32; 8]> {
        if !self.apart {
            return smallvec::smallvec![0];
        }
        let changes = pass.ended().iter().chain(pass.submitted());
        let mut homes: SmallVec<[u32; 8]> = changes.map(|job| self.home(pass, *job)).collect();
        homes.sort_unstable();
        homes.dedup();
        homes
    }

    /// Starts a job where the rules place it; false, and nothing done, if it does not fit.
    fn start(&mut self, pass: &mut Pass<'_>, job: JobSlot) -> bool {
        let (size, home) = (pass.request(job).size, self.home(pass, job));
        match self.room.place(size, home, self.settings) {
            Some(parts) => {
                self.room.take(&parts);
                pass.start_on(job, self.room.nodes(pass.cluster(), &parts))
            }
            None => false,
        }
    }

    /// Starts the job that the scan comes to first, and again, until none fits.
    fn scan(&mut self, pass: &mut Pass<'_>) {
        let lists = self.touched(pass);
        while let Some((list, size)) = self.next_of_scan(&lists) {
            let Waiting::Scanned(all) = &mut self.waiting else { return };
            let Some(job) = all[list as usize].take(size) else { return };
            if !self.start(pass, job) {
                return;
            }
        }
    }

    /// List and size of the job that is next in a scan of these lists.
    fn next_of_scan(&self, lists: &[u32]) -> Option<(u32, u32)> {
        let Waiting::Scanned(all) = &self.waiting else { return None };
        let limit = |list: u32| match self.settings.sharing {
            Sharing::Nothing => self.room.free(list),
            Sharing::Migration => self.room.most_free(),
            Sharing::Splitting => self.room.all_free(),
        };
        let found = lists.iter().filter_map(|&list| {
            let (list_of, limit) = (&all[list as usize], limit(list));
            let (rank, (size, arrival)) = match self.settings.pick {
                Pick::FirstCome => (0, list_of.earliest(limit)?),
                Pick::LargestFits => list_of.largest(limit).map(|found| (u32::MAX - found.0, found))?,
            };
            Some(((rank, arrival), (list, size)))
        });
        found.min().map(|(_, next)| next)
    }

    /// Goes through the list in order of arrival; a job that does not fit stops those of its home.
    fn lines(&mut self, pass: &mut Pass<'_>) {
        let mut stopped: SmallVec<[bool; 16]> = smallvec::smallvec![self.apart; self.room.clusters()];
        if self.apart {
            self.touched(pass).iter().for_each(|home| stopped[*home as usize] = false);
        }
        while self.room.all_free() > 0 {
            let Waiting::Lined(lines) = &self.waiting else { return };
            let heads = lines.iter().enumerate().filter(|(home, _)| !stopped[*home]);
            let next =
                heads.filter_map(|(home, line)| line.front().map(|(arrival, job)| (arrival, *job, home)));
            let Some((_, job, home)) = next.min_by_key(|(arrival, ..)| **arrival) else { return };
            if self.start(pass, job) {
                if let Waiting::Lined(lines) = &mut self.waiting {
                    lines[home].pop_front();
                }
            } else {
                stopped[home] = true;
            }
        }
    }
}

impl Policy for CoAllocation {
    fn name(&self) -> &'static str {
        "co-allocation"
    }

    fn heeds_estimates(&self) -> bool {
        false
    }

    fn schedule(&mut self, pass: &mut Pass<'_>) {
        if pass.submitted().is_empty() && pass.ended().is_empty() {
            return;
        }
        self.room.look(pass.cluster());
        if !self.take_in(pass) {
            return;
        }
        match self.waiting {
            Waiting::Scanned(_) => self.scan(pass),
            Waiting::Lined(_) => self.lines(pass),
            Waiting::Headed => {
                while let Some(head) = pass.head() {
                    if !self.start(pass, head) {
                        return;
                    }
                }
            }
        }
    }
}
